#!/usr/bin/env bash
# benchmarks/mlp/unrolling.sh [ROUNDS [RAW.csv]]
# The table of handouts/measured_lab2.md in one command: mlp/variants/unrolled.c built with UNROLL 2,
# 4, 8 and with one accumulator or several, beside minibatch_naive, blocked and minibatch_simd.
set -euo pipefail
cd "$(dirname "$0")/../.."
make -s all
out=build/bench/unrolling
mkdir -p $out
table=$out/table.c
printf '#include "mlp/mlp.h"\nstruct entry { const char *label; const struct hpc_variant *variant; };\n' >$table.head
: >$table.body
objects=()

# add LABEL NAME [SUFFIX FLAGS]: a variant, with other flags under a name of its own, and list it.
add() {
    local label=$1 name=$2 suffix=${3:-} words=()
    [[ -z $suffix ]] || words=(--suffix "$suffix" --flags "$4")
    build/hpclab build --objects mlp "$name" ${words[@]+"${words[@]}"}
    objects+=("build/cpu/variants/mlp/$name$suffix.o")
    echo "extern const struct hpc_variant hpc_variant_$name$suffix;" >>$table.head
    echo "    {\"$label\", &hpc_variant_$name$suffix}," >>$table.body
}

add 'minibatch_naive' minibatch_naive
for unroll in 2 4 8; do
    add "unrolled by $unroll, one sum" unrolled "_${unroll}_1" "-DUNROLL=$unroll -DACCUMULATORS=1"
done
for unroll in 2 4 8; do
    add "unrolled by $unroll, $unroll sums" unrolled "_${unroll}_$unroll" "-DUNROLL=$unroll -DACCUMULATORS=$unroll"
done
add 'blocked' blocked
add 'minibatch_simd' minibatch_simd
{
    cat $table.head
    echo 'extern const struct entry unrolling_variants[];'
    echo 'const struct entry unrolling_variants[] = {'
    cat $table.body
    echo '    {0, 0}};'
} >$table
# Where the libraries are, make knows.
read -ra libraries < <(make -s print-libraries)
gcc -std=gnu11 -O2 -g -Wall -Wextra -I. -pthread -o $out/unrolling benchmarks/mlp/unrolling.c $table "${objects[@]}" \
    build/libhpc.a "${libraries[@]}"
exec $out/unrolling "$@"
