/* A block's tile of the fused convolution-pooling: its shape, and what lies where in shared memory.
 *
 * 3 x 3 filters, 2 x 2 pools. With S[i][j] = x[i][j] + x[i][j+1] + x[i+1][j] + x[i+1][j+1] (counted
 * from -pad), y[u][v] is 1/4 of a convolution of S with stride 2: filter element (r, s) meets
 * S[2u + r][2v + s]. So S is stored in parity planes, and each of the nine elements ("taps") reads
 * a shifted rectangle of one plane: an operand of the matrix product, without a copy.
 *
 * A tile is GROUPS subtiles of 64 outputs times FILTERS filters, one warpgroup a subtile. Large
 * maps: a subtile is 8 x 8 outputs of an image; flat in NCHW, 4 x 16, for the copy engine counts
 * rows. Small ones (at most 4 x 4 outputs): 4 images. Where that leaves most multiprocessors
 * without a block, a half or a quarter of it, and the other rows of the product are idle: sums,
 * which such problems wait for, take a half or a quarter of the time.
 * K of the product, C x 9, goes by chunks of CHUNK channels, 9 taps each. */
#ifndef HPC_CONV2D_POOL_TILE_H
#define HPC_CONV2D_POOL_TILE_H

#include "conv2d/variants/hopper_copy.h"
#include "conv2d/variants/pool_shapes.h"

namespace
{

/* Layouts of x, w and y. */
enum pool_layout {
    POOL_NHWC,
    POOL_NCHW,
    POOL_WHOLE,  /* NCHW, maps of 8 x 8 (SMALL) or 16 x 16 with a padding of 1, */
    POOL_INSIDE, /* and in NHWC */
};

/* T: elements of x and y. PRODUCTS 1: S and w as halves; 3: as two halves each. Layout of x, w and
 * y: pool_layout. */
template <class T, int PRODUCTS_, int LAYOUT, int KIND_, int CHUNK_, int GROUPS_, int FILTERS_,
          int X_STAGES_, int S_STAGES_, int W_STAGES_, int HELD_, int SUM_GROUPS_, int SUM_WARPS_,
          int COLUMNS_, int SEGMENTS_, int SPLIT_, int BLOCKS_, int PAIR_, int /* pool_shapes.h */>
struct pool_tile {
    typedef T element;
    enum {
        PRODUCTS = PRODUCTS_,
        NCHW = LAYOUT == POOL_NCHW || LAYOUT == POOL_WHOLE,
        WHOLE = LAYOUT >= POOL_WHOLE,       /* a box is whole maps, without their padding */
        SMALL = POOL_IMAGES(KIND_) > 0,     /* maps of at most 4 x 4 outputs */
        FLAT = KIND_ >= POOL_FLAT,          /* 4 x 16 outputs */
        SHORT = KIND_ == POOL_SHORT,        /* 4 x 8 outputs */
        SIDES = KIND_ == POOL_SIDES,        /* two of them side by side, */
        BARE = KIND_ == POOL_ROWS || SIDES, /* whose boxes have no padding beside the map */
        CHUNK = CHUNK_,                     /* channels at a time: 32, 64 */
        GROUPS = GROUPS_,                   /* subtiles, and warpgroups that multiply: 1, 2 */
        FILTERS = FILTERS_,                 /* 32, 64, 128, 256 */
        S_STAGES = S_STAGES_,               /* buffers: sums of a subtile, */
        W_STAGES = W_STAGES_,               /* weights of a tap; */
        HELD = HELD_,             /* W_STAGES hold all weights of the block: loaded once */
        SUM_GROUPS = SUM_GROUPS_, /* groups of warps that form sums, in turn */
        SUM_WARPS = SUM_WARPS_,   /* warps of each */
        COLUMNS = COLUMNS_,       /* columns of S that a thread forms: 1, 2 */
        SEGMENTS = SEGMENTS_,     /* into which rows of S are parted among threads */
        SPLIT = SPLIT_,           /* blocks of a cluster that share K */
        BLOCKS = BLOCKS_,         /* on a multiprocessor */
        PAIR = PAIR_,             /* a cluster of two has the same rows and other filters each:
                                     every second S is formed by one, for both */
        CLUSTER = PAIR ? 2 : SPLIT,

