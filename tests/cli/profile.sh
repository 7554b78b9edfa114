#!/usr/bin/env bash
# alone: its shares of time are measured.
# hpclab profile, and lab1's answers marked against a profile of the grader's own. In a copy of the
# project, so that nobody's answers are touched.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib
cd "$HPC_ROOT" || exit 1
answers=labs/lab1/answers.ini
cp labs/lab1/starter/answers.ini $answers
out=results/lab1/profile

fails 2 'profile without a lab' "$hpclab" profile
shows '^hpclab: profile: which lab' 'asks for it'
fails 2 'profile of a lab without a file to look at' "$hpclab" profile lab3
shows 'openmp_trainer: .*not there' 'says which'
fails 2 'seconds that are none' "$hpclab" profile lab1 --seconds soon
shows '^hpclab: --seconds soon: expected a number' 'are named'
fails 2 'profile with an empty name' "$hpclab" profile lab1
shows '^hpclab: profile: no name in the answers of lab1: write yours there' 'says what to write'
rm $answers
fails 2 'profile without answers.ini' "$hpclab" profile lab1
shows '^hpclab: labs/lab1/answers.ini: not there, .*make lab1 lays it out, or give the name: --student NAME$' 'is named'
cp labs/lab1/starter/answers.ini $answers

check 'profile of a student' "$hpclab" profile lab1 --quick --student 'Test Person' --plain
cp "$scratch/.output" "$scratch/profile"
shows '^ +[0-9.]+% +[0-9.]+ +[0-9]+  back_propagation +#' 'shows back_propagation'
shows '^func[0-7] +[0-9.]+% +[0-9.]+  ' 'shows the sections'
shows 'it does not see (1[5-9]|[2-6][0-9])% of the time' 'says how much is not seen'
shows '_int_(malloc|free)' 'and the static program shows where it goes'
shows '^Events: ([0-9.]+ instructions a cycle|no cycles, instructions or cache misses: )' \
    'and what the processor counted, or why nothing'
for file in flat.txt graph.txt sections.txt whole.txt facts.json graph.dot; do
    check "writes $file" test -s $out/$file
done
check "each picture's sentence" eval '[ "$(cat $out/profile.svg.txt $out/graph.svg.txt | grep -cE "[0-9.]+% in [a-z_]+, .*gprof does not see")" = 2 ]'
for pair in gnuplot:profile.svg dot:graph.svg; do
    if command -v "${pair%:*}" >"$scratch/.output"; then
        check "${pair%:*} draws ${pair#*:}" grep -q '<svg' $out/"${pair#*:}"
    else
        check "without ${pair%:*} a line says so" grep -q "no ${pair#*:}: " "$scratch/profile"
    fi
done
check 'leaves no gmon.out here' test ! -e gmon.out

