/* The exchange against a toy operation's variants, honest and hostile (tests/unit/toy/), each in
 * every jail that there is here. */
#define _GNU_SOURCE
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/build/internal.h"
#include "tests/unit/toy/op.h"

#define CALLS 3

static bool right(const struct exchange_call *call)
{
    const double *x = call->in[0], *y = call->out[0];
    for (int i = 0; i < TOY_N; i++)
        if (!(y[i] == 2 * x[i] + 1))
            return false;
    return true;
}

/* Open, a few calls, close: the verdict and its reason, as a grader would get them. */
static enum verdict attempt(enum toy_attack attack, enum build_kind kind, char reason[400],
                            char *output, size_t output_size)
{
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16))) = {0};
    struct build_result built;
    struct outcome o = {0}, at_close = {0};
    ((struct toy_problem *)(void *)problem)->n = TOY_N;
    toy_build(attack, kind, &built);
    struct exchange_spec spec = toy_spec(&built, problem);
    const bool busy = attack == TOY_LONG || attack == TOY_TURNS; /* a call takes others seconds */
    if (busy)
        spec.limits.wall_seconds = 1;
    struct exchange *x = exchange_open(&spec, &o);
    bool good = x != NULL;
    for (uint64_t i = 0; good && i < (busy ? 1 : CALLS); i++) {
        struct exchange_call call;
        good = exchange_run(x, i, i == 0, &call, &o);
        if (good && !right(&call))
            good = outcome_set(&o, VERDICT_WRONG, "wrong output");
    }
    if (x && !exchange_close(x, &at_close, output, output_size) && good)
        o = at_close;
    snprintf(reason, sizeof o.reason, "%s", o.reason);
    return o.verdict;
}

struct expectation {
    enum toy_attack attack;
    enum build_kind kind;
    enum verdict verdict;
    const char *reason; /* a part of it */
};

static const struct expectation plain[] = {
    {TOY_NONE, BUILD_PLAIN, VERDICT_PASS, ""},
    {TOY_FIXED, BUILD_PLAIN, VERDICT_PASS, ""},
    {TOY_LAZY, BUILD_PLAIN, VERDICT_WRONG, "wrong output"},
    {TOY_CHATTY, BUILD_PLAIN, VERDICT_PASS, ""},
    {TOY_REFUSE, BUILD_PLAIN, VERDICT_WRONG, "open() refused the problem: returned 7"},
    {TOY_FAIL, BUILD_PLAIN, VERDICT_WRONG, "run() failed: returned 9"},
    {TOY_FOREIGN, BUILD_PLAIN, VERDICT_WRONG, "not a variant of toy"},
    {TOY_CRASH, BUILD_PLAIN, VERDICT_CRASH, "signal 11 (Segmentation fault) in run()"},
    {TOY_CRASH_OPEN, BUILD_PLAIN, VERDICT_CRASH, "signal 11 (Segmentation fault) in open()"},
    {TOY_CRASH_CLOSE, BUILD_PLAIN, VERDICT_CRASH, "signal 11 (Segmentation fault) in close()"},
    {TOY_EXIT, BUILD_PLAIN, VERDICT_CRASH, "exit status 0 (it last printed: score 100/100"},
    {TOY_HANG, BUILD_PLAIN, VERDICT_TIMEOUT, "run() did not return within 2 s"},
    {TOY_HANG_OPEN, BUILD_PLAIN, VERDICT_TIMEOUT, "open() did not return within 2 s"},
    {TOY_EARLY, BUILD_PLAIN, VERDICT_REJECTED, "the output \"y\" changed after the done signal"},
    {TOY_LATE, BUILD_PLAIN, VERDICT_WRONG, "wrong output"},
    {TOY_AFTER, BUILD_PLAIN, VERDICT_UNSAFE, "writes outside its output array \"y\""},
    {TOY_BEFORE, BUILD_PLAIN, VERDICT_UNSAFE, "writes outside its output array \"y\""},
    {TOY_FAR, BUILD_PLAIN, VERDICT_CRASH, "signal 11"},
    {TOY_INPUT, BUILD_PLAIN, VERDICT_CRASH, "signal 11"},
    {TOY_REMAP, BUILD_PLAIN, VERDICT_PASS, ""},
    {TOY_HUNGRY, BUILD_PLAIN, VERDICT_MEMORY, "memory limit of 64 MiB"},
    {TOY_GREEDY, BUILD_PLAIN, VERDICT_MEMORY, "memory limit of 64 MiB"},
    {TOY_FLOOD, BUILD_PLAIN, VERDICT_REJECTED, "more than 4096 KiB of output"},
    {TOY_FORK, BUILD_PLAIN, VERDICT_PASS, ""},
    {TOY_OPENMP, BUILD_PLAIN, VERDICT_PASS, ""},
};

static const struct expectation namespaced[] = {
    {TOY_SPY, BUILD_PLAIN, VERDICT_PASS, ""},
    {TOY_FILL, BUILD_PLAIN, VERDICT_PASS, ""},
};

static const struct expectation sanitized[] = {
    {TOY_NONE, BUILD_ADDRESS, VERDICT_PASS, ""},
    {TOY_LEAK, BUILD_ADDRESS, VERDICT_UNSAFE,
     "leak of 56 byte(s) in 1 object(s) at tests/unit/toy/variant.c:"},
    /* which of the two sanitizers sees an overrun first depends on the compiler */
    {TOY_HEAP, BUILD_ADDRESS, VERDICT_UNSAFE, "tests/unit/toy/variant.c:"},
    {TOY_UNDEFINED, BUILD_ADDRESS, VERDICT_UNSAFE, "out of bounds"},
    {TOY_NONE, BUILD_THREADS, VERDICT_PASS, ""},
    {TOY_RACE, BUILD_THREADS, VERDICT_UNSAFE, "data race at tests/unit/toy/variant.c:"},
};

