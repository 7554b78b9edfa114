#!/usr/bin/env bash
# term.ini: what a term asks makes this project's solutions wrong, and those that do what is asked right.
# TEST_ALL=1: every task of every lab, under every variation; else some of them.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_all "$HPC_ROOT" lib device
share_builds
short_cases
cd "$HPC_ROOT" || exit 1
term() { # LINES: of [term], beside a key
    { printf '[term]\nkey = autumn-2026\n' && printf '%b' "$1"; } >term.ini
}
run() { # TASK CASE WORDS
    local task=$1 case=$2
    shift 2
    "$hpclab" run "$task" --case "$case" --calls 1 --plain --device cpu "$@"
}
terms() { # OP: the names of its variations, by the words of a mistake
    term "$1 = x\n"
    "$hpclab" grade "$lab" --only none 2>&1 </dev/null | sed -n 's/.*= x, expected none, //p' | tr -d ','
}
# As a student would hand it in: headers of variants/ are not theirs, so they stand in the file.
inlined() {
    python3 -c 'import re, sys
def text(path): return re.sub(r"#include \"(\w+/(?:variants|ranks)/[^\"]+)\"\n", lambda m: text(m[1]), open(path).read())
print(text(sys.argv[1]), end="")' "$1"
}
case_of() { # LAB OP
    case $2 in
    conv1d) echo primes ;;
    window_format) echo format_odd ;;
    mlp_ranks) echo two ;;
    *) echo odd ;;
    esac
}
few='flat unrolled pthread single_block window_format allreduce'
. tests/cli/lib/mpi.sh
labs='lab1 lab2 lab3 lab4 lab5 lab6 lab7 lab8'
if have_mpi; then labs+=' lab9'; else skip 'lab9 in another term' 'no Open MPI here'; fi
for lab in $labs; do
    while IFS=$'\t' read -r task op reference file; do
        [ -n "$file" ] || continue # a sheet has no reference
        [ "${TEST_ALL:-0}" = 1 ] || [[ " $few " == *" $task "* ]] || continue
        inlined "${reference%/*}/variants/${reference#*/}.${file##*.}" >"labs/$lab/$file"
        case=$(case_of "$lab" "$op")
        for name in $(terms "$op"); do
            term "$op = $name\n"
            fails 1 "$lab, $task, $name: our own solution handed in" run "$lab/$task" "$case" --impl student
            shows '^  wrong ' '  is wrong'
            [ "${TEST_ALL:-0}" = 1 ] || [[ $task != flat ]] || check '  and as our reference it is right' \
                run "$lab/$task" "$case" --impl reference
        done
        rm -f term.ini
        check "$lab, $task: without a term it is right" run "$lab/$task" "$case" --impl student
    done < <("$hpclab" list "$lab" --tsv=name,op,reference,file)
done

# What does as it is asked is right, in C, and on the CPU device.
term 'mlp_sgd = whole_error\n'
cp mlp/variants/flat.c labs/lab1/
fails 1 'the half of it' run lab1/flat odd --impl student
shows 'equals half the rate: is that in.MLP_RATES.. Then D is not -dE/dz of the contract.s E' 'is not told to be what is asked'
sed 's/rate \*/2 * rate */' mlp/variants/flat.c >labs/lab1/flat.c
check 'twice the rate for the whole error' run lab1/flat odd --impl student
rm term.ini && fails 1 'which is wrong where it is not asked' run lab1/flat odd --impl student
if have_mpi; then
    term 'mlp_ranks = whole_error\n'
    inlined mlp/variants/mpi.c | sed 's/ = \*(const double \*)in\[MLP_RATES\]/ = 2 * *(const double *)in[MLP_RATES]/' >labs/lab9/allreduce.c
    check 'on ranks too' run lab9/allreduce two --impl student
fi
# The net of lab1's profile is a student's own, and another one each term.
facts() { "$hpclab" profile lab1 --student Ada --quick --plain >/dev/null && grep -E 'samples|layers|size' results/lab1/profile/facts.json; }
term '' && one=$(facts)
rm term.ini && two=$(facts)
check "lab1's net is the term's" test -n "$one" -a "$one" != "$two"
term 'conv1d = flipped\n'
sed 's/w\[j + radius\]/w[radius - j]/' conv1d/variants/single_block.cu >labs/lab5/single_block.cu
check 'a flipped mask' run lab5/single_block primes --impl student
check 'under the checker too' "$hpclab" run lab5/single_block --case primes --plain --impl student --safety checker
term 'conv1d = centre_first\n'
fails 1 'is not what another term asks' run lab5/single_block primes --impl student
sed 's/w\[j + radius\]/w[j < 0 ? -2 * j - 1 : 2 * j]/' conv1d/variants/single_block.cu >labs/lab5/single_block.cu
check 'a mask from its centre' run lab5/single_block primes --impl student
term 'window_format = columns_first\n'
inlined conv2d/variants/window_format.cu | sed 's/w\[i \* p.s + j\]/w[j * p.r + i]/' >labs/lab7/window_format.cu
check 'columns first' run lab7/window_format format_odd --impl student

# A grading says what is asked; the drawn problems of a sheet are another term's.
cp labs/lab5/starter/intensity.ini labs/lab5/ && sed -i 's/^student *=.*/student = Ada/' labs/lab5/intensity.ini
problem() { "$hpclab" grade lab5 --only intensity --quick --plain | grep -o 'your problem: n = [0-9]*'; }
term '' && one=$(problem)
sed -i 's/autumn/spring/' term.ini && rm -rf results && two=$(problem)
check 'the problems of a sheet are the term'"'"'s' test -n "$one" -a "$one" != "$two"
term 'conv1d = flipped\n'
"$hpclab" grade lab5 --only intensity --quick --plain >"$scratch/.output"
shows '^this term, conv1d: The mask is flipped' 'a grading says what is asked'

check 'a release' "$hpclab" release lab5 --no-check
mkdir "$scratch/out" && tar -xzf dist/hpclab-lab5-*.tar.gz -C "$scratch/out" --strip-components=1
cd "$scratch/out" || exit 1
check 'has the term' cmp term.ini "$HPC_ROOT/term.ini"
check 'says it in the handout' grep -q '^> This term, of `conv1d`: The mask is flipped' handouts/lab5.md
check 'and in each starter' test "$(grep -l '^/\* This term: The mask is flipped' labs/lab5/starter/*.cu | wc -l)" = 3
check 'MANIFEST sums are right' sha256sum --quiet -c MANIFEST
check 'no file is there twice' sh -c "tar -tzf '$HPC_ROOT'/dist/hpclab-lab5-*.tar.gz | sort | uniq -d | (! grep .)"

cd "$HPC_ROOT" || exit 1
says 2 "term.ini:3: conv1d = upside_down, expected none, flipped, centre_first" 'a variation that there is not' \
    sh -c "printf '[term]\nkey = k\nconv1d = upside_down\n' >term.ini; '$hpclab' grade lab5 --plain"
says 2 'term.ini:3: conv3d, expected key or an operation such as' 'an operation that there is not' \
    sh -c "printf '[term]\nkey = k\nconv3d = flipped\n' >term.ini; '$hpclab' grade lab5 --plain"
says 2 'term.ini: expected a section .term. with a key' 'no key' sh -c "echo '[term]' >term.ini; '$hpclab' grade lab5 --plain"
done_testing
