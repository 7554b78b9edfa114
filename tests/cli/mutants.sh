#!/usr/bin/env bash
# Mutants: tests/mutants/LAB/TASK--NAME.c or .cu, each what a student may hand in for TASK with one mistake.
# The first line says what grading it must come to:
#   /* expect: VERDICT[|VERDICT ..][; hint: WORDS][; reason: WORDS][; points: <N] */
# Words are looked for in the record without regard to case, "hint" in the hint or the reason.
# Of those in CUDA the first for each task and verdict is run, with TEST_ALL=1 all are.
# MUTANTS=PART of a name runs all of that name, and shows what grading says. Works on a copy of the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab
mutants=$PWD/tests/mutants
export HPC_ROOT=$scratch/root
mkdir -p "$HPC_ROOT/build"
# shellcheck disable=SC2046 # one word a folder
cp -r common harness device $(operations) labs handouts data "$HPC_ROOT" || exit 1
cp -r build/lib build/device "$HPC_ROOT/build" || exit 1
export HPC_NVCC=none # whether g++ and nvcc agree is not asked of each mutant
[ ! -d reference ] || cp -r reference "$HPC_ROOT"
cp "$mutants"/*.h "$HPC_ROOT/mlp" || exit 1 # what they share: only headers of mlp/ are in the build's jail
# A hang is told after four seconds.
sed -i '/^wall_seconds/d; s/^symbols = /wall_seconds = 4\n&/' "$HPC_ROOT"/labs/*/lab.ini

# compare RECORD TASK EXPECTATION: 0 when the task's result is as expected, else says what it is.
compare() {
    python3 - "$@" <<'PYTHON'
import json, sys
record, task, expectation = sys.argv[1:]
result = next(t for t in json.load(open(record))["tasks"] if t["name"] == task)
parts = [p.strip() for p in expectation.split(";")]
wrong = []
if result["verdict"] not in parts[0].split("|"):
    wrong.append("verdict")
for part in parts[1:]:
    kind, words = [w.strip() for w in part.split(":", 1)]
    if kind == "points":
        if not (words[0] == "<" and result["points"] < float(words[1:])):
            wrong.append("points")
    elif kind in ("hint", "reason"):
        text = result["reason"] + (" " + result["hint"] if kind == "hint" else "")
        if words.lower() not in text.lower():
            wrong.append(kind)
    else:
        sys.exit("unknown expectation: " + part)
print("expected: %s" % expectation)
for key in ("verdict", "reason", "hint", "points", "safety"):
    print("  %s: %s" % (key, result.get(key)))
sys.exit("not as expected: " + ", ".join(wrong) if wrong else 0)
PYTHON
}

grade_mutant() { # LAB TASK FILE EXPECTATION
    local status record=$scratch/record.json quick=
    [[ $4 != pass* ]] || quick=--quick
    cp "$3" "$HPC_ROOT/labs/$1/$2.${3##*.}" || return 1
    rm -f "$record"
    (cd "$HPC_ROOT" && "$hpclab" grade "$1" --only "$2" --plain $quick --seed 7 --json "$record" 2>&1)
    status=$?
    [ $status -le 1 ] || { echo "grade ended with $status"; return 1; }
    compare "$record" "$2" "$4"
}

# A race may come out otherwise once: it gets a second try.
try_mutant() {
    grade_mutant "$@" || grade_mutant "$@"
}

# first TASK EXPECTATION: whether no mutant in CUDA of that task and verdict was met before.
declare -A met
first() {
    local key="$1 ${2%%;*}"
    [ -z "${met[$key]:-}" ] || return 1
    met[$key]=1
}

count=0
for file in "$mutants"/lab*/*.c "$mutants"/lab*/*.cu; do
    [ -e "$file" ] || continue
    name=${file#"$mutants"/} lab=${name%%/*}
    task=$(basename "$file") task=${task%%--*}
    [[ $name == *${MUTANTS:-}* ]] || continue
    expectation=$(sed -n '1s|^/\* expect: \(.*\) \*/$|\1|p' "$file")
    if [[ $file == *.cu && -z ${MUTANTS:-} && ${TEST_ALL:-0} != 1 ]]; then
        first "$task" "$expectation" || continue
    fi
    count=$((count + 1))
    check "$name: ${expectation:-its first line says what to expect}" \
        try_mutant "$lab" "$task" "$file" "$expectation"
    [ -z "${MUTANTS:-}" ] || grep -E '^  [a-z]+: ' "$scratch/.output" | sed 's/^/#/'
done
check "$count mutants" test $count -gt 0
while read -r task; do
    n=$(find "$mutants/${task%/*}" -name "${task#*/}--*.c*" | wc -l)
    check "$task has at least four ($n)" test "$n" -ge 4
done < <(awk '/^\[task /{gsub(/[]]/, ""); name = $2}
    /^symbols/{split(FILENAME, p, "/"); print p[2] "/" name}' labs/*/lab.ini)
done_testing
