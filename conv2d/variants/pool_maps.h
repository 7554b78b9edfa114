/* The strips of a box of x in NCHW (pool_strips.h): a piece is one place of 4 or 8 maps. Lanes are
 * neighbouring columns, so that a load of theirs has neighbouring words.
 *
 * Whole maps have no padding around them, whole rows none beside them: what lies outside is not
 * loaded, it is zero. */
#ifndef HPC_CONV2D_POOL_MAPS_H
#define HPC_CONV2D_POOL_MAPS_H

#include <type_traits>

#include "conv2d/variants/pool_strips.h"

namespace
{

DEVICE uint32_t load_4(uint32_t address)
{
    uint32_t v;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(address));
    return v;
}

/* The same, or zero. */
DEVICE uint32_t load_4_if(uint32_t address, bool there)
{
    uint32_t v = 0;
    asm volatile("{\n.reg .pred p;\n"
                 "setp.ne.b32 p, %2, 0;\n"
                 "@p ld.shared.u32 %0, [%1];\n}"
                 : "+r"(v)
                 : "r"(address), "r"((int)there));
    return v;
}

/* One row of one map: words that hold its COLUMNS + 1 elements, and the sums of neighbours. */
template <class T, int COLUMNS> struct map_row;

template <int COLUMNS> struct map_row<float, COLUMNS> {
    uint32_t v[COLUMNS + 1];

    DEVICE void load(uint32_t at)
    {
#pragma unroll
        for (int i = 0; i <= COLUMNS; i++)
            v[i] = load_4(at + 4 * i);
    }

    DEVICE void load_if(uint32_t at, bool left, bool here)
    {
#pragma unroll
        for (int i = 0; i <= COLUMNS; i++)
            v[i] = load_4_if(at + 4 * i, i ? here : left);
    }

    DEVICE float sum(int i, bool) const
    {
        return __uint_as_float(v[i]) + __uint_as_float(v[i + 1]);
    }
};

/* Of three halves in two words; `odd`: the first is the upper half of its word. */
template <> struct map_row<__half, 2> {
    uint32_t v[2];

    DEVICE void load(uint32_t at)
    {
        v[0] = load_4(at & ~3u);
        v[1] = load_4((at & ~3u) + 4);
    }

    /* Of an odd first one. */
    DEVICE void load_if(uint32_t at, bool left, bool here)
    {
        v[0] = load_4_if(at - 2, left);
        v[1] = load_4_if(at + 2, here);
    }

    DEVICE float sum(int i, bool odd) const
    {
        const uint32_t between = __byte_perm(v[0], v[1], 0x5432);
        const float2 two = floats_of(odd == (i == 0) ? between : v[i]);
        return two.x + two.y;
    }
};

template <class F> struct map_strips : strip_places<F> {
    typedef strip_places<F> places_t;
    typedef map_row<typename F::element, F::COLUMNS> row_t;
    enum {
        N = places_t::N,
        LENGTH = places_t::LENGTH,
        ACROSS = places_t::ACROSS,
        EACH = (int)sizeof(typename F::element),
        ABREAST = 2,                /* maps whose lanes take turns, where rows go round */
        BARE = F::WHOLE || F::BARE, /* rows have no padding, */
        EDGE = BARE ? 1 : 0,        /* a column of it: that is not there */
        PITCH = (F::WHOLE ? F::S_COLUMNS - 1 : (int)F::BOX_COLUMNS) * EACH, /* bytes of a row, */
        MAP = F::MAP * EACH,                                                /* of a map */
    };
    static_assert(!BARE || F::COLUMNS == 1 || !F::FLOATS, "the words of load_if");
    static_assert(places_t::KEPT || !F::FLOATS, "range_of_floats looks at neighbours in NHWC");
    using places_t::channel;
    using places_t::column;
    using places_t::image;
    using places_t::top;
    int side; /* of two side by side: 0 the left one, without padding on its left; 1 the right one
               */

    /* Columns, then segments, whose rows lie in other banks, then maps. Where rows go round: pairs
     * of images in between, whose S lie in other banks; each map's segments begin a row later than
     * those of the one before it, in banks that it leaves free. */
    DEVICE map_strips(int at, int /* slab: one */, int side_) : side(F::SIDES ? side_ : 0)
    {
        const int rest = at / ACROSS;
        column = at % ACROSS;
        if (F::COLUMNS == 1) /* even ones first, then odd ones: neighbouring rows of S */
            column = column < (ACROSS + 1) / 2 ? 2 * column : 2 * column - (ACROSS | 1);
        column *= F::COLUMNS;
        if (places_t::ROUND) {
            const int map = rest / (ABREAST * F::SEGMENTS) * ABREAST + rest % ABREAST;
            top = rest / ABREAST % F::SEGMENTS * LENGTH + map % LENGTH;
            image = map % F::IMAGES;
            channel = map / F::IMAGES;
        } else {
            top = rest % F::SEGMENTS * LENGTH;
            image = rest / F::SEGMENTS % F::IMAGES;
            channel = rest / (F::SEGMENTS * F::IMAGES);
        }
    }

    /* Row top + ii of the box, of maps from `from` on. */
    DEVICE void load_rows(row_t (&in)[N], uint32_t from, int ii) const
    {
        if (BARE) {
            const int row = F::WHOLE ? places_t::row(ii) - 1 : top + ii;
            const bool here = !F::WHOLE || (row >= 0 && row < F::S_ROWS - 1);
            const bool left = here && (column > 0 || side);
            const bool right = here && (column < F::S_COLUMNS - 1 || (F::SIDES && !side));
#pragma unroll
            for (int e = 0; e < N; e++)
                in[e].load_if(from + row * PITCH + e * MAP, left, right);
        } else {
#pragma unroll
            for (int e = 0; e < N; e++)
                in[e].load(from + (top + ii) * PITCH + e * MAP);
        }
    }

    /* As channel_strips' walk. */
    template <class TAKE> DEVICE void walk(uint32_t x, TAKE take) const
    {
        const uint32_t from =
            x + (image * F::CHUNK + channel * N) * MAP + (column - EDGE + side * F::PER) * EACH;
        const bool odd = BARE || (from & 2) != 0;
        row_t in[2][N];
        float before[F::COLUMNS][N];
        load_rows(in[0], from, 0);
        load_rows(in[1], from, 1);
#pragma unroll
        for (int cc = 0; cc < F::COLUMNS; cc++)
#pragma unroll
            for (int e = 0; e < N; e++)
                before[cc][e] = in[0][e].sum(cc, odd);
#pragma unroll
        for (int ii = 0; ii < LENGTH; ii++) {
            if (ii + 1 < LENGTH) /* past the last row: no box of x, but shared memory */
                load_rows(in[ii % 2], from, ii + 2);
            if (places_t::LAST + ii >= F::S_ROWS && top + ii >= F::S_ROWS)
                break;
#pragma unroll
            for (int cc = 0; cc < F::COLUMNS; cc++) {
                float here[N];
#pragma unroll
                for (int e = 0; e < N; e++) {
                    here[e] = in[(ii + 1) % 2][e].sum(cc, odd);
                    before[cc][e] += here[e];
                }
                if (cc == 0 || column + cc < F::S_COLUMNS)
                    take(ii, cc, before[cc]);
#pragma unroll
                for (int e = 0; e < N; e++)
                    before[cc][e] = here[e];
            }
        }
    }
};

template <class F>
using strips = typename std::conditional<(F::NCHW != 0), map_strips<F>, channel_strips<F>>::type;

} // namespace

#endif
