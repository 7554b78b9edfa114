/* mlp_ranks: what each rank is given; and ranks in the jail, whose outputs are all compared: an
 * attack by one of them earns nothing. */
#define _GNU_SOURCE
#include "tests/unit/mlp_case.h"

#include <math.h>
#include <unistd.h>

#include "harness/build/build.h"
#include "harness/exchange/exchange.h"
#include "harness/jail/confine.h"
#include "harness/jail/mpi.h"
#include "harness/trial/internal.h"

#define NET "layers=5,4,2 activations=tanh,softmax epochs=4 permutations=3 "

/* One rank is mlp_sgd: the same inputs. */
static void test_one(void **state)
{
    (void)state;
    struct test_case one = test_open(&mlp_ranks_op, NET "samples=9 replicas=1");
    struct test_case sgd = test_open(&mlp_sgd_op, NET "samples=9");
    assert_int_equal(one.layout.n_in, sgd.layout.n_in);
    for (int k = 0; k < MLP_N_IN; k++) {
        assert_int_equal(one.layout.in[k].count, sgd.layout.in[k].count);
        assert_memory_equal(one.in[k], sgd.in[k], test_bytes(&sgd.layout.in[k]));
    }
    test_close(&one);
    test_close(&sgd);
}

/* Each rank has its own arrays, whose order names each of its rows once an epoch. */
static void test_shards(void **state)
{
    (void)state;
    struct test_case t = test_open(&mlp_ranks_op, NET "samples=11 replicas=4");
    size_t rows = 0;
    assert_int_equal(t.layout.ranks, 4);
    assert_int_equal(t.layout.n_in, 3 * 4 + 2);
    assert_int_equal(t.layout.n_out, 4);
    for (int r = 0; r < 4; r++) {
        const int32_t *order = t.in[3 * r + MLP_ORDER];
        int first, last;
        mlp_shard(&t.c.p, r, &first, &last);
        rows += (size_t)(last - first);
        assert_int_equal(t.layout.in[3 * r + MLP_X].count, 5 * (last - first));
        for (int k = 0; k < 3; k++)
            assert_int_equal(t.layout.in[3 * r + k].owner, r + 1);
        assert_int_equal(t.layout.out[r].owner, r + 1);
        for (int e = 0; e < 3; e++) {
            unsigned seen = 0;
            for (int i = 0; i < last - first; i++)
                seen |= 1u << *order++;
            assert_int_equal(seen, (1u << (last - first)) - 1);
        }
    }
    assert_int_equal(rows, 11);
    assert_int_equal(t.layout.in[12].owner + t.layout.in[13].owner, 0);
    test_close(&t);
}

/* What is right, in out[] of every rank. */
static void write_right(struct test_case *t)
{
    double *want[HPC_MAX_ARRAYS], *bound[HPC_MAX_ARRAYS];
    for (int r = 0; r < t->layout.n_out; r++) {
        want[r] = t->out[r];
        bound[r] = hpc_malloc(test_bytes(&t->layout.out[r]));
    }
    t->op->expected(&t->c, (const void *const *)t->in, want, bound);
    for (int r = 0; r < t->layout.n_out; r++)
        free(bound[r]);
}

static void test_every_rank(void **state)
{
    (void)state;
    struct test_case t = test_open(&mlp_ranks_op, NET "samples=11 replicas=3 merge_every=2");
    write_right(&t);
    assert_right(&t);
    ((double *)t.out[2])[1] += 1e-9;
    assert_wrong(&t, "rank 2 of 3: bias of hidden 1, unit 1", "");
    memcpy(t.out[2], t.out[1], test_bytes(&t.layout.out[1]));
    memset(t.out[1], 0xff, sizeof(double));
    assert_wrong(&t, "rank 1 of 3", "");
    test_close(&t);
}

