/* Nets with one output and at most LANES units in every layer, with all weights in registers (or
 * one load away), for one level and type: part of simd_body.h.
 *
 * A layer's units are the lanes of one vector. Row i of a matrix meets output i of the layer below
 * (one broadcast and one FMA a row, no sum across lanes); column k meets delta k on the way back.
 * So matrices between hidden layers are kept twice, as rows and as columns, and updated twice.
 *
 * The chain from one update to the next is all that counts: 4 cycles an FMA, 13 a division, 4 a
 * broadcast. What was taken off it:
 * - the backward pass. The net has one output, so -dE/dz[l] = D * G[l], with D = -dE/dz of the
 *   output unit and G[l] = dz_out/dz[l]. G does not depend on the target or on the output: it is
 *   computed while the output's sum and sigmoid are.
 * - the first layer. With weights updated by c D G[1] (x), z[1] of the next sample x' is
 *   x' W_old + rate D G[1] (1 + x.x'), and x' W_old and x.x' are ready before D is.
 * - softmax's division and the row sums: z = b + (u W) / sum u, both at once.
 * - comparing z with exp's range: `out` collects it, and train() is told afterwards; with `clamp`
 *   the range is respected, more slowly. */

/* Weights of one net, lanes beyond a layer's width 0. row[l][0] is the bias. Of the matrix to the
 * output only row[l][0], in every lane, and col[l][0] are there; of the first only rows. */
#define NET   struct NAME(small)
#define LAYER struct NAME(layer)
NET
{
    VEC row[MLP_MAX_LAYERS][LANES + 1];
    VEC col[MLP_MAX_LAYERS][LANES];
};

/* One layer during an update. */
LAYER
{
    VEC raw;           /* o, before softmax's division */
    VEC scale;         /* 1 / softmax's sum */
    VEC o;             /* the outputs, lanes beyond the width 0 */
    VEC o_each[LANES]; /* each output, in all lanes */
    VEC g;             /* G, the derivative of z_out by z */
    VEC g_each[LANES];
};

#define PICK(v, a, b, c, d, e, f, g, h) __builtin_shufflevector(v, v, a, b, c, d, e, f, g, h)
#define PICK_ALL(v, i)                  PICK(v, i, i, i, i, i, i, i, i)

/* Lane i in all lanes: one instruction where i is known. */
INLINE VEC NAME(each)(VEC v, int i)
{
    switch (i) {
    case 0:
        return PICK_ALL(v, 0);
    case 1:
        return PICK_ALL(v, 1);
    case 2:
        return PICK_ALL(v, 2);
    case 3:
        return PICK_ALL(v, 3);
    case 4:
        return PICK_ALL(v, 4);
    case 5:
        return PICK_ALL(v, 5);
    case 6:
        return PICK_ALL(v, 6);
    default:
        return PICK_ALL(v, 7);
    }
}

/* The sum of the first n lanes, in all lanes; for n > 4 the lanes beyond n have to be 0. */
INLINE VEC NAME(sum)(VEC v, int n)
{
    if (n < 4)
        v = NAME(keep)(NAME(first_lanes)(n), v);
    VEC s = PICK(v, 0, 1, 0, 1, 0, 1, 0, 1) + PICK(v, 2, 3, 2, 3, 2, 3, 2, 3);
    if (n > 6)
        s += PICK(v, 4, 5, 4, 5, 4, 5, 4, 5) + PICK(v, 6, 7, 6, 7, 6, 7, 6, 7);
    else if (n > 4)
        s += PICK(v, 4, 5, 4, 5, 4, 5, 4, 5);
    return s + PICK(s, 1, 0, 3, 2, 5, 4, 7, 6);
}

/* first (unless NULL) + sum_i each[i] * row[i], in three chains; n >= 1. */
INLINE VEC NAME(combine)(const VEC *first, const VEC *each, const VEC *row, int n)
{
    VEC chain[3] = {0};
    for (int i = 0; i < n; i++) {
        if (i < 3)
            chain[i] = i == 0 && first ? *first + each[i] * row[i] : each[i] * row[i];
        else
            chain[i % 3] += each[i] * row[i];
    }
    return n > 2 ? chain[0] + (chain[1] + chain[2]) : n > 1 ? chain[0] + chain[1] : chain[0];
}

