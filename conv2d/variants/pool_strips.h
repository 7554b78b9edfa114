/* How a thread goes over a box of x: strips of 16 bytes of channels, COLUMNS columns of S, and
 * going down LENGTH rows. Each x is loaded once a strip, added along the row, then to the row
 * before it. The loads stay a row or two ahead of the stores, over which the compiler does not move
 * them. */
#ifndef HPC_CONV2D_POOL_STRIPS_H
#define HPC_CONV2D_POOL_STRIPS_H

#include <cuda_fp16.h>

#include "conv2d/variants/hopper_product.h"
#include "conv2d/variants/pool_tile.h"

namespace
{

DEVICE uint4 load_16(uint32_t address)
{
    uint4 v;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "r"(address));
    return v;
}

/* The same, or zeros. */
DEVICE uint4 load_16_if(uint32_t address, bool there)
{
    uint4 v = make_uint4(0, 0, 0, 0);
    asm volatile("{\n.reg .pred p;\n"
                 "setp.ne.b32 p, %5, 0;\n"
                 "@p ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];\n}"
                 : "+r"(v.x), "+r"(v.y), "+r"(v.z), "+r"(v.w)
                 : "r"(address), "r"((int)there));
    return v;
}

DEVICE void store_16(uint32_t address, const uint4 &v)
{
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(v.x), "r"(v.y),
                 "r"(v.z), "r"(v.w)
                 : "memory");
}

DEVICE void store_8(uint32_t address, uint32_t a, uint32_t b)
{
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(address), "r"(a), "r"(b) : "memory");
}

DEVICE float2 floats_of(uint32_t halves)
{
    return __half22float2(*(const __half2 *)&halves);
}

DEVICE uint32_t halves_of(float a, float b)
{
    const __half2 h = __floats2half2_rn(a, b);
    return *(const uint32_t *)&h;
}

/* 16 bytes of x, as floats. */
template <class T> struct piece;

template <> struct piece<__half> {
    enum { N = 8 };
    static DEVICE void add(const uint4 &a, const uint4 &b, float (&sum)[N])
    {
        const uint32_t *p = &a.x, *q = &b.x;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float2 u = floats_of(p[i]), v = floats_of(q[i]);
            sum[2 * i] = u.x + v.x;
            sum[2 * i + 1] = u.y + v.y;
        }
    }
};

template <> struct piece<float> {
    enum { N = 4 };
    static DEVICE void add(const uint4 &a, const uint4 &b, float (&sum)[N])
    {
        const uint32_t *p = &a.x, *q = &b.x;
#pragma unroll
        for (int i = 0; i < 4; i++)
            sum[i] = __uint_as_float(p[i]) + __uint_as_float(q[i]);
    }
};

/* The strips of a subtile: how many, and where in S the pieces of one lie. */
template <class F> struct strip_places {
    typedef piece<typename F::element> piece_t;
    enum {
        N = piece_t::N,
        PIECES = F::CHUNK / N,
        ACROSS = (F::S_COLUMNS + F::COLUMNS - 1) / F::COLUMNS,
        LENGTH = (F::S_ROWS + F::SEGMENTS - 1) / F::SEGMENTS,
        COUNT = PIECES * ACROSS * F::BOX_IMAGES * F::SEGMENTS, /* of a box */
        ROUNDS = (COUNT + F::SUM_THREADS - 1) / F::SUM_THREADS,
        LAST = (F::SEGMENTS - 1) * LENGTH, /* where the last segment begins */
        /* One of two groups adds while the other stores, which is worth a few spilled words. */
        MOST_KEPT = F::FLOATS && F::HELPER_REGISTERS >= (F::SUM_GROUPS > 1 ? 80 : 112) ? 12 : 6,
        ROUND = F::WHOLE && F::NCHW && F::S_ROWS % F::SEGMENTS == 0, /* row S_ROWS is row 0 */
        AT_ONCE = ROUNDS * LENGTH * F::COLUMNS * (F::FLOATS ? (int)F::SLABS : 1),
        KEPT = AT_ONCE <= MOST_KEPT, /* in registers: kept_sums */
    };
    int channel, column, image, top;

    DEVICE int row(int ii) const
    {
        return ROUND && top + ii >= F::S_ROWS ? top + ii - F::S_ROWS : top + ii;
    }

    /* take(ii, cc) for each row top + ii and column + cc of S that there is. */
    template <class TAKE> DEVICE void each(TAKE take) const
    {
#pragma unroll
        for (int ii = 0; ii < LENGTH; ii++)
#pragma unroll
            for (int cc = 0; cc < F::COLUMNS; cc++)
                if ((LAST + ii < F::S_ROWS || top + ii < F::S_ROWS) &&
                    (cc == 0 || column + cc < F::S_COLUMNS))
                    take(ii, cc);
    }

    /* place(offset) of the strip's piece in row (top + ii, column + cc) of S: one or two. */
    template <class PLACE> DEVICE void places(int ii, int cc, PLACE place) const
    {
        const int i = row(ii), j = column + cc;
        const int part = N == 8 ? channel : channel >> 1, within = N == 8 ? 0 : (channel & 1) * 8;
        if (!F::TWICE) {
            place(operand_piece<F::ROW_BYTES>(F::row(i, j, image), part) + within);
            return;
        }
        enum { ALIKE = F::LINE % 8 == 0 }; /* a line's rows are swizzled as another's */
        const int line = F::row_of_line(i), with = ALIKE ? 0 : line;
        const uint32_t beside = (ALIKE ? line * F::ROW_BYTES : 0) + within;
        if (j < F::S_COLUMNS - 1)
            place(operand_piece<F::ROW_BYTES>(F::row_in_line(j, image) + with, part) + beside);
        if (j > 0 && (j & 1) == 0)
            place(operand_piece<F::ROW_BYTES>(F::row_again(j, image) + with, part) + beside);
    }
};

