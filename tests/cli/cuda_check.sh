#!/usr/bin/env bash
# long: minutes of processors.
# The checker of the CPU device on tests/device/seeded: every bug found at a marked line, nothing said
# of its twin, by g++ and by clang (the first program of each kind of report, all with TEST_ALL=1). The first
# of a kind has its turn early, clang's and the others late (tests/long.txt). A test is
# both forms of a program; a miss or a false report is shown with it.
. tests/tap.sh
seeded=$PWD/tests/device/seeded

if ! command -v g++ >/dev/null; then
    skip 'the checker on the seeded bugs' 'no g++ here'
    done_testing
    exit
fi

# run_one COMPILER FOLDER NAME bug|ok: what the checker says of that form of NAME.cu, and hpclab's status as
# the last line.
run_one() {
    local options=() out=$2/$3.$4
    [ "$4" = ok ] || options=(-DBUG)
    ! grep -q '^// expect: schedule$' "$3.cu" || options+=(--schedules 4)
    ! grep -q '^// expect: oob-host$' "$3.cu" || options+=(--watch-host)
    local cxx=$1
    [ "$cxx" != g++ ] || cxx=$root/tests/cli/lib/kept_cxx.sh
    CXX=$cxx HPC_DEVICE_KEY=KEY "$root/hpclab" cuda --mode check --timeout 60 "${options[@]}" "$3.cu" >"$out" 2>&1
    echo "exit status $?" >>"$out"
}
export -f run_one
export root=$PWD
cd "$seeded" || exit 1

# findings FILE: the reports in it, without the traffic.
findings() { grep '^@KEY ' "$1" | grep -vE '"kind":"(traffic|end)"'; }

# is_found NAME OUT: whether a marked line of NAME.cu has been reported, as either side; of `wrong`, whether
# the program ended 1 without a report.
is_found() {
    local line kind kinds
    kinds=$(sed -n '1s|^// expect: ||p' "$1.cu")
    if [ "$kinds" = wrong ]; then
        ! findings "$2" >/dev/null && grep -q '^exit status 1$' "$2"
        return
    fi
    for line in $(grep -n '// EXPECTED$' "$1.cu" | cut -d: -f1); do
        for kind in $kinds; do
            findings "$2" | grep -qE "^@KEY \{\"kind\":\"$kind\",.*\"line\":${line}[,}]" && return 0
        done
    done
    return 1
}

# is_clean OUT: no report, and status 0.
is_clean() { ! findings "$1" >/dev/null && grep -q '^exit status 0$' "$1"; }

# judge NAME FOLDER: says what is wrong of either form.
judge() {
    local status=0
    is_found "$1" "$2/$1.bug" || {
        status=1
        echo "$1.cu with -DBUG: $(sed -n 1p "$1.cu") missed: $(grep -n '// EXPECTED$' "$1.cu" | head -n 3)"
        tail -n 20 "$2/$1.bug" | cut -c 1-400
    }
    is_clean "$2/$1.ok" || {
        status=1
        echo "$1.cu: its twin is not clean:"
        tail -n 20 "$2/$1.ok" | cut -c 1-400
    }
    return $status
}

for compiler in g++ clang++; do
    if ! command -v $compiler >/dev/null; then
        skip "the seeded bugs, $compiler" "no $compiler here"
        continue
    fi
    [ $compiler = g++ ] || turn clang || continue
    folder=$scratch/$compiler
    mkdir "$folder"
    mapfile -t names < <(
        if [ $compiler = g++ ] || [ "${TEST_ALL:-0}" = 1 ]; then
            awk 'FNR == 1 { print FILENAME, (seen[$0]++ ? "again" : "first") }' *.cu |
                while read -r file part; do ! turn "$part" || echo "$file"; done
        else # the runtime that finds them is g++'s too; what clang's instrumentation tells it is a kind's
            awk 'FNR == 1 && !seen[$0]++ { print FILENAME }' *.cu
        fi | sed 's/\.cu$//'
    )
    printf '%s\n' "${names[@]/%/ bug}" "${names[@]/%/ ok}" |
        xargs -P "$(nproc)" -L 1 bash -c 'run_one "$@"' bash $compiler "$folder"
    for name in "${names[@]}"; do
        check "$name, $compiler" judge "$name" "$folder"
    done
done
done_testing
