#!/usr/bin/env bash
# ./grade --from: what a student handed in, as a folder, .tar.gz, .zip. What is refused is tried by
# tests/hostile/.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
mkdir -p "$HPC_ROOT/build"
cp -r common harness runner mlp labs handouts data "$HPC_ROOT" || exit 1
for list in */variants/variants.ini; do
    mkdir -p "$HPC_ROOT/$(dirname "$list")" && cp "$list" "$HPC_ROOT/$list"
done
cp -r build/lib "$HPC_ROOT/build" || exit 1
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
    [ -f "$record" ] && awk -v p="$(points "$record")" 'BEGIN { exit !(p >= 20) }'
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
shows 'labs/lab1/flat.c: not there' 'says so'
mkdir empty
fails 2 'a folder without the lab'"'"'s files' grade --from empty
shows '^hpclab: empty: holds no file of lab1, expected some of answers.ini, flat.c$' 'names them'
fails 2 'an archive that is not there' grade --from "$scratch/nowhere.tar.gz"
shows '^hpclab: .*nowhere.tar.gz: No such file or directory$' 'says so'
echo 'no archive' >note.tar.gz
fails 2 'a file that is no archive' grade --from note.tar.gz
shows "^hpclab: note.tar.gz: can't be unpacked: " 'says so'
fails 2 'reference and submission at once' grade --from ada --impl reference
done_testing
