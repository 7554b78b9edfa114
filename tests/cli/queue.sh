#!/usr/bin/env bash
# ./grade --queue: a student's own lab on a cluster. The three commands of Slurm are played here, so that jobs
# wait, start and are lost when this script says so; class_slurm.sh asks the real ones (TEST_ALL=1).
. tests/tap.sh
. tests/cli/lib/class.sh
fake=$scratch/fake
mkdir "$fake"
cd "$scratch" || exit 1
export PATH=$scratch/bin:$PATH FAKE=$fake
mkdir "$scratch/bin"
# A job is a file of its name; it is PENDING until `go` is there, and gone once it has ended.
cat >"$scratch/bin/sbatch" <<'END2'
#!/bin/bash
script=${!#}
[ ! -e "$FAKE/refuse" ] || { echo "sbatch: error: $(cat "$FAKE/refuse")" >&2; exit 1; }
number=$(($(cat "$FAKE/number" 2>/dev/null || echo 100) + 1))
echo $number >"$FAKE/number"
option() { sed -n "s/^#SBATCH --$1=//p" "$script"; }
grep '^#SBATCH' "$script" >"$FAKE/options"
name=$(option job-name)
echo "PD $number $name" >"$FAKE/job"
(
    until [ -e "$FAKE/go" ]; do sleep 0.02; [ -d "$FAKE" ] || exit; done
    echo "R $number $name" >"$FAKE/job"
    [ -e "$FAKE/lose" ] || bash "$script" >"$(option output)" 2>&1
    rm -f "$FAKE/job"
) </dev/null >/dev/null 2>&1 &
echo "$number"
END2
cat >"$scratch/bin/squeue" <<'END2'
#!/bin/bash
read -r state number name 2>/dev/null <"$FAKE/job" || exit 0
case " $* " in
*PENDING*)
    [ "$state" = PD ] || exit 0
    echo 'teaching N/A somebody else'
    echo 'other N/A nobody'
    echo "teaching 2026-11-22T10:00:00 $name"
    echo 'teaching N/A a third one'
    ;;
*) echo "$number $state $(cat "$FAKE/reason" 2>/dev/null || echo Priority)" ;;
esac
END2
printf '#!/bin/sh\n' >"$scratch/bin/scancel"
chmod +x "$scratch/bin"/*
working=$HPC_ROOT/labs/lab91/flat.c
printf '[site]\npartition = teaching\nminutes = 5\ncpus = 2\na_day = 3\n' >"$HPC_ROOT/cluster.ini"
cp "$right" "$working"
queue() { "$hpclab" grade lab91 --plain --queue "$@"; }
own=$HPC_ROOT/results/queue
record() { python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(r["tasks"][0]["verdict"], r["quick"], r["seed"])' \
    "$HPC_ROOT/results/lab91/record.json"; }
says 2 'nowhere/cluster.ini: .*expected' 'a site that there is not' "$hpclab" grade lab91 --plain --queue=nowhere/cluster.ini
says 2 'expected none of --from' 'what is handed in' queue --from "$right"
echo 'Invalid account' >"$fake/refuse"
says 3 '^hpclab: sbatch: Invalid account .asked for what .*/cluster.ini says.$' 'what sbatch refuses' queue --quick
check 'leaves nothing behind' test "$(echo "$own"/*)" = "$own/lock"
rm "$fake/refuse"

# The place in the queue; what is edited while it waits; Ctrl-C.
echo PartitionTimeLimit >"$fake/reason"
"$hpclab" grade lab91 --plain --quick --queue --seed 7 >log 2>&1 &
job=$!
waits() { grep -q "$1" log; }
check 'what no turn ends' soon waits '^hpclab: what was sent waits, and for more than its turn: Slurm says PartitionTimeLimit, '
rm "$fake/reason"
check 'one that waits' soon waits '^place 2 of 3 in the queue, begins about 2026-11-22T10:00:00$'
check 'has the options of the site' test "$(sort "$fake/options" | head -n 1)" = '#SBATCH --cpus-per-task=2'
check 'and says how many of a day' grep -q '^1 of 3 that .*cluster.ini allows a day$' log
says 2 'another ./grade --queue waits there' 'a second one at once' queue --quick
kill -TERM "$job" # as Ctrl-C: what a script starts behind & is not reached by that
wait "$job"
check 'Ctrl-C ends the wait' test $? = 130
check 'with what to type' waits 'interrupted; the job goes on, and ./grade --queue follows it'
cp "$wrong" "$working"
: >"$fake/go"
check 'the same command follows it' queue --quick
shows '^sent before: that grading is followed' 'and says so'
shows '^score 100.0 of 100 ' 'the files are those that were sent'
check 'the record is the lab'"'"'s own' test "$(record)" = 'pass True 7'
check 'its history has a line' test "$(grep -c quick "$HPC_ROOT/results/lab91/history.csv")" = 1
check 'one job was sent' test "$(cat "$fake/number")" = 101
check 'nothing is left' test "$(echo "$own"/*)" = "$own/lock $own/sent"

fails 1 'the files as they are now' queue --quick
shows '^score 0.0 of 100 ' 'are graded, and the status is that of ./grade'

# Jobs that end without a word, by a node that dies, are sent again; three times by default.
: >"$fake/lose"
fails 3 'jobs that are lost' queue --quick
shows '^hpclab: lab91: sent 3 times, and no job of it came to an end' 'are given up'
check 'and were sent as often' test "$(grep -c '^job 10[345]: in the queue$' "$scratch/.output")" = 3
rm "$fake/lose"
says 2 'a_day = 3, and so many were sent within a day; the next one at 20' 'the fourth of a day' queue --quick
sed -i "1s/^[0-9]*/$(($(date +%s) - 90000))/" "$own/sent"
fails 1 'once a day is over' queue --quick
shows '^score 0.0 of 100 ' 'there is room again'

# Killed at any moment: what was sent is followed, and what was noted only is sent.
rm "$fake/go" "$own/sent"
cp "$right" "$working"
"$hpclab" grade lab91 --plain --quick --queue >log 2>&1 &
job=$!
check 'one more' soon waits '^place 2 of 3'
kill -9 "$job"
wait "$job" 2>/dev/null
sent=$(cat "$fake/number")
: >"$fake/go"
check 'killed, and called again' queue --quick
shows '^score 100.0 of 100 ' 'ends with its score'
check 'for its turn alone it waits without a word of Slurm' test -z "$(grep 'Slurm says' log)"
check 'nothing was sent twice' test "$(cat "$fake/number")" = "$sent"
done_testing
