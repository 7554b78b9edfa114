/* Every plan of conv_dense_split's kernels worth trying, on each layer of [Xu]: times, cold, in
 * graphs, and the largest error of the timed output against sums in double. What the rules of
 * split_plan.h, near_plan.h and wide_rule.h were calibrated with.
 * build/bench/plans [--most N] [--only TEXT] [--kernel split|near|near-fetched|wide|box]
 * [--layout nchw|nhwc] [--stride THE_FIRST] >plans.csv */
#include "benchmarks/convpool/gpu_case.hpp"
#include "benchmarks/convpool/gpu_method.hpp"
#include "benchmarks/sparse/layers.h"
#include "benchmarks/sparse/plan_kernels.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <stdio.h>

struct plan_slots {
    std::vector<float *> x, w, y;
    std::vector<uint4 *> halves;
    double *want;
    float *error;
};

static __global__ void noise_kernel(float *data, size_t count, unsigned seed, float sparsity)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned h = ((unsigned)i ^ seed * 0x9e3779b1u) * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x846ca68bu;
    h ^= h >> 16;
    const unsigned g = (h * 0x7feb352du) ^ (h >> 3);
    data[i] = (g >> 8) * 0x1p-24f < sparsity ? 0 : (float)(int)h * 0x1p-31f;
}

static __global__ void want_kernel(struct conv2d_problem p, const float *x, const float *w,
                                   double *want, double *absolute)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int rows = conv2d_rows(&p), columns = conv2d_columns(&p);
    if (i >= p.k * rows * columns)
        return;
    const int k = i / (rows * columns), row = i / columns % rows, column = i % columns;
    double sum = 0, most = 0;
    for (int c = 0; c < p.c; c++)
        for (int r = 0; r < p.r; r++)
            for (int s = 0; s < p.s; s++) {
                const int h = row * p.stride + r - p.pad, v = column * p.stride + s - p.pad;
                if (h < 0 || h >= p.h || v < 0 || v >= p.w)
                    continue;
                const double product =
                    (double)x[conv2d_x_at(&p, 0, c, h, v)] * (double)w[conv2d_w_at(&p, k, c, r, s)];
                sum += product;
                most += fabs(product);
            }
    want[conv2d_y_at(&p, 0, k, row, column)] = sum;
    absolute[conv2d_y_at(&p, 0, k, row, column)] = most;
}

static __global__ void error_kernel(const float *y, const double *want, const double *absolute,
                                    size_t count, float *error)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const double off = fabs((double)y[i] - want[i]) / (absolute[i] > 0 ? absolute[i] : 1);
    const float e = off >= 0 ? (float)off : 1e30f; /* not a number: as bad as can be */
    atomicMax((int *)error, __float_as_int(e));
}

static int blocks(size_t count)
{
    return (int)((count + 255) / 256);
}

