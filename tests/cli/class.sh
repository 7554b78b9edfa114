#!/usr/bin/env bash
# ./hpclab class on a made-up class: who is who, what counts, what is graded again, what people read.
. tests/tap.sh
. tests/cli/lib/class.sh
look=$PWD/tests/page.py
cd "$scratch" || exit 1
mkdir dir
handed "$right" dir/ada
handed "$wrong" dir/bob@uni.edu_1_handin.tar.gz
handed "$right" dir/bob@uni.edu_2_handin.tar.gz
handed "$right" dir/curiemarie_12345_678901_lab91.tar.gz
handed "$wrong" dir/curiemarie_12345_678902_lab91-1.tar.gz
mkdir 'dir/Dirac, Paul_77_assignsubmission_file_'
handed "$right" 'dir/Dirac, Paul_77_assignsubmission_file_/homework.tar.gz'
handed "$right" dir/lab91-ekert
echo 'no archive' >dir/fermi.tar.gz
handed "$right" dir/nobody.tar.gz
mkdir dir/gauss && echo hello >dir/gauss/README
cat >roster.csv <<'END'
id,name,email,group,github,attempt,override,reason
ada,"Lovelace, <b>Ada</b>",ada@uni.edu,,,,,
bob,=HYPERLINK(1),bob@uni.edu,,,,,
s3,Marie Curie,m@uni.edu,,,best,,
s4,Paul Dirac,p@uni.edu,,,,,
s5,Artur Ekert,e@uni.edu,duo,ekert,,,
s6,Sixth,six@uni.edu,duo,,,,
fermi,Enrico Fermi,f@uni.edu,,,,,
gauss,C F Gauss,g@uni.edu,,,,42.5,"orally, in ""person"""
late,Late Comer,l@uni.edu,,,,,
END

fails 1 'a class of nine' class grade dir --quick --roster roster.csv
shows '^hpclab: nobody.tar.gz: nobody of the roster' 'says who is nobody'
shows '^gauss  0.0 of 100: gauss: holds no file of lab91 but README, expected some of flat.c$' 'and what has nothing of the lab'
shows '^bob  100.0 of 100 .attempt 2 of 2, bob@uni.edu_2_handin.tar.gz.$' 'which attempt a line is of'
shows '^s3  0.0 of 100 .attempt 2 of 2, curiemarie_12345_678902_lab91-1.tar.gz; the best counts.: flat: wrong$' 'and which of them counts'
shows '^8 graded now; 8 of 9 students have a grading' 'and how many are graded'
shows '^no grading of: late$' 'and who is not'
points() { [ "$(field "$1" score)" = "$2" ]; }
check 'a folder named by the id' points ada 100
check "Autolab's: the last attempt" points bob 100
check 'is the second' test "$(field bob attempt)" = 2
check "Canvas's: the best of two" points s3 100
check "Moodle's: an archive in a folder" points s4 100
check "GitHub Classroom's" points s5 100
check 'and for the other one of the group' points s6 100
check "Canvas's import has whoever has points" test "$(head -n 2 "$out/canvas.csv" | tr '\n' '|'; grep -c . "$out/canvas.csv"; grep Gauss "$out/canvas.csv")" = \
    $'Student,ID,SIS User ID,SIS Login ID,Section,lab91|    Points Possible,,,,,100|10\n"C F Gauss",,"gauss",,,42.5'
check "and Moodle's, with words" test "$(grep -e '^"bob"' -e '^"gauss"' -e '^"late"' "$out/moodle.csv")" = \
    $'"bob",100,100,"100.0 of 100",0\n"gauss",42.5,100,"42.5, set by the course",0'
check 'a file that is no archive' points fermi 0
check 'whose reason stands on the page' grep -q 'fermi.tar.gz: is no archive, expected a .tar.gz or .zip' "$out/students/fermi.html"
check 'and which attempt counts' grep -q 'Attempt 1 of 2 counts: curiemarie_12345_678901_lab91.tar.gz' "$out/students/s3.html"
check "but not the file of who handed in for a group" grep -q "Your group's attempt 1 of 1 counts</p>" "$out/students/s6.html"
check 'points that the course set' test "$(field gauss score) $(field gauss status) $(field gauss note)" = '42.5 override orally, in "person"'
check 'who handed nothing in' test "$(field late status)" = none
check 'a name that a spreadsheet would calculate' grep -q "\"'=HYPERLINK(1)\"" "$out/gradebook.csv"
check "a name with a tag in it" grep -q 'Lovelace, &#60;b&#62;Ada' "$out/students/ada.html"
check 'nobody else may read them' test -z "$(find "$out" -perm /077)"
check 'a page has its own data only' test "$(grep -lr Lovelace "$out/students" | tr '\n' ' ')" = "$out/students/ada.html "
check 'the summary has a distribution and groups failures' grep -q '<svg' "$out/summary.html"
check 'that are named' grep -q 'flat, rejected' "$out/summary.html"
for page in summary leaderboard students/ada students/bob; do
    check "$page: well-formed, with nothing from elsewhere and no script" python3 "$look" plain "$out/$page.html"
