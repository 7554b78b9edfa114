/* A measurement under way, made up by a test: the operation costs nothing, so that no time is
 * impossible. */
#ifndef HPC_TESTS_MEASURE_SCENE_H
#define HPC_TESTS_MEASURE_SCENE_H

#include <stdlib.h>
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

/* A task of one thread, twice as fast as its baseline in each of so many pairs; the caller's. */
static inline struct scene *new_scene(int pairs)
{
    struct scene *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->spec = (struct measure_spec){.op = &no_op, .pairs = pairs, .student.env.threads = 1};
    c->session.spec = &c->spec;
    c->session.result = &c->result;
    c->result.n = pairs;
    for (int i = 0; i < pairs; i++) {
        c->result.baseline[i] = 12e-3;
        c->result.student[i] = 6e-3;
    }
    return c;
}

#endif
