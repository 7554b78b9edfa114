#!/usr/bin/env bash
# Tasks of answers: a lab of .ini files alone; what is told before a sheet is final; sealed answers; the
# lab decides what is asked, not the file. Works on a copy of the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab
check 'no product file names a lab' sh -c '! grep -rn "\"lab[0-9]" harness common runner device'
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
share_builds
cd "$HPC_ROOT" || exit 1
record=$scratch/record.json
export HPC_NVCC=none

judge() { # EXPRESSION: Python, of the record `r` and its tasks `t` by name; true is right
    python3 - "$record" "$1" <<'PYTHON'
import json, sys
r = json.load(open(sys.argv[1]))
t = {task["name"]: task for task in r["tasks"]}
if not eval("(" + sys.argv[2] + ")"):
    print(json.dumps({k: v for k, v in r.items() if k != "machine"}, indent=1))
    sys.exit(sys.argv[2])
PYTHON
}
grade() { "$hpclab" grade "$@" --plain --impl student --json "$record"; }
# written TASK: all that a student sees of a grading: screen, record, what is kept, the list of marks.
written() { cat "$scratch/.output" results/"$1"/*; }

# A lab that nobody wrote C for.
mkdir -p labs/lab90/starter
cat >labs/lab90/lab.ini <<'INI'
[lab]
title = A question about memory
handout = handouts/lab5.md

[task quiz]
title = What is near?
kind = answers
file = quiz.ini
points_answers = 100

[sheet quiz]
line = number bytes
near = word
share = number
faster = one of yes no
INI
cat >labs/lab90/expected.ini <<'INI'
[question quiz line]
answer = 64
why = a cache line

[question quiz near]
answer = register | cache
why = what is on the chip

[question quiz share]
answer = 0.75
tolerance = 5%

[question quiz faster]
answer = no
why = it waits for memory
INI
printf '[answers]\nline =\nnear =\nshare =\nfaster =\nfinal =\n' >labs/lab90/starter/quiz.ini
check 'a lab of .ini files is listed' "$hpclab" list lab90
fails 1 'its starter is graded' grade lab90
check 'and told that the first complete version counts' judge '"first complete version" in t["quiz"]["hint"]'
answer() { # LINE NEAR SHARE FASTER FINAL
    printf '[answers]\nline = %s\nnear = %s\nshare = %s\nfaster = %s\nfinal = %s\n' "$@" >labs/lab90/quiz.ini
}
answer '64 cm' cache 0.7 no ''
fails 1 'a unit that is off' grade lab90
check 'is told before it counts' judge '"expected a number of bytes" in t["quiz"]["reason"] and
    t["quiz"]["answers"]["versions"] == 0'
answer '64 bytes' cache 0,7 no ''
fails 1 'a comma before the decimals' grade lab90
check 'is told, too' judge '"expected a point before the decimals" in t["quiz"]["reason"] and
    t["quiz"]["answers"]["versions"] == 0'
answer '128 bytes' 'the Cache' 0.76 no ''
fails 1 'a number, words, a share, a choice' grade lab90
check 'are marked' judge 't["quiz"]["points"] == 71.42 and t["quiz"]["correctness"]["passed"] == 3 and
    "twice what is right" in t["quiz"]["reason"]'
written lab90 >seen
check 'without what is right' sh -c '! grep -E "register|0\.75|a cache line|: 64" seen'
answer '64 bytes' register 0.75 no ''
fails 1 'a second version' grade lab90
check 'does not count, and both are in the record' judge 't["quiz"]["points"] == 71.42 and
    t["quiz"]["answers"]["first"]["given"]["line"] == "128 bytes" and "counts" in t["quiz"]["hint"]'
answer '64 bytes' register 0.75 no yes
fails 1 'a final sheet' grade lab90
check 'is told what is right, and counts as it was' judge 't["quiz"]["points"] == 71.42 and
    "worked out: 64: a cache line" in t["quiz"]["reason"] and t["quiz"]["answers"]["final"]'
rm results/lab90/answers.json
check 'right answers' grade lab90
check 'earn all' judge 't["quiz"]["points"] == 100 and t["quiz"]["verdict"] == "pass"'
check 'the reference of such a lab' "$hpclab" grade lab90 --plain --impl reference --json "$record"
check 'earns all' judge 'r["score"] == 100'

# Sealed.
sed -i 's/^handout = .*/&\nanswers = sealed/' labs/lab90/lab.ini
rm -r labs/lab90/expected.ini results/lab90
answer 128 cache 0.7 maybe ''
fails 1 'sealed: a form that is off' grade lab90
check 'sealed: is told' judge '"faster = maybe: expected one of yes no" in t["quiz"]["reason"]'
answer 128 cache 0.7 yes yes
fails 3 'sealed: a complete sheet' grade lab90
shows '100 points of lab90 wait for the course, which marks sealed answers' 'sealed: nothing is wrong'
check 'sealed: waits, and is kept' judge 't["quiz"]["verdict"] == "pending" and t["quiz"]["pending"] == 100 and
    "the course marks it" in t["quiz"]["reason"] and t["quiz"]["answers"]["first"]["given"]["line"] == "128"'

# A script that fills each sheet with ones, and copies back whatever it finds.
ones() { sed -E 's/^([a-z_0-9]+) =.*/\1 = 1/; s/^student = .*/student = Ada Lovelace/; s/^final = .*/final =/'; }
for task in lab5/intensity lab6/prediction lab7/tiling lab7/skipping lab8/floors lab8/interchange lab9/prediction; do
    lab=${task%/*} name=${task#*/}
    "$hpclab" build "$lab" --impl student >"$scratch/.output" 2>&1
    ones <"labs/$lab/starter/$name.ini" | sed -E 's/^(all_v100|all_h200|max_pooling|relu_[a-z]*|bias_between|overlapping) = .*/\1 = yes/; s/^sooner_1024 = .*/sooner_1024 = ring/' \
        >"labs/$lab/$name.ini"
    fails 1 "$task: ones" grade "$lab" --only "$name"
    written "$lab" >"$scratch/seen"
    check "$task: nothing is worked out for them" sh -c "! grep -E 'worked out|measured' '$scratch/seen'"
    before=$(python3 -c 'import json, sys
print(next(x for x in json.load(open(sys.argv[1]))["tasks"] if x["name"] == sys.argv[2])["points"])' "$record" "$name")
    sed -i 's/^final = .*/final = yes/' "labs/$lab/$name.ini"
    fails 1 "$task: final" grade "$lab" --only "$name"
    python3 - "results/$lab/$name.txt" "labs/$lab/$name.ini" <<'PYTHON' || exit 1
import re, sys
text = open(sys.argv[2]).read()
for key, value in re.findall(r"%  (\w+) = .*?\(worked out: ([\w.+-]+)", open(sys.argv[1]).read()):
    text = re.sub(rf"^{key} = .*", f"{key} = {value}", text, flags=re.M)
open(sys.argv[2], "w").write(text)
PYTHON
    check "$task: what is copied back" grep -qvE '= (1|yes|no|Ada Lovelace)?$' "labs/$lab/$name.ini"
    fails 1 "$task: changes nothing" grade "$lab" --only "$name"
    check "$task: of the points" judge "t['$name']['points'] == $before < 0.5 * t['$name']['max_points']"
    rm "results/$lab/answers.json" "labs/$lab/$name.ini"
done

# The lab decides: without a key, lab5's sheet is still lab5's.
ones <labs/lab5/starter/intensity.ini | sed 's/^flops_per_output/flops_per_outputs/' >labs/lab5/intensity.ini
fails 1 'a key that is mistyped' grade lab5 --only intensity
check 'is missed, by the questions of its lab' judge '"flops_per_output is empty" in t["intensity"]["reason"] and
    "no question is called flops_per_outputs" in t["intensity"]["hint"] and "halo" not in t["intensity"]["reason"]'
sed -i 's/^final =.*/final = yes/' labs/lab5/intensity.ini
fails 1 'and when it is final' grade lab5 --only intensity
check 'costs its own marks alone' judge 't["intensity"]["correctness"]["cases"] == 9'
# A prediction about a file of one's own that does not compile: its points are lost until it does.
ones <labs/lab3/starter/prediction.ini | sed 's/^wins_from =.*/wins_from = 256/; s/^final =.*/final = yes/' >labs/lab3/prediction.ini
echo 'no C' >labs/lab3/openmp_inner.c
fails 1 'a prediction without what it is about' grade lab3 --only break_even --quick
check 'says what to fix first, and nothing waits' judge '"fix openmp_inner first" in t["break_even"]["reason"] + t["break_even"]["hint"] and
    t["break_even"]["pending"] == 0 and t["break_even"]["points"] == 0'
check 'nor is a path of this machine told' sh -c "! grep -q 'build/cpu' '$record'"
sed -i 's/^handout = .*/&\nprofile = yes/' labs/lab4/lab.ini
fails 2 'a lab says that it has it' "$hpclab" profile lab4
shows 'no name in the answers of lab4' 'and is taken'
done_testing
