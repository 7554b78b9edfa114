#!/usr/bin/env bash
# The corpus of each fuzzed parser (tests/fuzz/), once, under address and undefined-behaviour
# sanitizers. `make fuzz` looks for more.
. tests/tap.sh
for source in tests/fuzz/fuzz_*.c; do
    name=${source##*/fuzz_} name=${name%.c}
    check "$name" "build/fuzz/corpus/fuzz_$name" "tests/fuzz/corpus/$name"
    check "$name: what it reads with is compiled with them" grep -q "^FUZZ_NEEDS_$name += " build/fuzz/needed.mk
done
check 'and no verb, which none of them reaches' sh -c '! grep harness/verbs build/fuzz/needed.mk'
done_testing
