#!/usr/bin/env bash
# `./grade --quick` of what is wrong asks the checker or the sanitizers about the case that fails, and their
# finding is the first thing said. Works on a copy of the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab mutants=$PWD/tests/mutants
export HPC_ROOT=$scratch/root HPC_NVCC=none
copy_project "$HPC_ROOT" lib device
share_builds
cp tests/mutants/replicas.h "$HPC_ROOT/mlp"
sed -i '/^wall_seconds/d; s/^symbols = /wall_seconds = 1\n&/' "$HPC_ROOT/labs/lab4/lab.ini"
short_cases
untimed

# of LAB FILE MUTANT VERDICT: the record's reason, hint and safety, a line each; false with another verdict.
# The mutant `right` is none.
of() {
    local lab=$1 task=${2%.*} file=$HPC_ROOT/labs/$1/$2
    if [ "$3" = right ]; then
        cp "$mutants/$lab/$2" "$file" || return
    else
        "$mutants/apply" "$lab/$task/$3" "$file" || return
    fi
    (cd "$HPC_ROOT" && "$hpclab" grade "$lab" --only "$task" --quick --plain --seed 7 \
        --json "$scratch/record" >/dev/null 2>&1)
    python3 - "$scratch/record" "$task" "$4" <<'PYTHON'
import json, sys
task = next(t for t in json.load(open(sys.argv[1]))["tasks"] if t["name"] == sys.argv[2])
for key in "reason", "hint", "safety":
    print("%s: %s" % (key, task.get(key)))
sys.exit(task["verdict"] != sys.argv[3])
PYTHON
}

check 'a halo that one load more does not reach is wrong' of lab6 tiled_halo.cu two_loads_only wrong
shows '^reason: case [a-z_0-9]*: the checker sees: .*was never written' 'as the checker sees it'
check 'a barrier that is missing is wrong' of lab7 tiled2d.cu no_barrier wrong
shows '^reason: case [a-z_0-9]*: the checker sees: race in tiled2d_kernel' 'as the race that the checker sees'
check 'a heap overrun crashes' of lab1 flat.c units_too_few crash
shows '^reason: case [a-z_0-9]*: a sanitizer sees: heap-buffer-overflow at labs/lab1/flat.c:' \
    'as the address sanitizer sees it'
shows '^hint: signal' 'what it died of comes next'
hides 'keeps something' 'and nothing is guessed'
check 'a counter that threads race for hangs' of lab4 pthread.c volatile_counter timeout
shows '^reason: case [a-z_0-9]*: a sanitizer sees: data race at labs/lab4/pthread.c:' \
    'as the race that the thread sanitizer sees'
shows '^hint: run\(\) did not return' 'where its threads stand comes next'
check 'what is right is right' of lab6 tiled_halo.cu right pass
shows '^safety: device: clean' 'and the checker was asked'
check 'a kernel that is right alone is unsafe' of lab5 single_block.cu stride_of_a_warp unsafe
shows '^reason: case [a-z_0-9]*: race in single_block_kernel' 'as the checker sees it'

cp "$HPC_ROOT/labs/lab5/starter/multi_block.cu" "$HPC_ROOT/labs/lab5" || exit 1
cp "$mutants/lab5/multi_block.cu" "$HPC_ROOT/labs/lab5/multiblock.cu" || exit 1
graded() { (cd "$HPC_ROOT" && "$hpclab" grade lab5 --only multi_block --quick --plain); }
fails 1 'a file of another name than the task asks for is not graded' graded
shows "labs/lab5/multiblock.cu belongs to no task: if it is this one's, its name is to be multi_block.cu" \
    'and it is said that it lies there'
done_testing
