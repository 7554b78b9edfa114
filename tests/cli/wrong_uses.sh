#!/usr/bin/env bash
# Wrong uses that are nobody's attack: a line for each, the right status, nothing lost.
# Works on a copy of the project.
. tests/tap.sh
project=$PWD
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib
share_builds
cd "$HPC_ROOT" || exit 1
untimed
"$hpclab" build lab1 >/dev/null || exit 1
file=labs/lab1/flat.c
grade() { "$hpclab" grade --only flat --quick --plain --seed 7 </dev/null; }
# file_is STATUS TEXT WORDS: what a grading says of the file as it is now.
file_is() {
    fails "$1" "$2" grade
    shows "$3" 'is told what it is'
    rm -rf "$file"
}

: >$file && file_is 1 'an empty file' 'labs/lab1/flat.c: empty$'
head -c 3000 /dev/zero >$file && file_is 1 'a binary file' 'labs/lab1/flat.c:1: holds a zero byte'
ln -s /etc/passwd $file && file_is 1 'a link' 'labs/lab1/flat.c: a link, expected a file$'
mkfifo $file && file_is 1 'a pipe' 'labs/lab1/flat.c: a pipe or a device, expected a file$'
mkdir $file && file_is 1 'a folder' 'labs/lab1/flat.c: a folder, expected a file$'
truncate -s 5M $file && file_is 1 'a file of 5 MiB' 'labs/lab1/flat.c: over 4 MiB, which no source needs$'
if [ "$(id -u)" != 0 ]; then
    : >$file && chmod 0 $file && file_is 1 'a file that may not be read' 'labs/lab1/flat.c: may not be read: chmod u\+r it'
else
    skip 'a file that may not be read' 'this is root, who may read all'
fi
"$hpclab" build lab1 >"$scratch/.output" 2>&1
check 'a file that is gone is laid out again' cmp $file labs/lab1/starter/flat.c

fails 2 'a task that is none' "$hpclab" grade --only flatt
shows 'lab1 has no such task, did you mean flat\?$' 'gets the nearest one'
fails 2 'a task like none, to run' "$hpclab" run lab1/zzzzzz
shows 'expected one of flat$' 'gets those with a program'
says 2 'run: lab1 has no variant task "profile_answers": it is a sheet, labs/lab1/answers.ini, which ./grade lab1 --only' \
    'a sheet, to run' "$hpclab" run lab1/profile_answers
says 2 'run: lab1 is a lab, name a task of it as lab1/TASK; expected one of flat$' 'a lab, to run' "$hpclab" run lab1
says 2 'run: no variant "flat", did you mean lab1/flat\?$' 'a task without its lab' "$hpclab" run flat
says 2 'run: no variant "mlp/flta", did you mean mlp/flat\?;' 'a variant like one' "$hpclab" run mlp/flta
says 2 "'lab1/flat', expected a lab: lab1, and --only flat for one task of it" 'a task for a lab' \
    "$hpclab" grade lab1/flat
says 2 "unknown task 'zzzzzz', expected one of lab1's: profile_answers, flat$" 'a task like none, to explain' \
    "$hpclab" explain lab1/zzzzzz
says 2 'explain: lab1 is a lab, name a task of it as lab1/TASK; expected one of profile_answers, flat$' \
    'a lab, to explain' "$hpclab" explain lab1
says 3 'labs/lab3/openmp_inner.c: not there; make lab3 lays the starter out$' 'a lab that is not laid out' \
    "$hpclab" run lab3/openmp_inner
fails 2 'a case that is none' "$hpclab" run lab1/flat --case od
shows 'lab1 has no such case, did you mean odd\?$' 'gets the nearest one'
fails 2 'a case like none' "$hpclab" run lab1/flat --case zzzzzz
shows 'expected one of paper, .*odd' 'gets all of them'
fails 2 'a key that is none' "$hpclab" run lab1/flat epoch=3
shows 'epoch' 'is named'
fails 3 'a record in no folder' "$hpclab" grade --only flat --quick --json /nowhere/r.json
shows '^hpclab: /nowhere/r.json: No such file or directory; expected' 'is told by the name that was given'
fails 2 'a seed below zero' "$hpclab" grade --seed -3
shows '^hpclab: --seed -3: expected a number from 0' 'is told its range'

