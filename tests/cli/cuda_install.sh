#!/usr/bin/env bash
# device/install, which `make install-device` calls: the CPU device by itself, moved to another folder, builds and runs programs, and its
# checker reports, without anything of the project.
. tests/tap.sh
if [ "$(uname -m)" = x86_64 ]; then
    # As made where there is no AVX-512, and carried to where there is.
    copy_all "$scratch/without"
    make -s -C "$scratch/without" build/device/flags-run build/device/flags-asan CC='gcc -mno-avx512f' CXX='g++ -mno-avx512f' >/dev/null
    for mode in run asan; do
        check "made without AVX-512, $mode forbids it" grep -qx 'cc -mno-avx512f' "$scratch/without/build/device/flags-$mode"
        fails 1 'and fibers do not keep its registers' grep -q DEV_AVX512 "$scratch/without/build/device/flags-$mode"
    done
fi
samples=$PWD/tests/device/samples seeded=$PWD/tests/device/seeded
check 'device/install' device/install "$scratch/first"
mv "$scratch/first" "$scratch/moved"
cd "$scratch" || exit 1
alone() { env -i "PATH=/usr/bin:/bin" moved/bin/hpc-cuda "$@"; }
check 'a program runs' alone "$samples/kernel_arguments.cu"
shows '^PASS$' 'and is right'
fails 99 'the checker' alone --mode check -DBUG "$seeded/global_one_past_end.cu"
shows 'check: .*past the end' 'reports an overrun'
check '-o' alone -O1 -o program "$samples/kernel_heap.cu"
check 'leaves a program' ./program
shows '^PASS$' 'that is right'
echo 'int main() { return N - T(7); }' >macros.cu
check 'macros of one letter' alone -DN=7 '-DT(x)=x' -DF -UF macros.cu
fails 2 'no file' alone --mode run
shows 'expected hpc-cuda FILE' 'is told'
fails 2 'a mode that there is not' alone --mode fast x.cu
shows 'expected run, check, traffic or asan' 'is told with those that there are'
done_testing