        FLOATS = sizeof(T) == 4,
        HALVES = PRODUCTS == 3 ? 2 : 1,            /* of each factor */
        OUT_ROWS = SMALL || FLAT || SHORT ? 4 : 8, /* of a subtile, */
        OUT_COLUMNS = SMALL  ? 4
                      : FLAT ? 16
                             : 8,
        S_ROWS = 2 * OUT_ROWS + 1, /* of its S, */
        S_COLUMNS = 2 * OUT_COLUMNS + 1,
        BOX_ROWS = S_ROWS + 1, /* of x */
        TWICE = SMALL || FLAT, /* even columns of S are stored for tap 0, and again for tap 2 */
        IMAGES = SMALL ? POOL_IMAGES(KIND_) : 1,
        /* 16 outputs, and weights that four warps hold in registers: pool_few.h. */
        FEW =
            FLOATS && SMALL && IMAGES == 1 && CHUNK == 32 && FILTERS == 32 && HELD && W_STAGES == 9,
        /* Boxes that x of a subtile comes in: while the first is summed the next is on its way. */
        SLABS = SMALL && IMAGES > 1 && FLOATS && !NCHW ? 2 : 1,
        BOX_IMAGES = IMAGES / SLABS,
        X_STAGES = X_STAGES_ * SLABS, /* buffers: boxes of x, */
        /* Columns of a box in shared memory. In NCHW the copy engine begins a row at a multiple of
         * 16 bytes, up to PER - 1 columns early, and ends it at one. */
        PER = 16 / (int)sizeof(T),
        BOX_COLUMNS = BARE   ? S_COLUMNS - 1 + (SIDES ? (int)PER : 0)
                      : NCHW ? (S_COLUMNS + 2 * PER - 1) / PER * PER
                             : S_COLUMNS + 1,
        /* Rows of S as an operand, CHUNK halves each. Where TWICE: of a row of outputs; else where
         * the planes begin, behind (odd, odd): (odd, even), (even, odd), (even, even). */
        LINE = SMALL ? 4 * IMAGES : 16,
        ODD_EVEN = OUT_ROWS * 8,
        EVEN_ODD = ODD_EVEN + OUT_ROWS * 9,
        EVEN_EVEN = EVEN_ODD + (OUT_ROWS + 1) * 8,
        FILLED = TWICE ? 27 * LINE : EVEN_EVEN + (OUT_ROWS + 1) * 9,
        READ = TWICE ? 19 * LINE + 64 : EVEN_EVEN + 10 + 71, /* by the last tap: idle ones too */
        PLACES = FILLED < READ ? READ : FILLED,
        ROW_BYTES = CHUNK * 2,
        MAP = WHOLE ? (S_ROWS - 1) * (S_COLUMNS - 1) : BOX_ROWS * BOX_COLUMNS, /* of a channel */
        X_BYTES = BOX_IMAGES * MAP * CHUNK * (int)sizeof(T),
        X_STAGE = (X_BYTES + 127) / 128 * 128,
        S_HALF = (PLACES * ROW_BYTES + 1023) / 1024 * 1024,
        S_STAGE = S_HALF * HALVES,
        W_HALF = FILTERS * ROW_BYTES,
        W_STAGE = W_HALF * HALVES,
        /* What the other block of a pair gets: S, and its scale behind it. */
        S_COPIED = (HALVES - 1) * S_HALF + PLACES * ROW_BYTES + 16,
        OUT_PITCH = 80, /* bytes of 32 halves on their way out, and 16 that spread the banks */
        OUT_BYTES = FLOATS || NCHW ? 0 : GROUPS * 4 * 16 * OUT_PITCH,
        STORED = FILTERS / SPLIT, /* filters of a tile that a block stores */

