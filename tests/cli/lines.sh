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
grep -qE "^  Amdahl: line $line is [0-9]+% of the work\. If it cost nothing, .* times as fast" "$scratch/said"
tap_result $? 'what Amdahl says of it'
grep -q 'gprof sees the program.s own code alone: not the [0-9]*% in libraries' "$scratch/said"
tap_result $? 'and what gprof does not see'
check 'no terminal obeys it' eval '! grep -q $'"'\\033'"' "$scratch/said"'
check 'the table adds up' awk -F, 'NR > 1 { n += $2; if ($2 != $3 + $4 + $5) exit 1; of = $6 } END { exit n < of * 0.9 || n > of }' $out/flat.csv
check 'the picture is one, with no script' python3 -c '
import sys, xml.dom.minidom
d = xml.dom.minidom.parse(sys.argv[1])
assert not d.getElementsByTagName("script") and "volatile int t" in d.toxml()' $out/flat.svg
check 'its sentence names the line' grep -q "% at line $line" $out/flat.txt

says 2 'lab1 has no variant task of that name' 'no such task' "$hpclab" profile lab1 --only flut
says 2 'labs/lab3/openmp_trainer.c: not there' 'no file' "$hpclab" profile lab3 --plain
shows "none of lab3's files could be looked at" 'and none besides'
echo 'int x = y;' >labs/lab1/flat.c
says 2 'flat: labs/lab1/flat.c:1: error' 'one that does not compile' "$hpclab" profile lab1 --only flat

cp "$project/conv1d/variants/tiled_halo.cu" labs/lab6/
check 'CUDA on the CPU device' "$hpclab" profile lab6 --plain --only tiled_halo
shows '^  tiled_halo_kernel: 1 launch, 32768 threads' 'each kernel'
shows '^    global loads +1152 requests, 4\.00 sectors each$' 'its requests and their sectors'
shows '^    shared loads +31744 requests, 0\.00 extra passes each$' 'and passes'
done_testing
