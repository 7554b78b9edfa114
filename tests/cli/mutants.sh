#!/usr/bin/env bash
# long: minutes of processors.
# Mutants: tests/mutants/LAB/TASK/NAME.patch makes of a right solution what a student may hand in
# for TASK with one mistake, and says in its first line what grading must come to: see the README
# there. All patches must apply. Of those in CUDA, and of answers to what is measured first (lab1,
# lab3), the first for each task and verdict is graded; of those in C that expect the same words of a
# wrong result, whichever the task, and of those of one task that expect the same, the first too; with
# TEST_ALL=1 all are, and the right solutions. MUTANTS=PART of a name grades all of that name, and shows what grading says.
# Works on copies of the project: a mutant for each processor at a time, the timed ones alone, which have
# the labs' own sizes in a fifth of their epochs: a ratio is one of epochs, and the oracle's work is by them.
. tests/tap.sh
. tests/cli/lib/mpi.sh
export hpclab=$PWD/build/hpclab mutants=$PWD/tests/mutants scratch
root=$scratch/root.0
mkdir "$scratch/all"
copy_project "$root" lib device
mv "$root/labs" "$scratch/labs"
share_builds
export HPC_NVCC=none # whether g++ and nvcc agree is not asked of each mutant
cp "$mutants"/*.h "$root/mlp" || exit 1 # only headers of mlp/ are in the build's jail
cp mlp/variants/ranks_train.h "$root/mlp" || exit 1
lanes=$(nproc)
for ((lane = 1; lane < lanes; lane++)); do cp -al "$root" "$scratch/root.$lane" || exit 1; done
cp -al "$root" "$scratch/root.timed" || exit 1
for lane in timed $(seq 0 $((lanes - 1))); do
    cp -r "$scratch/labs" "$scratch/root.$lane" || exit 1
    # What break_even is measured on.
    cp mlp/variants/openmp_inner.c "$scratch/root.$lane/labs/lab3" || exit 1
    # A hang is told after two seconds; mpirun may take as long to begin.
    sed -i '/^wall_seconds/d; s/^symbols = /wall_seconds = 2\n&/' \
        "$scratch/root.$lane"/labs/lab[1-8]/lab.ini
    sed -i 's/^epochs = 40$/epochs = 8/' "$scratch/root.$lane"/labs/lab[1-4]/lab.ini
    [ "$lane" = timed ] || HPC_ROOT=$scratch/root.$lane short_cases
done

# compare RECORD TASK EXPECTATION: 0 when the task's result is as expected, else says what it is.
compare() {
    python3 -S - "$@" <<'PYTHON' # -S: Python's own modules alone, for half of a start's time
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
    elif kind in ("hint", "reason", "unsaid"):
        text = result["reason"] + (" " + result["hint"] if kind != "reason" else "")
        if (words.lower() in text.lower()) == (kind == "unsaid"):
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

# grade_once LAB TASK FILE EXPECTATION: in this lane's root. 3: an answer to what is measured, and others had the
# processors, so that nothing is said of it.
grade_once() {
    local status file record=$HPC_ROOT/record.json quick=
    [[ $3 == *.cu || $4 != pass* && $3 == *.c ]] || quick=--quick
    file=$(awk -v task="[task $2]" '/^\[/ { found = $0 == task }
        found && /^file *=/ { print $3; exit }' "$HPC_ROOT/labs/$1/lab.ini")
    cp "$3" "$HPC_ROOT/labs/$1/${file:-$2.${3##*.}}" || return 1
    rm -f "$record" "$HPC_ROOT/results/$1/answers.json" # versions of the mutant before it
    (cd "$HPC_ROOT" &&
        "$hpclab" grade "$1" --only "$2" --plain $quick --seed 7 --json "$record" 2>&1)
    status=$?
    [ $status != 3 ] || [[ $3 != *.ini ]] || ! grep -q '"verdict": "noisy"' "$record" || return 3
    [ $status -le 1 ] || { echo "grade ended with $status"; return 1; }
    compare "$record" "$2" "$4"
}

# grade_one NUMBER LAB TASK FILE EXPECTATION: its output to all/NUMBER; 0 to all/NUMBER.status where it was as
# expected, 3 where others had the processors. A race may come out otherwise once: it gets a second try.
grade_one() {
    export HPC_ROOT=$scratch/root.$lane
    local status
    grade_once "${@:2}" >"$scratch/all/$1" 2>&1
    status=$?
    [ $status != 1 ] || { grade_once "${@:2}" >>"$scratch/all/$1" 2>&1; status=$?; }
    echo $status >"$scratch/all/$1.status"
}
export -f compare grade_once grade_one

# measured LAB FILE EXPECTATION: whether it is timed, so that nothing else may run.
measured() { [[ $1 == lab[13] && $2 == *.ini ]] || [[ $2 == *.c && $3 == pass* ]]; }

have_archer() {
    command -v clang >/dev/null && compgen -G '/usr/lib/llvm-*/lib/libarcher.so' >/dev/null
}

all=${MUTANTS:-}
[ "${TEST_ALL:-0}" != 1 ] || all=1

