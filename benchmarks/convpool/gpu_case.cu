#include "benchmarks/convpool/gpu_case.hpp"

#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_check(int error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorName((cudaError_t)error));
    exit(EXIT_FAILURE);
}

namespace
{

const int SAMPLES = 16384, REDUCERS = 128;

__device__ unsigned mix(unsigned a, unsigned b)
{
    unsigned h = a * 0x9e3779b1u ^ b * 0x85ebca77u;
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}

__device__ float uniform(unsigned a, unsigned b) /* in (0, 1] */
{
    return ((mix(a, b) >> 8) + 1) * 0x1p-24f;
}

/* Element i: normal (Box and Muller), its share of zeros, its channel's scale. */
template <class T>
__global__ void fill_kernel(T *data, size_t count, unsigned seed, float deviation, int values,
                            float sparsity, size_t channel_step, int channels, int most)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const unsigned key = mix(seed, (unsigned)(i >> 32)), low = (unsigned)i;
    float v = sqrtf(-2 * logf(uniform(key, low))) * cospif(2 * uniform(key + 1, low)) * deviation;
    if (values == CONV_POSITIVE)
        v = fabsf(v);
    if (values == CONV_SCALED)
        v = ldexpf(v,
                   (int)(mix(seed + 3, (unsigned)(i / channel_step % channels)) % (2 * most + 1)) -
                       most);
    if (uniform(key + 2, low) <= sparsity)
        v = 0;
    data[i] = T(v);
}

struct sample_sums {
    double y, absolute, squares, got;
};

/* The sums of op_oracle.c for sample blockIdx.x, whose place is (n, k, u, v), and what stands
 * there. */
template <class T>
__global__ void oracle_kernel(struct convpool_problem p, const T *x, const T *w, const T *y,
                              const int4 *places, const size_t *indices, sample_sums *sums)
{
    __shared__ double s_sum[3][REDUCERS];
    const int4 at = places[blockIdx.x];
    const struct conv2d_problem q = p.conv;
    const int pool = p.pool, all = pool * pool * q.c * q.r * q.s;
    double sum[3] = {0, 0, 0};
    for (int i = threadIdx.x; i < all; i += REDUCERS) {
        const int s = i % q.s, r = i / q.s % q.r, c = i / q.s / q.r % q.c;
        const int b = i / q.s / q.r / q.c % pool, a = i / q.s / q.r / q.c / pool;
        const int h = (at.z * pool + a) * q.stride + r - q.pad;
        const int v = (at.w * pool + b) * q.stride + s - q.pad;
        if (h < 0 || h >= q.h || v < 0 || v >= q.w)
            continue;
        const double product = (double)(float)x[conv2d_x_at(&q, at.x, c, h, v)] *
                               (double)(float)w[conv2d_w_at(&q, at.y, c, r, s)];
        sum[0] += product;
        sum[1] += fabs(product);
        sum[2] += product * product;
    }
    for (int k = 0; k < 3; k++)
        s_sum[k][threadIdx.x] = sum[k];
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int i = 1; i < REDUCERS; i++)
        for (int k = 0; k < 3; k++)
            sum[k] += s_sum[k][i];
    const double share = 1.0 / (pool * pool);
    sums[blockIdx.x] = {share * sum[0], share * sum[1], share * share * sum[2],
                        (double)(float)y[indices[blockIdx.x]]};
}

template <class T> __global__ void count_bad_kernel(const T *y, size_t count, unsigned *bad)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && !(fabsf((float)y[i]) <= 3.4e38f))
        atomicAdd(bad, 1u);
}

int blocks_of(size_t count)
{
    return (int)((count + 255) / 256);
}

template <class T>
void fill(void *data, size_t count, unsigned seed, float deviation, int values, float sparsity,
          size_t step, int channels)
{
    const int most = sizeof(T) == 2 ? 3 : 12;
    fill_kernel<<<blocks_of(count), 256>>>((T *)data, count, seed, deviation, values, sparsity,
                                           step, channels, most);
    BENCH_CUDA(cudaGetLastError());
}

void fill_any(const gpu_case *g, void *data, size_t count, unsigned seed, float deviation,
              int values, float sparsity)
{
    const struct conv2d_problem *p = &g->c.p.conv;
    const size_t step = p->layout == CONV_NHWC ? 1 : (size_t)p->h * p->w;
    if (p->type == CONV_F16)
        fill<__half>(data, count, seed, deviation, values, sparsity, step, p->c);
    else
        fill<float>(data, count, seed, deviation, values, sparsity, step, p->c);
}