cp "$project/mlp/variants/flat.c" $file
check 'a shell that lets few files be open' bash -c "ulimit -Sn 20; '$hpclab' grade --only flat --quick --plain"
fails 3 'and one that lets no more be had' bash -c "ulimit -n 20; '$hpclab' grade --only flat --quick --plain"
shows '^hpclab: 20 files may be open here, expected at least 64: ulimit -n 64$' 'says so'
fails 3 'a full disk behind stdout' bash -c "'$hpclab' list lab1 >/dev/full"
shows 'not all of it could be printed: No space left' 'says so'
for words in help --help '--version' 'help --man' 'grade --help'; do
    fails 3 "$words to a full disk" bash -c "'$hpclab' $words >/dev/full"
    shows '^hpclab: not all of it could be printed: No space left on device$' 'says so too'
done
check 'a reader that ends before' bash -c "'$hpclab' help --man | head -n 1"
hides 'could be printed' 'is no error to be told of'
check 'no stdout' bash -c "'$hpclab' list lab1 >&-"
check 'no HOME, nothing in the environment' env -i PATH="$PATH" HPC_ROOT="$HPC_ROOT" "$hpclab" grade --only flat --quick --plain
mv build/lib build/lib.away
fails 3 'without build/lib' grade
shows 'build/lib is not there: type .make.' 'says so'
mv build/lib.away build/lib
mv build/device build/device.away
fails 3 'without the CPU device, which labs in C need not' "$hpclab" build lab5
shows 'constant: environment: build/device/.* is not there: type .make.' 'says so'
echo '__global__ void k() {} int main() {}' >"$scratch/k.cu"
fails 3 'nor can a program be run' "$hpclab" cuda "$scratch/k.cu"
shows '^hpclab: build/device is not there: type .make. in ' 'which says so'
mv build/device.away build/device
# ---- two at once, and a clock that was set back ------------------------------------------------

"$hpclab" build lab1 >/dev/null # selects it again
cp "$project/mlp/variants/flat.c" $file
# verdict: of flat, in the record that is kept.
verdict() { python3 -Sc 'import json
print(*[t["verdict"] for t in json.load(open("results/lab1/record.json"))["tasks"] if t["name"] == "flat"])'; }
grade >"$scratch/first" 2>&1 &
first=$!
grade >"$scratch/second" 2>&1
second=$?
wait $first
check 'two gradings at once end alike' test $? = $second
check '  and leave one record, whole' test "$(verdict)" = pass
for which in first second; do
    check "  and the $which says what came of it" grep -q 'flat .*pass' "$scratch/$which"
done
touch -d '2 days' build results/lab1/record.json $file
check 'files of the day after tomorrow' grade
sed 's/{/{ int twice = "two";/' "$project/mlp/variants/flat.c" >$file
touch -d '2 days ago' $file
fails 1 'a file that changed, and is older than what it was built to' grade
shows 'flat .*build' 'is built anew'

# ---- Ctrl-C ------------------------------------------------------------------------------------

cp "$project/mlp/variants/flat.c" $file
grade >/dev/null
lines=$(wc -l <results/lab1/history.csv)
set -m # a process in the background would not get SIGINT otherwise
for moment in 0.02 0.1 0.3 0.8 2; do
    "$hpclab" grade --only flat --plain </dev/null >/dev/null 2>&1 &
    sleep $moment
    kill -INT $! 2>/dev/null
    wait $! 2>/dev/null
    check "Ctrl-C after $moment s leaves a record that can be read" python3 -Sc \
        'import json; json.load(open("results/lab1/record.json"))'
done
set +m
check '  and no line of the history less' test "$(wc -l <results/lab1/history.csv)" -ge "$lines"
check '  nor anything half written' test -z "$(find results/lab1 -name '*.new' -o -name '*.tmp')"
done_testing
