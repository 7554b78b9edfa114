/* A network's layers in floats, parallel over filters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "common/size.h"
#include "conv2d/featuremaps/network.h"
#include "conv2d/op/parallel.h"

static size_t plane_of(const struct layer *l)
{
    return (size_t)l->rows * (size_t)l->columns;
}

static size_t size_of(const struct layer *l)
{
    return hpc_mul((size_t)l->channels, plane_of(l));
}

/* The k-th smallest of n values, which are reordered (Hoare's selection). */
static float select_smallest(float *v, size_t n, size_t k)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, wanted = (ptrdiff_t)k;
    while (low < high) {
        const float pivot = v[low + (high - low) / 2];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j) {
                const float swap = v[i];
                v[i++] = v[j];
                v[j--] = swap;
            }
        }
        if (wanted > j && wanted < i) /* between the parts all are equal to the pivot */
            break;
        if (wanted <= j)
            high = j;
        else
            low = i;
    }
    return v[k];
}

/* max(v - q, 0) with a share `sparsity` of zeros; a plain ReLU where it is negative. */
static float *rectified(const float *raw, size_t n, double sparsity)
{
    float *map = hpc_malloc(n * sizeof *map + 1), q = 0;
    const size_t zeros = (size_t)(sparsity * (double)n + 0.5);
    if (sparsity >= 0 && zeros > 0) {
        memcpy(map, raw, n * sizeof *map);
        q = select_smallest(map, n, zeros - 1);
    } else if (sparsity >= 0) { /* no zeros: all above the least */
        q = raw[0];
        for (size_t i = 1; i < n; i++)
            q = raw[i] < q ? raw[i] : q;
        q = nextafterf(q, -INFINITY);
    }
    for (size_t i = 0; i < n; i++)
        map[i] = raw[i] > q ? raw[i] - q : 0;
    return map;
}

struct convolution {
    const struct layer *in, *out;
    const float *x;
    float *y;
    uint64_t seed, stream;
};

/* y[0..count) += w * x[0, stride, ..]. */
static void add_row(int count, int stride, float w, const float *restrict x, float *restrict y)
{
    if (stride == 1)
        for (int i = 0; i < count; i++)
            y[i] += w * x[i];
    else
        for (int i = 0; i < count; i++)
            y[i] += w * x[(size_t)i * (size_t)stride];
}

/* Add channel map x with one filter's R x R weights to plane y. */
static void add_map(const struct layer *in, const struct layer *out, const float *x, const float *w,
                    float *y)
{
    const int stride = out->stride;
    for (int tap = 0; tap < out->size * out->size; tap++) {
        const int up = tap / out->size - out->pad, left = tap % out->size - out->pad;
        const int first = left < 0 ? (-left + stride - 1) / stride : 0;
        int end = left < in->columns ? (in->columns - 1 - left) / stride + 1 : 0;
        end = end < out->columns ? end : out->columns;
        for (int row = 0; row < out->rows; row++) {
            const int i = row * stride + up;
            if (i < 0 || i >= in->rows || first >= end)
                continue;
            add_row(end - first, stride, w[tap],
                    x + (size_t)i * (size_t)in->columns + (size_t)(first * stride + left),
                    y + (size_t)row * (size_t)out->columns + (size_t)first);
        }
    }
}

/* Filter k: its weights are drawn here, from a stream of its own. */
static void one_filter(void *arg, int k)
{
    const struct convolution *c = arg;
    const int taps = c->out->size * c->out->size;
    const double deviation = sqrt(2.0 / ((double)c->in->channels * taps));
    float *y = c->y + (size_t)k * plane_of(c->out), *w = hpc_malloc((size_t)taps * sizeof *w);
    struct hpc_random random;
    hpc_random_init(&random, c->seed, c->stream << 32 | (uint64_t)k);
    for (int channel = 0; channel < c->in->channels; channel++) {
        for (int i = 0; i < taps; i++)
            w[i] = (float)(deviation * hpc_random_normal(&random));
        add_map(c->in, c->out, c->x + (size_t)channel * plane_of(c->in), w, y);
    }
    free(w);
}