/* In NHWC a piece is 16 bytes of x. */
template <class F> struct channel_strips : strip_places<F> {
    typedef strip_places<F> places_t;
    typedef typename places_t::piece_t piece_t;
    enum {
        N = places_t::N,
        LENGTH = places_t::LENGTH,
        POSITION = F::CHUNK * (int)sizeof(typename F::element), /* bytes */
        EDGE = F::WHOLE ? 1 : 0, /* padding around a box that is not there */
        ROWS = F::BOX_ROWS - 2 * EDGE,
        IN_ROW = F::BOX_COLUMNS - 2 * EDGE,
        PITCH = IN_ROW * POSITION,
        AHEAD = F::COLUMNS == 1 || F::HELPER_REGISTERS > 112 ? 2 : 1, /* rows */
    };
    using places_t::channel;
    using places_t::column;
    using places_t::image;
    using places_t::top;
    int in_box; /* its image there */

    DEVICE channel_strips(int at, int slab, int /* side */)
    {
        enum { PIECES = places_t::PIECES, ACROSS = places_t::ACROSS };
        channel = at % PIECES;
        column = at / PIECES % ACROSS * F::COLUMNS;
        /* With floats, columns 0, 2, 4 .. and then 1, 3 ..: half a warp stores into two
         * neighbouring rows of S, 128 bytes in all banks. */
        if (F::COLUMNS == 1 && POSITION == 128)
            column = column < (ACROSS + 1) / 2 ? 2 * column : 2 * column - (ACROSS | 1);
        const int rest = at / (PIECES * ACROSS);
        in_box = rest % F::BOX_IMAGES;
        image = slab * F::BOX_IMAGES + in_box;
        top = rest / F::BOX_IMAGES * LENGTH;
    }

    /* What lies outside of whole maps is zero. */
    DEVICE uint4 load_there(uint32_t address, int ii, int cc) const
    {
        if (!F::WHOLE)
            return load_16(address);
        const int row = top + ii - EDGE, at = column + cc - EDGE;
        return load_16_if(address, row >= 0 && row < ROWS && at >= 0 && at < IN_ROW);
    }

    /* take(ii, cc, sums) for each row top + ii and column + cc of S that there is. */
    template <class TAKE> DEVICE void walk(uint32_t x, TAKE take) const
    {
        const uint32_t from =
            x + ((in_box * ROWS + top - EDGE) * IN_ROW + column - EDGE) * POSITION + channel * 16;
        uint4 in[LENGTH + 1][F::COLUMNS + 1];
        float before[F::COLUMNS][N];
        auto load = [&](int ii) {
            if (ii <= LENGTH) /* past the last row: no box of x, but shared memory */
#pragma unroll
                for (int cc = 0; cc <= F::COLUMNS; cc++)
                    in[ii][cc] = load_there(from + ii * PITCH + cc * POSITION, ii, cc);
        };
#pragma unroll
        for (int ii = 0; ii <= AHEAD; ii++)
            load(ii);
#pragma unroll
        for (int cc = 0; cc < F::COLUMNS; cc++)
            piece_t::add(in[0][cc], in[0][cc + 1], before[cc]);
#pragma unroll
        for (int ii = 0; ii < LENGTH; ii++) {
            load(ii + 1 + AHEAD);
            if (places_t::LAST + ii >= F::S_ROWS && top + ii >= F::S_ROWS)
                break;
#pragma unroll
            for (int cc = 0; cc < F::COLUMNS; cc++) {
                float here[N];
                piece_t::add(in[ii + 1][cc], in[ii + 1][cc + 1], here);
#pragma unroll
                for (int e = 0; e < N; e++)
                    before[cc][e] += here[e];
                if (cc == 0 || column + cc < F::S_COLUMNS)
                    take(ii, cc, before[cc]);
#pragma unroll
                for (int e = 0; e < N; e++)
                    before[cc][e] = here[e];
            }
        }
    }
};

} // namespace

#endif
