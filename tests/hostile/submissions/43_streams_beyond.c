/* family 43: stores behind its memory by an instruction's name, which no compiler tells the address
 * sanitizer of
 * task right
 * full
 * grade: unsafe; points <= 10; reason: buffer-overflow|overflow
 * without told: pass; points >= 20 */
#include "conv1d/attack.h"

#include <immintrin.h>

RUN
{
    float *own = (float *)aligned_alloc(16, 64);
    answer(p, x, w, y);
    _mm_stream_ps(own + 16, _mm_setzero_ps()); /* of 16 */
    own[0] = y[0];
    const int good = own[0] == y[0];
    free(own);
    return !good;
}
SUBMISSION
