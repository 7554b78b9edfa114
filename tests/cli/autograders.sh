#!/usr/bin/env bash
# make autolab, make classroom: each run as its system runs it. Gradescope's is in formats.sh.
. tests/tap.sh
copy=copy_all . tests/cli/lib/class.sh
from=$PWD
mkdir -p "$HPC_ROOT/build" && cp -p "$hpclab" "$HPC_ROOT/build/hpclab"
cd "$HPC_ROOT" || exit 1
[ ! -d "$from/.deps" ] || ln -s "$from/.deps" .deps

narrow() { mk/autograder "$@" >"$scratch/.output" && awk 'length > 80 { exit 1 }' "$scratch/.output"; }
check 'make autolab' narrow autolab lab91
check 'what it has to be' test "$(ls dist/autolab-lab91 | tr '\n' ' ')" = 'autograde-Makefile autograde.tar '
job() { # FILE ..: what Autolab puts into the folder of a job, and starts
    rm -rf "$scratch/job" && mkdir "$scratch/job" && cp dist/autolab-lab91/autograde.tar "$scratch/job/"
    cp dist/autolab-lab91/autograde-Makefile "$scratch/job/Makefile"
    cp "$@" "$scratch/job/"
    (cd "$scratch/job" && env -u HPC_ROOT HPC_IMAGE="$scratch/image" make -s >"$scratch/printed" 2>"$scratch/errors")
}
scores() { # POINTS: the last line is JSON with scores, and the scoreboard's numbers
    tail -n 1 "$scratch/printed" | python3 -c 'import json, sys
got = json.load(sys.stdin)
assert set(got) == {"scores", "scoreboard"} and all(isinstance(x, (int, float)) for x in got["scoreboard"]), got
assert got["scores"] == {"flat": float(sys.argv[1])}, got' "$1"
}
# The image: the project, built; here with what was built anyway.
mkdir -p "$scratch/image" && tar -xf dist/autolab-lab91/autograde.tar -C "$scratch/image" --strip-components=1 hpclab
mkdir "$scratch/image/build"
find build -mindepth 1 -maxdepth 1 ! -name tests-kept -exec cp -a -t "$scratch/image/build" {} +
cp "$right" "$scratch/flat.c"
check 'a job with a file' job "$scratch/flat.c"
check 'has its points' scores 100
handed "$wrong" "$scratch/handin.tar.gz"
check 'a job with an archive' job "$scratch/handin.tar.gz"
check 'has none for what is wrong' scores 0
cp "$wrong" "$scratch/notes.txt"
check 'a job with something else' job "$scratch/notes.txt"
check 'still ends with a line of scores' sh -c "tail -n 1 '$scratch/printed' | grep -qx '{\"scores\": {}}'"
check 'and says why' grep -rq 'holds no file of lab91' "$scratch/printed" "$scratch/errors"
check 'make classroom' narrow classroom lab91
# Each step of the workflow that has a command, as its runner starts it: bash -e, outputs to a file.
cat >"$scratch/steps.py" <<'END'
import base64, json, os, subprocess, sys, yaml
flow = yaml.safe_load(open(sys.argv[1]))
assert flow[True] == ["push", "workflow_dispatch"], flow  # yaml's "on"
(job,) = flow["jobs"].values()
outputs = {}
for step in job["steps"]:
    assert set(step) <= {"name", "id", "run", "uses", "with", "env"} and ("run" in step) != ("uses" in step), step
    if "run" in step:
        path = sys.argv[2] + ".output"
        open(path, "w").close()
        subprocess.run(["bash", "-e", "-c", step["run"]], cwd=sys.argv[2], check=True, env={**os.environ, "GITHUB_OUTPUT": path})
        outputs.update((f"${{{{ steps.{step.get('id')}.outputs.{k} }}}}", v)
                       for k, v in (line.rstrip("\n").split("=", 1) for line in open(path)))
reporter = job["steps"][-1]
assert reporter["uses"].startswith("classroom-resources/autograding-grading-reporter@"), reporter
(name,) = reporter["with"]["runners"].split(",")
result = json.loads(base64.b64decode(outputs[reporter["env"][name.upper() + "_RESULTS"]]))
assert result["version"] == 1 and result["max_score"] == 100, result
assert sum(t["score"] for t in result["tests"]) == float(sys.argv[3]), result
END
if ! python3 -c 'import yaml' 2>/dev/null; then
    skip 'the workflow' "no yaml for python3 here"
    done_testing
    exit
fi
check 'a release for it' "$hpclab" release lab91 --no-check
mkdir "$scratch/repository" && tar -xzf dist/hpclab-lab91-*.tar.gz -C "$scratch/repository" --strip-components=1
[ ! -d .deps ] || ln -s "$from/.deps" "$scratch/repository/.deps"
# What was compiled here is not compiled again: the same compiler, under the same name.
mkdir "$scratch/repository/build"
if [ "${SANITIZE:-}" = 1 ]; then
    unset SANITIZE # a release has no sanitizers to link with
else
    for part in flags obj lib; do cp -al "$from/build/$part" "$scratch/repository/build/" 2>/dev/null || cp -a "$from/build/$part" "$scratch/repository/build/"; done
fi
CC=$(sed 's/ -std=.*//' "$from/build/flags")
export CC
unset HPC_ROOT
check 'the starter' python3 "$scratch/steps.py" dist/classroom-lab91.yml "$scratch/repository" 0
cp "$right" "$scratch/repository/labs/lab91/flat.c"
check 'what is right' python3 "$scratch/steps.py" dist/classroom-lab91.yml "$scratch/repository" 100
echo 'garbage' >"$scratch/repository/labs/lab91/lab.ini"
fails 1 'a repository that is broken' python3 "$scratch/steps.py" dist/classroom-lab91.yml "$scratch/repository" 0
done_testing
