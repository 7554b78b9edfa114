#!/usr/bin/env bash
# report: one page of a lab's results. Here all of them are hostile; nothing is graded.
. tests/tap.sh
hpclab=$PWD/build/hpclab
look=$PWD/tests/page.py
export HPC_ROOT=$scratch/root
mkdir -p "$HPC_ROOT"
copy_project "$HPC_ROOT" lib
cd "$HPC_ROOT" || exit 1
results=results/lab6
mkdir -p $results/bench $results/profile
says 2 '^hpclab: lab6 was not graded yet: make lab6 && ./grade$' 'before any grading' "$hpclab" report lab6

python3 - labs/lab6 $results <<'PY'
import json, sys
labs, results = sys.argv[1:]
bad = "</pre></td><script>alert(1)</script><img src=http://example.org/x onerror=alert(2)>\"'&amp;\u202e\x07"
task = lambda name, verdict, reason: {
    "name": name, "title": bad, "points": 7.5, "max_points": 30, "pending": 0, "waited": {"noisy": 0, "environment": 0},
    "verdict": verdict, "reason": reason, "hint": bad, "reproduce": bad, "safety": bad,
    "correctness": {"cases": 3, "passed": 1, "first_failure": bad}, "traffic": None,
    "speed": {"student_s": 1, "baseline_s": 2, "ratio": 2, "ci_low": 1.9, "ci_high": 2.1, "pairs": 9, "target": 3,
              "target_source": bad, "fraction_of_floor": 0.5, "disturbed": 0,
              "counters": {"cores": 1.94, "function": bad, "share": 0.62, "copy": None}}}
record = {"schema": 1, "lab": "lab6", "implementation": bad[:10], "device": "cpu", "version": bad, "seed": "3",
          "complete": True, "official": False, "quick": False, "gradings": 1,
          "machine": {"cpu": bad, bad: 2, "gpu": None, "governor": "", "memory_gib": 23.540168762206999, "long": "x" * 400},
          "tasks": [task("tiled_halo", "unsafe", "race at labs/lab6/tiled_halo.cu:5, labs/lab6/tiled_halo.cu:7 " + bad),
                    task("register", "pass", bad), dict(task("constant", "pass", bad), points=3.0, max_points=0),
                    task("no such task", "wrong", "labs/lab6/../../etc/passwd:1"),
                    dict(task("prediction", "skipped", bad), points=0, max_points=0)]}
json.dump(record, open(results + "/record.json", "w"))
lines = [f"line_{i}(); /* {bad if i == 6 else ''} */" + " long" * 90 * (i == 7) for i in range(1, 40)]
open(labs + "/tiled_halo.cu", "w").write("\n".join(lines))
open(results + "/tiled_halo.txt", "w").write("race-shared in f, labs/lab6/tiled_halo.cu:30\n  " + bad + "\n")
with open(results + "/history.csv", "w") as f:
    for day in (3, 1, 2):
        f.write(f"2026-11-0{day}T08:15:24Z,full,yes,{day}0.00,100.00,0.00,3,student,0.1.0,{bad[:14]}\n")
open(results + "/bench/size.svg", "w").write(
    "<svg xmlns='http://www.w3.org/2000/svg' width='3000' height='50'><script>alert(3)</script></svg>")
open(results + "/bench/size.txt", "w").write(bad)
side = lambda n, write: {"block": [0, 0, 0], "thread": [n, 0, 0], "file": "labs/lab6/tiled_halo.cu", "line": n,
                         "write": write}
json.dump(dict(side(12, True), kind="race-shared", kernel=bad, variable=bad, text=bad, advice=bad, other=side(20, False)),
          open(results + "/tiled_halo.jsonl", "w"))
json.dump({"kind": "traffic-line", "kernel": bad, "file": "labs/lab6/tiled_halo.cu", "line": 12, "access": bad,
           "variable": bad, "requests": 4, "units": 40, "lanes": 128, "most": 10, "bytes": 4, "touched": [[0, 0], [1, 99]]},
          open(results + "/profile/tiled_halo.jsonl", "w"))
PY
pictures=1
if command -v gnuplot >/dev/null; then
    gnuplot -e "set terminal svg size 800,520 dynamic background 'white'; set output '$results/bench/drawn.svg'; set title 'words'; plot x"
    pictures=$((pictures + 1))
