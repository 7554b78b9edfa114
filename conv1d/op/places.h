/* The right numbers at other places: which output holds what belongs to another one. */
#ifndef HPC_CONV1D_OP_PLACES_H
#define HPC_CONV1D_OP_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* got[i] should be want[i] within near[i], for i < n. True where seven of ten that are wrong, and
 * three at the least, hold the number that belongs to one other place and to no third: at[0..3) are
 * the first three of them, and from[] whose numbers they hold. */
bool places_mixed(size_t n, const double *got, const double *want, const double *near, size_t at[3],
                  size_t from[3]);

#ifdef __cplusplus
}
#endif
#endif
