/* A case of mlp_minibatch whose arrays end where a page begins that may not be touched: what a
 * variant reads or writes behind an array ends the test. */
#ifndef HPC_TESTS_GUARDED_CASE_H
#define HPC_TESTS_GUARDED_CASE_H

#include "tests/unit/mlp_case.h"

#include <sys/mman.h>

/* Room for bytes, at most 63 bytes before a page without rights, aligned to 64 as in a runner. */
static inline void *guarded_alloc(size_t bytes)
{
    const size_t span = (bytes + HPC_PAGE) / HPC_PAGE * HPC_PAGE;
    char *pages =
        mmap(NULL, span + HPC_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + span, HPC_PAGE, PROT_NONE), 0);
    return pages + hpc_lead(bytes, span);
}

static inline void guarded_free(void *array, size_t bytes)
{
    const size_t span = (bytes + HPC_PAGE) / HPC_PAGE * HPC_PAGE;
    munmap((char *)array - hpc_lead(bytes, span), span + HPC_PAGE);
}

/* The variant's output on two draws of the case passes the checks of the operation. */
static inline void assert_trains(const struct hpc_variant *v, const char *words, struct hpc_env env)
{
    struct test_case t = test_open(&mlp_minibatch_op, words);
    void *state = NULL;
    for (int i = 0; i < t.layout.n_in; i++) {
        free(t.in[i]);
        t.in[i] = guarded_alloc(test_bytes(&t.layout.in[i]));
    }
    free(t.out[0]);
    t.out[0] = guarded_alloc(test_bytes(&t.layout.out[0]));
    assert_int_equal(v->open(&env, &t.c, &state), 0);
    for (uint64_t call = 0; call < 2; call++) {
        test_draw(&t, 5, call);
        assert_int_equal(v->run(state, (const void *const *)t.in, t.out), 0);
        assert_right(&t);
    }
    v->close(state);
    for (int i = 0; i < t.layout.n_in; i++) {
        guarded_free(t.in[i], test_bytes(&t.layout.in[i]));
        t.in[i] = NULL;
    }
    guarded_free(t.out[0], test_bytes(&t.layout.out[0]));
    t.out[0] = NULL;
    test_close(&t);
}

#endif
