#!/usr/bin/env bash
# tests/run itself: what it counts, and that nothing slips through.
. tests/tap.sh

tree=$scratch/tree
mkdir -p "$tree/tests/cli"
cp tests/run "$tree/tests/run"
printf '# comment|x\nlisted reason|because\n' >"$tree/tests/skips.txt"
printf 'echo ok 1 - a\necho ok 2 - b\necho 1..2\n' >"$tree/tests/cli/good.sh"
printf 'echo 1..2\necho ok 1 - a\necho "ok 2 - b # SKIP listed reason"\n' >"$tree/tests/cli/listed.sh"
printf 'echo 1..1\necho "not ok 1 # SKIP listed reason"\n' >"$tree/tests/cli/cmocka.sh"
printf 'echo "ok 1 - b # SKIP other reason"\necho 1..1\n' >"$tree/tests/cli/unlisted.sh"
printf 'echo 1..1\necho not ok 1 - a\necho the output of the failure\n' >"$tree/tests/cli/bad.sh"
printf 'echo 1..1\necho ok 1 - a\nkill -SEGV $$\n' >"$tree/tests/cli/crash.sh"
printf 'echo 1..3\necho ok 1 - a\n' >"$tree/tests/cli/short.sh"
printf 'echo ok 1 - a\n' >"$tree/tests/cli/noplan.sh"
printf 'exit 0\n' >"$tree/tests/cli/silent.sh"
printf 'echo 1..1\nsleep 30\n' >"$tree/tests/cli/hang.sh"

last_line() { # STATUS LINE FILTER ..
    local status=$1 line=$2
    shift 2
    TEST_TIMEOUT=1 "$tree/tests/run" "$@" >"$scratch/out" 2>"$scratch/err"
    local got=$?
    cat "$scratch/out" "$scratch/err"
    [ $got = "$status" ] && [ "$(tail -n 1 "$scratch/out")" = "$line" ]
}

check 'counts what passes' last_line 0 '2 passed, 0 failed' good
check 'a listed skip is a skip' last_line 0 '1 passed, 0 failed, 1 skipped' /listed
shows 'listed reason' 'a skip is shown with its reason'
check "a skip as cmocka writes it" last_line 0 '0 passed, 0 failed, 1 skipped' cmocka
check 'a skip that is not listed fails' last_line 1 '0 passed, 1 failed' unlisted
check 'a failed test fails' last_line 1 '0 passed, 1 failed' bad
shows 'the output of the failure' "a failure's output is shown"
check 'a crash after the last test fails' last_line 1 '1 passed, 1 failed' crash
check 'fewer tests than planned fail' last_line 1 '1 passed, 1 failed' short
check 'no plan fails' last_line 1 '1 passed, 1 failed' noplan
check 'no test at all fails' last_line 1 '0 passed, 1 failed' silent
check 'a hang ends at the time limit' last_line 1 '0 passed, 1 failed' hang
check 'an unknown name fails' last_line 1 '0 passed, 1 failed' no_such_test
check 'all of them together' last_line 1 '6 passed, 7 failed, 2 skipped'
fails 2 'an unknown option is a usage error' tests/run --frobnicate
done_testing
