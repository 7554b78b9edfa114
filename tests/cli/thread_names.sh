#!/usr/bin/env bash
# Of the functions of threads that labs name by @pthread the C library's header says which take a
# pointer: each of those is the thread sanitizer's to follow, or is told to it (runner/told.c); but
# pthread_setspecific(), which keeps its pointer and looks at nothing there.
. tests/tap.sh

words=$(sed -n '/{"@pthread"/,/},$/p' harness/lab/read_defaults.c | grep -oE 'pthread_[a-z_]+\*?')
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
done_testing
