#!/usr/bin/env bash
# .ci/run: what counts, what is left out where time is short, and how it brings what a part needs.
. tests/tap.sh

# Every part counts in the closing line, and fails it. Each of the steps ends as ends/STEP says.
ci=$scratch/ci
mkdir -p "$ci/.ci" "$ci/tests/debootstrap" "$ci/ends"
cp .ci/run "$ci/.ci"
step() { printf '#!/bin/sh\n[ ! -e ends/%s ] || . ends/%s\n' "$1" "$1" >"$ci/$2" && chmod +x "$ci/$2"; }
step bootstrap bootstrap && step nvcc12 tests/bring_nvcc12 && step '$1' tests/bring_by_apt && step debian tests/debootstrap/run
printf 'check test test-long:\n\t@. ends/$(if $(TEST),$(TEST),$@)\n' >"$ci/Makefile"
good() {
    rm -f "$ci"/ends/*
    echo true >"$ci/ends/check"
    echo 'echo "10 passed, 0 failed, 1 skipped"' >"$ci/ends/test"
    echo 'echo "5 passed, 0 failed"' >"$ci/ends/test-long"
    echo 'echo "4 passed, 0 failed"' >"$ci/ends/class_slurm"
    echo 'echo "2 passed, 0 failed, 3 skipped"' >"$ci/ends/debian"
}
ci_ends() { # STATUS LINE
    local got
    (cd "$scratch" && bash "$ci/.ci/run") >"$scratch/out" 2>&1
    got=$?
    cat "$scratch/out"
    [ $got = "$1" ] && [ "$(tail -n 1 "$scratch/out")" = "$2" ]
}
good
check '.ci/run sums its parts up' ci_ends 0 '21 passed, 0 failed, 4 skipped'
check 'in one closing line' test "$(grep -cE '^[0-9]+ passed, ' "$scratch/out")" = 1
echo 'echo "no mirror here"' >"$ci/ends/debian"
check 'no empty Debian is no failure' ci_ends 0 '19 passed, 0 failed, 1 skipped'
echo 'touch brought' >"$ci/ends/debootstrap" && echo 'test -e brought && echo "2 passed, 0 failed"' >"$ci/ends/debian"
check 'debootstrap is brought before it' ci_ends 0 '21 passed, 0 failed, 1 skipped'
echo 'exit 3' >"$ci/ends/debootstrap"
check 'and where it can not be had' ci_ends 0 '21 passed, 0 failed, 1 skipped'
shows 'no debootstrap: an empty Debian is skipped' 'a line says so'
good
echo 'touch comparer' >"$ci/ends/sim_c" && echo 'test -e comparer && echo "10 passed, 0 failed, 1 skipped"' >"$ci/ends/test"
check 'what compares submissions is brought before the tests' ci_ends 0 '21 passed, 0 failed, 4 skipped'
while IFS='|' read -r file text line; do
    good
    echo "$text" >"$ci/ends/$file"
    check ".ci/run: $file: $text" ci_ends 1 "$line"
done <<'PLANTED'
bootstrap|exit 3|21 passed, 1 failed, 4 skipped
check|exit 1|21 passed, 1 failed, 4 skipped
test|echo "9 passed, 1 failed"; exit 1|20 passed, 1 failed, 3 skipped
test|echo "10 passed, 0 failed"; exit 1|21 passed, 1 failed, 3 skipped
test|exit 2|11 passed, 1 failed, 3 skipped
test|exit 0|11 passed, 1 failed, 3 skipped
test|kill -9 $$|11 passed, 1 failed, 3 skipped
test-long|echo "3 passed, 2 failed"; exit 1|19 passed, 2 failed, 4 skipped
class_slurm|exit 0|17 passed, 1 failed, 4 skipped
test-long|exit 0|16 passed, 1 failed, 4 skipped
debian|echo "1 passed, 10 failed"; exit 1|20 passed, 10 failed, 1 skipped
debian|exit 1|19 passed, 1 failed, 1 skipped
PLANTED
good
check 'and is well again without them' ci_ends 0 '21 passed, 0 failed, 4 skipped'
check 'the long ones come last' test "$(grep -oE '^== (make .* (test|test-long|test TEST=class_slurm TEST_ALL=1)|tests/debootstrap/run)$' "$scratch/out" |
    sed 's/.* -j[0-9]* //; s/^== //' | tr '\n' ';')" = 'test;test TEST=class_slurm TEST_ALL=1;tests/debootstrap/run;test-long;'
# left_out MINUTES PART ..: which parts are left out, each by a line, once MINUTES are gone.
left_out() { [ "$(CI_MINUTES=$1 bash "$ci/.ci/run" 2>&1 | sed -n 's/^== \(.*\): left out.*/\1/p' | tr '\n' ';')" = "$2" ]; }
check 'with 32 minutes gone nothing of them is missing' left_out 32 ''
check 'on a slow machine the longest of them is left out' left_out 33 'an empty Debian;'
check 'on a slower one the long tests too' left_out 37 'an empty Debian;make test-long;'
check 'and at last all that is no test of a change' left_out 43 'a class on Slurm;an empty Debian;make test-long;'
echo 'echo "$TEST_MINUTES minutes for it"; echo "5 passed, 0 failed"' >"$ci/ends/test-long"
export CI_MINUTES=32
check 'the long ones know what time they have' ci_ends 0 '21 passed, 0 failed, 4 skipped'
shows '^5 minutes for it$' 'which ends at minute 37'
export CI_MINUTES=38
check 'what is left out is no failure' ci_ends 0 '14 passed, 0 failed, 1 skipped'
shows '^== make test-long: left out, for 38 minutes are gone and it begins before 37$' 'and a line says why'
unset CI_MINUTES

# tests/bring_by_apt, by an apt-get that says what it was asked for, in a PATH of its own.
tools=$scratch/tools
mkdir -p "$tools" && for t in bash tail sed cat chmod; do ln -s "$(command -v $t)" "$tools"; done
tool() { printf '#!/bin/bash\n%s\n' "$2" >"$tools/$1" && chmod +x "$tools/$1"; }
bring() { env PATH="$tools" bash -c "$(sed '/^PATH=/d' tests/bring_by_apt)" bring debootstrap debootstrap; }
tool id 'echo 1000'
fails 3 'debootstrap, by somebody who is not root' bring
shows 'only root can install debootstrap' 'is refused in a line'
tool id 'echo 0'
fails 3 'where there is no apt-get' bring
shows 'no apt-get' 'says so'
tool apt-get 'echo "E: Unable to locate package debootstrap"; exit 100'
fails 3 'where apt has none' bring
shows 'apt-get: E: Unable to locate package debootstrap' "gives apt's words"
# The first time apt knows of no packages.
tool apt-get "case \$* in
update) : >$scratch/updated ;;
'install -y --no-install-recommends debootstrap') [ -e $scratch/updated ] && printf '#!/bin/bash\n' >$tools/debootstrap && chmod +x $tools/debootstrap ;;
*) exit 1 ;; esac"
check 'where apt has it, behind an update' bring
tool apt-get 'exit 100'
check 'where it is there apt is not asked' bring
done_testing
