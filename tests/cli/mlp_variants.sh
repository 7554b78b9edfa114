#!/usr/bin/env bash
# hpclab mlp with every variant at hand: on a small run all sgd variants answer as serial does, and
# all minibatch variants as the plainest one.
. tests/tap.sh
export HPC_ROOT=$scratch/project # a build/ that no other script makes variants in
copy_project "$HPC_ROOT" lib device mlp libhpc.a
share_builds
mlp() { ./hpclab mlp "$@"; }
run=(--data breast_cancer --layers 5 --epochs 12 --replicas 1 --threads 2)

check 'variants are listed' mlp --list-variants
cp "$scratch/.output" "$scratch/variants"
shows '^serial +mlp_sgd$' 'serial is one of them'
shows '^flat +mlp_sgd$' 'flat is one of them'

# matrix OF: the confusion matrix and the accuracy of the last command.
matrix() { grep -E '^Actual|^Accuracy' "$scratch/.output" >"$scratch/$1"; }

# try VARIANT PEER OPTIONS ..: the variant answers as PEER did, or says that it takes no such net.
try() {
    local name=$1 peer=$2
    shift 2
    [ "$name" = "$peer" ] && return
    mlp "${run[@]}" --variant "$name" "$@" >"$scratch/.output" 2>&1
    local status=$?
    if [ $status = 2 ] && prints "^hpclab mlp: variant $name does not take a net of"; then
        tap_result 0 "$name says that it does not take this net"
        return
    fi
    tap_result $status "$name trains"
    matrix "$name"
    cp "$scratch/.output" "$scratch/full"
    diff "$scratch/$peer" "$scratch/$name" >>"$scratch/.output"
    tap_result $? "$name answers as $peer does"
}

mlp "${run[@]}" --variant serial >"$scratch/.output" 2>&1
matrix serial
check 'serial has learnt' grep -E 'Accuracy: 9[5-9]' "$scratch/serial"
while read -r name op; do
    case $op in
    mlp_sgd) try "$name" serial ;;
    mlp_minibatch)
        [ -e "$scratch/minibatch_naive" ] || {
            mlp "${run[@]}" --variant minibatch_naive --batch 8 --rate 0.3 >"$scratch/.output" 2>&1
            matrix minibatch_naive
            check 'minibatch_naive has learnt' grep -E 'Accuracy: 9[5-9]' "$scratch/minibatch_naive"
        }
        try "$name" minibatch_naive --batch 8 --rate 0.3
        ;;
    *) tap_result 1 "$name: an operation that this test knows: $op" ;;
    esac
done <"$scratch/variants"

# Replicas: as many as threads for those that train them, and flat emulates the same.
run=(--data breast_cancer --layers 5 --epochs 12)
mlp "${run[@]}" --variant flat --replicas 3 --merge-every 2 >"$scratch/.output" 2>&1
matrix flat3
check 'flat has learnt with replicas' grep -E 'Accuracy: 9[5-9]' "$scratch/flat3"
for name in openmp_trainer pthread; do
    grep -q "^$name " "$scratch/variants" || continue
    try "$name" flat3 --threads 3 --merge-every 2
    cp "$scratch/full" "$scratch/.output"
    shows '3 replicas averaged every 2 epochs' "$name has a replica for each thread"
done

# Networks of a sweep, and float: the same answers from whoever takes them.
table() { # NAME: network, seed, rate and accuracy of each row
    awk '$1 ~ /^[0-9]+$/ && $5 ~ /%$/ { print $1, $2, $3, $5 }' "$scratch/.output" >"$scratch/$1"
}
sweep=(--data breast_cancer --layers "4,5" --activations "softmax,relu" --epochs 12 --networks 8)
check 'eight networks' mlp "${sweep[@]}" --variant flat
table flat8
check 'eight rows' test "$(wc -l <"$scratch/flat8")" = 8
if grep -q '^lanes ' "$scratch/variants"; then
    check 'lanes trains them too' mlp "${sweep[@]}" --variant lanes
    table lanes8
    check 'with the same accuracies' diff "$scratch/flat8" "$scratch/lanes8"
fi
if grep -q '^simd ' "$scratch/variants"; then
    check 'simd in float' mlp "${run[@]}" --variant simd --type f32 --quiet
    shows '^Accuracy: 9[5-9]' 'has learnt'
fi
done_testing
