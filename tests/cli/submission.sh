#!/usr/bin/env bash
# long: a minute of processors.
# ./grade --from: what a student handed in, as a folder, .tar.gz, .zip. What is refused is tried by
# tests/hostile/.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib
share_builds
short_cases
untimed
rm -f "$HPC_ROOT"/labs/lab1/*.c "$HPC_ROOT"/labs/lab1/answers.ini

grade() { "$hpclab" grade lab1 --quick --plain --seed 3 --only flat "$@"; }
points() { python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print([t["points"] for t in r["tasks"] if t["name"] == "flat"][0])' "$1"; }

mkdir -p "$scratch/ada/labs/lab1" && cd "$scratch" || exit 1
cp "$HPC_ROOT/mlp/variants/flat.c" ada/labs/lab1/ || exit 1
cp ada/labs/lab1/flat.c grace.c && mkdir grace && mv grace.c grace/flat.c
tar -czf ada.tar.gz ada && cp ada.tar.gz 'Ada Lovelace (2).tgz' && tar -cf ada.tar -C ada .

right() { # NAME FILE
    rm -rf "$HPC_ROOT/results"
    grade --from "$2"
    local record=$HPC_ROOT/results/submissions/$1/lab1.json
    [ -f "$record" ] && awk -v p="$(points "$record")" 'BEGIN { exit p != 50 }'
}
check 'a folder with labs/lab1/ in it' right ada ada
check 'a folder with the files themselves, and a slash behind it' right grace grace/
check 'a .tar.gz' right ada ada.tar.gz
shows 'results/submissions/ada/lab1.json' 'whose record is kept under its name'
check 'a .tgz of a name that is no good for a path' right Ada_Lovelace__2_ 'Ada Lovelace (2).tgz'
check 'a .tar without a folder' right ada ada.tar
if command -v zip >/dev/null && command -v unzip >/dev/null; then
    zip -qr ada.zip ada
    check 'a .zip' right ada ada.zip
else
    skip 'a .zip' 'zip and unzip are not here'
fi
check 'nothing is left of it' test -z "$(ls "$HPC_ROOT/build/tmp")"
check 'nor laid out as the working copy' test ! -e "$HPC_ROOT/labs/lab1/flat.c"
check 'nor graded as it' test ! -e "$HPC_ROOT/results/lab1"

mkdir wrong && sed 's/rate \*/2 * rate */' grace/flat.c >wrong/flat.c
fails 1 'a wrong one' grade --from wrong
shows 'again: ./grade lab1 --from wrong --only flat --seed 3$' 'with the command that repeats it'
mkdir part && echo 'profile = nothing' >part/answers.ini
fails 1 'a task whose file is not there' grade --from part
shows 'flat.c: not handed in' 'says so'
mkdir empty
fails 2 'a folder without the lab'"'"'s files' grade --from empty
shows '^hpclab: empty: holds no file at all, expected some of answers.ini, flat.c$' 'names them'
fails 2 'an archive that is not there' grade --from "$scratch/nowhere.tar.gz"
shows '^hpclab: .*nowhere.tar.gz: No such file or directory$' 'says so'
echo 'no archive' >note.tar.gz
fails 2 'a file that is no archive' grade --from note.tar.gz
shows '^hpclab: note.tar.gz: is no archive, expected a .tar.gz or .zip$' 'says so'
fails 2 'reference and submission at once' grade --from ada --impl reference

# Two archives of one name: each keeps its record, which names what was graded.
rm -rf "$HPC_ROOT/results"
kept() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["submission"][sys.argv[2]])' "$HPC_ROOT/results/submissions/$1/lab1.json" "$2"; }
mkdir -p one two && tar -czf one/hw1.tar.gz ada && tar -czf two/hw1.tar.gz wrong
check 'an archive hw1' grade --from one/hw1.tar.gz
fails 1 'another one of that name' grade --from two/hw1.tar.gz
shows 'results/submissions/hw1-2/lab1.json' 'has a number'
check 'the first keeps its points' awk -v p="$(points "$HPC_ROOT/results/submissions/hw1/lab1.json")" 'BEGIN { exit p != 50 }'
check 'and its place, graded again' grade --from one/../one/hw1.tar.gz
check 'there are two' test "$(ls "$HPC_ROOT/results/submissions" | tr '\n' ' ')" = 'hw1 hw1-2 '
check 'the record has the hash of the archive' test "$(kept hw1-2 sha256)" = "$(sha256sum <two/hw1.tar.gz | cut -d ' ' -f 1)"
check 'a name from outside' grade --from one/hw1.tar.gz --as 'Ada L.'
shows 'results/submissions/Ada_L./lab1.json' 'is where the record lies'
check 'and stands in it' test "$(kept Ada_L. student)" = 'Ada L.'
check 'another name that looks the same in a path' grade --from one/hw1.tar.gz --as 'Ada_L.'
shows 'results/submissions/Ada_L.-2/lab1.json' 'has a number too'
fails 2 '--as without --from' grade --as ada
sed 's/^student *=.*/student = Grace H./' "$HPC_ROOT/labs/lab1/starter/answers.ini" >one/answers.ini && cp ada/labs/lab1/flat.c one/
"$hpclab" grade lab1 --quick --plain --from one --as 'Ada L.' >"$scratch/.output" 2>&1
shows 'student = Grace H., but Ada L. handed it in' 'a sheet under a friend'"'"'s name'

# The first official result counts; a rule replaces it, and is in the record.
rm -rf "$HPC_ROOT/results"
printf '[site]\nofficial_jail = limits\n' >"$HPC_ROOT/site.ini"
official() { "$hpclab" grade lab1 --plain --official --from "$@"; }
at=$HPC_ROOT/results/submissions/kay
of() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2"; }
mkdir kay && cp wrong/flat.c kay/
fails 1 'an official grading' official kay
first=$(of "$at/lab1.json" seed)
cp ada/labs/lab1/flat.c kay/
fails 2 'a second one is refused' official kay
shows 'lab1.json: graded officially before, and the first official result counts' 'says why'
check 'one that is not official' grade --from kay
check 'does not replace it' test "$(of "$at/lab1.json" seed)" = "$first"
check 'but lies beside it' test -f "$at/lab1-provisional.json"
fails 2 'a regrade has no seed of its own' official kay --regrade all --seed 3
fails 2 'a rule that there is not' official kay --regrade best
fails 1 'what waits alone' official kay --regrade waiting
check 'leaves what did not' test "$(points "$at/lab1.json")" = 0.0
check 'everything anew' test "$(official kay --regrade all >/dev/null; awk -v p="$(points "$at/lab1.json")" 'BEGIN { print (p == 50) }')" = 1
check 'the rule is in the record' test "$(of "$at/lab1.json" regrade) $(of "$at/lab1.json" gradings)" = 'all 3'
check 'with a fresh seed' test "$(of "$at/lab1.json" seed)" != "$first"
check 'and the first beside it' test "$(of "$at/lab1-1.json" seed)" = "$first"
fails 2 'nothing official to replace' official ada --regrade all
done_testing
