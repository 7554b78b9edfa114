/* conv1d: usual mistakes, each with the sentence that names it. */
#include "tests/unit/conv1d_case.h"

#include <math.h>

#include "common/noise.h"

#define BLOCK 64

/* What a student's kernel computes instead. */
enum mistake {
    NONE,
    FLIPPED,
    WRITTEN_AT_HALO,
    WINDOW_AT_I,
    ONE_BEFORE,
    NO_LAST_TAP,
    NO_FIRST_TAP,
    CLAMPED,
    CIRCULAR,
    INT_TILE,
    INT_TILE_OWN,
    NO_LEFT_HALO,
    NO_RIGHT_HALO,
    NO_HALOS,
    NEVER_LAUNCHED,
    NO_MASK,
    ENDS_UNWRITTEN,
    LEFT_END_GARBAGE,
    RIGHT_END_GARBAGE,
    GRID_TOO_SMALL,
    ONE_BLOCK,
    SUM_KEPT,
    EVERY_OTHER,
    HALF_BLOCKS,
    OTHER_BLOCK,
    ENDS_OUTSIDE,
    RIGHT_END_OUTSIDE,
    MASK_OUTSIDE,
    MASK_FROM_NEXT,
    ENDS_NO_NUMBERS,
    SOME_NO_NUMBERS,
    FIRST_LEFT_OUT,
    BOTH_LEFT_OUT,
    OWN_FOR_HALO,
    EDGE_FOR_HALO,
    WRAPPED_HALO,
    ZERO_LEFT_HALO,
    ZERO_RIGHT_HALO,
    TILE_TWICE,
    FIRST_OF_BLOCK,
    LAST_OF_BLOCK,
    FIRST_OF_FOUR,
    N_MISTAKES
};

static const char *const hints[N_MISTAKES] = {
    [FLIPPED] = "the mask is not flipped",
    [WRITTEN_AT_HALO] = "mask/2 places before",
    [WINDOW_AT_I] = "mask/2 places behind",
    [ONE_BEFORE] = "one place before: an index is off by one",
    [NO_LAST_TAP] = "without the mask's last tap",
    [NO_FIRST_TAP] = "without the mask's first tap",
    [CLAMPED] = "goes on with its last value",
    [CIRCULAR] = "circular",
    [INT_TILE] = "an array of int",
    [INT_TILE_OWN] = "an array of int",
    [NO_LEFT_HALO] = "the left halo is not loaded",
    [NO_RIGHT_HALO] = "the right halo is not loaded",
    [NO_HALOS] = "are both halos loaded",
    [NEVER_LAUNCHED] = "was the kernel launched",
    [NO_MASK] = "is the mask where the kernel reads it",
    [ENDS_UNWRITTEN] = "within mask/2 of the ends were not written",
    [LEFT_END_GARBAGE] = "what is read there for x[i], i < 0",
    [RIGHT_END_GARBAGE] = "what is read there for x[i], i >= n",
    [GRID_TOO_SMALL] = "the last outputs were not written",
    [ONE_BLOCK] = "only the first 64 of",
    [SUM_KEPT] = "its next, and " OP_KEPT,
    [EVERY_OTHER] = "outputs were not written, or are added to what y held: y[1], y[3], y[5], y[7] "
                    "..",
    [HALF_BLOCKS] = "of each block's 64 outputs only the first 40 were written: do all",
    [OTHER_BLOCK] = "of each 256 outputs only the first 64 were written, as many as a block has "
                    "threads: does 256 stand where blockDim.x belongs?",
    [ENDS_OUTSIDE] = "the first and last outputs are computed from what lies outside of x",
    [RIGHT_END_OUTSIDE] = "the last outputs are computed from what lies outside of x: x[i + j] "
                          "counts as 0 where i + j >= n",
    [MASK_OUTSIDE] = "are computed from what lies outside of x, or of the mask: y[1], y[4], y[7]",
    [MASK_FROM_NEXT] = "outputs are computed from what lies outside of x, or of the mask",
    [ENDS_NO_NUMBERS] = "only the outputs within mask/2 of the ends are wrong: x is 0 outside",
    [FIRST_LEFT_OUT] = "equals the sums without the first 3 elements of x: x[i + j] counts",
    [BOTH_LEFT_OUT] = "the first 3 elements of x and the last 2 elements of x: x[i + j] counts",
    [OWN_FOR_HALO] = "equals sums with, in blocks of 64, x[i] where x[i + j] lies in another block",
    [EDGE_FOR_HALO] = "in blocks of 64, the block's own first or last element for what lies",
    [WRAPPED_HALO] = "in blocks of 64, the block's own elements from its other end",
    [ZERO_LEFT_HALO] = "in blocks of 64, 0 for what lies in the block before: the left halo",
    [ZERO_RIGHT_HALO] = "in blocks of 64, 0 for what lies in the block behind: the right halo",
    [TILE_TWICE] = "in blocks of 64, the block's own elements twice: what the tile has is added",
    [FIRST_OF_BLOCK] = "equals sums without the first element of each block of 64: an index",
    [LAST_OF_BLOCK] = "equals sums without the last element of each block of 64: an index",
    [FIRST_OF_FOUR] = "y[i] is right where i % 4 is 0 and nowhere else",
    [SOME_NO_NUMBERS] = "outputs are no numbers: y[1], y[4], y[7]",
};

