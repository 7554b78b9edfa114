#!/usr/bin/env python3
"""The files that a student's source passes on its way to a score, counted by gcov.

    mk/journey.py PROGRAM OBJECTS ROOT     `make journey` makes all three

In ROOT, a copy of the project, lab1's reference is put into the student's place and graded by
PROGRAM, a hpclab whose objects in OBJECTS were compiled with --coverage. Of each .c file with a line
that ran the room counts: those of WAY are the way itself, all others what it stands on. How many the
way has must stand in docs/architecture.md, as `passes N files`, the name of each in the section
that tells it; else the exit status is 1. The jail's are told with and without."""
import json
import os
import re
import shutil
import subprocess
import sys

# A source, its runner and its results pass these. verbs/ reads words before them and prints after
# them; a jail is the same for a compiler, a runner and a probe; lab/ and machine/ are read whoever
# hands in; common/ and op/ know of no grading.
WAY = ("handin", "build", "exchange", "trial", "measure", "grade", "record")
PAGE = "docs/architecture.md"


def grade(program, objects, root):
    """Grade in ROOT; what the program counts, with the notes of its objects, in ROOT/coverage."""
    counts = os.path.join(root, "coverage")
    shutil.copytree(objects, counts, ignore=lambda folder, names: [
        n for n in names if not (n.endswith(".gcno") or os.path.isdir(os.path.join(folder, n)))])
    strip = len(os.path.abspath(objects).strip("/").split("/"))
    env = dict(os.environ, HPC_ROOT=root, GCOV_PREFIX=counts, GCOV_PREFIX_STRIP=str(strip))
    idle = dict(env, GCOV_PREFIX=os.path.join(root, "elsewhere"))
    subprocess.run([program, "build", "lab1"], cwd=root, env=idle, stdout=subprocess.DEVNULL,
                   check=True)
    shutil.copy(os.path.join(root, "mlp/variants/flat.c"), os.path.join(root, "labs/lab1/flat.c"))
    record = os.path.join(root, "record.json")
    subprocess.run([program, "grade", "lab1", "--only", "flat", "--plain", "--json", record],
                   cwd=root, env=env, stdout=subprocess.DEVNULL, check=False)
    with open(record, encoding="utf-8") as f:
        task = [t for t in json.load(f)["tasks"] if t["name"] == "flat"][0]
    if task["verdict"] not in ("pass", "noisy"):
        sys.exit(f"mk/journey.py: flat is {task['verdict']}, expected pass or noisy")
    return counts


def files_that_ran(counts):
    found = set()
    for folder, _, names in os.walk(counts):
        for name in names:
            if not name.endswith(".gcda"):
                continue
            text = subprocess.run(["gcov", "-j", "-t", os.path.join(folder, name)],
                                  capture_output=True, text=True, check=True).stdout
            for line in text.splitlines():
                for f in json.loads(line)["files"]:
                    if f["file"].endswith(".c") and any(c["count"] for c in f["lines"]):
                        found.add(f["file"])
    return found


def main():
    program, objects, root = (os.path.abspath(p) for p in sys.argv[1:4])
    rooms = {}
    for path in files_that_ran(grade(program, objects, root)):
        folder = os.path.dirname(path)
        rooms.setdefault(folder, set()).add(os.path.basename(path))
    way = {r: rooms[r] for r in rooms if r.removeprefix("harness/") in WAY}
    n, all_n = (sum(map(len, part.values())) for part in (way, rooms))
    for room in sorted(rooms, key=lambda r: (r not in way, r)):
        print(f"{'way' if room in way else '   '}  {room:17} {len(rooms[room]):3}  "
              + " ".join(sorted(rooms[room])))
    jail = len(rooms.get("harness/jail", ()))
    print(f"{n} files are the way, {n + jail} with the jail's {jail}, of {all_n} with a line that ran")
    with open(PAGE, encoding="utf-8") as f:
        story = f.read().split("## The life of a grading")[1].split("\n## ")[0]
    said = re.findall(r"passes (\d+) files", story)
    for name in sorted(set().union(*way.values())):
        if not re.search(rf"[`/]{re.escape(name)}`", story):
            sys.exit(f"{PAGE}: the life of a grading does not name {name}, which it passes")
    if said != [str(n)]:
        sys.exit(f"{PAGE}: passes {' and '.join(said) or 'no'} files, expected `passes {n} files`")


if __name__ == "__main__":
    main()