static void test_refused(void **state)
{
    static const struct {
        const char *words, *expected;
    } bad[] = {{NET "replicas=5", "at most 4 ranks"},
               {NET "type=f32", "networks and type are not for ranks"},
               {NET "networks=2", "networks and type are not for ranks"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mlp_case c;
        struct hpc_error err = {0};
        assert_false(test_parse(&mlp_ranks_op, bad[i].words, &c, &err));
        assert_non_null(strstr(err.text, bad[i].expected));
    }
}

#define ONE_LAYER "layers=5,2 activations=identity epochs=4 permutations=3 samples=22 replicas=4"
#define MANY_SAMPLES                                                                               \
    "layers=5,2 activations=identity epochs=2 permutations=3 samples=40000 replicas=4 rate=0.0001"

static void build_attack(const char *attack, struct build_result *built)
{
    char root[1024], flags[64], folder[64];
    assert_non_null(getcwd(root, sizeof root));
    snprintf(flags, sizeof flags, "-O1 -DATTACK=\"%s\"", attack);
    snprintf(folder, sizeof folder, "build/test-ranks/%d/%s", (int)getpid(), attack);
    const struct build_spec build = {.root = root,
                                     .source = "tests/unit/ranks_variant.c",
                                     .folder = folder,
                                     .op_folder = "mlp",
                                     .flags = flags,
                                     .libraries = "-lmpi -lm",
                                     .kind = BUILD_PLAIN};
    build_variant(&build, built);
}

/* Four ranks in the jail, ready for calls of the case, or NULL with *o. */
static struct exchange *start_ranks(const char *attack, bool counted, struct test_case *t,
                                    struct outcome *o)
{
    struct build_result built;
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16))) = {0};
    memcpy(problem, &t->c, sizeof t->c);
    build_attack(attack, &built);
    *o = built.outcome;
    const struct exchange_spec spec = {.runner = built.output,
                                       .op = &mlp_ranks_op,
                                       .problem = problem,
                                       .seed = 20,
                                       .carried = counted,
                                       .env = {.threads = 1},
                                       .limits = {.wall_seconds = 60,
                                                  .cpu_seconds = 60,
                                                  .output_bytes = 65536,
                                                  .memory_bytes = (size_t)1 << 30}};
    return o->verdict == VERDICT_PASS ? exchange_open(&spec, o) : NULL;
}

/* Two calls: the verdict, with its reason in *o. */
static void attempt(const char *attack, struct outcome *o)
{
    struct outcome at_close = {0};
    struct test_case t = test_open(&mlp_ranks_op, ONE_LAYER);
    struct exchange *x = start_ranks(attack, false, &t, o);
    bool good = x != NULL;
    for (uint64_t i = 1; good && i <= 2; i++) {
        struct exchange_call call;
        struct hpc_mismatch m = {.plain = true};
        bool admitted;
        good = exchange_run(x, i, true, &call, o);
        if (good && !mlp_ranks_op.check(&t.c, call.in, call.out, &admitted, &m))
            good = outcome_set(o, VERDICT_WRONG, "%s", m.what);
    }
    if (x && !exchange_close(x, &at_close, NULL, 0) && good)
        *o = at_close;
    test_close(&t);
}

static bool may_have_ranks(void)
{
    struct jail_mpi mpi;
    return jail_tier_works(JAIL_BUBBLEWRAP) && jail_mpi(&mpi, 1, NULL, NULL);
}

static void test_jailed(void **state)
{
    const bool walled = confine_landlock_version() > 0; /* each rank is in a domain of its own */
    const struct {
        const char *attack;
        enum verdict verdict;
        const char *reason;
    } expected[] = {
        {"none", VERDICT_PASS, ""},
        {"exit", VERDICT_CRASH, "in run()"},
        {"garbage", VERDICT_WRONG, "rank 3 of 4: bias of output, unit 0"},
        {"silent", VERDICT_WRONG, "rank 3 of 4"},
        {"alone", VERDICT_WRONG, "rank 0 of 4"},
        {"refuse", VERDICT_WRONG, "run() failed: returned 5"},
        {"crash", VERDICT_CRASH, "in close()"},
        {"behind", VERDICT_CRASH, "in run()"},
        {"forge", VERDICT_WRONG, walled ? "run() failed: returned 6" : "rank 0 of 4"},
        {"page", VERDICT_WRONG, "run() failed: returned 8"},
        {"grow", VERDICT_WRONG, "run() failed: returned 9"},
        {"neighbours", walled ? VERDICT_WRONG : VERDICT_PASS, walled ? "returned 7" : ""},
    };
    (void)state;
    if (!may_have_ranks())
        skip();
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct outcome o;
        attempt(expected[i].attack, &o);
        if (o.verdict != expected[i].verdict || !strstr(o.reason, expected[i].reason))
            fail_msg("%s: verdict %d: %s", expected[i].attack, (int)o.verdict, o.reason);
    }
}

