#!/usr/bin/env bash
# long: minutes of processors.
# Right solutions in other styles than ours: tests/honest/LAB/TASK/STYLE.c (or .cu) gets all points of
# its task that are not for speed, and no sanitizer and no rule costs it anything. A head may say
# `orders: unchecked`: what the thread sanitizer does not see of fences is told, and loses nothing.
# Without the barrier behind the merge some of them are racy, which is seen all the same.
# Each is graded in one of the kinds of jail that work here, by turns; with TEST_ALL=1 in each. One style of a
# lab has its turn early, in C and in CUDA each, and one that is racy, the others late (tests/long.txt).
# HONEST=PART of a name grades these alone. Works on copies of the project, one for each processor.
. tests/tap.sh
unset HPC_JAIL
chmod 755 "$scratch" # a user id of its own wants to walk to the project
export hpclab=$PWD/build/hpclab honest=$PWD/tests/honest scratch
copy_project "$scratch/root.0" lib device
share_builds
cp tests/mutants/replicas.h tests/honest/*.h "$scratch/root.0/mlp" || exit 1 # only headers of mlp/ are in the build's jail
lanes=$(nproc)
mapfile -t tiers < <("$hpclab" doctor --jail | sed -n 's/^jail: .*(tiers here: \(.*\))$/\1/p' | tr ' ' '\n')
check 'there is a jail here' test ${#tiers[@]} -gt 0

for ((lane = 0; lane < lanes; lane++)); do
    [ "$lane" = 0 ] || cp -al "$scratch/root.0" "$scratch/root.$lane" || exit 1
    HPC_ROOT=$scratch/root.$lane untimed
    HPC_ROOT=$scratch/root.$lane short_cases
done

# compare RECORD TASK SOURCE: 0 when it has all points and nothing was said against it; of a racy one
# when just that was said.
compare() {
    python3 -S - "$@" <<'PYTHON'
import json, sys
record, task, source = sys.argv[1:]
result = next(t for t in json.load(open(record))["tasks"] if t["name"] == task)
for key in ("verdict", "reason", "hint", "points", "max_points", "pending", "safety"):
    print("  %s: %s" % (key, result.get(key)))
if "/racy_" in source:
    sys.exit(result["verdict"] not in ("unsafe", "wrong") or
             not any(w in result["reason"] for w in ("data race", "threads that race", "right with one thread")))
unchecked = "orders: unchecked" in open(source).read(600)
safety = result["safety"] or ""
good = (result["verdict"] == "pass" and "right, and yet" not in (result["hint"] or "") and result["points"] == result["max_points"] > 0 and
        result["correctness"]["passed"] == result["correctness"]["cases"] > 0 and
        ("unchecked (no clang" in safety or unchecked == ("it has fences" in safety)) and
        not any(w in safety for w in ("fault", "report", "early")))
sys.exit(0 if good else "not as a right solution")
PYTHON
}

# grade_one NUMBER TIER LAB TASK SOURCE: in this lane's root.
grade_one() {
    export HPC_ROOT=$scratch/root.${lane:-0} HPC_JAIL=$2
    local file record=$HPC_ROOT/record.json
    file=$(awk -v task="[task $4]" '/^\[/ { found = $0 == task }
        found && /^file *=/ { print $3; exit }' "$HPC_ROOT/labs/$3/lab.ini")
    rm -f "$record"
    {
        cp "$5" "$HPC_ROOT/labs/$3/${file:-$4.${5##*.}}" &&
            (cd "$HPC_ROOT" && "$hpclab" grade "$3" --only "$4" --device cpu --plain --json "$record")
        compare "$record" "$4" "$5"
    } >"$scratch/all.$1" 2>&1
    echo $? >"$scratch/all.$1.status"
}
export -f compare grade_one

# racy LAB/TASK STYLE: what its RACY, or its header's, makes of it; else its lines behind `merge(` left out.
racy() {
    mkdir -p "$scratch/racy/$1" &&
        { echo '#define RACY'; sed "$(grep -q RACY "$honest/$1/$2.c" || echo '/^ *merge(/{n;d}')" "$honest/$1/$2.c"; } >"$scratch/racy/$1/racy_$2.c"
}
racy lab3/openmp_trainer flush
racy lab3/openmp_trainer detach
racy lab4/pthread fences
racy lab4/pthread c11_threads
racy lab4/pthread semaphores

names=() sources=0
declare -A early
: >"$scratch/jobs"
for source in "$honest"/lab*/*/*.c* "$scratch"/racy/lab*/*/*.c; do
    name=${source#"$honest"/} name=${name#"$scratch"/racy/}
    [[ $name == *${HONEST:-}* ]] || continue
    task=${name#*/} task=${task%%/*}
    kind=${name%%/*} part=again
    [[ $name != */racy_* ]] || kind=racy
    [ -n "${early[$kind ${name##*.}]:-}" ] || part=first
    early[$kind ${name##*.}]=1
    for tier in "${tiers[@]}"; do
        [ -n "${HONEST:-}" ] || turn $part || continue
        if grep -q 'mpi\.h\|ranks_trainer' "$source"; then # namespaces alone hold ranks
            [ "$tier" = bubblewrap ] || continue
            command -v mpirun >/dev/null || continue
        else
            [ "${TEST_ALL:-0}" = 1 ] || [ "$tier" = "${tiers[sources % ${#tiers[@]}]}" ] || continue
        fi
        printf '%s\0' "${#names[@]}" "$tier" "${name%%/*}" "$task" "$source" >>"$scratch/jobs"
        names+=("$name, $tier")
    done
    sources=$((sources + 1))
done
xargs -0 -n 5 -r -P "$lanes" --process-slot-var=lane bash -c 'grade_one "$@"' bash <"$scratch/jobs"
for number in "${!names[@]}"; do
    cp "$scratch/all.$number" "$scratch/.output"
    tap_result "$(cat "$scratch/all.$number.status")" "${names[number]}"
    [ -z "${HONEST:-}" ] || grep -E '^  [a-z_]+: ' "$scratch/.output" | sed 's/^/#/'
done
check "$sources right solutions" test "$sources" -gt 0
done_testing
