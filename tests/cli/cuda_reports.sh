#!/usr/bin/env bash
# What the checker of `hpclab cuda` says of one place and of calls, and its schedules: more than whether
# a seeded bug is found.
. tests/tap.sh
hpclab=build/hpclab

if ! command -v g++ >/dev/null; then
    skip 'reports of hpclab cuda' 'no g++ here'
    done_testing
    exit
fi

cat >"$scratch/two.cu" <<'EOF'
#include <cuda_runtime.h>
__global__ void copy(int *a, const int *b)
{
    a[threadIdx.x] = b[threadIdx.x];
}
int main()
{
    int *a, *b;
    cudaMalloc(&a, 120);
    cudaMalloc(&b, 124);
    cudaMemset(b, 0, 124);
    copy<<<1, 32>>>(a, b);
    cudaFree(a);
    cudaFree(b);
    cudaFree(b);
}
EOF
fails 1 'two overruns on one line, and memory freed twice' $hpclab cuda "$scratch/two.cu"
shows 'writes 4 bytes at .*two\.cu:4, just past the end of the allocation of .*two\.cu:9' 'the one that is written'
shows 'reads 4 bytes at .*two\.cu:4, just past the end of the allocation of .*two\.cu:10' 'the one that is read'
shows 'cudaFree at .*two\.cu:15 was given' 'the line of the second cudaFree'

check 'a program that prints times, in four orders' $hpclab cuda --schedules 4 tests/device/samples/clocks.cu
shows '^PASS$' 'prints the same in all of them'

cat >"$scratch/order.cu" <<'EOF'
#include <cstdio>
#include <cuda_runtime.h>
__device__ int last;
__global__ void race()
{
    atomicExch(&last, threadIdx.x);
}
int main()
{
    int h;
    race<<<1, 64>>>();
    cudaMemcpyFromSymbol(&h, last, sizeof h);
    printf("%d\n", h);
}
EOF
fails 1 'a program that depends on the order' $hpclab cuda --schedules 4 "$scratch/order.cu"
shows 'schedule: ' 'is still told so'
done_testing
