#!/usr/bin/env bash
# long: a minute of processors.
# docs/instructor.md: each ./hpclab and ./grade that it shows, run as it stands, in a class made up.
# What `make` writes is tried by release.sh, hotfix.sh, handouts.sh, autograders.sh.
. tests/tap.sh
page=$PWD/docs/instructor.md
export HPC_ROOT=$scratch/root
copy_all "$HPC_ROOT" lib hpclab device mlp
share_builds
cd "$HPC_ROOT" || exit 1
short_cases
untimed
# As some machines have no better jail, and as the site of "On a cluster" beside it.
{ sed -n '/^```$/,/^```$/p' "$page" | sed -n '/^\[site\]$/,/^```$/{/^```/!p}' && echo 'official_jail = limits'; } >site.ini
# Shown commands, one a line: those of blocks without the words behind them, then those in sentences.
python3 - "$page" >shown <<'END'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
blocks = re.compile(r"^```\w*\n(.*?)^```$", re.M | re.S)
for block in blocks.findall(text):
    for line in block.splitlines():
        if line.startswith("./"):
            print(re.split(r"  +", line)[0])
for span in re.findall(r"`(\./(?:hpclab|grade)[^`]*)`", blocks.sub("", text)):
    print(" ".join(span.split()))
END
sort -u shown -o shown

handed() { mkdir -p "$1/labs/lab3" && cp mlp/variants/openmp_inner.c mlp/variants/openmp_trainer.c "$1/labs/lab3/"; }
handed submissions/ada-1 && handed submissions/ada-2 && handed submissions/bob
sed -i 's/rate \*/2 * rate */' submissions/ada-1/labs/lab3/openmp_trainer.c
find submissions -exec touch -d 2026-11-20T12:00Z {} +
printf 'id,name\nada,Ada\nbob,Bob\n' >roster.csv
# as COMMAND STATUS WORDS: a shown command, and what comes of it; a command without status is another's test.
tried=()
as() {
    tried+=("$1")
    grep -qxF -- "$1" shown || { check "shown: $1" false; return; }
    [ $# = 1 ] && return
    local line=$1
    line=${line/ WHAT/ submissions/bob} line=${line/ NAME/ bob} line=${line/ A B/ amd-epyc-2c intel-xeon-16c}
    says "$2" "$3" "$1" sh -c "$line"
}
as './hpclab class grade submissions --lab lab3 --roster roster.csv --due 2026-11-22T23:59 --jobs 4' 0 '^2 graded now; 2 of 2 students have a grading'
for id in ada bob; do
    check "$id has the points of two right programs" grep -q "^\"$id\",.*,\"graded\",[1-9]" results/class/lab3/gradebook.csv
done
if command -v sbatch >/dev/null && squeue >/dev/null 2>&1; then
    as './hpclab class grade submissions --lab lab3 --roster roster.csv --slurm site.ini'
else
    as './hpclab class grade submissions --lab lab3 --roster roster.csv --slurm site.ini' 0 '^0 graded now; 2 of 2'
fi
cp -r results/class/lab3 DIR
as './hpclab class show ada --lab lab3' 0 'attempt 2, ada-2 .*, counts$'
as './hpclab class diff ada --lab lab3' 0 '^-.*2 \* rate'
as './hpclab class rerun ada --lab lab3' 0 '^1 graded again, 0 with other points$'
as './hpclab class regrade --lab lab3' 0 '^2 graded again, 0 with other points$'
as './hpclab class regrade --waiting --lab lab3' 0 '^[0-9] graded again, 0 with other points$'
as './hpclab class merge DIR --lab lab3' 0 '^0 '
if command -v sim_c >/dev/null; then
    as './hpclab class similar --lab lab3' 0 'ada, bob'
else
    as './hpclab class similar --lab lab3'
    skip 'class similar' 'no sim_c here: the package similarity-tester'
fi
as './hpclab class purge --lab lab3 --yes' 0 .
check 'all of the class is gone' test ! -e results/class/lab3
as './grade lab3 --from WHAT --as NAME --official' 1 'results/submissions/bob/lab3.json$'
as './grade lab3 --from WHAT --format gradescope results.json' 1 'results/submissions/bob'
check 'results.json is one' python3 -c 'import json; assert json.load(open("results.json"))["score"] > 0'
as './grade lab3 --queue' 2 'cluster.ini: not there'
as './hpclab reference diff A B' 1 '^  compiler: '
echo '# lab3' >handouts/lab3.md # or nothing is lacking
as './hpclab lint lab3' 1 '^lab3 lacks'
as './hpclab list lab4 --tsv' 0 pthread
as './hpclab list lab4 --cases --tsv' 0 paper
as './grade lab4 --impl reference'
as './hpclab doctor' 0 '^jail '
as './hpclab doctor --jail' 0 .
# Words of an option, of which a sentence speaks.
as './grade'
as './hpclab'
as './grade --queue'
as './grade --seed'
check 'no other command is shown' diff <(printf '%s\n' "${tried[@]}" | sort -u) shown
done_testing
