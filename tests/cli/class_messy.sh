#!/usr/bin/env bash
# ./hpclab class on exports as they come: a German Excel's roster, archives in archives, what macOS adds,
# Moodle with groups, Gradescope's groups, late marks, the same files handed in twice.
. tests/tap.sh
. tests/cli/lib/class.sh
cd "$scratch" || exit 1
mkdir dir
# Decomposed letters, as macOS has them in file names.
dots=$'\xcc\x88'
python3 - <<'EOF'
rows = """id;name;group;late_days;attempt
0101;Müller, Jörg;;0,5;
0102;Anna-Lena Großmann;;;
0103;Zoë Žižek;;;best
0104;Łukasz Ördög;team;;
0105;Eve O'Neill;team;;
0106;Kim Späth;;1;
0107;Kim Späth;;1;viel
0108;"Sven "der" Bär";;;
0109;Ida Lücke;;;
0110;Ben Zwei;;;
0111;Cem Drei;;;
;;;;
"""
open("roster.csv", "w", encoding="utf-16", newline="\r\n").write(rows)
EOF
member="Mu${dots}ller, Jo${dots}rg_11_assignsubmission_file_"
mkdir -p "dir/$member/Abgabe"
handed "$right" "dir/$member/Abgabe/Lösung.zip"
mkdir "dir/$member/__MACOSX" && : >"dir/$member/__MACOSX/._Lösung.zip"
handed "$right" 'dir/Gruppe 1-Anna-Lena Großmann_12_assignsubmission_file_hw.tar.gz'
# The same files twice, by one of whom the best attempt counts, then worse ones.
handed "$right" dir/zoëžižek_13_14_hw.zip
cp dir/zoëžižek_13_14_hw.zip dir/zoëžižek_13_15_hw-1.zip
handed "$wrong" dir/zoëžižek_13_16_hw-2.zip
# A zip in a zip, as who packs an export again has it; what macOS adds beside both.
python3 - "$right" <<'EOF'
import io, sys, tarfile, zipfile
text = open(sys.argv[1], "rb").read()
def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in members.items():
            z.writestr(name, data)
    return out.getvalue()
