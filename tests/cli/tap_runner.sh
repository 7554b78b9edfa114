#!/usr/bin/env bash
# long: half a minute, most of it waits, and the last by name.
# tests/run itself: what it counts, and that nothing slips through. ci.sh has .ci/run, which runs all of it.
. tests/tap.sh
unset TEST_LONG TEST_ALL HPC_REPORTS # the runs that are started here have turns of their own

tree=$scratch/tree
mkdir -p "$tree/tests/cli"
cp tests/run tests/files.sh tests/kept.sh "$tree/tests"
: >"$tree/tests/long.txt"
cp .gitignore "$tree"
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

limit=60 # of which a busy machine may take much
last_line() { # STATUS LINE FILTER ..
    local status=$1 line=$2
    shift 2
    TEST_TIMEOUT=$limit "$tree/tests/run" "$@" >"$scratch/out" 2>"$scratch/err"
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
limit=1 check 'a hang ends at the time limit' last_line 1 '0 passed, 1 failed' hang
mkdir "$scratch/reports"
printf 'echo ERROR: seen >"$HPC_REPORTS/address.7"\necho ok 1 - a\necho 1..1\n' >"$tree/tests/cli/reported.sh"
HPC_REPORTS=$scratch/reports check 'what a sanitizer reports fails' last_line 1 '3 passed, 1 failed' reported good
shows '^ +ERROR: seen$' 'and is shown'
HPC_REPORTS=$scratch/none check 'and none is none' last_line 0 '2 passed, 0 failed' good
rm "$tree/tests/cli/reported.sh"
check 'an unknown name fails' last_line 1 '0 passed, 1 failed' no_such_test
limit=6 check 'all of them together' last_line 1 '6 passed, 7 failed, 2 skipped'
printf '(setsid timeout 1.5 sh -c "while :; do :; done" &)\nsleep 1.6\necho ok 1 - a\necho 1..1\n' >"$tree/tests/cli/leaves.sh"
check 'work that nobody waits for' last_line 0 '1 passed, 0 failed' leaves
shows '^ok    tests/cli/leaves.sh .*, [2-9] s \(0 s of processors\)$' 'is not its file'"'"'s'
shows "^in all [0-9]+ s, in which the $(grep -c '^cpu[0-9]' /proc/stat) processors here worked [1-9][0-9]* s\$" 'but the run'"'"'s'

# With TEST_AGAIN=1 what failed runs once more, alone, and that counts.
rm "$tree"/tests/cli/*
printf 'echo ok 1 - a\necho 1..1\n' >"$tree/tests/cli/good.sh"
printf 'echo not ok 1 - a\necho 1..1\n' >"$tree/tests/cli/bad.sh"
flaky() {
    rm -f "$scratch/was_here"
    printf 'if [ -e "%s" ]; then echo ok 1 - a; else echo not ok 1 - a; fi\ntouch "%s"\necho 1..1\n' \
        "$scratch/was_here" "$scratch/was_here" >"$tree/tests/cli/flaky.sh"
}
flaky
check 'a file that fails once counts as failed' last_line 1 '1 passed, 1 failed' flaky good
flaky
TEST_AGAIN=1 check 'with TEST_AGAIN=1 its second run counts' last_line 0 '2 passed, 0 failed' flaky good
shows '^FAIL  tests/cli/flaky.sh' 'the first is shown'
shows '^FLAKY tests/cli/flaky.sh: failed beside others, passed alone$' 'and that they differ'
TEST_AGAIN=1 check 'what fails twice failed' last_line 1 '2 passed, 1 failed'
printf 'sleep 6.5\necho not ok 1 - a\necho 1..1\n' >"$tree/tests/cli/late.sh"
export TEST_AGAIN=1 TEST_MINUTES=1
SECONDS=54 check 'what fails when time is over, or before it, has failed' last_line 1 '0 passed, 2 failed' -j 2 bad late
check 'and only what failed before it runs once more' test "$(grep -c 'FAIL.*bad' "$scratch/out") $(grep -c 'FAIL.*late' "$scratch/out")" = '2 1'
unset TEST_AGAIN TEST_MINUTES

# What has been said by then is told of a run that is ended, and what it started ends.
rm "$tree"/tests/cli/*
printf 'trap ": >%s/ended" EXIT\necho ok 1 - early\nsleep 60\necho ok 2 - late\necho 1..2\n' "$scratch" >"$tree/tests/cli/slow.sh"
in_words() { grep -qs '^ok 1 - early$' "$tree"/build/tests-said/*/tests_cli_slow.sh; }
for signal in INT TERM; do
    rm -f "$scratch/ended"
    (exec python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$tree/tests/run") >"$scratch/out" 2>&1 & # what bash starts so ignores SIGINT
    check "a line is kept as it comes" soon in_words
    kill -$signal $!
    wait $!
    check "SIG$signal ends a run with 130" test $? = 130
    cp "$scratch/out" "$scratch/.output"
    shows '^ +ok 1 - early$' '  which tells what a script had said'
    check '  and ends it' test -e "$scratch/ended"
done
limit=1 check 'a limit ends a script' last_line 1 '1 passed, 1 failed' slow
shows '^ +ok 1 - early$' '  and its lines are told'
check 'no lines are left' test -z "$(ls "$tree/build/tests-said")"

# Which run when, which with QUICK=1, and that nobody may change the tree.
rm "$tree"/tests/cli/*
mark() { printf '# %s: because\necho %s >>"%s"\n%s\necho ok 1 - a\necho 1..1\n' "$2" "$1" "$scratch/order" "$3" >"$tree/tests/cli/$1.sh"; }
mark b_alone alone "test ! -e '$scratch/busy' || kill \$\$"
mark c_plain none "touch '$scratch/busy'; sleep 1; rm '$scratch/busy'"
mark d_long long "touch '$scratch/busy'; sleep 1; rm -f '$scratch/busy'"
echo d_long.sh >"$tree/tests/quick.txt"
TEST_TIMEOUT=60 check 'one after another' "$tree/tests/run"
check 'the long ones first, those alone last' cmp "$scratch/order" <(printf 'd_long\nc_plain\nb_alone\n')
TEST_TIMEOUT=60 check 'side by side' "$tree/tests/run" -j 3
shows '^3 passed, 0 failed$' 'and nobody beside those that are alone'
TEST_TIMEOUT=60 QUICK=1 check 'QUICK=1' "$tree/tests/run"
shows '^1 passed, 0 failed$' 'runs those of tests/quick.txt only'
TEST_TIMEOUT=60 TEST_MINUTES=0 check 'TEST_MINUTES=0 runs nothing' "$tree/tests/run"
shows '^left out, for 0 minutes are gone:( tests/cli/[bcd]_[a-z]*\.sh){3}$' 'and names what it leaves out'
TEST_TIMEOUT=60 TEST_MINUTES=5 check 'TEST_MINUTES=5 has time for all' "$tree/tests/run"
shows '^3 passed, 0 failed$' 'of them'
mark e_writes none "echo more >>'$tree/tests/files.sh'"
TEST_TIMEOUT=60 fails 1 'a test that changes the tree' "$tree/tests/run" writes
shows '^ +\./tests/files\.sh$' 'is told which file'
check 'the quick ones are there' sh -c 'cd tests/cli && for f in $(cat ../quick.txt); do
    [ -e "$f" ] || [ -e "../unit/$f.c" ] || { echo "$f"; exit 1; }; done'

# What tests/long.txt lists has a turn of its own, and each part runs in one of the two.
rm "$tree"/tests/cli/*
cp tests/tap.sh "$tree/tests"
printf '# comment|x\nwhole.sh|because\nparted.sh late*|because\n' >"$tree/tests/long.txt"
printf 'echo ok 1 - a\necho 1..1\n' >"$tree/tests/cli/whole.sh"
cp "$tree/tests/cli/whole.sh" "$tree/tests/cli/early.sh"
cat >"$tree/tests/cli/parted.sh" <<'SCRIPT'
. tests/tap.sh
for part in now then late later; do
    if turn $part; then check "part $part" true; fi
done
done_testing
SCRIPT
# tests_of [FILTER ..]: which files and how many tests each ran.
tests_of() {
    TEST_TIMEOUT=60 "$tree/tests/run" "$@" | sed -nE 's,^ok +tests/cli/([a-z]+)\.sh +([0-9]+) passed.*,\1 \2,p' | sort | tr '\n' ';'
}
check 'what is listed is left out' test "$(tests_of)" = 'early 1;parted 2;'
check 'a listed file that is named runs' test "$(tests_of whole parted)" = 'parted 2;whole 1;'
check 'TEST_LONG=1 runs what is left out, and nothing else' test "$(TEST_LONG=1 tests_of)" = 'parted 2;whole 1;'
check 'TEST_ALL=1 all' test "$(TEST_ALL=1 tests_of)" = 'early 1;parted 4;whole 1;'
# code NAME: a script's lines that are no comments; of one that asks for no turn, none.
code() { ! grep -qE '^[^#]*\bturn ' "tests/cli/$1" || grep -v '^ *#' "tests/cli/$1"; }
# listed: the rows are of files that there are, with a reason; of parts that the script asks for, or whole once.
listed() {
    local what why name part
    while IFS='|' read -r what why; do
        name=${what%% *} part=${what#"${what%% *}"}
        part=${part# }
        if [ -z "$why" ]; then
            echo "no reason: $what" && return 1
        elif ! compgen -G "tests/cli/$name" >/dev/null && ! compgen -G "tests/unit/$name.c*" >/dev/null; then
            echo "no such file: $what" && return 1
        elif [ -n "$part" ] && ! code "$name" | grep -qE "\b${part%%[[*]*}"; then
            echo "asked for by nobody: $what" && return 1
        elif [ -z "$part" ] && [ "$(grep -cE "^${name}[ |]" "$1")" != 1 ]; then
            echo "whole, and in parts: $what" && return 1
        fi
    done < <(grep -v '^#' "$1")
}
check 'each row of tests/long.txt is one that a test asks for' listed tests/long.txt

while IFS= read -r row; do
    printf '%s\n' "$row" 'tiers.sh|because' >"$scratch/long.txt"
    fails 1 "such a row is not: $row" listed "$scratch/long.txt"
done <<'ROWS'
tiers.sh|
nowhere.sh|because
mutants.sh never|because
tap.sh again|because
tiers.sh late|because
ROWS

# graded PART: the hostile submissions whose lines `grade` have their turn then, in the short form that is run here.
graded() {
    python3 -B - "$1" <<'PYTHON'
import importlib.machinery, importlib.util, pathlib, sys
loader = importlib.machinery.SourceFileLoader("hostile", "tests/hostile/run")
hostile = importlib.util.module_from_spec(importlib.util.spec_from_loader("hostile", loader))
loader.exec_module(hostile)
every = [hostile.Submission(p) for p in sorted(pathlib.Path("tests/hostile/submissions").iterdir())]
for s in every if sys.argv[1] == "all" else hostile.due(every, True, [sys.argv[1]], lambda s: s.needs != "gpu"):
    print(s.name)
PYTHON
}
for part in all grade again; do graded $part | sort >"$scratch/graded.$part"; done
check 'each hostile submission has its turn early or late' \
    cmp "$scratch/graded.all" <(sort "$scratch/graded.grade" "$scratch/graded.again")
check 'each family of them early' python3 - "$scratch/graded.grade" <<'PYTHON'
import pathlib, re, sys
early = set(open(sys.argv[1]).read().split())
families = {}
for p in pathlib.Path("tests/hostile/submissions").iterdir():
    families.setdefault(re.search(r"family (\w+)", p.read_text(errors="replace"))[1], set()).add(p.stem)
sys.exit(sorted(f for f, names in families.items() if not names & early) or 0)
PYTHON

# What a copy of the project holds: neither a student'"'"'s files nor what was built.
if git rev-parse --git-dir >/dev/null 2>&1; then
    tracked() { git ls-files | while IFS= read -r f; do [ ! -e "$f" ] || echo "./$f"; done | sort; }
    untracked() { comm -13 <(tracked) <(project_files | tr '\0' '\n' | sort) | sed 's/^..//' | xargs -r git check-ignore; }
    check 'a copy holds all that git tracks' test -z "$(comm -23 <(tracked) <(project_files | tr '\0' '\n' | sort))"
    check 'and nothing that git ignores' test -z "$(untracked)"
else
    skip 'what a copy of the project holds' 'no git here'
fi

# What is compiled is kept for the next run, until what compiles it has changed.
rm "$tree"/tests/cli/*
mkdir -p "$tree/harness/build" && echo one >"$tree/harness/build/build.c"
printf 'ls "$HPC_TEST_BUILDS" >"%s"\nmkdir -p "$HPC_TEST_BUILDS/of_a_run"\necho >>"$HPC_TEST_OBJECTS/of_a_text"\necho ok 1 - a\necho 1..1\n' \
    "$scratch/kept" >"$tree/tests/cli/compiles.sh"
compiled() { # NAME: what the run found of those before it
    TEST_TIMEOUT=60 "$tree/tests/run" && [ "$(cat "$scratch/kept")" = "$1" ]
}
check 'the first run finds nothing compiled' compiled ''
if [ -d "$tree/build/tests-kept" ]; then
    check 'the next one what that left' compiled of_a_run
    TEST_FRESH=1 check 'but with TEST_FRESH=1' compiled ''
    echo two >"$tree/harness/build/build.c"
    check 'nothing of another compiling' compiled ''
    check 'which is there no more' test "$(find "$tree/build/tests-kept" -mindepth 1 -maxdepth 1 ! -name objects | wc -l)" = 1
    check 'but for objects, which g++ alone decides on' test "$(wc -l <"$tree/build/tests-kept/objects/of_a_text")" = 3
    find "$tree/build/tests-kept" -name of_a_run -exec touch -d '8 days ago' {} +
    check 'nor of last week' compiled ''
fi

# So is what g++ makes of a text that `hpclab cuda` has rewritten, until the text or the words change.
if command -v g++ >/dev/null; then
    mkdir "$scratch/kept_objects" "$scratch/bin"
    printf '#!/bin/sh\necho called >>"%s"\nexec "%s" "$@"\n' "$scratch/calls" "$(command -v g++)" >"$scratch/bin/g++"
    chmod +x "$scratch/bin/g++"
    compiled() { # TIMES OBJECT WORD ..: whether g++ was called so often, and made an object
        : >"$scratch/calls"
        PATH=$scratch/bin:$PATH HPC_TEST_OBJECTS=$scratch/kept_objects tests/cli/lib/kept_cxx.sh "${@:3}" -o "$scratch/$2"
        [ "$(wc -l <"$scratch/calls")" = "$1" ] && [ -s "$scratch/$2" ]
    }
    echo 'int f(void) { return 1; }' >"$scratch/text.ii"
    words=(-O1 -xc++-cpp-output -c "$scratch/text.ii")
    check 'an object is compiled' compiled 1 one.o "${words[@]}"
    check 'once' compiled 0 two.o "${words[@]}"
    check 'and is the same' cmp "$scratch/one.o" "$scratch/two.o"
    check 'with another word anew' compiled 1 two.o -O2 "${words[@]:1}"
    check 'what is no such text, too' compiled 1 two.o -O1 -xc++ -c "$scratch/text.ii"
    echo 'int f(void) { return 2; }' >"$scratch/text.ii"
    check 'and another text' compiled 1 two.o "${words[@]}"
    check 'into an object of its own' sh -c "! cmp -s '$scratch/one.o' '$scratch/two.o'"
    echo 'int f(void) { return 3 }' >"$scratch/text.ii"
    fails 1 'what does not compile' compiled 1 three.o "${words[@]}"
    shows 'error: ' 'is told'
else
    skip 'objects of hpclab cuda are kept' 'no g++ here'
fi
fails 2 'an unknown option is a usage error' tests/run --frobnicate
done_testing
