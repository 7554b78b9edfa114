/* Lemma 1, Lemma 2 and Theorem 2.1 of [Suita], as counted operations: the methods are run on a
 * number that counts what is done to it, and must give the oracle's result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <cmocka.h>
}

#include <cmath>

#include "common/random.h"
#include "labs/lab8/marker/convpool_count.h"
#include "tests/unit/convpool_methods.h"
#include "conv2d/op/op.h"

namespace
{

struct counting {
    double v;
    static double additions, multiplications;

    counting(double value = 0) : v(value)
    {
    }
};
double counting::additions, counting::multiplications;

counting operator+(counting a, counting b)
{
    counting::additions++;
    return a.v + b.v;
}

counting operator-(counting a, counting b)
{
    counting::additions++;
    return a.v - b.v;
}

counting operator*(counting a, counting b)
{
    counting::multiplications++;
    return a.v * b.v;
}

/* One image: c, h, w, k, r, s, pad, pool. */
const struct convpool_problem problems[] = {
    {{1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0}, 1},   {{1, 2, 8, 8, 3, 3, 3, 1, 1, 0, 0}, 2},
    {{1, 3, 9, 7, 2, 2, 3, 1, 0, 0, 0}, 2},   {{1, 1, 12, 13, 4, 5, 5, 1, 2, 0, 0}, 3},
    {{1, 4, 16, 16, 8, 3, 3, 1, 1, 0, 0}, 4}, {{1, 2, 11, 6, 3, 1, 2, 1, 1, 0, 0}, 1},
};

template <class T> struct inputs {
    convpool::maps_of<T> x, w;

    explicit inputs(const struct convpool_problem &p)
        : x(p.conv.c, p.conv.h + 2 * p.conv.pad, p.conv.w + 2 * p.conv.pad),
          w(p.conv.k * p.conv.c, p.conv.r, p.conv.s)
    {
        struct hpc_random random;
        hpc_random_init(&random, 20, 1);
        for (int c = 0; c < p.conv.c; c++)
            for (int i = 0; i < p.conv.h; i++)
                for (int j = 0; j < p.conv.w; j++)
                    x.at(c, i + p.conv.pad, j + p.conv.pad) = T(hpc_random_normal(&random));
        for (T &v : w.value)
            v = T(hpc_random_normal(&random));
    }
};

/* y is what the oracle says. */
template <class T>
void assert_right(const struct convpool_problem &p, const convpool::maps_of<T> &y)
{
    const inputs<double> in(p);
    std::vector<double> x;
    for (int c = 0; c < p.conv.c; c++)
        for (int i = 0; i < p.conv.h; i++)
            for (int j = 0; j < p.conv.w; j++)
                x.push_back(in.x.at(c, i + p.conv.pad, j + p.conv.pad));
    struct conv_sums want = conv_oracle_plain(&p, x.data(), in.w.value.data());
    assert_int_equal(want.count, y.value.size());
    for (size_t i = 0; i < want.count; i++)
        assert_true(std::fabs(y.value[i].v - want.y[i]) <= 1e-12 * (1 + want.absolute[i]));
    conv_sums_free(&want);
}

template <class Method>
void assert_counted(const struct convpool_problem &p, struct convpool_count count, Method method)
{
    const inputs<counting> in(p);
    counting::additions = counting::multiplications = 0;
    const convpool::maps_of<counting> y = method(in);
    assert_true(counting::additions == count.additions);
    assert_true(counting::multiplications == count.multiplications);
    assert_right(p, y);
}

void counts_are_what_the_methods_do(void **)
{
    for (const struct convpool_problem &p : problems) {
        assert_counted(p, convpool_count_defined(&p), [&](const inputs<counting> &in) {
            return convpool::defined(p, in.x, in.w);
        });
        assert_counted(p, convpool_count_table(&p), [&](const inputs<counting> &in) {
            return convpool::by_table(p, in.x, in.w);
        });
        assert_counted(p, convpool_count_direct(&p), [&](const inputs<counting> &in) {
            return convpool::by_direct_sum(p, in.x, in.w);
        });
        const convpool::maps_of<counting> fused = convpool::fuse(p, inputs<counting>(p).w);
        assert_counted(p, convpool_count_fused(&p), [&](const inputs<counting> &in) {
            return convpool::by_fused(p, in.x, fused);
        });
    }
}

/* The orders of growth, where R is large against the sums: products go as the paper's formulas. */
void lemmas(void **)
{
    for (int pool = 1; pool <= 4; pool++) {
        const struct convpool_problem p = {{1, 16, 48, 48, 4096, 3, 3, 1, 1, 0, 0}, pool};
        const double defined = convpool_count_defined(&p).multiplications;
        const double fused = convpool_count_fused(&p).multiplications;
        const double table = convpool_count_table(&p).multiplications;
        const double direct = convpool_count_direct(&p).multiplications;
        const double products = 48.0 * 48 * 9 * 16 * 4096; /* Lemma 1: n^2 k^2 I R */
        assert_true(std::fabs(defined / products - 1) < 0.01);
        assert_true(fused == products / (pool * pool) * (pool + 2) * (pool + 2) / 9);
        assert_true(std::fabs(table * pool * pool / products - 1) < 0.01);
        assert_true(table == direct);
    }
    /* A table pays for large pools only: 2 n^2 + 3 against 2 (p - 1) additions a sum. */
    const struct convpool_problem two = {{1, 1, 64, 64, 1, 3, 3, 1, 1, 0, 0}, 2};
    struct convpool_problem eight = two;
    eight.pool = 8;
    assert_true(convpool_count_direct(&two).additions < convpool_count_table(&two).additions);
    assert_true(convpool_count_direct(&eight).additions > convpool_count_table(&eight).additions);
}

} // namespace

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_what_the_methods_do),
        cmocka_unit_test(lemmas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
