/* Under the address sanitizer: what lies beside an input or output is out of bounds, down to the
 * byte, and a report is preceded by where the arrays lie. For runner.c alone. */
#ifndef HPC_RUNNER_ARRAYS_H
#define HPC_RUNNER_ARRAYS_H

#include <stdio.h>

#include "common/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

void __asan_poison_memory_region(const volatile void *from, size_t bytes) __attribute__((weak));
void __asan_on_error(void); /* the sanitizer calls it before it prints */

static struct {
    const struct hpc_region *region;
    const char *at;
} laid[2 * HPC_MAX_ARRAYS];
static int n_laid;

/* Array `region` begins at `at`; around it the guard pages. */
static inline void lay_array(const struct hpc_region *region, const char *at)
{
    if (!__asan_poison_memory_region || n_laid == 2 * HPC_MAX_ARRAYS)
        return;
    const char *begin = at - region->lead - HPC_PAGE;
    const char *end = at - region->lead + region->span + HPC_PAGE;
    __asan_poison_memory_region(begin, (size_t)(at - begin));
    __asan_poison_memory_region(at + region->bytes, (size_t)(end - at - (ptrdiff_t)region->bytes));
    laid[n_laid].region = region;
    laid[n_laid++].at = at;
}

#ifdef __SANITIZE_ADDRESS__
/* To stderr, a line an array (harness/exchange/beside.c reads them). */
__attribute__((weak)) void __asan_on_error(void)
{
    for (int i = 0; i < n_laid; i++)
        fprintf(stderr, HPC_LAID "%.15s %#zx %llu %u\n", laid[i].region->name, (size_t)laid[i].at,
                (unsigned long long)laid[i].region->bytes, laid[i].region->type);
}
#endif

#ifdef __cplusplus
}
#endif
#endif
