/* family 71: threads race in memory that the library once gave to a task, of which the sanitizer was
 * told that nothing in it is a race
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * structural: the memory is nobody's race any more; it was seen to earn 3 points of 3 when the
 * sanitizer was told that all races in it are benign (runner/openmp.c) */
#include "conv1d/attack.h"

struct room {
    int of[64];
};

RUN
{
    int *volatile kept = NULL;
    struct room room = {{0}};
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
#pragma omp task firstprivate(room) shared(kept)
            {
                kept = room.of; /* is the library's to give to others, now and later */
            }
#pragma omp taskwait
        }
        for (int i = 0; i < 64; i++) /* of one access the sanitizer said nothing once in forty runs */
            kept[i]++;
    }
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