static float element(const struct conv1d_case *c, enum mistake m, int64_t i, int64_t at)
{
    const int64_t n = (int64_t)c->p.n, begin = i / BLOCK * BLOCK, end = begin + BLOCK;
    if (m == CLAMPED)
        at = at < 0 ? 0 : at >= n ? n - 1 : at;
    if (m == CIRCULAR)
        at = (at + n) % n;
    if (m == INT_TILE || (m == INT_TILE_OWN && at >= begin && at < end))
        return truncf(conv1d_x(c, at));
    if (m == TILE_TWICE && at >= begin && at < end)
        return 2 * conv1d_x(c, at);
    const bool left = at < begin && begin > 0, right = at >= end && end < n;
    if (m == FIRST_OF_FOUR && i % 4 > 0)
        return conv1d_x(c, at) * (float)(1 + (at + i % 4) % 3);
    const int64_t k = ((at - begin) % BLOCK + BLOCK) % BLOCK, last = end < n ? end - 1 : n - 1;
    if ((at == begin && m == FIRST_OF_BLOCK) || (at == end - 1 && m == LAST_OF_BLOCK))
        return 0;
    if (left || (at >= end && at < n)) {
        if (m == OWN_FOR_HALO)
            return conv1d_x(c, i);
        if (m == EDGE_FOR_HALO)
            return conv1d_x(c, left ? begin : last);
        if (m == WRAPPED_HALO)
            return conv1d_x(c, begin + k);
        if (m == (left ? ZERO_LEFT_HALO : ZERO_RIGHT_HALO))
            return 0;
    }
    if ((left && (m == NO_LEFT_HALO || m == NO_HALOS)) ||
        (right && (m == NO_RIGHT_HALO || m == NO_HALOS)))
        return 3.5f - (float)(at % 3); /* what was there */
    if ((at < 0 && m == LEFT_END_GARBAGE) || (at >= n && m == RIGHT_END_GARBAGE))
        return 2.25f;
    if ((at < 3 && (m == FIRST_LEFT_OUT || m == BOTH_LEFT_OUT)) ||
        (at >= n - 2 && m == BOTH_LEFT_OUT))
        return 0;
    return conv1d_x(c, at);
}