static void check(const struct expectation *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char reason[400];
        enum verdict got = attempt(list[i].attack, list[i].kind, reason, NULL, 0);
        /* Whether the second look meets the change depends on the scheduler. */
        for (int more = 0; more < 20 && list[i].attack == TOY_EARLY && got == VERDICT_WRONG; more++)
            got = attempt(list[i].attack, list[i].kind, reason, NULL, 0);
        if (got != list[i].verdict || !strstr(reason, list[i].reason))
            print_error("attack %d: verdict %d, reason: %s\n", (int)list[i].attack, (int)got,
                        reason);
        assert_int_equal(got, list[i].verdict);
        assert_non_null(strstr(reason, list[i].reason));
        assert_null(strchr(reason, '\n'));
    }
}

static void test_plain(void **state)
{
    (void)state;
    check(plain, sizeof plain / sizeof *plain);
}

static void test_namespaced(void **state)
{
    (void)state;
    if (jail_tier() != JAIL_BUBBLEWRAP)
        skip(); /* needs bubblewrap */
    setenv("TOY_SECRET", "1", 1);
    check(namespaced, sizeof namespaced / sizeof *namespaced);
}

static void test_sanitized(void **state)
{
    (void)state;
    check(sanitized, sizeof sanitized / sizeof *sanitized);
}

static void test_openmp_threads(void **state)
{
    static const struct expectation archer[] = {
        {TOY_OPENMP, BUILD_THREADS, VERDICT_PASS, ""},
        {TOY_OPENMP_RACE, BUILD_THREADS, VERDICT_UNSAFE, "data race at tests/unit/toy/variant.c:"},
    };
    struct build_spec spec = {.source = "x.c", .flags = "-fopenmp", .kind = BUILD_THREADS};
    struct build_tools tools;
    (void)state;
    build_tools_for(&spec, &tools);
    if (tools.missing) {
        assert_non_null(strstr(tools.missing, "no clang with Archer here"));
        skip(); /* needs clang with Archer */
    }
    check(archer, sizeof archer / sizeof *archer);
}

enum { OTHERS = 5 }; /* that compute on each processor */

/* A process in a session of its own, which some kernels share processors by. */
static pid_t start_other(int processor)
{
    const pid_t pid = fork();
    if (pid == 0) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        setsid();
        sched_setaffinity(0, sizeof one, &one);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            ;
    }
    return pid;
}

/* Beside others that leave it a sixth of each processor. */
static void passes_beside_others(enum toy_attack attack)
{
    cpu_set_t ours;
    pid_t others[OTHERS * CPU_SETSIZE];
    int n = 0;
    char reason[400];
    struct build_result built;
    toy_build(attack, BUILD_PLAIN, &built); /* while there are no others */
    assert_int_equal(sched_getaffinity(0, sizeof ours, &ours), 0);
    for (int i = 0; i < OTHERS * CPU_SETSIZE; i++)
        if (CPU_ISSET(i / OTHERS, &ours))
            others[n++] = start_other(i / OTHERS);
    const enum verdict got = attempt(attack, BUILD_PLAIN, reason, NULL, 0);
    for (int i = 0; i < n; i++) {
        kill(others[i], SIGKILL);
        waitpid(others[i], NULL, 0);
    }
    assert_string_equal(reason, "");
    assert_int_equal(got, VERDICT_PASS);
}

/* 0.25 s of a processor, with a deadline of 1 s: others' time is not its own. */
static void test_busy_machine(void **state)
{
    (void)state;
    passes_beside_others(TOY_LONG);
}

/* 0.4 s, of which each of two threads waits for half. */
static void test_busy_turns(void **state)
{
    (void)state;
    passes_beside_others(TOY_TURNS);
}

static void test_output(void **state)
{
    static char output[100 << 10];
    char reason[400];
    (void)state;
    assert_int_equal(attempt(TOY_CHATTY, BUILD_PLAIN, reason, output, sizeof output), VERDICT_PASS);
    size_t length = strlen(output);
    assert_in_range(length, 50 << 10, 64 << 10);
    assert_null(memchr(output, '\033', length));
    assert_memory_equal(output, "[31m000", 7);
}

static int limits_only(void **state)
{
    (void)state;
    return setenv("HPC_JAIL", "limits", 1);
}

static int best_jail(void **state)
{
    (void)state;
    return unsetenv("HPC_JAIL");
}

int main(void)
{
    if (!getcwd(toy_root, sizeof toy_root))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_plain, best_jail),
        cmocka_unit_test_setup(test_namespaced, best_jail),
        cmocka_unit_test_setup(test_sanitized, best_jail),
        cmocka_unit_test_setup(test_openmp_threads, best_jail),
        cmocka_unit_test_setup(test_output, best_jail),
        cmocka_unit_test_setup(test_busy_machine, best_jail),
        cmocka_unit_test_setup(test_busy_turns, best_jail),
        {"test_plain, limits only", test_plain, limits_only, best_jail, NULL},
        {"test_sanitized, limits only", test_sanitized, limits_only, best_jail, NULL},
        {"test_output, limits only", test_output, limits_only, best_jail, NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
