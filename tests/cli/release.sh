#!/usr/bin/env bash
# hpclab release: what is in a students' archive, what is not, the same bytes each time; and for
# lab3 (TEST_ALL=1: for every lab) it is unpacked, built and its starters graded.
. tests/tap.sh
hpclab=$PWD/build/hpclab
from=$PWD
export HPC_ROOT=$scratch/root
mkdir "$HPC_ROOT"
# shellcheck disable=SC2046 # one word a folder
for part in Makefile bootstrap grade hpclab LICENSE mk common device harness runner $(operations) data labs handouts reference tests; do
    [ ! -e "$part" ] || cp -r "$part" "$HPC_ROOT" || exit 1
done
mkdir "$HPC_ROOT/build"
cp -r build/lib build/device build/hpclab "$HPC_ROOT/build" || exit 1
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

# withheld LAB: names of the variants that its tasks ask for, reference and record, but for what
# the lab gives as a baseline.
withheld() {
    awk -F' *= *' '
        /^\[task/ { name = $0; gsub(/^\[task |\].*/, "", name) }
        $1 == "op" && name { sub(/_.*/, "", $2); asked[$2 "/" name] }
        /^kind = answers/ { delete asked["mlp/" name]; delete asked["conv1d/" name]; name = "" }
        $1 == "reference" || $1 == "record" { asked[$2] }
        $1 == "baseline" { given[$2] }
        /^\[case/ { name = "" }
        END { for (a in asked) if (!(a in given)) print a }' "labs/$1/lab.ini"
}

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
        ls "$top/labs/$lab/lab.ini" "$top/handouts/$lab.md" "$top/data/LICENSE.data"
    check "$lab: its starters are there, and no working copy" \
        diff -r "labs/$lab/starter" "$top/labs/$lab/starter"
    # shellcheck disable=SC2012 # names of ours
    check "$lab: nothing else of the labs" test "$(ls "$top/labs" "$top/labs/$lab" | tr '\n' ' ')" = \
        "$top/labs: $lab  $top/labs/$lab: lab.ini starter "
    check "$lab: no tests but programs that the handout names, no mutants, no other handout" \
        sh -c "! find '$top/tests' -type f 2>/dev/null | grep -v 'tests/device/seeded/dong_' && [ \$(ls '$top/handouts' | grep -c md) = 1 ]"
    check "$lab: hidden cases are not named" no_word "$top/labs" hidden scrap
    # shellcheck disable=SC2046 # one word a case
    check "$lab: nor found by their names" no_word "$top" \
        $(sed -n 's/^\[case \(.*\)\].*/\1/p' "labs/$lab/hidden.ini")
    for variant in $(withheld "$lab"); do
        check "$lab: no $variant" sh -c "! ls '$top/${variant%/*}/variants/${variant#*/}'.c* 2>/dev/null"
    done
    bases=$(sed -n 's/^baseline = //p' "labs/$lab/lab.ini" | sort -u)
    check "$lab: of the variants its baselines alone" test \
        "$(cd "$top" && find . -path '*/variants/*.c*' | sed 's,^\./,,; s,/variants/,/,; s,\.cu*$,,' | sort)" = "$bases"
    check "$lab: what its handout shows and names" sh -c "cd '$top' && for f in \
        \$(grep -oE '\([a-z0-9-]+\.svg\)' 'handouts/$lab.md' | tr -d '()' | sed 's,^,handouts/,') \
        \$(grep -oE 'tests/device/[a-z_./]+\.cu' 'handouts/$lab.md'); do test -e \"\$f\" || exit 1; done"
    if [[ $lab == lab[36] || ${TEST_ALL:-0} == 1 ]]; then
        check "$lab: unpacked, built, its starters graded" "$hpclab" release "$lab"
    fi
done

fails 2 'an unknown lab' "$hpclab" release lab99
shows "^hpclab: unknown lab 'lab99'" 'is named'
fails 2 'no lab' "$hpclab" release
shows 'which lab' 'says so'
fails 2 'an unknown option' "$hpclab" release lab3 --frob
rm labs/lab3/starter/openmp_trainer.c
fails 3 'a starter that is missing: no release' "$hpclab" release lab3
shows 'task openmp_trainer of lab3 has no starter labs/lab3/starter/openmp_trainer.c' 'and it is named'
done_testing
