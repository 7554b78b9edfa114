#!/usr/bin/env bash
# benchmarks/convpool/publish: the tables of measurements that are known, means and all. No GPU.
. tests/tap.sh
from=$scratch/from
to=$scratch/to
mkdir -p "$from"
# row KEY METHOD US: one line as the benchmarks write it.
row() {
    echo "$1,$2,$3,$3,$3,$3,$3,1.0,4096,each,1e-7,1e-8,0.1,1e-7,each,1e-7,each,1.500,20,12,1980,300,0,$3"
}

{
    echo '# benchmarks/convpool/run, NVIDIA H200, driver for CUDA 13.0'
    echo 'key,method,cold_us'
    row f32-nchw-8-32 pool_cudnn_naive 80
    row f32-nchw-8-32 pool_cublas_direct 20
    row f32-nchw-8-32 pool_cudnn_direct 40
    row f32-nchw-64-512 pool_cudnn_naive 10
    row f32-nchw-64-512 pool_cublas_direct 10
    row f16-nhwc-8-32 pool_best_fused 5
    row f16-nchw-8-32 pool_best_naive 4.5
    row f16-nhwc-8-32 pool_fused_half 3
    echo 'f16-nchw-8-64,ended the process'
} >"$from/convpool.csv"
check 'convpool' benchmarks/convpool/publish convpool "$from" "$to" 'the command'
check 'its csv' cmp "$from/convpool.csv" "$to/h200-convpool.csv"
page=$to/h200-convpool.md
check 'two sizes: 4 and 1' grep -q 'as the paper measured | 2 | 2.50 | 2.00 | 1.00 | 4.00 | 0 |' "$page"
check 'the paper in fp32' grep -q 'on a V100 | 20 | 2.90 | 2.61 | 1.34 | 9.49 | 0 |' "$page"
check 'the paper in fp16' grep -q 'on a V100 | 20 | 1.43 | 1.22 | 0.37 | 3.90 | 5 |' "$page"
check 'best of the five' grep -q '^| 8, 32 | 0.08 (0.104) .*\*\*0.02\*\* (0.0473) |  |  | 0.02 | 0.0015 | 4.00 (2.20)' "$page"
check 'in one launch, over the better layout' grep -qF '| 8, 32 | 3 |  | 4.5 (best_naive NCHW) | 1.50 | 1.28 | 43% |' "$page"
check 'the command' grep -q 'Command: .the command' "$page"
check 'a row that ended the process' grep -q '^\* f16-nchw-8-64: ended the process' "$page"

{
    echo '# benchmarks/sparse/run, NVIDIA H200, driver for CUDA 13.0'
    row table1-lenet-conv2-f32-nchw sparse_blocked 10
    row table1-lenet-conv2-f32-nchw sparse_blocked_twice 13
    row table1-lenet-conv2-f32-nchw cudnn_best_fma 30
    row table1-lenet-conv2-tf32-nhwc cudnn_best 5
    row vgg-1-vgg19-conv5_1-f32-nchw sparse_blocked 50
    row vgg-1-vgg19-conv5_1-f32-nchw cudnn 100
    row sequence-1-f32-nchw sparse_blocked 1000
    row sequence-1-f32-nchw cudnn 2300
} >"$from/sparse.csv"
check 'sparse' benchmarks/convpool/publish sparse "$from" "$to" 'the command'
page=$to/h200-sparse.md
check 'Table I' grep -q '^| lenet-conv2 | 20 to 50, 5x5, 11 | .95 |.* 10 | 3 | 30 | 30 | 5 | 3.00 | 3.00 | 0.50 | 1.5 |' "$page"
check "the paper's mean" grep -q "GTX 1080 Ti | 10 | 2.56 | 2.48 | 1.54 | 3.58 | 0 |" "$page"
check 'figure 6' grep -q '^| conv5_1 | .85 |.*| 50 | 100 | 100 | 100 |  | 2.00 | 2.00 |  |' "$page"
check 'the sequence' grep -q '^| all, in sequence |.*| 1000 | 2300 |.*| 2.30 | 2.30 |' "$page"
fails 2 'a folder without measurements' benchmarks/convpool/publish sparse "$scratch" "$to" x
done_testing
