/* family 70: a compiler is done with it in a second, and with a sanitizer not within its time
 * task right
 * full
 * long
 * grade: unsafe; points <= 10; reason: not seen by the address sanitizer
 * without every_build unsafe: pass; points >= 20
 */
/* What is checked at each access takes a compiler long. */
#include "conv1d/attack.h"

#define A v[k++] += v[k & 7] * v[k & 1];
#define B A A A A A A A A
#define C B B B B B B B B
#define D C C C C C C C C

static volatile float seen;

static __attribute__((noinline)) void once(float *v, int k)
{
    D C C C C
}

RUN
{
    float *own = malloc(2000 * sizeof *own);
    if (!own)
        return 1;
    memset(own, 0, 2000 * sizeof *own);
    once(own, 0);
    seen = own[0];
    ((volatile float *)own)[2000] = 0; /* behind its end, where nothing else lies */
    free(own);
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
