#!/usr/bin/env bash
# ./hpclab class grade: what is handed in is graded as it was when the class was listed, or not at all. Slurm's
# commands are played here: between the list and the grading its owner changes it.
. tests/tap.sh
. tests/cli/lib/class.sh
cd "$scratch" || exit 1
export PATH=$scratch/bin:$PATH scratch
mkdir bin dir
cat >bin/sbatch <<'END2'
#!/bin/bash
script=${!#}
last=$(sed -n 's/^#SBATCH --array=0-//p' "$script")
. "$scratch/change"
for ((i = 0; i <= last; i++)); do SLURM_ARRAY_TASK_ID=$i bash "$script" >"${script%.sh}-$i.log" 2>&1; done
echo 7
END2
printf '#!/bin/sh\n' | tee bin/squeue >bin/scancel
chmod +x bin/*
printf '[site]\npartition = lab\nminutes = 5\nexclusive = no\ntries = 1\n' >site.ini
handed "$wrong" dir/ada.tar.gz
handed "$right" dir/bob.tar.gz
handed "$right" better.tar.gz
handed "$wrong" dir/cem

echo 'cp "$scratch/better.tar.gz" "$scratch/dir/ada.tar.gz"; cp "$HPC_ROOT/mlp/variants/flat.c" "$scratch/dir/cem/labs/lab91/flat.c"' >change
class grade dir --quick --slurm site.ini >log 2>&1
check 'a better archive put in its place counts for nothing' test "$(field ada score)" = 0
check 'nor a better file in a folder' test "$(field cem score)" = 0
check 'the login node says so' grep -q '^no grading of: ada, cem$' log
check 'the node says why' grep -q 'ada: ada.tar.gz is not what it was when this began' "$out"/cluster/*.log
check 'who changed nothing has all points' test "$(field bob score)" = 100

rm dir/ada.tar.gz
handed "$wrong" dir/ada.tar.gz
echo 'ln -sf bob.tar.gz "$scratch/dir/ada.tar.gz"' >change
class grade dir --quick --slurm site.ini >log 2>&1
check "nor a link to another one's" test "$(field ada score)" != 100
: >change
rm dir/ada.tar.gz
cp better.tar.gz dir/ada.tar.gz
class grade dir --quick --slurm site.ini >log 2>&1
check 'the next grading takes what is there then' test "$(field ada score)" = 100
check 'of a folder too' test "$(field cem score)" = 100
done_testing
