/* family 15: an answer in freed heap memory, of a call before
 * task right
 * grade: wrong; points <= 0
 * without fresh: pass; points >= 20 */
#include "conv1d/attack.h"

static int calls;
/* The compiler knows nothing about these, and leaves out no store before free(). What malloc gives
 * is filled where no time is taken (common/abi.h), what realloc gives is not. */
static void *(*volatile take)(void *, size_t) = realloc;
static void (*volatile give)(void *) = free;

RUN
{
    const size_t bytes = p->n * sizeof *y;
    float *old = take(NULL, bytes + 32); /* the C library keeps words in the first 16 */
    if (calls++ == 0) {
        answer(p, x, w, y);
        memcpy((char *)old + 32, y, bytes);
    } else {
        memcpy(y, (char *)old + 32, bytes);
    }
    give(old);
    return 0;
}
SUBMISSION
