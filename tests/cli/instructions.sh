#!/usr/bin/env bash
# Each function of the compiler's headers that hands a pointer to an instruction's builtin, which no
# sanitizer looks into, has a row of harness/build/told.def or of unseen.def, or
# neither loads nor stores what a program could see.
. tests/tap.sh

# has_row NAME: a row of unseen.def's has it, or one of told.def's that counts NEON's bytes.
has_row() {
    {
        sed -n 's/^{"\(.*\)", "\(.*\)"},$/^\1.*\2/p' harness/build/unseen.def | grep -v '__\|_mm'
        sed -n 's/^{"\(v[a-z0-9]*\)", "\(.*\)", 0, NONE, [a-z]*, NEON, .*/^\1.*\2/p' harness/build/told.def
    } >"$scratch/arms"
    grep -qf "$scratch/arms" <<<"$1"
}

# On aarch64 gcc tells of loads and stores of one vector by itself, of others not.
neon=$(command -v aarch64-linux-gnu-gcc || { [ "$(uname -m)" = aarch64 ] && command -v gcc; })
if [ "$neon" ]; then
    python3 tests/cli/lib/neon.py "$neon" >"$scratch/neon"
    check 'some of NEON is seen by no sanitizer' test "$(grep -c '^unseen' "$scratch/neon")" -gt 100
    while read -r word name; do
        has_row "$name" && row=unseen || row=told
        [ $row = "$word" ] || echo "$name: $word"
    done <"$scratch/neon" >"$scratch/differ"
    check 'of that each has its row, and no other has' diff "$scratch/differ" /dev/null
else
    skip 'names of NEON' 'no compiler for aarch64 here'
fi
if [ "$(uname -m)" != x86_64 ]; then
    skip 'instructions by name' 'they are of x86_64'
    done_testing
    exit
fi

# uncovered ROWS: functions that no row has.
uncovered() {
    python3 - "$(dirname "$(gcc -print-file-name=include/immintrin.h)")" "$1" <<'PYTHON'
import glob, re, sys
harmless = re.compile(r"prefetch|_mm_cl(flush|flushopt|wb)$|_cldemote|monitor")
rows = re.findall(r'\{"([^"]*)",\s*"([^"]*)"', open(sys.argv[2]).read())
text = "\n".join(open(f, errors="replace").read() for f in glob.glob(sys.argv[1] + "/*.h"))
text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
for name, parameters, body in re.findall(r"\n(_\w+)\s*\(([^()]*\*[^()]*)\)\s*\{(.*?)\n\}", text, re.S):
    pointers = [re.findall(r"\w+", p)[-1] for p in parameters.split(",") if "*" in p]
    handed = any(re.search(r"__builtin_ia32_\w+\s*\([^;]*\b%s\b" % p, body) for p in pointers)
    if handed and not harmless.search(name) and not any(
            name.startswith(begin) and has in name for begin, has in rows):
        print(name)
PYTHON
}

cat harness/build/told.def harness/build/unseen.def >"$scratch/rows"
echo '{"_none", ""}' >"$scratch/none"
uncovered "$scratch/none" | sort -u >"$scratch/all"
check 'the headers hand pointers to instructions' test "$(wc -l <"$scratch/all")" -gt 100
check 'each of them has its row' diff <(uncovered "$scratch/rows") /dev/null
done_testing
