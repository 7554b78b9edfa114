#!/usr/bin/env bash
# hpclab mlp on real data: it learns, tells how well, and keeps what it learnt.
. tests/tap.sh
export HPC_ROOT=$scratch/project # a build/ that no other script makes variants in
copy_project "$HPC_ROOT" lib device mlp libhpc.a
share_builds
root=$PWD
mlp() { "$root/hpclab" mlp "$@"; }

# accuracy AT LEAST PERCENT: of the last command's output.
accuracy() {
    shows '^Accuracy: [0-9.]+% \([0-9]+ of [0-9]+\)$' "$2: the accuracy is told"
    awk -v least="$1" '/^Accuracy:/ { found = $2 + 0 >= least } END { exit !found }' "$scratch/.output"
    tap_result $? "$2: at least $1%"
}
# error_below BOUND EPOCH TEXT: the training error after that epoch; judges learning, not only answers.
error_below() {
    awk -v bound="$1" -v epoch="$2" '/^Training error:/ { gsub(",", ""); for (i = 1; i <= NF; i++)
        if ($i == "epoch" && $(i + 1) == epoch) found = $(i - 2) < bound } END { exit !found }' \
        "$scratch/.output"
    tap_result $? "$3"
}

check 'the shipped data is what its README says' bash -c 'cd data && sha256sum -c SHA256SUMS'
check 'breast_cancer is trained without another word' mlp --data breast_cancer --plain
accuracy 95 'breast_cancer'
error_below 0.02 10 'breast_cancer: training error after 10 epochs'
shows '^Actual 0 +\|[0-9]+ +[0-9]+$' 'a confusion matrix as the paper prints it'
shows '^class +precision +recall +F1 +rows$' 'precision, recall and F1'
shows '^mean( +[01]\.[0-9]{4}){3}$' 'and their mean'
shows '^The same answer for every row would reach 6[0-9]\.[0-9]+%\.$' 'and what a constant would reach'
shows '^Test set: .*, 142 rows, kept back by the seed$' 'a quarter is kept for the test'

check 'digits, ten classes' mlp --data digits --layers 32 --activations relu \
    --output 10:softmax --rate 0.05 --epochs 30
accuracy 90 'digits'
shows '^Actual 9  \|( +[0-9]+){10}$' 'a confusion matrix of ten classes'

banknote=${HPC_SHARED_DATA:-../shared/data}
if [ -r "$banknote/banknote_train.csv" ]; then
    check "the paper's 13 words" mlp 3 4,5,5 softmax,relu,tanh 1 sigmoid 0.01 1000 \
        "$banknote/banknote_train.csv" 1096 5 "$banknote/banknote_test.csv" 275 5
    accuracy 99 'banknote'
    error_below 0.05 10 'banknote: training error after 10 epochs'
    error_below 0.005 40 'banknote: training error after 40 epochs'
    grep '^Training error' "$scratch/.output" >"$scratch/words"
    check 'the same in options' mlp --layers 4,5,5 --activations softmax,relu,tanh \
        --output 1:sigmoid --rate 0.01 --epochs 1000 --train "$banknote/banknote_train.csv" \
        --test "$banknote/banknote_test.csv"
    grep '^Training error' "$scratch/.output" >"$scratch/options"
    check 'learns the same' cmp "$scratch/words" "$scratch/options"
else
    skip "the paper's 13 words" 'HPC_SHARED_DATA holds no banknote_train.csv'
fi

# Weights and predictions.
cd "$scratch" || exit 1
check 'predictions, weights and a plot' mlp --data breast_cancer --predictions p1 \
    --weights-out w --plot curve.svg --verbose
shows '^ +40 +0\.00[0-9]+ +[0-9.]+$' 'a line for a stop with --verbose'
check 'a line a row, and a header' test "$(wc -l <p1)" = 143
check 'all of them numbers' test "$(grep -cE '^[0-9]+,[01],[01],[0-9.e-]+$' p1)" = 142
check 'weights are read again' mlp --data breast_cancer --weights-in w --epochs 0 --predictions p2
check 'and predict the same, digit for digit' cmp p1 p2
awk -F, 'NR > 2' "$root/data/breast_cancer.csv" >all.csv
check 'another file is classified with them' mlp --weights-in w --epochs 0 --test all.csv --quiet
accuracy 95 'classified by weights alone'
check '--quiet prints one line' test "$(wc -l <.output)" = 1
if command -v gnuplot >/dev/null; then
    check 'the curve is a picture' grep -q '<svg' curve.svg
fi

check 'a sweep over rates and seeds' mlp --data breast_cancer --rate 0.01,0.02 --networks 2
cp .output sweep
check 'tells of four networks' test "$(grep -cE '^ +[0-3] +[12] +0.0[12] ' sweep)" = 4
check 'and keeps one' test "$(grep -c 'kept$' sweep)" = 1

# Another seed, another split; the same seed, the same figures.
mlp --data digits --epochs 3 --seed 5 --predictions s5 --quiet >/dev/null
mlp --data digits --epochs 3 --seed 5 --predictions again --quiet >/dev/null
mlp --data digits --epochs 3 --seed 6 --predictions s6 --quiet >/dev/null
check 'a seed decides everything' cmp s5 again
fails 1 'another seed decides otherwise' cmp s5 s6

# Ctrl-C keeps the weights. A process in the background would not get SIGINT from a shell.
cat >interrupt <<'END'
set -m
"$@" &
# Two seconds of processors, however long they take: reading the data and some epochs.
used() { cat /proc/[0-9]*/stat 2>/dev/null | sed 's/.*) //' | awk -v g=$! '$3 == g { n += $12 + $13 } END { print n + 0 }'; }
for ((i = 0; i < 1200; i++)); do
    [ "$(used)" -lt $((2 * $(getconf CLK_TCK))) ] || break
    sleep 0.1
done
kill -INT $!
wait $!
END
fails 130 'Ctrl-C ends the training' bash interrupt "$root/hpclab" mlp --data digits --layers 64,32 \
    --epochs 2000000000 --weights-out kept
shows 'hpclab mlp: interrupted after epoch [1-9][0-9]* of 2000000000; the weights' 'with a line'
shows '^Training error: ' 'and the training error so far'
check 'the weights are whole' mlp --data digits --weights-in kept --epochs 0 --quiet
accuracy 90 'after Ctrl-C'
done_testing
