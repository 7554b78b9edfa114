/* Every variant of mlp/ at hand, in this process: right on odd shapes at every SIMD level and with
 * 1 to 3 threads, twice the same, nothing written beside its output, its inputs as they were; and
 * the variants that promise it equal bit for bit. */
#include "tests/unit/mlp_case.h"

#include <unistd.h>

#include "harness/machine/machine.h"
#include "common/table.h"

#define PAPER "layers=4,4,5,5,1 activations=softmax,relu,tanh,sigmoid "
#define GUARD 64 /* bytes before and behind an output */

static const char *const sgd_shapes[] = {
    PAPER "samples=101 epochs=3",
    PAPER "samples=0 epochs=2",
    PAPER "samples=1 epochs=4",
    PAPER "samples=9 epochs=0",
    "layers=1,1 activations=sigmoid samples=7 epochs=2",
    "layers=7,13,3,2 activations=sigmoid,tanh,softmax samples=31 epochs=3 permutations=2",
    "layers=17,33,65,9 activations=tanh,relu,softmax samples=11",
    "layers=5,9,1 activations=relu,identity samples=20 epochs=2 rate=0.005",
    "layers=5,9,8,2 activations=softmax,softmax,tanh samples=20 epochs=2 rate=0.05",
    "layers=3,2,3,4,5,6,7,8,9,2 activations=tanh,relu,sigmoid,identity,tanh,tanh,softmax,tanh,tanh "
    "samples=13 epochs=2",
    PAPER "samples=40 epochs=5 replicas=2",
    PAPER "samples=50 epochs=5 replicas=3 merge_every=2",
    PAPER "samples=3 epochs=4 replicas=5",
    PAPER "samples=20 epochs=3 replicas=7 merge_every=100",
    PAPER "samples=20 epochs=0 replicas=2",
    "layers=6,12,10,3 activations=tanh,relu,softmax samples=21 epochs=4 replicas=4 merge_every=3",
    "data=breast_cancer layers=30,6,1 activations=tanh,sigmoid replicas=2 epochs=2",
    PAPER "samples=30 epochs=2 networks=5",
    PAPER "samples=1 epochs=2 networks=19",
    PAPER "samples=40 epochs=2 type=f32",
    PAPER "samples=40 epochs=2 type=f32 replicas=2",
    PAPER "samples=30 epochs=2 type=f32 networks=17",
};
static const char *const minibatch_shapes[] = {
    "layers=5,3,2 activations=tanh,softmax samples=1 batch=1 rate=0.1",
    "layers=5,3,2 activations=tanh,softmax samples=0 batch=4 rate=0.1",
    "layers=5,3,2 activations=tanh,softmax samples=6 batch=4 epochs=0",
    "layers=1,1 activations=sigmoid samples=3 batch=2 rate=0.1",
    "layers=31,67,29,7 activations=sigmoid,tanh,softmax samples=57 batch=13 epochs=2 rate=0.1",
    "layers=64,129,63,3 activations=relu,relu,identity samples=65 batch=33 rate=0.02",
    "layers=48,64,32,16 activations=tanh,tanh,softmax samples=96 batch=32 rate=0.3",
    "layers=300,257,10 activations=relu,softmax samples=19 batch=1000 rate=0.5",
};

struct run {
    struct test_case t;
    unsigned char *guarded; /* GUARD bytes, the output, GUARD bytes */
    size_t bytes;
};

static struct run run_open(const struct hpc_op *op, const char *words)
{
    struct run r = {.t = test_open(op, words)};
    r.bytes = test_bytes(&r.t.layout.out[0]);
    r.guarded = aligned_alloc(64, (r.bytes + 2 * GUARD + 63) / 64 * 64);
    memset(r.guarded, 0xa5, r.bytes + 2 * GUARD);
    free(r.t.out[0]);
    r.t.out[0] = r.guarded + GUARD;
    return r;
}

static void run_close(struct run *r)
{
    r->t.out[0] = NULL;
    free(r->guarded);
    test_close(&r->t);
}

/* One call on the inputs of `call`; all but the values of the output is checked here. */
static void run_call(struct run *r, const struct hpc_variant *v, void *state, uint64_t call)
{
    void *before[HPC_MAX_ARRAYS];
    test_draw(&r->t, 77, call);
    for (int i = 0; i < r->t.layout.n_in; i++) {
        before[i] = hpc_malloc(test_bytes(&r->t.layout.in[i]) + 1);
        memcpy(before[i], r->t.in[i], test_bytes(&r->t.layout.in[i]));
    }
    assert_int_equal(v->run(state, (const void *const *)r->t.in, r->t.out), 0);
    for (int i = 0; i < r->t.layout.n_in; i++) {
        assert_memory_equal(before[i], r->t.in[i], test_bytes(&r->t.layout.in[i]));
        free(before[i]);
    }
    for (size_t i = 0; i < GUARD; i++)
        assert_true(r->guarded[i] == 0xa5 && r->guarded[GUARD + r->bytes + i] == 0xa5);
}