/* The outputs of a hidden layer from its sums z. */
INLINE void NAME(activate)(LAYER *u, VEC z, int activation, int n)
{
    MASK lanes = NAME(first_lanes)(n);
    if (activation == MLP_SOFTMAX) {
        u->raw = NAME(exp_plus)(z, 1, 0);
        if (n > 4)
            u->raw = NAME(keep)(lanes, u->raw);
        u->scale = 1 / NAME(sum)(u->raw, n);
        u->o = NAME(keep)(lanes, u->raw * u->scale);
        return;
    }
    if (activation == MLP_SIGMOID)
        u->raw = 1 / NAME(exp_plus)(z, -1, 1);
    else if (activation == MLP_TANH)
        u->raw = 1 - 2 / NAME(exp_plus)(z, 2, 1);
    else if (activation == MLP_RELU)
        u->raw = NAME(keep)(z > 0, z);
    else
        u->raw = z;
    u->o = activation == MLP_SIGMOID ? NAME(keep)(lanes, u->raw) : u->raw;
}

/* J(activation)^T e. */
INLINE VEC NAME(derive)(const LAYER *u, VEC e, int activation, int n)
{
    switch (activation) {
    case MLP_SIGMOID:
        return e * (u->o - u->o * u->o);
    case MLP_TANH:
        return e * (1 - u->o * u->o);
    case MLP_RELU:
        return NAME(keep)(u->o > 0, e);
    case MLP_SOFTMAX:
        return u->o * (e - NAME(sum)(e * u->o, n));
    default:
        return e;
    }
}

/* D of the output unit, -dE/dz, from its sum and its target. */
INLINE VEC NAME(output_delta)(VEC z, REAL y, int activation)
{
    VEC o = z;
    switch (activation) {
    case MLP_SIGMOID:
        o = 1 / NAME(exp_plus)(z, -1, 1);
        return (y - o) * (o - o * o);
    case MLP_TANH:
        o = 1 - 2 / NAME(exp_plus)(z, 2, 1);
        return (y - o) * (1 - o * o);
    case MLP_RELU:
        return NAME(keep)(z > 0, y - o);
    case MLP_SOFTMAX: /* of one unit: always 1 */
        return o * 0;
    default:
        return y - o;
    }
}

/* Lanes that are out of exp's range, where the activation needs exp. */
INLINE MASK NAME(outside)(VEC z, int activation)
{
    if (activation == MLP_RELU || activation == MLP_IDENTITY)
        return (MASK){0};
    return z * z > (REAL)EXP_LIMIT * EXP_LIMIT / 4;
}

/* row[0] + sum_i x[i] * row[1 + i] */
INLINE VEC NAME(input_sum)(const VEC *row, const REAL *x, int n)
{
    VEC a = row[0], b = NAME(all)(0);
    for (int i = 0; i < n; i++)
        if (i % 2 == 0)
            a += x[i] * row[1 + i];
        else
            b += x[i] * row[1 + i];
    return a + b;
}

/* Layer l, from its sums z; returns the sums of layer l + 1, unless that is the output. */
INLINE VEC NAME(forward)(const struct mlp_problem *p, int l, const NET *w, LAYER *u, VEC z)
{
    int n = p->size[l], softmax = p->activation[l] == MLP_SOFTMAX;
    NAME(activate)(u, z, p->activation[l], n);
    for (int i = 0; i < n; i++)
        u->o_each[i] = NAME(each)(u->raw, i);
    if (l + 1 < p->n_layers - 1) {
        const VEC *row = w->row[l + 1];
        z = NAME(combine)(softmax ? NULL : row, u->o_each, row + 1, n);
        if (softmax)
            z = row[0] + z * u->scale;
    }
    if (softmax)
        for (int i = 0; i < n; i++)
            u->o_each[i] *= u->scale;
    return z;
}

