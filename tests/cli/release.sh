#!/usr/bin/env bash
# long: minutes of processors.
# hpclab release: what is in a students' archive, what is not, the same bytes each time; and for
# lab6 (TEST_ALL=1: for every lab) it is unpacked, built and its starters graded; of lab3 the targets are made.
. tests/tap.sh
hpclab=$PWD/build/hpclab
from=$PWD
export HPC_ROOT=$scratch/root
copy_all "$HPC_ROOT" lib device hpclab
share_builds
[ ! -d .deps ] || ln -s "$from/.deps" "$HPC_ROOT/.deps"
cd "$HPC_ROOT" || exit 1

# Files of a student who works in the same folder: they belong into no archive.
for lab in labs/lab*; do echo '/* mine */' >"$lab/scrap.c"; done

# no_word DIRECTORY WORD ..: none of the words stands in a file or a name.
no_word() {
    local where=$1 word found=0
    shift
    for word; do
        if grep -rlw -- "$word" "$where" || find "$where" -name "*$word*" | grep .; then
            echo "^ $word" && found=1
        fi
    done
    return $found
}

# included DIRECTORY: each header of the trusted side is included by another file than its own source.
included() {
    (cd "$1" && grep -roE --include='*.[ch]' '"[a-z0-9_]+/[a-z0-9_/]+\.h"' .) | awk -F: '
        { header = substr($2, 2, length($2) - 2); own = "./" header; sub(/h$/, "c", own) }
        $1 != own { print header }' | sort -u >included
    (cd "$1" && printf '%s\n' harness/*/*.h */op/*.h | sort) >headers
    comm -23 headers included >alone
    cat alone
    [ -s headers ] && [ ! -s alone ]
}

# complete DIRECTORY: what its sources include of the project's is there.
complete() {
    (cd "$1" && grep -rhoE --include='*.c' --include='*.cu' --include='*.h' --include='*.def' \
        '^#include "(common|device|harness|mlp|conv1d|conv2d|runner)/[^"]*"' . | cut -d '"' -f 2 | sort -u |
        while read -r file; do ls "$file" >/dev/null || exit 1; done)
}

# withheld LAB: names of the variants that its tasks ask for, reference and fastest, but for what
# the lab gives as a baseline.
withheld() {
    "$hpclab" list "$1" --tsv=reference,fastest | tr '\t' '\n' | grep . | sort -u |
        grep -vxF -f <("$hpclab" list "$1" --tsv=baseline | grep .)
}

if turn built; then
    for lab in labs/lab*; do
        lab=${lab#labs/}
        [[ $lab == lab6 || ${TEST_ALL:-0} == 1 ]] || continue
        # Not for its speed: unoptimised it is compiled in a third of the time. It has no sanitizers to link with.
        check "$lab: unpacked, built, its starters graded" \
            env -u SANITIZE CFLAGS="$([ "${TEST_ALL:-0}" = 1 ] && echo '-O2 -g' || echo -O0)" "$hpclab" release "$lab"
    done
fi
turn contents || { done_testing; exit; }

for lab in labs/lab*; do
    lab=${lab#labs/}
    rm -rf dist out
    check "$lab: release" "$hpclab" release "$lab" --no-check
    archive=$(echo dist/hpclab-"$lab"-*.tar.gz)
    check "$lab: one archive" test -f "$archive"
    cp "$archive" first.tar.gz
    sleep 1.1 # so that a time stamp in it would differ
    (umask 077 && touch labs/"$lab"/lab.ini && "$hpclab" release "$lab" --no-check >/dev/null)
    check "$lab: the same bytes again" cmp first.tar.gz "$archive"
    mkdir out && tar -xzf "$archive" -C out
    top=$(ls out)
    check "$lab: one folder inside, named as the archive" test "$top.tar.gz" = "$(basename "$archive")"
    top=out/$top
    check "$lab: MANIFEST sums are right" sh -c "cd '$top' && sha256sum --quiet -c MANIFEST"
    (cd "$top" && find . -type f ! -name MANIFEST | sed 's,^\./,,' | LC_ALL=C sort) >have
    sed 's/^[0-9a-f]*  //' "$top/MANIFEST" >listed
    check "$lab: MANIFEST lists all files, sorted" cmp have listed
    check "$lab: plain files only" test -z "$(find out ! -type f ! -type d)"
    check "$lab: lab.ini, handout, licence of the data are there" \
        ls "$top/labs/$lab/lab.ini" "$top/handouts/$lab.md" "$top/handouts/basics.md" "$top/data/LICENSE.data"
    check "$lab: its starters are there, and no working copy" \
        diff -r "labs/$lab/starter" "$top/labs/$lab/starter"
    # shellcheck disable=SC2012 # names of ours
    check "$lab: nothing else of the labs" test "$(ls "$top/labs" "$top/labs/$lab" | tr '\n' ' ')" = \
        "$top/labs: $lab  $top/labs/$lab: lab.ini starter "
    check "$lab: no tests but programs that the handout names, no mutants, no other handout" \
        sh -c "! find '$top/tests' -type f 2>/dev/null | grep -v 'tests/device/seeded/dong_' && [ \$(ls '$top/handouts' | grep -c md) = 2 ]"
    check "$lab: sealed: lab.ini says so, and is the same for the rest" sh -c "grep -qx 'answers = sealed' '$top/labs/$lab/lab.ini' &&
        grep -vx 'answers = sealed' '$top/labs/$lab/lab.ini' | cmp - 'labs/$lab/lab.ini'"
    check "$lab: a README of its own, without a gap" sh -c "grep -q 'make $lab && ./grade' '$top/README.md' &&
        grep -qF \"\$('$hpclab' list --tsv=name,title | sed -n 's/^$lab\t//p')\" '$top/README.md' && ! grep -q @ '$top/README.md'"
    check "$lab: all programs and folders that the README names are there" sh -c "cd '$top' &&
        ls bootstrap grade hpclab Makefile 'handouts/$lab.md' 'labs/$lab'"
    check "$lab: all that its sources include" complete "$top"
    check "$lab: nothing that tests or markers alone include" included "$top"
    check "$lab: hidden cases are not named" no_word "$top/labs" hidden scrap
    # shellcheck disable=SC2046 # one word a case
    check "$lab: nor found by their names" no_word "$top" \
        $("$hpclab" list "$lab" --cases --tsv=hidden,name | sed -n 's/^yes\t//p')
    for variant in $(withheld "$lab"); do
        check "$lab: no $variant" sh -c "! ls '$top/${variant%/*}/variants/${variant#*/}'.c* 2>/dev/null"
    done
    bases=$("$hpclab" list "$lab" --tsv=baseline | grep . | while read -r base; do
        "$hpclab" list "$base" --variants --tsv=file
    done | sort -u)
    check "$lab: of the variants its baselines alone" test \
        "$(cd "$top" && find . -path '*/variants/*.c*' | sed 's,^\./,,' | sort)" = "$bases"
    check "$lab: a trainer for ranks only where there are ranks" test "$(cd "$top" && find . -name replica.h)" = \
        "$(sed -n '/^op = mlp_ranks$/{s,.*,./mlp/ranks/replica.h,p;q}' "labs/$lab/lab.ini")"
    check "$lab: what its handout shows and names" sh -c "cd '$top' && for f in \
        \$(grep -oE '\([a-z0-9-]+\.svg\)' 'handouts/$lab.md' | tr -d '()' | sed 's,^,handouts/,') \
        \$(grep -oE 'tests/device/[a-z_./]+\.cu' 'handouts/$lab.md'); do test -e \"\$f\" || exit 1; done"
done

check 'no source that releases hold serves markers or tests alone' \
    python3 "$from/tests/cli/lib/reached.py" "$from/build/obj"

# Answers: sealed, or with what is right.
check 'lab5 with open answers' "$hpclab" release lab5 --no-check --answers open
shows 'answers open' 'says so'
rm -rf out && mkdir out && tar -xzf dist/hpclab-lab5-*.tar.gz -C out
# shellcheck disable=SC2012 # names of ours
check 'has what is right, and its lab.ini as it is' sh -c '[ "$(ls out/*/labs/lab5 | tr "\n" " ")" = "expected.ini lab.ini marker.c starter " ] &&
    cmp out/*/labs/lab5/lab.ini labs/lab5/lab.ini'
fails 2 'answers that are neither' "$hpclab" release lab5 --answers shut
shows 'expected (open or sealed|sealed or open)' 'are named'
check 'lab5 again, sealed' "$hpclab" release lab5 --no-check
rm -rf out && mkdir out && tar -xzf dist/hpclab-lab5-*.tar.gz -C out
top=$(echo "$PWD"/out/*)
sed -E 's/^([a-z_]+) =.*/\1 = 1/; s/^final = .*/final = yes/' "$top/labs/lab5/starter/intensity.ini" >"$top/labs/lab5/intensity.ini"
fails 3 'a complete sheet waits' env HPC_ROOT="$top" "$hpclab" grade lab5 --only intensity --plain --impl student
shows '20 points pending' 'with all of its points'
shows 'complete, and kept since .*: the course marks it' 'and is told who marks it'
sed -i 's/^blocks = .*/blocks = many/' "$top/labs/lab5/intensity.ini"
rm "$top/results/lab5/answers.json"
sed -i 's/^final = .*/final =/' "$top/labs/lab5/intensity.ini"
fails 1 'a form that is off' env HPC_ROOT="$top" "$hpclab" grade lab5 --only intensity --plain --impl student
shows 'blocks = many: expected a number' 'is told'

# Deadlines: baselines that are solutions.
check 'lab6' "$hpclab" release lab6 --no-check
shows 'holds conv1d/constant, the solution of lab5/constant: the deadline of lab5 must have passed' 'says whose deadline'
check 'holds the copy that speeds on a GPU are shares of' \
    sh -c 'tar -tzf dist/hpclab-lab6-*.tar.gz | grep -x "hpclab-lab6-[^/]*/conv1d/op/copy.cu"'
check 'lab5' "$hpclab" release lab5 --no-check
hides deadline 'holds no solution'

# One that does not compile is kept back; the first file that make compiles ends it soonest. (The copy's
# files are hard links: a new one takes the place.)
cp common/clock.c clock.kept
sed '1i#error broken' clock.kept >clock.new && mv clock.new common/clock.c
before=$(ls dist)
fails 3 'what does not compile' "$hpclab" release lab4
shows 'common/clock\.c:1:2: error: #error broken' 'is told of'
check 'is not in dist/' test "$before" = "$(ls dist)"
mv clock.kept common/clock.c

# As a student has it: each target of `make help` works. Objects are those that were built here, but for a sanitizer.
check 'lab3' "$hpclab" release lab3 --no-check
shows 'holds mlp/flat, the solution of lab1/flat: the deadline of lab1 must have passed' 'says whose deadline'
rm -rf out && mkdir out && tar -xzf dist/hpclab-lab3-*.tar.gz -C out
top=$(echo "$PWD"/out/*)
mkdir "$top/build"
if [ "${SANITIZE:-}" = 1 ]; then
    unset SANITIZE # a release has no sanitizers to link with
else
    cp -a "$from"/build/{obj,lib,device,flags} "$top/build" || exit 1
fi
[ ! -d .deps ] || ln -s "$from/.deps" "$top/.deps"
unset MAKEFLAGS MFLAGS MAKELEVEL LAB IMPL DEVICE
in_release() { (cd "$top" && unset HPC_ROOT && "$@"); }
check 'make help' in_release make -s help
hides 'IMPL=' 'offers no reference, which is not there'
shows '^  labN  .*\[DEVICE=auto\|cpu\|cuda\]$' 'but the devices'
sed -nE 's/^  ([a-zA-Z]+) .*/\1/p' "$scratch/.output" | sort >targets
check 'names what is there, and nothing else' diff targets <(printf '%s\n' all clean distclean handin handouts help labN man reset)
# shellcheck disable=SC2013 # words
for target in $(grep -vxE 'help|clean|distclean|labN|handin' targets) lab3 'handin ANYWAY=1' clean distclean; do
    [ "$target" != handouts ] || command -v pandoc >"$scratch/.output" || continue
    # shellcheck disable=SC2086 # words
    check "make $target" in_release make -s $target LAB=lab3 CC="$(sed -n '1s/ -std.*//p' "$from/build/flags")"
done
in_release git init -q . >"$scratch/.output" 2>&1
for file in labs/lab3/openmp_inner.c labs/lab3/prediction.ini; do
    check "$file can be committed" in_release sh -c "! git check-ignore $file"
done
check 'what is made cannot' in_release git check-ignore build/hpclab results/lab3/record.json .deps/x dist/x labs/lab3/a.bak

fails 2 'an unknown lab' "$hpclab" release lab99
shows "^hpclab: unknown lab 'lab99'" 'is named'
fails 2 'no lab' "$hpclab" release
shows 'expected one lab' 'says so'
fails 2 'an unknown option' "$hpclab" release lab3 --frob
rm labs/lab3/starter/openmp_trainer.c
fails 3 'a starter that is missing: no release' "$hpclab" release lab3
shows 'task openmp_trainer of lab3 has no starter labs/lab3/starter/openmp_trainer.c' 'and it is named'
done_testing
