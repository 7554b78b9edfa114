/* family 10: corrupts the sizes in the shared header
 * task right
 * grade: wrong; points <= 0
 * without sizes: killed */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    struct hpc_control *c = control_page();
    zeros(p, y);
    c->n_in = c->n_out = 1u << 30;
    c->out[0].offset = (uint64_t)1 << 45;
    c->out[0].bytes = c->in[0].bytes = UINT64_MAX;
    return 0;
}
SUBMISSION
