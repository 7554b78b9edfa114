#!/usr/bin/env bash
# Mutants: tests/mutants/LAB/TASK--NAME.c, .cu or, of a task of answers, .ini, each what a student may hand in
# for TASK with one mistake. The first line says what grading it must come to, in a comment:
#   expect: VERDICT[|VERDICT ..][; hint: WORDS][; reason: WORDS][; marks: WORDS][; points: <N]
# Words are looked for without regard to case: in the record, "hint" in the hint or the reason; "marks" in
# results/LAB/TASK.txt. Of those in CUDA, and of answers to what is measured first (lab1, lab3), the first for
# each task and verdict is run, with TEST_ALL=1 all are.
# MUTANTS=PART of a name runs all of that name, and shows what grading says. Works on a copy of the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab
mutants=$PWD/tests/mutants
export HPC_ROOT=$scratch/root
mkdir -p "$HPC_ROOT/build"
# shellcheck disable=SC2046 # one word a folder
cp -r common harness runner device $(operations) labs handouts data "$HPC_ROOT" || exit 1
cp -r build/lib build/device "$HPC_ROOT/build" || exit 1
export HPC_NVCC=none # whether g++ and nvcc agree is not asked of each mutant
[ ! -d reference ] || cp -r reference "$HPC_ROOT"
cp "$mutants"/*.h "$HPC_ROOT/mlp" || exit 1 # what they share: only headers of mlp/ are in the build's jail
# A hang is told after four seconds.
cp "$HPC_ROOT/mlp/variants/openmp_inner.c" "$HPC_ROOT/labs/lab3" || exit 1 # which break_even is measured on
sed -i '/^wall_seconds/d; s/^symbols = /wall_seconds = 4\n&/' "$HPC_ROOT"/labs/*/lab.ini

# compare RECORD TASK EXPECTATION: 0 when the task's result is as expected, else says what it is.
compare() {
    python3 - "$@" <<'PYTHON'
import json, os, sys
record, task, expectation = sys.argv[1:]
lab = json.load(open(record))["lab"]
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
    elif kind == "marks":
        text = open("%s/results/%s/%s.txt" % (os.environ["HPC_ROOT"], lab, task)).read()
        print(text)
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
    local status file record=$scratch/record.json quick=
    [[ $4 != pass* && $3 != *.ini ]] || quick=--quick
    file=$(awk -v task="[task $2]" '/^\[/ { found = $0 == task } found && /^file *=/ { print $3; exit }' \
        "$HPC_ROOT/labs/$1/lab.ini")
    cp "$3" "$HPC_ROOT/labs/$1/${file:-$2.c}" || return 1
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

# first TASK EXPECTATION: whether no mutant of that task and verdict was met before.
declare -A met
first() {
    local key="$1 ${2%%;*}"
    [ -z "${met[$key]:-}" ] || return 1
    met[$key]=1
}

have_archer() { command -v clang >/dev/null && compgen -G '/usr/lib/llvm-*/lib/libarcher.so' >/dev/null; }

count=0
for file in "$mutants"/lab*/*.{c,cu,ini}; do
    [ -e "$file" ] || continue
    name=${file#"$mutants"/} lab=${name%%/*}
    task=$(basename "$file") task=${task%%--*}
    [[ $name == *${MUTANTS:-}* ]] || continue
    expectation=$(sed -nE '1s#^(/\*|;) expect: (.*)#\2#; 1s# \*/$##; 1p' "$file")
    if [[ ($file == *.cu || $file == */lab[13]/*.ini) && -z ${MUTANTS:-} && ${TEST_ALL:-0} != 1 ]]; then
        first "$task" "$expectation" || continue
    fi
    if [[ $expectation == *'hint: data race'* ]] && grep -q '#pragma omp' "$file" && ! have_archer; then
        skip "$name" 'no clang with Archer: races of OpenMP are not looked for'
        continue
    fi
    count=$((count + 1))
    check "$name: ${expectation:-its first line says what to expect}" \
        try_mutant "$lab" "$task" "$file" "$expectation"
    [ -z "${MUTANTS:-}" ] || grep -E '^  [a-z]+: ' "$scratch/.output" | sed 's/^/#/'
done
check "$count mutants" test $count -gt 0
while read -r task; do
    n=$(find "$mutants/${task%/*}" -name "${task#*/}--*" | wc -l)
    check "$task has at least four ($n)" test "$n" -ge 4
done < <(awk '/^\[task /{gsub(/[]]/, ""); name = $2}
    /^symbols|^kind *= *answers/{split(FILENAME, p, "/"); print p[2] "/" name}' labs/*/lab.ini)
done_testing
