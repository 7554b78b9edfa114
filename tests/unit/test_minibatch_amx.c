/* mlp/minibatch_amx with its tile instructions in plain C: splitting, layout and the six products
 * are tested on any processor; only the instructions themselves need one with AMX. */
#define _GNU_SOURCE
#pragma GCC diagnostic ignored "-Wunknown-pragmas" /* one thread will do here */
#define MINIBATCH_AMX_EMULATED
#include "tests/unit/guarded_case.h"

#include "common/random.h"
#include "mlp/variants/minibatch_amx.c"

static const char *const shapes[] = {
    "layers=1,1 activations=identity samples=1 batch=1 rate=0.1",
    "layers=31,33,32,1 activations=relu,relu,sigmoid samples=33 batch=33 rate=0.02",
    "layers=15,16,17,18 activations=tanh,sigmoid,tanh samples=31 batch=31 rate=0.1",
    "layers=47,49,48 activations=tanh,softmax samples=34 batch=17 epochs=2 rate=0.1",
    "layers=784,96,10 activations=relu,softmax samples=80 batch=64 rate=0.1",
};

/* As exact as fp32: the check of mlp_minibatch refuses TF32, half and bf16. */
static void trains_as_fp32(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        assert_trains(&hpc_variant, shapes[i], (struct hpc_env){1, HPC_SIMD_NONE, NULL});
}

/* hi + mid + lo is the number itself, and hi has its upper 8 bits, rounded. */
static void split_leaves_nothing(void **state)
{
    (void)state;
    struct hpc_random random;
    hpc_random_init(&random, 3, 0);
    for (int turn = 0; turn < 10000; turn++) {
        floats x = {0}, rest;
        for (int lane = 0; lane < 16; lane++)
            x[lane] = (float)(hpc_random_normal(&random) * exp2(hpc_random_below(&random, 80)));
        rest = x;
        double sum[16] = {0};
        for (int part = 0; part < PARTS; part++) {
            const floats bf16 = (floats)next_part(&rest);
            for (int lane = 0; lane < 16; lane++) {
                sum[lane] += (double)bf16[lane];
                assert_true(part > 0 ||
                            fabs((double)(x[lane] - bf16[lane])) <= 0x1p-8 * fabs((double)x[lane]));
            }
        }
        for (int lane = 0; lane < 16; lane++)
            assert_true(sum[lane] == (double)x[lane] && rest[lane] == 0);
    }
}

static void transpose_transposes(void **state)
{
    (void)state;
    uint32_t tile[TILE_WORDS] __attribute__((aligned(64)));
    for (uint32_t i = 0; i < TILE_WORDS; i++)
        tile[i] = i;
    transpose((words *)tile);
    for (uint32_t i = 0; i < TILE_WORDS; i++)
        assert_int_equal(tile[i], i % 16 * 16 + i / 16);
}

/* Sums of one term: each number of the result is one product, within 2^-22 of what it should be.
 * Without any one of the six products it would be off by 2^-18 or more somewhere. */
static void products_are_exact(void **state)
{
    (void)state;
    static float a[PANEL * PANEL], b[PANEL * PANEL], c[PANEL * PANEL];
    static uint32_t scratch[2 * STEP] __attribute__((aligned(64)));
    struct product q = {.rows = 32,
                        .columns = 32,
                        .terms = 1,
                        .scale = 1,
                        .a_along = 1,
                        .a = a,
                        .b = b,
                        .c = c,
                        .a_panel = PANEL * PANEL,
                        .b_panel = PANEL * PANEL,
                        .c_panel = PANEL * PANEL};
    struct hpc_random random;
    hpc_random_init(&random, 4, 0);
    for (q.a_along = 0; q.a_along < 2; q.a_along++) {
        const int step = q.a_along ? PANEL : 1; /* from a row of a to the next */
        for (int i = 0; i < PANEL * PANEL; i++) {
            a[i] = (float)hpc_random_normal(&random);
            b[i] = (float)hpc_random_normal(&random);
        }
        for (int piece = 0; piece < amx_pieces(&q); piece++)
            amx_prepare(&q, scratch, piece);
        amx_multiply(&q, scratch, 0, 32, 0, 32);
        for (int i = 0; i < 32; i++) {
            for (int j = 0; j < 32; j++) {
                const double want = (double)a[i * step] * (double)b[j];
                assert_true(fabs((double)c[i * PANEL + j] - want) <= 0x1p-22 * fabs(want));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_leaves_nothing),
        cmocka_unit_test(transpose_transposes),
        cmocka_unit_test(products_are_exact),
        cmocka_unit_test(trains_as_fp32),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
