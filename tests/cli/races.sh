#!/usr/bin/env bash
# What the thread sanitizer's runs come to: a barrier of fences is right, a race is told by both of its
# lines. Works on a copy of the project.
. tests/tap.sh
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib
share_builds
cp tests/mutants/replicas.h "$HPC_ROOT/mlp"
base=$PWD/tests/mutants/lab4/pthread.c trainer=$PWD/tests/honest/lab3/openmp_trainer/depend.c
trainer_plain=$PWD/tests/mutants/lab3/openmp_trainer.c apply=$PWD/tests/mutants/apply
cd "$HPC_ROOT" || exit 1

watched() {
    "$hpclab" run lab4/pthread --impl student --case odd --safety threads --seed 7 --threads 2
}

# barrier FENCE: a barrier of relaxed atomics, where FENCE is what orders by them, or nothing.
barrier() {
    cat >"$scratch/barrier" <<C
    const unsigned turn = atomic_load_explicit(&t->turn, memory_order_relaxed);
    $1
    if (atomic_fetch_add_explicit(&t->waiting, 1, memory_order_relaxed) == t->s->threads - 1) {
        atomic_store_explicit(&t->waiting, 0, memory_order_relaxed);
        $1
        atomic_store_explicit(&t->turn, turn + 1, memory_order_relaxed);
    } else {
        while (atomic_load_explicit(&t->turn, memory_order_relaxed) == turn)
            sched_yield();
    }
    $1
C
    sed -e 's/^#include <pthread.h>/&\n#include <sched.h>\n#include <stdatomic.h>/' \
        -e 's/^    pthread_barrier_t barrier;/    atomic_int waiting;\n    atomic_uint turn;/' \
        -e '/^    pthread_barrier_init/d' \
        -e "/^    pthread_barrier_wait/{r $scratch/barrier" -e 'd}' "$base" >labs/lab4/pthread.c
}

barrier 'atomic_thread_fence(memory_order_acq_rel);'
check 'a barrier of fences and relaxed atomics is clean' watched
barrier ''
fails 1 'without its fences it is a race' watched
shows 'data race at (labs/lab4/pthread.c|mlp/replicas.h):' 'which is named'

barrier 'atomic_thread_fence(memory_order_acq_rel);'
sed -i 's/^    return NULL;/    t->last = m->me;\n&/; s/^    atomic_int waiting;/&\n    int last;/' \
    labs/lab4/pthread.c
line=$(grep -n 't->last = ' labs/lab4/pthread.c | cut -d: -f1)
fails 1 'a plain race beside fences is found' watched
shows "data race at labs/lab4/pthread.c:$line: .* writes 4 bytes there that .* writes at labs/lab4/pthread.c:$line \\(on the stack of main thread\\)" \
    'by both lines, both threads and what they share'
graded() { "$hpclab" grade lab4 --only pthread --plain --seed 7 "$@"; }
fails 1 'graded it is unsafe' graded
shows "line $line: t->last = m->me;" 'with its line'
# What 3 s are too short for on a busy machine is said, and is no pass in silence.
quick() {
    graded --quick
    [ $? -le 1 ]
}
check 'graded with --quick' quick
shows '^  pthread +x unsafe|the others unchecked \(--quick\)|races: not looked for \(--quick\)' \
    'a race is found, or it is said which cases were not looked at'

# Tasks end on one thread and their memory is taken for new ones by the other, many a time.
if clang -fopenmp -fsanitize=thread -x c -o /dev/null - <<<'int main(void) { return 0; }' 2>/dev/null; then
    cat >"$scratch/rounds" <<'C'
    static int sum;
    for (int round = 0; round < 5000; round++) {
#pragma omp task firstprivate(round)
        {
            volatile int *own = &round;
            for (int i = 0; i < 100; i++)
                *own += i;
#pragma omp ORDER
            sum += *own;
        }
    }
#pragma omp taskwait
C
    tasks() {
        sed -e "/turn = calloc/{r $scratch/rounds" -e '}' "$trainer" |
            sed "s/omp ORDER/omp $1/" >labs/lab3/openmp_trainer.c
        "$hpclab" run lab3/openmp_trainer --impl student --case cancer --safety threads --seed 7 --threads 2
    }
    check 'tasks that give each other their memory are no race' tasks atomic
    fails 1 'what tasks share without an order' tasks taskyield
    line=$(grep -n 'sum += ' labs/lab3/openmp_trainer.c | cut -d: -f1)
    shows "data race at labs/lab3/openmp_trainer.c:$line: " 'is one'

    # started HOW: replicas that thread 0 alone starts with the weights, no barrier behind it.
    started() {
        sed -e 's/^    for (int r = me; r < p->replicas; r += team)$/    for (int r = 0; me == 0 \&\& r < p->replicas; r++)/' \
            -e "s/^        start_from(s, r, in);/        $1;/" "$trainer_plain" >labs/lab3/openmp_trainer.c
        "$hpclab" run lab3/openmp_trainer --impl student --case replicas_odd --safety threads --seed 7 --threads 2
    }
    for how in 'memcpy(weights_of(s, r), in[MLP_W0], s->weights * sizeof(double))' \
        'memmove(weights_of(s, r), in[MLP_W0], s->weights * sizeof(double))' \
        'memset(weights_of(s, r), 0, s->weights * sizeof(double))'; do
        fails 1 "${how%%(*} that nothing orders" started "$how"
        line=$(grep -n "${how%%(*}(weights" labs/lab3/openmp_trainer.c | cut -d: -f1)
        shows "data race at .*labs/lab3/openmp_trainer.c:${line}[: ]" \
            'is a race at its line'
    done

    # On a machine of one processor, where one thread would be all there are.
    "$apply" lab3/openmp_inner/static_sum labs/lab3/openmp_inner.c
    one=$(taskset -cp $$ | sed -E 's/.*: *([0-9]+).*/\1/')
    # What nothing orders may come in order once: a second try.
    alone() {
        local status said
        for _ in 1 2; do
            said=$(taskset -c "$one" "$hpclab" "$@" --seed 7 2>&1)
            status=$?
            [[ $said != *'data race at'* ]] || break
        done
        echo "$said"
        return $status
    }
    fails 1 'on one processor a race is found' alone grade lab3 --only openmp_inner --plain
    shows 'data race at labs/lab3/openmp_inner.c:[0-9]+: ' 'with its line'
    fails 1 'run alone too' alone run lab3/openmp_inner --impl student --case odd --safety threads
    shows 'data race at labs/lab3/openmp_inner.c:[0-9]+: ' 'with its line'
else
    skip 'races of tasks' 'no clang with OpenMP here'
fi
done_testing