/* True when the variant takes the problem; it must be right then, in three calls of one state. */
static bool try_variant(const struct hpc_variant *v, const char *words, struct hpc_env env)
{
    struct run r = run_open(strcmp(v->op, "mlp_sgd") == 0 ? &mlp_sgd_op : &mlp_minibatch_op, words);
    void *state = NULL, *first = hpc_malloc(r.bytes + 1);
    bool taken = v->open(&env, &r.t.c, &state) == 0;
    for (uint64_t call = 0; taken && call < 3; call++) {
        struct hpc_mismatch m;
        bool admitted;
        run_call(&r, v, state, call % 2); /* 0, 1, and 0 again */
        if (!test_check(&r.t, &admitted, &m) || !admitted || !test_quick(&r.t, &m))
            fail_msg("%s, simd %d, %d threads, %s: %s: got %.17g, want %.17g within %g; %s",
                     v->name, env.simd, env.threads, words, m.what, m.got, m.want, m.bound, m.hint);
        if (call == 0)
            memcpy(first, r.t.out[0], r.bytes);
        else if (call == 2 && memcmp(first, r.t.out[0], r.bytes) != 0)
            fail_msg("%s, %s: another result for the same inputs", v->name, words);
    }
    if (taken)
        v->close(state);
    free(first);
    run_close(&r);
    return taken;
}

static bool is(const struct hpc_variant *v, const char *name)
{
    return strcmp(v->name, name) == 0;
}

/* All shapes at one level and number of threads; returns how many the variant takes. */
static int try_shapes(const struct hpc_variant *v, const char *const *shapes, size_t n,
                      struct hpc_env env)
{
    int taken = 0;
    for (size_t i = 0; i < n; i++) {
        bool yes = try_variant(v, shapes[i], env);
        bool must = (is(v, "serial") || is(v, "flat")) && !strstr(shapes[i], "networks") &&
                    !strstr(shapes[i], "f32");
        if (must && !yes)
            fail_msg("%s refuses %s", v->name, shapes[i]);
        taken += yes;
    }
    return taken;
}

static void every_variant_is_right(void **state)
{
    (void)state;
    int top = machine_here()->simd, lowest = top >= HPC_SIMD_NEON ? HPC_SIMD_NEON : HPC_SIMD_NONE;
    for (int i = 0; hpc_variants[i]; i++) {
        const struct hpc_variant *v = hpc_variants[i];
        bool sgd = strcmp(v->op, "mlp_sgd") == 0;
        size_t n = sgd ? sizeof sgd_shapes / sizeof *sgd_shapes
                       : sizeof minibatch_shapes / sizeof *minibatch_shapes;
        int taken = 0;
        assert_int_equal(v->abi, HPC_ABI);
        for (int simd = lowest; simd <= top; simd++)
            for (int threads = 1; threads <= 3; threads++)
                taken += try_shapes(v, sgd ? sgd_shapes : minibatch_shapes, n,
                                    (struct hpc_env){threads, simd, NULL});
        print_message("%s: %d runs\n", v->name, taken);
        if (taken == 0 && !(strstr(v->name, "amx") && top < HPC_SIMD_AMX))
            fail_msg("%s takes none of the shapes", v->name);
    }
}

static const struct hpc_variant *find(const char *name)
{
    for (int i = 0; hpc_variants[i]; i++)
        if (is(hpc_variants[i], name))
            return hpc_variants[i];
    return NULL;
}

/* The output of a variant, to be freed. */
static double *output_of(const struct hpc_variant *v, const char *words, int threads)
{
    struct run r = run_open(&mlp_sgd_op, words);
    struct hpc_env env = {threads, HPC_SIMD_NONE, NULL};
    void *state;
    assert_int_equal(v->open(&env, &r.t.c, &state), 0);
    run_call(&r, v, state, 5);
    v->close(state);
    double *w = mlp_doubles(r.t.out[0], HPC_F64, r.bytes / 8);
    run_close(&r);
    return w;
}

/* flat and openmp_inner do serial's operations in serial's order. */
static void plain_variants_equal_serial(void **state)
{
    (void)state;
    static const char *const names[] = {"flat", "openmp_inner"};
    for (size_t s = 0; s < 10; s++) {
        struct run r = run_open(&mlp_sgd_op, sgd_shapes[s]);
        double *want = output_of(find("serial"), sgd_shapes[s], 1);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            double *w = output_of(find(names[i]), sgd_shapes[s], 2);
            if (memcmp(w, want, r.bytes) != 0)
                fail_msg("%s differs from serial on %s", names[i], sgd_shapes[s]);
            free(w);
        }
        free(want);
        run_close(&r);
    }
}

/* Which thread trains a replica does not matter. */
static void threads_do_not_change_replicas(void **state)
{
    (void)state;
    static const char *const names[] = {"flat", "openmp_trainer", "pthread"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct hpc_variant *v = find(names[i]);
        for (size_t s = 10; v && s < 16; s++) {
            struct run r = run_open(&mlp_sgd_op, sgd_shapes[s]);
            double *one = output_of(v, sgd_shapes[s], 1);
            for (int threads = 2; threads < 6; threads++) {
                double *w = output_of(v, sgd_shapes[s], threads);
                assert_memory_equal(w, one, r.bytes);
                free(w);
            }
            free(one);
            run_close(&r);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_is_right),
        cmocka_unit_test(plain_variants_equal_serial),
        cmocka_unit_test(threads_do_not_change_replicas),
    };
    (void)argc;
    if (!getenv("OMP_WAIT_POLICY")) { /* read before main: three threads may share two cores */
        setenv("OMP_WAIT_POLICY", "passive", 1);
        execv("/proc/self/exe", argv);
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
