/* family 69: instructions by name store by a pointer
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * without told: pass; points >= 3 */
#include <omp.h>
#include "conv1d/attack.h"
#include <immintrin.h>
static unsigned shared; static unsigned long long wide;
__attribute__((target("rdrnd"))) static void use_it(void) { _rdrand32_step(&shared); _addcarry_u64(0, 3, 4, &wide); }

RUN
{

#pragma omp parallel num_threads(2)
    {
        use_it();
    }

    answer(p, x, w, y);
    return 0;
}
SUBMISSION
