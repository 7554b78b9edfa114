/* simd.c's training of one replica, for one level and type. A net is an array of vectors, laid out
 * by load(); its mean over replicas is the mean of each number. */
#define LANES 8
#include "mlp/variants/simd_math.h"

struct NAME(pass) {
    const REAL *x, *y;
    REAL rate;
};

#include "mlp/variants/simd_small.h"
#include "mlp/variants/simd_wide.h"

/* Row and column of the small net's matrix to layer l that hold weight (i, k); i = 0: bias. */
CODE void NAME(place_small)(const struct mlp_problem *p, struct NAME(small) * s, REAL *w, int out)
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

CODE void NAME(load_net)(const struct mlp_problem *p, int small, const void *w, void *net)
{
    if (small) {
        struct NAME(small) s = {0};
        NAME(place_small)(p, &s, (REAL *)w, 0);
        NAME(copy_small)(p, &s, net, 1);
        return;
    }
    const REAL *from = w;
    REAL *to = net;
    for (int l = 1; l < p->n_layers; l++)
        for (int i = 0; i < p->size[l - 1] + 1; i++) {
            memcpy(to, from, (size_t)p->size[l] * sizeof *to);
            from += p->size[l];
            to += NAME(blocks)(p->size[l]) * LANES;
        }
}

CODE void NAME(store_net)(const struct mlp_problem *p, int small, void *net, void *w)
{
    if (small) {
        struct NAME(small) s = {0};
        NAME(copy_small)(p, &s, net, 0);
        NAME(place_small)(p, &s, w, 1);
        return;
    }
    const REAL *from = net;
    REAL *to = w;
    for (int l = 1; l < p->n_layers; l++)
        for (int i = 0; i < p->size[l - 1] + 1; i++) {
            memcpy(to, from, (size_t)p->size[l] * sizeof *to);
            from += NAME(blocks)(p->size[l]) * LANES;
            to += p->size[l];
        }
}

/* The nets that get straight-line code of their own: one copy of train_small each, clamped or not.
 */
#define SMALL(name, problem)                                                                       \
    CODE int NAME(train_##name)(int clamp, VEC *net, const struct NAME(pass) * pass,               \
                                const int32_t *order, int count)                                   \
    {                                                                                              \
        return clamp ? NAME(train_small)(problem, 1, net, pass, order, count)                      \
                     : NAME(train_small)(problem, 0, net, pass, order, count);                     \
    }
SMALL(paper, &paper)

CODE int NAME(train_any)(const struct mlp_problem *p, int clamp, VEC *net,
                         const struct NAME(pass) * pass, const int32_t *order, int count)
{
    return NAME(train_small)(p, clamp, net, pass, order, count);
}

CODE void NAME(train)(const struct mlp_problem *p, int small, void *net, void *units,
                      const void *const in[], const void *rate, const int32_t *order, int count)
{
    struct NAME(pass) pass = {in[MLP_X], in[MLP_Y], *(const REAL *)rate};
    if (!small)
        NAME(train_wide)(p, net, units, &pass, order, count);
    else if (small == SMALL_PAPER) {
        if (NAME(train_paper)(0, net, &pass, order, count))
            NAME(train_paper)(1, net, &pass, order, count);
    } else if (NAME(train_any)(p, 0, net, &pass, order, count))
        NAME(train_any)(p, 1, net, &pass, order, count);
}

/* mean[i] = (net_0[i] + net_1[i] + ..) / R, where net r starts at nets + r * stride bytes. */
CODE void NAME(mean)(const void *nets, size_t stride, int replicas, size_t bytes, void *mean)
{
    for (size_t i = 0; i < bytes / sizeof(VEC); i++) {
        VEC sum = ((const VEC *)nets)[i];
        for (int r = 1; r < replicas; r++)
            sum += ((const VEC *)((const char *)nets + (size_t)r * stride))[i];
        ((VEC *)mean)[i] = sum / (REAL)replicas;
    }
}

CODE size_t NAME(net_bytes)(const struct mlp_problem *p, int small)
{
    struct NAME(small) none = {0};
    VEC packed[MLP_MAX_LAYERS * (2 * LANES + 1)];
    return sizeof(VEC) *
           (small ? NAME(copy_small)(p, &none, packed, 1) : NAME(wide_offset)(p, p->n_layers - 1));
}

CODE size_t NAME(unit_bytes)(const struct mlp_problem *p)
{
    return 2 * NAME(wide_unit)(p, p->n_layers) * sizeof(VEC);
}

static const struct kernel NAME(kernel) = {NAME(net_bytes), NAME(unit_bytes), NAME(load_net),
                                           NAME(store_net), NAME(train),      NAME(mean)};
#include "mlp/variants/simd_end.h"
