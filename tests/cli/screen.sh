#!/usr/bin/env bash
# The screen of ./grade and make labN: no line wider than the terminal but the commands that are there to
# be copied, and what a line says. Works on a copy of the project.
. tests/tap.sh
. tests/cli/lib/terminal.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
share_builds
short_cases
export HPC_NVCC=none
cd "$HPC_ROOT" || exit 1
rm -f labs/*/*.c labs/*/*.cu labs/lab3/prediction.ini

on 80 "$hpclab" build lab3 >screen
check 'make lab3: 80 columns' narrow 80 screen
check 'it says what compiles' grep -q 'openmp_inner compiles' screen
check 'and which file is next' grep -q 'next: edit labs/lab3/openmp_inner.c, then ./grade' screen
echo '/* mine */' >>labs/lab3/openmp_inner.c
echo '; mine' >>labs/lab3/prediction.ini
on 80 "$hpclab" build lab3 >screen
check 'behind an edit the next file is another' grep -q 'next: edit labs/lab3/openmp_trainer.c' screen
cp labs/lab3/openmp_trainer.c compiles.c
echo 'int broken(' >>labs/lab3/openmp_trainer.c
on 80 "$hpclab" build lab3 >screen
check 'one that does not compile comes before' grep -q 'next: mend labs/lab3/openmp_trainer.c, then make lab3' screen
mv compiles.c labs/lab3/openmp_trainer.c

on 80 "$hpclab" grade lab3 --quick --only openmp_inner --only openmp_trainer --seed 7 >screen
check 'starters of lab3: 80 columns' narrow 80 screen
check 'a task that was not selected is not listed' sh -c '! grep break_even screen'
check 'nor are jail and seed, which the record has' sh -c "! grep -E 'jail:|seed 7, ' screen"
check 'their record has them' grep -q '"jail"' results/lab3/record.json
check 'a bar says how far it is' grep -q '\[-----*\] 0 of 2: openmp_inner' screen
check 'and behind a task, that it is done' grep -q '\[#####-----\] 1 of 2' screen
check 'one next step' test "$(grep -c '^next: .* points' screen)" = 1
check 'the first task without points' grep -q '^next: openmp_inner, [0-9.]* points to gain: ./hpclab explain lab3/openmp_inner' screen
check 'a starter has no case to be repeated' sh -c "! grep -q 'again: .*openmp_trainer' screen"
"$hpclab" grade lab3 --quick --only openmp_inner --seed 7 >screen 2>&1
check 'elsewhere there is no bar, and lines alone' sh -c "! grep -q '[0-9] of [0-9]: ' screen && ! grep -q \"\$(printf '\\r')\" screen"
on 80 "$hpclab" grade lab3 --quick --only openmp_inner --verbose --seed 7 >screen
check '--verbose says them' grep -q 'jail: .*, seed 7' screen

on 80 "$hpclab" grade lab8 --quick --impl reference --device cpu >screen
check 'the reference of lab8: 80 columns' narrow 80 screen
check 'what is beyond the 100, and what waits, stand apart' grep -q 'of 90.* and 13.0 bonus; 10 more pending' screen
on 60 "$hpclab" grade lab8 --quick --impl reference --device cpu --only direct_cudnn >screen
check 'reasons are broken between words on 60 columns' sh -c "grep -A1 'points pending' screen | grep -q '^      [a-z]'"

done_testing
