#!/usr/bin/env bash
# benchmarks/mlp/unrolling.sh [ROUNDS [RAW.csv]]
# The measured table of handouts/lab2.md in one command: mlp/variants/unrolled.c built with UNROLL 2, 4, 8
# and with one accumulator or several, beside minibatch_naive, blocked and minibatch_simd.
set -euo pipefail
cd "$(dirname "$0")/../.."
make -s build/libhpc.a
out=build/bench/unrolling
mkdir -p $out
table=$out/table.c
printf '#include "mlp/mlp.h"\nstruct entry { const char *label; const struct hpc_variant *variant; };\n' >$table.head
: >$table.body
number=0

# add LABEL SOURCE [-DNAME=VALUE ..]: compile a variant, renamed, and list it.
add() {
    local label=$1 source=$2 symbol=variant_$number
    shift 2
    gcc -std=gnu11 -g -Wall -O2 -march=native "$@" -I. "-Dhpc_variant=$symbol" -c -o "$out/$symbol.o" "$source"
    echo "extern const struct hpc_variant $symbol;" >>$table.head
    echo "    {\"$label\", &$symbol}," >>$table.body
    number=$((number + 1))
}

rm -f $out/*.o
add 'minibatch_naive' mlp/variants/minibatch_naive.c
for unroll in 2 4 8; do
    add "unrolled by $unroll, one sum" mlp/variants/unrolled.c -DUNROLL=$unroll -DACCUMULATORS=1
done
for unroll in 2 4 8; do
    add "unrolled by $unroll, $unroll sums" mlp/variants/unrolled.c -DUNROLL=$unroll -DACCUMULATORS=$unroll
done
add 'blocked' mlp/variants/blocked.c
add 'minibatch_simd' mlp/variants/minibatch_simd.c -O3
{
    cat $table.head
    echo 'extern const struct entry unrolling_variants[];'
    echo 'const struct entry unrolling_variants[] = {'
    cat $table.body
    echo '    {0, 0}};'
} >$table
# Where the libraries are, make knows.
# shellcheck disable=SC2016 # make expands these
read -ra libraries < <(make -s --eval='show: ; @echo $(LIB_CFLAGS) $(HPC_LIBS)' show)
gcc -std=gnu11 -O2 -g -Wall -Wextra -I. -pthread -o $out/unrolling benchmarks/mlp/unrolling.c $table $out/*.o \
    build/libhpc.a "${libraries[@]}"
exec $out/unrolling "$@"
