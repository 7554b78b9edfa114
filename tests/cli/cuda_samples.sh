#!/usr/bin/env bash
# long: minutes of processors.
# The programs of tests/device: the samples run on the CPU device by `hpclab cuda`, and the checker
# says nothing of them, but of those whose first line says what it reports; the seeded bugs are as their
# README says; and where nvcc is present it compiles all of them without a word, a turn of its own: most
# samples joined, the seeded ones joined and for the device alone, with TEST_ALL=1 one by one and whole.
. tests/tap.sh
hpclab=build/hpclab
samples=tests/device/samples
seeded=tests/device/seeded
export CXX=$PWD/tests/cli/lib/kept_cxx.sh

# ---- nvcc --------------------------------------------------------------------------------------

# compiles FLAGS FILE ..: nothing may be said; jobs as many as cores.
compiles() {
    local flags=$1
    shift
    printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c '
        helpers='$samples/include'
        ! grep -q "<helper_" "$1" || helpers=device/include/samples
        nvcc -std=c++17 -Wno-deprecated-gpu-targets '"$flags"' -I $helpers \
            -o "$2/$(basename "$1").out" "$1" >"$2/$(basename "$1").said" 2>&1 || echo "$1: refused"
        sed "s|^|$1: |" "$2/$(basename "$1").said"' sh {} "$scratch/nvcc" >"$scratch/said"
    cat "$scratch/said"
    [ ! -s "$scratch/said" ]
}

# joined FILE ..: the programs as one, each in a namespace of its own and without its macros behind it:
# nvcc reads CUDA's headers once.
joined() {
    local file
    cat "$@" | grep -hE '^#include <' | sort -u
    for file; do
        echo "namespace $(basename "$file" .cu) {"
        echo "#line 1 \"$file\""
        sed 's/^#include .*//' "$file"
        sed -nE 's/^#define +([A-Za-z_0-9]+).*/#undef \1/p' "$file"
        echo '}'
    done
}

path=$PATH PATH=$PATH:/usr/local/cuda/bin
if ! turn nvcc; then
    :
