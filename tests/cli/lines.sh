#!/usr/bin/env bash
# profile of a student's files, line by line: the hottest, Amdahl, what gprof would not see; a hostile line in
# the table, the picture and the page of a lab. No share of time is judged but that of a line that has nearly all.
. tests/tap.sh
hpclab=$PWD/build/hpclab
project=$PWD
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
short_cases
share_builds
cd "$HPC_ROOT" || exit 1
out=results/lab1/profile
hostile=$'/*\033[2J</text></svg><script>alert(1)</script>&"\' */'
awk -v hostile="$hostile" '{ print } /^static int .*run\(/ { r = 1 }
    r && /^{/ { print "for (volatile int t = 0; t < 8000000; t++) ;" hostile; r = 0 }' \
    "$project/mlp/variants/flat.c" | sed 's/<script>al/<script>\&al/' >labs/lab1/flat.c
line=$(grep -n 'volatile int t' labs/lab1/flat.c | cut -d: -f1)

check 'a file in C' "$hpclab" profile lab1 --only flat --quick --plain
cp "$scratch/.output" "$scratch/said"
shows '^lab1/flat, [0-9]+ samples at [0-9]+ moments, 1 thread$' 'how often was looked'
shows "^ +[0-9.]+% +[0-9]+% +[0-9]+% +[0-9]+% +$line  for \(volatile" 'the line of the pause, with its words'
check 'is the first' eval 'sed -n 3p "$scratch/said" | grep -q "  '"$line"'  for (volatile int"'
grep -qE "^  Amdahl: line $line is (all of the work|[0-9]+% of the work\. If it cost nothing, .* times as fast)" "$scratch/said"
tap_result $? 'what Amdahl says of it'
grep -q 'gprof sees the program.s own code alone: not the [0-9]*% in libraries' "$scratch/said"
tap_result $? 'and what gprof does not see'
grep -qE '^  events: ([0-9.]+ instructions a cycle|no cycles, instructions or cache misses: )' "$scratch/said"
tap_result $? 'what the processor counted, or why nothing'
check 'no terminal obeys it' eval '! grep -q $'"'\\033'"' "$scratch/said"'
check 'the table adds up' awk -F, 'NR > 1 { n += $2; if ($2 != $3 + $4 + $5) exit 1; of = $6 } END { exit n < of * 0.5 || n > of }' $out/flat.csv
check 'the picture is one, with no script' python3 -c '
import sys, xml.dom.minidom
d = xml.dom.minidom.parse(sys.argv[1])
assert not d.getElementsByTagName("script") and "volatile int t" in d.toxml()' $out/flat.svg
check 'its sentence names the line' grep -q "% at line $line" $out/flat.txt

cp labs/lab9/starter/allreduce.c labs/lab9/
sed -i 's|^    (void)s;$|    MPI_Allreduce(MPI_IN_PLACE, s->w, (int)s->n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);|; s|if (0)|if (1)|' labs/lab9/allreduce.c
if command -v mpicc >/dev/null; then
    check 'ranks of an MPI program' "$hpclab" profile lab9 --only allreduce --quick
    shows '^lab9/allreduce, [0-9]+ samples at [0-9]+ moments, rank 0 of [2-4]$' 'one of them is looked at'
    shows '^ +[0-9.]+% .* MPI_Allreduce[(]MPI_IN_PLACE' 'and waits in its call for the others'
else
    fails 2 'ranks of an MPI program' "$hpclab" profile lab9 --only allreduce --quick
    shows '^hpclab: profile: allreduce: .*Open MPI' 'need Open MPI'
fi
# Functions that are not inlined; idle() leaves a return address of its own in what spin() has as its room.
cat >functions.c <<'C'
#define ALONE __attribute__((noinline, noclone)) static
ALONE void leaf(int n) { __asm__ volatile("" : : "r"(n)); }
ALONE void idle(int n) { leaf(n); leaf(n + 1); }
ALONE void spin(int n) { volatile int room[200]; for (room[0] = 0; room[0] < n; room[0]++) ; }
ALONE void middle(int n) { idle(n); spin(n); __asm__ volatile(""); }
C
awk '/^static int .*run\(/ { while ((getline line <"functions.c") > 0) print line; r = 1 }
    { print } r && /^{/ { print "middle(8000000);"; r = 0 }' "$project/mlp/variants/flat.c" >labs/lab1/flat.c
check 'function by function' "$hpclab" profile lab1 --only flat --quick --plain
cp "$scratch/.output" "$scratch/said"
shows '^ +[0-9]+\.[0-9]% +[0-9]+\.[0-9]%  spin +middle [0-9]+%$' 'the hottest, with who calls it'
shows '^ +[0-9]+\.[0-9]% +[0-9]+\.[0-9]%  middle +flat_run [0-9]+%$' 'and who that is called by'
check 'the hottest is the first' eval 'grep -A1 "self *all *function" "$scratch/said" | grep -q " spin "'
check 'no caller that is not one' eval '! grep -q idle $out/flat-calls.dot'
cp "$scratch/said" "$scratch/.output"
shows '^  Amdahl: (if spin cost nothing, the work would be done [0-9.]+ times as fast: it is [0-9]+% of it|spin is all of the work that was seen)\.$' 'what Amdahl says of it'
check 'its table in 80 columns' awk '/self    all/ { table = 1 } /Amdahl/ { table = 0 } table && length > 80 { exit 1 }' "$scratch/said"
check 'the graph of calls' grep -q '"flat_run" -> "middle" .* [0-9.]*%' $out/flat-calls.dot
check 'a shade by share' grep -qE '"spin" .*fillcolor="0.0 (0\.[5-9]|1\.0)' $out/flat-calls.dot
check 'its sentence' grep -q '^flat: who calls whom, by share of [0-9]* samples: [0-9]*% in spin' $out/flat-calls.txt
if command -v dot >/dev/null; then
    check 'its picture' grep -q '<svg' $out/flat-calls.svg
else
    check 'without dot a line says so' grep -q 'no flat-calls.svg: ' "$scratch/said"
fi

# The same in a grading: this file is right, and has nearly all of its time in spin().
"$hpclab" grade lab1 --only flat --plain --verbose >"$scratch/.output" 2>&1
shows '^      seen: [01]\.[0-9] cores on average; [0-9]+% of its time in spin; [0-9.e-]+% of this machine.s copy bandwidth' 'a grading says what it saw'

# Shorter than the longest pause between two looks.
sed -i 's/middle(8000000)/middle(200000)/' labs/lab1/flat.c
check 'calls of a millisecond' "$hpclab" profile lab1 --only flat --quick --plain
shows '^lab1/flat, (2[4-9]|[34][0-9]) samples at' 'are looked at, too'

says 2 'lab1 has no variant task of that name' 'no such task' "$hpclab" profile lab1 --only flut
says 2 'labs/lab3/openmp_trainer.c: not there' 'no file' "$hpclab" profile lab3 --plain
shows "none of lab3's files could be looked at" 'and none besides'
echo 'int x = y;' >labs/lab1/flat.c
says 2 'flat: labs/lab1/flat.c:1: error' 'one that does not compile' "$hpclab" profile lab1 --only flat

cp "$project/conv1d/variants/tiled_halo.cu" labs/lab6/
check 'CUDA on the CPU device' "$hpclab" profile lab6 --plain --only tiled_halo
shows '^  tiled_halo_kernel: 1 launch, 8192 threads' 'each kernel'
shows '^    global loads +380 requests, 4\.00 sectors each$' 'its requests and their sectors'
shows '^    shared loads +32512 requests, 0\.00 extra passes each$' 'and passes'
check 'no picture where neighbours could do no better' test ! -e results/lab6/profile/tiled_halo-lanes.svg
sed -i 's/i = begin + threadIdx.x;/lane = threadIdx.x % 32 * (blockDim.x \/ 32) + threadIdx.x \/ 32, i = begin + lane;/
    s/tile\[skip + threadIdx.x + j\]/tile[skip + lane + j]/' labs/lab6/tiled_halo.cu
check 'the same with its threads turned round' "$hpclab" profile lab6 --plain --only tiled_halo
cp "$scratch/.output" "$scratch/said"
shows '^    39  global store +256  32\.00 sectors +32  y\[i\] = sum;$' 'the line of the store'
shows '^    32  global load +380 +4\.00 sectors ' 'and of the load'
shows '^    32 lanes x 4 bytes of y: 32 sectors, where 4 would do$' 'its dearest request'
shows '^    byte 32 +\.#\.{30}  4 of 32 bytes used$' 'lane by lane'
shows '^    pass 2 +\.{4}####\.{24}  4 lanes$' 'and the banks of shared memory'
check 'in 80 columns' awk 'length > 80 { print; bad = 1 } END { exit bad }' "$scratch/said"
check 'the lines add up to the kernel' python3 -c '
import json
reports = [json.loads(line) for line in open("results/lab6/profile/tiled_halo.jsonl")]
kernel, = [r for r in reports if r["kind"] == "traffic"]
for access, key in (("global load", "global_load"), ("shared load", "shared_load"), ("global store", "global_store")):
    own = [r for r in reports if r["kind"] == "traffic-line" and r["access"] == access]
    assert own and sum(r["requests"] for r in own) == kernel[key + "_requests"], access
    assert sum(r["units"] for r in own) == kernel.get(key + "_sectors", kernel.get(key + "_conflicts")), access'
check 'the picture is one' python3 -c '
import xml.dom.minidom
d = xml.dom.minidom.parse("results/lab6/profile/tiled_halo-lanes.svg")
assert len(d.getElementsByTagName("rect")) > 40 and "line 39, global store" in d.toxml()'
check 'with its sentence' grep -q 'line 39: 32 lanes x 4 bytes of y: 32 sectors' results/lab6/profile/tiled_halo-lanes.txt

# Both pictures in a page, light and dark.
cp results/lab6/profile/tiled_halo-lanes.{svg,txt} results/lab1/profile/
check 'a page of them' "$hpclab" report lab1 --plain
if browser=$(command -v chromium) && [ -n "$("$browser" --headless --no-sandbox --disable-gpu \
    --user-data-dir="$scratch/browser" --dump-dom about:blank 2>/dev/null)" ]; then
    check 'in Chromium: neither white sheets nor black words where it is dark' \
        python3 "$project/tests/page.py" look results/lab1/report.html "$browser"
else
    skip 'in Chromium' 'no chromium that starts here'
fi
done_testing
