#!/usr/bin/env bash
# hpclab build: starters, the selection, one line a task, and what does not compile.
# Works on a copy of the project, so that nobody's files are touched.
. tests/tap.sh
project=$PWD
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib
cd "$HPC_ROOT" || exit 1
rm -r reference # what a grading says without it; back below
rm -f labs/lab3/*.c
selection=build/selection.ini

fails 2 'grade before a lab was selected' "$hpclab" grade
shows '^hpclab: no lab is selected; expected .make lab3.' 'says what to type'

check 'build lab3 ends 0' "$hpclab" build lab3
shows 'openmp_trainer compiles$' 'with a line for each task'
shows 'break_even: answers go into labs/lab3/prediction.ini' 'answers are not compiled'
check 'starters are laid out' cmp labs/lab3/openmp_trainer.c labs/lab3/starter/openmp_trainer.c
check 'the runner is there' test -x build/cpu/lab3/student/openmp_trainer/runner
check 'lab3 is selected' grep -qx 'lab = lab3' $selection
check 'a second build' "$hpclab" build lab3
shows 'openmp_trainer compiles \(fresh\)' 'compiles nothing'
check 'build --force' "$hpclab" build lab3 --force
shows 'openmp_trainer compiles$' 'compiles all'

echo '/* mine */' >>labs/lab3/openmp_trainer.c
check 'a build leaves working copies alone' "$hpclab" build lab3
check 'and the edit is there' grep -q mine labs/lab3/openmp_trainer.c

hides 'the compiler warns' 'what the compiler has nothing to say of has no line for it'
echo 'static int forgotten(void) { return 1; }' >>labs/lab3/openmp_trainer.c
check 'a build of what the compiler warns of ends 0' "$hpclab" build lab3
shows 'openmp_trainer compiles$' 'it compiles'
shows '^    the compiler warns: labs/lab3/openmp_trainer.c:[0-9]+: .*forgotten' 'and the warning stands below it'
check 'a build that is fresh' "$hpclab" build lab3
shows '^    the compiler warns: labs/lab3/openmp_trainer.c' 'says it again'

check 'build --impl reference' "$hpclab" build lab3 --impl reference
check 'has its own folder' test -x build/cpu/lab3/reference/openmp_trainer/runner
check 'build of another lab' "$hpclab" build lab4 --device cpu
check 'is selected now' grep -qx 'lab = lab4' $selection
check 'and is the student'"'"'s' "$hpclab" build lab4
shows '^lab4, student' 'by its own selection'
check 'a plain build of lab3, behind one of the reference' "$hpclab" build lab3
shows '^lab3, student' 'is the student'"'"'s again'
shows 'no reference is timed for lab3 .*`make reference LAB=lab3` comes first' 'a lab whose reference was never timed says what comes first'
check 'and so is what is graded' grep -qx 'impl = student' <(sed -n '/^.lab3]/,/^$/p' $selection)

# No folder reference/ here.
"$hpclab" grade lab3 --impl reference --only openmp_trainer --quick --plain --json record.json >"$scratch/.output" 2>&1
shows 'points for speed wait for a reference: none recorded: `make reference LAB=lab3` comes first' 'a grading says the same'
check 'and points for speed are pending' python3 -c 'import json; t = next(t for t in json.load(open("record.json"))["tasks"]
if t["name"] == "openmp_trainer"); assert t["verdict"] == "pass" and t["pending"] == 35, t'
cp -r "$project/reference" .
check 'with timings of the reference' "$hpclab" build lab3
hides 'no reference' 'it says nothing of that'
rm -r reference

sed -i '1i int broken(void) { return undeclared; }' labs/lab3/openmp_trainer.c
check 'build ends 0 though a task does not compile' "$hpclab" build lab3
shows 'openmp_trainer: build: labs/lab3/openmp_trainer.c:1:.*undeclared' 'its first error, file and line'
shows 'openmp_inner' 'the other task has its line'

rm labs/lab3/openmp_trainer.c labs/lab3/starter/openmp_trainer.c
check 'build ends 0 though a file is missing' "$hpclab" build lab3
shows 'openmp_trainer: .*labs/lab3/openmp_trainer.c' 'which is named'

mv mlp/variants/openmp_trainer.c away.c
check 'build --impl reference where one is withheld' "$hpclab" build lab3 --impl reference
shows "openmp_trainer: environment: no variant 'mlp/openmp_trainer' here" 'says so for that task'
mv away.c mlp/variants/openmp_trainer.c

mkdir bin
fails 3 'no compiler: build ends 3' env PATH="$PWD/bin" "$hpclab" build lab3 --force
shows '^hpclab: no task of lab3 could be built here' 'with its line'

fails 2 'an unknown lab' "$hpclab" build lab99
shows "^hpclab: unknown lab 'lab99', expected one of" 'is named'
fails 2 'no lab' "$hpclab" build
fails 2 'two labs' "$hpclab" build lab3 lab4
fails 2 'an unknown implementation' "$hpclab" build lab3 --impl mine
shows '--impl mine: expected student or reference' 'is named'
fails 2 'an unknown device' "$hpclab" build lab3 --device tpu
shows '--device tpu: expected auto, cpu or cuda' 'is named'
fails 2 'a GPU for a lab that has no use for it' "$hpclab" build lab3 --device cuda
fails 2 'an unknown option' "$hpclab" build lab3 --frob
fails 2 'an option without its value' "$hpclab" build lab3 --impl
shows 'a value is missing after --impl' 'is named'

