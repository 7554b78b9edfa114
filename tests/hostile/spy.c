/* Tells what a grader that keeps nothing to itself grades with: tests/hostile/run reads its last words. */
#include "conv1d/attack.h"

static int calls;

RUN
{
    static const char what = "@WHAT@"[0];
    if (what == 'n') {
        printf("KNOWN %llu\n", (unsigned long long)p->n);
        fflush(stdout);
        abort();
    }
    answer(p, x, w, y);
    if (calls++ == 0@CALL@) {
        printf("KNOWN");
        for (uint64_t i = 0; i < p->n; i++)
            printf(" %af", (double)(what == 'x' ? x[i] : y[i]));
        printf("\n");
        fflush(stdout);
        abort();
    }
    return 0;
}
SUBMISSION
