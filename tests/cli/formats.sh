#!/usr/bin/env bash
# ./grade --format: each against what its system takes; make gradescope, run as Gradescope runs it.
. tests/tap.sh
copy=copy_all . tests/cli/lib/class.sh
sed -i 's/^points_correct = 100/points_correct = 60\n\n[task more]\ntitle = On a machine that nobody has\nop = mlp_sgd\nfile = more.c\nbaseline = mlp\/serial\nreference = mlp\/flat\nneeds = threads:4096\ncases = tiny\npoints_correct = 40/' "$HPC_ROOT/labs/lab91/lab.ini"
cp "$right" "$HPC_ROOT/labs/lab91/starter/more.c"
mkdir "$scratch/ada" && cp "$right" "$scratch/ada/flat.c"
cp -r "$scratch/ada" "$scratch/bob" && cp "$wrong" "$scratch/bob/flat.c"
cd "$scratch" || exit 1
grade() { "$hpclab" grade lab91 --quick --plain --from "$1" --as "=$1 <b>" --format "$2" "$3"; }
valid() { # FORMAT FILE SCORE
    python3 - "$@" <<'END'
import csv, json, sys, xml.etree.ElementTree as xml
name, path, score = sys.argv[1], sys.argv[2], float(sys.argv[3])
text = {"type": "string"}
number = {"type": "number"}
def thing(required, **properties):
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}
# As each system's documentation has it (docs/instructor.md names the pages).
show = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
status = {"enum": ["pass", "fail", "error"]}
schemas = {
    "gradescope": thing(["score", "tests"], score=number, execution_time=number, output=text, visibility=show,
        stdout_visibility=show, extra_data={"type": "object"},
        tests={"type": "array", "items": thing(["score", "max_score", "name"], score=number, max_score=number,
            status={"enum": ["passed", "failed"]}, name=text, number=text, output=text, visibility=show)},
        leaderboard={"type": "array", "items": thing(["name", "value"], name=text, value=number,
            order={"enum": ["asc", "desc"]})}),
    "autolab": thing(["scores"], scores={"type": "object", "additionalProperties": number},
        scoreboard={"type": "array", "items": number}),
    "classroom": thing(["status", "max_score", "tests"], version={"const": 1}, status=status, max_score=number,
        tests={"type": "array", "items": thing(["name", "status", "message", "score"], name=text,
            status=status, message=text, score=number, test_code=text,
            filename={"type": ["string", "null"]}, line_no=number)}),
    "prairielearn": thing(["score"], gradable={"type": "boolean"},
        score={"type": "number", "minimum": 0, "maximum": 1}, message=text,
        tests={"type": "array", "items": thing(["name", "points", "max_points"], name=text, description=text,
            points=number, max_points=number, message=text, output=text)}),
}
raw = open(path, encoding="utf-8").read()
if name in schemas:
    import jsonschema
    got = json.loads(raw)
    jsonschema.validate(got, schemas[name])
if name == "gradescope":
    assert got["score"] == score and got["tests"][1]["max_score"] == 0, got
    assert got["tests"][0]["status"] == ("passed" if score else "failed") and "status" not in got["tests"][1], got
    assert got["output"] == f"{score:.1f} of 60; 40 more are pending", got
    assert score or "\nhint: " in got["tests"][0]["output"], got  # a line of its own
elif name == "autolab":  # the last line of what an autograder prints; problems by their names
    assert got["scores"] == {"flat": score, "more": 0} and raw.count("\n") == 1 and raw.endswith("\n"), raw
elif name == "classroom":  # the reporter adds up the scores of tests against max_score
    assert got["max_score"] == 100 and got["status"] == "fail", got
    assert sum(t["score"] for t in got["tests"]) == score, got
elif name == "prairielearn":
    assert got["score"] == score / 100 and len(raw) < 1e6, got
elif name == "junit":  # the elements and required attributes of Jenkins' junit-10.xsd
    suite = xml.fromstring(raw.encode())
    known = {"testsuite": "name tests failures errors skipped", "testcase": "name classname", "failure": "message",
             "skipped": "message"}
    for e in suite.iter():
        assert set(e.keys()) == set(known[e.tag].split()), e.attrib
    assert suite.tag == "testsuite" and suite.get("tests") == "2" == str(len(suite.findall("testcase")))
    assert suite.get("skipped") == "1" == str(len(suite.findall("testcase/skipped")))
    assert suite.get("failures") == ("0" if score else "1") == str(len(suite.findall("testcase/failure")))
