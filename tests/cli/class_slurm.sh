#!/usr/bin/env bash
# ./hpclab class grade --slurm on a real Slurm, of this machine alone: a class of 60 of which a node dies.
. tests/tap.sh
. tests/cli/lib/class.sh
cluster=$PWD/tests/slurm/cluster
export SLURM_CONF=$scratch/slurm/slurm.conf
trap '"$cluster" stop "$scratch/slurm" >/dev/null 2>&1; rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
if ! why=$("$cluster" start "$scratch/slurm" 4 2>"$scratch/.errors"); then
    skip 'a class on a cluster' "$why"
    done_testing
    exit
fi
cd "$scratch" || exit 1
students=60
mkdir dir
for i in $(seq $students); do handed "$([ $((i % 3)) = 0 ] && echo "$wrong" || echo "$right")" "dir/s$i.tar.gz"; done
cat >site.ini <<'END'
[site]
partition = lab
minutes = 5
exclusive = yes
cpus = 2
END
graded() { python3 - "$out/class.db" <<'END'
import os, sqlite3, sys
rows = []
if os.path.exists(sys.argv[1]):
    try:
        rows = sqlite3.connect(sys.argv[1]).execute("SELECT student, run FROM grading").fetchall()
    except sqlite3.OperationalError as e:
        assert "no such table" in str(e) or "locked" in str(e), e
print(len(rows), len(set(rows)), max((run for _, run in rows), default=0))
END
}
some_graded() { [ "$(graded | cut -d' ' -f 1)" -ge "$1" ]; }
begun() { grep -l . "$out"/cluster/*.log 2>/dev/null | wc -l; }

"$hpclab" class grade dir --lab lab91 --plain --quick --slurm site.ini >log 2>&1 &
job=$!
check 'gradings end while others wait' soon some_graded 8
check 'a node dies' "$cluster" kill n2 "$scratch/slurm"
check 'so does the class' kill -9 "$job"
wait "$job" 2>/dev/null
check 'the same command goes on' timeout 550 "$hpclab" class grade dir --lab lab91 --plain --quick --slurm site.ini
shows '^[0-9]+ graded now; 60 of 60 students have a grading' 'until all are graded'
check 'nothing is lost, nothing is there twice' test "$(graded)" = '60 60 1'
check 'right ones have their points' test "$(grep -c '^s[0-9]*,.*100' "$out/gradebook.csv")" = 40
cp "$scratch/.output" last
done_testing