def tarred(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", format=tarfile.PAX_FORMAT) as t:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    return out.getvalue()
double = b"\0\5\x16\7\0\2\0\0Mac OS X"
inner = zipped({"Übung 1/flat.c": text, "__MACOSX/Übung 1/._flat.c": double})
open("dir/lab91-0104.zip", "wb").write(
    zipped({"Abgabe.zip": inner, "__MACOSX/._Abgabe.zip": double, "Hinweis.txt": b"hello"}))
open("dir/0106_LATE.tar.gz", "wb").write(b"")
open("dir/0109.zip", "wb").write(zipped({"a/b.ZIP": tarred({"x/c.tar.gz": tarred({"y/._flat.c": double, "y/flat.c": text})})}))
deep = zipped({"flat.c": text})
for i in range(3):
    deep = zipped({f"{i}.zip": deep})
open("dir/0110.zip", "wb").write(deep)
open("dir/0111.zip", "wb").write(zipped({"one.zip": inner, "two.zip": inner}))
EOF
rm dir/0106_LATE.tar.gz
handed "$right" 'dir/kimspäth_LATE_17_18_hw.zip'
handed "$right" 'dir/Bär, Sven_19_assignsubmission_file_hw.zip'
mkdir -p dir/__MACOSX && handed "$wrong" dir/__MACOSX/0102.zip

fails 1 'a class as it comes' class grade dir --quick --roster roster.csv
shows '^hpclab: roster.csv:8: attempt = viel, expected best or last; this row is left out$' 'a row with a mistake is named'
shows '^hpclab: roster.csv:9: a quote that is not closed or behind which text stands, expected 5 fields; this row' 'and one with quotes in quotes'
shows '^hpclab: kimspäth_LATE_17_18_hw.zip: nobody of the roster .but of a row that is left out; ' 'whose name is two rows, one of them left out, is nobody'
shows '^0110  0.0 of 100: 0110.zip: 2.zip: 1.zip: holds no file|^0110  0.0 of 100: 0110.zip: holds no file of lab91' 'four archives in each other are too many'
shows '^0111  0.0 of 100: 0111.zip: holds no file of lab91 but one.zip and 1 more, expected some of flat.c$' 'of two it is not said which'
check 'each is graded once' test "$(grep -c '^01[01][0-9]  ' "$scratch/.output")" = 8
points() { [ "$(field "$1" score)" = "$2" ]; }
check 'folders in folders, decomposed letters' points 0101 100
check "Moodle's name behind a group's" points 0102 100
check 'the best of three, two of them the same' points 0103 100
check 'by whichever of the two was graded' test "$(field 0103 attempt)" != 3
check 'a zip in a zip, with what macOS adds' points 0104 100
check 'and for the other one of the group' points 0105 100
check 'a tar in a tar in a zip' points 0109 100
check 'nothing is left of it' test -z "$(find "$HPC_ROOT/build/tmp" "$out/spool" -mindepth 1)"
check 'the row with a mistake is mended' sh -c 'iconv -f UTF-16 -t WINDOWS-1252//TRANSLIT roster.csv | sed "s/;viel/;/; s/^0107;Kim/0107;Tim/; s/ \"der\"//" >latin.csv'
check 'as Latin letters' class grade dir --quick --roster latin.csv
shows '^2 graded now; 10 of 11 students' 'the two are graded, and nobody else'
check "Canvas's late mark within late days" test "$(field 0106 score) $(field 0106 status)" = '100 graded'
LC_ALL=C sed -i 's/^0106;Kim Sp\(.*\)1;/0106;Kim Sp\1;/' latin.csv
check 'without late days' class grade dir --quick --roster latin.csv
check 'it is late' test "$(field 0106 status)" = late

# Gradescope: two handed in together, then one of them alone; a third who knows only their own name.
out=$scratch/gs.class
mkdir -p gs/submission_1 gs/submission_2
cp "$wrong" gs/submission_1/flat.c && cp "$right" gs/submission_2/flat.c
cat >gs/submission_metadata.yml <<'EOF'
---
submission_1:
  :submitters:
  - :name: Somebody
    :sid:
    :email: cy@uni.edu
  - :name: Ada Lovelace
    :sid: '7'
    :email: bob@uni.edu
  - :name: No Body
    :sid: '99'
    :email: no@uni.edu
  :created_at: 2026-11-20 10:00:00 Z
submission_2:
  :submitters:
  - :email: cy@uni.edu
    :sid: '9'
    :name: 'Cyrus, whose name is of more than eighty letters, so that a long line of it is folded
      :sid: "8" into two'
  :created_at: 2026-11-21 10:00:00 Z
EOF
printf 'id,name,email\n7,Bob,bob@uni.edu\n8,Ada Lovelace,ada@uni.edu\n9,Cyrus,cy@uni.edu\n' >gs.csv
check 'a group of Gradescope' class grade gs --quick --roster gs.csv --folder "$out"
check 'counts for the second one, too' test "$(field 7 score) $(field 7 status)" = '0 graded'
check 'and not for whose name one of them chose, nor for whose number stands in one' test "$(field 8 status)" = none
check "what came later is the one's alone" test "$(field 9 score) $(field 9 attempt)" = '100 2'
check 'without a roster' class grade gs --quick --folder "$scratch/gs.none"
shows '; 4 of 4 students have a grading' 'all submitters are students'

# What waits alone is graded again.
mkdir waits && cp -r gs/submission_2 waits/hangs
sed -i 's/^{$/{\n    for (volatile int i = 0;; i = 0)\n        if (i) break;/' waits/hangs/flat.c
check 'one who used the budget up' class grade waits --quick --budget 3 --folder "$scratch/waits.class"
cp -r gs/submission_2 waits/ends
check 'and one who did not' class grade waits --quick --folder "$scratch/waits.class"
shows '^1 graded now; 2 of 2 students' 'is graded alone'
check 'who waits is graded again' class regrade --waiting --budget 3 --folder "$scratch/waits.class"
shows '^1 graded again, 0 with other points$' 'alone'
check 'all are' class regrade --budget 3 --folder "$scratch/waits.class"
shows '^2 graded again, ' 'without --waiting'

# Ctrl-C: what had ended stands on the pages.
out=$scratch/stopped.class
graded() { python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT COUNT(*) FROM grading").fetchone()[0])' "$out/class.db" 2>/dev/null; }
"$hpclab" class grade waits --lab lab91 --plain --quick --folder "$out" >log 2>&1 &
job=$!
until=$((SECONDS + 300))
until [ "$(graded)" = 1 ] || [ $SECONDS -gt $until ]; do sleep 0.1; done
kill -TERM $job
wait $job
check 'a class that is stopped' test $? = 130
check 'says so' grep -q 'interrupted; the same command goes on' log
check 'and has a gradebook of what had ended' test "$(field ends status) $(field hangs status)" = 'graded waiting'
fails 2 '--waiting of a grading' class grade waits --quick --waiting --folder "$scratch/waits.class"
shows "^hpclab: class grade: --waiting is regrade's" 'is refused'
done_testing
