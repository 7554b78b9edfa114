/* lanes.c's training of `group` vectors of lanes, for one level and type. Every number of a net is
 * a vector here, with a net of its own in each lane; the group's vectors of one number lie next to
 * each other: element i of vector g is at [i * group + g]. */
#define LANES (VECTOR_BYTES / (F64 ? 8 : 4))
#include "mlp/variants/simd_math.h"

#define SHARE struct NAME(share)
SHARE
{
    const REAL *x, *y;
    const int32_t *order; /* the epoch's */
    const int *first; /* where each lane's samples start in order; NULL: at 0, the same for all */
    int from, to;     /* the samples to take, counted from there */
    VEC *w;           /* [mlp_weights][group], changed */
    const VEC *rate;  /* [group] */
};

/* Scratch of a step: the inputs and targets of all lanes, and the units of all layers and their
 * deltas. Arrays of their own, so that those with constant indices can live in registers. */
#define SCRATCH struct NAME(scratch)
SCRATCH
{
    VEC *x, *y, *o, *d;
};

/* z_k = w_0k + sum_i in_i w_1+i,k */
INLINE void NAME(sums)(int n_in, int n_out, int group, const VEC *w, const VEC *in, VEC *z)
{
    UNROLL
    for (int k = 0; k < n_out; k++)
        for (int g = 0; g < group; g++) {
            VEC s = w[k * group + g];
            UNROLL
            for (int i = 0; i < n_in; i++)
                s += in[i * group + g] * w[((i + 1) * n_out + k) * group + g];
            z[k * group + g] = s;
        }
}

/* One vector's units o[k * group], k < n, from their sums in the same place. */
INLINE void NAME(activate)(int activation, int n, int group, VEC *o)
{
    VEC max = o[0], sum = {0};
    switch (activation) {
    case MLP_SIGMOID:
        UNROLL
        for (int k = 0; k < n; k++)
            o[k * group] = 1 / NAME(exp_plus)(NAME(clamp)(o[k * group], EXP_LIMIT), -1, 1);
        break;
    case MLP_TANH:
        UNROLL
        for (int k = 0; k < n; k++)
            o[k * group] = 1 - 2 / NAME(exp_plus)(NAME(clamp)(o[k * group], EXP_LIMIT / 2), 2, 1);
        break;
    case MLP_RELU:
        UNROLL
        for (int k = 0; k < n; k++)
            o[k * group] = NAME(larger)(NAME(all)(0), o[k * group]);
        break;
    case MLP_SOFTMAX:
        UNROLL
        for (int k = 1; k < n; k++)
            max = NAME(larger)(max, o[k * group]);
        UNROLL
        for (int k = 0; k < n; k++) {
            VEC z = NAME(larger)(NAME(all)(-EXP_LIMIT), o[k * group] - max);
            o[k * group] = NAME(exp_plus)(z, 1, 0);
            sum += o[k * group];
        }
        sum = 1 / sum;
        UNROLL
        for (int k = 0; k < n; k++)
            o[k * group] *= sum;
        break;
    default: /* MLP_IDENTITY */
        break;
    }
}

/* One vector's deltas from their errors in the same place. */
INLINE void NAME(derive)(int activation, int n, int group, const VEC *o, VEC *d)
{
    VEC sum = {0};
    if (activation == MLP_SOFTMAX)
        UNROLL
    for (int k = 0; k < n; k++)
        sum += d[k * group] * o[k * group];
    UNROLL
    for (int k = 0; k < n; k++) {
        VEC out = o[k * group];
        if (activation == MLP_SIGMOID)
            d[k * group] *= out - out * out;
        else if (activation == MLP_TANH)
            d[k * group] *= 1 - out * out;
        else if (activation == MLP_RELU)
            d[k * group] = NAME(keep)(out > 0, d[k * group]);
        else if (activation == MLP_SOFTMAX)
            d[k * group] = out * (d[k * group] - sum);
    }
}

/* The errors e of the layer below (unless NULL), and the update of the matrix between. */
INLINE void NAME(update)(int n_in, int n_out, int group, VEC *w, const VEC *in, const VEC *d,
                         const VEC *rate, VEC *e)
{
    for (int g = 0; g < group; g++)
        UNROLL
    for (int k = 0; k < n_out; k++)
        w[k * group + g] += rate[g] * d[k * group + g];
    UNROLL
    for (int i = 0; i < n_in; i++)
        for (int g = 0; g < group; g++) {
            VEC sum = {0}, step = rate[g] * in[i * group + g];
            UNROLL
            for (int k = 0; k < n_out; k++) {
                VEC *weight = &w[((i + 1) * n_out + k) * group + g];
                sum += d[k * group + g] * *weight;
                *weight += step * d[k * group + g];
            }
            if (e)
                e[i * group + g] = sum;
        }
}

/* The numbers of sample `step` in all lanes: `from` has n of them a sample. */
INLINE void NAME(gather)(const SHARE *e, int group, int step, const REAL *from, int n, VEC *to)
{
    if (!e->first) {
        const REAL *row = from + (size_t)e->order[step] * (size_t)n;
        for (int i = 0; i < n; i++)
            for (int g = 0; g < group; g++)
                to[i * group + g] = NAME(all)(row[i]);
        return;
    }
    for (int lane = 0; lane < group * LANES; lane++) {
        const REAL *row = from + (size_t)e->order[e->first[lane] + step] * (size_t)n;
        for (int i = 0; i < n; i++)
            ((REAL *)to)[i * group * LANES + lane] = row[i];
    }
}

