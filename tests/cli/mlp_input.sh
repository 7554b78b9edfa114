#!/usr/bin/env bash
# hpclab mlp given wrong words and wrong files: exit 2 and one line that says what was expected.
. tests/tap.sh
export HPC_ROOT=$scratch/project # a build/ that no other script makes variants in
copy_project "$HPC_ROOT" lib device mlp libhpc.a
root=$PWD
mlp() { "$root/hpclab" mlp "$@"; }
cd "$scratch" || exit 1
printf '1,2,0\n3,4,1\n5,6,0\n7,8,1\n' >good.csv
net=(--layers 3 --epochs 2)

# refuses PATTERN WORDS ..: exit 2, and nothing but a line with the pattern.
refuses() {
    local pattern=$1
    shift
    fails 2 "refused: $*" mlp "$@"
    [ "$(wc -l <.output)" = 1 ] && prints "^hpclab( mlp)?: .*$pattern"
    tap_result $? "  with one line: $pattern"
}

check 'the good file is good' mlp --train good.csv --test good.csv "${net[@]}"
check 'help' mlp --help
shows '^Example: ./hpclab mlp --data breast_cancer$' 'has an example'

refuses 'no data: expected --train FILE or --data NAME'
refuses '3 words .* expected 13 or none' 3 4,5,5 relu
refuses 'unknown option --layer_s' --layer_s 3
refuses 'mlp: a value is missing after --epochs' --epochs
fails 2 'a variant that is not there' mlp --variant fast --data digits
shows "^hpclab: mlp: --variant: 'fast' found, expected serial, flat" 'is named with those there are'
refuses "--data: 'mnist' found, expected breast_cancer or digits" --data mnist
refuses "--rate: 'abc' found, expected a number" --rate abc --data digits
refuses "--rate: 'nan' found" --rate nan --data digits
refuses "--rate: '-0.1' found" --rate -0.1 --data digits
refuses '--epochs -1: expected a number from 0' --epochs -1 --data digits
refuses '--seed 1.5: expected a number from 0' --seed 1.5 --data digits
refuses "--layers: 'x' found, expected a whole number from 1" --layers 4,x --data digits
refuses "--layers: '' found" --layers 4, --data digits
refuses '--layers: more than 8 values' --layers 1,1,1,1,1,1,1,1,1 --data digits
refuses '2 given, expected 1, one for each hidden layer' --layers 4 --activations relu,relu \
    --data digits
refuses "'swish' found, expected identity, sigmoid, tanh, relu or softmax" --layers 4 \
    --activations swish --data digits
refuses "--output: '10' found, expected UNITS:ACTIVATION" --output 10 --data digits
refuses 'weights in all networks and replicas, expected at most' --layers 65536,65536 --data digits
refuses '--batch: variant flat updates after each sample' --batch 8 --data digits
refuses 'variant flat does not take a net .* with f32' --variant flat --type f32 --quiet \
    --data digits
refuses '--label-column first: expected last' --label-column first --data digits
refuses '--data: given with --train' --data digits --train good.csv
refuses 'label 2 found, expected 0 to 1 in a net with 1 output' --data digits --output 1:sigmoid
refuses 'no net: expected --layers' --train good.csv

# The 13 words against the files.
words=(1 3 tanh 1 sigmoid 0.1 2)
check '13 words that are true' mlp "${words[@]}" good.csv 4 3 good.csv 4 3
refuses 'good.csv: 4 rows found, expected 5' "${words[@]}" good.csv 5 3 good.csv 4 3
refuses 'good.csv: 3 columns found, expected 4' "${words[@]}" good.csv 4 3 good.csv 4 4
refuses '2 given, expected 1 as argument 1 says' 1 3,3 tanh 1 sigmoid 0.1 2 good.csv 4 3 good.csv 4 3
refuses "argument 6, learning rate: 'fast' found" 1 3 tanh 1 sigmoid fast 2 good.csv 4 3 good.csv 4 3
refuses 'by the 13 words and by options too' "${words[@]}" good.csv 4 3 good.csv 4 3 --epochs 4

# Files.
bad() { # TEXT PATTERN
    printf '%b' "$1" >bad.csv
    refuses "bad.csv.*$2" --train bad.csv --test good.csv "${net[@]}"
}
refuses 'absent.csv: cannot be opened: No such file' --train absent.csv "${net[@]}"
refuses '/: cannot be read: Is a directory' --train / "${net[@]}"
bad '' 'no row of numbers'
bad '1,2,0\n3,,1\n' 'line 2, column 2: missing value'
bad '1,2,0\n3,4\n' 'line 2: 2 columns found, expected 3'
bad '1,2,0\n3,x,1\n' "line 2, column 2: 'x' found, expected a finite decimal number"
bad '1,2,0\n3,nan,1\n' "line 2, column 2: 'nan' found"
bad '1,2,0\n3,4,0.5\n' 'line 2, column 3: label 0.5 found, expected a whole number'
bad '1,2,0\n3,4,-1\n' 'line 2, column 3: label -1 found'
bad 'a,b,c\n1,2,0\n3,4,1000\n' 'line 3, column 3: label 1000 found'
bad '1\n2\n' '1 column found, expected at least 2'
bad '\0\1\2' 'line 1: byte 0x00'
printf '1,2,3,0\n' >wide.csv
refuses 'wide.csv: 4 columns found, expected 3 as in good.csv' --train good.csv --test wide.csv "${net[@]}"

# Outputs are tried before the training: nothing of it is printed.
refuses '--weights-out /nowhere/w: cannot be written' --data digits --weights-out /nowhere/w
refuses '--predictions /: cannot be written' --data digits --predictions /
refuses '--plot: .curve.jpg. found, expected a name that ends in .png or .svg' --data digits \
    --plot curve.jpg
refuses 'would overwrite an input' --train good.csv --test good.csv "${net[@]}" --weights-out good.csv
refuses 'written by --predictions too' --data digits --predictions out --weights-out ./out
check 'no file was left behind' test ! -e out
check 'the input is as it was' test "$(wc -l <good.csv)" = 4
refuses 'good.csv, line 1: .* expected hpclab-mlp 1' --weights-in good.csv --data digits

# Weights that belong to another net.
mlp --train good.csv --test good.csv "${net[@]}" --weights-out w --quiet >/dev/null
refuses 'w: holds another net than the words ask for' --train good.csv --layers 4 --weights-in w
refuses 'wide.csv: 4 columns found, expected 2 inputs of w' --test wide.csv --epochs 0 --weights-in w
head -n 6 w >half
refuses 'half, line 7: the file ends' --test good.csv --epochs 0 --weights-in half

fails 1 'a training that diverges' mlp --train good.csv --test good.csv --layers 3 \
    --activations identity --output 1:identity --rate 100 --epochs 50
shows 'hpclab mlp: training diverged: after epoch [0-9]+ .* try a smaller --rate' 'is told'
fails 3 'a full disk' mlp --train good.csv --test good.csv "${net[@]}" --quiet --predictions /dev/full
shows '/dev/full: cannot be written: No space left' 'is told'
done_testing