done
if browser=$(command -v chromium) && [ -n "$("$browser" --headless --no-sandbox --disable-gpu \
    --user-data-dir="$scratch/browser" --dump-dom about:blank 2>/dev/null)" ]; then
    check 'in Chromium: no error, no overflow, contrast' python3 "$look" look "$out/summary.html" "$browser"
    check "a student's too" python3 "$look" look "$out/students/bob.html" "$browser"
else
    skip 'in Chromium' 'no chromium that starts here'
fi
check 'the record is one' python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); assert r["score"] == 100 and r["student"] if "student" in r else r["submission"]["student"] == "ada"' "$out/students/ada.json"
check 'show of who handed nothing in' class show late
shows '^  nothing handed in' 'says so'
check 'nothing is left of it' test -z "$(find "$HPC_ROOT/build/tmp" "$out/spool" -mindepth 1)"

seeds() {
    python3 -c 'import sqlite3, sys
print(sorted(sqlite3.connect(sys.argv[1]).execute("SELECT seed FROM grading")))' "$1/class.db"
}
fails 1 'the same again' class grade dir --quick --roster roster.csv
shows '^0 graded now' 'grades nothing'
handed "$wrong" dir/ada
handed "$right" dir/late-1.zip
fails 1 'one that has changed, one that is new' class grade dir --quick --roster roster.csv
shows '^2 graded now' 'are graded'
check 'the changed one counts' points ada 0
check 'the new one too' points late 100

mkdir num && handed "$right" num/zed-2.tar.gz && handed "$wrong" num/zed.tar.gz && printf 'id\nzed\n' >num.csv
check 'a name with a number, and a later file without' class grade num --quick --roster num.csv --folder "$scratch/num.class" --due 2020-01-01T00:00
shows '^zed  100.0 of 100 .attempt 2 of 2, zed-2.tar.gz. .late.$' 'counts by its number, and is said to be late'

