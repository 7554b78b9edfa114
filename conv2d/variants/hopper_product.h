/* Hopper's matrix product of a warpgroup (4 warps): D (64 x N floats, in registers) += A (64 x 16
 * halves) times B (N x 16 halves, transposed), both in shared memory, described by 64-bit words.
 *
 * Thread t of the warpgroup holds d[8 g + 4 h + 2 e' ..]: of rows 16 (t / 32) + t % 32 / 4 + 8 h,
 * columns 8 g + 2 (t % 4) + e: d[4 g + 2 h + e]. */
#ifndef HPC_CONV2D_HOPPER_PRODUCT_H
#define HPC_CONV2D_HOPPER_PRODUCT_H

#include "conv2d/variants/hopper_copy.h"

namespace
{

/* Rows of 64 or 128 bytes, whose 16-byte pieces are swizzled by the address: piece p of the row at
 * byte `row` lies at p ^ (row / 128 % 8), of 64-byte rows p ^ (row / 128 % 4). Groups of 8 rows are
 * `group_bytes` apart. `address` is of the first row, which need not begin a group of the swizzle:
 * so shifted reads of one array are operands. */
template <int ROW_BYTES> DEVICE uint64_t operand(uint32_t address, int group_bytes)
{
    static_assert(ROW_BYTES == 64 || ROW_BYTES == 128, "swizzles of 64 and 128 bytes");
    const uint64_t swizzle = ROW_BYTES == 128 ? 1 : 2;
    return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)1 << 16 |
           (uint64_t)(group_bytes >> 4) << 32 | swizzle << 62;
}

/* Where piece `piece` of row `row` lies, in bytes from an array at a multiple of 1024. */
template <int ROW_BYTES> DEVICE uint32_t operand_piece(int row, int piece)
{
    return ROW_BYTES == 128 ? row * 128 + ((piece ^ (row & 7)) << 4)
                            : row * 64 + ((piece ^ ((row >> 1) & 3)) << 4);
}

/* Stands before the first product on registers that other instructions touched. */
DEVICE void products_begin(void)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/* Ends a group of products; products_wait<N> waits until at most N groups are under way. */
DEVICE void products_end(void)
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int N> DEVICE void products_wait(void)
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

/* product<N>::add(d, a, b, keep): d = a b + (keep ? d : 0). */
template <int N> struct product;

#define FOUR(t)  "%" #t "0, %" #t "1, %" #t "2, %" #t "3"
#define SIX(t)   FOUR(t) ", %" #t "4, %" #t "5"
#define EIGHT(t) SIX(t) ", %" #t "6, %" #t "7"
#define TEN(t)   EIGHT(t) ", %" #t "8, %" #t "9"
#define NAMES_16 TEN() ", " SIX(1)
#define NAMES_32 TEN() ", " TEN(1) ", " TEN(2) ", %30, %31"
#define NAMES_60 TEN() ", " TEN(1) ", " TEN(2) ", " TEN(3) ", " TEN(4) ", " TEN(5)
#define NAMES_64 NAMES_60 ", " FOUR(6)
#define NAMES_128                                                                                  \
    NAMES_60                                                                                       \
    ", " TEN(6) ", " TEN(7) ", " TEN(8) ", " TEN(9) ", " TEN(10) ", " TEN(11) ", " EIGHT(12)
#define D4(i)    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D_16(i)  D4(i), D4(i + 4), D4(i + 8), D4(i + 12)
#define D_32(i)  D_16(i), D_16(i + 16)
#define D_64(i)  D_32(i), D_32(i + 32)
#define D_128(i) D_64(i), D_64(i + 64)

#define PRODUCT(N, HALF_N, A, B, KEEP)                                                             \
    template <> struct product<N> {                                                                \
        static DEVICE void add(float (&d)[HALF_N], uint64_t a, uint64_t b, int keep)               \
        {                                                                                          \
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #KEEP ", 0;\n"                       \
                         "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 {" NAMES_##HALF_N \
                         "}, %" #A ", %" #B ", p, 1, 1, 0, 0;\n}"                                  \
                         : D_##HALF_N(0)                                                           \
                         : "l"(a), "l"(b), "r"(keep));                                             \
        }                                                                                          \
    };

PRODUCT(32, 16, 16, 17, 18)
PRODUCT(64, 32, 32, 33, 34)
PRODUCT(128, 64, 64, 65, 66)
PRODUCT(256, 128, 128, 129, 130)

} // namespace

#endif
