#!/usr/bin/env bash
# What is said of a solution that hangs: each thread's line, and what it waits for. Works on a copy of
# the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root HPC_NVCC=none
copy_project "$HPC_ROOT" lib device
share_builds
cp tests/mutants/replicas.h "$HPC_ROOT/mlp"
base=$PWD/tests/mutants/lab4/pthread.c
kernel=$PWD/tests/mutants/lab5/multi_block.cu apply=$PWD/tests/mutants/apply
cd "$HPC_ROOT" || exit 1
sed -i '/^wall_seconds/d; s/^symbols = /wall_seconds = 1\n&/' labs/*/lab.ini

# line WORDS: its number in pthread.c.
line() { grep -n -F -- "$1" labs/lab4/pthread.c | head -n 1 | cut -d: -f1; }
graded() { "$hpclab" grade lab4 --only pthread --plain --quick --seed 7; }

sed -e 's/^    pthread_barrier_t barrier;/&\n    pthread_mutex_t mutex;/' \
    -e 's/^    for (int epoch = 0; epoch/    pthread_mutex_lock(\&t->mutex);\n&/' \
    -e 's/^    pthread_barrier_init.*/&\n    pthread_mutex_init(\&team.mutex, NULL);/' "$base" \
    >labs/lab4/pthread.c
fails 1 'a thread keeps a lock while it waits at the barrier' graded
shows "thread [01] waits at labs/lab4/pthread.c:$(line 'pthread_barrier_wait(') in a barrier to which 1 of 2 have come" \
    'where it waits, and for how many'
shows "thread [01] waits at labs/lab4/pthread.c:$(line 'pthread_mutex_lock(&t') for a lock that thread [01] holds" \
    'where the other does, and who holds the lock'
shows "line $(line 'pthread_mutex_lock(&t'): pthread_mutex_lock" 'its line is quoted'

sed -e 's/^    pthread_barrier_t barrier;/    volatile int come;/' -e '/^    pthread_barrier_init/d' \
    -e 's/^    pthread_barrier_wait.*/    t->come = 1;\n    while (t->come < 9)\n        ;/' "$base" \
    >labs/lab4/pthread.c
fails 1 'threads spin' graded
shows "thread.* runs? at labs/lab4/pthread.c:$(line 'while (t->come')" 'and are seen to, where'

# As on a machine of more processors than two, where several wait together.
sed -i 's/^threads = all/threads = 4/' labs/lab3/lab.ini
"$apply" lab3/openmp_trainer/hangs_at_barrier labs/lab3/openmp_trainer.c
fails 1 'one of four threads waits at a barrier of its own' "$hpclab" grade lab3 --only openmp_trainer --plain --quick --seed 7
shows 'threads 1, 2, 3 wait in no line of the file' 'where the others wait'
shows 'threads wait for each other at different places' 'and what that means'

sed 's/j <= radius; j++)/j <= radius; j += p_step)/; s/^    float sum = 0;/    volatile int p_step = 0;\n&/' "$kernel" \
    >labs/lab5/multi_block.cu
graded_kernel() { "$hpclab" grade lab5 --only multi_block --plain --quick --seed 7; }
fails 1 'a kernel has a loop without an end' graded_kernel
at=$(grep -n 'for (int j' labs/lab5/multi_block.cu | cut -d: -f1)
shows "thread.* runs? at labs/lab5/multi_block.cu:($at|$((at + 1))|$((at + 2)))" 'on the CPU device its line is told too'
done_testing
