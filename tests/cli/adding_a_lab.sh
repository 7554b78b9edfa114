#!/usr/bin/env bash
# docs/adding-a-lab.md, followed: its files and commands make lab10 in a copy, which is built, graded, tried with
# wrong solutions, timed and packed.
. tests/tap.sh
page=$PWD/docs/adding-a-lab.md
export HPC_ROOT=$scratch/root
copy_all "$HPC_ROOT" obj lib libhpc.a mlp/app.a flags lists markers.c detected hpclab device
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
check 'the page has files and commands' test "$(find stencil labs/lab10 handouts/lab10.md -type f | wc -l) ${#parts[@]}" = '9 5'
build=${parts[2]} mutants=${parts[3]} release=${parts[4]}
for part in "${parts[@]:0:2}"; do check 'its commands' sh -e "$part"; done
if command -v clang-format >/dev/null; then
    formatted() { for f in stencil/*.h stencil/*/*.[ch] labs/lab10/starter/*.c; do clang-format "$f" | diff -u "$f" - || return 1; done; }
    check 'its files are formatted' formatted
else
    skip 'its files are formatted' 'no clang-format here'
fi
cp labs/lab10/lab.ini "$scratch/timed.ini"
untimed
sed -i 's/^make$/make core/' "$build" # without the device's libraries, of which nothing here is
check 'it builds' sh -e "$build"
! prints warning
tap_result $? 'without a warning'
shows '^next: edit labs/lab10/rows.c, then ./grade$' 'and says what comes next'
if command -v python3 >/dev/null && [ -e mk/house.py ]; then check 'the rules of the house hold' make -s CC="$CC" check-house; fi
says 1 'rows +x wrong' 'the starter, by ./grade' ./grade lab10 --quick --plain
check 'our solution' build/hpclab grade lab10 --quick --plain --impl reference
shows 'rows +ok pass' 'passes'
says 1 'rows: no wrong solution is tried' 'what is lacking' ./hpclab lint lab10
check 'wrong solutions are written' bash -e "$mutants"
says 0 '^lab10 lacks nothing$' 'and nothing lacks' ./hpclab lint lab10
MUTANTS=lab10/rows check 'they are found, each with its words' bash tests/cli/mutants.sh
shows '^ok .*5 mutants$' 'four and the right solution'
! prints '^not ok'
tap_result $? 'all as expected'
sed 's/^large = .*/large = rows=256 columns=256 sweeps=4/' "$scratch/timed.ini" >labs/lab10/lab.ini # of its grid a sixteenth
check 'the page times and packs' test "$(cat "$release")" = $'make reference LAB=lab10\nmake release LAB=lab10'
# shellcheck disable=SC2016 # make's
sed -i 's/^reference release: all/reference release: core/; s/^\(reference\|release\): all/\1: core/; s/release $(LAB)/& --no-check/' mk/course.mk
check 'our solution is timed, and a release packed' sh -e "$release"
shows '^ +rows +stencil/rows .* [0-9.]+x \[' 'with its ratio'
check 'into reference/' grep -q lab10 reference/*.json
tar -tzf dist/hpclab-lab10-*.tar.gz | sed 's|^[^/]*/||' >"$scratch/.output"
shows '^stencil/stencil.h$' 'has the header'
check 'and not the solution' sh -c "! tar -tzf dist/hpclab-lab10-*.tar.gz | grep -E 'variants/rows.c|hidden.ini'"
done_testing
