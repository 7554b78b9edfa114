/* Where a runner is seen to spend its time; and the words for a library's call that failed. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/exchange/internal.h"
#include "harness/grade/internal.h"
#include "tests/unit/toy/op.h"

static struct exchange_profile profile(enum toy_attack attack)
{
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16))) = {0};
    struct exchange_profile p;
    struct build_result built;
    struct outcome o = {0};
    ((struct toy_problem *)(void *)problem)->n = TOY_N;
    toy_build(attack, BUILD_PLAIN, &built);
    struct exchange_spec spec = toy_spec(&built, problem);
    spec.limits.wall_seconds = 20;
    struct exchange *x = exchange_open(&spec, &o);
    assert_non_null(x);
    const bool seen = exchange_profile(x, &p, &o);
    if (!seen)
        fail_msg("%s", o.reason);
    assert_true(exchange_close(x, &o, NULL, 0));
    assert_true(p.looks > 0 && p.samples >= p.looks && p.n > 0);
    return p;
}

/* Whether the line stands in variant.c and reads as it should. */
static void assert_line(const struct exchange_line *line, const char *words)
{
    const char *colon = strrchr(line->place, ':');
    char text[200] = "";
    FILE *f = fopen("tests/unit/toy/variant.c", "r");
    assert_non_null(f);
    assert_non_null(strstr(line->place, "tests/unit/toy/variant.c:"));
    for (int i = atoi(colon + 1); i > 0; i--)
        assert_non_null(fgets(text, sizeof text, f));
    fclose(f);
    if (!strstr(text, words))
        fail_msg("%s: %s", line->place, text);
}

static void one_that_sleeps(void **state)
{
    (void)state;
    const struct exchange_profile p = profile(TOY_SLEEPY);
    assert_line(&p.line[0], "usleep(30000)");
    assert_true(p.line[0].waited > p.samples / 2);
    assert_true(p.running < 0.5);
    assert_int_equal(p.together, 0);
}

static void one_that_computes(void **state)
{
    (void)state;
    const struct exchange_profile p = profile(TOY_BUSY);
    assert_line(&p.line[0], "n"); /* the loop or its body */
    int ran = 0, waited = 0;
    for (int i = 0; i < p.n; i++) {
        ran += p.line[i].ran;
        waited += p.line[i].waited;
    }
    assert_true(ran > p.samples / 2);
    assert_true(waited < p.samples / 2);
    assert_true(p.running > 0.5);
#ifdef __x86_64__
    assert_true(p.scalar + p.packed > 0);
    assert_true(p.stores > 0); /* y[i % n] = */
#endif
}

/* A barrier's own lock is none that is held for work. */
static void the_lock_of_work(void **state)
{
    (void)state;
    static const char barrier[] = "\n    pthread_mutex_lock(&b->lock);\n\n"
                                  "    while (b->come < b->all)\n"
                                  "        pthread_cond_wait(&b->all_here, &b->lock);\n"
                                  "    pthread_mutex_unlock(&b->lock);\n";
    static const char work[] = "\n    pthread_mutex_lock(&t->turn);\n"
                               "    train(t);\n"
                               "    pthread_mutex_unlock(&t->turn);\n";
    char root[] = "/tmp/test_slow.XXXXXX", path[80];
    struct lock_time l;
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/t.c", root);
    for (int with = 0; with < 2; with++) {
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        fprintf(out, "%s%s", barrier, with ? work : "");
        fclose(out);
        assert_int_equal(lock_of_work(root, "t.c:3 and t.c:5", &l), with);
    }
    assert_string_equal(l.name, "the lock t->turn");
    assert_string_equal(l.place, "t.c:8");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(root), 0);
}