fi
if command -v dot >/dev/null; then
    echo 'digraph { node [shape=box style=filled fillcolor="0 0.5 1"]; a -> b [label="words"] }' | dot -Tsvg -o $results/profile/graph.svg
    pictures=$((pictures + 1))
fi
if command -v dot >/dev/null; then
    printf 'Call graph\nof many lines\n' >$results/profile/graph.txt
    echo 'who calls whom, in a sentence' >$results/profile/graph.svg.txt
fi
ln -s /etc/passwd $results/bench/leak.svg
check 'a page of all that' "$hpclab" report lab6
page=$results/report.html
check 'is well-formed, with nothing from elsewhere, alt texts and one script' python3 "$look" form $page
check 'the place in the verdict, with lines around it' grep -q '^<mark>   5  line_5()' $page
check 'of two near ones in one list' grep -q '^<p>Lines 5 and 7 of <code>labs/lab6/tiled_halo.cu' $page
check 'with no line twice' test "$(grep -c '^   6  line_6()' $page)" = 1
check 'and that in the checker'"'"'s list' grep -q '^<mark>  30  line_30()' $page
check 'both sides of a race' eval "grep -q '^<mark>  12  line_12()' $page && grep -q '^<mark>  20  line_20()' $page"
check 'in two lanes' grep -q '<div class="race">' $page
check 'who writes, and who reads' eval "grep -q '>WRITES at labs/lab6/tiled_halo.cu:12<' $page && grep -q '>READS at ' $page"
check 'and none besides' test "$(grep -c '<mark>' $page)" = 5
check 'requests by line' grep -q '<td>12</td>.*<td>4</td><td class="one">10.00 sectors</td><td>32.0</td><td><code>line_12();' $page
check 'its neighbours' grep -q '^   8  line_8()' $page
check 'no file of another place' eval '! grep -q root: $page'
check "the machine's memory as one says it" grep -q '<dt>memory, GiB</dt><dd>23.5</dd>' $page
check 'and nothing of what it has not' eval '! grep -qE "null|governor" $page'
check 'the scores have a scale, and days' grep -q '>100%</text>.*>2026-11-0[0-9]</text>' $page
check 'a bonus is none of the points' grep -q '<b class="score">22.5 of 90 points</b> and 3.0 bonus' $page
check 'and stands in its row' grep -q '<td>+3.0</td>' $page
check 'but not in that of a task that was left out' grep -q '<td>prediction</td><td class="wait">skipped</td><td class="one">1 of 3</td><td></td>' $page
check 'a grading to the minute' grep -q '<td class="one">2026-11-02 08:15</td>' $page
check "the checker's sentences in lines as long as there is room" grep -q '<pre class="said">race-shared in f' $page
check 'no column for what no task waits for' test "$(grep -o '>pending<' $page | wc -l)" = 1 # the history's
check 'its verdict beside a task' grep -q '<h3>tiled_halo: <span class="bad">unsafe</span></h3>' $page
check 'what was seen of a timed task' grep -q '<p><b>Seen:</b> 1.9 cores on average; 62% of its time in .*; 50.0% of its' $page
check "no program's own text below a picture" eval '! grep -q "of many lines" $page'
if command -v dot >/dev/null; then check 'but its sentence' grep -q '<figcaption>who calls whom, in a sentence' $page; fi
check 'a link is no picture' test "$(grep -c 'data:image' $page)" = $pictures
check 'the words are there, as words' grep -q '&#60;script&#62;alert(1)&#60;/script&#62;' $page
check 'nothing turns the line'"'"'s direction' eval '! grep -qP "\x{202e}|\x07" $page'
if browser=$(command -v chromium) && [ -n "$("$browser" --headless --no-sandbox --disable-gpu \
    --user-data-dir="$scratch/browser" --dump-dom about:blank 2>/dev/null)" ]; then
    check 'in Chromium: no error, no overflow, contrast, columns that sort' python3 "$look" look $page "$browser"
else
    skip 'in Chromium' 'no chromium that starts here'
fi
sed -i 's/"schema": 1/"schema": 7/' $results/record.json
says 2 'no record of schema 1' 'a record of another schema' "$hpclab" report lab6
check 'leaves the page' test -s $page
done_testing
