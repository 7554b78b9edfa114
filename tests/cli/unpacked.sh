#!/usr/bin/env bash
# A machine on which nobody is root: its packages lie in .deps/, by ./bootstrap --local, and the system
# has none of them. Here their headers and archives are hidden from a build, and bubblewrap with them;
# .deps/ is laid out by what they are hidden from, or is the project's own. TEST_ALL=1 alone runs it, for
# hpclab is compiled from nothing.
. tests/tap.sh
from=$PWD
if [ "${TEST_ALL:-0}" != 1 ]; then
    skip 'a build with .deps/ alone' 'hpclab is not compiled from nothing without TEST_ALL=1'
    done_testing
    exit 0
fi
if ! bwrap --dev-bind / / true 2>/dev/null; then
    skip 'a build with .deps/ alone' 'no bubblewrap that works here'
    done_testing
    exit 0
fi
headers=(jansson jansson_config ini INIReader seccomp seccomp-syscalls sqlite3 sqlite3ext cmocka cmocka_pbc)
libraries=(jansson inih seccomp sqlite3)

copy_all "$scratch/tree"
cd "$scratch/tree" || exit 1
mkdir -p .deps/usr/include .deps/usr/lib/any
if [ -d "$from/.deps" ]; then
    cp -a "$from/.deps/." .deps
else
    for name in "${headers[@]}"; do cp "/usr/include/$name.h" .deps/usr/include 2>/dev/null; done
    for name in "${libraries[@]}"; do cp /usr/lib*/*-linux-gnu/lib"$name".a .deps/usr/lib/any 2>/dev/null; done
    for file in /usr/lib/*-linux-gnu/libcmocka.so*; do cp -a "$file" .deps/usr/lib/any; done
fi
hidden=()
for file in "${headers[@]/%/.h}"; do
    [ ! -e "/usr/include/$file" ] || hidden+=(--ro-bind /dev/null "/usr/include/$file")
done
for name in "${libraries[@]}"; do
    for file in /usr/lib/*-linux-gnu/lib"$name".a; do
        [ ! -e "$file" ] || hidden+=(--ro-bind /dev/null "$file")
    done
done
unset MAKEFLAGS MFLAGS MAKELEVEL LAB IMPL DEVICE HPC_ROOT
alone() { bwrap --dev-bind / / "${hidden[@]}" -- env HPC_NVCC=none "$@"; }
cc=$(sed -n '1s/ -std.*//p' "$from/build/flags")

check 'the headers are hidden' alone sh -c '! echo "json_t *x;" | gcc -include jansson.h -fsyntax-only -x c -'
check 'make lab1' alone make -s lab1 CFLAGS=-O0 "CC=$cc"
check 'libraries of .deps/ are those that were linked' grep -q ' \.deps/usr/lib/[^ ]*/libjansson\.a' build/flags
check 'and no other' sh -c 'test -x build/hpclab && ! ldd build/hpclab | grep -E "jansson|inih|seccomp|sqlite"'
cp mlp/variants/flat.c labs/lab1/flat.c
fails 0 'lab1 is graded' alone ./grade lab1 --only flat --quick --plain --json record.json
check 'and right' grep -q '"passed": 8' record.json
check 'a test is built' alone make -s build/tests/test_params CFLAGS=-O0 "CC=$cc"
check 'and runs with the cmocka of .deps/' alone build/tests/test_params
check 'which is its own' sh -c "ldd build/tests/test_params | grep -q 'cmocka.*/\.deps/'"
done_testing
