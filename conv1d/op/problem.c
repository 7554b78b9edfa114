/* The problems of conv1d: their keys, their arrays, their cost. */
#include <string.h>
#include <unistd.h>

#include "common/size.h"
#include "conv1d/op/op.h"

#define MOST_N     ((size_t)1 << 40)
#define MOST_BLOCK 1024 /* threads, on every GPU there is */
#define COPIES     4    /* a float of x and one of y, each in the parent and in a runner */

const char conv1d_keys[] = "n, mask, block";

_Static_assert(sizeof(struct conv1d_problem) <= HPC_MAX_PROBLEM, "must fit into the exchange");

/* The longest signal whose arrays fit into this machine's memory. */
static size_t longest(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    size_t memory = pages > 0 && bytes > 0 ? hpc_mul((size_t)pages, (size_t)bytes) : SIZE_MAX;
    return memory / (COPIES * sizeof(float));
}

bool conv1d_parse(struct hpc_params *params, void *problem, struct hpc_error *err)
{
    struct conv1d_problem *p = problem;
    size_t n = 0;
    int mask = 0, block = 0, cores = 1;
    memset(p, 0, sizeof *p);
    static const char *const required[] = {"n", "mask"};
    for (int i = 0; i < 2; i++)
        if (!hpc_params_find(params, required[i]))
            return hpc_fail(err, "a problem of conv1d has no %s; expected n=1e6 mask=9",
                            required[i]);
    if (!hpc_params_get_size(params, "n", 0, MOST_N, &n, err) ||
        !hpc_params_get_int(params, "mask", 1, CONV1D_MAX_MASK, &mask, err) ||
        !hpc_params_get_int(params, "block", 0, MOST_BLOCK, &block, err) ||
        !hpc_params_get_int(params, "threads", 1, 4096, &cores, err) ||
        !hpc_params_all_used(params, conv1d_keys, err))
        return false;
    if (mask % 2 == 0)
        return hpc_fail(err, "%s: mask = %d, expected an odd number from 1 to %d",
                        hpc_params_find(params, "mask")->where, mask, CONV1D_MAX_MASK);
    if (n > longest())
        return hpc_fail(err, "%s: n = %zu, expected at most %zu: more does not fit into memory",
                        hpc_params_find(params, "n")->where, n, longest());
    p->n = n;
    p->radius = mask / 2;
    p->block = block;
    return true;
}

void conv1d_layout(const void *problem, struct hpc_layout *layout)
{
    const struct conv1d_problem *p = problem;
    *layout = (struct hpc_layout){.n_in = CONV1D_N_IN, .n_out = CONV1D_N_OUT};
    layout->in[CONV1D_X] = (struct hpc_array){.name = "x", .type = HPC_F32, .count = p->n};
    layout->in[CONV1D_W] = (struct hpc_array){
        .name = "w", .type = HPC_F32, .count = 2 * (size_t)p->radius + 1, .fixed = true};
    layout->out[CONV1D_Y] = (struct hpc_array){.name = "y", .type = HPC_F32, .count = p->n};
}

int64_t conv1d_terms(const struct conv1d_problem *p)
{
    int64_t mask = 2 * (int64_t)p->radius + 1;
    return (uint64_t)mask < p->n ? mask : (int64_t)p->n;
}

/* Of the n (2r + 1) pairs, d lie outside on each side at the d-th output from the other end of the
 * reach: r, r - 1, .. at outputs 0, 1, .. */
void conv1d_cost(const void *problem, struct hpc_cost *cost)
{
    const struct conv1d_problem *p = problem;
    double n = (double)p->n, r = p->radius, edge = r < n ? r : n;
    double outside = edge * r - edge * (edge - 1) / 2; /* sum of r - i over i < edge */
    cost->flops = 2 * (n * (2 * r + 1) - 2 * outside);
    cost->bytes = 4 * (2 * n + 2 * r + 1);
}

void conv1d_ahead(void *problem, uint64_t elements)
{
    struct conv1d_problem *p = problem;
    p->n += elements;
}
