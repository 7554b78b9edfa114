#!/usr/bin/env bash
# ./hpclab handin, make handin: what is missing is said, what is packed is read by ./grade --from.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib
share_builds
cd "$HPC_ROOT" || exit 1
untimed
rm -f labs/lab1/*.c labs/lab1/answers.ini
sed -i 's/^profile = yes/&\nreport = report.md\nreport_words = 9/' labs/lab1/lab.ini
archive=dist/handin-lab1.tar.gz

handin() { "$hpclab" handin lab1 --plain "$@" </dev/null; }
fails 1 'nothing is there' handin
shows 'labs/lab1/flat.c: not there; make lab1 lays the starter out$' 'a file that is missing is named'
shows 'labs/lab1/report.md: not there; expected what handouts/lab1.md asks for, in at most 9 words$' 'the report too'
shows '^hpclab: lab1: 3 missing or wrong, expected none; nothing was packed$' 'and why nothing was packed'
shows '^\./hpclab handin lab1 --anyway \(make handin LAB=lab1 ANYWAY=1\) packs it as it is\.$' 'and what packs it'
check 'each file once' test "$(grep -c 'flat\.c' "$scratch/.output") $(grep -c 'answers\.ini' "$scratch/.output")" = '1 1'
check 'nothing was' test ! -e "$archive"
"$hpclab" handin lab1 --plain </dev/null 2>&1 | cat >piped
check 'through a pipe the reason stands last' sh -c 'tail -n 1 piped | grep -q "^hpclab: lab1: 3 missing"'

cp labs/lab1/starter/* labs/lab1/ && echo one two three four five six seven eight nine ten >labs/lab1/report.md
fails 1 'the starters' handin
shows 'labs/lab1/flat.c: as it was handed out$' 'are said to be what they are'
shows 'report.md: 10 words, at most 9 are read$' 'a report that is too long'
shows 'flat: wrong, 0 of' 'and that they are wrong'
check 'each once too' test "$(grep -c 'flat' "$scratch/.output") $(grep -c 'flat\.c' "$scratch/.output")" = '2 1'

# Pipes that nobody writes: whoever opens one waits for ever.
waits_not() { timeout -s KILL 60 "$hpclab" handin lab1 --plain "$@" </dev/null; }
rm labs/lab1/report.md labs/lab1/flat.c && mkfifo labs/lab1/report.md labs/lab1/flat.c
fails 1 'a report and a source that are pipes' waits_not
shows 'report.md: no file that can be read; expected what' 'says so'
fails 2 'nor is one packed' waits_not --anyway
shows '^hpclab: labs/lab1/flat.c: expected a regular file$' 'with a line that names it'
rm labs/lab1/report.md labs/lab1/flat.c

cp mlp/variants/flat.c labs/lab1/flat.c && echo 'Most of the time goes into memory.' >labs/lab1/report.md
sed 's/weights/sthgiew(/' labs/lab1/flat.c >broken.c
fails 1 'a sheet without answers' handin
shows 'flat: pass, [0-9]+ of [0-9]+ cases' 'beside a file that is right'
check '--anyway packs it' handin --anyway
first=$(sha256sum <"$archive")
check 'again' handin --anyway
check 'the same files are the same bytes' test "$(sha256sum <"$archive")" = "$first"
tar -tzf "$archive" | grep -v '/$' >"$scratch/.output"
check 'it holds the files, the report, a manifest' test "$(sort "$scratch/.output" | tr '\n' ' ')" = \
    'labs/lab1/answers.ini labs/lab1/flat.c labs/lab1/report.md manifest.json '
mkdir unpacked && tar -xzf "$archive" -C unpacked
manifest() { python3 -c 'import json; m = json.load(open("unpacked/manifest.json")); print('"$1"')'; }
check 'the manifest has the hash of a file' test \
    "$(manifest '[f["sha256"] for f in m["files"] if f["path"].endswith("flat.c")][0]')" = "$(sha256sum <labs/lab1/flat.c | cut -d ' ' -f 1)"
check 'the version, the machine, what was found' test \
    "$(manifest 'm["version"], m["machine"]["cores"] > 0, m["checked"][1]["verdict"]')" = '0.1.0 True pass'
check 'nothing of it was recorded' test ! -e results
check 'nor left in build/tmp' test -z "$(ls build/tmp)"
grade() { "$hpclab" grade lab1 --quick --plain --only flat --from "$1"; }
check './grade --from reads it' grade "$archive"
check 'and has its points' test "$(python3 -c 'import json; print(json.load(open("results/submissions/handin-lab1/lab1.json"))["tasks"][1]["points"] == 50)')" = True

cp broken.c labs/lab1/flat.c
fails 1 'a file that does not compile' handin
shows 'flat: build' 'is said so'
ln -sf /etc/passwd labs/lab1/report.md
rm -f dist/* && : >dist/note && chmod 555 dist
if [ "$(id -u)" = 0 ]; then
    rm -rf dist && : >dist
fi
fails 3 'a place that cannot be written' handin --anyway
shows '^hpclab: .*dist' 'is named'
fails 2 'an unknown lab' "$hpclab" handin lab77
fails 2 'no lab' "$hpclab" handin
sed -i 's/^report_words = 9/report_words = none/' labs/lab1/lab.ini
fails 2 'a bound that is no number' handin
shows '^hpclab: labs/lab1/lab.ini:8: report_words = none, expected 1 to 100000$' 'with its line'
sed -i '/^report_words/d' labs/lab1/lab.ini
fails 2 'a report without a bound' handin
shows 'lab.ini:7: report without report_words, expected both$' 'says so'
done_testing
