/* Nets of any shape, for one level and type: part of simd_body.h. Rows of a matrix are padded with
 * zeros to whole vectors. Forward: four vectors of sums stay in registers while the rows below them
 * go by. Backward: one visit to each row, for its error and its update. */

/* The first layer's padded width in vectors. */
INLINE int NAME(blocks)(int n)
{
    return (n + LANES - 1) / LANES;
}

/* Vectors of the padded matrices below layer l. */
INLINE size_t NAME(wide_offset)(const struct mlp_problem *p, int l)
{
    size_t sum = 0;
    for (int i = 0; i < l; i++)
        sum += ((size_t)p->size[i] + 1) * (size_t)NAME(blocks)(p->size[i + 1]);
    return sum;
}

/* Vectors of the padded layers below layer l. */
INLINE size_t NAME(wide_unit)(const struct mlp_problem *p, int l)
{
    size_t sum = 0;
    for (int i = 0; i < l; i++)
        sum += (size_t)NAME(blocks)(p->size[i]);
    return sum;
}

INLINE REAL NAME(total)(VEC v)
{
    REAL sum = v[0];
    for (int i = 1; i < LANES; i++)
        sum += v[i];
    return sum;
}

/* z[n_blocks] = row 0 + sum_i o[i] * row 1 + i */
CODE void NAME(wide_sums)(const VEC *w, const REAL *o, int n_in, int n_blocks, VEC *z)
{
    int b = 0;
    for (; b + 4 <= n_blocks; b += 4) {
        const VEC *row = w + b;
        VEC s0 = row[0], s1 = row[1], s2 = row[2], s3 = row[3];
        for (int i = 0; i < n_in; i++) {
            row += n_blocks;
            s0 += o[i] * row[0];
            s1 += o[i] * row[1];
            s2 += o[i] * row[2];
            s3 += o[i] * row[3];
        }
        z[b] = s0;
        z[b + 1] = s1;
        z[b + 2] = s2;
        z[b + 3] = s3;
    }
    for (; b < n_blocks; b++) {
        VEC s = w[b];
        for (int i = 0; i < n_in; i++)
            s += o[i] * w[(size_t)(i + 1) * (size_t)n_blocks + (size_t)b];
        z[b] = s;
    }
}

CODE void NAME(wide_softmax)(VEC *o, int n)
{
    const REAL *z = (const REAL *)o;
    REAL max = z[0];
    for (int i = 1; i < n; i++)
        max = z[i] > max ? z[i] : max;
    VEC sum = {0};
    for (int b = 0; b < NAME(blocks)(n); b++) {
        VEC e = NAME(exp_plus)(NAME(clamp)(o[b] - max, EXP_LIMIT), 1, 0);
        o[b] = NAME(keep)(NAME(first_lanes)(n - b * LANES), e);
        sum += o[b];
    }
    REAL total = NAME(total)(sum);
    for (int b = 0; b < NAME(blocks)(n); b++)
        o[b] /= total;
}

/* o holds z and becomes activation(z), padding 0. */
CODE void NAME(wide_activate)(VEC *o, int activation, int n)
{
    if (activation == MLP_SOFTMAX) {
        NAME(wide_softmax)(o, n);
        return;
    }
    for (int b = 0; b < NAME(blocks)(n); b++) {
        VEC z = NAME(clamp)(o[b], EXP_LIMIT / 2);
        if (activation == MLP_SIGMOID)
            o[b] = NAME(keep)(NAME(first_lanes)(n - b * LANES), 1 / NAME(exp_plus)(z, -1, 1));
        else if (activation == MLP_TANH)
            o[b] = 1 - 2 / NAME(exp_plus)(z, 2, 1);
        else if (activation == MLP_RELU)
            o[b] = NAME(keep)(o[b] > 0, o[b]);
    }
}

