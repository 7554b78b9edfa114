#!/usr/bin/env bash
# handouts/basics.md: its programs are those of its blocks of code whose first line names a file; its
# commands are run, in turn, and each prints what stands behind it. The labs' pages say hours, what to
# know first and what comes of it in one form, as its table has them, and the glossary has the words
# that a student has not met. What came out for us stands on pages of their own.
. tests/tap.sh
root=$PWD page=$PWD/handouts/basics.md
cd "$scratch" || exit 1
ln -s "$root/hpclab" hpclab

# has FILE TEXT: on one line or over several.
has() { [[ $(tr -s ' \n' ' ' <"$1") == *"$2"* ]]; }

# lacks FILE TEXT
lacks() { ! has "$@"; }

for lab in "$root"/labs/lab[1-9]; do
    lab=${lab##*/} handout=$root/handouts/${lab##*/}.md
    row=$(grep "^| $lab | [0-9]*-[0-9]* |" "$page") || row='| | none | none |'
    IFS='|' read -r _ _ hours able _ <<<"$row"
    hours=${hours// /} able=${able# } able=${able% }
    check "$lab: its hours are the table's" has "$handout" "- **Hours**: $hours, a guess."
    check "$lab: says what to know first" has "$handout" '- **Know first**: '
    check "$lab: and what comes of it, as the table has it" has "$handout" "- **Afterwards you can** $able."
    measured=handouts/measured_$lab.md
    [ -e "$root/$measured" ] || continue
    check "$lab: names the page of what came out" has "$handout" "\`$measured\`, which your course hands out when predictions are in"
    # A row of numbers of that page is not on the page that asks for them.
    grep -E '^\|.*[0-9]' "$root/$measured" >rows
    check "$lab: that page has rows of numbers" test -s rows
    while read -r row; do
        check "$lab: does not print $row" lacks "$handout" "$row"
    done <rows
done
for word in 'call 1' case contract floor halo kernel noisy pending provisional quartiles race request sector tap \
    'Tensor Core' TF32 verdict warp; do
    check "the glossary has $word" grep -q "^| [^|]*\<$word\>[^|]* |" "$page"
done

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

done_testing
