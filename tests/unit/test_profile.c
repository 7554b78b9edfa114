/* Reading gprof's tables, drawing a net from a name, and what is computed from a profile. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/profile/profile.h"

static const char flat_text[] =
    "Flat profile:\n\n"
    "Each sample counts as 0.01 seconds.\n"
    "  %   cumulative   self              self     total           \n"
    " time   seconds   seconds    calls   s/call   s/call  name    \n"
    " 52.62     12.20    12.20 10960000     0.00     0.00  back_propagation\n"
    " 20.51     16.95     4.75 43840000     0.00     0.00  calculate_local_gradient\n"
    " 15.50     20.54     3.59 43840000     0.00     0.00  mat_mul\n"
    "  0.02     20.55     0.01                             identity\n"
    "  0.00     20.55     0.00        1     0.00     0.02  mlp_classifier\n"
    "\f\n";

static const char graph_text[] =
    "\t\t\tCall graph\n\n\n"
    "granularity: each sample hit covers 2 byte(s) for 0.04% of 23.20 seconds\n\n"
    "index % time    self  children    called     name\n"
    "                                                 <spontaneous>\n"
    "[1]    100.0    0.00   23.19                 main [1]\n"
    "                0.06   23.11       1/1           mlp_trainer [2]\n"
    "-----------------------------------------------\n"
    "                0.06   23.11       1/1           main [1]\n"
    "[2]     99.9    0.06   23.11       1         mlp_trainer [2]\n"
    "               12.20    5.34 10960000/10960000     back_propagation [3]\n"
    "                1.16    4.35 10960000/10960000     forward_propagation [4]\n"
    "-----------------------------------------------\n"
    "               12.20    5.34 10960000/10960000     mlp_trainer [2]\n"
    "[3]     75.6   12.20    5.34 10960000         back_propagation [3]\n"
    "                4.75    0.59 43840000/43840000     calculate_local_gradient [5]\n"
    "-----------------------------------------------\n";

static void test_flat(void **state)
{
    (void)state;
    struct profile_table t;
    assert_true(profile_read_flat(flat_text, &t));
    assert_int_equal(t.n, 5);
    assert_string_equal(t.f[0].name, "back_propagation");
    assert_true(fabs(t.seconds - 20.55) < 1e-9);
    assert_true(fabs(profile_share(&t, "calculate_local_gradient") - 100 * 4.75 / 20.55) < 1e-9);
    assert_true(profile_function(&t, "mat_mul")->calls == 43840000);
    assert_true(profile_function(&t, "identity")->calls < 0);
    assert_true(profile_function(&t, "identity")->self_seconds == 0.01);
    assert_null(profile_function(&t, "malloc"));
    assert_true(profile_share(&t, "malloc") == 0);
}

static void test_flat_without_table(void **state)
{
    (void)state;
    struct profile_table t;
    assert_false(profile_read_flat("", &t));
    assert_false(profile_read_flat("gprof: gmon.out file is missing call-graph data\n", &t));
    assert_false(profile_read_flat(" time   seconds   seconds    calls  name    \n\n", &t));
}

static void test_graph(void **state)
{
    (void)state;
    static struct profile p;
    p.n_edges = profile_read_graph(graph_text, p.edge, PROFILE_MAX_EDGES);
    assert_int_equal(p.n_edges, 4);
    assert_string_equal(p.edge[3].caller, "back_propagation");
    assert_string_equal(p.edge[3].callee, "calculate_local_gradient");
    assert_true(p.edge[3].calls == 43840000);
    double share = profile_callee_share(&p, "back_propagation", "calculate_local_gradient");
    assert_true(fabs(share - 100 * 5.34 / 17.54) < 1e-9);
    assert_true(profile_callee_share(&p, "back_propagation", "mat_mul") == 0);
    assert_true(profile_callee_share(&p, "nobody", "mat_mul") == 0);
    assert_int_equal(profile_read_graph(graph_text, p.edge, 2), 2);
    assert_int_equal(profile_read_graph("", p.edge, 2), 0);
}

static void test_unseen(void **state)
{
    (void)state;
    static struct profile p;
    assert_true(profile_unseen(&p) == 0);
    p.cpu_seconds = 20;
    p.flat.seconds = 9;
    assert_true(fabs(profile_unseen(&p) - 55) < 1e-9);
    p.flat.seconds = 21;
    assert_true(profile_unseen(&p) == 0);
}

static void test_places(void **state)
{
    (void)state;
    assert_int_equal(profile_place("_int_free"), PROFILE_ALLOCATOR);
    assert_int_equal(profile_place("calloc"), PROFILE_ALLOCATOR);
    assert_int_equal(profile_place("__ieee754_exp_fma"), PROFILE_MATH);
    assert_int_equal(profile_place("__mcount_internal"), PROFILE_PROFILER);
    assert_int_equal(profile_place("write"), PROFILE_OTHER);

    static struct profile p;
    p.flat = (struct profile_table){.n = 1, .f = {{"free_rows", 1, 1}}, .seconds = 1};
    p.whole = (struct profile_table){
        .n = 3, .f = {{"free_rows", 1, 1}, {"_int_malloc", 2, -1}, {"exp", 1, -1}}, .seconds = 4};
    assert_true(profile_place_share(&p, PROFILE_ALLOCATOR) == 50);
    assert_true(profile_place_share(&p, PROFILE_MATH) == 25);
}

static void test_draw(void **state)
{
    (void)state;
    struct mlp_problem a, b;
    uint64_t seed_a, seed_b;
    profile_draw("Ada Lovelace", "", &a, &seed_a);
    profile_draw("  ada lovelace\t", "", &b, &seed_b);
    assert_true(seed_a == seed_b);
    assert_memory_equal(&a, &b, sizeof a);
    profile_draw("Ada Lovelace", "autumn", &b, &seed_b);
    assert_true(seed_a != seed_b && a.samples != b.samples); /* which mat_mul_calls tells */

    int different = 0, orders[6] = {0};
    for (int i = 0; i < 60; i++) {
        char name[] = {(char)('A' + i % 26), (char)('a' + i / 26), '\0'};
        profile_draw(name, "", &b, &seed_b);
        different += seed_b != seed_a && memcmp(a.size, b.size, sizeof a.size) != 0;
        assert_int_equal(b.n_layers, 5);
        assert_int_equal(b.size[4], 1);
        assert_in_range(b.samples, 600, 1500);
        for (int l = 0; l < 4; l++)
            assert_in_range(b.size[l], 3, 9);
        int seen = 0;
        for (int l = 1; l < 4; l++)
            seen |= 1 << b.activation[l];
        assert_int_equal(seen, 1 << MLP_SOFTMAX | 1 << MLP_RELU | 1 << MLP_TANH);
        assert_int_equal(b.activation[4], MLP_SIGMOID);
        for (int l = 0; l < 2; l++)
            orders[2 * (b.activation[1] - MLP_TANH) + (b.activation[2] < b.activation[3])]++;
    }
    assert_true(different >= 55);
    for (int i = 0; i < 6; i++)
        assert_true(orders[i] > 0);
}

static void test_names(void **state)
{
    (void)state;
    struct hpc_error err;
    char longest[PROFILE_STUDENT + 8];
    assert_true(profile_name_good("Zo\xc3\xab", &err));
    assert_false(profile_name_good("", &err));
    assert_non_null(strstr(err.text, "the name is empty"));
    assert_false(profile_name_good("  ", &err));
    assert_false(profile_name_good("a\033[2J", &err));
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_false(profile_name_good(longest, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),   cmocka_unit_test(test_flat_without_table),
        cmocka_unit_test(test_graph),  cmocka_unit_test(test_unseen),
        cmocka_unit_test(test_places), cmocka_unit_test(test_draw),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