check 'show' class show ada
shows '^  20[0-9-]+T[0-9:]+Z  attempt 1, ada \(plain\), counts' 'has the attempts'
shows '0.0 of 100, 0 pending, run 1, seed [0-9]+, quick, counts$' 'and the gradings'
# A name has words of whoever handed it in.
mkdir esc && printf 'id\nada\n' >ada.csv && handed "$right" $'esc/ada_\e[2J.zip'
check 'a name that would clear the terminal' class grade esc --quick --folder esc.class --roster ada.csv
check 'is shown without' sh -c "'$hpclab' class show ada --lab lab91 --folder esc.class | tee '$scratch/.output' | grep -F 'ada_?[2J.zip'"
check 'and without an escape' test -z "$(grep $'\e' "$scratch/.output")"
on_terminal() { script -qec "stty cols 80; $*" /dev/null </dev/null | tr -d '\r'; }
on_terminal "'$hpclab' class show ada --lab lab91 --plain --folder esc.class" >"$scratch/.output"
check 'a terminal of 80 columns has lines of 80' test "$(awk 'length > 80' "$scratch/.output" | wc -l) $(grep -c 'seed' "$scratch/.output")" = '0 1'
# Before one is graded a terminal says how far it is, and what is left: by tasks.
lab92=$HPC_ROOT/labs/lab92
cp -r "$HPC_ROOT/labs/lab91" "$lab92" && cp "$lab92/starter/flat.c" "$lab92/starter/more.c"
sed -i 's/^points_correct = 100/points_correct = 60\n\n[task more]\ntitle = Once more\nop = mlp_sgd\nbaseline = mlp\/serial\nreference = mlp\/flat\nflags = -O1 -ffp-contract=off\nsymbols = malloc calloc free memcpy memset exp tanh fmax aligned_alloc\ncases = tiny\npoints_correct = 40/' "$lab92/lab.ini"
mkdir -p two/ada && cp "$right" two/ada/flat.c && cp "$right" two/ada/more.c
on_terminal "TERM=xterm '$hpclab' class grade two --quick --lab lab92 --folder two.class" | sed 's/\x1b\[K/\n/g' >"$scratch/.output"
shows '^0 of 1 graded, 1 at work: 0 of 2 tasks$' 'a terminal says what is at work'
shows '^0 of 1 graded, 1 at work: 1 of 2 tasks$' 'and nothing of the time left where none was graded before'
shows '^ada  100.0 of 100$' 'and what came of it'
two() { on_terminal "TERM=xterm '$hpclab' class $* --quick --lab lab92 --folder two.class" | sed 's/\x1b\[K/\n/g' >"$scratch/.output"; }
two rerun ada
shows '^0 of 1 graded, 1 at work: 0 of 2 tasks, about 1 min left$' 'once more: the time left, from what it took'
in_state() { python3 -c 'import sqlite3, sys; d = sqlite3.connect("two.class/class.db"); [print(r[0]) for r in d.execute(sys.argv[1])]; d.commit()' "$1"; }
in_state 'UPDATE word SET value = "3000 2" WHERE key = "seconds_quick"'
two rerun ada
shows '1 at work: 0 of 2 tasks, about (25|24) min left$' 'the mean of them'
hides '0 at work.*left' 'and none when all have ended'
# A file of a version that kept no seconds.
in_state 'DELETE FROM word WHERE key = "seconds_quick"'
two rerun ada
shows '^0 of 1 graded, 1 at work: 1 of 2 tasks$' 'a state without them is read, and nothing said'
check 'its rows stay, and the new one is counted' test "$(in_state 'SELECT count(*) FROM grading') $(in_state 'SELECT value FROM word WHERE key = "seconds_quick"' | grep -c ' 1$')" = '4 1'
mkdir same && handed "$right" same/ada.tar.gz && handed "$right" same/ada-2.zip
same() { "$hpclab" class "$@" --plain --lab lab92 --folder same.class; }
printf 'id\nada\n' >same.csv
mkdir named && handed "$right" named/ada.tar.gz && handed "$wrong" named/ada-2.zip && handed "$right" named/eve-1.zip
check 'without a roster' class grade named --quick --folder named.class
shows '^ada  0.0 of 100 .attempt 2 of 2, ada-2.zip.' 'ada-2 is an attempt of ada'
shows '^2 graded now; 2 of 2 students have a grading' 'and eve-1, of whom there is no other, a student'
check 'two attempts alike, each without a task'"'"'s file' same grade same --quick --roster same.csv
check 'their diff' same diff ada
shows '^no file of the tasks differs$' 'says that nothing has changed'
hides 'No such file' 'and nothing of a file that neither has'
sed -i 's/^points_correct = 60/points_correct = 20\npoints_speed = 40\nspeed_case = tiny/' "$lab92/lab.ini"
check 'where a part of the points is for speed, without a reference' same regrade --quick --allow-lower
shows '^ada: 60.0 points before, 20.0 now and 40.0 pending$' 'the points wait, and are not lost'
mkdir another && handed "$right" another/eve && printf 'id\nada\neve\nkim\nlee\nmia\nned\noda\n' >ada.csv
check 'another folder of the same class' class grade another --quick --folder esc.class --roster ada.csv
shows '^1 graded before have nothing in another now, such as ada: no points$' 'says whose gradings it leaves'
shows '^no grading of: ada, kim, lee, mia, ned and 1 more$' 'and who has none now'
check 'the summary has one line of them' grep -q '<li>ada, kim, lee, mia, ned, oda: handed nothing in</li>' esc.class/summary.html
check 'its title says which class it is, and of when' grep -qE '<title>lab91: A small one .esc.class, 20[0-9-]+.</title>' esc.class/summary.html
seed() { sed -n 's/.*seed \([0-9]*\).*/\1/p' "$scratch/.output" | tail -n "$1" | sort -u | wc -l; }
fails 2 'regrade of one' class regrade bob
shows 'class regrade: expected no more words: it is everybody.s, and rerun STUDENT one.s$' 'names what does'
check 'rerun' class rerun bob
shows '^1 graded again, 0 with other points$' 'says what came of it'
check 'rerun of one whose group handed in' class rerun s6
shows '^1 graded again' 'grades what the group handed in'
check 'show again' class show bob
shows 'run 2' 'and is kept as the second'
check 'with a fresh seed' test "$(seed 2)" = 2
check 'rerun with a seed' class rerun bob --seed 4711
check 'show of it' class show bob
shows 'run 3, seed 4711,' 'has that seed'
check 'diff' class diff s3
shows '^[+-].*2 \* rate' 'shows what has changed'
shows '^attempt 1, curiemarie_12345_678901_lab91.tar.gz: 100.0 of 100$' 'with the points'

