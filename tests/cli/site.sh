#!/usr/bin/env bash
# The handouts as a site: `make handouts` for instructors and for students. What each page links, says of
# its pictures, and how wide its tables are is read by tests/site/check.py; in Chromium, where there is one,
# tests/site/look.py opens every page at three widths, and tries the switch and the search. One page's PDF has a
# title, the version and page numbers. What spoils a page is found.
. tests/tap.sh
root=$scratch/root
mkdir "$root"
cp -r Makefile bootstrap common handouts docs mk "$root"
cp -r tests/site "$root/check"
cd "$root" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL

if ! command -v pandoc >/dev/null || ! command -v python3 >/dev/null; then
    skip 'handouts as a site' 'no pandoc or no python3 here'
    done_testing
    exit
fi

check 'make handouts, the pages' make -s handouts SITE_PDF=
check 'it is read' python3 check/check.py dist/handouts mk/site/palette handouts/*.svg
check 'a short word of code is not broken' sh -c 'grep -q "<code class=\"short\">param-&gt;weight" dist/handouts/lab1.html &&
    grep -q " code.short { white-space: nowrap; }" dist/handouts/lab1.html && ! grep -q "td code.short" dist/handouts/lab1.html'
for page in handouts/*.md docs/*.md; do
    name=$(basename "$page" .md)
    case $page in docs/student.md) continue ;; esac
    check "$page is on it, and on its first page" grep -q "\"$name.html\"" dist/handouts/index.html
done
check 'an SVG of handouts/ is on a page' sh -c 'for f in handouts/*.svg; do
    grep -q "]($(basename "$f"))" handouts/*.md || { echo "$f"; exit 1; }; done'
python3 check/look.py dist/handouts >seen 2>&1
status=$?
sed 's/^/# /' seen
if [ $status = 77 ]; then
    skip 'it is opened: widths, switch, search' 'no chromium that starts here'
else
    check 'it is opened: widths, switch, search' test $status = 0
fi

# For students: nothing that is for instructors, and no word of it.
check 'make handouts READER=student' make -s handouts READER=student SITE_PDF= \
    SITE_STUDENTS='handouts/basics.md handouts/lab3.md docs/device.md'
for page in handouts/measured_*.md docs/instructor.md docs/security.md; do
    check "no $(basename "$page" .md)" sh -c "! ls dist/handouts-student/$(basename "$page" .md).* 2>/dev/null"
done
check 'nor is it found' sh -c '! grep -E "\"(measured_lab[0-9]|instructor|security)\"" dist/handouts-student/search.js'
check 'and it is whole' python3 check/check.py dist/handouts-student

if command -v weasyprint >/dev/null; then
    check 'a page as PDF' make -s dist/handouts/lab3.pdf
    if command -v pdftotext >/dev/null; then
        pdftotext -layout dist/handouts/lab3.pdf text
        pages=$(grep -cE '^ +[0-9]+ of [0-9]+$' text)
        check 'its pages have numbers' grep -qE "^ +2 of $pages$" text
        check 'the version' grep -qF "hpclab $(sed -n 's/^#define HPC_VERSION "\(.*\)"/\1/p' common/version.h)" text
        check 'and the title' test "$(grep -c 'Lab 3: When do two threads lose to one?' text)" = "$pages"
    fi
else
    skip 'a page as PDF' 'no weasyprint here'
fi

# spoiled WORDS SED FILE: with FILE spoiled the pages are read, and the fault is said.
spoiled() {
    cp "dist/handouts/$3" kept
    sed -i "$2" "dist/handouts/$3"
    check "found: $1" sh -c '! python3 check/check.py dist/handouts mk/site/palette >faults && grep -qF "$1" faults' sh "$1"
    mv kept "dist/handouts/$3"
}
spoiled 'a link to nowhere.html, which is not there' 's/href="lab2.html"/href="nowhere.html"/' lab1.html
spoiled 'a link to basics.html#words, where no such place is' 's/basics.html#glossary/basics.html#words/' lab1.html
spoiled "a link to device.html that does not say the page's title" 's/ title="CUDA, on a GPU[^"]*"//' device-cuda.html
spoiled 'without words for who does not see it' 's/aria-label="[^"]*weights[^"]*"/aria-label=""/' lab1.html
spoiled 'expected at most 658' 's/<th[^>]*>hours</<th>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</' basics.html
spoiled 'leads to lab1.html#nowhere' 's/"lab1","measure"/"lab1","nowhere"/' search.js
sed 's/^quiet .*/quiet #a0a0a0 #606060 paper/' mk/site/palette >palette
sed 's/fill="#202020">time/fill="#e0e0e0">time/; s/#505050/#e0e0e0/' handouts/lab4-barrier.svg >pale.svg
check 'found: pale words' sh -c '! python3 check/check.py dist/handouts palette pale.svg >faults &&
    grep -q "quiet on paper, light" faults && grep -q "pale.svg: \"time\", light" faults'
if [ $status = 0 ]; then
    mkdir wide && cp dist/handouts/{index,basics,lab3}.html dist/handouts/*.js wide
    sed -i 's/<h1>/<div style="width:900px">wide<\/div><h1>/' wide/lab3.html
    check 'found: a page wider than a phone' sh -c '! python3 check/look.py wide >faults && grep -q "^lab3.html: 9[0-9]* pixels wide at 420" faults'
fi
done_testing