# Objects for programs of ours: a small catalogue, so that it takes no minute.
for f in mlp/variants/*.c; do [ "$f" = mlp/variants/flat.c ] || rm "$f"; done
check 'build --objects mlp' "$hpclab" build --objects mlp
symbols=$(nm -g --defined-only build/cpu/variants/mlp/flat.o | awk '{print $3}')
check "one symbol, renamed: $symbols" test "$symbols" = hpc_variant_flat
check 'each of its functions begins a line of the cache' sh -c \
    "! nm build/cpu/variants/mlp/flat.o | grep -i ' t ' | grep -v '\.cold' | grep -vE '^[0-9a-f]*[048c]0 '"
check 'its table compiles and lists it' sh -c 'cc -I. -c -o table.o build/cpu/variants/mlp/table.c &&
    nm table.o | grep -q "U hpc_variant_flat"'
touch -d '2001-01-01' build/cpu/variants/mlp/table.c
check 'again' "$hpclab" build --objects mlp
check 'nothing new: the table stays as it is' test build/cpu/variants/mlp/table.c -ot build/selection.ini
fails 2 'objects of an unknown folder' "$hpclab" build --objects nobody
check 'one, with other flags and a name of its own' "$hpclab" build --objects mlp flat --suffix _O0 --no-flags --flags -O0
check 'has them alone' sh -c 'grep -q -- "-Wall -Werror=return-type -falign-functions=64 -O0 -fdebug" build/cpu/variants/mlp/flat_O0/log &&
    nm build/cpu/variants/mlp/flat_O0.o | grep -q "hpc_variant_flat_O0$"'
check 'and a table and a list of its own' sh -c '[ "$(cat build/cpu/variants/mlp/objects-flat_O0)" = build/cpu/variants/mlp/flat_O0.o ] &&
    grep -q "&hpc_variant_flat_O0," build/cpu/variants/mlp/table-flat_O0.c && [ "$(cat build/cpu/variants/mlp/objects)" = build/cpu/variants/mlp/flat.o ]'
fails 2 'objects of an unknown variant' "$hpclab" build --objects mlp flaat
shows '^hpclab: --objects mlp flaat: no such variant here; ./hpclab list --variants' 'is named'
fails 2 'a suffix that no symbol has' "$hpclab" build --objects mlp --suffix .x
check 'all but some' "$hpclab" build --objects mlp --except 'fl*'
check 'are not there' sh -c '! grep -q flat build/cpu/variants/mlp/table.c && [ ! -s build/cpu/variants/mlp/objects ]'
sed -i '1i int broken(void) { return undeclared; }' mlp/variants/flat.c
fails 3 'objects: a trusted variant that does not compile' "$hpclab" build --objects mlp
shows '^hpclab: mlp/flat: build: mlp/variants/flat.c:1:' 'is named with its line'
sed '1i int broken(void) { return missing; }' "$project/mlp/variants/serial.c" >mlp/variants/serial.c
fails 3 'two that do not' "$hpclab" build --objects mlp
shows 'mlp/serial build: mlp/variants/serial.c:1:' 'the first has its line'
shows 'mlp/flat build: mlp/variants/flat.c:1:' 'and so has the second'
shows '^hpclab: 2 of 2 variants were not built, the first: mlp/serial' 'and both are counted'

# Copies of the project have the same hashes.
cd "$project" || exit 1
one=$scratch/one two=$scratch/two inner=build/cpu/lab3/reference/openmp_inner/runner
for root in "$one" "$two"; do copy_project "$root" lib; done
in_copy() { HPC_ROOT=$1 "$hpclab" "${@:2}"; }
export HPC_BUILD_CACHE=$scratch/kept
check 'a build that is kept' in_copy "$one" build lab3 --impl reference
cp -a "$one/build/cpu" "$scratch/cpu"
check 'the same in a copy' in_copy "$two" build lab3 --impl reference
shows 'openmp_inner compiles$' 'is a build'
check 'takes what is kept' test "$one/$inner" -ef "$two/$inner"
rm -r "$two/build/cpu" && mv "$scratch/cpu" "$two/build"
check 'where it was copied along' in_copy "$two" build lab3 --impl reference
shows 'openmp_inner compiles \(fresh\)' 'it is fresh'
echo '/* more */' >>"$two/mlp/variants/openmp_inner.c"
check 'of another source' in_copy "$two" build lab3 --impl reference
check 'nothing is taken' test ! "$one/$inner" -ef "$two/$inner"
touch "$one/build/lib/runner.o"
check 'a part that is only touched' in_copy "$one" build lab3 --impl reference
shows 'openmp_inner compiles \(fresh\)' 'is the same'
rm "$two/build/lib/runner.o" && { cat "$one/build/lib/runner.o" && echo; } >"$two/build/lib/runner.o"
check 'a part that has changed' in_copy "$two" build lab3 --impl reference
shows 'openmp_trainer compiles$' 'is not'
mkdir "$scratch/ada" && cp mlp/variants/openmp_inner.c "$scratch/ada"
find "$HPC_BUILD_CACHE" | sort >"$scratch/before"
in_copy "$one" grade lab3 --from "$scratch/ada" --only openmp_inner --quick --plain >"$scratch/.output" 2>&1
shows 'openmp_inner .* 9/9' 'what was handed in is graded'
check 'and nothing of it is kept' diff "$scratch/before" <(find "$HPC_BUILD_CACHE" | sort)
done_testing
