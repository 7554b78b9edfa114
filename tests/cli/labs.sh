#!/usr/bin/env bash
# long: minutes of processors.
# Labs as graders meet them: references score all, starters score little and are told why, a turn a lab
# (tests/long.txt). TEST_ALL=1 grades the references in full. Works on a copy of the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
share_builds
[ "${TEST_ALL:-0}" = 1 ] || short_cases
export HPC_NVCC=none # tests/cli/cuda_labs_nvcc.sh asks nvcc
record=$scratch/record.json
. tests/cli/lib/judge.sh
. tests/cli/lib/mpi.sh
cd "$HPC_ROOT" || exit 1

# References. A busy machine may leave points for what is measured pending.
for lab in lab2 lab3 lab4; do
    turn reference_$lab || continue
    if [ "${TEST_ALL:-0}" = 1 ]; then
        grade 0 "$lab: the reference scores all that is not pending" $lab --impl reference
        check "$lab: that is 100, or the pending points are named" judge \
            'r["complete"] and r["score"] == r["max_score"] == 100 - r["pending"]'
    else
        check "$lab: the reference is graded" sh -c \
            "'$hpclab' grade $lab --impl reference --quick --plain --json '$record'; [ \$? -le 1 ]"
        check "$lab: all cases are right" judge 'r["complete"] and all(
            x["verdict"] in ("pass", "noisy", "pending") and
            x["correctness"]["cases"] == x["correctness"]["passed"]
            for x in r["tasks"])'
    fi
done

# CUDA labs: on the CPU device, speed waits for a GPU.
for lab in lab5 lab6; do
    turn reference_$lab || continue
    grade 0 "$lab: the reference scores all that is not pending" $lab --impl reference --device cpu
    check "$lab: which is all but the speed on a GPU" judge 'r["complete"] and r["device"] == "cpu" and
        r["score"] == r["max_score"] == 100 - r["pending"] and
        r["pending"] == (20 if r["lab"] == "lab6" else 0)'
    check "$lab: clean under the checker, within the bounds of traffic" judge 'all(
        x["safety"] == "device: clean" and all(b["met"] for b in (x["traffic"] or {"bounds": []})["bounds"])
        for x in r["tasks"] if x["name"] not in ("intensity", "prediction"))'
done

# Ranks of MPI's: no speed.
if ! turn reference_lab9; then
    :
elif have_mpi; then
    grade 0 'lab9: the reference has all points' lab9 --impl reference
    check 'lab9: every case of every rank count is right' judge 'r["complete"] and r["score"] == 100 and
        all(x["correctness"]["cases"] == x["correctness"]["passed"] for x in r["tasks"])'
else
    skip 'lab9: reference and starters' 'no Open MPI here, or no jail for it'
    grade 3 'lab9: without it nothing is graded but answers' lab9 --only allreduce
    check 'lab9: which is the machine, in a line' judge 'r["tasks"][0]["verdict"] == "environment"'
fi

# Starters, as handed out.
for lab in labs/lab*; do
    lab=${lab#labs/}
    turn "starters_lab${lab#lab}" || continue
    [ "$lab" != lab9 ] || have_mpi || continue
    grade 1 "$lab: the starters are graded" "$lab" --quick
    check "$lab: and score under 30" judge 'r["complete"] and r["score"] < 30'
    check "$lab: each task says why" judge 'all(x["reason"] for x in r["tasks"])'
    check "$lab: a variant that does nothing yet is told so" judge '[x for x in r["tasks"]
        if x["correctness"]["cases"] and x["max_points"] and "is the starter as it was handed out" in x["reason"]]'
    python3 -c 'import json, sys
for x in json.load(open(sys.argv[1]))["tasks"]:
    print("# %s: %s: %s | %s" % (x["name"], x["verdict"], x["reason"], x["hint"]))' "$record"
done
done_testing
