#!/usr/bin/env bash
# long: minutes of processors.
# What a release holds of the trusted side is no solution: pasted into a submission
# (tests/release_pastes/NAME.paste, whose first line names tasks), it is right and earns less than a
# fifth of the task's speed points, by times taken in one run; and none of its code is like a
# solution's (tests/release_shapes). Tasks in CUDA are not pasted: their speed needs a GPU, and the trusted
# side has no kernel but the CPU device's. lab2/blocked has unrolled's flags and a higher target.
. tests/tap.sh
hpclab=$PWD/build/hpclab
pastes=$PWD/tests/release_pastes
! turn shapes || check 'no code of the trusted side is like a solution' tests/release_shapes
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
share_builds
[ "${TEST_ALL:-0}" = 1 ] || short_cases
cd "$HPC_ROOT" || exit 1

# poor RECORD: right on all cases, timed, and its ratio worth less than a fifth of the speed points; or
# refused, as it has no threads.
poor() {
    python3 - "$1" <<'PYTHON'
import json, math, sys
t = next(t for t in json.load(open(sys.argv[1]))["tasks"] if t["verdict"] != "skipped")
c, s = t["correctness"], t.get("speed") or {}
share = math.log(s["ratio"]) / math.log(s["target"]) if s.get("ratio") else None
print(t["name"], t["verdict"], t["reason"], s.get("ratio"), "of", s.get("target"), "share", share)
alone = t["verdict"] == "rejected" and "one thread did" in t["reason"] and t["points"] == 0
sys.exit(not alone and not (c["cases"] == c["passed"] > 0 and share is not None and share < 0.2))
PYTHON
}

# no_solution LAB/TASK: what noise of the machine makes of a ratio, it does not make three times of one.
no_solution() {
    local times
    for times in 1 2 3; do
        "$hpclab" grade "${1%/*}" --only "${1#*/}" --quick --plain --json "$scratch/record.json" >"$scratch/screen" 2>&1
        echo "time $times:" && poor "$scratch/record.json" && return
    done
    return 1
}

for file in "$pastes"/*.paste; do
    turn pastes || break
    read -r -a tasks <<<"$(sed -n '1s/^..\(.*\):.*/\1/p' "$file")"
    for task in "${tasks[@]}"; do
        "$pastes/expand" "$file" >"labs/${task%/*}/${task#*/}.c"
        check "$task: ${file##*/} is no solution" no_solution "$task"
    done
done
done_testing
