#!/usr/bin/env bash
# handouts/basics.md: its programs are those of its blocks of code whose first line names a file; its
# commands are run, in turn, and each prints what stands behind it.
. tests/tap.sh
root=$PWD page=$PWD/handouts/basics.md
cd "$scratch" || exit 1
ln -s "$root/hpclab" hpclab

if ! command -v g++ >/dev/null; then
    skip 'programs of handouts/basics.md' 'no g++ here'
    done_testing
    exit
fi

# Files of their own: the programs, NUMBER.command and NUMBER.wanted.
awk '/^```sh$/ { file = ++n ".command"; next }
    /^```(c|cpp)$/ { getline; file = $2; next }
    /^```$/ { if (file != "") { close(file); file = "" } else file = n ".wanted"; next }
    file != "" { print >file }' "$page"
check 'it has two programs' test -s sum.c -a -s scale.cu
check 'and two commands' test -s 1.command -a -s 2.command -a ! -e 3.command
for number in 1 2; do
    check "$(cat $number.command)" timeout 300 bash ./$number.command
    cp .output $number.printed
    check '  prints what stands behind it' cmp $number.printed $number.wanted
done

# Every lab has its row.
for lab in "$root"/labs/lab[1-9]; do
    check "${lab##*/}: has its hours" grep -q "^| ${lab##*/} | [0-9]*-[0-9]* |" "$page"
done
done_testing