# A lab that has become harder: nobody's points get fewer unless somebody says so.
sed -i 's/^tiny = .*/tiny = data=blobs layers=3,2,1 activations=tanh,sigmoid samples=4 epochs=2 rate=0.01\nsecond = data=blobs layers=4,3,1 activations=relu,identity samples=5 epochs=2 rate=0.01/; s/^cases = tiny/cases = tiny second/' "$HPC_ROOT/labs/lab91/lab.ini"
sed -i 's/^symbols = .*/symbols = memcpy/' "$HPC_ROOT/labs/lab91/lab.ini"
check 'rerun with the lab changed' class rerun late
shows 'late: 100.0 points stay; the last grading has 0.0, which --allow-lower takes' 'lowers nothing'
shows '^1 graded again, 0 with other points; of 1 the points stay$' 'and counts them apart'
check 'the points stay' points late 100
check 'its gradings' class show late
check 'have seeds of their own, though the lab was another one' test "$(seed 2)" = 2
check 'and the page says so' grep -q '<p>A later grading has 0.0 points, and was not taken.</p>' "$out/students/late.html"
check 'with --allow-lower' class rerun late --allow-lower
shows '^late: 100.0 points before, 0.0 now$' 'it does, and says so'
check 'now' points late 0

# Gradescope's export; a deadline; a wall budget.
mkdir -p gs/submission_1 gs/submission_2 gs/submission_3 gs/submission_4
cp "$right" gs/submission_1/flat.c && cp "$wrong" gs/submission_2/flat.c
handed "$right" gs/submission_3/handin.tar.gz
sed 's/^{$/{\n    extern unsigned sleep(unsigned);\n    sleep(1000);/' "$right" >gs/submission_4/flat.c # leaves others the processor
submitter() { printf 'submission_%s:\n  :submitters:\n  - :name: %s\n    :sid: %s\n    :email: x\n  :created_at: 2026-11-%s 12:00:00 +0000\n' "$@"; }
{ echo ---; submitter 1 Ada ada 20; submitter 2 Ada ada 23; submitter 3 Bob bob 23; submitter 4 Hang hang 20; } >gs/submission_metadata.yml
printf 'id,extension_hours,late_days\nada,,\nbob,12,1\nhang,,\n' >gs.csv
sed -i 's/^symbols = .*/symbols = malloc calloc free memcpy memset exp tanh fmax aligned_alloc sleep/; s/^cases = .*/cases = tiny/' "$HPC_ROOT/labs/lab91/lab.ini"
mv gs/submission_4 hangs
check 'an export of Gradescope, with a deadline' class grade gs --quick --roster gs.csv --due 2026-11-22T00:00 --folder "$scratch/gs.class"
mv hangs gs/submission_4
check 'one more, with a budget' class grade gs --quick --roster gs.csv --due 2026-11-22T00:00 --budget 3 --folder "$scratch/gs.class"
out=$scratch/gs.class
check 'the attempt that was on time counts' test "$(field ada score) $(field ada status) $(field ada attempt)" = '100 graded 1'
check 'an extension and late days are used' test "$(field bob status) $(field bob late_hours) $(field bob late_days)" = 'graded 36 1'
check "which Moodle's feedback says" grep -q '^"bob",.*; handed in 1 day late"' "$out/moodle.csv"
check 'who used up the budget' test "$(field hang note)" = 'wall budget of 3 s used up; a quick look, nothing official'
check 'has points pending, not lost' test "$(field hang score) $(field hang pending)" = '0 100'
again() { class grade gs --quick --roster gs.csv --due 2026-11-22T00:00 --budget 3 --folder "$1" --seed "$2"; }
check 'a class with another seed' again "$scratch/gs.other" 77
check 'and one with that seed' again "$scratch/gs.same" 77
check 'has the same seeds' test "$(seeds gs.other)" = "$(seeds gs.same)"
check 'the first had others' test "$(seeds "$out")" != "$(seeds gs.same)"
check 'a class that was graded' again "$scratch/gs.same" 77
shows '^0 graded now' 'is not graded again'
fails 2 'nor has it another seed' again "$scratch/gs.same" 78
shows '^hpclab: --seed 78: .*gs.same has its seed since it was made' 'from then on'
echo '; changed' >>"$HPC_ROOT/labs/lab91/lab.ini"
check 'but where the lab has changed' again "$scratch/gs.same" 77
shows '^3 graded now' 'it is'
printf '[term]\nkey = spring\n' >"$HPC_ROOT/term.ini"
check 'and where the term asks something else' again "$scratch/gs.same" 77
shows '^3 graded now' 'too'
rm "$HPC_ROOT/term.ini"
sed -i 's/^bob,12,1/bob,2,1/' gs.csv
check 'with a shorter extension' class grade gs --quick --roster gs.csv --due 2026-11-22T00:00 --folder "$out"
check 'it is late' test "$(field bob status)" = late

