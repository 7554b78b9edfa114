#!/usr/bin/env bash
# long: a minute of processors.
# Every kind of jail that works here grades every lab's reference: right, and clean under the sanitizers
# and the checker. Nothing is timed, and no answers are marked, which no jail has to do with.
# Works on a copy of the project.
. tests/tap.sh
. tests/cli/lib/mpi.sh
hpclab=$PWD/build/hpclab
unset HPC_JAIL
export HPC_ROOT=$scratch/root HPC_NVCC=none
chmod 755 "$scratch" # a user id of its own wants to walk to the project
copy_project "$HPC_ROOT" lib device
cd "$HPC_ROOT" || exit 1
rm labs/*/hidden.ini
share_builds # a jail builds lab3 and lab5 itself
short_cases

# The labs without answers and speed: their points go to what is right.
python3 - labs/*/lab.ini <<'PYTHON' || exit 1
import re, sys
timed = r"points_|bonus|speed_case|baseline_case|target_copy"
for name in sys.argv[1:]:
    kept, points = [], 0
    for section in re.split(r"(?m)^(?=\[)", open(name).read()):
        if re.match(r"\[(sheet|problem) ", section): # of answers
            continue
        if section.startswith("[task "):
            lines = section.splitlines(True)
            if not re.search(r"(?m)^bonus *= *yes", section):
                points += sum(float(l.split("=")[1]) for l in lines if re.match(r"points_", l))
            if re.search(r"(?m)^kind *= *answers", section):
                continue
            section = "".join(l for l in lines if not re.match(timed, l))
            section = section.rstrip() + "\npoints_correct = POINTS\n\n"
        kept.append(section)
    n, text = sum("POINTS" in s for s in kept), "".join(kept)
    text = text.replace("POINTS", "1", n - 1).replace("POINTS", "%g" % (points - n + 1))
    open(name, "w").write(text)
PYTHON

judge() { # a record in which every task is right and safe
    python3 - "$1" <<'PYTHON'
import json, sys
bad = [(t["name"], t["verdict"], t["reason"], t["safety"]) for t in json.load(open(sys.argv[1]))["tasks"]
       if not (t["verdict"] == "pass" and t["points"] >= t["max_points"]
               and t["correctness"]["passed"] == t["correctness"]["cases"]
               and all(": clean" in s or "unchecked" in s for s in t["safety"].split("; ") if s))]
sys.exit("\n".join(map(str, bad)) or 0)
PYTHON
}

tiers=$("$hpclab" doctor --jail | sed -n 's/^jail: .*(tiers here: \(.*\))$/\1/p')
mkdir "$scratch/handed" && cp conv1d/variants/single_block.cu "$scratch/handed/"
check 'there is a jail here' test -n "$tiers"
for tier in $tiers; do
    for lab in labs/lab*; do
        lab=${lab#labs/}
        if [ "$lab" = lab9 ] && ! { [ "$tier" = bubblewrap ] && have_mpi; }; then
            HPC_JAIL=$tier fails 3 "$tier: lab9's ranks are not graded" "$hpclab" grade "$lab" --impl reference --plain
            shows 'no Open MPI here: run ./bootstrap --mpi|expected bubblewrap, here is' 'which is said'
            continue
        fi
        rm -f "$scratch/record.json"
        HPC_JAIL=$tier fails 0 "$tier: $lab's reference has all points" \
            "$hpclab" grade "$lab" --impl reference --device cpu --plain --json "$scratch/record.json"
        check "$tier: $lab: all tasks right and clean" judge "$scratch/record.json"
    done
    # Somebody's project is links to ours: its device is our CPU device in each kind of jail.
    HPC_JAIL=$tier fails 0 "$tier: lab5 of a folder has all points" \
        "$hpclab" grade lab5 --from "$scratch/handed" --only single_block --device cpu --plain
done
done_testing
