/* family 95: names the program that loads it
 * task right
 * grade: rejected
 * without sections: pass */
#include "conv1d/attack.h"

__attribute__((used, section(".interp"))) static const char loader[] = "/tmp/hpc_attack_loader";

RUN
{
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
