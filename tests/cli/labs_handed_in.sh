#!/usr/bin/env bash
# long: minutes of processors.
# What students hand in, whatever it is, gets one line and the right exit status; nothing is lost, and Ctrl-C ends
# all that a grading started. Works on a copy of the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root HPC_NVCC=none
copy_project "$HPC_ROOT" lib device
share_builds
short_cases
record=$scratch/record.json
. tests/cli/lib/judge.sh
cd "$HPC_ROOT" || exit 1

# $file is lab3's openmp_trainer, changed and laid out anew.
file=labs/lab3/openmp_trainer.c
sed -i 's/^flags = .*/&\nwall_seconds = 1\nmemory_mib = 256/; /^wall_seconds = 10/d; /^memory_mib = 512/d' \
    labs/lab3/lab.ini labs/lab4/lab.ini
hand_in() { # LINE OF C at the beginning of trainer_run
    cp labs/lab3/starter/openmp_trainer.c $file
    sed -i "/^static int trainer_run/,\$s|^    struct trainer \*s = state;\$|&\n    $1|" $file
    grep -qF -- "$1" $file
}
one=(lab3 --only openmp_trainer)
trainer='t["openmp_trainer"]'

check 'a line that does not compile is handed in' hand_in 'undeclared = 1;'
grade 1 'it is graded, and so are the others' lab3
check 'verdict build, file and line' judge "$trainer"'["verdict"] == "build" and
    "labs/lab3/openmp_trainer.c:" in '"$trainer"'["reason"] and r["complete"] and
    t["openmp_inner"]["verdict"] == "wrong" and "undeclared" in '"$trainer"'["reason"]'
hand_in '*(volatile int *)0 = 1;'
grade 1 'a crash' "${one[@]}"
check 'verdict crash' judge "$trainer"'["verdict"] == "crash" and
    ("store to null pointer" in '"$trainer"'["reason"] or "Segmentation" in '"$trainer"'["reason"])'
hand_in 'for (volatile int i = 0;; i++);'
grade 1 'an endless loop' "${one[@]}"
check 'verdict timeout' judge "$trainer"'["verdict"] == "timeout" and "1 s" in '"$trainer"'["reason"]'
# What ends by itself has all the time that a busy machine needs.
sed -i 's/^wall_seconds = 1/wall_seconds = 60/' labs/lab3/lab.ini labs/lab4/lab.ini
hand_in 'for (;;) *(volatile char *)malloc(1 << 20) = 1;'
grade 1 'memory without end' "${one[@]}"
check 'verdict memory' judge "$trainer"'["verdict"] == "memory" and "256 MiB" in '"$trainer"'["reason"]'
hand_in 'return 3;'
grade 1 'a run that fails' "${one[@]}"
check 'says what it returned' judge '"returned 3" in '"$trainer"'["reason"]'
hand_in 'extern int system(const char *); if (system("true")) return 1;'
grade 1 'a function that is not allowed' "${one[@]}"
check 'is named' judge "$trainer"'["verdict"] in ("build", "rejected") and "system" in '"$trainer"'["reason"]'
sed 's|^    s->in = in;$|&\n    static char text[1 << 16];\n    for (int i = 0; i < 64; i++)\n        syscall(1, 1, text, sizeof text);|' \
    mlp/variants/pthread.c >labs/lab4/pthread.c
check 'a right solution that prints is handed in' grep -q 'sizeof text' labs/lab4/pthread.c
grade 1 'megabytes of output' lab4
check 'verdict rejected' judge 't["pthread"]["verdict"] == "rejected"'
: >$file
grade 1 'an empty file' "${one[@]}"
check 'is told what is missing' judge "$trainer"'["verdict"] == "build" and ": empty" in '"$trainer"'["reason"]'
rm $file && mkdir $file
fails 1 'a folder in place of the file' "$hpclab" grade "${one[@]}" --plain --json "$record"
check 'is told so' judge "$trainer"'["verdict"] in ("build", "rejected")'
rmdir $file
for text in '[answers' 'no section' '[answers]
wins_from = many' "$(head -c 100000 /dev/zero | tr '\0' x)"; do
    printf '%s\n' "$text" >labs/lab3/prediction.ini
    grade 1 "a broken prediction: ${text:0:12}" lab3 --only break_even
    check 'scores nothing and is told why' judge 't["break_even"]["points"] == 0 and t["break_even"]["reason"]'
