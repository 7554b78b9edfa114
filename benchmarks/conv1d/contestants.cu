/* Who is timed: all variants in CUDA, three ways to copy, and cuDNN where it was there to build. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "common/table.h"

#ifdef HAVE_CUDNN
#include <cudnn.h>

#include "conv2d/conv2d.h"

extern "C" const struct hpc_variant hpc_variant_cudnn_best;
#endif

extern "C" const struct hpc_variant hpc_variant_copy; /* copy.cu, which no list has */

const struct hpc_variant *find_variant(const std::string &name)
{
    if (name == "copy")
        return &hpc_variant_copy;
    for (int i = 0; hpc_variants[i]; i++)
        if (name == hpc_variants[i]->name)
            return hpc_variants[i];
    return NULL;
}

/* Open `v` on a problem that is copied, with its mask on the host; calls read x from `before`
 * elements earlier, and the mask from `mask` on the device. */
template <class problem>
static bool open_on(contestant *c, const struct hpc_variant *v, const problem &p,
                    const float *host_mask, const float *mask, int before)
{
    problem *kept = new problem(p);
    const void **fixed = new const void *[2] { NULL, host_mask };
    const struct hpc_env env = {1, HPC_SIMD_NONE, fixed};
    void *state = NULL;
    if (v->open(&env, kept, &state) != 0) {
        delete kept;
        delete[] fixed;
        return false;
    }
    c->name = v->name;
    c->copy = c->peer = false;
    c->run = [=](const float *x, float *y) {
        const void *const in[] = {x - before, mask};
        void *const out[] = {y};
        return v->run(state, in, out);
    };
    c->close = [=]() {
        v->close(state);
        delete kept;
        delete[] fixed;
    };
    return true;
}

bool open_variant(contestant *c, const struct hpc_variant *v, const signals *s, int threads)
{
    const conv1d_problem p = {(uint64_t)s->n, (int32_t)s->host_mask.size() / 2, threads};
    return open_on(c, v, p, s->host_mask.data(), s->mask, 0);
}

/* cudaMemcpyAsync: whatever the driver does for a node of that kind. */
static contestant memcpy_contestant(const signals *s)
{
    contestant c;
    const size_t bytes = s->n * sizeof(float);
    c.name = "cudaMemcpyAsync";
    c.copy = true;
    c.peer = false;
    c.run = [=](const float *x, float *y) {
        return (int)cudaMemcpyAsync(y, x, bytes, cudaMemcpyDeviceToDevice, cudaStreamPerThread);
    };
    c.close = []() {};
    return c;
}

#ifdef HAVE_CUDNN
/* The signal as n / channels pixels of so many channels each: then a convolution in one dimension
 * is one of channels x channels matrices, with the mask in their diagonals; with one channel it is
 * itself. Weights are laid out beforehand, which is not counted; the zeros around x are there, so
 * that nothing has to be padded. */
static bool open_cudnn(contestant *c, const signals *s, int channels)
{
    const int radius = (int)s->host_mask.size() / 2, reach = (radius + channels - 1) / channels;
    const int lead = channels == 1 ? (radius + 3) / 4 * 4 : reach * channels; /* x stays aligned */
    if (s->n % channels != 0 || lead > MARGIN)
        return false;
    conv2d_problem p = {};
    p.n = p.h = p.r = p.stride = 1;
    p.c = p.k = channels;
    p.s = channels == 1 ? lead + radius + 1 : 2 * reach + 1;
    p.w = (int)(s->n / channels) + p.s - 1;
    p.layout = channels == 1 ? CONV_NCHW : CONV_NHWC;
    p.type = CONV_F32;
    std::vector<float> *w = new std::vector<float>(conv2d_w_count(&p), 0.0f);
    for (int k = 0; k < p.k; k++)
        for (int pixel = 0; pixel < p.s; pixel++)
            for (int ch = 0; ch < p.c; ch++) {
                const int j = pixel * channels - lead + ch - k + radius;
                if (j >= 0 && j <= 2 * radius)
                    (*w)[conv2d_w_at(&p, k, ch, 0, pixel)] = s->host_mask[j];
            }
    float *device;
    CUDA(cudaMalloc(&device, w->size() * sizeof(float)));
    CUDA(cudaMemcpy(device, w->data(), w->size() * sizeof(float), cudaMemcpyHostToDevice));
    if (!open_on(c, &hpc_variant_cudnn_best, p, w->data(), device, lead)) {
        CUDA(cudaFree(device));
        delete w;
        return false;
    }
    c->name = "cuDNN, " + std::to_string(channels) + (channels == 1 ? " channel" : " channels");
    c->peer = true;
    const std::function<void()> close = c->close;
    c->close = [=]() {
        close();
        CUDA(cudaFree(device));
        delete w;
    };
    return true;
}

std::string cudnn_state(void)
{
    const size_t v = cudnnGetVersion();
    return "cuDNN " + std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." +
           std::to_string(v % 100);
}
#else
static bool open_cudnn(contestant *, const signals *, int)
{
    return false;
}

std::string cudnn_state(void)
{
    return "no cuDNN: its header was not found when the benchmark was built";
}
#endif

std::vector<contestant> open_variants(const signals *s)
{
    std::vector<contestant> all;
    contestant c;
    for (int i = 0; hpc_variants[i]; i++)
        if (open_variant(&c, hpc_variants[i], s, 0))
            all.push_back(c);
    if (open_variant(&c, &hpc_variant_copy, s, 0)) {
        c.copy = true;
        all.push_back(c);
    }
    all.push_back(memcpy_contestant(s));
    return all;
}

std::vector<contestant> open_peers(const signals *s)
{
    std::vector<contestant> all;
    contestant c;
    for (int channels : {1, 8, 32})
        if (open_cudnn(&c, s, channels))
            all.push_back(c);
    for (const char *name : {"register_record", "copy"})
        if (!all.empty() && open_variant(&c, find_variant(name), s, 0)) {
            c.copy = c.name == "copy";
            all.push_back(c);
        }
    return all;
}

void close_all(std::vector<contestant> *all)
{
    for (contestant &c : *all)
        c.close();
}