# What counts of gradings of two kinds, and of a lab that has other tasks now.
out=$scratch/kinds.class
mkdir kinds && handed "$right" kinds/ada
check 'a quick look' class grade kinds --quick --folder "$out"
check 'is none for the gradebook' test "$(field ada score) $(field ada note)" = '100 a quick look, nothing official'
check 'nor for whose page it is' grep -q 'A quick look, nothing official' "$out/students/ada.html"
check 'without speeds the leaderboard says so' grep -q 'No speed is graded yet' "$out/leaderboard.html"
cp "$HPC_ROOT/labs/lab91/lab.ini" lab.ini
printf '[task extra]\ntitle = More\nkind = answers\nfile = extra.ini\nop = mlp_sgd\npoints_answers = 40\n[sheet extra]\nn = number\n' >extra
printf '[question extra n]\nanswer = 1\nwhy = one\n' >"$HPC_ROOT/labs/lab91/expected.ini"
awk -v extra="$(cat extra)" '/^\[task flat\]/ { print extra "\n" } { sub("^points_correct = 100", "points_correct = 60"); print }' lab.ini >"$HPC_ROOT/labs/lab91/lab.ini"
check 'a lab that got a task before the others' class grade kinds --quick --folder "$out"
shows '^ada: 100.0 points stay; the last grading has 60.0, which --allow-lower takes$' 'takes no points away, and says so'
check 'the points that stay are those of their own task' test "$(field ada score) $(field ada flat) $(field ada extra)" = '100 100 '
cp -r "$out" lower.class
check 'nor is all graded again for --allow-lower' class grade kinds --quick --folder lower.class --allow-lower
shows '^ada: 100.0 points before, 60.0 now$' 'which takes the last grading'
shows '^0 graded now' 'as it is'
check 'and none is said to be left' test "$(out=lower.class field ada note)" = 'not handed in: extra.ini; a quick look, nothing official'
sed 's/\* o\[i\];/* o[i] + 1e-3;/' "$right" >odd.c && handed odd.c broken/ada && handed odd.c broken/bob && handed "$right" broken/eve && echo '!' >>broken/eve/labs/lab91/flat.c
check 'who handed in one file of two, wrong or unable to build' class grade broken --quick --folder broken.class
shows '^ada  0.0 of 100: not handed in: extra.ini; flat: wrong$' 'has a line with both'
shows '^eve  0.0 of 100: not handed in: extra.ini; flat: does not build$' 'of either'
failures() { sed -n '/Failures/,/To look at/p' broken.class/summary.html; }
check 'failures that differ in numbers are one row, and the page says what # is' test "$(failures | grep -c '<td>2</td><td>flat, wrong: .*[^&]#') $(failures | grep -c '# stands for')" = '1 1'
check 'a failure of one has its numbers' test "$(failures | grep 'flat, build' | grep -c '[^&]#')" = 0
if "$hpclab" class grade kinds --lab lab91 --plain --folder "$out" >"$scratch/.output" 2>&1; then
    check 'what is official counts in place of a quick look' test "$(field ada score) $(field ada flat) $(field ada extra) $(field ada note)" = '60 60 0 not handed in: extra.ini'
    check 'a quick look behind it' class regrade --folder "$out"
    cp lab.ini "$HPC_ROOT/labs/lab91/lab.ini"
    check 'with more points' class grade kinds --quick --folder "$out"
    check 'counts for nothing' test "$(field ada score)" = 60
