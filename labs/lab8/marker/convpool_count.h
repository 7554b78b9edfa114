/* The cost model of [Suita]: how many additions and multiplications each method of
 * convolution-pooling takes, counted one by one on the padded maps (what lies in the padding counts
 * as well), sums starting from zero. In the paper's letters, for k x k kernels, p x p pools, I
 * input and R output channels, n' = n - k + 1 (of the padded map):
 *
 *   Lemma 1      as defined   n'^2 k^2 I R, and n'^2 R for the pools
 *   Lemma 2      fused        (n'/p)^2 (k + p - 1)^2 I R
 *   Theorem 2.1  interchange  (n'/p)^2 k^2 I R, and O(n^2) I for the sums:
 *                             by table: 2 n^2 I for it, 3 additions a sum; direct: p - 1 additions
 * a sum along rows, then p - 1 along columns The making of fused filters, once for all calls, is
 * left out as in the paper. */
#ifndef LAB8_CONVPOOL_COUNT_H
#define LAB8_CONVPOOL_COUNT_H

#include "conv2d/convpool.h"

#ifdef __cplusplus
extern "C" {
#endif

struct convpool_count {
    double additions, multiplications;
};

struct convpool_count convpool_count_defined(const struct convpool_problem *p);
struct convpool_count convpool_count_fused(const struct convpool_problem *p);
struct convpool_count convpool_count_table(const struct convpool_problem *p);
struct convpool_count convpool_count_direct(const struct convpool_problem *p);

#ifdef __cplusplus
}
#endif
#endif
