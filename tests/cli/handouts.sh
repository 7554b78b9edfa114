#!/usr/bin/env bash
# long: minutes of processors.
# Handouts: commands in ```sh blocks are executed, with the reference solutions handed in and those
# after <!-- long --> only with TEST_ALL=1; those after <!-- fails --> with 1 or 2; figures and words that
# do not depend on the machine are compared, a turn a lab (tests/long.txt);
# the tables of points are those of lab.ini; what is linked or named is there.
. tests/tap.sh
from=$PWD
root=$scratch/root
# What `make` has made, so that it makes nothing there.
mapfile -t made < <(cd build && ls -d {obj,lib,device,hpclab,libhpc.a,mlp,flags,lists,markers.c,detected} 2>/dev/null)
copy_all "$root" "${made[@]}"
share_builds
[ ! -d .deps ] || ln -s "$from/.deps" "$root/.deps"
unset HPC_ROOT MAKEFLAGS MFLAGS MAKELEVEL
cd "$root" || exit 1
[ "${TEST_ALL:-0}" = 1 ] || short_cases

# inline FILE: a variant with the headers beside it in their place.
inline() {
    awk '
        function show(name,    line) {
            while ((getline line <name) > 0)
                if (match(line, /^#include "[a-z0-9]+\/variants\//)) show(substr(line, 11, length(line) - 11))
                else print line
            close(name)
        }
        BEGIN { show(ARGV[1]) }' "$1"
}

# What a good student hands in; answers are left as handed out.
for lab in labs/lab*; do
    rm -f "$lab"/*.c "$lab"/*.cu
    ./hpclab list "${lab#labs/}" --tsv=name,reference | awk 'NF == 2' >"$scratch/references"
    while read -r task reference; do
        for file in "${reference%/*}/variants/${reference#*/}".c*; do
            inline "$file" >"$lab/$task.${file##*.}" || exit 1
        done
    done <"$scratch/references"
done

[ ! -e labs/lab1/starter/answers.ini ] ||
    sed 's/^student =.*/student = Ada Lovelace/' labs/lab1/starter/answers.ini >labs/lab1/answers.ini
export HPC_NVCC=none # tests/cli/cuda_labs_nvcc.sh asks nvcc

# blocks FILE: its commands, one a line, with "\" at line ends joined; "! " before one that fails.
blocks() {
    awk -v all="${TEST_ALL:-0}" '
        /^<!-- long -->/ { long = 1; next }
        /^<!-- fails -->/ { sign = "! "; next }
        /^ *```sh$/ { inside = 1; next }
        /^ *```/ { if (inside) { long = 0; sign = "" } inside = 0; next }
        inside && NF && (!long || all == 1) { sub(/^ */, "")
            if (!joined) printf "%s", sign
            joined = sub(/\\$/, "")
            printf "%s%s", $0, joined ? "" : "\n" }' "$1"
}

# A command of a handout. Starters may be wrong and machines busy: 1 and 3 of a grading are no fault
# of the text, 2 is.
try() {
    local status
    timeout 300 bash -c "${1#! }" </dev/null
    status=$?
    case $1 in
    '! '*) [ $status = 1 ] || [ $status = 2 ] ;;
    ./grade*) [ $status != 2 ] && [ $status -lt 100 ] ;;
    *) [ $status = 0 ] ;;
    esac
}

# commands_of HANDOUT LAB: those of $scratch/commands, and what they print.
commands_of() {
    local begin command line name words
    : >"$scratch/outputs"
    while read -r command; do
        begin=$SECONDS
        check "$2: $command" try "$command"
        cat "$scratch/.output" >>"$scratch/outputs"
        echo "# $((SECONDS - begin)) s"
    done <"$scratch/commands"

    # Expected output that every machine gives.
    while read -r line; do
        check "$2: prints $line" grep -qxF -- "$line" "$scratch/outputs"
    done < <(grep -E '^(Training error: |Accuracy: |PASS: |FAIL: )' "$1")
    # The checker's lines, which go on where the next one is indented, and its words in a table.
    while read -r line; do
        check "$2: prints $line" grep -qF -- "$line" "$scratch/outputs"
    done < <(awk 'on && /^  / { sub(/^ */, " "); text = text $0; next }
        on { print text; on = 0 } /^check: / { on = 1; text = $0 }' "$1")
    while IFS='|' read -r name words; do
        check "$2: $name: $words" grep -qF -- "$words at tests/device/seeded/$name.cu" "$scratch/outputs"
    done < <(sed -nE 's/.*`(dong_[a-z0-9_]+)`: (thread [^ ]+ of block [^ ]+ (reads|writes) [0-9]+ bytes),.*/\1|\2/p' "$1")
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # who grades may be root
for handout in handouts/lab*.md; do
    lab=$(basename "$handout" .md)
    if [ "$lab" = lab9 ] && ! { command -v mpicc && command -v mpirun; } >/dev/null; then
        skip "$lab: its commands" 'no Open MPI here'
        continue
    fi
    title=$(./hpclab list --tsv=name,title | sed -n "s/^$lab\t//p")
    number=${lab#lab}
    check "$lab: its first line is the title of lab.ini" test "$(head -n 1 "$handout")" = "# Lab $number: $title"
    blocks "$handout" >"$scratch/commands"
    check "$lab: has commands" test -s "$scratch/commands"
    if turn "$lab"; then commands_of "$handout" "$lab"; fi
    turn texts || continue

    # | `task` | or "25 | `task`": its points, in the row's order, are lab.ini's.
    ./hpclab list "$lab" --tsv=name,points_correct,points_speed,points_answers,points_traffic,bonus |
        awk '{ line = $1; for (i = 2; i < NF; i++) { if ($NF == "no") all += $i; if ($i) line = line " " $i } print line }
            END { print "sum", all }' >"$scratch/points"
    check "$lab: 100 points in lab.ini" grep -qx 'sum 100' "$scratch/points"
    sed -n '/^## Points/,$p' "$handout" >"$scratch/table"
    if [ -s "$scratch/table" ]; then
        while read -r task points; do
            [ "$task" != sum ] || continue
            row=$(grep -F "| \`$task\` |" "$scratch/table" | head -n 1)
            check "$lab: points of $task are $points" test \
                "$(tr '|' '\n' <<<"$row" | grep -xE ' *[0-9]+ *' | tr -d ' ' | sort -n | xargs)" = \
                "$(tr ' ' '\n' <<<"$points" | sort -n | xargs)"
        done <"$scratch/points"
    else
        # Rows that begin with the points.
        check "$lab: the points of its table add up to 100" test \
            "$(sed -nE 's/^\| ([0-9]+) \| .*/\1/p' "$handout" | awk '{ sum += $1 } END { print sum }')" = 100
    fi
    # shellcheck disable=SC2013,SC2016 # names without spaces
    for file in $(grep -oE '`(mlp|conv1d|conv2d|labs|harness|handouts|data)/[a-z_0-9/.]+\.(c|cu|h|md|csv)`' "$handout" | tr -d '`' | sort -u); do
        if [ "$file" = "labs/$lab/report.md" ]; then # nobody's but the student's
            check "$lab: asks for a report" grep -qx 'report = report.md' "labs/$lab/lab.ini"
            continue
        fi
        check "$lab: $file is there" sh -c "[ -e '$file' ] || [ -e '$(dirname "$file")/starter/$(basename "$file")' ]"
    done
done
done_testing