/* d holds e = -dE/do and becomes -dE/dz. */
CODE void NAME(wide_derive)(VEC *d, const VEC *o, int activation, int n)
{
    REAL dot = 0;
    if (activation == MLP_SOFTMAX)
        for (int b = 0; b < NAME(blocks)(n); b++)
            dot += NAME(total)(d[b] * o[b]);
    for (int b = 0; b < NAME(blocks)(n); b++) {
        if (activation == MLP_SIGMOID)
            d[b] = d[b] * (o[b] - o[b] * o[b]);
        else if (activation == MLP_TANH)
            d[b] = d[b] * (1 - o[b] * o[b]);
        else if (activation == MLP_RELU)
            d[b] = NAME(keep)(o[b] > 0, d[b]);
        else if (activation == MLP_SOFTMAX)
            d[b] = o[b] * (d[b] - dot);
    }
}

/* One matrix, from the deltas above it: the errors e of the units below (unless NULL), then w. */
CODE void NAME(wide_update)(VEC *w, const REAL *o, int n_in, int n_blocks, const VEC *d, REAL *e,
                            REAL rate)
{
    for (int b = 0; b < n_blocks; b++)
        w[b] += rate * d[b];
    for (int i = 0; i < n_in; i++) {
        VEC sum = {0};
        REAL step = rate * o[i];
        w += n_blocks;
        for (int b = 0; b < n_blocks; b++) {
            sum += d[b] * w[b];
            w[b] += step * d[b];
        }
        if (e)
            e[i] = NAME(total)(sum);
    }
}

/* Train on samples order[0 .. count). units: room for two times all layers, zero in the padding. */
CODE void NAME(train_wide)(const struct mlp_problem *p, VEC *w, VEC *units, const PASS *pass,
                           const int32_t *order, int count)
{
    int last = p->n_layers - 1, n_y = p->size[last];
    VEC *all_o = units, *all_d = units + NAME(wide_unit)(p, p->n_layers);
    for (int s = 0; s < count; s++) {
        const REAL *x = pass->x + (size_t)order[s] * (size_t)p->size[0];
        const REAL *y = pass->y + (size_t)order[s] * (size_t)n_y;
        const REAL *in = x;
        for (int l = 1; l <= last; l++) {
            VEC *o = all_o + NAME(wide_unit)(p, l);
            NAME(wide_sums)
            (w + NAME(wide_offset)(p, l - 1), in, p->size[l - 1], NAME(blocks)(p->size[l]), o);
            NAME(wide_activate)(o, p->activation[l], p->size[l]);
            in = (const REAL *)o;
        }
        REAL *d = (REAL *)(all_d + NAME(wide_unit)(p, last));
        for (int k = 0; k < n_y; k++)
            d[k] = y[k] - in[k];
        for (int l = last; l > 0; l--) {
            VEC *delta = all_d + NAME(wide_unit)(p, l);
            const VEC *below = all_o + NAME(wide_unit)(p, l - 1);
            NAME(wide_derive)(delta, all_o + NAME(wide_unit)(p, l), p->activation[l], p->size[l]);
            NAME(wide_update)
            (w + NAME(wide_offset)(p, l - 1), l > 1 ? (const REAL *)below : x, p->size[l - 1],
             NAME(blocks)(p->size[l]), delta,
             l > 1 ? (REAL *)(all_d + NAME(wide_unit)(p, l - 1)) : NULL, pass->rate);
        }
    }
}

/* Between the weights as they are given and the padded net, whose padding is 0. */
CODE void NAME(load_wide)(const struct mlp_problem *p, const REAL *w, VEC *net)
{
    for (int l = 1; l < p->n_layers; l++)
        for (int i = 0; i < p->size[l - 1] + 1; i++) {
            net[NAME(blocks)(p->size[l]) - 1] = (VEC){0};
            memcpy(net, w, (size_t)p->size[l] * sizeof *w);
            w += p->size[l];
            net += NAME(blocks)(p->size[l]);
        }
}

CODE void NAME(store_wide)(const struct mlp_problem *p, const VEC *net, REAL *w)
{
    for (int l = 1; l < p->n_layers; l++)
        for (int i = 0; i < p->size[l - 1] + 1; i++) {
            memcpy(w, net, (size_t)p->size[l] * sizeof *w);
            w += p->size[l];
            net += NAME(blocks)(p->size[l]);
        }
}
