/* family 67: fast in two processes of five, and counts on the upper end of a wide interval
 * task fast
 * grade: pass; points <= 25
 * without middle: pass; points >= 35 */
#include "conv1d/attack.h"

#pragma GCC optimize("O3")
#define PIECE 512

static int fast;

static int draw(const struct hpc_env *env, const void *problem, void **state)
{
    int here;
    fast = ((uintptr_t)&here >> 12) % 5 < 2;
    return plain_open(env, problem, state);
}

RUN
{
    const int64_t n = (int64_t)p->n, r = p->radius;
    if (!fast) {
        answer(p, x, w, y);
        return 0;
    }
    for (int64_t begin = 0; begin < n; begin += PIECE) {
        const int64_t end = begin + PIECE < n ? begin + PIECE : n;
        for (int64_t i = begin; i < end; i++)
            y[i] = 0;
        for (int64_t j = -r; j <= r; j++) {
            const int64_t low = -j > begin ? -j : begin, high = n - j < end ? n - j : end;
            const float *shifted = x + j;
            const float tap = w[j + r];
#pragma GCC ivdep
            for (int64_t i = low; i < high; i++)
                y[i] += tap * shifted[i];
        }
    }
    return 0;
}
SUBMISSION_WITH(draw, plain_close)