        X_AT = 0,
        S_AT = (X_AT + X_STAGES * X_STAGE + 1023) / 1024 * 1024,
        W_AT = S_AT + S_STAGES * S_STAGE,
        OUT_AT = W_AT + W_STAGES * W_STAGE,
        PARTS_AT = OUT_AT + OUT_BYTES, /* sums of three warps */
        BARRIERS_AT = PARTS_AT + (FEW ? 3 * 16 * FILTERS * 4 : 0),
        W_FULL = 2 * (X_STAGES + S_STAGES), /* the first of weights */
        IN_STAGES = W_FULL + 2 * W_STAGES,
        BARRIERS = IN_STAGES + (SPLIT > 1 ? 2 : 0),
        RANGE_AT = BARRIERS_AT + BARRIERS * 8,  /* of each sum group: pool_sums.h */
        SCALES_AT = RANGE_AT + SUM_GROUPS * 24, /* of each S stage */
        END = SCALES_AT + S_STAGES * 4,
        SHARED_BYTES = END + 1024, /* the array begins at a multiple of 1024 */

        SUM_THREADS = SUM_WARPS * 32,
        ALL_SUM_WARPS = SUM_GROUPS * SUM_WARPS,
        COPY_WARPS = 4 - ALL_SUM_WARPS % 4, /* the rest of a warpgroup */
        PRODUCT_THREADS = GROUPS * 128,
        HELPERS = (ALL_SUM_WARPS + COPY_WARPS) * 32,
        THREADS = PRODUCT_THREADS + HELPERS,

        /* Registers of a thread: at launch; what products need; of a helper, what that leaves. */
        AT_LAUNCH_ = 65536 / BLOCKS / THREADS / 8 * 8,
        AT_LAUNCH = AT_LAUNCH_ > 248 ? 248 : AT_LAUNCH_,
        ALL_REGISTERS = AT_LAUNCH * THREADS,
        BESIDE = PRODUCTS == 3              ? 48
                 : FILTERS == 128           ? 64
                 : FILTERS == 256 && FLOATS ? 88
                                            : 72,
        WANTED_ = FEW ? 56 + PRODUCTS * 32 : FILTERS / 2 * PRODUCTS + BESIDE,
        WANTED = WANTED_ > 240 ? 240 : WANTED_ / 8 * 8,
        LEFT = (ALL_REGISTERS - WANTED * PRODUCT_THREADS) / HELPERS / 8 * 8,
        HELPER_REGISTERS = LEFT < AT_LAUNCH ? LEFT : AT_LAUNCH,
        PRODUCT_LEFT = (ALL_REGISTERS - HELPER_REGISTERS * HELPERS) / PRODUCT_THREADS / 8 * 8,
        PRODUCT_REGISTERS = PRODUCT_LEFT > 240 ? 240 : PRODUCT_LEFT,
    };
    static_assert(COPY_WARPS == 1 || COPY_WARPS == 2, "x and weights each a warp, or both one");
    static_assert(SHARED_BYTES <= 232448 / BLOCKS, "a multiprocessor's shared memory");
    static_assert(SPLIT == 1 ||
                      (GROUPS == 1 && (SPLIT - 1) * 64 * STORED * 4 <= X_STAGES * X_STAGE),
                  "what others send lies in place of x");
    static_assert(X_STAGES % (SUM_GROUPS * SLABS) == 0 && S_STAGES % SUM_GROUPS == 0 &&
                      (SUM_GROUPS == 1 || S_STAGES % GROUPS == 0),
                  "a stage has one group at its ends, or is filled in order: none misses a phase");
    static_assert(PRODUCTS == 1 || GROUPS == 1, "registers for three sums");
    static_assert(!PAIR || (SPLIT == 1 && !HELD && SUM_GROUPS == 1 && S_STAGES % 2 == 0 &&
                            (int)S_COPIED <= S_STAGE),
                  "a stage has one block that fills it, and room for its scale");

    static_assert(NCHW ? !PAIR && !(WHOLE && FLAT) : !FLAT, "what is there in each layout");
    static_assert(!(WHOLE && SHORT), "a box is whole maps, or half of one");

