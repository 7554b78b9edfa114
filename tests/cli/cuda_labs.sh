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
export HPC_NVCC=none # tests/cli/cuda_labs_nvcc.sh asks nvcc
record=$scratch/record.json
. tests/cli/lib/judge.sh
cd "$HPC_ROOT" || exit 1
rm -f labs/*/*.cu labs/*/intensity.ini labs/*/prediction.ini

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
    20 <= t["tiled_halo"]["points"] < 30 and "at most 0.25 asked for" in t["tiled_halo"]["reason"]'
check 'with what was measured' judge 't["tiled_halo"]["traffic"]["case"] == "halo_tiles" and
    not t["tiled_halo"]["traffic"]["bounds"][0]["met"] and
    t["tiled_halo"]["traffic"]["bounds"][0]["measured"] > 0.25 and
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
check 'cost theirs, guessing taken off' judge 'abs(t["prediction"]["points"] - 15 * (6 - 0.5) / (8 - 0.5)) < 0.01 and
    "halo_cells = 7" in t["prediction"]["reason"]'
check 'each with its mark' grep -q '^  0%  who = the compiler' results/lab6/prediction.txt

# Objects for programs of ours.
check 'objects of conv1d' "$hpclab" build --objects conv1d
check 'of CUDA and C variants' sh -c 'nm build/cpu/variants/conv1d/constant.o | grep -q "D hpc_variant_constant" &&
    nm build/cpu/variants/conv1d/cpu.o | grep -q "hpc_variant_cpu$" && grep -q hpc_variant_constant build/cpu/variants/conv1d/table.c'
done_testing
