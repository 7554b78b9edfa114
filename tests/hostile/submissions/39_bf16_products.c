/* family 39: products of bf16 where fp32 is asked for
 * task right
 * grade: wrong; points <= 0
 * without bound: pass; points >= 20 */
#include "conv1d/attack.h"

static float rounded(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, 4);
    bits = (bits + 0x8000u) & 0xffff0000u;
    memcpy(&v, &bits, 4);
    return v;
}

RUN
{
    const int64_t n = (int64_t)p->n, r = p->radius;
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
        for (int64_t j = -r; j <= r; j++)
            if (i + j >= 0 && i + j < n)
                sum += rounded(w[j + r]) * rounded(x[i + j]);
        y[i] = sum;
    }
    return 0;
}
SUBMISSION
