#!/usr/bin/env bash
# lab7 and lab8: references score all that needs no GPU, starters little and are told why; answers
# worked out here on their own; a bonus; what is refused. Works on a copy of the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
share_builds
cd "$HPC_ROOT" || exit 1
for lab in lab7 lab8; do rm -f labs/$lab/*.cu; done
record=$scratch/record.json
export HPC_NVCC=none # tests/cli/cuda_labs_nvcc.sh asks nvcc

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

labs='lab7 lab8'
for lab in $labs; do
    check "$lab: the reference" "$hpclab" grade $lab --impl reference --device cpu --plain --json "$record"
    check "$lab: scores all but the speed on a GPU, and its bonus" judge 'r["complete"] and r["device"] == "cpu" and
        r["max_score"] == 100 - r["pending"] and r["score"] == r["max_score"] + 13 and
        all(x["verdict"] == "pass" for x in r["tasks"])'
    check "$lab: clean under the checker, within the bounds of traffic" judge 'all(
        x["safety"] == "device: clean" and all(b["met"] for b in (x["traffic"] or {"bounds": []})["bounds"])
        for x in r["tasks"] if x["name"] not in ("tiling", "skipping", "floors", "interchange", "own_convolution", "own_pooling"))'
done

# Answers with a pencil: what the handout says how to find, on a problem that a name draws.
named() { # LAB TASK: grade it with a name and no answer
    local lab=$1 task=$2
    sed 's/^student =.*/student = Grace Hopper/' "labs/$lab/starter/$task.ini" >"labs/$lab/$task.ini"
    fails 1 "$task: a name and no answer" "$hpclab" grade "$lab" --only "$task" --plain --json "$record"
    check "$task: is told the problem" judge 't["'"$task"'"]["reason"].startswith("your problem: ")'
}
named lab7 tiling
python3 - "$record" <<'PYTHON' >labs/lab7/tiling.ini
import json, re, sys
reason = next(t for t in json.load(open(sys.argv[1]))["tasks"] if t["name"] == "tiling")["reason"]
c, _, _, k, r, _ = map(int, re.findall(r"\d+", reason)[:6])
cells = (16 + r - 1) ** 2
print(f"""[answers]
student = Grace Hopper
flops_per_output = {2 * c * r * r}
direct_requests = {2 * c * r * r}
tile_cells = {cells}
shared_bytes = {4 * (cells + 8 * r * r)}
tiled_words = {c * (cells + 8 * r * r) / (16 * 16 * 8):.3f}
tiled_shared_requests = {c * r * r * 9 / 8}
speedup_3x3 = 6
speedup_1x1 = 0.7""")
PYTHON
check 'tiling: answers with a pencil' "$hpclab" grade lab7 --only tiling --plain --json "$record"
check 'tiling: earn all points' judge 't["tiling"]["points"] == 10'
named lab7 skipping
python3 - "$record" <<'PYTHON' >labs/lab7/skipping.ini
import json, random, re, sys
reason = next(t for t in json.load(open(sys.argv[1]))["tasks"] if t["name"] == "skipping")["reason"]
c, _, _, k, r, _, _, _ = map(int, re.findall(r"\d+", reason)[:8])
s = float(re.search(r"sparsity ([\d.]+)", reason).group(1))
n = r * r
random.seed(3)
def fullest(s):  # of 32 windows side by side, drawn
    most = 0
    for _ in range(300):
        column = [sum(random.random() >= s for _ in range(r)) for _ in range(32 + r - 1)]
        most += max(sum(column[i:i + r]) for i in range(32))
    return most / 300
low, high = 0.9, 1
for _ in range(12):
    middle = (low + high) / 2
    worse = n * (1 + 3 * (1 - middle ** 32)) + 2 * fullest(middle) + 2 > 2 * n
    low, high = (middle, high) if worse else (low, middle)
print(f"""[answers]
student = Grace Hopper
entries = {n * (1 - s):.3f}
launches = {c * k}
warp_entries = {fullest(s):.2f}
warp_skips = {s ** 32:.4f}
break_even_thread = {1 - (n - 2) / (5 * n):.3f}
break_even_warp = {low:.4f}
unit = the warp
speedup_90 = 2.2
speedup_60 = 0.5""")
PYTHON
check 'skipping: answers with a pencil' "$hpclab" grade lab7 --only skipping --plain --json "$record"
check 'skipping: earn all points' judge 't["skipping"]["points"] == 15'
sed -i 's/^launches = .*/launches = 1/; s/^unit = .*/unit = the block/' labs/lab7/skipping.ini
rm results/lab7/answers.json # as if these had been the first
fails 1 'skipping: two that are off' "$hpclab" grade lab7 --only skipping --plain --json "$record"
check 'skipping: cost theirs, guessing taken off' judge 'abs(t["skipping"]["points"] - 15 * (7 - 2.6) / (9 - 2.6)) < 0.01 and "launches = 1" in t["skipping"]["reason"]'