template <int HALVES, class KERNEL> struct plan_bench {
    typedef typename KERNEL::plan_type plan;
    struct conv2d_problem p;
    std::vector<float *> x, w, y;
    std::vector<void *> halves;
    double *want, *absolute;
    float *error;
    KERNEL kernel;

    void open(float sparsity)
    {
        const size_t nx = conv2d_x_count(&p), nw = conv2d_w_count(&p), ny = conv2d_y_count(&p);
        const int slots =
            std::max(2, std::min(2000, (int)ceil(COLD_BYTES / (4.0 * (double)(nx + nw + ny)))));
        std::vector<float> host(nw);
        want = gpu_alloc<double>(ny);
        absolute = gpu_alloc<double>(ny);
        error = gpu_alloc<float>(1);
        for (int i = 0; i < slots; i++) {
            x.push_back(gpu_alloc<float>(nx));
            y.push_back(gpu_alloc<float>(ny));
            noise_kernel<<<blocks(nx), 256>>>(x[i], nx, 1, sparsity);
        }
        w.push_back(gpu_alloc<float>(nw));
        noise_kernel<<<blocks(nw), 256>>>(w[0], nw, 2, 0);
        want_kernel<<<blocks(ny), 256>>>(p, x[0], w[0], want, absolute);
        CUDA(cudaDeviceSynchronize());
        CUDA(cudaMemcpy(host.data(), w[0], nw * 4, cudaMemcpyDeviceToHost));
        kernel = KERNEL();
        kernel.take(p, host.data());
        for (int i = 0; i < slots; i++) {
            halves.push_back(gpu_alloc<char>(kernel.bytes));
            CUDA(cudaMemcpy(halves[i], kernel.first(), kernel.bytes, cudaMemcpyDeviceToDevice));
        }
    }

    void close()
    {
        for (float *v : x)
            cudaFree(v);
        for (float *v : y)
            cudaFree(v);
        for (void *v : halves)
            cudaFree(v);
        for (void *v : {(void *)w[0], (void *)want, (void *)absolute, (void *)error})
            cudaFree(v);
        kernel.close();
    }

    /* us a call. */
    double time(const plan &s, bool overlap, float *worst)
    {
        kernel.overlap = overlap;
        kernel.set(s);
        const int slots = (int)x.size(), nodes = std::max(24, std::min(slots, 60));
        cudaGraph_t graph;
        cudaGraphExec_t ready = NULL;
        CUDA(cudaMemset(y[0], 0xff, conv2d_y_count(&p) * 4));
        CUDA(cudaDeviceSynchronize());
        std::vector<double> us;
        for (int turn = 0; turn < 4; turn++) {
            CUDA(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
            for (int i = 0; i < nodes; i++) {
                const int slot = (turn * nodes + i) % slots;
                kernel.weigh(halves[slot]);
                kernel.run(x[slot], w[0], y[slot]);
            }
            CUDA(cudaStreamEndCapture(cudaStreamPerThread, &graph));
            CUDA(cudaGraphInstantiate(&ready, graph, 0));
            CUDA(cudaGraphDestroy(graph));
            CUDA(cudaGraphUpload(ready, cudaStreamPerThread));
            const std::vector<double> t = gpu_launches_time({{ready, nodes}});
            us.push_back(t[0] * 1e6);
            CUDA(cudaGraphExecDestroy(ready));
        }
        CUDA(cudaMemset(error, 0, 4));
        error_kernel<<<blocks(conv2d_y_count(&p)), 256>>>(y[0], want, absolute, conv2d_y_count(&p),
                                                          error);
        CUDA(cudaDeviceSynchronize());
        CUDA(cudaMemcpy(worst, error, 4, cudaMemcpyDeviceToHost));
        std::sort(us.begin(), us.end());
        return (us[1] + us[2]) / 2;
    }

    void all(const char *name, int stride, int most)
    {
        struct split_gpu gpu = {132, 227 * 1024, HALVES, true, false};
        std::vector<std::pair<double, int>> order;
        std::set<std::string> seen;
        for (int i = 0; i < KERNEL::PLANS; i++) {
            plan s = {};
            double cost = 0;
            if (KERNEL::plan_at(&p, &gpu, i, &s, &cost) &&
                seen.insert(std::string((const char *)&s, sizeof s)).second)
                order.push_back({cost, i});
        }
        std::sort(order.begin(), order.end());
        for (size_t i = 0; i < order.size() && (int)i < most; i++) {
            /* the best by the rule, and further ones more and more thinly */
            const size_t at = (int)i < most / 2 ? i : i + (i - most / 2) * (i - most / 2) / 4;
            if (at >= order.size())
                break;
            plan s = {};
            double cost = 0;
            KERNEL::plan_at(&p, &gpu, order[at].second, &s, &cost);
            float worst = 0;
            const double us = time(s, true, &worst);
            const double alone = i < 2 ? time(s, false, &worst) : 0;
            printf("%s,%d,%d,%s,%.0f,%.3f,%.3f,%.2g\n", name, stride, HALVES, plan_text(s).c_str(),
                   order[at].first, us, alone, worst);
        }
        fflush(stdout);
    }
};

template <int HALVES, class KERNEL>
static void layer_by(const sparse_layer &l, int layout, int stride, int most)
{
    plan_bench<HALVES, KERNEL> b = plan_bench<HALVES, KERNEL>();
    b.p = {1,
           l.c,
           l.size,
           l.size,
           l.k,
           l.r,
           l.r,
           stride,
           l.pad,
           layout,
           HALVES == 1 ? CONV_TF32 : CONV_F32};
    b.open((float)l.sparsity);
    b.all(l.name, stride, most);
    b.close();
}

template <int HALVES>
static void layer(const std::string &kernel, const sparse_layer &l, int layout, int stride,
                  int most)
{
    if (kernel == "near")
        layer_by<HALVES, near_bench<HALVES, false>>(l, layout, stride, most);
    else if (kernel == "near-fetched")
        layer_by<HALVES, near_bench<HALVES, true>>(l, layout, stride, most);
    else if (kernel == "box")
        layer_by<HALVES, box_bench<HALVES>>(l, layout, stride, most);
    else if (kernel == "wide")
        layer_by<HALVES, wide_bench<HALVES>>(l, layout, stride, most);
    else
        layer_by<HALVES, split_bench<HALVES>>(l, layout, stride, most);
}

int main(int argc, char **argv)
{
    int most = 60, layout = CONV_NCHW, first = 1;
    std::string only, kernel = "split";
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::string(argv[i]) == "--most")
            most = atoi(argv[i + 1]);
        else if (std::string(argv[i]) == "--kernel")
            kernel = argv[i + 1];
        else if (std::string(argv[i]) == "--stride")
            first = atoi(argv[i + 1]);
        else if (std::string(argv[i]) == "--layout")
            layout = argv[i + 1] == std::string("nhwc") ? CONV_NHWC : CONV_NCHW;
        else
            only = argv[i + 1];
    }
    printf("layer,stride,halves,%s,cost,us,alone,error\n", kernel == "wide"  ? wide_plan_words
                                                           : kernel == "box" ? box_plan_words
                                                                             : split_plan_words);
    for (int stride = first; stride <= 3; stride++) {
        std::set<std::string> seen;
        for (const sparse_layer &l : table1_layers)
            if (stride == 1 && std::string(l.name).find(only) != std::string::npos) {
                layer<2>(kernel, l, layout, stride, most);
                layer<1>(kernel, l, layout, stride, most / 2);
            }
        for (const sparse_layer &l : vgg19_layers)
            if (std::string(l.name).find(only) != std::string::npos &&
                seen.insert(std::to_string(l.c) + "," + std::to_string(l.k) + "," +
                            std::to_string(l.size))
                    .second) {
                layer<2>(kernel, l, layout, stride, most);
                layer<1>(kernel, l, layout, stride, most / 2);
            }
    }
    return 0;
}