static void failing_calls(void **state)
{
    (void)state;
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"labs/lab8/a.cu:7: cudnnFoo(s->h, a ? b : c): status 2000",
         "labs/lab8/a.cu:7: CUDNN_STATUS_BAD_PARAM by cudnnFoo() in open(): do the shapes fit"},
        {"labs/lab8/a.cu:7: cublasSgemm(h, x): status 7", "CUBLAS_STATUS_INVALID_VALUE by "},
        {"labs/lab8/a.cu:7: cudaMalloc(&p, n): status 2", "a.cu:7: status 2 by cudaMalloc()"},
        {"labs/lab8/a.cu:7: cudnnFoo(): status 77", "a.cu:7: status 77 by cudnnFoo() in open()"},
        {"hpclab: y is 2 x 3\nlabs/lab8/a.cu:7: cudnnFoo(s): status 2000",
         "CUDNN_STATUS_BAD_PARAM by cudnnFoo() in open(): y is 2 x 3"},
        {"y is 2 x 3\nlabs/lab8/a.cu:7: cudnnFoo(s): status 2000", "in open(): do the shapes fit"},
        {"a.cu:7: fopen(): status 2", NULL},
        {"cudnnFoo failed", NULL},
        {": status 7", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct outcome o = {0};
        const char *end = strchr(rows[i].line, '\n'), *last = end ? end + 1 : rows[i].line;
        const bool known = failing_call(rows[i].line, last, strlen(last), "open()", &o);
        if (known != (rows[i].words != NULL) || (known && !strstr(o.reason, rows[i].words)))
            fail_msg("%s: %s", rows[i].line, o.reason);
        assert_int_equal(o.verdict, known ? VERDICT_CRASH : 0);
    }
}

static void locks_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *line, *name;
    } rows[] = {
        {"#pragma omp critical", "the critical section"},
        {"#pragma omp critical(sums)", "the critical section sums"},
        {"    #pragma omp critical (sums) hint(1)", "the critical section sums"},
        {"pthread_mutex_lock(&s->barrier.weights);", "the lock s->barrier.weights"},
        {"omp_unset_lock(&lock[owner(i)]);", "the lock lock[owner(i)]"},
        {"if (mtx_lock(&m) != thrd_success)", "the lock m"},
        {"#pragma omp barrier", NULL},
        {"pthread_cond_wait(&b->met, &b->mutex);", NULL},
        {"int critical = 3;", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[60] = "";
        assert_int_equal(lock_name(rows[i].line, name, sizeof name), rows[i].name != NULL);
        if (rows[i].name)
            assert_string_equal(name, rows[i].name);
    }
}

static void locks_are_added_up(void **state)
{
    (void)state;
    char root[] = "/tmp/test_slow_XXXXXX", path[60];
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/a.c", root);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("#pragma omp critical\nsum += x;\n#pragma omp barrier\n  #pragma omp critical\n", f);
    assert_int_equal(fclose(f), 0);
    struct exchange_profile p = {.samples = 100,
                                 .n = 5,
                                 .line = {{"a.c:2", 40, 0, 0},
                                          {"a.c:4", 0, 20, 10},
                                          {"a.c:3", 0, 0, 20},
                                          {"a.c:1", 2, 3, 5},
                                          {"b.c:1", 0, 0, 0}}};
    struct lock_time l;
    assert_true(lock_time(root, &p, &l));
    assert_string_equal(l.name, "the critical section");
    assert_string_equal(l.place, "a.c:4");
    assert_int_equal(l.at, 38);
    assert_int_equal(l.own, 42);
    assert_true(l.shared); /* two lines, neither with a name */
    p.n = 1;
    assert_false(lock_time(root, &p, &l));
    unlink(path);
    rmdir(root);
}

