/* simd.c's training of one replica, for one level and type. A net is an array of vectors, laid out
 * by load(); its mean over replicas is the mean of each number. */
#define LANES 8
#include "mlp/variants/simd_math.h"

#define PASS struct NAME(pass)
PASS
{
    const REAL *x, *y;
    REAL rate;
};

#include "mlp/variants/simd_small.h"
#include "mlp/variants/simd_wide.h"

/* Row and column of the small net's matrix to layer l that hold weight (i, k); i = 0: bias. */
CODE void NAME(place_small)(const struct mlp_problem *p, NET *s, REAL *w, int out)
{
    int last = p->n_layers - 1;
    for (int l = 1; l <= last; l++)
        for (int i = 0; i < p->size[l - 1] + 1; i++)
            for (int k = 0; k < p->size[l]; k++, w++) {
                if (out)
                    *w = l == last && i > 0 ? s->col[l][0][i - 1] : s->row[l][i][k];
                else if (l == last && i == 0)
                    s->row[l][0] = NAME(all)(*w);
                else {
                    s->row[l][i][k] = *w;
                    if (i > 0)
                        s->col[l][k][i - 1] = *w;
                }
            }
}

CODE void NAME(load_small)(const REAL *w, VEC *net)
{
    NET s = {0};
    NAME(place_small)(&paper, &s, (REAL *)w, 0);
    NAME(copy_small)(&paper, &s, net, 1);
}

CODE void NAME(store_small)(VEC *net, REAL *w)
{
    NET s = {0};
    NAME(copy_small)(&paper, &s, net, 0);
    NAME(place_small)(&paper, &s, w, 1);
}

CODE void NAME(load_net)(const struct mlp_problem *p, int small, const void *w, void *net)
{
    if (small)
        NAME(load_small)(w, net);
    else
        NAME(load_wide)(p, w, net);
}

CODE void NAME(store_net)(const struct mlp_problem *p, int small, void *net, void *w)
{
    if (small)
        NAME(store_small)(net, w);
    else
        NAME(store_wide)(p, net, w);
}

CODE size_t NAME(net_vectors)(const struct mlp_problem *p, int small)
{
    NET none = {0};
    VEC packed[MLP_MAX_LAYERS * (2 * LANES + 1)];
    return small ? NAME(copy_small)(&paper, &none, packed, 1)
                 : NAME(wide_offset)(p, p->n_layers - 1);
}

CODE size_t NAME(net_bytes)(const struct mlp_problem *p, int small)
{
    return NAME(net_vectors)(p, small) * sizeof(VEC);
}

/* Units of all layers and their deltas; for a small net also room for it as a wide one and as it
 * was given. */
CODE size_t NAME(scratch_bytes)(const struct mlp_problem *p, int small)
{
    size_t vectors = 2 * NAME(wide_unit)(p, p->n_layers);
    if (small)
        vectors += 2 * NAME(net_vectors)(p, 0);
    return vectors * sizeof(VEC);
}

/* Train the small net by straight-line code: with `paper` a constant no loop over layers is left.
 * Samples that take a sum out of exp's range are the wide net's business, which knows all. */
CODE void NAME(train)(const struct mlp_problem *p, int small, void *net, void *scratch,
                      const void *const in[], const void *rate, const int32_t *order, int count)
{
    PASS pass = {in[MLP_X], in[MLP_Y], *(const REAL *)rate};
    if (small && NAME(train_small)(&paper, net, &pass, order, count)) {
        VEC *wide = (VEC *)scratch + 2 * NAME(wide_unit)(p, p->n_layers);
        REAL *w = (REAL *)(wide + NAME(net_vectors)(p, 0));
        NAME(store_small)(net, w);
        NAME(load_wide)(p, w, wide);
        NAME(train_wide)(p, wide, scratch, &pass, order, count);
        NAME(store_wide)(p, wide, w);
        NAME(load_small)(w, net);
    } else if (!small)
        NAME(train_wide)(p, net, scratch, &pass, order, count);
}

/* mean[i] = (net_0[i] + net_1[i] + ..) / R of the nets that follow each other. */
CODE void NAME(mean)(const void *nets, int replicas, size_t bytes, void *mean)
{
    size_t n = bytes / sizeof(VEC);
    for (size_t i = 0; i < n; i++) {
        VEC sum = ((const VEC *)nets)[i];
        for (int r = 1; r < replicas; r++)
            sum += ((const VEC *)nets)[(size_t)r * n + i];
        ((VEC *)mean)[i] = sum / (REAL)replicas;
    }
}

static const struct kernel NAME(kernel) = {NAME(net_bytes), NAME(scratch_bytes), NAME(load_net),
                                           NAME(store_net), NAME(train),         NAME(mean)};
#include "mlp/variants/simd_end.h"
