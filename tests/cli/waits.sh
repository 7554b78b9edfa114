#!/usr/bin/env bash
# Points that wait are worth something to a cheat: each place of the sources that makes them wait has
# a row in tests/waits.txt, with the reason why no student can cause it, and each row has such a place.
. tests/tap.sh
sources() { find harness labs common -name '*.c' -not -path 'labs/*/starter/*' -print0 | sort -z; }
# held TREE: the places of that tree's sources against the rows.
held() {
    (cd "$1" && sources | xargs -0 awk -f "$tree/tests/cli/lib/waits.awk") |
        LC_ALL=C sort | uniq -c | awk '{ print $1, $2, $3, $4 }' >"$scratch/places"
    grep -v '^#' "$tree/tests/waits.txt" | sed 's/|.*//' | LC_ALL=C sort -k2 >"$scratch/rows"
    diff "$scratch/rows" "$scratch/places"
}
tree=$PWD
check 'each place that makes points wait has its row' held "$tree"
check 'and there are some' test "$(wc -l <"$scratch/places")" -gt 50
check 'each row has a cause, and why no student makes it' sh -c '! grep -v "^#" tests/waits.txt |
    grep -vE "^[0-9]+ [a-z0-9_/]+\.c [a-z_-]+ (environment|noisy|pending|points)\|[^|]+\|[^|]+\$"'

mkdir "$scratch/copy" && cp -r harness labs common "$scratch/copy"
file=$scratch/copy/harness/grade/traffic.c
cat >>"$file" <<'C'
static void unheard(struct task_result *result)
{
    outcome_set(&result->outcome, VERDICT_ENVIRONMENT, "the runner said so");
}
C
fails 1 'a new place' held "$scratch/copy"
shows '^> 1 harness/grade/traffic.c unheard environment$' 'is named'
cp harness/grade/traffic.c "$file"
sed -i 's/VERDICT_NOISY, "%s: grade again/VERDICT_WRONG, "%s: grade again/' \
    "$scratch/copy/harness/grade/speed.c"
fails 1 'a row whose place is gone' held "$scratch/copy"
shows '^< 1 harness/grade/speed.c measure_watched noisy$' 'is named'
done_testing
