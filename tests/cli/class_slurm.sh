#!/usr/bin/env bash
# ./hpclab class grade --slurm on a real Slurm, of this machine alone: a class of 60 of which a node dies.
# TEST_ALL=1 alone runs it: it takes minutes.
. tests/tap.sh
if [ "${TEST_ALL:-0}" != 1 ]; then
    skip 'a class on a cluster' 'no Slurm is started without TEST_ALL=1'
    done_testing
    exit
fi
. tests/cli/lib/class.sh
. tests/cli/lib/mpi.sh
cluster=$PWD/tests/slurm/cluster
export SLURM_CONF=$scratch/slurm/slurm.conf
trap '"$cluster" stop "$scratch/slurm" >/dev/null 2>&1; rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
# Jobs start by a login shell: whoever runs this may have a profile that takes a lock and waits a minute for it
# (pyenv does), and a node's death leaves that lock.
mkdir "$scratch/home" && export HOME=$scratch/home
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
# A task of this node is at work, and its grading has begun.
works_on() { [ "$(squeue -h -w "$1" -t R -o %A | wc -l)" -gt 0 ]; }
# patient COMMAND ..: as soon as it ends 0, at most five minutes.
patient() {
    local until=$((SECONDS + 300))
    until "$@"; do
        [ $SECONDS -lt $until ] || return 1
        sleep 0.1
    done
}

"$hpclab" class grade dir --lab lab91 --plain --quick --slurm site.ini >log 2>&1 &
job=$!
check 'gradings end while others wait' patient some_graded 3
check 'a node is at work' patient works_on n2
check 'it dies, with all that it runs' "$cluster" kill n2 "$scratch/slurm"
check 'so does the class' kill -9 "$job"
wait "$job" 2>/dev/null
check 'the same command goes on' timeout 3600 "$hpclab" class grade dir --lab lab91 --plain --quick --slurm site.ini
shows "^[0-9]+ graded now; $students of $students students have a grading" 'until all are graded'
check 'nothing is lost, nothing is there twice' test "$(graded)" = "$students $students 1"
check 'right ones have their points, wrong ones none' test "$(for i in $(seq $students); do field "s$i" score; done | sort | uniq -c | tr -s ' ')" = "$(printf ' %d 0\n %d 100' $((students / 3)) $((students - students / 3)))"
check 'each node that graded was tried first' test -s "$out/cluster/nodes/n1.json"
check 'nothing is left' test -z "$(find "$out/spool" -mindepth 1)$(squeue -h)"
check 'the same again' class grade dir --quick --slurm site.ini
shows "^0 graded now; $students of $students" 'grades nothing'

# A node that is not as it should be: what it would grade goes elsewhere.
mkdir few && cp dir/s1.tar.gz dir/s2.tar.gz few
few=$scratch/few.class
mkdir -p "$few/cluster/nodes"
for node in n1 n3; do echo 'it was so' >"$few/cluster/nodes/$node.bad"; done
check 'two nodes that failed' timeout 300 "$hpclab" class grade few --lab lab91 --plain --quick --slurm site.ini --folder "$few"
shows '^hpclab: node n1 is left out: it was so' 'are left out'
check 'and the last one grades' test "$(ls "$few/cluster/nodes")" = "$(printf 'n1.bad\nn3.bad\nn4.json\nn4.ok')"
rm -r "$few"
mkdir -p "$few/cluster/nodes" && echo 'it is dead' >"$few/cluster/nodes/n2.bad"
cp "$HPC_ROOT/mlp/variants/flat.c" flat.c
cp "$wrong" "$HPC_ROOT/mlp/variants/flat.c"
fails 3 'a canary that comes out wrong everywhere' timeout 300 "$hpclab" class grade few --lab lab91 --plain --quick --slurm site.ini --folder "$few"
shows '^hpclab: node n[134] is left out: the reference of flat is wrong: ' 'is said of each node'
shows '^hpclab: sbatch: ' 'and there is none left'
check 'nothing was graded' test "$(out=$few graded)" = '0 0 0'
cp flat.c "$HPC_ROOT/mlp/variants/flat.c"

# A node that dies while Slurm starts a task there: Slurm itself sends the task to another node.
at_work() { node=$(squeue -h -t R -o %N) && [ -n "$node" ]; }
daemons() {
    local n
    for n in n1 n3 n4; do
        [ ! -s "$scratch/slurm/$n.pid" ] || kill "-$1" "$(cat "$scratch/slurm/$n.pid")"
    done
}
mkdir one && cp dir/s1.tar.gz one
one=$scratch/one.class
daemons STOP
"$hpclab" class grade one --lab lab91 --plain --quick --slurm site.ini --folder "$one" >log 2>&1 &
job=$!
check 'a task that has a node, which does not answer' patient at_work
check 'the node dies' "$cluster" kill "$node" "$scratch/slurm"
daemons CONT
wait "$job"
check 'the class ends all the same' test "$?" = 0
check 'with one grading' test "$(out=$one graded)" = '1 1 1'
check 'the node is there again' env PATH="$PATH:/usr/sbin:/sbin" slurmd -N "$node"
answers() { sinfo -h -N -n "$node" -t idle -o %N | grep -q .; }
check 'and answers' patient answers

