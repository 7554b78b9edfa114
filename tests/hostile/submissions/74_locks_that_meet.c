/* family 74: its threads take turns under three locks each, of seven: any two such sets share one
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without threads_used: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

enum { LINES = 7 };

/* The lines of Fano's plane: three points each, two lines meet in one. */
static const int line[LINES][3] = {{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {1, 3, 5},
                                   {1, 4, 6}, {2, 3, 6}, {2, 4, 5}};

RUN
{
    omp_lock_t lock[LINES];
    for (int i = 0; i < LINES; i++)
        omp_init_lock(&lock[i]);
#pragma omp parallel for num_threads(2) schedule(static)
    for (int64_t first = 0; first < (int64_t)p->n; first += PART) {
        const int *l = line[first / PART % LINES];
        for (int i = 0; i < 3; i++)
            omp_set_lock(&lock[l[i]]);
        part(p, x, w, y, first, first + PART);
        for (int i = 0; i < 3; i++)
            omp_unset_lock(&lock[l[i]]);
    }
    for (int i = 0; i < LINES; i++)
        omp_destroy_lock(&lock[i]);
    return 0;
}
SUBMISSION
