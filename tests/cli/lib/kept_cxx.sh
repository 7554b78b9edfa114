#!/bin/sh
# The compiler of `hpclab cuda` (CXX), g++: what it makes of a rewritten text is kept in the folder that
# tests/run names, by the text, the words, the compiler, the packages here, the compiled header and the
# processor. All else it is asked goes to g++ as it is, and so does what it has a word to say of.
text=
for word; do
    [ "$word" != -xc++-cpp-output ] || text=yes
    from=$option option=$object object=$word
done
[ "$text" ] && [ "$option" = -o ] && [ -n "${HPC_TEST_OBJECTS:-}" ] || exec g++ "$@"
header=$(sed -n 's/^#pragma GCC pch_preprocess "\(.*\)"$/\1/p;20q' "$from")
key=$({
    echo "$@" | sed "s|$from -o $object\$||"
    stat -L -c '%n %s %Y' "$(command -v g++)" ${header:+"$header"} /var/lib/dpkg/status 2>/dev/null
    grep -m 2 -E '^(model name|flags)' /proc/cpuinfo
    pwd
    cat "$from"
} | sha1sum)
kept=$HPC_TEST_OBJECTS/cuda-${key%% *}.o
rm -f "$object"
if ! ln "$kept" "$object" 2>/dev/null; then
    g++ "$@" 2>"$object.said"
    status=$?
    cat "$object.said" >&2
    [ $status != 0 ] || [ -s "$object.said" ] || ln "$object" "$kept" 2>/dev/null
    exit $status
fi