elif command -v nvcc >/dev/null; then
    mkdir "$scratch/nvcc"
    # Those with headers of their own, or with names of the global scope, stand alone.
    mapfile -t alone < <(grep -lE '#include "|<helper_|(^|[^[:alnum:]_>])::[a-z]' $samples/*.cu)
    mapfile -t others < <(printf '%s\n' $samples/*.cu | grep -vxF "$(printf '%s\n' "${alone[@]}")")
    if [ "${TEST_ALL:-0}" != 1 ]; then
        joined "${others[@]}" >"$scratch/joined.cu"
        others=("$scratch/joined.cu")
    fi
    check 'nvcc compiles the samples' compiles -cubin "${others[@]}" "${alone[@]}" $samples/*/*.cu
    if [ "${TEST_ALL:-0}" = 1 ]; then
        check 'nvcc compiles the seeded bugs, one by one' compiles '-c -DBUG' $seeded/*.cu
        check 'nvcc compiles their twins' compiles -c $seeded/*.cu
    else
        joined $seeded/*.cu >"$scratch/twins.cu"
        sed '1i #define BUG' "$scratch/twins.cu" >"$scratch/bugs.cu"
        check 'nvcc compiles the seeded bugs and their twins' compiles -ptx "$scratch/bugs.cu" "$scratch/twins.cu"
    fi
else
    skip 'nvcc compiles all of tests/device' 'no nvcc here'
fi
PATH=$path

# sample NAME MODE WORD ..: builds and runs in a mode; its output, and the status as the last line, to
# $scratch/NAME.MODE. A program that asks for <helper_..> gets the device's, the others those of samples/include.
sample() {
    local out=$scratch/$1.$2 mode=$2 helpers=(-I "$samples/include")
    shift 2
    ! grep -q '<helper_' "$1" || helpers=()
    HPC_DEVICE_KEY=KEY $hpclab cuda --mode "$mode" "${helpers[@]}" "$@" >"$out" 2>&1
    echo "exit status $?" >>"$out"
}

# ended NAME MODE: whether it ended 0, and with PASS where it ran.
ended() {
    cat "$scratch/$1.$2"
    grep -qE '^exit status 0$' "$scratch/$1.$2" &&
        { [ "$2" = check ] || grep -qE '^(PASS|.*: PASS)' "$scratch/$1.$2"; }
}

# early: the samples, those with most words first, that have a function of CUDA's, a word of C++'s or a line of
# what the checker says that none before them has.
words='\b((cuda|cublas|cuC|nvtx|curand|__|atomic)[A-Za-z_0-9]+ *[(<]|cg::[a-z_]+|(asm|catch|extern|goto|new|operator|'
words+='printf|switch|template|union|virtual|volatile)\b)|^// (reported: .*|not in check mode)$'
early() {
    (cd "$samples" && grep -oHE "$words" ./*.cu) | tr -d ' (<' | sort -u |
        awk -F: '{ row[NR] = $0; of[NR] = $1; count[$1]++ }
            END { for (i = 1; i <= NR; i++) print count[of[i]] ":" row[i] }' | sort -t: -k 1,1nr -k 2 |
        awk -F: '{ word = $0; sub(/^[^:]*:[^:]*:/, "", word) } !met[word]++ && !shown[$2]++ { print $2 }' |
        sed 's,.*/,,; s,\.cu$,,'
}
early >"$scratch/early"
folders=() names=()
! turn first || folders=(simple_templates convolution_separable two_files)
for file in "$samples"/*.cu; do
    name=$(basename "$file" .cu) part=again
    ! grep -qx "$name" "$scratch/early" || part=first
    ! turn $part || names+=("$name")
done
running=0
for mode in run check; do
    for name in "${names[@]}"; do
        sample "$name" $mode "$samples/$name.cu" &
        [ $((running += 1)) -lt "$(nproc)" ] || wait -n
    done
    for name in ${folders[@]+"${folders[@]}"}; do
        sample "$name" $mode "$samples/$name"/*.cu &
        [ $((running += 1)) -lt "$(nproc)" ] || wait -n
    done
done
wait
# reported NAME KIND: whether the checker reports that, and hpclab ends 1.
reported() {
    cat "$scratch/$1.check"
    grep -q '^exit status 1$' "$scratch/$1.check" && grep -q "\"kind\":\"$2\"" "$scratch/$1.check"
}

# refused NAME: whether check mode says that it does not support something, with the place.
refused() {
    cat "$scratch/$1.check"
    grep -qE "$1\.cu:[0-9]+: not supported: " "$scratch/$1.check"
}

for name in "${names[@]}" ${folders[@]+"${folders[@]}"}; do
    check "$name prints PASS" ended "$name" run
    kind=
    [ ! -f "$samples/$name.cu" ] || kind=$(sed -n '1s|^// reported: ||p' "$samples/$name.cu")
    if grep -q '^// not in check mode$' "$samples/$name.cu" 2>"$scratch/none"; then
        check "$name is refused by the checker" refused "$name"
    elif [ "$kind" ]; then
        check "$name is reported: $kind" reported "$name" "$kind"
    else
        check "$name is clean to the checker" ended "$name" check
    fi
done

turn device || { done_testing; exit; }

check 'kernel_printf again' $hpclab cuda --mode run $samples/kernel_printf.cu
shows '^\[3, 7\]:		Value is:10$' 'prints a line for the last thread'
shows '^1\.50 ms, 2\.0e\+03, k, ff, 1099511627776, 100%$' 'and all formats'
check 'arguments behind --' $hpclab cuda --mode run -I $samples/include $samples/matrix_mul.cu -- -block=16 \
    -wA=48 -hA=32 -wB=64
shows '^MatrixA\(48,32\), MatrixB\(64,48\)$' 'reach the program'
check 'two files and arguments' $hpclab cuda --mode run $samples/two_files/*.cu -- 500 7
shows '^PASS: n 500, radius 7' 'reach the program too'
check '-D' $hpclab cuda --mode run -DTILE=8 -DSTEPS=3 $samples/heat2d.cu
shows '^tile 8, 3 steps: PASS' 'reaches the compiler'
printf '#include "none.cuh"\nint main() { }\n' >"$scratch/header.cu"
fails 2 'a header that is not found' $hpclab cuda --mode run "$scratch/header.cu"
shows 'header\.cu:1.*none\.cuh' 'is named with its line'
check 'a header of samples that nobody brings' $hpclab cuda --mode run $samples/matrix_mul.cu
shows '^PASS' "is the device's"
fails 2 'a file that is not there' $hpclab cuda --mode run "$scratch/none.cu"
mkdir "$scratch/a folder"
cp $samples/simple_templates/* "$scratch/a folder"
sample elsewhere run "$scratch/a folder/simple_templates.cu"
check 'a file elsewhere, with a header beside it' ended elsewhere run
fails 1 'a program that ends 1' $hpclab cuda --mode run -DBUG $seeded/dong_tile1_int.cu

# ---- the seeded bugs ---------------------------------------------------------------------------

kinds=$(sed -n '/^| `kind` |/s/[|`]/ /gp' docs/device.md)

# marked: each has a kind that there is, marked lines, what is wrong, what its twin does, and two forms.
marked() {
    local file kind bad=0
    for file in "$seeded"/*.cu; do
        kind=$(sed -n '1s|^// expect: ||p' "$file")
        [ -n "$kind" ] || { echo "$file: no kind in line 1"; bad=1; }
        for kind in $kind; do
            case " $kinds wrong " in *" $kind "*) ;; *) echo "$file: kind $kind"; bad=1 ;; esac
        done
        grep -q ' // EXPECTED$' "$file" || { echo "$file: no line ends in // EXPECTED"; bad=1; }
        sed -n 2p "$file" | grep -q '^// ' || { echo "$file: line 2 does not say what is wrong"; bad=1; }
        grep -q '^// Without BUG: ' "$file" || { echo "$file: no word of its twin"; bad=1; }
        grep -qE '^#ifn?def BUG$' "$file" || { echo "$file: one form only"; bad=1; }
    done
    return $bad
}
check 'every seeded bug names a kind of report, its lines, and its twin' marked
done_testing
