/* Gambling: a submission at the baseline's pace that leaves work out in a share of its processes
 * and calls. A hundred gradings each are simulated with made-up times; pairs, intervals, credit,
 * samples and their order are the grader's own. A grading in which a call that is checked left work
 * out earns nothing. Prints the figures: build/tests/test_gamble. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness/record/score.h"
#include "tests/unit/measure_scene.h"

#define GRADINGS 100
#define POINTS   40.0
#define TARGET   1.8
#define GAIN     2.0 /* points over an honest one, at most */
#define SECONDS  0.05

struct gambler {
    double processes, calls; /* shares in which work is left out */
    double factor;           /* so much faster these are */
    double scatter;          /* so much slower its own calls are at most, of its own making */
};

static double uniform(struct hpc_random *r)
{
    return hpc_random_u32(r) / 4294967296.0;
}

static double noise(struct hpc_random *r)
{
    return 1 + 0.01 * (uniform(r) - 0.5);
}

/* How one is graded. */
struct grading {
    int threads, kept; /* of how many calls the outputs are kept, 0: of all */
    int pairs, calls;  /* the latter of a process */
    bool samples;
};

/* One grading's points. */
static double grade_once(const struct gambler *g, const struct grading *how, struct hpc_random *r)
{
    static struct scene scene;
    memset(&scene, 0, sizeof scene);
    struct measure_session *s = &scene.session;
    const double out = 0;
    char *left_out = hpc_calloc(1, MEASURE_SAMPLES);
    const void *const outs[HPC_MAX_ARRAYS] = {&out};
    scene.spec =
        (struct measure_spec){.op = &no_op, .pairs = how->pairs, .seed = hpc_random_u32(r)};
    scene.spec.student.env.threads = how->threads;
    s->spec = &scene.spec;
    s->result = &scene.result;
    s->kept_bytes = (size_t)how->kept * (sizeof out + 1);
    s->layout =
        (struct hpc_layout){.n_out = 1, .out = {{.name = "y", .type = HPC_F64, .count = 1}}};
    hpc_random_init(&s->random, hpc_random_u32(r), 1);
    for (; s->pairs < how->pairs; s->pairs++) {
        const bool cheats = uniform(r) < g->processes;
        for (int student = 0; student < 2; student++) {
            struct measure_block *b = &s->block[student][s->pairs];
            for (b->n = 0; b->n < how->calls; b->n++) {
                const bool less = student && cheats && uniform(r) < g->calls;
                double own = student ? 1 + g->scatter * uniform(r) : 1;
                b->seconds[b->n] = SECONDS * noise(r) * own / (less ? g->factor : 1);
                if (student) {
                    left_out[s->call] = less;
                    samples_take(s, s->call++, b->seconds[b->n], outs);
                }
            }
        }
        samples_end_block(s);
    }
    measure_settle(s);
    measure_evaluate(s);
    int *order = hpc_malloc(((size_t)s->n_samples + 1) * sizeof *order);
    samples_order(s, order);
    bool caught = false;
    for (int i = 0; i < s->n_samples && i < MEASURE_CHECKED && how->samples; i++)
        caught |= left_out[s->sample[order[i]].call] != 0;
    free(order);
    samples_free(s);
    free(left_out);
    return caught ? 0 : POINTS * score_fraction(score_credit(&scene.result.speed.ratio), TARGET);
}

static double mean_of(const struct gambler *g, const struct grading *how)
{
    struct hpc_random r;
    double sum = 0;
    hpc_random_init(&r, 12, 12);
    for (int i = 0; i < GRADINGS; i++)
        sum += grade_once(g, how, &r);
    return sum / GRADINGS;
}

/* The strategies; the first is issue-like: a third of the processes, two calls of three. */
static const struct gambler gamblers[] = {
    {1 / 3., 2 / 3., 20, 0},  {1 / 3., 1, 20, 0}, {0.5, 1, 20, 0},           {0.5, 2 / 3., 20, 0},
    {0.6, 0.6, 20, 0},        {0.2, 1, 20, 0},    {1, 1 / 3., 20, 0},        {1, 0.5, 20, 0},
    {0.1, 0.5, 20, 0},        {0.5, 1, 1.5, 0},   {1 / 3., 2 / 3., 20, 0.3}, {0.4, 0.7, 20, 0.6},
    {1 / 3., 2 / 3., 2, 0.1}, {0.45, 1, 20, 0.2},
};

static void gambling_gains_nothing(void **state)
{
    /* A baseline that takes long has few pairs, and one call a process. */
    static const struct grading ways[] = {
        {1, 30, 15, 3, true}, {1, 0, 15, 3, true}, {1, 6, 15, 3, true}, {1, 0, 7, 1, true},
        {2, 30, 15, 3, true}, {2, 0, 15, 3, true}, {2, 6, 15, 3, true}, {2, 0, 7, 1, true}};
    static const struct gambler honest = {0, 0, 1, 0};
    /* All strategies in the first way, else the first three; with TEST_ALL all. */
    const size_t n = sizeof gamblers / sizeof *gamblers;
    (void)state;
    for (const struct grading *way = ways; way < ways + sizeof ways / sizeof *ways; way++) {
        const double fair = mean_of(&honest, way);
        const size_t tried = way == ways || getenv("TEST_ALL") ? n : 3;
        for (size_t i = 0; i < tried; i++) {
            const struct gambler *g = &gamblers[i];
            const double won = mean_of(g, way);
            printf("# %d threads, %2d pairs, kept %2d: %2.0f%% of processes, %3.0f%% of their "
                   "calls, %4.1f "
                   "times as fast, "
                   "scatter %2.0f%%: %.2f of %.0f points, honest %.2f\n",
                   way->threads, way->pairs, way->kept, 100 * g->processes, 100 * g->calls,
                   g->factor, 100 * g->scatter, won, POINTS, fair);
            assert_true(won <= fair + GAIN);
        }
    }
}

/* Without the samples one gambles and wins: the test can fail. */
static void samples_are_what_holds(void **state)
{
    static const struct gambler half = {0.6, 0.7, 20, 0};
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        const struct grading trusting = {threads, 0, 15, 3, false};
        assert_true(mean_of(&half, &trusting) > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gambling_gains_nothing),
        cmocka_unit_test(samples_are_what_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
