#!/usr/bin/env bash
# Mutants of labs 5 to 8 on a GPU: `make test DEVICE=cuda`, elsewhere skipped. Each is told, and none
# earns full points. Four at a time: nvcc compiles one while another has the GPU, some four seconds
# each. All take twenty minutes; MUTANTS=PART of a name grades only those, as in MUTANTS=lab5.
. tests/tap.sh
export hpclab=$PWD/build/hpclab mutants=$PWD/tests/mutants scratch
if [ "${HPC_TEST_DEVICE:-}" != cuda ]; then
    skip 'mutants of labs 5 to 8 on a GPU' 'no DEVICE=cuda'
    done_testing
    exit
fi
copy_project "$scratch/root.0" lib device
lanes=4
for ((lane = 1; lane < lanes; lane++)); do cp -a "$scratch/root.0" "$scratch/root.$lane" || exit 1; done
mkdir "$scratch/all"

# judged RECORD TASK MOST EXPECTED: whether grading told the mutant; says what it said.
judged() {
    python3 -S - "$@" <<'PYTHON'
import json, sys
record, name, most, expected = sys.argv[1:]
t = next(t for t in json.load(open(record))["tasks"] if t["name"] == name)
print("%s, %s points: %s | %s" % (t["verdict"], t["points"], t["reason"], t["hint"]))
told = t["verdict"] != "environment" and t["reason"] and "before open()" not in t["reason"]
builds = t["verdict"] != "build" or expected.startswith("expect: build") or "less precision" in t["reason"] or "must be configured" in t["reason"]
sys.exit(not (told and builds and t["points"] < (t["max_points"] or float(most or 1))))
PYTHON
}

# grade_one NUMBER LAB/TASK/NAME: its output to all/NUMBER; prints the number and 0 where it was told.
grade_one() {
    export HPC_ROOT=$scratch/root.$lane
    local lab=${2%%/*} task=${2#*/} record=$HPC_ROOT/record.json bonus status
    task=${task%%/*}
    # A bonus is beyond the score, whose most is then 0: half of it leaves 0 as exit status.
    bonus=$("$hpclab" list "$lab" --tsv=name,bonus,points_correct | sed -n "s/^$task\tyes\t//p")
    {
        rm -f "$record"
        "$mutants/apply" "$2" "$HPC_ROOT/labs/$lab/$task.cu" &&
            (cd "$HPC_ROOT" && "$hpclab" grade "$lab" --impl student --only "$task" --device cuda --plain --json "$record")
        status=$?
        { [ $status = 1 ] || { [ -n "$bonus" ] && [ $status = 0 ]; }; } &&
            judged "$record" "$task" "$bonus" "$(head -n 1 "$mutants/$2.patch")"
    } >"$scratch/all/$1" 2>&1
    echo "$1 $?"
    rm -f "$HPC_ROOT/labs/$lab/$task.cu"
}
export -f judged grade_one

names=()
for file in "$mutants"/lab[5-8]/*/*.patch; do
    name=${file#"$mutants"/} name=${name%.patch}
    [[ -e ${file%/*}.cu && $name == *${MUTANTS:-}* ]] || continue
    case $(head -n 1 "$file") in *pass*) continue ;; esac # these lack points for traffic
    names+=("$name")
done
while read -r number status; do
    cp "$scratch/all/$number" "$scratch/.output"
    tap_result "$status" "${names[number]}"
    tail -n 1 "$scratch/.output" | cut -c 1-400 | sed 's/^/# /'
done < <(for number in "${!names[@]}"; do printf '%s\0' "$number" "${names[number]}"; done |
    xargs -0 -n 2 -r -P $lanes --process-slot-var=lane bash -c 'grade_one "$@"' bash)
check "${#names[@]} mutants" test ${#names[@]} -gt 0
done_testing
