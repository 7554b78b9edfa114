/* near_kernel.h on the CPU device, for tests/cli/conv2d_near.sh: some plans of each problem,
 * without clusters, against sums in double; a line for each problem. A GPU without Hopper's
 * instructions runs the same code. */
#include "conv2d/variants/near.h"

#include <math.h>
#include <vector>

enum special { PLAIN, NOT_FINITE };

struct given {
    conv2d_problem p;
    int halves, chunk; /* groups of channels at a time; 0: as the plan has it */
    special values;
};

static float noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(int)*seed * 0x1p-31f;
}

struct sums {
    double sum, most;
};

static sums sums_of(const conv2d_problem &p, const float *x, const float *w, int n, int k, int row,
                    int column)
{
    sums s = {0, 0};
    for (int i = 0; i < p.c * p.r * p.s; i++) {
        const int c = i / (p.r * p.s), r = i / p.s % p.r, t = i % p.s;
        const int h = row * p.stride + r - p.pad, v = column * p.stride + t - p.pad;
        if (h < 0 || v < 0 || h >= p.h || v >= p.w)
            continue;
        const double q = (double)x[conv2d_x_at(&p, n, c, h, v)] * w[conv2d_w_at(&p, k, c, r, t)];
        s.sum += q;
        s.most += fabs(q);
    }
    return s;
}

/* The largest |error| / sum |x||w|; 1 where infinity or NaN is not where double has it. */
static double worst_of(const conv2d_problem &p, const float *x, const float *w, const float *y)
{
    double worst = 0;
    const int rows = conv2d_rows(&p), columns = conv2d_columns(&p);
    for (int i = 0; i < p.n * p.k * rows * columns; i++) {
        const int n = i / (p.k * rows * columns), k = i / (rows * columns) % p.k;
        const int row = i / columns % rows, column = i % columns;
        const sums want = sums_of(p, x, w, n, k, row, column);
        const float got = y[conv2d_y_at(&p, n, k, row, column)];
        const bool same = isnan(want.sum) ? isnan(got) : got == want.sum;
        double off = fabs(got - want.sum) / (want.most > 0 ? want.most : 1);
        if (!isfinite(want.sum) || !isfinite(got))
            off = same ? 0 : 1;
        worst = fmax(worst, off);
    }
    return worst;
}

template <int HALVES>
static double run_plan(const given &g, const split_plan &plan, const float *x, const float *w,
                       float *y)
{
    const size_t ny = conv2d_y_count(&g.p) * 4;
    float *d_x = (float *)gpu_copy(x, conv2d_x_count(&g.p) * 4);
    float *d_w = (float *)gpu_copy(w, conv2d_w_count(&g.p) * 4), *d_y = (float *)gpu_copy(y, ny);
    near<HALVES> d = near<HALVES>();
    d.job.p = g.p;
    d.job.plan = plan;
    if (g.chunk)
        d.job.plan.chunk = g.chunk;
    d.set_plan();
    d.prepare(d.job.memory.all);
    d.open_weights(w);
    CUDA(cudaMemset(d_y, 0xff, ny));
    d.run(d_x, d_w, d_y);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(y, d_y, ny, cudaMemcpyDeviceToHost));
    d.close();
    for (float *v : {d_x, d_w, d_y})
        CUDA(cudaFree(v));
    return worst_of(g.p, x, w, y);
}

static bool right(const given &g, int number)
{
    const struct split_gpu gpu = {8, 232448, g.halves, false, false};
    std::vector<float> x(conv2d_x_count(&g.p)), w(conv2d_w_count(&g.p)), y(conv2d_y_count(&g.p));
    unsigned seed = 1;
    int tried = 0, found = 0;
    double worst = 0;
    for (float &v : x)
        v = noise(&seed);
    for (float &v : w)
        v = noise(&seed);
    if (g.values == NOT_FINITE) {
        x[x.size() / 2] = INFINITY;
        x[x.size() / 3] = NAN;
        w[5] = __int_as_float(0x7fffffff); /* CUDA's NaN */
        w[w.size() - 7] = -INFINITY;
    }
    for (int i = 0; i < NEAR_PLANS; i++) {
        split_plan s = split_plan();
        if (!near_plan_at(&g.p, &gpu, i, &s) || s.mt * s.nt != 4 || found++ % 101 != number)
            continue; /* the one size that the CPU device compiles */
        const double e = g.halves == 2 ? run_plan<2>(g, s, x.data(), w.data(), y.data())
                                       : run_plan<1>(g, s, x.data(), w.data(), y.data());
        worst = fmax(worst, e);
        tried++;
    }
    const bool good = tried >= 1 && worst < (g.halves == 2 ? 3e-7 : 6e-4);
    printf("%s %d plans, largest error %.1e\n", good ? "right" : "WRONG", tried, worst);
    return good;
}

int main()
{
    static const given all[] = {
        {{1, 20, 9, 9, 50, 5, 5, 1, 0, CONV_NCHW, CONV_F32}, 2, 0, PLAIN},
        {{1, 40, 7, 7, 33, 1, 1, 1, 0, CONV_NCHW, CONV_F32}, 2, 1, PLAIN},
        {{2, 48, 7, 6, 16, 3, 3, 2, 1, CONV_NHWC, CONV_F32}, 2, 2, PLAIN},
        {{2, 36, 7, 6, 16, 3, 3, 2, 1, CONV_NHWC, CONV_F32}, 2, 0, NOT_FINITE},
        {{1, 35, 13, 10, 20, 3, 3, 3, 1, CONV_NHWC, CONV_TF32}, 1, 0, PLAIN},
        {{1, 64, 11, 11, 20, 3, 3, 3, 1, CONV_NCHW, CONV_F32}, 2, 1, PLAIN},
    };
    int wrong = 0, number = 0;
    for (const given &g : all)
        wrong += !right(g, 3 + 7 * number++);
    return wrong != 0;
}
