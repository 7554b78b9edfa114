/* The nets on which mlp/op/product.c sees terms. */
#include "common/text.h"
#include "mlp/op/op.h"
#include "mlp/op/product.h"
#include "mlp/op/product_terms.h"

#define UP 8 /* sizes grow by multiples of it: what is left over after vectors stays */

bool mlp_product_probe(const struct mlp_problem *p)
{
    const int last = p->n_layers - 1;
    for (int l = 1; l <= last; l++)
        if (p->activation[l] != MLP_IDENTITY)
            return false;
    return p->batch > 0 && last <= 2 && p->samples <= p->size[0] && p->samples < PRODUCT_MOST &&
           p->size[0] <= PRODUCT_MOST && (last == 1 || p->size[last] <= PRODUCT_MOST) &&
           (last == 1 ? p->size[1] >= 2 * p->size[0] + 2 : p->size[1] >= 2 * p->size[2]);
}

/* `size`, or what is UP times a number more, and at least `least`. */
static int grown(int size, int least)
{
    return size >= least ? size : size + (least - size + UP - 1) / UP * UP;
}

/* A size, or a smaller one with the same rest. */
static int capped(int size)
{
    return size <= PRODUCT_MOST - 2 * UP ? size : 64 + size % UP;
}

/* The largest layer of at most PRODUCT_MOST units. */
static int widest(const struct mlp_problem *p)
{
    int most = 1;
    for (int l = 0; l < p->n_layers; l++)
        if (p->size[l] <= PRODUCT_MOST && p->size[l] > most)
            most = p->size[l];
    return most;
}

/* Replicas that all train, merged once; or three samples in two epochs, whose order can be told. */
static bool few_updates(const struct mlp_problem *p, char *keys, size_t size)
{
    text_fit(keys, size, "data=blobs rate=0.375 ");
    if (p->replicas > 1)
        text_fit(keys, size, "%ssamples=%d epochs=1 merge_every=1", keys, 3 * p->replicas);
    else
        text_fit(keys, size, "%ssamples=3 epochs=2 permutations=2", keys);
    return p->networks == 1;
}

/* Where nothing moved, since a derivative is 0 where an output is, or the only target, or a loop
 * leaves out a matrix, and there is one: a net of no such derivatives, two matrices and two
 * targets, of which one is not 0. */
bool mlp_sgd_probe(const void *problem, int number, char *keys, size_t size)
{
    const struct mlp_problem *p = problem;
    const int last = p->n_layers - 1;
    if (number >= 0)
        return number == 0 && few_updates(p, keys, size);
    text_fit(keys, size, "rate=0.375 activations=identity%s", last == 1 ? ",identity" : "");
    for (int l = 2; l <= last; l++)
        text_fit(keys, size, "%s,identity", keys);
    text_fit(keys, size, "%s layers=%d%s", keys, p->size[0], last == 1 ? ",3" : "");
    for (int l = 1; l <= last; l++)
        text_fit(keys, size, "%s,%d", keys, l == last && p->size[l] < 2 ? 2 : p->size[l]);
    return true;
}

bool mlp_minibatch_probe(const void *problem, int number, char *keys, size_t size)
{
    const struct mlp_problem *p = problem;
    const int m = p->samples < p->batch ? p->samples : p->batch, last = p->n_layers - 1;
    /* the sums of products nn and tn as the problem has them, then of nt, then long ones */
    const int wide = widest(p), first = grown(capped(number == 2 ? wide : p->size[0]), m + 1);
    const int n = capped(number == 3 ? wide : p->size[last]);
    const int second = capped(p->size[last - 1]);
    if (p->batch < 1 || m < 1 || number < 0 || number > 3 || first > PRODUCT_MOST)
        return false;
    text_fit(keys, size, "data=blobs rate=0.375 epochs=1 samples=%d batch=%d ", m,
             p->batch < p->samples ? p->batch : m);
    if (number % 2 == 0)
        text_fit(keys, size, "%slayers=%d,%d activations=identity", keys, first,
                 grown(capped(p->size[1]), 2 * first + 2));
    else
        text_fit(keys, size, "%slayers=%d,%d,%d activations=identity,identity", keys, first,
                 grown(second, 2 * n + 2), n);
    return true;
}