else
    skip 'official gradings' 'the jail here is weaker than they need'
fi
rm "$HPC_ROOT/labs/lab91/expected.ini"
cp lab.ini "$HPC_ROOT/labs/lab91/lab.ini"
mkdir "$HPC_ROOT/labs/lab91/marker" && echo '/* marks */' >"$HPC_ROOT/labs/lab91/marker/marks.c"
check 'a marker that has changed' class grade kinds --quick --folder "$out"
shows '^1 graded now' 'is graded anew'
rm -r "$HPC_ROOT/labs/lab91/marker"
out=$HPC_ROOT/results/class/lab91

fails 2 'an unknown student' class show nobody
shows '^hpclab: nobody: no student of the roster, expected an id such as ada$' 'says so'
fails 2 'another lab in the same folder' "$hpclab" class show ada --lab lab1 --folder "$out"
fails 2 'an empty folder' class grade "$(mktemp -d -p "$scratch")" --quick
shows 'no archive and no folder in it' 'says so'
fails 2 'merge with a folder that is no class' class merge nowhere
shows '^hpclab: nowhere: no class is there, expected the folder of one that was graded elsewhere$' 'says so'
printf '[site]\nofficial_jail = landlock\npartition = teaching\ngress = 1\n' >both.ini
fails 2 'a site.ini of the jail and of Slurm, with a typing error' class grade dir --quick --slurm both.ini
shows 'both.ini:4: unknown key .gress., did you mean gres' 'says where'
fails 2 'no folder' class grade nowhere --quick
fails 2 'no state' class show ada --folder elsewhere
fails 2 'an action that there is not' class gade dir
shows 'did you mean grade' 'has one near'
roster() { printf '%b' "$1" >bad.csv; class grade dir --quick --roster bad.csv; }
fails 1 'an id that is there twice' roster 'id,name\nada,A\nADA,B\n'
shows '^hpclab: bad.csv:3: id ADA is there twice, first in line 2, expected one line a student; this row is left out$' 'says where'
shows '^1 graded now; 1 of 1 students have a grading' 'and the other one stands'
fails 2 'an unknown column' roster 'id,grade\nada,5\n'
fails 2 'no column id' roster 'name\nada\n'
fails 2 'nobody else' roster 'id,name\nada,b,c\n'
# Each row but two has a mistake of its own, and the class goes on with these two.
fails 1 'many rows with mistakes' roster 'id,name,extension_hours,attempt,override,reason\nada,A,"1,5",,,\ns1,"open,,,,\ns2,a,b,,,,,\ns3,too,few\n,no id,,,,\ns5,text,soon,,,\ns6,minus,-1,,,\ns7,first,,first,,\ns8,points,,,5,\ns9,thousands,"1,500",,,\ns10,most,,,1e9,ill\n\n,,,,,\nlate,"L\nC",,best,,\n'
for row in '3: a quote that is not closed .*, expected 6 fields' '4: 8 fields, expected 6' '5: 3 fields, expected 6' '6: no id, expected one' \
    '7: extension_hours = soon, expected a number, 0 or more' '8: extension_hours = -1, expected' '9: attempt = first, expected best or last' \
    '10: override without a reason, expected both' '11: extension_hours = 1,500, expected' '12: override = 1e.09, expected at most 100, which the lab can give'; do
    shows "^hpclab: bad.csv:$row.*; this row is left out\$" "line ${row%%:*} is named"
done
shows '; 2 of 2 students have a grading' 'and the two right rows are students'
check 'no other is named' test "$(grep -c 'this row is left out' "$scratch/.output")" = 10
check 'whose row is left out has no page' test ! -e "$out/students/s8.html"
check 'and stands in the summary' grep -q 'bad.csv:10: override without a reason' "$out/summary.html"
fails 2 'show of such a one' class show s8
shows '^hpclab: s8: no student, for the row is left out: .*bad.csv:10: override without' 'says why'
fails 2 'a time that is none' class grade dir --quick --due tomorrow
fails 2 'a pattern that names nobody' class grade dir --quick --pattern '{rest}'
fails 2 'purge asks' class purge </dev/null
check 'and takes --yes' class purge --yes
check 'all is gone' test ! -e "$out"
done_testing
