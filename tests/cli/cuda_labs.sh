#!/usr/bin/env bash
# long: minutes of processors.
# CUDA as students meet it on a machine without a GPU: hpclab run, make lab5 and lab6, safety and
# traffic by the device checker, predictions, what needs a GPU. Works on a copy of the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab
mutants=$PWD/tests/mutants
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
share_builds
cd "$HPC_ROOT" || exit 1
rm -f labs/*/*.cu labs/*/intensity.ini labs/*/prediction.ini
record=$scratch/record.json
nvcc=$(command -v nvcc || ls "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" 2>/dev/null)
export HPC_NVCC=none

judge() { # EXPRESSION: Python, of the record `r` and its tasks `t` by name; true is right
    python3 -S - "$record" "$1" <<'PYTHON'
import json, sys
r = json.load(open(sys.argv[1]))
t = {task["name"]: task for task in r["tasks"]}
if not eval("(" + sys.argv[2] + ")"):
    print(json.dumps({k: v for k, v in r.items() if k != "machine"}, indent=1))
    sys.exit(sys.argv[2])
PYTHON
}

# One variant on one problem.
check 'a variant in CUDA runs' "$hpclab" run conv1d/tiled_halo n=5000 mask=9 block=64 --device cpu
shows 'right' 'and is checked'
shows 'the CPU device: such a time says nothing about a GPU' 'with a word about its time'
check 'under the checker' "$hpclab" run conv1d/tiled_halo n=8192 mask=9 block=256 --safety checker
check 'by its old name' "$hpclab" run conv1d/tiled_halo n=8192 mask=9 block=256 --safety device
shows 'traffic +tiled_halo_kernel: 1 launch, 8192 threads' 'its traffic is counted'
shows 'global loads .* sectors' 'requests and sectors'
shows 'the device checker found nothing' 'and no fault'
# C++'s library is an archive to a runner, where there is one, and a variant's copies of its functions are not its.
printf '[hosted]\ntitle = tiled_halo, with classes of C++ on the host\nop = conv1d\nfile = hosted.cu\n' >>conv1d/variants/variants.ini
{
    printf '#include <%s>\n' map stdexcept string vector
    sed 's/"tiled_halo"/"hosted"/' conv1d/variants/tiled_halo.cu
    cat <<'CUDA'
__attribute__((constructor)) static void host()
{
    std::map<std::string, std::vector<int *>> hosted;
    try {
        for (int i = 0; i < 40; i++)
            hosted[std::to_string(i) + std::string(i, 'x')].push_back(new int(i));
        throw std::runtime_error(std::string("thrown") + hosted.rbegin()->first);
    } catch (const std::exception &e) {
        if (e.what() != "thrown9xxxxxxxxx" + std::string())
            abort();
    }
    for (auto &one : hosted)
        delete one.second.at(0);
}
CUDA
} >conv1d/variants/hosted.cu
check 'classes of C++ on the host' "$hpclab" run conv1d/hosted n=5000 mask=9 block=64 --device cpu
check 'and under the checker' "$hpclab" run conv1d/hosted n=8192 mask=9 block=256 --safety checker
shows 'the device checker found nothing' 'which finds nothing'
if [ -e "$(g++ -print-file-name=libstdc++.a)" ]; then
    check 'no runner loads the library of C++' \
        eval '! readelf -d build/cpu/run/conv1d/hosted/runner{,-check} | grep -F libstdc++'
fi

fails 2 'an even mask' "$hpclab" run conv1d/constant n=100 mask=8
shows '^hpclab: .*mask = 8' 'is named'
fails 2 'more threads than a block has' "$hpclab" run conv1d/constant n=100 mask=3 block=2048
fails 2 'an unknown variant' "$hpclab" run conv1d/nobody n=100 mask=3
fails 2 'an unknown device' "$hpclab" run conv1d/constant n=100 mask=3 --device tpu
shows 'expected auto, cpu or cuda' 'is named'
fails 2 'the checker for a file in C' "$hpclab" run conv1d/cpu n=100 mask=3 --safety device
fails 3 'a GPU where there is no nvcc' "$hpclab" run conv1d/constant n=100 mask=3 --device cuda
shows '^hpclab: --device cuda: no ' 'says what is missing'

check 'reference needs no GPU' "$hpclab" reference lab6
shows 'register: no reference to record' 'where speed is a share of a copy'

# Selecting a device.
check 'make lab5' "$hpclab" build lab5
shows 'single_block compiles for the CPU device' 'for the CPU device'
check 'the device is kept as asked for' grep -qx 'device = auto' build/selection.ini
check 'DEVICE=cpu' "$hpclab" build lab5 --device cpu
check 'is kept' grep -qx 'device = cpu' build/selection.ini
fails 3 'DEVICE=cuda' "$hpclab" build lab5 --device cuda
check 'leaves the selection as it was' grep -qx 'device = cpu' build/selection.ini

# Unsafe, and too much traffic.
"$mutants/apply" lab6/tiled_cached/barrier_after_return labs/lab6/tiled_cached.cu
fails 1 'a barrier that not all threads reach' "$hpclab" grade lab6 --only tiled_cached --plain --json "$record"
check 'is unsafe' judge 't["tiled_cached"]["verdict"] == "unsafe" and
    "divergent barrier" in t["tiled_cached"]["reason"] and t["tiled_cached"]["points"] == 7.5 and
    "device: " in t["tiled_cached"]["safety"] and "--safety checker" in t["tiled_cached"]["reproduce"]'
check 'all reports are kept' grep -q 'divergent-barrier in .*tiled_cached.cu:' results/lab6/tiled_cached.txt
again=$(python3 -c 'import json, sys
print(next(t for t in json.load(open(sys.argv[1]))["tasks"] if t["name"] == "tiled_cached")["reproduce"])' "$record")
fails 1 'the command that repeats it' sh -c "${again/.\/hpclab/$hpclab}"
shows 'divergent barrier' 'does so'
"$mutants/apply" lab6/tiled_halo/strided labs/lab6/tiled_halo.cu
fails 1 'too many sectors' "$hpclab" grade lab6 --only tiled_halo --plain --json "$record"
check 'passes, without all points' judge 't["tiled_halo"]["verdict"] == "pass" and
    20 <= t["tiled_halo"]["points"] < 30 and "at most 0.18 is asked for" in t["tiled_halo"]["reason"]'
check 'with what was measured' judge 't["tiled_halo"]["traffic"]["case"] == "tiles" and
    not t["tiled_halo"]["traffic"]["bounds"][0]["met"] and
    t["tiled_halo"]["traffic"]["bounds"][0]["measured"] > 0.18 and
    t["tiled_halo"]["traffic"]["kernels"][0]["global_load_sectors"] > 0'
check 'explain' "$hpclab" explain lab6/tiled_halo
shows 'traffic .*global_load_sectors_per_output' 'says it again'

# Predictions: the problem that a name draws, and answers worked out here on their own.
sed 's/^student =.*/student = Ada Lovelace/' labs/lab6/starter/prediction.ini >labs/lab6/prediction.ini
fails 1 'a name and no answer' "$hpclab" grade lab6 --only prediction --plain --json "$record"
check 'is told the problem' judge '"your problem: n = " in t["prediction"]["reason"]'
cp "$record" named.json
sed -i 's/^student =.*/student =/' labs/lab6/prediction.ini
fails 1 'no name' "$hpclab" grade lab6 --only prediction --plain --json "$record"
check 'is asked for it' judge '"student" in t["prediction"]["reason"] and t["prediction"]["points"] == 0'
python3 - <<'PYTHON' >labs/lab6/prediction.ini
import json, re
task = next(t for t in json.load(open("named.json"))["tasks"] if t["name"] == "prediction")
n, mask, block = (int(re.search(w + r" = (\d+)", task["reason"]).group(1)) for w in ("n", "mask", "block"))
r = mask // 2
sectors = lambda cells: len({c // 8 for c in cells})
warps = lambda cells: [cells[k:k + 32] for k in range(0, len(cells), 32)]
base = 1 << 20
constant = sum(sectors(range(base + o, base + o + 32)) for o in range(-r, r + 1)) / 32
tile = sum(map(sectors, warps(range(base - r, base + block + r)))) / block
outside = lambda o: [[base + i + o for i in w if not 0 <= i + o < block] for w in warps(range(block))]
cached = (block // 8 + sum(sectors(w) for o in range(-r, r + 1) for w in outside(o))) / block
print(f"""[answers]
student = Ada Lovelace
halo_cells = {-(-n // block) * 2 * r}
shared_bytes = {4 * (block + 2 * r)}
constant_sectors = {constant:.3f}
tiled_halo_sectors = {tile:.3f}
tiled_cached_sectors = {cached:.3f}
bank_conflicts = 0
speedup_tiled = 1.5
who = L1""")
PYTHON
check 'answers with a pencil' "$hpclab" grade lab6 --only prediction --plain --json "$record"
check 'earn all points' judge 't["prediction"]["points"] == 15'
sed -i 's/^halo_cells = .*/halo_cells = 7/; s/^who = .*/who = the compiler/' labs/lab6/prediction.ini
rm results/lab6/answers.json # as if these had been the first
fails 1 'two that are off' "$hpclab" grade lab6 --only prediction --plain --json "$record"
check 'cost theirs' judge 'abs(t["prediction"]["points"] - 15 * 6 / 8) < 0.01 and
    "halo_cells = 7" in t["prediction"]["reason"]'
check 'each with its mark' grep -q '^  0%  who = the compiler' results/lab6/prediction.txt

# Objects for programs of ours.
check 'objects of conv1d' "$hpclab" build --objects conv1d
check 'of CUDA and C variants' sh -c 'nm build/cpu/variants/conv1d/constant.o | grep -q "D hpc_variant_constant" &&
    nm build/cpu/variants/conv1d/cpu.o | grep -q "hpc_variant_cpu$" && grep -q hpc_variant_constant build/cpu/variants/conv1d/table.c'

# nvcc's opinion, where it is here.
if [ -z "$nvcc" ]; then
    skip 'what nvcc does not take' 'no nvcc here'
    skip 'a binary of kernels that is cut short' 'no nvcc here'
    skip 'objects by nvcc' 'no nvcc here'
    skip 'half precision, seen in the PTX' 'no nvcc here'
else
    export HPC_NVCC=$nvcc
    sed 's/^__global__/static float on_the_host(float a)\n{\n    return a;\n}\n\n&/; s/y\[i\] = sum;/y[i] = on_the_host(sum);/' \
        conv1d/variants/constant.cu >labs/lab5/constant.cu
    fails 1 'what nvcc does not take' "$hpclab" grade lab5 --only constant --plain --json "$record"
    check 'has the verdict build' judge 't["constant"]["verdict"] == "build"'
    # Its binary of kernels, cut short as by a disk that is full.
    cp conv1d/variants/multi_block.cu labs/lab5/multi_block.cu
    printf '%s\n' '#!/bin/sh' "'$nvcc' \"\$@\" || exit" \
        'for kept in *.fatbin; do [ ! -f "$kept" ] || { head -c 100 "$kept" >cut; cat cut >"$kept"; }; done' >"$scratch/nvcc"
    chmod +x "$scratch/nvcc"
    fails 3 'a binary of kernels that is cut short' env HPC_NVCC="$scratch/nvcc" \
        "$hpclab" grade lab5 --only multi_block --quick --plain --json "$record"
    check 'is the machine'"'"'s fault' judge 't["multi_block"]["verdict"] == "environment" and
        "cut short" in t["multi_block"]["reason"]'
    check 'objects by nvcc' "$hpclab" build --objects conv1d --device cuda
    check 'in their own folder' sh -c 'nm build/cuda/variants/conv1d/constant.o | grep -q "D hpc_variant_constant" &&
        nm -u build/cuda/variants/conv1d/constant.o | grep -q cudaLaunchKernel'

    # Less than fp32, seen in the PTX; more of the scan: tests/unit/test_ptx.c.
    "$mutants/apply" lab6/register/half_precision labs/lab6/register.cu
    fails 1 'half precision, seen in the PTX' "$hpclab" grade lab6 --only register --plain --json "$record"
    check 'has the verdict build, its line and kernel' judge 't["register"]["verdict"] == "build" and
        t["register"]["reason"].startswith("labs/lab6/register.cu:18: kernel register_kernel holds cvt.")'
    sed -i '/^\[task register\]/a instructions = half' labs/lab6/lab.ini
    fails 1 'a task that lets half precision through' "$hpclab" grade lab6 --only register --plain --json "$record"
    check 'runs it' judge 't["register"]["verdict"] == "wrong"'
    sed -i 's/^instructions = half/instructions = quarter/' labs/lab6/lab.ini
    fails 2 'a kind that there is not' "$hpclab" grade lab6 --only register --plain
    shows 'lab.ini:[0-9]*: instructions = quarter, expected half, tensor, approx or cache' 'is named with its line'
    sed -i '/^instructions = /d' labs/lab6/lab.ini
    # What earns full marks holds nothing of the kind. Students get no headers of variants/.
    for folder in conv1d conv2d; do
        for file in $folder/variants/*.h; do sed "s|$folder/variants/|$folder/|" "$file" >"$folder/${file##*/}"; done
    done
    for file in labs/lab[567]/starter/*.cu; do
        lab=${file#labs/} lab=${lab%%/*} name=${file##*/}
        for folder in conv1d conv2d; do
            [ ! -e $folder/variants/$name ] || sed "s|$folder/variants/|$folder/|" $folder/variants/$name >labs/$lab/$name
        done
    done
    sed 's|"register_record.h"|"conv1d/register_record.h"|' conv1d/variants/register_record.cu >labs/lab6/register.cu
    for lab in lab5 lab6 lab7; do check "references of $lab" "$hpclab" build $lab --device cpu; done
fi
done_testing
