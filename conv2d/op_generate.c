/* The inputs of conv2d and convpool, drawn from (seed, call); the filters from the seed alone. */
#include <math.h>

#include "common/random.h"
#include "conv2d/half.h"
#include "conv2d/op.h"

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

static double draw(struct hpc_random *random, int values)
{
    const double v = hpc_random_normal(random);
    return values == CONV_POSITIVE ? fabs(v) : v;
}

static void generate_x(const struct conv_case *c, uint64_t seed, uint64_t call, void *x)
{
    const struct conv2d_problem *p = &c->p.conv;
    const size_t plane = (size_t)p->h * (size_t)p->w, channels = (size_t)p->c;
    const int most = p->type == CONV_F16 ? 3 : 12;
    struct hpc_random random;
    uint32_t word[4];
    hpc_random_init(&random, seed, (call + 1) << 8 | DRAW_X);
    for (size_t i = 0; i < conv2d_x_count(p); i++) {
        const size_t channel = p->layout == CONV_NCHW ? i / plane % channels : i % channels;
        double v = draw(&random, c->values);
        if (c->sparsity > 0 && hpc_random_double(&random) < c->sparsity)
            v = 0;
        if (c->values == CONV_SCALED) {
            hpc_philox(seed, (call + 1) << 8 | DRAW_SCALES, channel, word);
            v = ldexp(v, (int)(word[0] % (2 * (unsigned)most + 1)) - most);
        }
        conv_put(x, p->type, i, v);
    }
}

/* He's initialisation (2015): variance 2 / (C R S), so that outputs are of the inputs' size. */
static void generate_w(const struct conv_case *c, uint64_t seed, void *w)
{
    const struct conv2d_problem *p = &c->p.conv;
    const double deviation = sqrt(2.0 / ((double)p->c * p->r * p->s));
    struct hpc_random random;
    hpc_random_init(&random, seed, DRAW_W);
    for (size_t i = 0; i < conv2d_w_count(p); i++)
        conv_put(w, p->type, i, deviation * draw(&random, c->values));
}

void conv_generate(const void *problem, uint64_t seed, uint64_t call, void *const in[])
{
    if (in[CONV2D_X])
        generate_x(problem, seed, call, in[CONV2D_X]);
    if (in[CONV2D_W])
        generate_w(problem, seed, in[CONV2D_W]);
}