# A site's time limit.
mkdir hang && handed "$right" hang/h
sed -i 's/^{$/{\n    for (volatile int i = 0;; i = 0)\n        if (i) break;/' hang/h/labs/lab91/flat.c
hung=$scratch/hang.class
"$hpclab" class grade hang --lab lab91 --plain --quick --slurm site.ini --folder "$hung" >log 2>&1 &
job=$!
# Its canary is through: Slurm sends a job whose node dies before that to another one by itself, at times.
begun() { at_work && [ -s "$hung/cluster/nodes/$node.ok" ]; }
check 'a submission that would take forever' patient begun
check 'its node dies' "$cluster" kill "$node" "$scratch/slurm"
wait "$job"
check 'the class goes on to its end' test "$?" = 0
sent_twice() { cat log && [ "$(grep -c '^job [0-9]*: 1 gradings in the queue$' log)" = 2 ]; }
check 'what was lost is sent again' sent_twice
check 'and graded' grep -q '^h  0.0 of 100: flat: timeout$' log
rm -r "$hung"
check 'a submission beyond its budget' timeout 300 "$hpclab" class grade hang --lab lab91 --plain --quick --slurm site.ini --budget 3 --folder "$hung"
shows '^h  0.0 of 0; [0-9.]* more pending: wall budget of 3 s used up$' 'keeps what was graded, and the rest is pending'
fails 2 'a budget beyond the limit' class grade hang --quick --slurm site.ini --budget 900
shows '^hpclab: --budget 900: site.ini allows 5 minutes a task, expected at most 240$' 'is refused'

# A student's own lab, by ./grade --queue: behind another job, on a node that dies, then on one that does not.
own=$HPC_ROOT/labs/lab91/flat.c
cp "$right" "$own"
for node in n1 n2 n3 n4; do sbatch --parsable -w "$node" --exclusive --wrap 'sleep 600' >>held 2>&1; done
"$hpclab" grade lab91 --quick --plain --queue=site.ini >log 2>&1 &
job=$!
check 'a student who waits' patient grep -q '^place [0-9]* of [0-9]* in the queue' log
cp "$wrong" "$own"
# shellcheck disable=SC2046 # numbers
scancel $(cat held)
# Who was graded before anyone looked needs no node.
own_node() {
    node=$(squeue -h -t R -o '%j %N' | sed -n 's/^hpclab-own-[0-9a-f]* //p')
    [ -n "$node" ] || ! kill -0 "$job" 2>/dev/null
}
if patient own_node && [ -n "$node" ]; then "$cluster" kill "$node" "$scratch/slurm"; fi
wait "$job"
check 'gets what was sent graded, though a node dies' test $? = 0
check 'with its score' grep -q '^score 100.0 of 100 ' log
gone() { ! squeue -h -o %j | grep own; }
check 'nothing of it stays in the queue' patient gone
if [ -n "${node:-}" ]; then
    env PATH="$PATH:/usr/sbin:/sbin" slurmd -N "$node"
    check 'the dead node is there again' patient answers
fi

# A lab whose ranks mpirun starts, within a task that srun started: Slurm's words to it stay outside of the jail.
if have_mpi; then
    check 'ranks within a task of srun' timeout 600 srun -N1 -n1 -c2 "$hpclab" grade lab9 --impl reference --quick --plain
    shows '^score 100.0 of 100 ' 'have all points'
else
    skip 'ranks within a task of srun' 'no Open MPI here'
fi
site() { printf '%b' "$1" >bad.ini; class grade dir --quick --slurm bad.ini; }
says 2 'bad.ini:2: unknown key .partitoin., did you mean partition' 'a key that there is not' site '[site]\npartitoin = lab\n'
says 2 'bad.ini:2: minutes = 1, expected 2 to 10080' 'a number out of range' site '[site]\nminutes = 1\n'
says 2 'no section .site., expected one' 'no section' site '[sites]\nminutes = 5\n'
handed "$right" other/new
sed 's/^partition.*/partition = nowhere/' site.ini >nowhere.ini
says 3 '^hpclab: sbatch: .*partition' 'a partition that there is not' class grade other --quick --slurm nowhere.ini --folder "$scratch/other.class"
says 2 'no SLURM_ARRAY_TASK_ID here' 'a task outside of Slurm' class node "$out/none.json"
done_testing
