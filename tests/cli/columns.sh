#!/usr/bin/env bash
# What list, lint, doctor, handin, class purge and others print keeps to the terminal's width; elsewhere a line is a line.
. tests/tap.sh
. tests/cli/lib/terminal.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib
cd "$HPC_ROOT" || exit 1
mkdir -p reference results/lab1
python3 - <<'PY'
import json
entry = {"ratio": 1234.567, "ci_low": 1, "ci_high": 2e4, "baseline_seconds": 0.1234567}
for name, cpu in (("one", "A processor with a long name @ 2.10 GHz"), ("two", "Another one, with as long a name @ 3 GHz")):
    machine = {"cpu": cpu, "os": "Debian GNU/Linux 12 (bookworm)", "compiler": "gcc (Debian 12.2.0-14+deb12u1) 12.2.0 " + name}
    tasks = {"lab3/openmp_trainer": entry, "lab10/twenty_two_letters_lon": entry}
    json.dump({"machine": machine, "tasks": tasks}, open(f"reference/{name}.json", "w"))
task = {"name": "flat", "title": "Flat", "points": 20.0, "max_points": 20.0, "pending": 30.0, "waited": {"noisy": 1, "environment": 0},
        "verdict": "noisy", "reason": "the baseline against itself differs by 51% (at most 5%): close other programs and grade again",
        "hint": "words " * 40, "reproduce": "", "safety": "unchecked (--quick)", "traffic": None,
        "correctness": {"cases": 8, "passed": 8, "first_failure": ""},
        "speed": {"student_s": 0.01616, "baseline_s": 0.08889, "ratio": 5.67, "ci_low": 5.5, "ci_high": 6.67, "pairs": 5, "target": 4.18,
                  "target_source": "reference/a-machine-with-a-name.json", "fraction_of_floor": 0.5, "disturbed": 0,
                  "counters": {"cores": 1, "function": "", "share": 0, "copy": None}}}
json.dump({"schema": 1, "lab": "lab1", "implementation": "student", "device": "cpu", "version": "0.1.0", "seed": "3",
           "complete": True, "official": False, "quick": True, "gradings": 1, "machine": {}, "tasks": [task]},
          open("results/lab1/record.json", "w"))
PY

# wide COMMAND ..: of what it prints elsewhere a line is wider than 80, and on a terminal none, of the same words.
wide() {
    "$hpclab" "$@" >whole 2>&1
    on 80 "$hpclab" "$@" >screen
    check "$*: 80 columns" narrow 80 screen
    check "$*: longer lines elsewhere" awk 'length > 80 { found = 1 } END { exit !found }' whole
    words() { sed 's/\x1b\[[0-9;]*m//g; s/[✗✓]/x/g' "$1" | tr -s ' \r\n' '\n'; }
    check "$*: of the same words" cmp <(words whole) <(words screen)
}
for lab in $("$hpclab" list --tsv=name); do
    on 80 "$hpclab" lint "$lab" >screen
    check "lint $lab: 80 columns" narrow 80 screen
done
wide list lab3
wide list lab7
wide list --variants
wide list --keys conv2d
wide lint lab3
wide explain lab1/flat
wide reference diff one two
on 80 "$hpclab" doctor >screen
check 'doctor: 80 columns' narrow 80 screen
check 'of a mark and its words' grep -q '^  .* Landlock' screen
KEYS=$'n\n' on 80 "$hpclab" handin lab3 >screen
check 'handin lab3: 80 columns' narrow 80 screen
check 'asks behind what is missing' grep -q '^Pack it as it is?' screen
mkdir empty && "$hpclab" class grade empty --lab lab1 --quick >/dev/null 2>&1
KEYS=$'n\n' on 80 "$hpclab" class purge --lab lab1 >screen
check 'class purge asks in 80 columns' narrow 80 screen
check 'what is to go' grep -q "^Remove all gradings and pages of this class? \[y/N\] n" screen
KEYS=$'y\n' on 80 "$hpclab" class purge --lab lab1 >screen
check 'and says so in 80' narrow 80 screen
check 'that it is gone' sh -c 'tr -s "\r\n" "  " <screen | grep -q "is gone; what was handed in" && test ! -e results/class/lab1'
# A command to be copied stays in one line: it stands behind `Example:` or below it.
for verb in $("$hpclab" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    "$hpclab" "$verb" --help | sed '/^Example: /,$d' >screen
    check "$verb --help: 80 columns" test -s screen -a "$(awk 'length > 80' screen | wc -l)" = 0
done
on 80 "$hpclab" list --variants >screen
check 'a title goes on below itself' grep -qE '^ {49}[a-z]' screen
done_testing
