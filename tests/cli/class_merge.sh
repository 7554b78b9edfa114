#!/usr/bin/env bash
# ./hpclab class merge, class similar: a class graded on two machines; submissions that are alike.
. tests/tap.sh
. tests/cli/lib/class.sh
sed -i 's/^points_correct = 100/points_correct = 60\n\n[task more]\ntitle = On a machine that nobody has\nop = mlp_sgd\nfile = more.c\nbaseline = mlp\/serial\nreference = mlp\/flat\nneeds = threads:4096\ncases = tiny\npoints_correct = 40\n\n[task extra]\ntitle = More than all\nop = mlp_sgd\nfile = extra.c\nbaseline = mlp\/serial\nreference = mlp\/flat\nneeds = threads:4096\nbonus = yes\ncases = tiny\npoints_correct = 5/' "$HPC_ROOT/labs/lab91/lab.ini"
cp "$right" "$HPC_ROOT/labs/lab91/starter/more.c"
cp "$right" "$HPC_ROOT/labs/lab91/starter/extra.c"
cd "$scratch" || exit 1
handed "$right" dir/ada
# The same with other names, layout and comments.
sed -E 's/\b(forward|backward|update|i|j|k|l)\b/my_\1/g; s/ = /=/g; s/^ *//; s/^}/}\/* mine *\//' "$right" >renamed.c
handed renamed.c dir/bob.tar.gz
handed "$right" dir/carl.zip
handed "$HPC_ROOT/labs/lab91/starter/flat.c" dir/eve
printf 'id\nada\nbob\ncarl\neve\n' >roster.csv
there=$scratch/there
check 'a class' class grade dir --quick --roster roster.csv
shows '^ada  60.0 of 60; 40 more pending$' 'of which points wait'
shows '^    more: 40 pending, needs 4096 cores, and this machine offers [0-9]*$' 'and why'
check 'and on another machine' class grade dir --quick --roster roster.csv --folder "$there"

# ended POINTS VERDICT: the task that waited has ended there.
ended() {
    python3 - "$there/class.db" "$1" "$2" <<'PYTHON'
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for row, text in db.execute("SELECT id, record FROM grading WHERE student != 'eve'").fetchall():
    r = json.loads(text)
    r["machine"]["name"] = "big-gpu-8c"
    task = r["tasks"][1]
    assert task["name"] == "more" and task["pending"] in (0, 40)
    task.update(points=float(sys.argv[2]), max_points=40, pending=0, verdict=sys.argv[3])
    r["tasks"][0]["points"] = 1  # what has ended here stays
    db.execute("UPDATE grading SET record = ? WHERE id = ?", (json.dumps(r), row))
db.commit()
PYTHON
}
check 'where a task has ended' ended 30 pass
verdict() { # WHO VERDICT: of the task flat, there
    python3 - "$there/class.db" "$@" <<'PYTHON'
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
row, text = db.execute("SELECT id, record FROM grading WHERE student = ? ORDER BY id DESC", (sys.argv[2],)).fetchone()
r = json.loads(text)
r["tasks"][0]["verdict"] = sys.argv[3]
db.execute("UPDATE grading SET record = ? WHERE id = ?", (json.dumps(r), row))
db.commit()
PYTHON
}
check 'and one is wrong that is right here' verdict bob wrong
check 'and one waits that is right here' verdict carl noisy
check 'merge' class merge "$there"
shows "^bob: flat is 'pass' here and 'wrong' there$" 'the conflict is told'
shows '^ada: 60.0 points before, 90.0 now$' 'takes what waited'
shows '^3 merged, 3 with other points$' 'for all who have it'
hides '^(ada|carl|eve): flat|: (more|extra) is' 'and nothing else is one'
shows '^points still wait of: eve$' 'and of whom points wait'
check 'the one is right there too' verdict bob pass
points() { [ "$(field "$1" score) $(field "$1" pending)" = "$2" ]; }
check 'the gradebook has it' points bob '90 0'
check 'and not what does not wait' test "$(field bob flat) $(field bob more)" = '60 30'
check 'who has nothing there keeps what is here' points eve '0 40'
check 'the record too' python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); assert r["score"] == 90 and r["pending"] == 0 and r["tasks"][1]["verdict"] == "pass", r' "$out/students/ada.json"
check 'show' class show ada
shows '90.0 of 100, 0 pending, run 2, .*, counts: with what big-gpu-8c graded$' 'says where it is from'
check 'merged again' class merge "$there"
shows '^0 merged, 0 with other points$' 'adds nothing'
check 'rerun of one, where the task that was graded elsewhere waits again' class rerun ada
shows '^ada  90.0 of 100: from an earlier grading: more$' 'keeps what had ended of it'
shows '^1 graded again, 0 with other points$' 'and the grading counts'
check 'show' class show ada
shows '90.0 of 100, 0 pending, run 3, .*, counts: from an earlier grading: more$' 'says what is not its own'
check 'the class goes on' class grade dir --quick --roster roster.csv
shows '^0 graded now' 'with what it has'
{ printf 'id,group\nada,\nbob,\ncarl,\neve,four\n' && printf 'member%d,four\n' {10..21}; } >group.csv
check 'a group of many' class grade dir --quick --roster group.csv
check 'of whom points wait' class merge "$there"
shows '^points still wait of: eve, member10, .*, member21$' 'is said of all'
printf 'id,override,reason\nada,,\nbob,,\ncarl,,\neve,50,ill\n' >given.csv
check 'points that were given' class grade dir --quick --roster given.csv
check 'merged' class merge "$there"
hides 'points still wait' 'wait for nothing'
check 'and as before' class grade dir --quick --roster roster.csv
# Fewer points than before: what waited had points already, and has none there.
row() { # CLASS POINTS PENDING [KEY=VALUE ..]: of carl's task `more`, or of the one that TASK is the number of
    python3 - "$@" <<'PYTHON'
import json, os, sqlite3, sys
db = sqlite3.connect(sys.argv[1] + "/class.db")
row, text = db.execute("SELECT id, record FROM grading WHERE student = 'carl' ORDER BY id DESC").fetchone()
r = json.loads(text)
r["tasks"][0]["points"] = 60
r["quick"] = not os.environ.get("FULL")
task = r["tasks"][int(os.environ.get("TASK", 1))]
task.update(points=float(sys.argv[2]), pending=float(sys.argv[3]), verdict="wrong")
for word in sys.argv[4:]:
    key, value = word.split("=")
    task[key] = value if key == "verdict" else float(value)
score = sum(t["points"] for t in r["tasks"])
db.execute("UPDATE grading SET record = ?, score = ? WHERE id = ?", (json.dumps(r), score, row))
db.commit()
PYTHON
}
check 'one who has points for what waits' row "$out" 35 5
check 'and none there' row "$there" 0 0
check 'merge once more' class merge "$there"
shows '^carl: 95.0 points stay; the last grading has 60.0, which --allow-lower takes$' 'lowers nothing'
shows '^1 merged, 0 with other points; of 1 the points stay$' 'and says so'
check 'twice' class merge "$there"
shows '^0 merged' 'adds nothing'
check 'with --allow-lower' class merge "$there" --allow-lower
shows '^carl: 95.0 points before, 60.0 now$' 'it does'
export TASK=2
check 'a bonus with points there' row "$there" 5 0
unset TASK
check 'is merged' class merge "$there"
shows '^carl: 60.0 points before, 65.0 now$' 'though none of its points wait'

