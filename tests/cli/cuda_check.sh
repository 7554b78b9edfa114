#!/usr/bin/env bash
# The checker of the CPU device on tests/device/seeded: every bug found at a marked line, nothing said
# of a twin, by g++ and by clang (every fourth pair, all with TEST_ALL=1). A test is a pair; a miss or a
# false report is shown with it.
. tests/tap.sh
seeded=$PWD/tests/device/seeded

if ! command -v g++ >/dev/null; then
    skip 'the checker on the seeded bugs' 'no g++ here'
    done_testing
    exit
fi

# run_one COMPILER NAME FOLDER: what the checker says of NAME.cu, and hpclab's status as the last line.
run_one() {
    local options=()
    grep -q 'EXPECT schedule' "$seeded/$2.cu" && options=(--schedules 4)
    [[ $2 == schedule_*.ok ]] && options=(--schedules 4)
    CXX=$1 HPC_DEVICE_KEY=KEY "$root/hpclab" cuda --mode check --timeout 60 "${options[@]}" "$2.cu" \
        >"$3/$2.out" 2>&1
    echo "exit status $?" >>"$3/$2.out"
}
export -f run_one
export root=$PWD seeded
cd "$seeded" || exit 1

# findings FILE: the reports in it, without the traffic.
findings() { grep '^@KEY ' "$1" | grep -vE '"kind":"(traffic|end)"'; }

# is_found NAME OUT: whether a marked line of NAME.bug.cu has been reported, as either side.
is_found() {
    local mark line kind
    while IFS= read -r mark; do
        line=${mark%%:*}
        for kind in ${mark##*EXPECT }; do
            [ "$kind" = wrong ] && grep -q '^exit status 1$' "$2" && return 0
            findings "$2" | grep -qE "^@KEY \{\"kind\":\"$kind\",.*\"line\":${line}[,}]" && return 0
        done
    done < <(grep -n '// EXPECT ' "$1.bug.cu")
    return 1
}

# is_clean OUT: no report, and status 0.
is_clean() { ! findings "$1" >/dev/null && grep -q '^exit status 0$' "$1"; }

# judge NAME FOLDER: says what is wrong of a pair.
judge() {
    local status=0
    is_found "$1" "$2/$1.bug.out" || {
        status=1
        echo "$1.bug.cu: missed: $(grep -n '// EXPECT' "$1.bug.cu" | head -n 3)"
        tail -n 20 "$2/$1.bug.out" | cut -c 1-400
    }
    is_clean "$2/$1.ok.out" || {
        status=1
        echo "$1.ok.cu: not clean:"
        tail -n 20 "$2/$1.ok.out" | cut -c 1-400
    }
    return $status
}

for compiler in g++ clang++; do
    if ! command -v $compiler >/dev/null; then
        skip "the seeded bugs, $compiler" "no $compiler here"
        continue
    fi
    folder=$scratch/$compiler
    mkdir "$folder"
    each=1
    [ $compiler = clang++ ] && [ "${TEST_ALL:-0}" != 1 ] && each=4
    mapfile -t names < <(printf '%s\n' *.bug.cu | sed -n "1~$each s/\.bug\.cu\$//p")
    printf '%s\n' "${names[@]/%/.bug}" "${names[@]/%/.ok}" |
        xargs -P "$(nproc)" -I NAME bash -c "run_one $compiler NAME '$folder'"
    for name in "${names[@]}"; do
        check "$name, $compiler" judge "$name" "$folder"
    done
done
done_testing