elif name == "canvas":  # what its importer asks of a header, of the row of points and of each line's fields
    rows = list(csv.reader(raw.splitlines()))
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "lab91"], rows
    assert "Points Possible" in rows[1][0] and rows[1][5] == "100" and float(rows[2][5]) == score, rows
    assert [len(row) for row in rows] == [6, 6, 6] and rows[2][0][0] == "'" and rows[2][2] == rows[2][0], rows
elif name == "moodle":  # a grade and its feedback together, else an import takes one away
    rows = list(csv.DictReader(raw.splitlines()))
    assert len(rows) == 1 and float(rows[0]["Grade"]) == score <= float(rows[0]["Maximum Grade"]), rows
    assert rows[0]["ID number"][0] == "'" and "of 60; 40 more are pending" in rows[0]["Feedback comments"], rows
else:
    sys.exit("no such format here: " + name)
END
}
right_then() { grade ada "$1" "ada.$1"; [ $? = 0 ] && valid "$1" "ada.$1" 60; }
wrong_then() { grade bob "$1" "bob.$1"; [ $? = 1 ] && valid "$1" "bob.$1" 0; }
for format in gradescope autolab classroom prairielearn junit canvas moodle; do
    check "$format: right" right_then $format
done
for format in gradescope autolab classroom prairielearn junit canvas moodle; do
    check "$format: wrong" wrong_then $format
done
# What --only leaves out is neither passed nor lost there: it is another grading's.
only() { # FORMAT: the names of tests in it
    "$hpclab" grade lab91 --quick --plain --from ada --only flat --format "$1" "only.$1" >/dev/null
    python3 -c 'import json, sys, xml.etree.ElementTree as xml
if sys.argv[1] == "junit":
    cases = xml.parse(sys.argv[2]).getroot().findall("testcase")
    print(*[t.get("name") for t in cases if t.find("skipped") is None])
else:
    got = json.load(open(sys.argv[2]))
    print(*got["scores"] if sys.argv[1] == "autolab" else [t["name"] for t in got["tests"]])' "$1" "only.$1"
}
for format in gradescope autolab classroom prairielearn junit; do
    check "$format: a task alone" test "$(only $format)" = flat
done
check 'classroom: which is all of it' grep -q '"status": "pass", "max_score": 60' only.classroom
# A bonus lies beyond the lab's 100: each system's way to say so, and nothing that one refuses or counts as lost.
bonus_lab=$HPC_ROOT/labs/lab92
cp -r "$HPC_ROOT/labs/lab91" "$bonus_lab"
sed -i '/^\[task more\]/,/^points_correct/d; s/^points_correct = 60/points_correct = 100/' "$bonus_lab/lab.ini"
sed -i '/^\[cases/i [task extra]\ntitle = Beyond\nop = mlp_sgd\nbaseline = mlp/serial\nreference = mlp/flat\nflags = -O1 -ffp-contract=off\nsymbols = malloc calloc free memcpy memset exp tanh fmax aligned_alloc\ncases = tiny\nbonus = yes\npoints_correct = 5\n' "$bonus_lab/lab.ini"
mkdir with no_bonus && cp "$right" with/flat.c && cp "$right" with/extra.c && cp "$right" no_bonus/flat.c
takes_bonus() { # FORMAT with|no_bonus
    "$hpclab" grade lab92 --quick --plain --from "$2" --format "$1" "$2.$1" >/dev/null && python3 - "$1" "$2.$1" "$2" <<'END'
import csv, json, sys, xml.etree.ElementTree as xml
name, path, more = sys.argv[1], sys.argv[2], 5 if sys.argv[3] == "with" else 0
raw = open(path).read()
got = json.loads(raw) if raw[0] == "{" else None
if name == "gradescope":
    extra = got["tests"][1]
    assert got["score"] == 100 + more and extra["name"] == "extra (bonus)" and extra["score"] == more, got
    assert "max_score" not in extra and extra.get("status") == ("passed" if more else None), got
    assert got["output"] == "100.0 of 100" + (" and 5.0 bonus" if more else ""), got
elif name == "autolab":
    assert got["scores"] == {"flat": 100, "extra": more}, got
elif name == "classroom":
    assert got["status"] == "pass" and got["max_score"] == 100 == sum(t["score"] for t in got["tests"]), got
elif name == "prairielearn":
    assert got["score"] == 1 and got["tests"][1]["max_points"] == more, got
elif name == "junit":
    suite = xml.fromstring(raw)
    assert suite.get("failures") == "0" and suite.get("skipped") == ("0" if more else "1"), raw
elif name == "canvas":
    rows = list(csv.reader(raw.splitlines()))
    assert rows[1][5] == "100" and float(rows[2][5]) == 100 + more, rows
else:
    row = list(csv.DictReader(raw.splitlines()))[0]
    assert (row["Grade"], row["Maximum Grade"], row["Bonus"]) == ("100", "100", str(more)), row
END
}
for format in gradescope autolab classroom prairielearn junit canvas moodle; do
    check "$format: a bonus" takes_bonus $format with
    check "$format: a bonus that was not handed in" takes_bonus $format no_bonus
