/* A case of conv1d, its inputs drawn, its output poisoned: for the tests of conv1d/. */
#ifndef HPC_TESTS_CONV1D_CASE_H
#define HPC_TESTS_CONV1D_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conv1d/op/op.h"

struct conv1d_case {
    struct conv1d_problem p;
    float *x, *w, *y;
};

static inline void conv1d_draw(struct conv1d_case *c, uint64_t seed, uint64_t call)
{
    conv1d_op.generate(&c->p, seed, call, (void *[]){c->x, c->w});
    memset(c->y, 0xff, c->p.n * sizeof *c->y); /* NaN */
}

static inline struct conv1d_case conv1d_open(uint64_t n, int mask, int block)
{
    struct conv1d_case c = {.p = {.n = n, .radius = mask / 2, .block = block}};
    c.x = hpc_malloc(n * sizeof *c.x + 1);
    c.w = hpc_malloc((size_t)mask * sizeof *c.w);
    c.y = hpc_malloc(n * sizeof *c.y + 1);
    conv1d_draw(&c, 20, 1);
    return c;
}

static inline void conv1d_close(struct conv1d_case *c)
{
    free(c->x);
    free(c->w);
    free(c->y);
}

static inline bool conv1d_full(const struct conv1d_case *c, struct hpc_mismatch *m)
{
    bool admitted = false;
    *m = (struct hpc_mismatch){0};
    bool right =
        conv1d_op.check(&c->p, (const void *[]){c->x, c->w}, (const void *[]){c->y}, &admitted, m);
    assert_true(admitted);
    return right;
}

static inline bool conv1d_quick(const struct conv1d_case *c, struct hpc_mismatch *m)
{
    *m = (struct hpc_mismatch){0};
    return conv1d_op.check_quick(&c->p, (const void *[]){c->x, c->w}, (const void *[]){c->y}, m);
}

/* Right by both checks. */
static inline void conv1d_assert_right(const struct conv1d_case *c)
{
    struct hpc_mismatch m;
    if (!conv1d_full(c, &m) || !conv1d_quick(c, &m))
        fail_msg("n %llu radius %d: %s: got %.9g, want %.9g within %g, %zu wrong; %s",
                 (unsigned long long)c->p.n, c->p.radius, m.what, m.got, m.want, m.bound, m.wrong,
                 m.hint);
}

/* Wrong by the full check, whose `what` and `hint` hold these texts. */
static inline void conv1d_assert_wrong(const struct conv1d_case *c, const char *what,
                                       const char *hint)
{
    struct hpc_mismatch m;
    assert_false(conv1d_full(c, &m));
    if (!strstr(m.what, what) || !strstr(m.hint, hint))
        fail_msg("what \"%s\", hint \"%s\"; expected \"%s\", \"%s\"", m.what, m.hint, what, hint);
}

/* x[i] with zeros around it. */
static inline float conv1d_x(const struct conv1d_case *c, int64_t i)
{
    return i >= 0 && i < (int64_t)c->p.n ? c->x[i] : 0;
}

#endif
