#!/usr/bin/env bash
# A GPU that does nothing any more costs nobody points: `make test DEVICE=cuda`, elsewhere skipped.
# What shows whether it works is a kernel of ours; here that hangs too.
. tests/tap.sh
hpclab=$PWD/build/hpclab
if [ "${HPC_TEST_DEVICE:-}" != cuda ]; then
    skip 'a GPU that hangs' 'no DEVICE=cuda'
    done_testing
    exit
fi
export HPC_ROOT=$scratch/root
lab=$HPC_ROOT/labs/lab90 record=$scratch/record.json
mkdir -p "$HPC_ROOT/build" "$HPC_ROOT/labs" "$HPC_ROOT/tests/hostile"
# shellcheck disable=SC2046 # one word a folder
cp -r common harness runner device $(operations) "$HPC_ROOT" || exit 1
cp -r build/lib build/device "$HPC_ROOT/build" || exit 1
cp tests/hostile/README.md "$HPC_ROOT/tests/hostile"
cp tests/hostile/*.h "$HPC_ROOT/conv1d"
cp -r tests/hostile/lab "$lab"
mkdir "$lab/starter"
touch "$lab/hidden.ini"
for task in $(sed -n 's/^\[task \([a-z]*\)\]/\1/p' "$lab/lab.ini"); do touch "$lab/starter/$task.c" "$lab/starter/$task.cu"; done

grade() { # SUBMISSION VERDICT REASON
    cp "tests/hostile/submissions/$1.cu" "$lab/gpu.cu"
    rm -f "$record"
    "$hpclab" grade lab90 --only gpu --device cuda --quick --plain --json "$record" >"$scratch/out" 2>&1
    check "$1: $2" python3 - "$record" "$2" "$3" <<'PYTHON'
import json, sys
task = next(t for t in json.load(open(sys.argv[1]))["tasks"] if t["name"] == "gpu")
print(task["verdict"], task["reason"])
sys.exit(task["verdict"] != sys.argv[2] or sys.argv[3] not in task["reason"])
PYTHON
    sed 's/^/# /' "$scratch/.output"
}
grade control_kernel pass ''
grade 62_hangs_gpu timeout 'run() did not return'
grade control_kernel pass ''
sed -i 's/^    atomicMax(.*/    while (atomicAdd(\&last, 0) != 1)\n        ;/' "$HPC_ROOT/runner/probe.cu"
check 'the probe hangs now' grep -q 'while (atomicAdd' "$HPC_ROOT/runner/probe.cu"
grade 62_hangs_gpu environment 'the GPU does nothing any more'
grade control_kernel pass ''
done_testing