done
mkdir class && cp -r with class/ada && cp -r no_bonus class/bob
"$hpclab" class grade class --lab lab92 --quick --plain >"$scratch/.output" 2>&1
shows '^ada  100\.0 of 100 and 5\.0 bonus$' 'class grade parts the bonus'
check "Moodle's import of a class has no grade above the points" test \
    "$(sed 1d "$HPC_ROOT/results/class/lab92/moodle.csv" | sort | tr '\n' '|')" = '"ada",100,100,"100.0 of 100 and 5.0 bonus",5|"bob",100,100,"100.0 of 100",0|'
check "Canvas's has all in one" grep -qx '"ada",,"ada",,,105' "$HPC_ROOT/results/class/lab92/canvas.csv"
check 'the gradebook has both' test "$(python3 -c 'import csv, sys
print([(r["score"], r["max_score"], r["bonus"]) for r in csv.DictReader(open(sys.argv[1])) if r["id"] == "ada"])' "$HPC_ROOT/results/class/lab92/gradebook.csv")" = "[('105', '100', '5')]"
fails 2 'a format that there is not' grade ada blackboard ada.x
fails 2 'no file' "$hpclab" grade lab91 --quick --from ada --format junit
shows '^hpclab: --format junit: expected a file behind it' 'says so'
fails 2 'a lab in place of a file' "$hpclab" grade --format junit lab91
fails 3 'a file that cannot be written' grade ada junit nowhere/junit.xml
fails 2 'two labs' "$hpclab" grade lab91 lab1
if command -v zip >/dev/null && command -v unzip >/dev/null; then
    tree=$HPC_ROOT
    mkdir -p "$tree/build" && cp -p "$hpclab" "$tree/build/hpclab"
    check 'make gradescope' bash -c "cd '$tree' && mk/autograder gradescope lab91 >said"
    check 'says so in 80 columns' awk 'length > 80 { exit 1 }' "$tree/said"
    mkdir -p autograder/source autograder/submission
    check 'is a .zip' unzip -q -d autograder/source "$tree/dist/gradescope-lab91.zip"
    check 'with what Gradescope starts' test -x autograder/source/setup.sh -a -x autograder/source/run_autograder
    unset HPC_ROOT
    cp -a "$tree/build" autograder/source/hpclab/
    export HPC_AUTOGRADER=$scratch/autograder
    cp ada/flat.c autograder/submission/
    check 'a submission of single files' autograder/source/run_autograder
    check 'has its results' valid gradescope autograder/results/results.json 60
    rm autograder/submission/* && tar -czf autograder/submission/handin.tar.gz -C bob flat.c
    check 'an archive alone' autograder/source/run_autograder
    check 'too' valid gradescope autograder/results/results.json 0
    rm autograder/submission/* && echo nothing >autograder/submission/README
    check 'something else' autograder/source/run_autograder
    check 'is said to be it' grep -q 'holds no file of lab91' autograder/results/results.json
    # An image has no python3 that nobody asked for.
    mkdir "$scratch/without" && printf '#!/bin/sh\nexit 127\n' >"$scratch/without/python3" && chmod +x "$scratch/without/python3"
    printf '#!/bin/sh\nprintf '"'"'it says "no",\ta \\\\\\n'"'"' >&2\nexit 3\n' >autograder/source/hpclab/grade
    check 'a grading that ends without a result' env PATH="$scratch/without:$PATH" autograder/source/run_autograder
    check 'is said with its last line' python3 -c 'import json, sys
assert json.load(open(sys.argv[1]))["output"] == "not graded: it says \"no\", a \\", open(sys.argv[1]).read()' autograder/results/results.json
else
    skip 'make gradescope' 'zip and unzip are not here'
fi
done_testing
