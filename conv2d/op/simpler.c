/* Ways to make a convolution, or one with pooling, simpler, for a solution that is wrong. */
#include <stdio.h>

#include "conv2d/op/op.h"

#define COUNTS "1 2 3 4 5 7 8 9 15 16 17 31 32 33 63 64 65"
#define GROUPS "2 4 8 16 32 64"
#define REST   ": what is left over after whole tiles"

/* Keys of both. */
#define SHARED                                                                                     \
    {"values", HPC_SIMPLER_VALUES, "normal", NULL, false},                                         \
        {"sparsity", HPC_SIMPLER_VALUES, "0", NULL, false},                                        \
        {"w", HPC_SIMPLER_AS, "h", ": rows where columns belong?", false},                         \
        {"s", HPC_SIMPLER_AS, "r", ": rows where columns belong?", false},                         \
        {"n", HPC_SIMPLER_FIRST, COUNTS, ": images after the first", false},                       \
        {"c", HPC_SIMPLER_VALUES, COUNTS, ": the sum over the channels", false},                   \
        {"k", HPC_SIMPLER_VALUES, COUNTS, NULL, false},                                            \
    {                                                                                              \
        "pad", HPC_SIMPLER_VALUES, "0 1", NULL, false                                              \
    }

/* Of sizes, after what is each operation's own. */
#define SIZES                                                                                      \
    {"h", HPC_SIMPLER_VALUES, COUNTS, NULL, false},                                                \
        {"w", HPC_SIMPLER_VALUES, COUNTS, NULL, false},                                            \
        {"c", HPC_SIMPLER_ROUNDED, GROUPS, REST, false},                                           \
        {"k", HPC_SIMPLER_ROUNDED, GROUPS, REST, false},                                           \
        {"h", HPC_SIMPLER_ROUNDED, GROUPS, REST, false},                                           \
    {                                                                                              \
        "w", HPC_SIMPLER_ROUNDED, GROUPS, REST, false                                              \
    }

const struct hpc_simpler conv2d_simpler[] = {
    SHARED,
    {"stride", HPC_SIMPLER_VALUES, "1 2", NULL, false},
    SIZES,
    {NULL, 0, NULL, NULL, false},
};

const struct hpc_simpler convpool_simpler[] = {
    SHARED,
    {"pool", HPC_SIMPLER_VALUES, "1 2", NULL, false},
    SIZES,
    {NULL, 0, NULL, NULL, false},
};

enum { FEWEST = 64, MOST = 65536 };

/* The power of two that a number passes from `low` to `high`, a small step; 0: none. */
static int power_between(int low, int high)
{
    for (int power = FEWEST; power <= MOST; power *= 2)
        if (low <= power && power < high && (high - low) * 4 <= power)
            return power;
    return 0;
}

void conv_passes(const void *right, const void *wrong, char *text, size_t size)
{
    const struct convpool_problem *p[] = {&((const struct conv_case *)right)->p,
                                          &((const struct conv_case *)wrong)->p};
    const char *const names[] = {"C R S, the places of a window,", "the outputs of a map",
                                 "the pixels of a map", "K", "N"};
    int n[2][sizeof names / sizeof *names];
    for (int i = 0; i < 2; i++) {
        const struct conv2d_problem *q = &p[i]->conv;
        const int of[] = {q->c * q->r * q->s, convpool_rows(p[i]) * convpool_columns(p[i]),
                          q->h * q->w, q->k, q->n};
        for (size_t j = 0; j < sizeof of / sizeof *of; j++)
            n[i][j] = of[j];
    }
    text[0] = '\0';
    for (size_t j = 0; j < sizeof names / sizeof *names && !*text; j++) {
        const int power = power_between(n[0][j], n[1][j]);
        if (power)
            snprintf(text, size, ": %s pass %d there (%d, %d): %s", names[j], power, n[0][j],
                     n[1][j],
                     power == 128 || power == 256 || power == 32768 || power == 65536
                         ? "an index of too few bits, or so many threads or cells?"
                         : "so many threads, or cells?");
    }
}

/* More filters than the simplest case has, in which more is seen of where a weight was read. */
bool conv_probe(const void *problem, int number, char *keys, size_t size)
{
    const struct conv2d_problem *p = &((const struct conv_case *)problem)->p.conv;
    snprintf(keys, size, "n=1 k=9 h=%d w=%d", 40 + p->r, 41 + p->s);
    return number < 0 && p->k < 9;
}