INLINE void NAME(forward)(const struct mlp_problem *p, int l, int group, const SHARE *e,
                          const SCRATCH *s)
{
    VEC *z = s->o + mlp_unit(p, l) * group;
    const VEC *in = l == 1 ? s->x : s->o + mlp_unit(p, l - 1) * group;
    NAME(sums)(p->size[l - 1], p->size[l], group, e->w + (int)mlp_offset(p, l - 1) * group, in, z);
    for (int g = 0; g < group; g++)
        NAME(activate)(p->activation[l], p->size[l], group, z + g);
}

INLINE void NAME(backward)(const struct mlp_problem *p, int l, int group, const SHARE *e,
                           const VEC *rate, const SCRATCH *s)
{
    int at = mlp_unit(p, l) * group, below = mlp_unit(p, l - 1) * group;
    for (int g = 0; g < group; g++)
        NAME(derive)(p->activation[l], p->size[l], group, s->o + at + g, s->d + at + g);
    NAME(update)
    (p->size[l - 1], p->size[l], group, e->w + (int)mlp_offset(p, l - 1) * group,
     l == 1 ? s->x : s->o + below, s->d + at, rate, l > 1 ? s->d + below : NULL);
}

/* All updates of a share; `known`: p is a constant. */
INLINE void NAME(steps)(const struct mlp_problem *p, int known, int group, const SHARE *e,
                        const SCRATCH *s)
{
    int last = p->n_layers - 1, top = mlp_unit(p, last) * group;
    VEC rate[MAX_GROUP];
    memcpy(rate, e->rate, (size_t)group * sizeof *rate);
    for (int step = e->from; step < e->to; step++) {
        FORGET_WEIGHTS;
        NAME(gather)(e, group, step, e->x, p->size[0], s->x);
        NAME(gather)(e, group, step, e->y, p->size[last], s->y);
        if (known) {
            UNROLL
            for (int l = 1; l <= last; l++)
                NAME(forward)(p, l, group, e, s);
        } else
            for (int l = 1; l <= last; l++)
                NAME(forward)(p, l, group, e, s);
        for (int k = 0; k < p->size[last] * group; k++)
            s->d[top + k] = s->y[k] - s->o[top + k];
        FORGET_WEIGHTS;
        if (known) {
            UNROLL
            for (int l = last; l > 0; l--)
                NAME(backward)(p, l, group, e, rate, s);
        } else
            for (int l = last; l > 0; l--)
                NAME(backward)(p, l, group, e, rate, s);
    }
}

/* [Dong]'s net with every loop unrolled. */
CODE void NAME(train_paper)(int group, const SHARE *e)
{
    VEC x[MAX_GROUP * 4], y[MAX_GROUP], o[MAX_GROUP * 19], d[MAX_GROUP * 19];
    SCRATCH s = {x, y, o, d};
    if (group == 1)
        NAME(steps)(&paper, 1, 1, e, &s);
    else
        NAME(steps)(&paper, 1, 2, e, &s);
}

/* scratch: room for three times all units, in rows of group vectors. */
CODE void NAME(train)(const struct mlp_problem *p, int is_paper, int group, const struct share *e,
                      void *scratch)
{
    SHARE local = {e->x, e->y, e->order, e->first, e->from, e->to, e->w, e->rate};
    VEC *o = scratch, *d = o + mlp_unit(p, p->n_layers) * group;
    SCRATCH s = {o, d + mlp_unit(p, p->n_layers) * group, o, d};
    if (is_paper)
        NAME(train_paper)(group, &local);
    else
        NAME(steps)(p, 0, group, &local, &s);
}

/* Lane `lane` of element i of a group's array is number ((i * group) * LANES + lane). */
CODE void NAME(put)(const void *from, size_t n, int width, int lane, void *to)
{
    for (size_t i = 0; i < n; i++)
        ((REAL *)to)[i * (size_t)width + (size_t)lane] = ((const REAL *)from)[i];
}

CODE void NAME(get)(const void *from, size_t n, int width, int lane, void *to)
{
    for (size_t i = 0; i < n; i++)
        ((REAL *)to)[i] = ((const REAL *)from)[i * (size_t)width + (size_t)lane];
}

/* All of `lanes` numbers in each of n rows get their mean, added from the first on. Rows of the
 * groups are `stride` numbers apart. */
CODE void NAME(mean)(void *w, size_t n, int width, int lanes, size_t stride)
{
    for (size_t i = 0; i < n; i++) {
        REAL *row = (REAL *)w + i * (size_t)width;
        REAL sum = row[0];
        for (int lane = 1; lane < lanes; lane++)
            sum += row[(size_t)(lane / width) * stride + (size_t)(lane % width)];
        for (int lane = 0; lane < lanes; lane++)
            row[(size_t)(lane / width) * stride + (size_t)(lane % width)] = sum / (REAL)lanes;
    }
}

static const struct kernel NAME(kernel) = {LANES, NAME(train), NAME(put), NAME(get), NAME(mean)};
#undef SHARE
#undef SCRATCH
#include "mlp/variants/simd_end.h"
