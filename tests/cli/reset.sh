#!/usr/bin/env bash
# hpclab reset: the starters again, and nothing lost. Works on a copy of the labs.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT"
cd "$HPC_ROOT/labs/lab3" || exit 1
rm -f ./*.c ./*.bak

check 'reset lays out what is missing' "$hpclab" reset lab3 --yes
shows 'labs/lab3/openmp_trainer.c laid out' 'and says so'
check 'the file is the starter' cmp openmp_trainer.c starter/openmp_trainer.c
check 'reset of unchanged files' "$hpclab" reset lab3 --yes
shows 'openmp_trainer.c is the starter already' 'changes nothing'
check 'and makes no backup' sh -c '! ls ./*.bak'

echo 'my work' >openmp_trainer.c
check 'reset of a changed file' "$hpclab" reset lab3
shows 'yours is openmp_trainer.c.[0-9]{8}-[0-9]{6}.bak' 'names the backup'
check 'the file is the starter again' cmp openmp_trainer.c starter/openmp_trainer.c
check 'the backup holds the work' sh -c 'grep -qx "my work" openmp_trainer.c.*.bak'
backups=(./*.bak)
check 'one backup, of the changed file only' test ${#backups[@]} = 1
fails 2 'reset without a lab' "$hpclab" reset
fails 2 'reset of an unknown lab' "$hpclab" reset lab99
shows "^hpclab: unknown lab 'lab99'" 'is named'
fails 2 'an unknown option' "$hpclab" reset lab3 --frob
mv starter away
fails 3 'reset without a starter folder' "$hpclab" reset lab3 --yes
shows '^hpclab: labs/lab3/starter: ' 'is named'
done_testing
