/* The toy operation's trusted side, and how a test builds and starts its variant. Included behind
 * cmocka.h. */
#ifndef HPC_TESTS_TOY_OP_H
#define HPC_TESTS_TOY_OP_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/random.h"
#include "harness/build/build.h"
#include "harness/exchange/exchange.h"
#include "harness/trial/internal.h"
#include "tests/unit/toy/toy.h"

#define TOY_N 1001 /* odd, so that there are bytes between the array and its guard page */

static void toy_layout(const void *problem, struct hpc_layout *layout)
{
    size_t n = (size_t)((const struct toy_problem *)problem)->n;
    *layout = (struct hpc_layout){.n_in = 2,
                                  .n_out = 1,
                                  .in = {{.name = "x", .type = HPC_F64, .count = n},
                                         {.name = "a", .type = HPC_F64, .count = 1, .fixed = true}},
                                  .out = {{.name = "y", .type = HPC_F64, .count = n}}};
}

static void toy_generate(const void *problem, uint64_t seed, uint64_t call, void *const in[])
{
    struct hpc_random r;
    double *x = in[0];
    hpc_random_init(&r, seed, call);
    if (in[1])
        *(double *)in[1] = (double)seed;
    if (!x)
        return;
    for (int i = 0; i < ((const struct toy_problem *)problem)->n; i++)
        x[i] = hpc_random_double(&r);
}

static const struct hpc_op toy = {
    .name = "toy", .folder = "tests/unit/toy", .layout = toy_layout, .generate = toy_generate};

static char toy_root[1000];

/* Build the variant that misbehaves as `attack` says. */
static inline void toy_build(enum toy_attack attack, enum build_kind kind,
                             struct build_result *result)
{
    char folder[100], flags[1300];
    bool openmp = attack >= TOY_OPENMP;
    snprintf(folder, sizeof folder, "build/tests/toy/%s/%d", program_invocation_short_name,
             (int)attack); /* tests may run at once */
    snprintf(flags, sizeof flags, "-O2 -w -DATTACK=%d -DTOY_ROOT=\"%s\"%s", (int)attack, toy_root,
             openmp ? " -fopenmp" : "");
    struct build_spec spec = {.root = toy_root,
                              .source = "tests/unit/toy/variant.c",
                              .folder = folder,
                              .op_folder = "tests/unit/toy",
                              .flags = flags,
                              .libraries = openmp ? "-fopenmp -lm" : "-pthread -lm",
                              .kind = kind};
    build_variant(&spec, result);
    if (result->outcome.verdict != VERDICT_PASS)
        print_error("%s\n", result->outcome.reason);
    assert_int_equal(result->outcome.verdict, VERDICT_PASS);
}

static inline struct exchange_spec toy_spec(const struct build_result *built, const void *problem)
{
    struct exchange_spec spec = {.runner = built->output,
                                 .op = &toy,
                                 .problem = problem,
                                 .seed = 11,
                                 .env = {2, HPC_SIMD_NONE, NULL},
                                 .limits = {.cpu_seconds = 20,
                                            .wall_seconds = 2,
                                            .memory_bytes = 64 << 20,
                                            .file_bytes = 4 << 20,
                                            .output_bytes = 64 << 10,
                                            .processes = 16}};
    build_runner_needs(built, &spec);
    if (spec.sanitized)
        spec.limits.wall_seconds = 10;
    return spec;
}

#endif
