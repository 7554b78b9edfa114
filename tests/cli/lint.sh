#!/usr/bin/env bash
# ./hpclab lint: what a lab lacks; ./hpclab reference diff; entries of reference/ that are stale.
. tests/tap.sh
. tests/cli/lib/class.sh
cd "$HPC_ROOT" || exit 1
lint() { "$hpclab" lint "${1:-lab91}"; }
lab=labs/lab91/lab.ini
mutants=tests/mutants/lab91/flat
fails 1 'a lab without cases of its own' lint
shows 'flat: no hidden case: its inputs are all known$' 'is told so'
shows "flat: no wrong solution is tried: $mutants/\*.patch$" 'and that nothing wrong was tried'
shows '^lab91 lacks 2 things$' 'and no more'
printf '[case secret]\nop = mlp_sgd\ntasks = flat\nlayers = 9,4\nactivations = softmax\nsamples = 20\nepochs = 2\nrate = 0.02\n' >labs/lab91/hidden.ini
mkdir -p $mutants && printf 'expect: wrong; reason: w\n' >$mutants/bad.patch
check 'one that has all' lint
shows '^lab91 lacks nothing$' 'is told so too'
printf 'expect: pass; points: <9\n' >$mutants/slow.patch
check 'one that passes and loses its points is told by them' lint
printf 'expect: pass|noisy\n' >$mutants/slow.patch
fails 1 'a wrong solution that passes' lint
shows "flat: $mutants/slow.patch is wrong or slow, passes with all points, and is told nothing$" 'is named'
printf 'expect: pass|noisy; hint: slow\n' >$mutants/slow.patch
check 'one with all points that is told in words' lint
printf 'expect: pass; unsaid: slow\n' >$mutants/slow.patch
check 'and a right one, of which nothing is said' lint
mv $mutants/bad.patch kept.patch
fails 1 'which alone' lint
shows "flat: no wrong solution is tried: $mutants/" 'is no wrong one'
mv kept.patch $mutants/bad.patch
rm $mutants/slow.patch
# lacks SED PATTERN TEXT: lab.ini changed so.
lacks() {
    cp "$lab" kept.ini
    sed -i "$1" "$lab"
    fails 1 "$3" lint
    shows "$2" 'is said'
    mv kept.ini "$lab"
}
lacks 's/^handout = .*/handout = LICENSE/' 'LICENSE: does not name flat.c, the file of flat$' 'a handout of another lab'
lacks '/^symbols/d' 'flat: no symbols: whatever it calls is allowed$' 'no symbols'
mv labs/lab91/starter/flat.c kept.c
fails 1 'no starter' lint
shows 'flat: no starter: labs/lab91/starter/flat.c$' 'is said'
mv kept.c labs/lab91/starter/flat.c
rm labs/lab1/marker.c
fails 1 'answers that nobody marks' lint lab1
shows 'neither labs/lab1/marker.c nor labs/lab1/expected.ini says what is right$' 'are named'

# An entry of this machine's, made up.
rm -f reference/*.json
fails 1 'no reference' lint lab1
shows 'flat: no reference is timed on ' 'is said'
name=$(sed -n 's/.*flat: no reference is timed on \([^ ]*\) .*/\1/p' "$scratch/.output")
entry() { # KEYS: of lab1/flat
    printf '{"machine": {"name": "%s"}, "tasks": {"lab1/flat": {"ratio": 4, "threads": 1%s}}}\n' "$name" "$1" >"reference/$name.json"
    lint lab1 >"$scratch/.output" 2>&1
}
stale() { prints "flat: reference/$name.json is stale: $1"; }
entry ''
tap_result "$(! stale . && ! prints 'no reference is timed'; echo $?)" 'an entry that says nothing of itself is taken'
entry ', "compiler": "gcc 1.0"'
tap_result "$(stale 'timed with gcc 1.0$'; echo $?)" 'one of another compiler is stale'
sources=$(cat mlp/variants/serial.c mlp/variants/flat.c | sha256sum | cut -d ' ' -f 1)
entry ", \"sources\": \"$sources\""
tap_result "$(! stale .; echo $?)" 'one of these sources is not'
echo '/* */' >>mlp/variants/flat.c
entry ", \"sources\": \"$sources\""
tap_result "$(stale 'mlp/serial or mlp/flat has changed since$'; echo $?)" 'one of others is'

task() { printf '"%s": {"ratio": %s, "ci_low": %s, "ci_high": %s, "baseline_seconds": 0.1}' "$@"; }
file() { printf '{"machine": {"cpu": "%s"}, "tasks": {%s, %s}}\n' "$1" "$2" "$3"; }
file old "$(task a/x 2 1.9 2.1)" "$(task a/y 3 2.9 3.1)" >one.json
file new "$(task a/x 2.1 2.0 2.2)" "$(task a/y 4 3.9 4.1)" >reference/two.json
fails 1 'two references' "$hpclab" reference diff one.json two
shows '^  cpu: old, then new$' 'of two machines'
shows '^  a/x  .* 2.00x +2.10x +\+5.0%' 'a task that is the same within its intervals'
shows '^\* a/y  .* 3.00x +4.00x +\+33.3%' 'one that is not'
shows '^1 differ by more than their intervals, 0 are in one file alone' 'are counted'
check 'in 80 columns' awk 'length($0) > 80 { exit 1 }' "$scratch/.output"
check 'one with itself' "$hpclab" reference diff one.json one.json
file old "$(task a/x 2 1.9 2.1)" "$(task a/z 3 2.9 3.1)" >three.json
fails 1 'tasks that one has alone' "$hpclab" reference diff one.json three.json
shows '^\* a/y .*in the first alone$' 'of the first'
shows '^\* a/z .*in the second alone$' 'of the second'
shows '^0 differ by more than their intervals, 2 are in one file alone' 'and have no intervals that differ'
fails 2 'one reference alone' "$hpclab" reference diff one.json
shows '^hpclab: reference diff: expected two files of reference/, found 1$' 'is compared with nothing, and nothing is timed'
fails 2 'no such reference' "$hpclab" reference diff one.json nowhere
shows 'reference/nowhere.json: ' 'is named'
fails 2 'no such lab' lint lab77
# Timings that can't be read are not written over.
printf 'half of it' >"reference/$name.json"
says 2 "reference/$name.json:1: " 'a broken reference' "$hpclab" reference lab1
check 'is kept as it was' test "$(cat "reference/$name.json")" = 'half of it'
done_testing
