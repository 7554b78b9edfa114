/* Cases that every variant of conv2d/ is tried on: shapes of 1, primes, tiles +- 1, strides,
 * padding, a single channel, both layouts, all types. */
#ifndef HPC_TESTS_CONV_SHAPES_H
#define HPC_TESTS_CONV_SHAPES_H

static const char *const conv2d_shapes[] = {
    "n=1 c=1 h=1 w=1 k=1 r=1",
    "n=2 c=3 h=7 w=5 k=4 r=3 s=2",
    "n=1 c=4 h=13 w=17 k=33 r=3 pad=1 stride=2 sparsity=0.5",
    "n=3 c=2 h=9 w=20 k=5 r=5 s=3 pad=2 stride=3 sparsity=0.9",
    "n=1 c=3 h=16 k=2 r=7 pad=3 stride=1 sparsity=0.99",
    "n=1 c=2 h=9 k=3 r=3 pad=4 sparsity=1",
    "n=2 c=20 h=11 k=50 r=5 sparsity=0.95",
    "n=1 c=64 h=7 k=40 r=1 sparsity=0.9",
    "n=1 c=5 h=31 w=33 k=17 r=3 pad=1 values=scaled",
    "n=2 c=7 h=9 w=6 k=5 r=3 pad=1 layout=nhwc",
    "n=2 c=8 h=10 k=8 r=3 pad=1 layout=nhwc type=f16",
    "n=1 c=8 h=10 k=6 r=5 pad=2 type=f16 stride=2",
    "n=1 c=8 h=10 k=6 r=3 type=tf32 values=positive",
    "n=1 c=40 h=9 w=11 k=70 r=3 pad=1 type=tf32",
    "n=2 c=17 h=6 k=20 r=1 type=tf32 layout=nhwc",
    "n=1 c=33 h=8 k=9 r=5 pad=2 stride=2 type=tf32 layout=nhwc",
    "n=1 c=130 h=14 w=12 k=35 r=3 pad=1 sparsity=0.9",
    "n=1 c=49 h=7 k=130 r=1 layout=nhwc values=positive",
    /* few channels: a first layer's, maps of a multiple of four and not, filters likewise */
    "n=2 c=3 h=18 w=20 k=64 r=3 pad=1",
    "n=1 c=3 h=17 w=13 k=70 r=3 pad=1 stride=2 layout=nhwc",
    "n=2 c=1 h=19 k=20 r=5 pad=2 layout=nhwc",
    "n=2 c=1 h=21 w=9 k=67 r=3 type=tf32",
    /* strides in NHWC: channels and filters that hang over, boxes of x wider than its map */
    "n=2 c=36 h=19 w=23 k=70 r=3 pad=1 stride=2 type=tf32 layout=nhwc",
    "n=2 c=36 h=18 w=23 k=70 r=3 pad=1 stride=2 layout=nhwc",
    "n=1 c=64 h=31 w=12 k=65 r=5 pad=2 stride=3 type=tf32 layout=nhwc values=scaled",
    "n=1 c=100 h=14 w=15 k=128 r=3 stride=3 type=tf32 layout=nhwc values=positive",
    "n=2 c=40 h=40 w=37 k=33 r=3 pad=1 stride=3 layout=nhwc values=scaled",
    "n=1 c=32 h=70 w=61 k=32 r=4 s=3 pad=1 stride=3 layout=nhwc values=positive",
};

static const char *const convpool_shapes[] = {
    "n=1 c=1 h=1 k=1 r=1 pool=1",
    "n=2 c=3 h=8 k=4 r=3 pad=1",
    "n=1 c=2 h=11 w=9 k=3 r=3 s=2 pad=1 pool=3",
    "n=2 c=4 h=8 w=10 k=6 r=3 pad=1 layout=nhwc",
    "n=2 c=4 h=8 k=3 r=5 pad=2 pool=4 type=f16 layout=nhwc",
    "n=1 c=8 h=12 k=8 r=1 pool=5 type=f16",
    "n=1 c=3 h=17 k=2 r=7 pad=2 pool=2 type=tf32",
    "n=2 c=16 h=10 k=8 r=3 pad=1 layout=nhwc type=f16",
    "n=1 c=8 h=9 w=12 k=5 r=3 pad=1 layout=nhwc",
    "n=2 c=8 h=8 k=5 r=5 pad=2 pool=3 layout=nhwc type=tf32",
    /* the fused kernels' own: small maps, maps that tiles hang over, no and much padding */
    "n=5 c=32 h=8 k=32 r=3 pad=1 layout=nhwc type=f16",
    "n=2 c=64 h=18 w=22 k=64 r=3 pad=1 layout=nhwc type=f16",
    "n=1 c=32 h=21 w=7 k=96 r=3 layout=nhwc type=f16 values=scaled",
    "n=3 c=64 h=5 w=6 k=32 r=3 pad=2 layout=nhwc type=f16 values=positive",
    "n=5 c=32 h=8 k=32 r=3 pad=1 layout=nhwc type=tf32",
    "n=1 c=64 h=18 w=22 k=64 r=3 pad=1 layout=nhwc type=tf32 values=scaled",
    "n=1 c=32 h=13 w=34 k=96 r=3 layout=nhwc type=tf32 values=positive",
    "n=3 c=64 h=5 w=6 k=32 r=3 pad=2 layout=nhwc type=tf32",
    "n=5 c=32 h=8 k=32 r=3 pad=1 layout=nhwc",
    "n=1 c=64 h=18 w=22 k=64 r=3 pad=1 layout=nhwc values=scaled",
    "n=1 c=32 h=13 w=34 k=96 r=3 layout=nhwc values=positive",
    "n=3 c=64 h=5 w=6 k=32 r=3 pad=2 layout=nhwc",
    /* in NCHW: whole maps, and boxes that begin early */
    "n=5 c=64 h=8 k=96 r=3 pad=1 type=f16",
    "n=3 c=96 h=16 k=32 r=3 pad=1 type=f16 values=scaled",
    "n=5 c=64 h=8 k=32 r=3 pad=1 type=tf32 values=scaled",
    "n=2 c=32 h=16 k=64 r=3 pad=1 type=tf32",
    "n=5 c=64 h=8 k=32 r=3 pad=1 values=positive",
    "n=2 c=32 h=16 k=32 r=3 pad=1 values=scaled",
    "n=1 c=32 h=24 k=32 r=3 pad=1 type=f16 values=positive",
    "n=1 c=32 h=8 w=20 k=32 r=3 pad=1",
    /* flat subtiles: maps that they fill, and that they hang over; no and much padding */
    "n=2 c=64 h=32 k=64 r=3 pad=1 type=f16",
    "n=1 c=32 h=22 w=56 k=288 r=3 pad=1 type=f16 values=positive",
    "n=1 c=96 h=64 k=32 r=3 pad=2 type=f16 values=scaled",
    "n=2 c=32 h=32 k=32 r=3 pad=1 type=tf32 values=scaled",
    "n=1 c=64 h=30 w=60 k=96 r=3 type=tf32 values=positive",
    "n=1 c=32 h=32 w=64 k=64 r=3 pad=1",
    "n=1 c=64 h=22 w=36 k=160 r=3 pad=3 values=scaled",
    "n=2 c=32 h=9 w=32 k=32 r=3 values=positive",
};

#endif
