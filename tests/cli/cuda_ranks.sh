#!/usr/bin/env bash
# benchmarks/ranks: a GPU's replicas train as replicas on the processor do, here on the CPU device;
# its words; and that it compiles, over NCCL too where that is here.
. tests/tap.sh
program='benchmarks/ranks/gpus.cu benchmarks/ranks/all_reduce_one.cu'
for mode in run check; do
    # shellcheck disable=SC2086
    check "it is right in $mode" build/hpclab cuda --mode "$mode" -I. $program -- --check
    check "in four problems, in $mode" [ "$(grep -c '^right: ' "$scratch/.output")" = 4 ]
done
mkdir -p "$scratch/benchmarks/ranks"
cp benchmarks/ranks/*.cu benchmarks/ranks/*.cuh benchmarks/ranks/*.h "$scratch/benchmarks/ranks"
sed -i 's/(1 - in\[i\])/(1 + in[i])/' "$scratch/benchmarks/ranks/replica.cuh"
fails 1 'a wrong derivative is seen' build/hpclab cuda --mode run -I"$scratch" -I. \
    "$scratch"/benchmarks/ranks/{gpus,all_reduce_one}.cu -- --check
check 'and told' [ "$(grep -c '^WRONG: ' "$scratch/.output")" -gt 0 ]
fails 2 'a wrong word' benchmarks/ranks/run --round
check 'is named' [ "$(grep -c -- '--round: expected' "$scratch/.output")" = 1 ]

PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null; then
    skip 'nvcc takes it' 'no nvcc here'
    done_testing
    exit
fi
# shellcheck disable=SC2086
check 'nvcc takes it' nvcc -std=c++17 -arch=sm_90 -I. -Werror all-warnings -o "$scratch/one" $program
ARCH=sm_90 benchmarks/ranks/run --build-only >"$scratch/said" 2>&1
case $? in
0) check 'over NCCL' grep -q ncclAllReduce build/bench/ranks ;;
3) skip 'over NCCL' "no NCCL here" ;;
*) check 'over NCCL' cat "$scratch/said" /no/such/file ;;
esac
done_testing
