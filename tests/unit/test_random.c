/* Random numbers: Philox's published test vectors, and many at once against one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/random.h"

/* Random123's kat_vectors, philox4x32 with 10 rounds: counter and key of zeros, of ones, of digits
 * of pi. */
static void test_vectors(void **state)
{
    (void)state;
    static const uint64_t ones = ~(uint64_t)0;
    static const uint32_t of_zeros[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                          of_ones[4] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                          of_pi[4] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
    uint32_t got[4];
    hpc_philox(0, 0, 0, got);
    assert_memory_equal(got, of_zeros, sizeof got);
    hpc_philox(ones, ones, ones, got);
    assert_memory_equal(got, of_ones, sizeof got);
    hpc_philox(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88, got);
    assert_memory_equal(got, of_pi, sizeof got);
}

/* From every place within a block, every number of doubles up to some blocks. */
static void test_many(void **state)
{
    (void)state;
    for (int used = 0; used < 5; used++)
        for (size_t n = 0; n < 40; n++) {
            struct hpc_random one, many;
            double x[41];
            hpc_random_init(&one, 7, n);
            for (int i = 0; i < used; i++)
                hpc_random_u32(&one);
            many = one;
            x[n] = -1;
            hpc_random_doubles(&many, x, n);
            for (size_t i = 0; i < n; i++)
                assert_true(x[i] == hpc_random_double(&one));
            assert_true(x[n] == -1);
            assert_int_equal(hpc_random_u32(&many), hpc_random_u32(&one)); /* and goes on there */
        }
}

/* A chunk depends on seed, stream and index, on each alone; its bits are as often set as not, and
 * words at the same place of two chunks have half of them in common. */
static void test_chunks(void **state)
{
    (void)state;
    static uint32_t a[HPC_RANDOM_CHUNK], b[HPC_RANDOM_CHUNK];
    static const uint64_t others[][3] = {{7, 3, 5}, {8, 3, 4}, {7, 4, 4}};
    hpc_random_chunk(7, 3, 4, a);
    hpc_random_chunk(7, 3, 4, b);
    assert_memory_equal(a, b, sizeof a);
    for (int k = 0; k < 3; k++) {
        int set[32] = {0}, common = 0;
        hpc_random_chunk(others[k][0], others[k][1], others[k][2], b);
        for (int i = 0; i < HPC_RANDOM_CHUNK; i++) {
            common += __builtin_popcount(~(a[i] ^ b[i]));
            for (int bit = 0; bit < 32; bit++)
                set[bit] += b[i] >> bit & 1;
        }
        assert_in_range(common, 16 * HPC_RANDOM_CHUNK - 1000, 16 * HPC_RANDOM_CHUNK + 1000);
        for (int bit = 0; bit < 32; bit++) /* five deviations of 32 */
            assert_in_range(set[bit], HPC_RANDOM_CHUNK / 2 - 160, HPC_RANDOM_CHUNK / 2 + 160);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
