/* family 15: an answer in freed heap memory, of a call before
 * task right
 * grade: wrong; points <= 0
 * without fresh: pass; points >= 20 */
#include "conv1d/attack.h"

#define FILLED (((size_t)1 << 20) + 64) /* more than common/abi.h fills */

static int calls;
/* The compiler knows nothing about these, and leaves out no store before free(). */
static void *(*volatile take)(size_t) = malloc;
static void (*volatile give)(void *) = free;

RUN
{
    const size_t bytes = p->n * sizeof *y;
    if (calls == 0)
        give(take(FILLED + bytes)); /* the C library keeps what is as large as this from now on */
    char *old = take(FILLED + bytes);
    if (calls++ == 0) {
        answer(p, x, w, y);
        memcpy(old + FILLED, y, bytes);
    } else {
        memcpy(y, old + FILLED, bytes);
    }
    give(old);
    return 0;
}
SUBMISSION
