#!/usr/bin/env bash
# Each function of the compiler's headers that hands a pointer to an instruction's builtin, which no
# sanitizer looks into, has a row of harness/build/told.def or of `unseen` in intrinsics.c, or
# neither loads nor stores what a program could see.
. tests/tap.sh
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

cat harness/build/told.def <(sed -n '/} unseen\[\]/,/};/p' harness/build/intrinsics.c) >"$scratch/rows"
echo '{"_none", ""}' >"$scratch/none"
uncovered "$scratch/none" | sort -u >"$scratch/all"
check 'the headers hand pointers to instructions' test "$(wc -l <"$scratch/all")" -gt 100
check 'each of them has its row' diff <(uncovered "$scratch/rows") /dev/null
done_testing
