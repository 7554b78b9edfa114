/* mlp/minibatch by itself: shapes around the sizes of its tiles, panels and chunks, at every SIMD
 * level of this machine, with guard pages behind all arrays. */
#define _GNU_SOURCE
#pragma GCC diagnostic ignored "-Wunknown-pragmas" /* one thread will do here */
#include "tests/unit/guarded_case.h"

#include "harness/machine/machine.h"
#include "mlp/variants/minibatch.c"

static const char *const shapes[] = {
    "layers=1,1 activations=identity samples=1 batch=1 rate=0.1",
    "layers=31,33,32,1 activations=relu,relu,sigmoid samples=33 batch=33 rate=0.02",
    "layers=13,14,15,16 activations=tanh,sigmoid,tanh samples=31 batch=31 rate=0.1",
    "layers=17,27,29,28 activations=relu,tanh,softmax samples=34 batch=17 rate=0.1",
    "layers=191,193,5 activations=tanh,softmax samples=47 batch=15 rate=0.1",
    "layers=385,65,127 activations=relu,identity samples=16 batch=16 rate=0.001",
    "layers=784,160,10 activations=relu,softmax samples=300 batch=256 epochs=2 rate=0.1",
};

static void right_at_every_level(void **state)
{
    (void)state;
    const int top = machine_here()->simd;
    for (int simd = top >= HPC_SIMD_NEON ? HPC_SIMD_NEON : HPC_SIMD_NONE; simd <= top; simd++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            assert_trains(&hpc_variant, shapes[i], (struct hpc_env){1, simd, NULL});
}

/* turn() with every number of rows and columns around its squares and a panel's width. */
static void turn_turns(void **state)
{
    (void)state;
    enum { MOST = 37 };
    float x[MOST * MOST], panels[2 * MOST * PANEL] __attribute__((aligned(64)));
    for (int i = 0; i < MOST * MOST; i++)
        x[i] = (float)i;
    for (int rows = 1; rows <= MOST; rows++) {
        for (int columns = 1; columns <= MOST; columns++) {
            memset(panels, 0xff, sizeof panels);
            level_base_float.turn(rows, columns, x, MOST, panels, MOST * PANEL);
            for (int r = 0; r < rows; r++)
                for (int c = 0; c < columns; c++)
                    assert_true(panels[r / PANEL * MOST * PANEL + c * PANEL + r % PANEL] ==
                                x[r * MOST + c]);
        }
    }
}

static void refuses_what_it_cannot(void **state)
{
    (void)state;
    struct mlp_problem p = {.n_layers = 2,
                            .size = {2, 2},
                            .activation = {0, MLP_RELU},
                            .samples = 1,
                            .batch = 1,
                            .networks = 1,
                            .type = HPC_F64};
    struct hpc_env env = {1, HPC_SIMD_NONE, NULL};
    void *net = NULL;
    assert_int_not_equal(hpc_variant.open(&env, &p, &net), 0);
    p.type = HPC_F32;
    p.networks = 2;
    assert_int_not_equal(hpc_variant.open(&env, &p, &net), 0);
    p.networks = 1;
    assert_int_equal(hpc_variant.open(&env, &p, &net), 0);
    hpc_variant.close(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_at_every_level),
        cmocka_unit_test(turn_turns),
        cmocka_unit_test(refuses_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
