#!/usr/bin/env bash
# docs/instructor.md, the course: labs in an order in which no release gives a solution away too soon,
# mistakes that the grader is tested with, and its commands, run.
. tests/tap.sh
page=$PWD/docs/instructor.md
hpclab=$PWD/build/hpclab
# The rows of the weeks: "lab1 below_one update_first ..".
sed -n '/^## A course in ten weeks/,/^## /p' "$page" | sed -n 's/^| [0-9, ]* | \(lab[0-9]*\)[^|]*|[^|]*|\(.*\)|$/\1 \2/p' >"$scratch/weeks"
check 'every lab has its weeks' test "$(cut -d ' ' -f 1 "$scratch/weeks" | xargs)" = "$("$hpclab" list --tsv=name | xargs)"
named() {
    local lab text name
    while read -r lab text; do
        for name in $(grep -oE '`[a-z0-9_]+`' <<<"$text" | tr -d '`'); do
            compgen -G "tests/mutants/$lab/*/$name.patch" >/dev/null || { echo "$lab: no mutant $name"; return 1; }
        done
    done <"$scratch/weeks"
}
check 'what goes wrong is tried in that lab' named
check 'three of each' test "$(grep -oE '`[a-z0-9_]+`' "$scratch/weeks" | wc -l)" = $((3 * $(wc -l <"$scratch/weeks")))
# A baseline that is another lab's solution comes behind that lab.
in_order() {
    local lab _ name baseline
    while read -r lab _; do
        while IFS=$'\t' read -r name baseline; do
            [ -z "$baseline" ] || ! grep -qxF "$baseline" "$scratch/later.$lab" || { echo "$lab/$name: $baseline is solved later"; return 1; }
        done < <("$hpclab" list "$lab" --tsv=name,baseline)
    done <"$scratch/weeks"
}
while read -r lab _; do
    sed "0,/^$lab /d" "$scratch/weeks" | while read -r later _; do "$hpclab" list "$later" --tsv=reference; done | grep . >"$scratch/later.$lab"
done <"$scratch/weeks"
check 'no lab gives away what is solved later' in_order

# Points, targets and hidden cases, changed as the page says.
export HPC_ROOT=$scratch/root
copy_all "$HPC_ROOT" lib
cd "$HPC_ROOT" || exit 1
short_cases
sed -n '/^## Points, targets, hidden cases/,/^## /p' "$page" | sed -n '/^```sh$/,/^```$/{/^```/!p}' >"$scratch/commands.sh"
check 'the commands on points, targets and cases' bash -e "$scratch/commands.sh"
check 'points and target are those' test "$("$hpclab" list lab4 --tsv=points_correct,points_speed,target | xargs)" = '70 30 1.5'
check 'the case is hidden' sh -c "'$hpclab' list lab4 --cases --tsv=name,hidden | grep -P '^three_replicas\t(yes|1)$'"
untimed
"$hpclab" grade lab4 --impl reference --quick --plain >"$scratch/.output" 2>&1
shows '^  pthread +ok pass +([0-9]+)/\1 ' 'the reference passes with it'
sed -i 's/^points_correct = .*/points_correct = 20/' labs/lab4/lab.ini
says 2 'add up to 20' 'points that are fewer than 100' "$hpclab" list lab4
done_testing
