#!/usr/bin/env bash
# docs/adding-a-lab.md, followed: its files and commands make lab10 in a copy, which is built and graded.
. tests/tap.sh
page=$PWD/docs/adding-a-lab.md
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" obj lib libhpc.a mlp/app.a flags lists markers.c detected hpclab device/rewrite
cd "$HPC_ROOT" || exit 1
CC=$(awk '{print $1 ($1 == "ccache" ? " " $2 : "")}' build/flags)
export CC
# Files are blocks behind a line that is a path alone; commands are the blocks of sh.
python3 - "$page" "$scratch/commands" <<'END2'
import pathlib, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
commands = pathlib.Path(sys.argv[2])
commands.mkdir()
for i, (path, kind, block) in enumerate(re.findall(r"(?:^`([^`\n ]+/[^`\n ]+)`\n\n)?^```(\w+)\n(.*?)^```$", text, re.M | re.S)):
    if path:
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(path).write_text(block, encoding="utf-8")
    elif kind == "sh":
        (commands / f"{i:02}.sh").write_text(block)
    else:
        sys.exit(f"a block of {kind} without a path")
END2
parts=("$scratch"/commands/*.sh)
check 'the page has files and commands' test "$(find stencil labs/lab10 handouts/lab10.md -type f | wc -l) ${#parts[@]}" = '9 3'
last=${parts[-1]##*/}
for part in "${parts[@]}"; do
    [ "${part##*/}" = "$last" ] || check 'its commands' sh -e "$part"
done
if command -v clang-format >/dev/null; then
    formatted() { for f in stencil/*.h stencil/*/*.[ch] labs/lab10/starter/*.c; do clang-format "$f" | diff -u "$f" - || return 1; done; }
    check 'its files are formatted' formatted
else
    skip 'its files are formatted' 'no clang-format here'
fi
untimed
sed -i "s/^make$/make CC='$CC' core/; s/^make lab10$/make CC='$CC' lab10/" "$scratch/commands/$last"
check 'it builds' sh -e "$scratch/commands/$last"
! prints warning
tap_result $? 'without a warning'
grade() { build/hpclab grade lab10 --quick --plain; }
if command -v python3 >/dev/null && [ -e mk/house.py ]; then check 'the rules of the house hold' make -s CC="$CC" check-house; fi
says 1 'rows +x wrong' 'the starter' grade
check 'our solution' build/hpclab grade lab10 --quick --plain --impl reference
shows 'rows +ok pass' 'passes'
# In place, and one sweep less: the operation names both.
sed '/_run(/,/^}/s/s->grid\[[^]]*\]/s->grid[0]/g' stencil/variants/rows.c >labs/lab10/rows.c
check 'a sweep in place' test "$(grade | grep -c 'a sweep reads what it wrote itself')" = 1
sed 's/t < s->p->sweeps/t + 1 < s->p->sweeps/; s/s->p->sweeps % 2/(s->p->sweeps + 1) % 2/' stencil/variants/rows.c >labs/lab10/rows.c
check 'and one sweep too few have their names' test "$(grade | grep -c 'there is one sweep too few')" = 1
says 1 'rows: no wrong solution is tried' 'what is lacking' build/hpclab lint lab10
check 'a release' build/hpclab release lab10 --no-check
tar -tzf dist/hpclab-lab10-*.tar.gz | sed 's|^[^/]*/||' >"$scratch/.output"
shows '^stencil/stencil.h$' 'has the header'
check 'and not the solution' sh -c "! tar -tzf dist/hpclab-lab10-*.tar.gz | grep -E 'variants/rows.c|hidden.ini'"
done_testing
