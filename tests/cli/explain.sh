#!/usr/bin/env bash
# hpclab explain, and a written record against its schema.
. tests/tap.sh
hpclab=$PWD/build/hpclab
schema=$PWD/harness/record/record.schema.json
record=$scratch/record.json

check 'a record is written' env HPC_KEEP_RECORD="$record" build/tests/test_record
if python3 -c 'import jsonschema' 2>/dev/null; then
    check 'it is valid by its schema' python3 -W ignore -m jsonschema -i "$record" "$schema"
    sed 's/"verdict": "wrong"/"verdict": "odd"/' "$record" >"$scratch/odd.json"
    fails 1 'one with another verdict is not' python3 -W ignore -m jsonschema -i "$scratch/odd.json" "$schema"
else
    skip 'a record is valid by its schema' 'no python3 with jsonschema'
    skip 'one with another verdict is not' 'no python3 with jsonschema'
fi

export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT"
share_builds
mkdir -p "$HPC_ROOT/results/lab3" "$HPC_ROOT/results/lab4"
kept=$HPC_ROOT/results/lab3/record.json

fails 2 'explain of a task that was not graded' "$hpclab" explain openmp_trainer
shows 'lab3/openmp_trainer was not graded yet, expected .make lab3 && ./grade.' 'says what to type'
cp "$record" "$kept"
check 'explain TASK' "$hpclab" explain openmp_inner
shows '^verdict +wrong$' 'prints the verdict'
shows 'case odd: w\[17\]' 'the first failure'
shows 'outside the bound that rounding can explain' 'what it means'
shows 'compare with the baseline' 'and what to try'
check 'explain LAB/TASK' "$hpclab" explain lab3/openmp_trainer
shows '^speed .*1\.62x, 95% of it in \[1\.50, 1\.70\], 15 pairs' 'prints the speed'
shows '100% at 1\.60x or faster' 'and the curve'
shows 'points for traffic are missing' 'of a pass that moves too much, what is missing'
hides 'are points for speed' 'which is no speed'
python3 - "$record" >"$kept" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
for t in r["tasks"]:
    t["points"], t["max_points"], t["pending"] = 13, 0, 0
json.dump(r, sys.stdout)
PY
check 'explain of a bonus' "$hpclab" explain lab3/openmp_trainer
shows ', 13.0 bonus points' 'says so, and nothing of 0'
cp "$record" "$kept"
fails 2 'explain of the task in another lab' "$hpclab" explain lab4/openmp_trainer
for verdict in pass build unsafe crash timeout memory rejected impossible noisy environment pending skipped; do
    sed "s/\"verdict\": \"wrong\"/\"verdict\": \"$verdict\"/" "$record" >"$kept"
    check "explain knows $verdict" "$hpclab" explain openmp_inner
    shows "^verdict +$verdict$" "and prints it: $verdict"
    hides '(LAB|TASK|FILE|IMPL)([^=]|$)' 'with the real names'
done
shows '^Grade it: ./grade lab3 --only openmp_inner$' 'in its commands too'
python3 - "$record" >"$kept" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
for t in r["tasks"]:
    t.update(verdict="pass", points=t["max_points"], pending=0, traffic=None, safety="unchecked (--quick)")
print(json.dumps(r))
PY
check 'explain of a pass whose safety nobody looked at' "$hpclab" explain openmp_inner
shows 'not all that could be unsafe was looked for' 'says so'
hides 'nothing unsafe was found' 'and not that all is safe'

python3 - "$record" >"$kept" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
for t in r["tasks"]:
    t["reason"] = "labs/lab3/openmp_inner.c is the starter as it was handed out: begin there"
json.dump(r, sys.stdout)
PY
check 'explain of a starter' "$hpclab" explain openmp_inner
shows 'Nobody has written in labs/lab3/openmp_inner.c yet' 'says what it is'
hides 'command above' 'and of no command that is not there'

# sheet VERDICT: the record with that of lab3's sheet of answers.
sheet() {
    python3 - "$record" "$1" >"$kept" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
t = next(t for t in r["tasks"] if t["name"] == "openmp_inner")
t["name"], t["verdict"] = "break_even", sys.argv[2]
r["tasks"] = [t]
json.dump(r, sys.stdout)
PY
    "$hpclab" explain break_even >"$scratch/.output" 2>&1
}
for verdict in pass wrong build noisy environment pending skipped; do
    sheet $verdict
    shows "^verdict +$verdict$" "a sheet of answers is $verdict"
    hides 'points for speed|baseline|sanitizer|rounding|compile' 'in no words of programs'
done
sheet wrong
shows '^The first is named above, and results/lab3/break_even.txt has a line for each. Mend labs/lab3/prediction.ini, and type ./grade lab3 --only break_even.$' \
    'where to look and what to type'
sed -i 's/"cases": [0-9]*/"cases": 0/' "$kept"
check 'of one without an answer' "$hpclab" explain break_even
shows '^No answer was looked at, so none is wrong yet' 'that none is wrong'
hides 'break_even.txt' 'and no list of marks, which nobody wrote'
cp "$record" "$kept"

sed 's/lab3/lab4/' "$record" >"$HPC_ROOT/results/lab4/record.json"
touch -d '2001-01-01' "$HPC_ROOT/results/lab4/record.json"
check 'of two records' "$hpclab" explain openmp_inner
shows '^lab3/openmp_inner' 'the newest counts'
fails 2 'explain of an unknown task' "$hpclab" explain openmp_trainr
shows "unknown task 'openmp_trainr', did you mean 'openmp_trainer'\?" 'gets the nearest one'
check 'explain of a word' "$hpclab" explain Vector\ Instruction
shows '^Vector Instruction one instruction on' 'is the glossary'"'"'s, in any letters'
for verdict in $(sed -n 's/^ *\[VERDICT_[A-Z]*\] = "\(.*\)",$/\1/p' common/outcome.c); do
    check "explain of a verdict alone: $verdict" "$hpclab" explain "$verdict"
done
fails 2 'explain of a word of no glossary' "$hpclab" explain quaternion
shows "unknown task 'quaternion', expected one of ./hpclab list LAB, or a word" 'says what is expected'
fails 2 'explain of an unknown lab' "$hpclab" explain lab99/openmp_inner
fails 2 'explain of nothing' "$hpclab" explain
echo '{' >"$kept"
fails 2 'a broken record' "$hpclab" explain lab3/openmp_inner
shows '^hpclab: .*results/lab3/record.json:[0-9]+: .*expected a record that' 'is named with its line'
done_testing