done
rm labs/lab3/prediction.ini

# Words and files that are off: one line, and the last record stays.
cp results/lab3/record.json before.json
fails 2 'an unknown task' "$hpclab" grade lab3 --only trainer
shows "^hpclab: --only trainer: lab3 has no such task; expected one of openmp_inner, break_even, openmp_trainer" 'is named with those there are'
fails 2 'an unknown lab' "$hpclab" grade lab99
fails 2 'an unknown option' "$hpclab" grade lab3 --frob
check 'the record of the last grading is as it was' cmp before.json results/lab3/record.json
cp labs/lab3/lab.ini lab.ini.good
sed -i 's/^points_speed = 35/points_speed = lots/' labs/lab3/lab.ini
fails 2 'a broken manifest' "$hpclab" grade lab3
shows '^hpclab: labs/lab3/lab.ini:[0-9]+: .*points_speed' 'file, line and key'
check 'in one line' test "$(wc -l <"$scratch/.output")" = 1
cp lab.ini.good labs/lab3/lab.ini
mv data data.away
fails 2 'a data set that is not there' "$hpclab" grade lab2
shows '^hpclab: .*data/digits.csv: cannot be opened' 'is named'
check 'in one line, before anything is graded' test "$(wc -l <"$scratch/.output")" = 1
mv data.away data

# Ctrl-C. With job control on, so that the signal is not ignored.
rm -rf results
set -m
"$hpclab" grade lab3 --impl reference --plain >interrupted 2>&1 &
pid=$!
graded_inner() { grep -q openmp_inner results/lab3/record.json 2>/dev/null || ! kill -0 $pid; }
soon graded_inner || soon graded_inner || soon graded_inner
kill -INT $pid
wait $pid
status=$?
set +m
check "Ctrl-C ends it with 130: $status" test $status = 130
check 'and with a line' grep -q '^hpclab: interrupted; .*record.json' interrupted
cp results/lab3/record.json "$record"
check 'the record holds what was graded so far' judge \
    'not r["complete"] and t["openmp_inner"]["verdict"] == "pass" and t["openmp_inner"]["points"] == 25'
# is_gone GROUP: a busy machine buries late what was killed.
gone() { ! pgrep -g "$1" >group; }
is_gone() { soon gone "$1" || { cat group; return 1; }; }
check 'no process is left' is_gone $pid
check 'no temporary file is left' test -z "$(ls build/tmp 2>/dev/null)"

# Whatever is going on ends with it: a solution that runs for an hour, a profile, a compilation.
# ends SIGNAL WHAT LAB WORDS: grading of the student's LAB, until its progress shows WORDS.
sed -i 's/^wall_seconds = 60/wall_seconds = 3600/' labs/lab3/lab.ini
hand_in 'for (volatile int i = 0;; i++);'
"$hpclab" build lab3 --impl student >/dev/null 2>&1
cp labs/lab1/starter/answers.ini labs/lab1
sed -i 's/^student =.*/student = Ada/; s/^hottest1 =.*/hottest1 = mat_mul/; s/^final =.*/final = yes/' labs/lab1/answers.ini
works() { pgrep -P "$1" >"$scratch/children" || ! kill -0 "$1"; }
ends() {
    local begin pid status
    set -m
    "$hpclab" grade "$3" --plain "${@:4}" >ended 2>&1 &
    pid=$!
    set +m
    soon works $pid # it has started something, and so listens to signals
    sleep 1
    kill -0 $pid || return 1
    begin=$(date +%s%N)
    kill -"$1" $pid
    wait $pid
    status=$?
    echo "$2: status $status after $((($(date +%s%N) - begin) / 1000000)) ms"
    cat ended
    [ $status = 130 ] && is_gone $pid && grep -q '^hpclab: interrupted' ended
}
check 'SIGTERM ends an endless solution' ends TERM loop lab3 --only openmp_trainer
check 'SIGINT ends a profile' ends INT profile lab1 --only profile_answers
done_testing
