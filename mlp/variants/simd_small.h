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
 * - the first layer. Its weights grow by rate D G[1] for the bias and rate D G[1] x_i for row i, so
 *   z[1] of the next sample x' is x' W_old + rate D G[1] (1 + x.x'); all but D is ready before.
 * - softmax's division and the row sums: z = b + (u W) / sum u, both at once.
 * - exp's range: the largest square of a sum is looked at when all samples are done; if it is too
 *   large, this net is thrown away and simd_wide.h starts from the same weights. */

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
    VEC raw;             /* o; before softmax's division; of tanh (1 - o) / 2 */
    VEC scale;           /* 1 / softmax's sum */
    VEC next;            /* of softmax: the next layer's sums without the bias */
    VEC o;               /* the outputs, lanes beyond the width 0 */
    VEC raw_each[LANES]; /* each of raw, in all lanes */
    VEC g;               /* G, the derivative of z_out by z */
    VEC g_each[LANES];   /* each of g, in all lanes */
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
    u->raw = z;
    if (activation == MLP_SIGMOID)
        u->raw = 1 / NAME(exp_plus)(z, -1, 1);
    else if (activation == MLP_TANH)
        u->raw = 1 / NAME(exp_plus)(z, 2, 1);
    else if (activation == MLP_RELU)
        u->raw = NAME(larger)(NAME(all)(0), z);
    u->o = u->raw;
    if (activation == MLP_SIGMOID)
        u->o = NAME(keep)(lanes, u->raw);
    else if (activation == MLP_TANH)
        u->o = 1 - 2 * u->raw;
}

/* J(activation)^T e; of softmax, dot is sum_j e_j o_j. */
INLINE VEC NAME(derive)(const LAYER *u, VEC e, VEC dot, int activation)
{
    switch (activation) {
    case MLP_SIGMOID:
        return e * (u->o - u->o * u->o);
    case MLP_TANH:
        return 4 * e * (u->raw - u->raw * u->raw);
    case MLP_RELU:
        return NAME(keep)(u->o > 0, e);
    case MLP_SOFTMAX:
        return u->o * (e - dot);
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
        return NAME(keep)(z > 0, y - z);
    case MLP_SOFTMAX: /* of one unit: always 1 */
        return o * 0;
    default:
        return y - o;
    }
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

INLINE int NAME(needs_exp)(int activation)
{
    return activation != MLP_RELU && activation != MLP_IDENTITY;
}

/* Layer l, from its sums z; returns the sums of layer l + 1, in all lanes if it is the output. */
INLINE VEC NAME(forward)(const struct mlp_problem *p, int l, const NET *w, LAYER *u, VEC z)
{
    const VEC *row = w->row[l + 1], *col = w->col[l + 1];
    int n = p->size[l], activation = p->activation[l];
    NAME(activate)(u, z, activation, n);
    if (l + 1 == p->n_layers - 1 && activation == MLP_TANH) /* sum w (1 - 2 raw) */
        return (row[0] + NAME(sum)(col[0], n)) + NAME(sum)(u->raw * (-2 * col[0]), n);
    if (l + 1 == p->n_layers - 1)
        return row[0] + NAME(sum)(u->o * col[0], n);
    VEC broadcast = activation == MLP_TANH ? u->o : u->raw;
    for (int i = 0; i < n; i++)
        u->raw_each[i] = NAME(each)(broadcast, i);
    if (activation != MLP_SOFTMAX)
        return NAME(combine)(row, u->raw_each, row + 1, n);
    VEC sums = NAME(combine)(NULL, u->raw_each, row + 1, n);
    u->next = sums * u->scale;
    return row[0] + sums * u->scale;
}

/* G of layer l from that of layer l + 1. Softmax's sum_i e_i o_i = sum_k G_k sum_i w_ik o_i needs
 * no e. */
INLINE void NAME(backward)(const struct mlp_problem *p, int l, const NET *w, LAYER *u)
{
    VEC e = w->col[l + 1][0], dot = {0};
    int softmax = p->activation[l] == MLP_SOFTMAX;
    if (l + 1 < p->n_layers - 1) {
        for (int k = 0; k < p->size[l + 1]; k++)
            u[l + 1].g_each[k] = NAME(each)(u[l + 1].g, k);
        e = NAME(combine)(NULL, u[l + 1].g_each, w->col[l + 1], p->size[l + 1]);
        if (softmax)
            dot = NAME(sum)(u[l + 1].g * u[l].next, p->size[l + 1]);
    } else if (softmax)
        dot = NAME(sum)(e * u[l].o, p->size[l]);
    u[l].g = NAME(derive)(&u[l], e, dot, p->activation[l]);
}

/* The matrix between layers l - 1 and l > 1, by step = rate * D. */
INLINE void NAME(update)(const struct mlp_problem *p, int l, NET *w, const LAYER *u, VEC step)
{
    VEC row_step = step * u[l].g, col_step = step * u[l - 1].o;
    if (l == p->n_layers - 1) {
        w->row[l][0] += step;
        w->col[l][0] += col_step;
        return;
    }
    w->row[l][0] += row_step;
    if (p->activation[l - 1] == MLP_SOFTMAX)
        row_step *= u[l - 1].scale;
    for (int i = 0; i < p->size[l - 1]; i++)
        w->row[l][1 + i] += row_step * u[l - 1].raw_each[i];
    for (int k = 0; k < p->size[l]; k++)
        w->col[l][k] += u[l].g_each[k] * col_step;
}

INLINE void NAME(move)(VEC *v, VEC *packed, int out)
{
    *(out ? packed : v) = *(out ? v : packed);
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
 * (or not a number), and *net unchanged. With constant p no loop over layers is left. */
INLINE int NAME(train_small)(const struct mlp_problem *p, VEC *net, const PASS *pass,
                             const int32_t *order, int count)
{
    int n = p->size[0], last = p->n_layers - 1;
    NET w;
    LAYER u[MLP_MAX_LAYERS];
    NAME(copy_small)(p, &w, net, 0);
    const REAL *x = pass->x + (size_t)order[0] * (size_t)n;
    VEC first_z = NAME(input_sum)(w.row[1], x, n);
    VEC largest = {0}; /* square of a sum that exp has seen */
    for (int i = 0; i < count; i++) {
        const REAL *next = pass->x + (size_t)order[i + 1 < count ? i + 1 : i] * (size_t)n;
        /* Rows come in any order: the hardware can't guess them, and L1 can't hold them all. */
        __builtin_prefetch(pass->x + (size_t)order[i + 8 < count ? i + 8 : i] * (size_t)n);
        VEC z = first_z;
        UNROLL
        for (int l = 1; l < last; l++) {
            if (NAME(needs_exp)(p->activation[l]))
                largest = NAME(larger)(largest, z * z);
            z = NAME(forward)(p, l, &w, &u[l], z);
        }
        UNROLL
        for (int l = last - 1; l > 0; l--)
            NAME(backward)(p, l, &w, u);
        REAL dot = 1;
        for (int j = 0; j < n; j++)
            dot += x[j] * next[j];
        VEC first_g = u[1].g * (pass->rate * dot);
        first_z = NAME(input_sum)(w.row[1], next, n);
        if (NAME(needs_exp)(p->activation[last]))
            largest = NAME(larger)(largest, z * z);
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
    for (int i = 0; i < LANES; i++)
        if (!(largest[i] <= (REAL)EXP_LIMIT * EXP_LIMIT / 4))
            return 1;
    NAME(copy_small)(p, &w, net, 1);
    return 0;
}