# lab8, from the tables of the paper.
named lab8 floors
python3 - "$record" <<'PYTHON' >labs/lab8/floors.ini
import json, re, sys
reason = next(t for t in json.load(open(sys.argv[1]))["tasks"] if t["name"] == "floors")["reason"]
batch, c, side, _, _, row_c, row, _ = map(int, re.findall(r"\d+", re.sub(r"fp32|Table 1", "", reason))[:8])
v100 = {(8, 256): 0.651, (8, 512): 1.87, (16, 256): 1.87, (16, 512): 6.51, (32, 256): 5.98, (32, 512): 20.9,
        (64, 256): 13.9, (64, 512): 47}[row, row_c]
h200 = {(8, 256): 0.0631, (8, 512): 0.1957, (16, 256): 0.1764, (16, 512): 0.5398, (32, 256): 0.5932, (32, 512): 1.9077,
        (64, 256): 2.2777, (64, 512): 7.4762}[row, row_c]
direct = {(8, 256): 0.0907, (8, 512): 0.2269, (16, 256): 0.1491, (16, 512): 0.4468, (32, 256): 0.4897, (32, 512): 1.7496,
          (64, 256): 1.9300, (64, 512): 6.9837}[row, row_c]
y = batch * c * side * side // 4
moved = 4 * (4 * y + 9 * c * c + y)
rate = lambda ms: 2 * 36 * row_c * (64 * row_c * row * row // 4) / ms / 1e9
print(f"""[answers]
student = Grace Hopper
products_naive = {36 * c}
products_fused = {16 * c}
products_direct = {9 * c}
megabytes = {moved / 1e6:.2f}
floor_v100 = {1e6 * max(moved / 0.9e12, 18 * c * y / 15.7e12):.2f}
floor_h200 = {1e6 * max(moved / 4.3e12, 18 * c * y / 63.6e12):.2f}
rate_v100 = {rate(v100):.2f}
rate_h200 = {rate(h200):.1f}
all_v100 = {"yes" if rate(v100) < 15.7 else "no"}
all_h200 = {"yes" if rate(h200) < 63.6 else "no"}
speedup_h200 = {h200 / direct * 1.2}""")
PYTHON
check 'floors: answers with a pencil' "$hpclab" grade lab8 --only floors --plain --json "$record"
check 'floors: earn all points' judge 't["floors"]["points"] == 20'
named lab8 interchange
sed -i 's/^max_pooling =.*/max_pooling = yes/; s/^half_slower =.*/half_slower = 5/; s/^final =.*/final = yes/' \
    labs/lab8/interchange.ini
fails 1 'interchange: one that is off, one that is right at times' "$hpclab" grade lab8 --only interchange --plain --json "$record"
check 'interchange: says which' judge '"max_pooling = yes" in t["interchange"]["reason"] and t["interchange"]["points"] <= 1.5'
fails 2 'max pooling is refused' "$hpclab" run conv2d/pool_cpu n=1 c=2 h=8 k=2 r=3 pad=1 pooling=max
shows 'a maximum of sums is no sum of' 'with the reason'
fails 2 'and an activation in between' "$hpclab" run conv2d/pool_cpu n=1 c=2 h=8 k=2 r=3 pad=1 activation=relu
shows 'an activation between them is not' 'with the reason'

# A bonus is beyond the 100: without it nothing is missing.
fails 1 'a starter of the bonus' "$hpclab" grade lab7 --only sparse_blocked --plain --quick --json "$record"
check 'is no loss' judge 't["sparse_blocked"]["points"] == 0 == t["sparse_blocked"]["max_points"]'
check 'a bonus for speed' "$hpclab" grade lab7 --only own_convolution --impl reference --device cpu --plain --json "$record"
check 'waits for a GPU, and is not missing' judge 'r["score"] == 3 and r["max_score"] == r["pending"] == 0 and
    "wait for a GPU" in t["own_convolution"]["reason"]'
done_testing
