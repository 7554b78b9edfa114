#!/usr/bin/env bash
# make check: each check finds what it is for. In a copy, with one thing spoilt at a time.
. tests/tap.sh
unset SANITIZE # the tree below has no tests/sanitized.c

tree=$scratch/tree
mkdir -p "$tree/common" "$tree/docs"
cp -r Makefile mk .clang-format "$tree"
cp common/error.[ch] common/defence.h common/size.h "$tree/common"
echo "DEFENCE_NAME(clean)" >"$tree/common/defences.def"
cd "$tree" || exit 1
for f in README.md CONTRIBUTING.md bootstrap grade hpclab; do echo '# empty' >$f; done
mkdir -p handouts .ci data reference

spoil() { # FILE TEXT: appends a line until `mend`
    cp "$1" "$scratch/kept"
    spoilt=$1
    printf '%b\n' "$2" >>"$1"
}
mend() { cp "$scratch/kept" "$spoilt"; }

check 'text is in order' make check-text
spoil common/size.h '\t/* a tab */'
fails 2 'a tab' make check-text
shows 'common/size.h:[0-9]+: a tab' 'is named with its place'
mend
spoil README.md 'see /ho''me/somebody/notes'
fails 2 "a path of somebody's machine" make check-text
mend

check 'headers compile alone' make check-headers
spoil common/size.h 'static inline int size_spoilt(uint32_t n) { return n > 0; }'
fails 2 'a header that lacks an include' make check-headers
mend
if command -v g++ >/dev/null; then
    spoil common/size.h 'static inline int size_spoilt(int new) { return new; }'
    fails 2 'a header that is not C++' make check-headers
    mend
fi
if command -v clang-format >/dev/null; then
    check 'files are formatted' make check-format
    spoil common/error.c 'static int  x ;'
    fails 2 'a file that is not' make check-format
    shows 'common/error.c: not formatted' 'is named'
    mend
fi
check 'no warning of gcc' make build/check/gcc/common/error.o
spoil common/error.c 'static int unused;'
fails 2 'a warning is an error' make build/check/gcc/common/error.o
mend
if command -v shellcheck >/dev/null; then
    printf '#!/bin/sh\necho hello\n' >grade
    printf '#!/bin/sh\necho hello\n' >hpclab
    printf '#!/bin/sh\necho hello\n' >bootstrap
    check 'scripts are clean' make check-scripts
    # shellcheck disable=SC2016 # it is the spoilt script's
    spoil grade 'cd $1'
    fails 2 'one that is not' make check-scripts
    mend
fi

# rule RULE FAULT LINE: the rule is broken now, and says so.
rule() {
    fails 1 "$2" python3 mk/house.py "$1"
    shows "$3" 'is named with its place'
}
if command -v python3 >/dev/null; then
    mkdir -p harness/lab harness/verbs
    {
        echo '| folder |'
        for f in common docs mk handouts data reference harness/lab harness/verbs; do
            touch $f/some.txt
            echo "| \`$f/\` |"
        done
    } >docs/architecture.md
    check 'the house keeps its rules' make check-house MARKERS= # no labs here

    echo '#include "harness/verbs/verbs.h"' >harness/lab/up.h
    rule includes 'an arrow that runs up' 'harness/lab/up.h:1: includes harness/verbs/verbs.h; harness/lab/ may'
    echo '#include "common/error.h"' >harness/lab/up.h
    check 'one that runs down' python3 mk/house.py includes
    echo '#include "harness/lab/internal.h"' >harness/verbs/in.h
    touch harness/lab/internal.h
    rule includes "another room's internal.h" 'harness/verbs/in.h:1: includes harness/lab/internal.h; expected only'
    mkdir -p mlp/variants harness/trial
    touch mlp/variants/flat.h
    echo '#include "mlp/variants/flat.h"' >harness/verbs/in.h
    rule includes 'a variant in the trusted program' 'includes mlp/variants/flat.h'
    rm -r harness/verbs/in.h harness/lab/internal.h mlp
    echo '#include "common/ini.h"' >harness/trial/a.h
    mkdir -p harness/attic
    echo '#include "common/ini.h"' >harness/attic/a.h
    rule includes 'a room that no rule knows' 'harness/attic/ is no room of mk/rooms'
    rm -r harness/attic harness/trial

    echo 'const char *lab = "lab3";' >harness/lab/named.c
    rule labs 'a lab named by the harness' 'harness/lab/named.c:1: names a lab'
    rm harness/lab/named.c

    spoil common/size.h "$(seq -f '/* %g */' 300)"
    rule sizes 'a file of over 300 lines' 'common/size.h: 3[0-9][0-9] lines, expected at most 300'
    mend
    { echo 'int long_one(void)' && echo '{' && yes '    ;' | head -n 60 && echo '}'; } >harness/lab/long.c
    rule sizes 'a function of over 60 lines' 'harness/lab/long.c:1: long_one has 63 lines'
    { echo 'long_one() {' && yes '    :' | head -n 60 && echo '}'; } >mk/long.sh
    rule sizes 'one of a script' 'mk/long.sh:1: long_one has 62 lines'
    rm harness/lab/long.c mk/long.sh
    for n in $(seq 21); do touch harness/lab/$n.c; done
    rule sizes 'a room of over 20 sources' 'harness/lab/: 21 .c files, expected at most 20'
    rm harness/lab/*.c

    echo '#include "common/b.h"' >common/a.h
    echo '#include "common/a.h"' >common/b.h
    rule circles 'headers in a circle' 'common/a.h: in a circle with common/b.h'
    rm common/a.h common/b.h
    printf '#include "harness/lab/b.h"\nint a(void) { return B; }\n' >harness/lab/a.c
    printf '#pragma once\n#define A 1\nint a(void);\n' >harness/lab/a.h
    printf '#include "harness/lab/a.h"\n#define B A\n' >harness/lab/b.h
    rule circles 'a source whose own header goes back to it' \
        'harness/lab/a.c: in a circle with harness/lab/b.h .includes harness/lab/b.h'
    shows 'harness/lab/b.h: in a circle with harness/lab/a.c .includes harness/lab/a.h' 'by its header'
    rm harness/lab/a.[ch] harness/lab/b.h
    echo 'int b(void) __attribute__((weak)); int a(void); int a(void) { return b ? b() : 0; }' \
        >harness/lab/a.c
    echo 'int b(void); int a(void); int b(void) { return a(); }' >harness/lab/b.c
    fails 2 'files in a circle of which one is asked for weakly' make check-house MARKERS=
    shows 'harness/lab/a.c: in a circle with harness/lab/b.c \(b\)' 'is one all the same'
    echo 'int b(void); int a(void); int a(void) { return b(); }' >harness/lab/a.c
    echo 'int b(void); int a(void); int b(void) { return a(); }' >harness/lab/b.c
    fails 2 'files in a circle' make check-house MARKERS= # no labs here
    shows 'harness/lab/a.c: in a circle with harness/lab/b.c \(b\)' 'are named, with what ties them'
    rm harness/lab/*.c

    mkdir -p attic && touch attic/some.txt
    rule folders 'a folder that the page does not list' 'no row for attic/'
    rm -r attic
    echo '| `attic/` |' >>docs/architecture.md
    rule folders 'a row without a folder' 'docs/architecture.md:[0-9]+: attic/ is not there'
    echo 'but lines common/size.h' >>mk/rooms
    rule sizes 'an exception that is needed no more' 'but lines common/size.h: it keeps the rule'
fi
done_testing
