#!/usr/bin/env bash
# Looking at one's own program: prints and assertions, gdb, the arrays of a call, what an editor reads.
# Works on a copy of the project.
. tests/tap.sh
project=$PWD
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib device
share_builds
cd "$HPC_ROOT" || exit 1
untimed
small='layers=2,1 activations=sigmoid samples=3 epochs=1'

# flat STATEMENT: lab1's solution, with a statement before its arithmetic.
flat() {
    { printf '#include <assert.h>\n#include <stdio.h>\n' && sed "/^static int flat_run/,/^{/ s|^{|{ $1|" "$project/mlp/variants/flat.c"; } >labs/lab1/flat.c
}
run() { # in few words: $small is several
    # shellcheck disable=SC2086
    "$hpclab" run lab1/flat --plain --seed 7 $small "$@"
}

"$hpclab" build lab1 >"$scratch/.output" 2>&1
check 'an editor is told how files are compiled' python3 - <<'P'
import json
all = json.load(open("compile_commands.json"))
one, = [a for a in all if a["file"] == "labs/lab1/flat.c"]
assert one["arguments"][0] == "gcc" and "-O2" in one["arguments"] and one["arguments"][-1] == one["file"], one
P

flat 'printf("the rate is %g\\n", 0.5);'
check 'what prints is graded all the same' "$hpclab" grade lab1 --only flat --quick --plain --seed 3
shows 'flat +ok pass' 'passes'
shows 'hint: it prints \("the rate is 0.5" \.\.\)' 'with a remark'
check 'run shows it' run
shows '^the rate is 0.5' 'each call'"'"'s'
check '--debug makes one call' run --debug
check 'and shows what it prints once' test "$(grep -c '^the rate is' "$scratch/.output")" = 1

flat 'assert(in == out);'
fails 1 'an assertion that does not hold ends it' run --debug
shows "flat_run: Assertion .in == out. failed" 'in its own words'

flat 'for (int i = 0; i < 2000000; i++) puts("more and more of it, in each call");'
fails 1 'who prints without an end is ended' run --calls 3
shows 'rejected .*output' 'by the limit'

flat ''
if type gdb >/dev/null 2>&1; then
    printf 'info args\ncontinue\nquit\n' | run --gdb >"$scratch/.output" 2>&1
    shows 'flat_run \(state=' 'gdb stops where run() begins'
    shows 'ok right +every element' 'and what it computed is compared'
    printf 'kill\nquit\n' | run --gdb >"$scratch/.output" 2>&1
    shows 'the call did not come to its end' 'one that was killed is not'
else
    skip 'gdb stops where run() begins' 'no gdb here'
fi
fails 2 '--safety is for another run' run --debug --safety address

check 'arrays go to a table' run --dump "$scratch/d.csv"
check 'of a line an element' test "$(grep -c '^w,.*,no$' "$scratch/d.csv")" = 3
cp labs/lab1/starter/flat.c labs/lab1/flat.c
fails 1 'a wrong output is shown beside what was wanted' run --dump "$scratch/d.csv"
shows 'w\[0\]\[2\] +-?0\.[0-9]+ +wanted +-?0\.[0-9]+ +wrong' 'element by element'
check 'and is wrong in the table' grep -q '^w,2,.*,yes$' "$scratch/d.csv"
small='layers=9,8,1 activations=tanh,sigmoid samples=3 epochs=1'
fails 1 'of many elements it shows where they are wrong' run
shows '^  w: every one of its 89 elements is wrong' 'in a line, where all are'
small='layers=2,1 activations=sigmoid samples=3 epochs=1'
fails 1 'arrays go to files of NumPy' run --dump "$scratch/d.npy"
check 'which hold them' python3 - "$scratch" <<'P'
import ast, struct, sys
def read(name):
    b = open(f"{sys.argv[1]}/d_{name}.npy", "rb").read()
    n = struct.unpack("<H", b[8:10])[0]
    head = ast.literal_eval(b[10:10 + n].decode())
    return head["shape"], struct.unpack(f"<{(len(b) - 10 - n) // 8}d", b[10 + n:])
assert read("x")[0] == (3, 2) and read("w")[0] == read("w_wanted")[0] == read("w0")[0] == (1, 3)
assert read("w")[1] == read("w0")[1] != read("w_wanted")[1]
P
fails 3 'a folder that is not there' run --dump /nowhere/d.csv
shows '/nowhere/d.csv: No such file' 'is named'
fails 2 'an ending that is neither' run --dump "$scratch/d.txt"
shows 'expected a name that ends in .npy or .csv' 'is refused'

"$hpclab" build lab5 >/dev/null 2>&1
sed '/__global__/,/^{/ s|^{|{ if (threadIdx.x + blockIdx.x == 0) printf("of %d threads\\n", (int)blockDim.x);|' \
    "$project/conv1d/variants/single_block.cu" >labs/lab5/single_block.cu
check 'a kernel prints too' "$hpclab" run lab5/single_block --debug --plain --seed 7 --device cpu n=100 mask=3
shows '^of [0-9]+ threads' 'and is shown'
done_testing
