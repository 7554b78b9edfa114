#!/usr/bin/env bash
# A site with Volta GPUs has nvcc 12, since 13 knows none older than Turing: it compiles the kernels,
# the starters and the runner, with TEST_ALL=1 the samples. The nvcc is that of build/nvcc12 (tests/bring_nvcc12), or
# NVCC12 in the environment.
. tests/tap.sh
nvcc=${NVCC12:-$PWD/build/nvcc12/bin/nvcc}
if [ ! -x "$nvcc" ]; then
    skip 'for a Volta GPU' 'no nvcc 12: tests/bring_nvcc12'
    done_testing
    exit
fi
check 'it is of CUDA 12' sh -c "'$nvcc' --version | grep 'release 12\.'"

# Minutes of nvcc's optimiser each, for a kernel in many sizes: it is left out of these.
many_sizes=' conv2d/variants/conv_dense_split.cu conv2d/variants/conv_fastest.cu '

# compile FILE OUTPUT: what nvcc says to OUTPUT, with `compiled` as the last line where it is taken. A
# cubin: nvcc reads the host's code for it too, but g++ does not, which is the same for every nvcc.
compile() {
    local plain=() helpers=tests/device/samples/include
    ! grep -q '<helper_' "$1" || helpers=device/include/samples
    [[ $many_sizes != *" $1 "* ]] || plain=(-Xcicc -O0 -Xptxas -O0)
    "$nvcc" -std=c++17 -default-stream=per-thread -DHPC_GPU -Wno-deprecated-gpu-targets \
        -gencode=arch=compute_70,code=sm_70 "${plain[@]}" ${cudnn:+-I"$cudnn"} -I. -I"$helpers" \
        -cubin -o "$2.cubin" "$1" >"$2" 2>&1 && echo compiled >>"$2"
    rm -f "$2.cubin"
}

# cuDNN's headers of CUDA 13 will do: what they declare is the same.
for cudnn in "${CUDNN_PATH:-/usr}/include" /usr/include/x86_64-linux-gnu /usr/local/cuda/include ''; do
    [ -e "$cudnn/cudnn.h" ] && break
done
if [ -n "$cudnn" ]; then # these alone: the rest of CUDA 13's must not be seen
    mkdir "$scratch/cudnn" && cp "$cudnn"/cudnn*.h "$scratch/cudnn/" && cudnn=$scratch/cudnn
fi

files=(*/variants/*.cu */op/*.cu labs/*/starter/*.cu runner/*.cu)
[ "${TEST_ALL:-0}" = 0 ] || files+=(tests/device/samples/*.cu tests/device/samples/*/*.cu)
for file in "${files[@]}"; do
    while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do wait -n; done
    compile "$file" "$scratch/${file//\//_}" &
done
wait
for file in "${files[@]}"; do
    if [ -z "$cudnn" ] && grep -q 'cudnn\.h' "$file"; then
        skip "$file" 'no cuDNN: its headers are looked for where nvcc would'
        continue
    fi
    check "$file, for a Volta GPU" sh -c "cat '$scratch/${file//\//_}'; tail -n 1 '$scratch/${file//\//_}' | grep -qx compiled"
done
done_testing
