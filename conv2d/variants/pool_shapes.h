/* The shapes of tiles (pool_tile.h) that are compiled, and the rule that chooses one for a problem:
 * the first of the list that fits it and has blocks for the part of the machine that it asks for;
 * if none has, of those that fit the first with the most blocks. Lists go from the tile with the
 * most products a byte to the smallest; the last ones fit every problem that is taken.
 *
 * C as well as CUDA: tests ask the rule without a GPU. */
#ifndef HPC_CONV2D_POOL_SHAPES_H
#define HPC_CONV2D_POOL_SHAPES_H

#include "conv2d/convpool.h"

/* What a subtile is, 64 outputs: 8 x 8 of an image; 4 x 4 of four images; in NCHW 4 x 16 of an
 * image, the last two of maps with one and two of them side by side, copied without padding. */
enum { POOL_SQUARE, POOL_SMALL, POOL_FLAT, POOL_ROWS, POOL_SIDES };

/* SHAPE(kind, chunk, groups, filters, x, s and w stages, held, sum groups, warps, columns,
 * segments, split, blocks, pair, least)
 *
 * least: eighths of the multiprocessors that must have a block. 6: a last quarter gained is less
 * than what a smaller tile loses. 3 where half as many filters a block would form the same sums
 * twice, and sums are what such small problems wait for. 12, 24: wins with many tiles a block. */