static void max_pool(const struct layer *in, const struct layer *out, const float *x, float *y)
{
    for (int c = 0; c < out->channels; c++, x += plane_of(in))
        for (int row = 0; row < out->rows; row++)
            for (int column = 0; column < out->columns; column++) {
                float most = -INFINITY;
                for (int tap = 0; tap < out->size * out->size; tap++) {
                    const int i = row * out->stride + tap / out->size - out->pad;
                    const int j = column * out->stride + tap % out->size - out->pad;
                    if (i >= 0 && i < in->rows && j >= 0 && j < in->columns)
                        most = fmaxf(most, x[(size_t)i * (size_t)in->columns + (size_t)j]);
                }
                *y++ = most;
            }
}

/* The picture, each channel with mean 0 and variance 1. */
static void load(const struct layer *layer, const struct image *picture, float *y)
{
    struct image fit = image_fit(picture, layer->channels, layer->rows, layer->columns);
    const size_t plane = plane_of(layer);
    for (size_t c = 0; c < (size_t)layer->channels; c++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < plane; i++)
            sum += (double)fit.value[c * plane + i];
        for (size_t i = 0; i < plane; i++) {
            const double off = (double)fit.value[c * plane + i] - sum / (double)plane;
            squares += off * off;
        }
        const double deviation = sqrt(squares / (double)plane) + 1e-6;
        for (size_t i = 0; i < plane; i++)
            y[c * plane + i] =
                (float)(((double)fit.value[c * plane + i] - sum / (double)plane) / deviation);
    }
    image_free(&fit);
}

/* One layer's output from those before it; false when keep() says so. */
static bool run_layer(
    const struct network *net, int at, const struct image *picture, uint64_t seed, float **raw,
    bool (*keep)(void *, const struct network *, const struct layer *, const float *), void *arg)
{
    const struct layer *layer = &net->layer[at], *in = network_input(net, layer);
    float *y = raw[at] = hpc_calloc(size_of(layer), sizeof *y);
    bool good = true;
    if (layer->kind == LAYER_IMAGE)
        load(layer, picture, y);
    if (layer->kind == LAYER_MAX_POOL)
        max_pool(in, layer, raw[layer->from[0]], y);
    if (layer->kind == LAYER_JOIN)
        for (int i = 0; i < layer->n_from; i++) {
            const size_t size = size_of(&net->layer[layer->from[i]]);
            memcpy(y, raw[layer->from[i]], size * sizeof *y);
            y += size;
        }
    if (layer->kind == LAYER_CONVOLUTION) {
        float *x = rectified(raw[layer->from[0]], size_of(in), layer->sparsity);
        struct convolution c = {in, layer, x, y, seed, (uint64_t)at};
        good = layer->sparsity < 0 || keep(arg, net, layer, x);
        if (good)
            parallel_for(layer->channels, one_filter, &c);
        free(x);
    }
    return good;
}

/* The last layer whose convolution's input is kept: what follows is of no use. */
static int last_kept(const struct network *net)
{
    int last = 0;
    for (int i = 0; i < net->n; i++)
        if (net->layer[i].kind == LAYER_CONVOLUTION && net->layer[i].sparsity >= 0)
            last = i;
    return last;
}

bool network_run(const struct network *net, const struct image *picture, uint64_t seed,
                 bool (*keep)(void *arg, const struct network *net, const struct layer *layer,
                              const float *map),
                 void *arg)
{
    float *raw[NETWORK_MAX_LAYERS] = {NULL};
    const int last = last_kept(net);
    bool good = true;
    for (int i = 0; i <= last && good; i++)
        good = run_layer(net, i, picture, seed, raw, keep, arg);
    for (int i = 0; i < net->n; i++)
        free(raw[i]);
    return good;
}