void *allocate(size_t bytes)
{
    void *p = NULL;
    BENCH_CUDA(cudaMalloc(&p, bytes));
    return p;
}

bool parse(const struct hpc_op *op, const std::string &words, struct conv_case *c)
{
    struct hpc_params params = {};
    struct hpc_error err = {};
    std::string word;
    bool good = true;
    for (size_t i = 0; i <= words.size() && good; i++) {
        if (i < words.size() && words[i] != ' ') {
            word += words[i];
        } else if (!word.empty()) {
            good = hpc_params_set_word(&params, word.c_str(), words.c_str(), &err);
            word.clear();
        }
    }
    good = good && op->parse(&params, c, &err);
    if (!good)
        hpc_report(&err);
    return good;
}

void fill_weights(gpu_case *g, void *w, int values)
{
    const struct conv2d_problem *p = &g->c.p.conv;
    fill_any(g, w, conv2d_w_count(p), 7, sqrtf(2.0f / (p->c * p->r * p->s)), values, 0);
}

} // namespace

void gpu_case_open(gpu_case *g, const struct hpc_op *op, const std::string &words, const void *map,
                   int wanted)
{
    struct hpc_layout layout;
    g->op = op;
    if (!parse(op, words, &g->c))
        exit(HPC_EXIT_USAGE);
    op->layout(&g->c, &layout);
    const size_t each = hpc_type_bytes(layout.in[0].type);
    g->x_bytes = layout.in[CONV2D_X].count * each;
    g->w_bytes = layout.in[CONV2D_W].count * each;
    g->y_bytes = layout.out[CONV2D_Y].count * each;
    const double slots = ceil(COLD_BYTES / (double)(g->x_bytes + g->w_bytes + g->y_bytes));
    g->slots = wanted ? wanted : slots < 2 ? 2 : slots > 400 ? 400 : (int)slots;
    g->nodes = g->slots < 20 ? 20 : g->slots;
    g->host_w.resize(g->w_bytes);
    for (int i = 0; i < g->slots; i++) {
        g->x.push_back(allocate(g->x_bytes));
        g->w.push_back(allocate(g->w_bytes));
        g->y.push_back(allocate(g->y_bytes));
        if (map)
            BENCH_CUDA(cudaMemcpy(g->x[i], map, g->x_bytes, cudaMemcpyHostToDevice));
        else
            fill_any(g, g->x[i], layout.in[CONV2D_X].count, 1000 + i, 1, g->c.values,
                     (float)g->c.sparsity);
        fill_weights(g, g->w[i], g->c.values);
    }
    BENCH_CUDA(cudaDeviceSynchronize());
    BENCH_CUDA(cudaMemcpy(g->host_w.data(), g->w[0], g->w_bytes, cudaMemcpyDeviceToHost));
    gpu_case_poison(g);
}

void gpu_case_close(gpu_case *g)
{
    for (int i = 0; i < g->slots; i++) {
        BENCH_CUDA(cudaFree(g->x[i]));
        BENCH_CUDA(cudaFree(g->w[i]));
        BENCH_CUDA(cudaFree(g->y[i]));
    }
    *g = gpu_case();
}

void gpu_case_refill(gpu_case *g, int values)
{
    fill_any(g, g->x[0], conv2d_x_count(&g->c.p.conv), 77 + values, 1, values,
             (float)g->c.sparsity);
    fill_weights(g, g->w[0], values == CONV_POSITIVE ? CONV_POSITIVE : CONV_NORMAL);
    BENCH_CUDA(cudaDeviceSynchronize());
    BENCH_CUDA(cudaMemcpy(g->host_w.data(), g->w[0], g->w_bytes, cudaMemcpyDeviceToHost));
}

void gpu_case_poison(gpu_case *g)
{
    for (int i = 0; i < g->slots; i++)
        BENCH_CUDA(cudaMemset(g->y[i], 0xff, g->y_bytes));
    BENCH_CUDA(cudaDeviceSynchronize());
}

/* Which elements are looked at: all of a small output, else drawn ones. */
static void draw_places(const struct convpool_problem *p, std::vector<int4> *places,
                        std::vector<size_t> *indices)
{
    const int rows = convpool_rows(p), columns = convpool_columns(p);
    const size_t count = convpool_y_count(p);
    unsigned long long state = 88172645463325252ull;
    for (size_t i = 0; i < count && (int)i < SAMPLES; i++) {
        size_t at = i;
        if (count > (size_t)SAMPLES) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            at = state % count;
        }
        const int v = at % columns, u = at / columns % rows, k = at / columns / rows % p->conv.k;
        const int n = at / columns / rows / p->conv.k;
        places->push_back(make_int4(n, k, u, v));
        indices->push_back(conv_y_index(p, n, k, u, v));
    }
}