#define POOL_SHAPES_HALF(SHAPE)                                                                    \
    SHAPE(0, 32, 2, 256, 2, 4, 5, 0, 1, 3, 1, 1, 1, 1, 0, 6)                                       \
    SHAPE(0, 64, 1, 256, 1, 1, 4, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(0, 64, 1, 128, 1, 2, 6, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                      \
    SHAPE(0, 64, 2, 64, 2, 2, 7, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(0, 64, 1, 64, 2, 1, 8, 0, 1, 15, 2, 3, 1, 1, 0, 3)                                       \
    SHAPE(0, 64, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 2, 32, 4, 4, 9, 1, 2, 7, 1, 3, 1, 1, 0, 6)                                        \
    SHAPE(0, 32, 1, 32, 4, 4, 9, 1, 2, 7, 1, 3, 1, 1, 0, 6)                                        \
    SHAPE(0, 32, 1, 32, 2, 2, 9, 0, 1, 7, 1, 3, 1, 1, 0, 6)                                        \
    SHAPE(1, 64, 1, 128, 1, 1, 7, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                      \
    SHAPE(1, 64, 1, 64, 1, 1, 9, 0, 1, 14, 1, 3, 2, 1, 0, 3)                                       \
    SHAPE(1, 64, 1, 32, 1, 2, 9, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                       \
    SHAPE(1, 64, 1, 32, 1, 1, 9, 1, 1, 10, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)

#define POOL_SHAPES_TF32(SHAPE)                                                                    \
    SHAPE(0, 32, 2, 256, 1, 4, 6, 0, 1, 3, 1, 1, 1, 1, 1, 6)                                       \
    SHAPE(0, 32, 1, 256, 1, 2, 6, 0, 1, 7, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 2, 128, 2, 2, 9, 0, 1, 10, 1, 4, 1, 1, 0, 6)                                      \
    SHAPE(0, 32, 1, 128, 2, 2, 6, 0, 1, 14, 1, 3, 1, 1, 0, 3)                                      \
    SHAPE(0, 32, 1, 64, 2, 3, 18, 1, 1, 14, 1, 3, 1, 1, 0, 3)                                      \
    SHAPE(0, 32, 1, 64, 2, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 3)                                       \
    SHAPE(0, 32, 1, 32, 2, 2, 18, 1, 1, 14, 1, 3, 1, 1, 0, 6)                                      \
    SHAPE(0, 32, 2, 32, 2, 2, 9, 1, 1, 14, 1, 3, 1, 1, 0, 12)                                      \
    SHAPE(0, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 32, 1, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 128, 1, 2, 6, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                      \
    SHAPE(1, 32, 1, 64, 1, 2, 9, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 2, 18, 1, 1, 14, 1, 3, 2, 1, 0, 6)                                      \
    SHAPE(1, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 2, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)

#define POOL_SHAPES_FLOAT(SHAPE)                                                                   \
    SHAPE(0, 32, 1, 128, 1, 2, 6, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                      \
    SHAPE(0, 32, 1, 64, 2, 1, 9, 0, 1, 14, 1, 3, 1, 1, 0, 3)                                       \
    SHAPE(0, 32, 1, 32, 2, 2, 9, 0, 2, 7, 1, 3, 1, 1, 0, 24)                                       \
    SHAPE(0, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 128, 1, 2, 4, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                      \
    SHAPE(1, 32, 1, 64, 1, 2, 6, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 2, 9, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)

/* Of maps whose boxes are whole; what fits none of these has one above. */
#define POOL_INSIDE_HALF(SHAPE)                                                                    \
    SHAPE(0, 64, 1, 256, 1, 1, 4, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(0, 64, 1, 128, 2, 2, 5, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                      \
    SHAPE(0, 64, 1, 64, 2, 2, 7, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(0, 64, 1, 64, 2, 1, 8, 0, 1, 15, 2, 3, 1, 1, 0, 3)                                       \
    SHAPE(1, 64, 1, 128, 1, 1, 8, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                      \
    SHAPE(1, 64, 1, 64, 2, 1, 9, 0, 1, 14, 1, 3, 2, 1, 0, 3)                                       \
    SHAPE(1, 64, 1, 32, 1, 1, 9, 1, 1, 10, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 2, 1, 0, 6)

#define POOL_INSIDE_TF32(SHAPE)                                                                    \
    SHAPE(0, 32, 1, 256, 1, 2, 9, 0, 1, 7, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 128, 2, 2, 12, 0, 1, 14, 1, 3, 1, 1, 0, 3)                                     \
    SHAPE(1, 32, 1, 128, 2, 2, 12, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                     \
    SHAPE(1, 32, 1, 128, 1, 1, 9, 0, 1, 14, 1, 3, 4, 1, 0, 3)                                      \
    SHAPE(1, 64, 1, 64, 1, 1, 9, 0, 1, 14, 1, 3, 2, 1, 0, 3)                                       \
    SHAPE(1, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 2, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 64, 1, 1, 9, 1, 1, 14, 1, 3, 2, 1, 0, 6)

#define POOL_INSIDE_FLOAT(SHAPE)                                                                   \
    SHAPE(0, 32, 1, 128, 1, 2, 7, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                      \
    SHAPE(0, 32, 1, 64, 2, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 128, 1, 2, 5, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                      \
    SHAPE(1, 32, 1, 64, 1, 2, 10, 0, 1, 14, 1, 3, 2, 1, 0, 3)                                      \
    SHAPE(1, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 2, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 64, 1, 1, 9, 1, 1, 14, 1, 3, 2, 1, 0, 6)

/* In NCHW. A box of x is larger there, by the columns that the copy engine begins early. */
#define POOL_MAPS_HALF(SHAPE)                                                                      \
    SHAPE(3, 32, 2, 256, 2, 4, 4, 0, 1, 3, 2, 1, 1, 1, 0, 6)                                       \
    SHAPE(3, 64, 1, 128, 2, 1, 5, 0, 1, 14, 2, 3, 1, 1, 0, 6)                                      \
    SHAPE(3, 64, 1, 64, 1, 1, 9, 1, 1, 14, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(3, 32, 1, 64, 2, 2, 9, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                        \
    SHAPE(3, 32, 1, 32, 1, 2, 9, 1, 1, 7, 2, 3, 1, 2, 0, 6)                                        \
    SHAPE(3, 32, 1, 32, 2, 2, 9, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                        \
    SHAPE(4, 32, 1, 256, 2, 2, 7, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(4, 64, 1, 128, 2, 1, 4, 0, 1, 14, 2, 3, 1, 1, 0, 6)                                      \
    SHAPE(4, 64, 1, 64, 1, 1, 9, 1, 1, 14, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(4, 32, 1, 64, 2, 2, 9, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                        \
    SHAPE(4, 32, 1, 32, 1, 2, 9, 1, 1, 7, 2, 3, 1, 2, 0, 6)                                        \
    SHAPE(4, 32, 1, 32, 2, 2, 9, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                        \
    SHAPE(2, 32, 1, 256, 2, 2, 6, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(2, 32, 1, 128, 2, 2, 6, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(2, 32, 1, 32, 2, 2, 9, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                        \
    SHAPE(0, 32, 1, 128, 2, 2, 6, 0, 1, 7, 2, 6, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 32, 2, 2, 9, 0, 1, 7, 2, 6, 1, 1, 0, 6)                                        \
    SHAPE(1, 32, 1, 64, 1, 2, 9, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                        \
    SHAPE(1, 32, 1, 32, 1, 2, 9, 0, 1, 7, 2, 3, 1, 1, 0, 6)

#define POOL_MAPS_TF32(SHAPE)                                                                      \
    SHAPE(3, 32, 1, 256, 1, 2, 7, 0, 1, 7, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(3, 32, 1, 128, 2, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                      \
    SHAPE(3, 32, 1, 64, 2, 2, 18, 1, 1, 14, 1, 3, 1, 1, 0, 6)                                      \
    SHAPE(3, 32, 1, 64, 2, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(3, 32, 1, 32, 2, 2, 9, 1, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(3, 32, 1, 32, 2, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(2, 32, 1, 256, 1, 2, 5, 0, 1, 7, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 256, 1, 2, 5, 0, 1, 7, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(2, 32, 1, 128, 2, 2, 6, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                      \
    SHAPE(2, 32, 1, 64, 2, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(2, 32, 1, 32, 2, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 32, 2, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 64, 1, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)

#define POOL_MAPS_FLOAT(SHAPE)                                                                     \
    SHAPE(3, 32, 1, 128, 1, 2, 4, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                      \
    SHAPE(3, 32, 1, 64, 1, 2, 8, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(3, 32, 1, 32, 2, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(2, 32, 1, 128, 1, 2, 4, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                      \
    SHAPE(0, 32, 1, 64, 2, 1, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 32, 2, 1, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 64, 1, 2, 4, 0, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 2, 8, 0, 1, 14, 1, 3, 1, 1, 0, 6)

/* In NCHW, of maps whose boxes are whole. */
#define POOL_WHOLE_HALF(SHAPE)                                                                     \
    SHAPE(0, 32, 1, 256, 3, 2, 6, 0, 1, 7, 2, 6, 1, 1, 0, 6)                                       \
    SHAPE(0, 64, 1, 128, 2, 2, 5, 0, 1, 14, 2, 6, 1, 1, 0, 6)                                      \
    SHAPE(0, 64, 1, 64, 2, 2, 6, 0, 1, 14, 2, 6, 1, 1, 0, 6)                                       \
    SHAPE(0, 64, 1, 32, 1, 1, 9, 1, 1, 14, 2, 6, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 32, 1, 1, 9, 1, 1, 7, 2, 6, 1, 1, 0, 6)                                        \
    SHAPE(0, 32, 1, 32, 2, 2, 9, 0, 1, 7, 2, 6, 1, 1, 0, 6)                                        \
    SHAPE(1, 64, 1, 128, 2, 1, 6, 0, 1, 15, 2, 3, 2, 1, 0, 6)                                      \
    SHAPE(1, 64, 1, 64, 2, 1, 8, 0, 1, 15, 2, 3, 2, 1, 0, 3)                                       \
    SHAPE(1, 64, 1, 32, 2, 1, 9, 0, 1, 15, 2, 3, 2, 1, 0, 6)                                       \
    SHAPE(1, 64, 1, 32, 1, 1, 9, 1, 1, 15, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 1, 9, 1, 1, 10, 2, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 2, 2, 9, 0, 1, 10, 2, 3, 1, 1, 0, 6)

#define POOL_WHOLE_TF32(SHAPE)                                                                     \
    SHAPE(0, 32, 1, 256, 2, 2, 6, 0, 1, 7, 1, 6, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 128, 2, 2, 9, 0, 1, 14, 1, 6, 1, 1, 0, 6)                                      \
    SHAPE(0, 32, 1, 64, 2, 2, 9, 0, 1, 14, 1, 6, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 32, 2, 2, 18, 1, 1, 14, 1, 6, 1, 1, 0, 6)                                      \
    SHAPE(0, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 6, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 32, 2, 2, 9, 0, 1, 14, 1, 6, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 128, 2, 2, 9, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                      \
    SHAPE(1, 32, 1, 128, 1, 1, 9, 0, 1, 14, 1, 3, 4, 1, 0, 3)                                      \
    SHAPE(1, 32, 1, 64, 2, 2, 9, 0, 1, 14, 1, 3, 2, 1, 0, 3)                                       \
    SHAPE(1, 32, 1, 32, 2, 2, 9, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 2, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)

#define POOL_WHOLE_FLOAT(SHAPE)                                                                    \
    SHAPE(0, 32, 1, 128, 2, 2, 5, 0, 1, 14, 1, 6, 1, 1, 0, 6)                                      \
    SHAPE(0, 32, 1, 64, 2, 2, 9, 0, 1, 14, 1, 6, 1, 1, 0, 6)                                       \
    SHAPE(0, 32, 1, 32, 2, 2, 9, 0, 1, 14, 1, 6, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 128, 1, 2, 5, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                      \
    SHAPE(1, 32, 1, 128, 1, 1, 8, 0, 1, 14, 1, 3, 4, 1, 0, 3)                                      \
    SHAPE(1, 32, 1, 64, 1, 2, 10, 0, 1, 14, 1, 3, 2, 1, 0, 3)                                      \
    SHAPE(1, 32, 1, 32, 2, 2, 9, 0, 1, 14, 1, 3, 2, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 1, 9, 1, 1, 14, 1, 3, 1, 1, 0, 6)                                       \
    SHAPE(1, 32, 1, 32, 1, 2, 9, 0, 1, 14, 1, 3, 1, 1, 0, 6)

struct pool_shape {
    int kind, chunk, groups, filters, x_stages, s_stages, w_stages, held;
    int sum_groups, sum_warps, columns, segments, split, blocks, pair, least;
};

#define POOL_SHAPE_ROW(...) {__VA_ARGS__},

/* What all shapes want: 3 x 3 filters, 2 x 2 pools, multiples of 32 channels and filters. */
static inline int pool_takes_layout(const struct convpool_problem *p, int layout)
{
    return p->conv.r == 3 && p->conv.s == 3 && p->pool == 2 && p->conv.layout == layout &&
           p->conv.c % 32 == 0 && p->conv.k % 32 == 0 && convpool_rows(p) > 0 &&
           convpool_columns(p) > 0;
}

static inline int pool_takes_shape(const struct convpool_problem *p)
{
    return pool_takes_layout(p, CONV_NHWC);
}

/* In NCHW, of elements of `bytes`: the copy engine wants rows of a multiple of 16 bytes. */
static inline int pool_takes_maps(const struct convpool_problem *p, int bytes)
{
    return pool_takes_layout(p, CONV_NCHW) && p->conv.w * bytes % 16 == 0;
}

/* Of either layout, whose maps are a box's each: rows of at most 256 elements in NCHW. */
static inline int pool_takes_whole(const struct convpool_problem *p)
{
    return pool_takes_layout(p, p->conv.layout) && p->conv.pad == 1 && p->conv.h == p->conv.w &&
           (p->conv.h == 8 || p->conv.h == 16);
}

/* Columns, x's or its neighbour's, that a box in NCHW begins early, for its 16 bytes. */
static inline int pool_early(const struct convpool_problem *p, int bytes)
{
    const int per = 16 / bytes;
    return (per - p->conv.pad % per) % per;
}

static inline int pool_is_small(const struct convpool_problem *p)
{
    return convpool_rows(p) <= 4 && convpool_columns(p) <= 4;
}

/* Subtiles of an image, down and across: not of a small one. */
static inline int pool_down(const struct convpool_problem *p, int kind)
{
    return kind >= POOL_FLAT ? (convpool_rows(p) + 3) / 4 : (convpool_rows(p) + 7) / 8;
}

static inline int pool_across(const struct convpool_problem *p, int kind)
{
    return kind >= POOL_FLAT ? (convpool_columns(p) + 15) / 16 : (convpool_columns(p) + 7) / 8;
}

static inline long long pool_subtiles(const struct convpool_problem *p, int kind)
{
    if (kind == POOL_SMALL)
        return (p->conv.n + 3) / 4;
    return (long long)p->conv.n * pool_down(p, kind) * pool_across(p, kind);
}

/* Whether subtiles of this kind suit a problem. The copy engine takes as long as x has lines of 128
 * bytes in a box, and columns outside of x cost as much: a flat box has fewer for its outputs than
 * a square one, worth up to a quarter more subtiles. */
static inline int pool_suits(const struct convpool_problem *p, int kind)
{
    if (kind == POOL_SMALL || pool_is_small(p))
        return kind == POOL_SMALL && pool_is_small(p);
    if (kind == POOL_SQUARE)
        return 1;
    if (p->conv.layout != CONV_NCHW ||
        4 * pool_subtiles(p, kind) > 5 * pool_subtiles(p, POOL_SQUARE))
        return 0;
    if (kind == POOL_ROWS)
        return p->conv.pad == 1 && p->conv.w == 32;
    return kind == POOL_FLAT || (p->conv.pad == 1 && p->conv.w > 32 && p->conv.w <= 64);
}

/* Blocks that work at the same time, at best. */
static inline long long pool_tiles(const struct convpool_problem *p, const struct pool_shape *s)
{
    return (pool_subtiles(p, s->kind) + s->groups - 1) / s->groups * (p->conv.k / s->filters);
}

static inline int pool_fits(const struct convpool_problem *p, const struct pool_shape *s)
{
    const int chunks = p->conv.c / (s->chunk * s->split);
    if (!pool_suits(p, s->kind) || p->conv.k % (s->filters * (s->pair ? 2 : 1)) != 0 ||
        p->conv.c % (s->chunk * s->split) != 0)
        return 0;
    if (s->sum_warps && s->split > 2 && chunks > 1) /* clusters that would take two rounds */
        return 0;
    return !s->held || 9 * chunks == s->w_stages;
}

/* Index into shapes[count], or -1. */
static inline int pool_choose(const struct convpool_problem *p, const struct pool_shape *shapes,
                              int count, int multiprocessors)
{
    long long most = 0;
    int chosen = -1;
    for (int i = 0; i < count; i++) {
        const long long blocks = pool_tiles(p, &shapes[i]) * shapes[i].split;
        const int enough = blocks * 8 >= (long long)shapes[i].least * multiprocessors;
        if (!pool_fits(p, &shapes[i]) || blocks + enough <= most)
            continue;
        chosen = i;
        most = blocks;
        if (enough)
            break;
    }
    return chosen;
}

#endif