# What another class's folder may hold: points that the lab does not have, no text, a query for a table, a pipe.
check 'one whose task waits' row "$out" 0 40 max_points=0
forged() { # TEXT LINE POINTS PENDING [KEY=VALUE ..]
    local text=$1 line=$2
    shift 2
    check "forged: $text" row "$there" "$@"
    fails 2 '  is not merged' class merge "$there"
    shows "^hpclab: $there/class.db: $line\$" "  with the line: $line"
}
gives="expected what lab91 gives"
forged 'more points than the task has' "carl has 1e[+]06 of 40 points in 'more', 0 pending; $gives" 1e6 0 max_points=40
forged 'a larger task' "carl has 400 of 400 points in 'more', 0 pending; $gives" 400 0 max_points=400
forged 'fewer than none pending' "carl has 40 of 40 points in 'more', -50 pending; $gives" 40 -50 max_points=40
forged 'a verdict that there is not' 'no record of schema 1; expected what ./grade wrote' 40 0 max_points=40 verdict=won
export FULL=1
check 'what was graded in full here' row "$out" 0 40 max_points=0
unset FULL
check 'and by a quick look there' row "$there" 40 0 max_points=40
fails 2 'is not merged' class merge "$there"
shows 'carl was graded with --quick there, expected it without, as here$' 'and it says so'
check 'nor was anything' test "$(field carl score)" = 65
sql() { python3 -c 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.executescript(sys.argv[2])' "$scratch/forged/class.db" "$1"; }
odd() { # TEXT SQL STATUS LINE
    rm -rf forged && cp -r "$there" forged
    check "$1" sql "$2"
    fails "$3" '  is not merged' timeout -k 1 60 "$hpclab" class merge "$scratch/forged" --lab lab91 --plain
    shows "$4" "  with the line: $4"
}
table='CREATE TABLE other AS SELECT * FROM grading; DROP TABLE grading'
odd 'rows by a query without an end' "$table; CREATE VIEW grading AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT o.* FROM n, other AS o" \
    2 'forged/class.db: no tables word and grading, expected a class.s state$'
odd 'rows without words' "$table; UPDATE other SET seed = NULL; CREATE TABLE grading AS SELECT * FROM other" \
    2 'carl was graded with --quick there'
odd 'bytes in place of a record' 'UPDATE grading SET record = zeroblob(9)' 2 "forged/class.db:1: .*; expected a record that ./grade wrote$"
odd 'no lab' 'CREATE TABLE w AS SELECT key, NULL AS value FROM word; DROP TABLE word; ALTER TABLE w RENAME TO word' 2 'is a class of , expected one of lab91$'
rm forged/class.db && mkfifo forged/class.db
fails 2 'a pipe' timeout -k 1 60 "$hpclab" class merge "$scratch/forged" --lab lab91 --plain
shows 'forged/class.db: Invalid argument, expected a class.s state, a regular file$' 'is none'
fails 2 'no class' class merge "$scratch"
fails 2 'no folder' class merge
shows 'a folder behind it' 'says what is missing'
echo '; changed' >>"$HPC_ROOT/labs/lab91/lab.ini"
check 'another state of the lab' class grade dir --quick --roster roster.csv
fails 2 'is not merged' class merge "$there"
shows 'lab91 was another one there' 'and it says why'

if command -v sim_c >/dev/null; then
    mkdir past && handed "$right" 'past/<i>term'
    # What repeats itself takes sim_c the square of its length: minutes, of 600 KiB.
    { cat "$right" && yes 'void f(void) { a(); b(); }' | head -n 24000; } >long.c && handed long.c past/long
    check 'similar' class similar --past past
    shows '^hpclab: past long: flat.c is 6[0-9]* KiB long, of which the first 32 are compared: look at it$' 'of a long one the begin'
    shows '^ *(9[0-9]|100)%  3 alike in flat.c: ada, bob, carl; as ' 'finds the same under other names, as one group'
    shows '; as .*reference mlp/flat \((9[0-9]|100)%\)' 'and the reference'
    shows '; as .*past <i>term \((9[0-9]|100)%\)' 'and another term'
    check 'none of whom is in a pair' test -z "$(grep -E '%  (ada|bob|carl), (ada|bob|carl):' "$scratch/.output")"
    check 'whose members stand each beside one other' test "$(grep -cE '^<h3>.*%: (ada|bob|carl), (ada|bob|carl) ' "$out/similar.html")" = 2
    class similar --past past >"$scratch/.output" 2>&1
    check 'what was given is nobody'"'"'s' test -z "$(grep eve "$scratch/.output")"
    check 'references are not compared with each other' test -z "$(grep -E '(past|reference).*, (past|reference)' "$scratch/.output")"
    check 'the page is the instructors alone' test "$(stat -c %a "$out/similar.html")" = 600
    check 'has the shared lines' grep -q 'my_i' "$out/similar.html"
    check 'and their words escaped' test "$(grep -c '<i>' "$out/similar.html") $(grep -c 'past &#60;i&#62;term' "$out/similar.html" | sed 's/[1-9][0-9]*/some/')" = '0 some'
    check 'nothing is left' test -z "$(ls "$HPC_ROOT/build/tmp")"
    handed "$right" two/x && handed "$right" two/y
    check 'two' class grade two --quick --folder two.class
    check 'of one program' class similar --folder two.class
    shows '^100%  x, y: flat.c, [0-9]+ tokens, lines [0-9]+-[0-9]+/' 'are a pair'
    # A copy of the same program, as nobody's lines: macros with arguments, dead lines, words on two lines, and more.
    grep -v '^$' "$right" >x.c
    awk '/^#/ || /\\$/ || cut { print; cut = /\\$/; next } { print; print "#if 0\nq[3] = goto z;\n#endif" }' x.c >dead.c
    { echo '#define SAME(a) a' && sed -E '/^    /s/([ (*[-])([a-z]) /\1SAME(\2) /g' x.c; } >macro.c
    sed -E '/^    /s/([a-z][a-z])([a-z][a-z])/\1\\\n\2/' x.c >spliced.c
    sed -E '/^    .*;$/s/$/ __extension__ ;/' x.c >noise.c
    for how in dead macro spliced noise; do handed $how.c copied/$how; done
    handed "$right" copied/x
    check 'copies' class grade copied --quick --folder copied.class
    check 'in disguise' class similar --folder copied.class
    shows '^ *(9[0-9]|100)%  5 alike in flat.c: dead, macro, noise, spliced, x' 'are one group'
    { echo '#include "nowhere.h"' && cat "$right"; } >lost.c && handed lost.c lost/a && handed "$right" lost/b
    check 'one that gcc does not take' class grade lost --quick --folder lost.class
    check 'is compared' class similar --folder lost.class
    shows '^hpclab: a: flat.c is compared as it was written: gcc does not take it$' 'with a word of it'
    shows '%  a, b: flat.c' 'and found'
    PATH=/nowhere fails 3 'without sim_c' "$hpclab" class similar --lab lab91 --plain
else
    skip 'class similar' 'no sim_c here: the package similarity-tester'
fi
done_testing
