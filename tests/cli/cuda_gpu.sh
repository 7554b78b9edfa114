#!/usr/bin/env bash
# Labs 5 to 8 on a GPU: `make test DEVICE=cuda`, elsewhere skipped. References are right and as fast
# as full marks ask for, what a GPU does to a kernel has its words. Mutants: cuda_gpu_mutants.sh.
. tests/tap.sh
hpclab=$PWD/build/hpclab
if [ "${HPC_TEST_DEVICE:-}" != cuda ]; then
    skip 'labs 5 to 8 on a GPU' 'no DEVICE=cuda'
    done_testing
    exit
fi
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
cd "$HPC_ROOT" || exit 1
record=$scratch/record.json

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

for lab in lab5 lab6 lab7 lab8; do
    check "$lab: make DEVICE=cuda" "$hpclab" build $lab --impl reference --device cuda
    shows 'for the GPU' 'by nvcc'
    check "$lab: the reference on the GPU" sh -c \
        "'$hpclab' grade $lab --impl reference --device cuda --plain --json '$record'; [ \$? -le 1 ]"
    sed 's/^/# /' "$scratch/.output"
    check "$lab: right, clean, within the bounds of traffic" judge 'r["device"] == "cuda" and all(
        x["verdict"] in ("pass", "noisy") and x["correctness"]["cases"] == x["correctness"]["passed"] and
        all(b["met"] for b in (x["traffic"] or {"bounds": []})["bounds"]) for x in r["tasks"])'
    [ $lab != lab6 ] || check 'register is timed against the copy' judge 't["register"]["speed"]["of_copy"] and
        0.3 < t["register"]["speed"]["ratio"] < 1.1'
done
sed 's/<<<.*>>>/<<<1, 4096>>>/' conv1d/variants/multi_block.cu >labs/lab5/multi_block.cu
fails 1 'a launch that is refused' "$hpclab" grade lab5 --impl student --only multi_block --device cuda --quick --plain --json "$record"
check 'has its words' judge '"at most 1024 threads" in t["multi_block"]["reason"] or "returned 1" in t["multi_block"]["reason"]'
rm labs/lab5/multi_block.cu

cp conv1d/variants/tiled_halo.cu labs/lab6/
check 'a profile by Nsight Compute' "$hpclab" profile lab6 --plain --only tiled_halo
shows 'nothing by Nsight Compute: this user may not read|tiled_halo, case .* on the GPU by Nsight Compute$' 'said as such'
if prints 'by Nsight Compute$'; then
    shows '^    speed of light: arithmetic [0-9]+% of its peak, memory [0-9]+%: ' 'the speed of light'
    shows '^    memory: [0-9.]+ us, [0-9.]+ MB of device memory, [0-9]+ GB/s, [0-9]+% of its peak; the L1 had' 'its memory'
    shows '^    occupancy: [0-9]+% of the warps .*, [0-9]+% could be' 'and its warps'
fi
check "a roofline under the GPU's peaks" "$hpclab" bench lab6 --quick --plain
for unit in FMA 'TF32 matrix' 'half matrix'; do
    shows "copy and $unit peaks on the GPU, measured: [0-9.]+ GB/s, [0-9.]+ GFLOP/s" "of $unit"
done
check 'each above the one before it' awk -F, 'NR > 1 && !($NF > most) { exit 1 } NR > 1 { most = $NF } END { exit NR != 4 }' \
    results/lab6/bench/ceilings.csv
rm labs/lab6/tiled_halo.cu

done_testing
