/* What a term asks is the same problem in another order: every place is one to one, and none of
 * them leaves all where it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "common/op.h"

/* So many problems of each operation, by keys. */
static const char *const problems[][2] = {
    {"mlp_sgd", "layers=4,5,3,2 activations=tanh,relu,sigmoid samples=3 epochs=1 rate=0.01"},
    {"mlp_minibatch", "layers=1,7,3 activations=tanh,softmax samples=3 batch=2 rate=0.01"},
    {"conv1d", "n=9 mask=7"},
    {"conv1d", "n=2 mask=31"},
    {"conv2d", "n=2 c=3 h=9 w=8 k=4 r=5 s=3 pad=1"},
    {"conv2d", "n=2 c=3 h=9 w=8 k=4 r=2 s=3 layout=nhwc"},
    {"convpool", "n=1 c=2 h=9 w=8 k=3 r=3 s=2 pool=2"},
    {"window_format", "h=9 w=8 r=3 s=2"},
};

/* Every element of array k has a place of its own; true where one has moved. */
static bool moves(const struct hpc_term *t, const void *problem, const struct hpc_array *a)
{
    unsigned char *taken = calloc(a->count + 1, 1);
    bool moved = false;
    for (size_t i = 0; i < a->count; i++) {
        const size_t at = t->place(problem, i);
        assert_true(at < a->count && !taken[at]);
        taken[at] = 1;
        moved |= at != i;
    }
    free(taken);
    return moved;
}

static void one_to_one(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof problems / sizeof *problems; n++) {
        const struct hpc_op *op = hpc_op_find(problems[n][0]);
        unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16))) = {0};
        struct hpc_params params = {0};
        struct hpc_layout layout = {0};
        struct hpc_error err;
        char *words = strdup(problems[n][1]), *rest = words, *word;
        while ((word = strtok_r(rest, " ", &rest)) != NULL) {
            assert_true(hpc_params_set_word(&params, word, "here", &err));
        }
        if (!op->parse(&params, problem, &err))
            fail_msg("%s: %s", problems[n][0], err.text);
        op->layout(problem, &layout);
        assert_non_null(op->terms);
        for (const struct hpc_term *t = op->terms; t->name; t++) {
            assert_true(strlen(t->says) > 20 && (t->in | t->halved) != 0);
            assert_true((t->place != NULL) == ((t->in | t->out) != 0));
            for (int k = 0; k < layout.n_in; k++)
                assert_true(!(t->in >> k & 1) || moves(t, problem, &layout.in[k]));
            for (int k = 0; k < layout.n_out; k++)
                assert_true(!(t->out >> k & 1) || moves(t, problem, &layout.out[k]));
        }
        free(words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_to_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
