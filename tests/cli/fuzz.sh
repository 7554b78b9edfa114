#!/usr/bin/env bash
# The corpus of each fuzzed parser (tests/fuzz/), once, under address and undefined-behaviour
# sanitizers. `make fuzz` looks for more.
. tests/tap.sh
for source in tests/fuzz/fuzz_*.c; do
    name=${source##*/fuzz_} name=${name%.c}
    check "$name" "build/fuzz/corpus/fuzz_$name" "tests/fuzz/corpus/$name"
done
done_testing
