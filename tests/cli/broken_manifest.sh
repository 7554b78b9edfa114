#!/usr/bin/env bash
# A lab.ini that is broken: one line with its place and exit 2, from each verb that reads it.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT"
ini=$HPC_ROOT/labs/lab3/lab.ini
cp "$ini" "$scratch/good.ini"
line=$(grep -n -m 1 '^op = ' "$ini" | cut -d: -f1)

sed -i "${line}s/^op/opp/" "$ini"
for verb in 'list lab3' 'build lab3' 'grade lab3' 'reset lab3 --yes' 'reference lab3'; do
    # shellcheck disable=SC2086 # a verb and its words
    fails 2 "$verb with a wrong key" "$hpclab" $verb
    shows "^hpclab: labs/lab3/lab.ini:$line: unknown key \"opp\" in \[task .*; expected one of title, kind, " "its place: $verb"
    check "one line: $verb" test "$(grep -c "^hpclab: " "$scratch/.output")" = 1
done
fails 2 'list of all labs' "$hpclab" list
shows '^lab4 ' 'still shows the others'

breaks() { # TEXT SED-COMMAND PATTERN
    cp "$scratch/good.ini" "$ini"
    sed -i "$2" "$ini"
    fails 2 "$1" "$hpclab" list lab3
    shows "^hpclab: labs/lab3/$3" "$1: its place"
}
breaks 'an unknown section' 's/^\[lab\]/[lib]/' 'lab.ini'
breaks 'a line that is no pair' '0,/^title/s/^title = .*/title/' 'lab.ini:[0-9]+: expected \[section\] or key = value'
breaks 'points that are not 100' '0,/^points_correct = .*/s//points_correct = 1/' 'lab.ini:[0-9]+: the tasks. points add up to [0-9]+, expected 100'
breaks 'a handout that is not there' 's/^handout = .*/handout = handouts\/none.md/' 'lab.ini:[0-9]+: handout handouts/none.md is not there'
breaks 'an unknown baseline' '0,/^baseline = .*/s//baseline = mlp\/nobody/' 'lab.ini:[0-9]+: baseline = mlp/nobody, expected a variant'
breaks 'a wrong value in a case' '0,/^epochs = .*/s//epochs = many/' 'lab.ini:[0-9]+: epochs = many, expected a whole number'
breaks 'an unknown key in a case' '0,/^epochs = /s//epocs = /' "lab.ini:[0-9]+: unknown key 'epocs'; known: "

cp "$scratch/good.ini" "$ini"
sed -i 's/^\[lab\]/[lib]/' "$ini"
fails 2 'a task without its lab, beside a broken lab' "$hpclab" run constant
shows 'no variant "constant", did you mean lab5/constant\?' 'is not told of the other lab'

cp "$scratch/good.ini" "$ini"
printf '[case more]\nop = mlp_sgd\nlayers = 2,1\nactivations = tanh\n' >"$HPC_ROOT/labs/lab3/hidden.ini"
fails 2 'a hidden case without tasks' "$hpclab" list lab3
shows '^hpclab: labs/lab3/hidden.ini:1: \[case more\] has no tasks' 'its place'
echo 'tasks = openmp_trainer' >>"$HPC_ROOT/labs/lab3/hidden.ini"
check 'a hidden case' "$hpclab" list lab3
shows ' and 1 hidden; timed on' 'is counted and not shown'
hides more 'by no name'
echo 'nonsense' >"$HPC_ROOT/mlp/variants/variants.ini"
fails 2 'a broken catalogue' "$hpclab" list --variants
shows '^hpclab: mlp/variants/variants.ini:1: expected' 'its place'
done_testing
