#!/usr/bin/env bash
# Of the functions of threads that labs name by @pthread the C library's header says which take a
# pointer: each of those is the thread sanitizer's to follow, or is told to it (runner/told.c); but
# pthread_setspecific(), which keeps its pointer and looks at nothing there.
. tests/tap.sh

# list NAME: a list of harness/build/watched.h, a pattern a line.
list() { printf '#include "harness/build/watched.h"\n%s\n' "$1" | gcc -I. -E -P - | tr -d '"' | xargs -n 1; }
words=$(list NAMES_PTHREAD)
sanitizer=$(gcc -print-file-name=libtsan.so)
nm -D --defined-only "$sanitizer" | awk '{ print $NF }' | sed 's/@.*//' >"$scratch/followed"
# A declaration a line: NAME(PARAMETERS).
echo '#include <pthread.h>' | gcc -D_GNU_SOURCE -E -P - | tr '\n' ' ' | tr ';' '\n' |
    grep -oE '\bpthread_[a-z_]+ \(.*' | sed 's/__attribute__.*//' >"$scratch/declared"
cut -d' ' -f1 build/lib/told.names >"$scratch/told"

# untold FILE: the functions that take a pointer, are in the set, and stand neither there nor in the sanitizer.
untold() {
    while read -r name rest; do
        for word in $words; do
            # shellcheck disable=SC2053 # a pattern
            if [[ $name == $word && $rest == *'*'* && $name != pthread_setspecific ]] && ! grep -qx "$name" "$1" "$scratch/followed"; then
                echo "$name"
            fi
        done
    done <"$scratch/declared" | sort -u
}

: >"$scratch/none"
check 'the header declares functions of the set' test "$(wc -l <"$scratch/declared")" -gt 60
check 'without what is told some take a pointer that nobody follows' test "$(untold "$scratch/none" | wc -l)" -gt 10
untold "$scratch/told" >"$scratch/left"
check 'each that takes a pointer is followed or told' diff "$scratch/left" "$scratch/none"
list 'NAMES_COPIES NAMES_FOLLOWED' >"$scratch/all"
check 'each that the sanitizer is said to follow has one of its own there' test -z "$(grep -vxF -f "$scratch/followed" "$scratch/all")"
printf '#include <%s.h>\n' math stdlib unistd sched time signal ctype stdlib sys/auxv |
    gcc -D_GNU_SOURCE -E -P - | tr '\n' ' ' | tr ';' '\n' >"$scratch/headers"
list NAMES_POINTERLESS >"$scratch/all"
# with_pointer: those of the list that are declared with one, or not at all; a function's is none.
with_pointer() {
    while read -r name; do
        grep -E "[ *]$name \(" "$scratch/headers" | sed 's/(\*[a-z_]*) *([^)]*)//; s/(\*[a-z_]*)//' | head -n 1 |
            grep -qvE "\(.*\*" || echo "$name"
    done <"$scratch/all"
}
check 'each that is said to take no pointer is declared without one' test -z "$(with_pointer)"
echo frexp >"$scratch/all"
check 'which another is not' test "$(with_pointer)" = frexp
done_testing
