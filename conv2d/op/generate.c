/* The inputs of conv2d and convpool, drawn from (seed, call); the filters from the seed alone.
 * "Normal" is the sum of three uniform numbers from (-1, 1): mean 0, variance 1, all bits of a
 * float's significand in use, and no logarithm; a batch of maps has millions. */
#include <math.h>

#include "common/random.h"
#include "conv2d/half.h"
#include "conv2d/op/op.h"

/* What is drawn; each has a stream of its own, (call + 1) << 8 | what; filters have call 0's. */
enum { DRAW_X = 1, DRAW_W, DRAW_SCALES };

double conv_element(const void *array, int type, size_t i)
{
    if (type == CONV_F16)
        return (double)half_to_float(((const uint16_t *)array)[i]);
    return (double)((const float *)array)[i];
}

void conv_put(void *array, int type, size_t i, double value)
{
    if (type == CONV_F16)
        ((uint16_t *)array)[i] = half_from_float((float)value);
    else
        ((float *)array)[i] = (float)value;
}

/* A chunk's words: three of a normal number, and whether sparsity makes it zero. */
enum { WORD_NORMAL = 3, WORD_ZERO = WORD_NORMAL, WORDS };

/* Chunk `index` of normal numbers. */
static void draw(float v[HPC_RANDOM_CHUNK], uint64_t seed, uint64_t stream, uint64_t index)
{
    uint32_t word[WORD_NORMAL][HPC_RANDOM_CHUNK];
    for (unsigned k = 0; k < WORD_NORMAL; k++)
        hpc_random_chunk(seed, stream, index * WORDS + k, word[k]);
    for (size_t i = 0; i < HPC_RANDOM_CHUNK; i++)
        v[i] =
            ((float)(int32_t)word[0][i] + (float)(int32_t)word[1][i] + (float)(int32_t)word[2][i]) *
            0x1p-31f;
}

static void make_sparse(float v[HPC_RANDOM_CHUNK], uint64_t seed, uint64_t stream, uint64_t index,
                        double sparsity)
{
    uint32_t word[HPC_RANDOM_CHUNK];
    hpc_random_chunk(seed, stream, index * WORDS + WORD_ZERO, word);
    for (size_t i = 0; i < HPC_RANDOM_CHUNK; i++)
        v[i] = (double)word[i] * 0x1p-32 < sparsity ? 0 : v[i];
}

/* n elements from v to `array`, from its element `begin` on, times `factor`. */
static void put(const struct conv_case *c, void *array, size_t begin, size_t n, const float *v,
                double factor)
{
    for (size_t i = 0; i < n; i++) {
        const double value = c->values == CONV_POSITIVE ? fabs((double)v[i]) : (double)v[i];
        conv_put(array, c->p.conv.type, begin + i, factor * value);
    }
}

/* How many elements of n are in the chunk from `begin` on. */
static size_t chunk_count(size_t n, size_t begin)
{
    return n - begin < HPC_RANDOM_CHUNK ? n - begin : HPC_RANDOM_CHUNK;
}

/* Each channel times a power of two of its own. */
static void scale(const struct conv_case *c, uint64_t seed, uint64_t call, void *x)
{
    const struct conv2d_problem *p = &c->p.conv;
    const size_t plane = (size_t)p->h * (size_t)p->w, channels = (size_t)p->c;
    const int most = p->type == CONV_F16 ? 3 : 12;
    uint32_t word[4];
    for (size_t i = 0; i < conv2d_x_count(p); i++) {
        const size_t channel = p->layout == CONV_NCHW ? i / plane % channels : i % channels;
        hpc_philox(seed, (call + 1) << 8 | DRAW_SCALES, channel, word);
        const int power = (int)(word[0] % (2 * (unsigned)most + 1)) - most;
        conv_put(x, p->type, i, ldexp(conv_element(x, p->type, i), power));
    }
}

static void generate_x(const struct conv_case *c, uint64_t seed, uint64_t call, void *x)
{
    const uint64_t stream = (call + 1) << 8 | DRAW_X;
    const size_t n = conv2d_x_count(&c->p.conv);
    for (size_t begin = 0; begin < n; begin += HPC_RANDOM_CHUNK) {
        float v[HPC_RANDOM_CHUNK];
        draw(v, seed, stream, begin / HPC_RANDOM_CHUNK);
        if (c->sparsity > 0)
            make_sparse(v, seed, stream, begin / HPC_RANDOM_CHUNK, c->sparsity);
        put(c, x, begin, chunk_count(n, begin), v, 1);
    }
    if (c->values == CONV_SCALED)
        scale(c, seed, call, x);
}

/* He's initialisation (2015): variance 2 / (C R S), so that outputs are of the inputs' size. */
static void generate_w(const struct conv_case *c, uint64_t seed, void *w)
{
    const struct conv2d_problem *p = &c->p.conv;
    const double deviation = sqrt(2.0 / ((double)p->c * p->r * p->s));
    const size_t n = conv2d_w_count(p);
    for (size_t begin = 0; begin < n; begin += HPC_RANDOM_CHUNK) {
        float v[HPC_RANDOM_CHUNK];
        draw(v, seed, DRAW_W, begin / HPC_RANDOM_CHUNK);
        put(c, w, begin, chunk_count(n, begin), v, deviation);
    }
}

void conv_generate(const void *problem, uint64_t seed, uint64_t call, void *const in[])
{
    if (in[CONV2D_X])
        generate_x(problem, seed, call, in[CONV2D_X]);
    if (in[CONV2D_W])
        generate_w(problem, seed, in[CONV2D_W]);
}
