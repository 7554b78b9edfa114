#!/usr/bin/env bash
# long: a minute of processors.
# nvcc's opinion of what is handed in for the labs in CUDA, where it is here, and of variants and references of
# ours, a turn of its own (tests/long.txt). Works on a copy of the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab
mutants=$PWD/tests/mutants
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
share_builds
HPC_NVCC=$(command -v nvcc || ls "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" 2>/dev/null)
export HPC_NVCC
record=$scratch/record.json
. tests/cli/lib/judge.sh
cd "$HPC_ROOT" || exit 1

if [ -z "$HPC_NVCC" ]; then
    skip 'what nvcc does not take, and objects by it' 'no nvcc here'
    done_testing
    exit
fi

if turn refused; then
    sed 's/^__global__/static float on_the_host(float a)\n{\n    return a;\n}\n\n&/; s/y\[i\] = sum;/y[i] = on_the_host(sum);/' \
        conv1d/variants/constant.cu >labs/lab5/constant.cu
    fails 1 'what nvcc does not take' "$hpclab" grade lab5 --only constant --plain --json "$record"
    check 'has the verdict build' judge 't["constant"]["verdict"] == "build"'
    # Its binary of kernels, cut short as by a disk that is full.
    cp conv1d/variants/multi_block.cu labs/lab5/multi_block.cu
    printf '%s\n' '#!/bin/sh' "'$HPC_NVCC' \"\$@\" || exit" \
        'for kept in *.fatbin; do [ ! -f "$kept" ] || { head -c 100 "$kept" >cut; cat cut >"$kept"; }; done' >"$scratch/nvcc"
    chmod +x "$scratch/nvcc"
    fails 3 'a binary of kernels that is cut short' env HPC_NVCC="$scratch/nvcc" \
        "$hpclab" grade lab5 --only multi_block --quick --plain --json "$record"
    check 'is the machine'"'"'s fault' judge 't["multi_block"]["verdict"] == "environment" and
        "cut short" in t["multi_block"]["reason"]'

    # Less than fp32, seen in the PTX; more of the scan: tests/unit/test_ptx.c.
    "$mutants/apply" lab6/register/half_precision labs/lab6/register.cu
    fails 1 'half precision, seen in the PTX' "$hpclab" grade lab6 --only register --plain --json "$record"
    check 'has the verdict build, its line and kernel' judge 't["register"]["verdict"] == "build" and
        t["register"]["reason"].startswith("labs/lab6/register.cu:18: kernel register_kernel holds cvt.")'
    sed -i '/^\[task register\]/a instructions = half' labs/lab6/lab.ini
    fails 1 'a task that lets half precision through' "$hpclab" grade lab6 --only register --plain --json "$record"
    check 'runs it' judge 't["register"]["verdict"] == "wrong"'
    sed -i 's/^instructions = half/instructions = quarter/' labs/lab6/lab.ini
    fails 2 'a kind that there is not' "$hpclab" grade lab6 --only register --plain
    shows 'lab.ini:[0-9]*: instructions = quarter, expected half, tensor, approx or cache' 'is named with its line'
    sed -i '/^instructions = /d' labs/lab6/lab.ini
fi

turn ours || { done_testing; exit; }
check 'objects by nvcc' "$hpclab" build --objects conv1d --device cuda
check 'in their own folder' sh -c 'nm build/cuda/variants/conv1d/constant.o | grep -q "D hpc_variant_constant" &&
    nm -u build/cuda/variants/conv1d/constant.o | grep -q cudaLaunchKernel'

# What earns full marks holds nothing of the kind. Students get no headers of variants/.
for folder in conv1d conv2d; do
    for file in $folder/variants/*.h; do sed "s|$folder/variants/|$folder/|" "$file" >"$folder/${file##*/}"; done
done
for file in labs/lab[567]/starter/*.cu; do
    lab=${file#labs/} lab=${lab%%/*} name=${file##*/}
    for folder in conv1d conv2d; do
        [ ! -e $folder/variants/$name ] || sed "s|$folder/variants/|$folder/|" $folder/variants/$name >labs/$lab/$name
    done
done
sed 's|"register_record.h"|"conv1d/register_record.h"|' conv1d/variants/register_record.cu >labs/lab6/register.cu
for lab in lab5 lab6 lab7; do check "references of $lab" "$hpclab" build $lab --device cpu; done
done_testing
