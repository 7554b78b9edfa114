/* The operations of conv2d/, as hpclab lists them. */
#include "conv2d/op/op.h"

/* Both are linear in x and in w: no draw amplifies a one-ulp change. */
static bool admit(const void *problem, uint64_t seed, int draws, struct hpc_error *err)
{
    (void)problem, (void)seed, (void)draws, (void)err;
    return true;
}

/* Half the side, twice the channels, as networks have it. */
static const char layers[] = "c=2 h=32 k=4; c=4 h=16 k=8; c=8 h=8 k=16; c=16 h=4 k=32";
static const char thins[] = "sparsity=0; sparsity=0.25; sparsity=0.5; sparsity=0.75; "
                            "sparsity=0.9; sparsity=0.95";

const struct hpc_op conv2d_op = {
    .name = "conv2d",
    .folder = "conv2d",
    .example = "n=1 c=32 h=28 k=64 r=3 pad=1",
    .keys = conv2d_keys,
    .grows = "n",
    .layers = layers,
    .thins = thins,
    .parse = conv2d_parse,
    .layout = conv_layout_arrays,
    .generate = conv_generate,
    .check = conv_check,
    .check_quick = conv_check_quick,
    .expected = conv_expected,
    .admit = admit,
    .cost = conv_cost,
    .simpler = conv2d_simpler,
    .passes = conv_passes,
    .part = conv_part,
    .part_keys = "h=24 w=24 n=2",
    .probe = conv_probe,
    .part_unsure = CONV_OTHER_FILTER,
    .terms = conv_asked,
};

const struct hpc_op convpool_op = {
    .name = "convpool",
    .folder = "conv2d",
    .example = "n=4 c=32 h=16 k=32 r=3 pad=1 pool=2",
    .keys = convpool_keys,
    .grows = "n",
    .layers = layers,
    .thins = thins,
    .parse = convpool_parse,
    .layout = conv_layout_arrays,
    .generate = conv_generate,
    .check = conv_check,
    .check_quick = conv_check_quick,
    .expected = conv_expected,
    .admit = admit,
    .cost = conv_cost,
    .simpler = convpool_simpler,
    .passes = conv_passes,
    .part = conv_part,
    .part_keys = "h=24 w=24 n=2",
    .probe = conv_probe,
    .part_unsure = CONV_OTHER_FILTER,
    .terms = conv_asked,
};
