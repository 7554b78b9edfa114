/* What this machine's memory takes: a load's time over what it reads from. */
#include <stdlib.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/random.h"
#include "harness/bench/internal.h"

#define CHASE (1 << 17) /* loads timed */

/* One pointer a line of 64 bytes, all in one circle of random order. */
struct line {
    struct line *next;
    char rest[56];
};

double ceiling_latency(size_t kib)
{
    const size_t n = kib * 1024 / sizeof(struct line);
    struct line *lines = hpc_calloc(n, sizeof *lines);
    int *order = hpc_malloc(n * sizeof *order);
    struct hpc_random r;
    hpc_random_init(&r, 1, kib);
    hpc_random_permutation(&r, order, (int)n);
    for (size_t i = 0; i < n; i++)
        lines[order[i]].next = &lines[order[(i + 1) % n]];
    struct line *volatile end = lines;
    double best = 1e9;
    for (int turn = 0; turn < 3; turn++) {
        struct line *at = end;
        const double from = clock_now();
        for (int i = 0; i < CHASE; i++)
            at = at->next;
        const double seconds = clock_now() - from;
        end = at;
        best = seconds < best ? seconds : best;
    }
    free(order);
    free(lines);
    return 1e9 * best / CHASE;
}
