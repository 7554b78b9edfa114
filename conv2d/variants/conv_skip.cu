/* conv2d/conv_skip: the fastest that skips zeros.
 *
 * Changes from sparse_blocked: windows in fours (skip.h). sparse_blocked loads 16 bytes of
 * weights for every 4 FMAs, which the L1 holds to a quarter of the FMA peak; here four windows
 * share each load. The price is a product with zero wherever some but not all of the four are
 * zero: of taps 1 - z^4 are multiplied where z of x is zero, instead of 1 - z. That wins up to z
 * = 0.9, and loses nothing above. Layout NCHW, floats.
 * What limits it: FMA where little is zero, else finding what is not. */
#include "conv2d/variants/skip.h"

namespace
{

int skip_open(const struct hpc_env *env, const void *problem, void **state)
{
    skip *s = new skip();
    if (!s->open(*(const struct conv2d_problem *)problem, env->fixed[CONV2D_W])) {
        s->close();
        delete s;
        return 1;
    }
    *state = s;
    return 0;
}

int skip_run(void *state, const void *const in[], void *const out[])
{
    ((const skip *)state)->run(in[CONV2D_X], out[CONV2D_Y]);
    return 0;
}

void skip_close(void *state)
{
    skip *s = (skip *)state;
    s->close();
    delete s;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", "conv_skip", skip_open, skip_run, skip_close,
};
