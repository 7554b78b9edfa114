/* family 68: hides what it loads behind a dozen kernels that load nothing
 * task counted
 * full
 * grade: pass; points <= 1; reason: global_load_sectors
 * without all_kernels least_traffic: pass; points >= 2.5 */
#define ATTACK_KERNEL 1
#include "conv1d/attack.h"

#define DECOY(name)                                                                                \
    __global__ void name(float *y)                                                                 \
    {                                                                                              \
        y[0] = 0;                                                                                  \
    }
DECOY(decoy_a)
DECOY(decoy_b)
DECOY(decoy_c)
DECOY(decoy_d)
DECOY(decoy_e)
DECOY(decoy_f)
DECOY(decoy_g)
DECOY(decoy_h)
DECOY(decoy_i)
DECOY(decoy_j)
DECOY(decoy_k)
DECOY(decoy_l)

RUN
{
    void (*const decoys[])(float *) = {decoy_a, decoy_b, decoy_c, decoy_d, decoy_e, decoy_f,
                                       decoy_g, decoy_h, decoy_i, decoy_j, decoy_k, decoy_l};
    for (int i = 0; i < 12; i++)
        decoys[i]<<<1, 1>>>(y);
    return answer_on_device(p, x, w, y);
}
SUBMISSION
