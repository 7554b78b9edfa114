#!/usr/bin/env bash
# compare: two versions of a file, in turn; which is faster, what else differs; nothing is left behind.
. tests/tap.sh
share_builds
hpclab=build/hpclab
cp mlp/variants/flat.c "$scratch/a.c"
# The same with a pause of several ms in each call, many times what the case takes.
awk '{ print } /^static int .*run\(/ { r = 1 }
    r && /^{/ { print "for (volatile long pause = 0; pause < 8000000; pause++) ;"; r = 0 }' \
    mlp/variants/flat.c >"$scratch/slow.c"
awk '/^static int .*run\(/ { r = 1 } { print } r && /^{/ { print "return 0;"; r = 0 }' mlp/variants/flat.c >"$scratch/wrong.c"
echo 'int x = y;' >"$scratch/bad.c"
compare() { "$hpclab" compare --plain --quick --case odd --seed 5 "$@"; }

check 'a version against itself with a pause' compare --task lab1/flat "$scratch/slow.c" "$scratch/a.c"
shows '^lab1/flat, case odd, seed 5' 'what is compared'
shows '^  A takes [0-9.]+ times as long as B  \[[0-9.]+, [0-9.]+\]: B (is|seems) faster$' 'the ratio, its interval, who is faster'
shows '^  that is beyond the noise: A against itself differs by [0-9.]+%$' 'and that it is beyond the noise'
shows '^    threads that run, on average  +[0-9.]+ +[0-9.]+' 'what the threads did'
shows '^    A spends it at line [0-9]+ \([0-9]+%\)' 'and where'
line=$(sed -n 's/.*A spends it at line \([0-9]*\).*/\1/p' "$scratch/.output")
check 'the line is of that file' grep -q 'volatile long pause' <(sed -n "${line:-1}p" "$scratch/slow.c")

says 1 '^  A  build  .*/bad.c:1: error' 'one that does not compile' compare --task lab1/flat "$scratch/bad.c" "$scratch/a.c"
says 1 '^  B  wrong  .*/wrong.c: ' 'one that is wrong' compare --task lab1/flat "$scratch/a.c" "$scratch/wrong.c"
shows '^     why: as labs/lab1/flat.c, ./hpclab grade lab1 --only flat looks for the cause' 'and who says why'
cp "$scratch/a.c" "$scratch/a.cu"
says 2 'a.cu: expected a file of C, [*].c, which task flat is in' 'another language' compare --task lab1/flat "$scratch/a.c" "$scratch/a.cu"
says 1 '^  A  build  .*/none.c: No such file' 'one that is not there' compare --task lab1/flat "$scratch/none.c" "$scratch/a.c"
mkfifo "$scratch/pipe.c"
says 1 '^  A  build  .*/pipe.c: expected a file' 'a pipe' compare --task lab1/flat "$scratch/pipe.c" "$scratch/a.c"
says 2 'whose are they\? Expected --task LAB/TASK' 'of no lab' compare "$scratch/a.c" "$scratch/slow.c"
says 2 'lab1 has no task flut, did you mean' 'no such task' compare --task lab1/flut "$scratch/a.c" "$scratch/a.c"
says 2 'case.* has no such case' 'no such case' $hpclab compare --task lab1/flat --case nine "$scratch/a.c" "$scratch/a.c"
says 2 'expected two files' 'one file' $hpclab compare "$scratch/a.c"

check 'CUDA without a GPU' env HPC_NVCC=none $hpclab compare --plain --quick --task lab6/tiled_halo conv1d/variants/constant.cu conv1d/variants/tiled_halo.cu
shows '^    global load sectors +19[.][0-9]+ +0[.]18' 'what the CPU device counts of each'
shows '^  A moves 6[0-9][.][0-9] times as many sectors of global memory as B: B moves fewer$' 'and who moves fewer, in the direction of the times'
check 'nothing is left' eval '! ls build/tmp/*compare* 2>/dev/null'
done_testing
