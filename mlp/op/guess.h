/* What a layer's step was taken for: all usual slips, alone and in pairs, against what came out. */
#ifndef HPC_MLP_OP_GUESS_H
#define HPC_MLP_OP_GUESS_H

#include <stdbool.h>

#include "mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One layer of `n` units behind one of `m` units. w: its matrix, (1 + m) x n; x: the m outputs
 * before it; o: its n outputs, right; e: its n errors, right; behind: the D of the layer after it
 * and that one's matrix and units, NULL and 0 for the output layer. */
struct guess_layer {
    int activation, m, n;
    const double *w, *x, *o, *e;
    const double *behind, *w_behind;
    int n_behind;
    double rate;
};

/* got: n outputs of this layer, or its n deltas, each within `near`. True when a slip, or two,
 * explain all of them: which, to text. So many slips are tried that one may fit by chance: nothing
 * is said where one of them would fit random numbers once in GUESS_CHANCE. */
#define GUESS_CHANCE 200
bool guess_slips(const struct guess_layer *l, const double *got, double near, bool delta,
                 char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