# The answers as a student reads them off the profile.
column() { awk -v f="$1" -v c="$2" '$NF == f { print $c; exit }' "$out/flat.txt"; }
rank() { awk '$2 ~ /^[0-9.]+$/ && NF >= 4 { n++; if (n == '"$1"') { print $NF; exit } }' "$out/flat.txt"; }
fact() { awk -v k="\"$1\":" '$1 == k { gsub(",", ""); print $2 }' "$out/facts.json"; }
cpu=$(fact cpu_seconds) seen=$(fact gprof_seconds) epochs=$(fact epochs)
own=$(column back_propagation 3)
whole=$(awk '/^\[/ { inside = $(NF - 1) == "back_propagation"; if (inside) t = $3 + $4; next }
    inside && $4 == "calculate_local_gradient" { printf "%.1f", 100 * ($1 + $2) / t }' $out/graph.txt)
{
    echo '[answers]'
    echo 'student = test person'
    for i in 1 2 3; do
        echo "hottest$i = $(rank $i)"
        echo "hottest${i}_share = $(column "$(rank $i)" 1)"
    done
    echo "mat_mul_calls = $(awk "BEGIN { print $(column mat_mul 4) / $epochs }")"
    echo 'gradient_caller = back_propagation'
    echo "gradient_share = $whole"
    echo "amdahl_bound = $(awk "BEGIN { print 1 / (1 - $own / $cpu) }")"
    echo "hottest_section = $(awk '/^func/ && $3 > most { most = $3; s = $1 } END { print s }' $out/sections.txt)"
    echo "unseen_share = $(awk "BEGIN { print 100 * (1 - $seen / $cpu) }")"
    echo 'unseen_where = allocator'
    echo 'final ='
} >$answers
check 'every key of the starter is asked for' diff \
    <(sed -n 's/^\([a-z0-9_]*\) =.*/\1/p' labs/lab1/starter/answers.ini) \
    <(sed -n 's/^\([a-z0-9_]*\) =.*/\1/p' $answers)
"$hpclab" build lab1 --impl student >"$scratch/.output" 2>&1
grade() { "$hpclab" grade lab1 --only profile_answers --quick --plain; }
check "a student's answers get full marks" grade
shows 'profile_answers .*pass +13/13 .*50.0/50' '50 of 50'
section=$(sed -n 's/^hottest_section = //p' $answers) third=$(sed -n 's/^hottest3_share = //p' $answers)
sed -i "s/^hottest2 = .*/hottest2 = $(rank 1)/; s/^hottest2_share = .*/hottest2_share = $(column "$(rank 1)" 1)/" $answers
sed -i "s/^hottest_section = .*/hottest_section = $((${section#func} + 1))/; s/^hottest3_share = .*/hottest3_share = $(awk "BEGIN { print 100 - $third }")/" $answers
sed -i 's/^mat_mul_calls = .*/mat_mul_calls = 4/; s/^unseen_where = .*/unseen_where = kernel/; s/^final =.*/final = yes/' $answers
fails 1 'one function named twice, and four wrong answers' grade
shows 'profile_answers .*wrong +7/13 .*26.5/50' 'earns its name and its share once; guessing is taken off'
shows 'answers.ini: hottest2 = .*: not right: named twice' 'and the first is explained'
check 'a share of all others' grep -q 'hottest3_share = .*yours: 100 less what is asked for: the share of all others' results/lab1/profile_answers.txt
check 'a section counted from 1' grep -q 'hottest_section = .*yours: one too many: sections count from 0' results/lab1/profile_answers.txt
check 'calls of one run, and the allocator' test "$(grep -cE '^ +0%.*(mat_mul_calls = 4  [(]worked out: calls of all runs|unseen_where = kernel  [(]worked out: allocator)' results/lab1/profile_answers.txt)" = 2
check 'every answer has its line' test "$(grep -c '^ *[0-9]*%' results/lab1/profile_answers.txt)" = 13
head -c 3000 /dev/urandom >$answers
fails 1 'a file of noise is marked, not followed' grade
shows 'profile_answers .*wrong .*0.0/50' 'with 0'
cp labs/lab1/starter/answers.ini $answers
fails 1 'the starter' grade
# shellcheck disable=SC2016
shows '`student` is empty: write your name, then run ./hpclab profile lab1' 'says what to do first'

# serial on the paper's net: the order of [Dong], figure 3, and its shares within 8 points, by gcov's counts
# of lines at -O0, which are the same in every run; gprof's samples of time are not, beside others.
epochs=2
sources=(mlp/profile/main.c mlp/variants/serial.c common/random.c common/error.c)
gcc -O0 --coverage -std=gnu11 -I. -o serial "${sources[@]}" -lm || exit 1
./serial 4,4,5,5,1 5,4,3,2 1096 $epochs 1 >"$scratch/.output" || exit 1
gcov -t serial-serial.gcda >serial.gcov || exit 1
# FUNCTION, its lines' executions, its calls; the most executed first.
awk -F: '{ line = $0; sub(/^[^:]*:[^:]*:/, "", line); count = $1; gsub(/[ *]/, "", count) }
    line ~ /^[a-z][^;]*\(/ { name = line; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); calls[name] = count }
    count ~ /^[0-9]+$/ { n[name] += count }
    END { for (f in n) print f, n[f], calls[f] }' serial.gcov | sort -k2,2nr >lines.txt
near() { # FUNCTION PERCENT
    awk -v f="$1" -v want="$2" '{ all += $2 } $1 == f { got = $2 }
        END { got = 100 * got / all; print f, got "%, the paper has", want "%"
            exit !(got > want - 8 && got < want + 8) }' lines.txt
}
cat lines.txt >"$scratch/.output"
check 'order of the paper' diff <(head -n 3 lines.txt | cut -d' ' -f1) \
    <(printf '%s\n' back_propagation calculate_local_gradient mat_mul)
check 'back_propagation as in the paper' near back_propagation 53
check 'calculate_local_gradient as in the paper' near calculate_local_gradient 20
check 'mat_mul as in the paper' near mat_mul 15
# shellcheck disable=SC2016
check 'one update calls each as often as in the paper' awk -v n=$epochs '
    $1 == "back_propagation" || $1 == "forward_propagation" { once += $3 == n * 1096 }
    $1 == "mat_mul" || $1 == "calculate_local_gradient" { four += $3 == 4 * n * 1096 }
    END { exit !(once == 2 && four == 2) }' lines.txt
done_testing
