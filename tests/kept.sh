#!/usr/bin/env bash
# What tests compile and the next run takes, in build/tests-kept. $logs is a folder beside scripts' own.
# shellcheck disable=SC2154 # $logs is that of tests/run
# compilers: a line for what decides which runner a source becomes, beside what harness/build/kept.c hashes:
# the building's own code, and the packages here.
compilers() {
    find common harness/build harness/jail -type f -print0 | sort -z | xargs -0 -r sha1sum
    stat -c '%n %s %Y' /usr/bin /usr/include /usr/lib /usr/lib/*-linux-gnu /usr/local/bin /var/lib/dpkg/status \
        .deps 2>/dev/null
}
# kept_builds: a folder of ours alone for what is compiled. It is this run's own where what is kept cannot
# be linked to from a script's folder.
kept_builds() {
    local kept key
    key=$(compilers | sha1sum)
    kept=$PWD/build/tests-kept/${key%% *}
    if [ "${TEST_FRESH:-0}" = 1 ] || ! (umask 077 && mkdir -p "$kept") 2>/dev/null ||
        ! : >"$kept/.linked" || ! ln "$kept/.linked" "$logs/linked" 2>/dev/null; then
        kept=$logs/builds
        mkdir "$kept" # mktemp made $logs ours
    else
        find "$PWD/build/tests-kept" -mindepth 1 -maxdepth 1 ! -path "$kept" ! -name objects -exec rm -rf {} +
        find "$kept" -mindepth 1 -maxdepth 1 ! -name .linked -mtime +7 -exec rm -rf {} +
    fi
    echo "$kept"
}
# kept_objects: the same for what g++ makes of a text, by that text, whoever wrote it: nothing of ours decides on it.
kept_objects() {
    local kept=${HPC_TEST_BUILDS%/*}/objects
    (umask 077 && mkdir -p "$kept") || return 1
    find "$kept" -type f -mtime +7 -delete
    echo "$kept"
}
