/* What windows hold that lie as they should, and what one result that is wrong looks like. */
#ifndef HPC_CONV2D_OP_FORMAT_H
#define HPC_CONV2D_OP_FORMAT_H

#include "common/op.h"
#include "conv2d/window_format.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FORMAT_MOST = 64 * 64 }; /* places of a window; r, s <= 64: conv2d_parse */

static inline size_t format_windows(const struct conv2d_problem *p)
{
    return (size_t)conv2d_rows(p) * (size_t)conv2d_columns(p);
}

/* A window's entries into f and k; returns how many. */
int format_entries(const struct conv2d_problem *p, const void *const in[], size_t window, float *f,
                   float *k);
/* format_counts.c: which places every ptr counts, whose first wrong one is `first`; NULL when
 * nothing fits. */
const char *format_counts_hint(const struct conv2d_problem *p, const void *const in[],
                               const int32_t *ptr, double first);
/* What usually causes the first mismatch, to m->hint. */
void format_hint(const struct conv2d_problem *p, const void *const in[], const void *const out[],
                 struct hpc_mismatch *m);

#ifdef __cplusplus
}
#endif
#endif
