#!/usr/bin/env bash
# make check: each check finds what it is for. In a copy, with one thing spoilt at a time.
. tests/tap.sh

tree=$scratch/tree
mkdir -p "$tree/common" "$tree/docs"
cp -r Makefile mk .clang-format "$tree"
cp common/error.[ch] common/defence.h common/size.h "$tree/common"
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
spoil common/size.h "$(seq -f '/* %g */' 300)"
fails 2 'a file of over 300 lines' make check-text
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
done_testing