/* Bytes that four ranks send in a call that is counted, or not, by the kernel's count; and what
 * is said of so many. */
static double carried(const char *words, const char *attack, bool counted, struct outcome *said)
{
    struct outcome o = {0}, at_close = {0};
    struct exchange_call call = {.carried = -1};
    struct test_case t = test_open(&mlp_ranks_op, words);
    struct exchange *x = start_ranks(attack, counted, &t, &o);
    if (!x || !exchange_run(x, 1, false, &call, &o) || !exchange_close(x, &at_close, NULL, 0))
        fail_msg("%s%s", o.reason, at_close.reason);
    *said = (struct outcome){0};
    ranks_judge(&t.layout, call.carried, "wide", said);
    test_close(&t);
    return call.carried;
}

/* What ranks send is seen where it is asked for: four merges of 12 weights. Through shared memory
 * the kernel sees nothing of it. */
static void test_carried(void **state)
{
    const double least = 4 * 12 * sizeof(double);
    (void)state;
    if (!may_have_ranks())
        skip();
    struct outcome o;
    const double sent = carried(ONE_LAYER, "none", true, &o),
                 unseen = carried(ONE_LAYER, "none", false, &o);
    if (!(sent >= least && sent < 200 * least) || !(unseen >= 0 && unseen < least))
        fail_msg("%g bytes sent, %g where nobody asks", sent, unseen);
}

/* Who brings the samples of all to one rank is refused; who sends weights alone is not. */
static void test_hoards(void **state)
{
    struct outcome right, hoards;
    (void)state;
    if (!may_have_ranks())
        skip();
    const double some = carried(MANY_SAMPLES, "none", true, &right),
                 all = carried(MANY_SAMPLES, "hoard", true, &hoards);
    if (right.verdict != VERDICT_PASS || hoards.verdict != VERDICT_REJECTED ||
        !strstr(hoards.reason, "the ranks sent each other"))
        fail_msg("%g and %g bytes: \"%s\", \"%s\"", some, all, right.reason, hoards.reason);
}

/* A tenth of what the rank with least is given alone; what is unknown is no pass. */
static void test_most_sent(void **state)
{
    const struct {
        double sent;
        enum verdict verdict;
    } expected[] = {{0, VERDICT_PASS},
                    {0.099, VERDICT_PASS},
                    {0.101, VERDICT_REJECTED},
                    {INFINITY, VERDICT_REJECTED},
                    {-1, VERDICT_ENVIRONMENT}};
    (void)state;
    struct test_case t = test_open(&mlp_ranks_op, ONE_LAYER);
    double least = INFINITY;
    for (int r = 0; r < 4; r++) {
        double own = 0;
        for (int k = 0; k < 3; k++)
            own += (double)test_bytes(&t.layout.in[3 * r + k]);
        least = own < least ? own : least;
    }
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct outcome o = {0};
        ranks_judge(&t.layout, expected[i].sent * least, "wide", &o);
        if (o.verdict != expected[i].verdict)
            fail_msg("%g: verdict %d: %s", expected[i].sent, (int)o.verdict, o.reason);
    }
    test_close(&t);
}

static int clean(void **state)
{
    char command[80];
    (void)state;
    snprintf(command, sizeof command, "rm -rf build/test-ranks/%d", (int)getpid());
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one),        cmocka_unit_test(test_shards),
        cmocka_unit_test(test_every_rank), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_jailed),     cmocka_unit_test(test_carried),
        cmocka_unit_test(test_hoards),     cmocka_unit_test(test_most_sent),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