    /* Barriers: full and empty, of each stage. */
    static DEVICE uint32_t x_full(uint32_t base, int stage)
    {
        return base + BARRIERS_AT + 8 * stage;
    }
    static DEVICE uint32_t x_empty(uint32_t base, int stage)
    {
        return x_full(base, X_STAGES + stage);
    }
    static DEVICE uint32_t s_full(uint32_t base, int stage)
    {
        return x_full(base, 2 * X_STAGES + stage);
    }
    static DEVICE uint32_t s_empty(uint32_t base, int stage)
    {
        return s_full(base, S_STAGES + stage);
    }
    static DEVICE uint32_t w_full(uint32_t base, int stage)
    {
        return s_full(base, 2 * S_STAGES + stage);
    }
    static DEVICE uint32_t w_empty(uint32_t base, int stage)
    {
        return w_full(base, W_STAGES + stage);
    }

    /* Of a split: no warp of the others reads x any more; what they send is here. */
    static DEVICE uint32_t others_ready(uint32_t base)
    {
        return x_full(base, IN_STAGES);
    }
    static DEVICE uint32_t received(uint32_t base)
    {
        return x_full(base, IN_STAGES + 1);
    }

    /* How many arrive at barrier i, of all of them, in block `rank` of a cluster. */
    static DEVICE int arrivals(int i, int rank)
    {
        const int s = i - 2 * X_STAGES, w = s - 2 * S_STAGES;
        if (s < 0)
            return i < X_STAGES ? 1 : SUM_WARPS;
        if (w < 0)
            return s >= S_STAGES ? (PAIR ? 8 : 4) : PAIR && s % 2 != rank ? 1 : SUM_WARPS;
        if (i < IN_STAGES)
            return w < W_STAGES ? 1 : 4 * GROUPS;
        return i == IN_STAGES ? ALL_SUM_WARPS * (SPLIT - 1) : 1;
    }

    /* Bytes that barrier i's first phase waits for from other blocks. */
    static DEVICE int bytes_sent(int i, int rank)
    {
        if (PAIR && i >= 2 * X_STAGES && i < 2 * X_STAGES + S_STAGES)
            return i % 2 != rank ? (int)S_COPIED : 0;
        return SPLIT > 1 && i == IN_STAGES + 1 ? (SPLIT - 1) * 64 * STORED * 4 : 0;
    }

    /* Where an S stage's scale lies. */
    static DEVICE uint32_t scale_of(uint32_t base, int stage)
    {
        return PAIR ? base + S_AT + stage * S_STAGE + S_COPIED - 16 : base + SCALES_AT + 4 * stage;
    }

    /* Row of S for (i, j) of `image`. Large maps: planes (odd, odd) 8 x 8, (odd, even) 8 x 9,
     * (even, odd) 9 x 8, (even, even) 9 x 9; of 4 rows of outputs 4 and 5 rows. Small and flat
     * ones: columns of tap s = 0, of 1, of 2, each with even rows (5 x images x 4 columns, or
     * 5 x 16), then odd ones. */
    static DEVICE int row(int i, int j, int image)
    {
        if (TWICE)
            return row_of_line(i) + row_in_line(j, image);
        return (j & 1 ? (i & 1 ? 0 : EVEN_ODD) : (i & 1 ? ODD_EVEN : EVEN_EVEN)) +
               (i >> 1) * (j & 1 ? 8 : 9) + (j >> 1);
    }

    /* Where TWICE: rows of i, which where multiples of 8 change no swizzle; and of the rest, for
     * an even column again for tap 2. */
    static DEVICE int row_of_line(int i)
    {
        return ((i & 1 ? 5 : 0) + (i >> 1)) * LINE;
    }
    static DEVICE int row_in_line(int j, int image)
    {
        return (j & 1 ? 9 * LINE : 0) + image * 4 + (j >> 1);
    }
    static DEVICE int row_again(int j, int image)
    {
        return 18 * LINE + image * 4 + (j >> 1) - 1;
    }

    /* Row that tap (r, s) begins at, and rows from one row of outputs to the next. */
    static DEVICE int tap_row(int r, int s)
    {
        if (TWICE)
            return (s * 9 + (r == 1 ? 5 : r / 2)) * LINE;
        return row(r, s, 0);
    }

    static DEVICE int tap_pitch(int s)
    {
        return TWICE || s == 1 ? 8 : 9;
    }
};

} // namespace

#endif