static float of_bits(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Bits of what a call finds in outputs and around inputs, as it may turn up: its sign changed. */
static float noise(uint32_t around, int64_t i)
{
    return of_bits((HPC_NOISE ^ (uint32_t)(i % 2) << 31) | around |
                   ((uint32_t)i * 2654435761u & HPC_NOISE_RANDOM));
}

static float output(const struct conv1d_case *c, enum mistake m, int64_t i)
{
    const int64_t r = c->p.radius, n = (int64_t)c->p.n;
    const int64_t shift = m == WRITTEN_AT_HALO ? -r : m == WINDOW_AT_I ? r : -(m == ONE_BEFORE);
    double sum = m == SUM_KEPT && i >= BLOCK ? (double)c->y[i - BLOCK] : 0;
    if (m == NEVER_LAUNCHED || (m == ENDS_UNWRITTEN && (i < r || i >= n - r)) ||
        (m == GRID_TOO_SMALL && i >= n / BLOCK * BLOCK) || (m == ONE_BLOCK && i >= BLOCK) ||
        (m == EVERY_OTHER && i % 2 == 1) || (m == HALF_BLOCKS && i % BLOCK >= 40) ||
        (m == OTHER_BLOCK && i % 256 >= BLOCK))
        return noise(0, i);
    const bool left = i < r, right = i >= n - r;
    if ((m == ENDS_OUTSIDE && (left || right)) || (m == RIGHT_END_OUTSIDE && right) ||
        (m == MASK_OUTSIDE && i % 3 == 1) || (m == MASK_FROM_NEXT && !right))
        return noise(HPC_NOISE_AROUND, i);
    if ((m == ENDS_NO_NUMBERS && (left || right)) || (m == SOME_NO_NUMBERS && i % 3 == 1))
        return of_bits(i % 2 ? 0x7fffffffu : 0xffc00000u); /* a GPU's, and 0 times infinity */
    for (int64_t j = -r + (m == NO_FIRST_TAP); j <= r - (m == NO_LAST_TAP) && m != NO_MASK; j++)
        sum += (double)c->w[m == FLIPPED ? r - j : r + j + (m == MASK_FROM_NEXT && j < r)] *
               (double)element(c, m, i, i + j + shift);
    return (float)sum;
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        int mask, block;
    } shapes[] = {{1000, 9, 0}, {1000, 9, 64}, {5003, 31, 64}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct conv1d_case c = conv1d_open(shapes[s].n, shapes[s].mask, shapes[s].block);
        for (int m = NONE; m < N_MISTAKES; m++) {
            for (uint64_t i = 0; i < c.p.n; i++)
                c.y[i] = output(&c, (enum mistake)m, (int64_t)i);
            if ((m == HALF_BLOCKS || m == OTHER_BLOCK || m == INT_TILE_OWN) && shapes[s].block == 0)
                continue; /* where nobody knows of blocks */
            if (m == NONE)
                conv1d_assert_right(&c);
            else
                conv1d_assert_wrong(&c, "y[", hints[m]);
        }
        conv1d_close(&c);
    }
}

/* Whatever is wrong from the second block on is no last block that is not full; what stands at the
 * end of a signal shorter than its mask is no end. */
static void what_explains_less_than_all_is_not_said(void **state)
{
    (void)state;
    struct hpc_mismatch m;
    struct conv1d_case c = conv1d_open(1009, 7, 64);
    for (int64_t i = 0; i < 1009; i++)
        c.y[i] = output(&c, NONE, i) + (float)(i < 64 ? 0 : i * 7919 % 31 + 1);
    assert_false(conv1d_full(&c, &m));
    assert_non_null(strstr(m.hint, "only the first 64 of 1009 outputs, one block's, are right"));
    for (int64_t i = 0; i < 1009; i++) /* without the last tap: the last of each block alone */
        c.y[i] = output(&c, i % 64 == 63 ? NO_LAST_TAP : NONE, i);
    assert_false(conv1d_full(&c, &m));
    assert_null(strstr(m.hint, "last tap"));
    conv1d_close(&c);
    c = conv1d_open(54, 129, 32);
    for (int64_t i = 0; i < 54; i++)
        c.y[i] = i > 0 && i % 3 == 0 ? noise(0, i) : output(&c, NONE, i);
    assert_false(conv1d_full(&c, &m));
    assert_non_null(strstr(m.hint, "17 of 54 outputs were not written"));
    conv1d_close(&c);
}

static void blocks_are_named(void **state)
{
    (void)state;
    struct conv1d_case c = conv1d_open(1000, 9, 64);
    for (int64_t i = 0; i < 1000; i++)
        c.y[i] = output(&c, NO_LEFT_HALO, i);
    conv1d_assert_wrong(&c, "y[64] (0 in block 1, of 64 threads)",
                        "only the first mask/2 outputs of blocks of 64 are wrong");
    conv1d_close(&c);
}

/* Noise has no name, and one wrong output of a mask of one tap neither. */
static void nothing_is_made_up(void **state)
{
    (void)state;
    struct conv1d_case c = conv1d_open(1000, 9, 0);
    struct hpc_mismatch m;
    for (int64_t i = 0; i < 1000; i++)
        c.y[i] = output(&c, NONE, i) + (float)(i * 7919 % 31 - 15);
    assert_false(conv1d_full(&c, &m));
    assert_string_equal(m.hint, "");
    conv1d_close(&c);
    c = conv1d_open(300, 1, 0);
    for (int64_t i = 0; i < 300; i++)
        c.y[i] = output(&c, NONE, i) + (float)(i == 150);
    assert_false(conv1d_full(&c, &m));
    assert_int_equal(m.wrong, 1);
    assert_int_equal(m.index, 150);
    assert_string_equal(m.hint, "");
    conv1d_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(what_explains_less_than_all_is_not_said),
        cmocka_unit_test(blocks_are_named),
        cmocka_unit_test(nothing_is_made_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
