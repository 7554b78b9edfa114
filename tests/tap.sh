#!/usr/bin/env bash
# For tests/cli/*.sh: `. tests/tap.sh`, then checks, then `done_testing`.
# check TEXT COMMAND ..: passes when the command ends 0; its output is shown when it does not.
# fails STATUS TEXT COMMAND ..: passes when it ends with just that status.
# soon COMMAND ..: ends 0 as soon as the command does, 1 after a minute: for what a busy machine does late.
# skip TEXT REASON. $scratch is a folder of this script's own, removed at its end.
# copy_project FOLDER [PART OF build/ ..]: a working tree of its own, but for tests/, half of all files; copy_all
# has these too, for what builds, packs or looks into all of the project.
# short_cases: the timed cases of labs 1 to 4 of the copy that HPC_ROOT names (or this folder) are a small
# part of what they are, for scripts that say nothing of speed: the oracle's work on them is most of a grading.
# untimed: no task of the copy's labs is timed; points for speed are for right results.
# turn PART: whether this run does that part of the script. What tests/long.txt lists is left to TEST_LONG=1,
# which does nothing else; TEST_ALL=1 does all.
# share_builds: what others compiled is taken, where tests/run says where it is kept.
tap_tests=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
# shellcheck source=tests/files.sh
. "$tap_tests/files.sh"
export LC_ALL=C.UTF-8 # words and marks are looked for
tap_count=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

tap_result() { # STATUS TEXT
    tap_count=$((tap_count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $tap_count - $2"
    else
        echo "not ok $tap_count - $2"
        sed 's/^/# /' "$scratch/.output" | tail -n 40
    fi
}

# operations: the operations' folders, one a line.
operations() {
    for list in */variants/variants.ini; do echo "${list%%/*}"; done
}

# The parts of build/ are hard links where the file system has them: whatever makes one of them anew
# removes the old one first.
copy_project() { copy_files -v '^\./tests/' "$@"; }
copy_all() { copy_files '' '' "$@"; }
copy_files() { # OPTION PATTERN, of grep's for which of the files, FOLDER [PART OF build/ ..]
    local to=$3 part
    mkdir -p "$to" && project_files | grep -z ${1:+"$1"} -- "$2" | xargs -0 cp -p --parents -t "$to" || exit 1
    shift 3
    for part in "$@"; do
        mkdir -p "$to/build/$(dirname "$part")" || exit 1
        cp -al "build/$part" "$to/build/$part" 2>/dev/null && continue
        rm -rf "$to/build/$part"
        cp -a "build/$part" "$to/build/$part" || exit 1
    done
}

mapfile -t tap_long < <(sed -nE "s/^${0##*/} ([^|]*)\\|.+/\\1/p" "${BASH_SOURCE[0]%/*}/long.txt")
turn() {
    local part listed=0
    [ "${TEST_ALL:-0}" != 1 ] || return 0
    # shellcheck disable=SC2053 # a row's part is a pattern
    for part in ${tap_long[@]+"${tap_long[@]}"}; do [[ $1 != $part ]] || listed=1; done
    [ $listed = "${TEST_LONG:-0}" ]
}

share_builds() { [ -z "${HPC_TEST_BUILDS:-}" ] || export HPC_BUILD_CACHE=$HPC_TEST_BUILDS; }

short_cases() {
    sed -i 's/^samples = 1096$/samples = 137/; s/^epochs = 40$/epochs = 8/
        s/^layers = 784,1024,1024,10$/layers = 784,160,160,10/' "${HPC_ROOT:-.}"/labs/lab[1-4]/lab.ini
}

untimed() { python3 "$tap_tests/cli/lib/untimed.py" "${HPC_ROOT:-.}"/labs/*/lab.ini || exit 1; }

check() {
    local text=$1
    shift
    "$@" >"$scratch/.output" 2>&1
    tap_result $? "$text"
}

fails() {
    local want=$1 text=$2 status
    shift 2
    "$@" >"$scratch/.output" 2>&1
    status=$?
    [ $status = "$want" ] || echo "exit status $status, expected $want" >>"$scratch/.output"
    [ $status = "$want" ]
    tap_result $? "$text"
}

# prints PATTERN: the last command's output has a line that matches (extended regular expression).
# shows PATTERN TEXT: the same as a check of its own; hides PATTERN TEXT: no line does. `check` itself
# empties that output before its command reads it.
prints() { grep -qE -- "$1" "$scratch/.output"; }
shows() {
    prints "$1"
    tap_result $? "$2"
}

hides() {
    ! prints "$1"
    tap_result $? "$2"
}

# says STATUS PATTERN TEXT COMMAND ..: the status, and a line that matches.
says() {
    local status=$1 pattern=$2 text=$3
    shift 3
    fails "$status" "$text" "$@"
    shows "$pattern" "  with the line: $pattern"
}

soon() {
    local until=$((SECONDS + 60))
    until "$@"; do
        [ $SECONDS -lt $until ] || return 1
        sleep 0.05
    done
}

skip() {
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

done_testing() { echo "1..$tap_count"; }
