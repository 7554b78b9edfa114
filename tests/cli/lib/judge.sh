#!/usr/bin/env bash
# A grading and what its record says of it. Sourced behind tests/tap.sh, where $hpclab is the grader and $record the file.
# shellcheck disable=SC2154

# judge EXPRESSION: Python, of the record `r` and its tasks `t` by name; true is right.
judge() {
    python3 -S - "$record" "$1" <<'PYTHON'
import json, re, sys
r = json.load(open(sys.argv[1]))
t = {task["name"]: task for task in r["tasks"]}
if not eval("(" + sys.argv[2] + ")"):
    print(json.dumps({k: v for k, v in r.items() if k not in ("machine", "tasks")}, indent=1))
    for name, task in t.items():
        print(json.dumps({k: task[k] for k in ("name", "score", "points", "max_points", "pending", "verdict", "reason",
                                               "safety", "traffic", "correctness") if k in task}))
    sys.exit(sys.argv[2])
PYTHON
}

# grade STATUS TEXT ARGUMENTS ..: a grading that must end so.
grade() {
    local status=$1 text=$2
    shift 2
    rm -f "$record"
    fails "$status" "$text" "$hpclab" grade --plain --json "$record" "$@"
}
