#!/usr/bin/env bash
# hpclab cuda: a GPU has 64 KiB of __constant__ memory, for the variables of a file and its headers together.
. tests/tap.sh
hpclab=build/hpclab
export CXX=$PWD/tests/cli/lib/kept_cxx.sh

if ! command -v g++ >/dev/null; then
    skip 'hpclab cuda' 'no g++ here'
    done_testing
    exit
fi

# constants FLOATS OF ANOTHER: a program whose __constant__ variables are 16,000 floats and these.
constants() { printf '__constant__ float a[16000], b[%s];\nint main() { return 0; }\n' "$1"; }
constants 384 >"$scratch/constants.cu"
check '64 KiB of __constant__ variables' $hpclab cuda "$scratch/constants.cu"
constants 385 >"$scratch/constants.cu"
for mode in check run; do
    says 1 'constants\.cu:1: the __constant__ variables of this file and its headers have 65540 bytes, of the 65536 that a GPU has$' \
        "more of them in $mode mode" $hpclab cuda --mode $mode "$scratch/constants.cu"
done
# Those of a header are each file's own, but with -rdc=true.
echo 'static __constant__ float of_header[10000];' >"$scratch/constants.cuh"
printf '#include "constants.cuh"\n__global__ void k(float *y) { *y = of_header[0]; }\nint main() { return 0; }\n' \
    >"$scratch/constants.cu"
printf '#include "constants.cuh"\n__constant__ float own[MORE];\n__global__ void k2(float *y) { *y = of_header[0] + own[0]; }\n' \
    >"$scratch/others.cu"
check 'a header'"'"'s in two files' $hpclab cuda -DMORE=6384 "$scratch/constants.cu" "$scratch/others.cu"
says 1 'the __constant__ variables of this file and its headers have 65540 bytes' 'one file of which has more' \
    $hpclab cuda -DMORE=6385 "$scratch/constants.cu" "$scratch/others.cu"
says 1 'the __constant__ variables of this file and its headers have 80004 bytes' 'in a program with -rdc=true' \
    $hpclab cuda -rdc=true -DMORE=1 "$scratch/constants.cu" "$scratch/others.cu"
constants 16385 >"$scratch/constants.cu"
says 2 'constants\.cu:1:.* error: static assertion failed: a GPU has 64 KiB of __constant__ memory$' \
    'one that has more' $hpclab cuda "$scratch/constants.cu"
done_testing
