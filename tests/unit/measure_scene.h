/* A measurement under way, made up by a test: the operation costs nothing, so that no time is
 * impossible. */
#ifndef HPC_TESTS_MEASURE_SCENE_H
#define HPC_TESTS_MEASURE_SCENE_H

#include <string.h>

#include "harness/measure/internal.h"

static void free_cost(const void *problem, struct hpc_cost *cost)
{
    (void)problem;
    memset(cost, 0, sizeof *cost);
}

static const struct hpc_op no_op = {.name = "no_op", .cost = free_cost};

struct scene {
    struct measure_spec spec;
    struct measure_result result;
    struct measure_session session;
};

#endif