template <class T>
static void sample(const gpu_case *g, int slot, int n, const int4 *places, const size_t *indices,
                   sample_sums *sums, unsigned *bad)
{
    const T *y = (const T *)g->y[slot];
    const size_t count = convpool_y_count(&g->c.p);
    oracle_kernel<<<n, REDUCERS>>>(g->c.p, (const T *)g->x[slot], (const T *)g->w[slot], y, places,
                                   indices, sums);
    BENCH_CUDA(cudaGetLastError());
    count_bad_kernel<<<blocks_of(count), 256>>>(y, count, bad);
    BENCH_CUDA(cudaGetLastError());
}

static gpu_errors judge(const gpu_case *g, const std::vector<sample_sums> &sums, bool finite)
{
    const struct convpool_problem *p = &g->c.p;
    gpu_errors e = {0, 0, 0, finite, finite};
    double off = 0, units = 0, relative = 0, each = 0;
    for (const sample_sums &s : sums) {
        const double error = fabs(s.got - s.y), unit = conv_unit(p, s.squares);
        if (!(error <= conv_bound(p, s.y, s.absolute)))
            e.each = false;
        if (s.absolute > 0) {
            e.most = fmax(e.most, error / s.absolute);
            relative += error / s.absolute * (error / s.absolute);
            each += error / unit * (error / unit);
        }
        off += error * error;
        units += unit * unit;
    }
    e.rms = sqrt(relative / (double)sums.size());
    e.units = sqrt(each / (double)sums.size());
    if (p->conv.type == CONV_F32 && g->c.values != CONV_POSITIVE && e.units >= 4)
        e.each = false;
    e.normwise = finite && sqrt(off) <= 64 * sqrt(units);
    return e;
}

gpu_errors gpu_case_check(const gpu_case *g, int slot)
{
    std::vector<int4> places;
    std::vector<size_t> indices;
    draw_places(&g->c.p, &places, &indices);
    const int n = (int)places.size();
    std::vector<sample_sums> sums(n);
    unsigned bad = 0;
    int4 *d_places = (int4 *)allocate(n * sizeof(int4));
    size_t *d_indices = (size_t *)allocate(n * sizeof(size_t));
    sample_sums *d_sums = (sample_sums *)allocate(n * sizeof(sample_sums));
    unsigned *d_bad = (unsigned *)allocate(sizeof bad);
    BENCH_CUDA(cudaMemcpy(d_places, places.data(), n * sizeof(int4), cudaMemcpyHostToDevice));
    BENCH_CUDA(cudaMemcpy(d_indices, indices.data(), n * sizeof(size_t), cudaMemcpyHostToDevice));
    BENCH_CUDA(cudaMemset(d_bad, 0, sizeof bad));
    BENCH_CUDA(cudaDeviceSynchronize());
    if (g->c.p.conv.type == CONV_F16)
        sample<__half>(g, slot, n, d_places, d_indices, d_sums, d_bad);
    else
        sample<float>(g, slot, n, d_places, d_indices, d_sums, d_bad);
    BENCH_CUDA(cudaDeviceSynchronize());
    BENCH_CUDA(cudaMemcpy(sums.data(), d_sums, n * sizeof(sample_sums), cudaMemcpyDeviceToHost));
    BENCH_CUDA(cudaMemcpy(&bad, d_bad, sizeof bad, cudaMemcpyDeviceToHost));
    cudaFree(d_places);
    cudaFree(d_indices);
    cudaFree(d_sums);
    cudaFree(d_bad);
    return judge(g, sums, bad == 0);
}

double gpu_case_floor(const gpu_case *g)
{
    const struct convpool_problem *p = &g->c.p;
    const double peak = p->conv.type == CONV_F16    ? 740e12
                        : p->conv.type == CONV_TF32 ? 367e12
                                                    : 63.6e12;
    const double flops = 2.0 * (double)convpool_y_count(p) * p->conv.c * p->conv.r * p->conv.s;
    const double bytes = (double)(g->x_bytes + g->w_bytes + g->y_bytes);
    return 1.2e-6 + fmax(bytes / 4.3e12, flops / peak);
}