# wanted LAB/TASK FILE EXPECTATION: no, where one of task and verdict, or of what is expected, is enough and
# was met before.
declare -A met
wanted() {
    local key="$1 ${3%%;*}"
    [ -z "$all" ] || return 0
    case $2 in
    *.cu) ;;
    *.ini) [[ $1 == lab[13]/* ]] || return 0 ;;
    *) [[ $3 == *';'* ]] || return 0 # nothing says that it is the same mistake
        [[ $3 == 'wrong; '* ]] && key=$3 || key="$1 $3" ;;
    esac
    [ -z "${met[$key]:-}" ] || return 1
    met[$key]=1
}

# due LAB/TASK FILE EXPECTATION: whether its turn is now. The first of a lab, of each verdict and of each kind of
# expectation is graded early, in C and in CUDA each; the others, which cost as much, late. Of answers all are early.
declare -A early
due() {
    local kind kinds part=again
    [ -z "${MUTANTS:-}" ] || return 0
    mapfile -t kinds < <(grep -oE '; [a-z]+' <<<"$3")
    for kind in "${1%%/*}" "${3%%[|;]*}" ${kinds[@]+"${kinds[@]}"}; do
        [ -n "${early[${2##*.} $kind]:-}" ] || part=first
        early[${2##*.} $kind]=1
    done
    [[ $2 != *.ini || $1 == lab[13]/* ]] || part=first
    turn $part
}

# plan NAME FILE EXPECTATION: to be graded as a solution of NAME's task.
names=()
plan() {
    local lab=${1%%/*} task=${1#*/} queue=$scratch/beside
    [[ $1 == *${MUTANTS:-}* ]] && wanted "${1%/*}" "$2" "$3" && due "${1%/*}" "$2" "$3" || return 0
    if [[ $3 == *'hint: data race'* ]] && grep -q '#pragma omp' "$2" && ! have_archer; then
        skip "$1" 'no clang with Archer: races of OpenMP are not looked for'
        return
    fi
    if [ "$lab" = lab9 ] && [[ $2 == *.c ]]; then
        [ -n "${mpi:-}" ] || { mpi=no && ! have_mpi || mpi=yes; }
        [ "$mpi" = yes ] || { skip "$1" 'no Open MPI here, or no jail for it'; return; }
    fi
    ! measured "$lab" "$2" "$3" || queue=$scratch/alone
    printf '%s\0' "${#names[@]}" "$lab" "${task%%/*}" "$2" "$3" >>"$queue"
    names+=("$1: ${3:-its first line says what to expect}")
}

: >"$scratch/alone"
: >"$scratch/beside"
# head_word WORD FILE: into $line what follows WORD in the first line that begins with it.
head_word() {
    while IFS= read -r line; do
        [[ $line != "$1"* ]] || { line=${line#"$1"} && return; }
    done <"$2"
    line=
}
apply_all() {
    local name pairs=()
    for patch in "$mutants"/lab*/*/*.patch; do
        name=${patch#"$mutants"/} name=${name%.patch}
        head_word '--- ' "$patch"
        pairs+=("$name" "$scratch/mutants/$name.${line##*.}")
    done
    printf '%s\0' "$mutants"/lab*/*/ | sed -z "s|^$mutants|$scratch/mutants|" | xargs -0 mkdir -p
    "$mutants/apply" "${pairs[@]}"
}
check 'every patch applies to its right solution' apply_all
for file in "$scratch"/mutants/lab*/*/*; do
    name=${file#"$scratch"/mutants/} name=${name%.*}
    head_word 'expect: ' "$mutants/$name.patch"
    plan "$name" "$file" "$line"
done
# The right solutions; what is right in the sheets of lab1 and lab3 depends on the machine.
for file in "$mutants"/lab*/*.*; do
    name=${file#"$mutants"/} name=${name%.*}
    [ -z "$all" ] || [[ $file == */lab[13]/*.ini ]] || plan "$name/right" "$file" 'pass|noisy'
done

xargs -0 -n 5 -r -P "$lanes" --process-slot-var=lane \
    bash -c 'grade_one "$@"' bash <"$scratch/beside"
lane=timed xargs -0 -n 5 -r bash -c 'grade_one "$@"' bash <"$scratch/alone"
for number in "${!names[@]}"; do
    cp "$scratch/all/$number" "$scratch/.output"
    status=$(cat "$scratch/all/$number.status")
    if [ "$status" = 3 ]; then
        skip "${names[number]}" 'what it is measured by is noisy here'
    else
        tap_result "$status" "${names[number]}"
    fi
    [ -z "${MUTANTS:-}" ] || grep -E '^  [a-z]+: ' "$scratch/.output" | sed 's/^/#/'
done
check "${#names[@]} mutants" test ${#names[@]} -gt 0
while read -r task; do
    n=$(find "$mutants/$task" -name '*.patch' | wc -l)
    check "$task has at least four ($n)" test "$n" -ge 4
done < <(for lab in $("$hpclab" list --tsv=name); do "$hpclab" list "$lab" --tsv=name | sed "s,^,$lab/,"; done)
done_testing