static void what_is_written_has_a_name(void **state)
{
    (void)state;
    static const struct {
        const char *line, *name;
    } rows[] = {
        {"z[k * R] += in[i * R] * m[k];", "z"},
        {"s->sum[me] = 0;", "s->sum"},
        {"for (int k = 0; k < n; k++) own.count[k][me]++;", "own.count"},
        {"m[(1 + i) * n + k] <<= 1;", "m"},
        {"if (a[i] == b[i] && c[i] <= 3 && d[i] != 2) p->hits -= 1;", "p->hits"},
        {"*out = x;", "out"},
        {"row(s, me)[i] = x;", "row(s, me)"},
        {"if (a[i] == b)", NULL},
        {"while (a[i] >= b)", NULL},
        {"sum += a[i];", NULL},
        {"= 3;", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[60] = "";
        const bool found = store_name(rows[i].line, name, sizeof name);
        if (found != (rows[i].name != NULL) || (found && strcmp(name, rows[i].name) != 0))
            fail_msg("%s: %s", rows[i].line, name);
    }
}

static void shared_lines_have_words(void **state)
{
    (void)state;
    char text[400], numbers[400];
    struct trial_meeting m = {.stores = 2000,
                              .share = 0.5,
                              .lines = 1,
                              .thread = {0, 1},
                              .place = {"none.c:3", "none.c:3"}};
    assert_true(shared_words("/nowhere", &m, text, sizeof text, numbers, sizeof numbers));
    assert_string_equal(text, "false sharing: threads 0 and 1 write neighbouring elements "
                              "(none.c:3)");
    assert_non_null(strstr(numbers, "50% of a call's 2000 stores go to 1 cache line of 64 bytes"));
    snprintf(m.place[1], sizeof m.place[1], "none.c:7");
    assert_true(shared_words("/nowhere", &m, text, sizeof text, numbers, sizeof numbers));
    assert_non_null(strstr(text, "thread 0 writes elements (none.c:3)"));
    assert_non_null(strstr(text, "thread 1 writes, elements (none.c:7)"));
    m.share = 0.03; /* edges of blocks */
    assert_false(shared_words("/nowhere", &m, text, sizeof text, numbers, sizeof numbers));
}

/* A line with a quarter of the time alone, else those that have most. */
static void spread_over_lines(void **state)
{
    (void)state;
    char text[512];
    struct exchange_profile p = {.samples = 100, .looks = 100, .n = 3};
    p.line[0] = (struct exchange_line){.place = "labs/lab1/flat.c:63", .ran = 17};
    p.line[1] = (struct exchange_line){.place = "labs/lab1/flat.c:31", .ran = 9};
    p.line[2] = (struct exchange_line){.place = "labs/lab1/flat.c:40", .ran = 2};
    assert_true(grade_slow_words(&p, 1, text, sizeof text));
    assert_non_null(strstr(text, "spread"));
    assert_non_null(strstr(text, "17% at labs/lab1/flat.c:63, 9% at labs/lab1/flat.c:31"));
    assert_null(strstr(text, ":40"));
    p.line[0].ran = 60;
    assert_true(grade_slow_words(&p, 1, text, sizeof text));
    assert_null(strstr(text, "spread"));
    p.line[0].ran = p.line[1].ran = 1;
    assert_false(grade_slow_words(&p, 1, text, sizeof text));
}

static void looking_takes_no_longer_than_the_task(void **state)
{
    (void)state;
    const struct grading quick = {.quick = true}, whole = {0};
    struct jail_limits ample = {.wall_seconds = 10}, few = {.wall_seconds = 1};
    grade_hurry(&whole, &ample);
    assert_int_equal(ample.wall_seconds, 10);
    grade_hurry(&quick, &ample);
    assert_int_equal(ample.wall_seconds, GRADE_QUICK_SECONDS);
    grade_hurry(&quick, &few);
    assert_int_equal(few.wall_seconds, 1);
}

int main(void)
{
    if (!getcwd(toy_root, sizeof toy_root))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread_over_lines),
        cmocka_unit_test(one_that_sleeps),
        cmocka_unit_test(one_that_computes),
        cmocka_unit_test(failing_calls),
        cmocka_unit_test(the_lock_of_work),
        cmocka_unit_test(locks_have_names),
        cmocka_unit_test(locks_are_added_up),
        cmocka_unit_test(what_is_written_has_a_name),
        cmocka_unit_test(shared_lines_have_words),
        cmocka_unit_test(looking_takes_no_longer_than_the_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
