#!/usr/bin/env bash
# hpclab history, and what a later grading must not take away: the best record, and the last complete one.
# Works on a copy of the project.
. tests/tap.sh
project=$PWD
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib
share_builds
cd "$HPC_ROOT" || exit 1
results=results/lab1
# Of lab1 its flat network alone is graded here, and nothing is timed: scores are the same each time.
sed -i "/^\[task profile_answers\]/,/^\[task flat\]/{/^\[task flat\]/!d}; s/^points_correct.*/points_correct = 100/; /^points_speed/d; /^speed_case/d" labs/lab1/lab.ini
"$hpclab" build lab1 >/dev/null || exit 1

# score FILE: of a record.
score() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["score"])' "$1"; }

fails 2 'a history before any grading' "$hpclab" history lab1
shows '^hpclab: lab1 was not graded yet: make lab1 && ./grade$' 'says what to type'
fails 2 'of a lab that is not there' "$hpclab" history lab77

cp "$project/mlp/variants/flat.c" labs/lab1/flat.c
"$hpclab" grade lab1 --plain --seed 1 >/dev/null 2>&1
check 'a full grading of a right solution is the best' test "$(score $results/best.json)" = 100.0
cp labs/lab1/starter/flat.c labs/lab1/flat.c
"$hpclab" grade lab1 --plain --seed 2 >/dev/null 2>&1
check 'a worse one is the last' test "$(score $results/record.json)" = 0.0
check 'and complete' test "$(score $results/complete.json)" = 0.0
check 'and takes the best not away' test "$(score $results/best.json)" = 100.0
"$hpclab" grade lab1 --plain --quick --seed 3 >/dev/null 2>&1
cp "$project/mlp/variants/flat.c" labs/lab1/flat.c
"$hpclab" grade lab1 --plain --only flat --seed 4 >/dev/null 2>&1
check '--only leaves the last complete record alone' test "$(score $results/complete.json)" = 0.0

cp labs/lab1/starter/flat.c labs/lab1/flat.c
"$hpclab" build lab1 --force >/dev/null && rm "$results/best.json"
"$hpclab" grade lab1 --plain --impl reference --seed 8 >/dev/null 2>&1
check 'the reference is nobody'"'"'s best' test ! -e $results/best.json
"$hpclab" grade lab1 --plain --seed 9 >/dev/null 2>&1
cp "$project/mlp/variants/flat.c" labs/lab1/flat.c
"$hpclab" grade lab1 --plain --seed 4 >/dev/null 2>&1
"$hpclab" grade lab1 --plain --only flat --seed 4 >/dev/null 2>&1

check 'history' "$hpclab" history lab1
shows '^lab1  best 100.0 of 100 \([0-9-]{10}\), last 100.0 of 100' 'the best and the last'
shows '100.0 of 100 .*full' 'the first grading'
shows '0.0 of 100 .*quick' 'the quick one'
shows '100.0 of 100 .*only' 'the one of a task'
check 'of the lab selected last' "$hpclab" history
git init -q . && git -c user.name=x -c user.email=x@y commit -q --allow-empty -m 'mine'
"$hpclab" grade lab1 --plain --quick --seed 5 >/dev/null 2>&1
check 'in a repository' "$hpclab" history lab1
shows "quick  $(git rev-parse --short=7 HEAD)" 'with the commit'
check 'nothing is left in the folder of the files' sh -c '! ls labs/lab1 | grep -v -E "^(flat.c|starter|lab.ini|hidden.ini|marker.c|expected.ini|profile.ini|.*[.]ini)$"'

# Ctrl-C in the middle.
rows=$(wc -l <$results/history.csv)
set -m # a process in the background would not get SIGINT otherwise
"$hpclab" grade lab1 --plain --seed 6 >/dev/null 2>&1 &
set +m
sleep 0.3
kill -INT $! 2>/dev/null
wait $!
check 'a stopped grading leaves the last complete record' test -s $results/complete.json
check 'and the best' test "$(score $results/best.json)" = 100.0
check 'and no row where nothing was judged' test "$(wc -l <$results/history.csv)" = "$rows"
echo 'nonsense' >>$results/history.csv
printf '%s,full,yes,%s,90.00,0.00,3,student,0.1.0,0123abc%s\n' 2020-01-01T08:15:24Z 90.00 '' 2020-01-02T08:15:24Z 103.00 ,13.00 >>$results/history.csv
check 'a line of an older version, and one with a bonus' "$hpclab" history lab1
shows '2020-01-01 08:15  90.0 of 90 +full  0123abc$' 'the first is read'
shows '2020-01-02 08:15  90.0 of 90 and 13.0 bonus +full  0123abc$' 'the other has its bonus apart'
shows '^lab1  best .*, last 90.0 of 90 and 13.0 bonus .2020-01-02.$' 'at the head too'
check 'the file names the column' grep -q '^time,.*,commit,bonus$' $results/history.csv
check 'a line that is no grading is passed over' "$hpclab" history lab1 --all
fails 2 'two labs at once' "$hpclab" history lab1 lab2
for file in history.csv best.json; do rm $results/$file && mkfifo $results/$file; done
fails 2 'a pipe in its place' timeout -k 1 20 "$hpclab" history lab1
shows 'history.csv: Invalid argument; expected the gradings of this lab' 'is none, and nobody waits for it'
check 'nor does a grading' timeout -k 1 60 "$hpclab" grade lab1 --plain --quick --seed 7
shows 'history.csv: No such device or address; expected a file that can be written' 'which says so'
rm $results/history.csv $results/record.json && mkfifo $results/record.json
fails 2 'nor who explains a record' timeout -k 1 20 "$hpclab" explain lab1/flat
fails 2 'an unknown option' "$hpclab" history --best

done_testing
