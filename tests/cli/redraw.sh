#!/usr/bin/env bash
# long: a minute of processors.
# Draws on which one ulp grows too much tell nothing: a grading does not count them and makes others,
# up to a bound, in its cases and among its timed calls. Works on a copy of the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
share_builds
short_cases
cd "$HPC_ROOT" || exit 1
rm -f labs/lab1/hidden.ini

# More than half of the draws of `most` are refused, all of `never`, whose weights grow past any number.
cat >>labs/lab1/lab.ini <<'INI'

[case most]
op = mlp_sgd
layers = 4,6,6,1
activations = identity,tanh,sigmoid
samples = 100
epochs = 30
rate = 1.5

[case never]
op = mlp_sgd
layers = 2,2,1
activations = identity,identity
samples = 16
epochs = 59
rate = 30
INI
cp labs/lab1/lab.ini "$scratch/lab.ini"

# lab CASES SPEED_CASE: what flat is tried and timed on.
lab() {
    sed -e "s/^cases = .*/cases = $1/" -e "s/^speed_case = .*/speed_case = $2/" \
        "$scratch/lab.ini" >labs/lab1/lab.ini
}
# flat CONDITION: a submission whose weights are a bit off on problems of which CONDITION is true.
flat() {
    sed "s/^ *memcpy((double \*)out\[MLP_W\].*/&\n if ($1) ((double *)out[MLP_W])[0] += 0.001;/" \
        mlp/variants/flat.c >labs/lab1/flat.c
}

flat 1
check 'the submission is wrong by a little' grep -q '+= 0.001' labs/lab1/flat.c
for seed in 1 2 3 4; do
    part=again
    [ $seed != 1 ] || part=first
    turn $part || continue
    lab most paper_epochs
    fails 1 "a wrong solution on draws most of which tell nothing, seed $seed" \
        "$hpclab" grade lab1 --only flat --quick --plain --seed $seed
    shows 'call [0-9]+: .* should be' 'is wrong'
done
turn first || { done_testing; exit; }
fails 1 'run of the same' "$hpclab" run lab1/flat --case most --seed 1
lab never paper_epochs
fails 3 'a case of which no draw tells anything' "$hpclab" grade lab1 --only flat --quick --plain
shows 'case never: 21 draws of this case amplify one ulp too much' 'is not passed, and not called wrong'
lab paper never
flat 's->p->epochs == 59'
check 'a timed case of which no draw tells anything' \
    "$hpclab" grade lab1 --only flat --quick --plain
shows '^score 20.0 of 20.*30 more pending' 'its points wait'
shows 'one ulp grows too much on every draw of the timed case' 'is not passed either'
lab paper most
flat 's->p->epochs == 30'
fails 1 'a wrong solution timed on draws most of which tell nothing' \
    "$hpclab" grade lab1 --only flat --quick --plain
shows 'in a timed call .* should be' 'is wrong'
done_testing
