#!/usr/bin/env bash
# The screens of README and the handouts are those of a run: mk/screens.py writes them between its marks, and
# here their shape is compared with a run of today; of those that take long with TEST_ALL=1 only.
. tests/tap.sh
share_builds
check 'screens: their marks are well' sh -c 'mk/screens.py --list README.md handouts/*.md | tee "$1"; test "$(wc -l <"$1")" -ge 9' - "$scratch/list"
check 'README has one of ./grade' grep -q '^README.md: .*\./grade' "$scratch/list"
if ! command -v g++ >/dev/null; then
    skip 'screens of labs in CUDA' 'no g++ here'
else
    check 'they have the shape of a run' mk/screens.py --check README.md handouts/*.md
    cp "$scratch/.output" "$scratch/said"
    check 'some were looked at' grep -qE '^[1-9][0-9]* screens, 0 of another shape' "$scratch/said"
    sed 's/0\.0\/25/0.0\/30/' handouts/lab5.md >"$scratch/lab5.md"
    fails 1 'one with other points is found' mk/screens.py --check "$scratch/lab5.md"
    cp "$scratch/.output" "$scratch/said"
    check '  and said' grep -q 'its screen has another shape' "$scratch/said"
fi
sed 's/ row=multi_block/ rwo=multi_block/' handouts/lab5.md >"$scratch/off.md"
fails 1 'a word that is off' mk/screens.py --list "$scratch/off.md"
cp "$scratch/.output" "$scratch/said"
check '  is named' grep -q 'unknown word rwo' "$scratch/said"
done_testing