/* G of layer l from that of layer l + 1. */
INLINE void NAME(backward)(const struct mlp_problem *p, int l, const NET *w, LAYER *u)
{
    VEC e = w->col[l + 1][0];
    if (l + 1 < p->n_layers - 1) {
        for (int k = 0; k < p->size[l + 1]; k++)
            u[l + 1].g_each[k] = NAME(each)(u[l + 1].g, k);
        e = NAME(combine)(NULL, u[l + 1].g_each, w->col[l + 1], p->size[l + 1]);
    }
    u[l].g = NAME(derive)(&u[l], e, p->activation[l], p->size[l]);
}

/* The matrix between layers l - 1 and l > 1, by step = rate * D. */
INLINE void NAME(update)(const struct mlp_problem *p, int l, NET *w, const LAYER *u, VEC step)
{
    if (l == p->n_layers - 1) {
        w->row[l][0] += step;
        w->col[l][0] += step * u[l - 1].o;
        return;
    }
    w->row[l][0] += step * u[l].g;
    for (int i = 0; i < p->size[l - 1]; i++)
        w->row[l][1 + i] += step * (u[l].g * u[l - 1].o_each[i]);
    for (int k = 0; k < p->size[l]; k++)
        w->col[l][k] += step * (u[l].g_each[k] * u[l - 1].o);
}

INLINE void NAME(move)(VEC *v, VEC *packed, int out)
{
    if (out)
        *packed = *v;
    else
        *v = *packed;
}

/* All vectors that a net has, between w and an array without gaps; their number. */
INLINE size_t NAME(copy_small)(const struct mlp_problem *p, NET *w, VEC *packed, int out)
{
    size_t at = 0;
    int last = p->n_layers - 1;
    UNROLL
    for (int l = 1; l <= last; l++) {
        for (int i = 0; i < (l == last ? 1 : p->size[l - 1] + 1); i++)
            NAME(move)(&w->row[l][i], packed + at++, out);
        for (int k = 0; k < (l > 1 ? p->size[l] : 0); k++)
            NAME(move)(&w->col[l][k], packed + at++, out);
    }
    return at;
}

/* Train on samples order[0 .. count), count > 0. Returns 0, or 1 when a sum was out of exp's range
 * and not clamped, so that *net is to be thrown away. With constant p no loop over layers is left.
 */
INLINE int NAME(train_small)(const struct mlp_problem *p, VEC *net, const PASS *pass,
                             const int32_t *order, int count)
{
    int n = p->size[0], last = p->n_layers - 1;
    NET w;
    LAYER u[MLP_MAX_LAYERS];
    NAME(copy_small)(p, &w, net, 0);
    const REAL *x = pass->x + (size_t)order[0] * (size_t)n;
    VEC first_z = NAME(input_sum)(w.row[1], x, n);
    MASK outside = {0};
    for (int i = 0; i < count; i++) {
        const REAL *next = pass->x + (size_t)order[i + 1 < count ? i + 1 : i] * (size_t)n;
        VEC z = first_z;
        UNROLL
        for (int l = 1; l < last; l++) {
            outside |= NAME(outside)(z, p->activation[l]);
            z = NAME(forward)(p, l, &w, &u[l], z);
        }
        z = w.row[last][0] + NAME(sum)(u[last - 1].o * w.col[last][0], p->size[last - 1]);
        UNROLL
        for (int l = last - 1; l > 0; l--)
            NAME(backward)(p, l, &w, u);
        REAL dot = 1;
        for (int j = 0; j < n; j++)
            dot += x[j] * next[j];
        VEC first_g = u[1].g * (pass->rate * dot);
        first_z = NAME(input_sum)(w.row[1], next, n);
        outside |= NAME(outside)(z, p->activation[last]);
        VEC delta = NAME(output_delta)(z, pass->y[order[i]], p->activation[last]);
        first_z += delta * first_g;
        VEC step = pass->rate * delta;
        UNROLL
        for (int l = 2; l <= last; l++)
            NAME(update)(p, l, &w, u, step);
        VEC step_g = step * u[1].g;
        w.row[1][0] += step_g;
        for (int j = 0; j < n; j++)
            w.row[1][1 + j] += x[j] * step_g;
        x = next;
    }
    int any = 0;
    for (int i = 0; i < LANES; i++)
        any |= outside[i] != 0;
    if (!any)
        NAME(copy_small)(p, &w, net, 1);
    return any;
}
