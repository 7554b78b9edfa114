#!/usr/bin/env bash
# ./hpclab class and sheets of answers: who was graded may know the marks, and hands in no better sheet.
. tests/tap.sh
. tests/cli/lib/class.sh
cd "$scratch" || exit 1
mkdir -p "$HPC_ROOT/labs/lab91/starter" && cat >"$HPC_ROOT/labs/lab91/lab.ini" <<'END'
[lab]
title = A sheet
handout = handouts/lab1.md

[task quiz]
title = Quiz
kind = answers
file = quiz.ini
op = mlp_sgd
versions = 2
points_answers = 100

[sheet quiz]
student = name
line = number
share = number
END
cat >"$HPC_ROOT/labs/lab91/expected.ini" <<'END'
[question quiz line]
answer = 64

[question quiz share]
answer = 0.75
END
# sheet PLACE NAME LINE SHARE [FINAL [SECONDS_FROM_NOW]]
sheet() {
    mkdir -p "$1" && printf '[answers]\nstudent = %s\nline = %s\nshare = %s\nfinal = %s\n' "$2" "$3" "$4" "${5-}" >"$1/quiz.ini"
    touch -d "now + ${6-0} seconds" "$1/quiz.ini" "$1"
}
cat >roster.csv <<'END'
id,name,group
ada,Ada,
bob,Bob,
cy,Cy,one
di,Cy,one
eve,Eve,
END
grades() { class grade dir --roster roster.csv; }
points() { test "$(field "$1" score)" = "$2"; }
sheet dir/ada-1 Ada 1 2
sheet dir/bob-1 Bob 1 2 yes
sheet dir/cy-1 Cy 1 2 yes
sheet dir/eve-1 Eve 1 2 '' -60
sheet dir/eve-2 Eve 64 0.75 '' -30
check 'first sheets' grades
check 'of two before a grading the last one counts' points eve 100
check 'the others have nothing' points ada 0
sheet dir/ada-2 Ada 64 2 '' 100
sheet dir/bob-2 Bob 64 0.75 '' 100
sheet dir/di-1 Cy 64 0.75 '' 100
check 'second ones, by who was told' grades
check 'a second version, where two count' points ada 50
check 'none behind one that was final' points bob 0
check 'nor by another one of the group' points di 0
sheet dir/ada-3 Ada 64 0.75 '' 200
check 'third ones' grades
check 'the second counts' points ada 50
check 'and the page says so' grep -q 'quiz.ini was changed after it' "$out/students/ada.html"
check 'graded again' class regrade --allow-lower
check 'nothing changes' points ada 50
check 'not of who had not been told' points eve 100
cat >>"$HPC_ROOT/labs/lab91/expected.ini" <<'END'

[question quiz more]
answer = 5
END
echo 'more = number' >>"$HPC_ROOT/labs/lab91/lab.ini"
echo 'more = 5' >>dir/bob-2/quiz.ini && touch -d 'now + 100 seconds' dir/bob-2/quiz.ini dir/bob-2
check 'a question that is new' grades
check 'has the answer that was not asked before' test "$(field bob quiz | cut -c 1-4)" = 33.3
check 'nothing is left' test -z "$(find "$HPC_ROOT/build/tmp" "$out/spool" -mindepth 1)"
done_testing
