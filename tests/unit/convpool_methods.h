/* The methods of [Suita] on any type of number, on one padded map after another: what
 * convpool_count.h counts. For tests and as text: nothing here is meant to be fast. C++ only.
 *
 * Maps are vectors of doubles' or T's rows; x is [C][H'][W'] with its padding, w [K][C][R][S], both
 * of one image; y comes as [K][P/pool][Q/pool]. */
#ifndef HPC_TESTS_CONVPOOL_METHODS_H
#define HPC_TESTS_CONVPOOL_METHODS_H

#ifdef __cplusplus

#include <vector>

#include "conv2d/convpool.h"

namespace convpool
{

/* rows x columns numbers of each of `maps` maps, zero at first. */
template <class T> struct maps_of {
    int rows, columns;
    std::vector<T> value;

    maps_of(int maps, int rows_, int columns_)
        : rows(rows_), columns(columns_), value((size_t)maps * rows_ * columns_, T(0))
    {
    }

    T &at(int map, int i, int j)
    {
        return value[((size_t)map * rows + i) * columns + j];
    }

    const T &at(int map, int i, int j) const
    {
        return value[((size_t)map * rows + i) * columns + j];
    }
};

/* sum over c, r, s of w[k][c][r][s] x[c][i * step + r][j * step + s], for all outputs of p. */
template <class T>
maps_of<T> convolve(const struct convpool_problem &p, const maps_of<T> &x, const maps_of<T> &w,
                    int rows, int columns, int step)
{
    maps_of<T> y(p.conv.k, rows, columns);
    for (int k = 0; k < p.conv.k; k++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                for (int c = 0; c < p.conv.c; c++)
                    for (int r = 0; r < w.rows; r++)
                        for (int s = 0; s < w.columns; s++)
                            y.at(k, i, j) = y.at(k, i, j) + w.at(k * p.conv.c + c, r, s) *
                                                                x.at(c, i * step + r, j * step + s);
    return y;
}

/* Formula 3 after formula 2: Lemma 1. */
template <class T>
maps_of<T> defined(const struct convpool_problem &p, const maps_of<T> &x, const maps_of<T> &w)
{
    const int rows = convpool_rows(&p), columns = convpool_columns(&p);
    const maps_of<T> all = convolve(p, x, w, rows * p.pool, columns * p.pool, 1);
    maps_of<T> y(p.conv.k, rows, columns);
    for (int k = 0; k < p.conv.k; k++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                for (int a = 0; a < p.pool; a++)
                    for (int b = 0; b < p.pool; b++)
                        y.at(k, i, j) = y.at(k, i, j) + all.at(k, i * p.pool + a, j * p.pool + b);
                y.at(k, i, j) = y.at(k, i, j) * T(1.0 / (p.pool * p.pool));
            }
    return y;
}

/* W * alpha, made once. */
template <class T> maps_of<T> fuse(const struct convpool_problem &p, const maps_of<T> &w)
{
    const int filters = p.conv.k * p.conv.c;
    maps_of<T> fused(filters, w.rows + p.pool - 1, w.columns + p.pool - 1);
    for (int f = 0; f < filters; f++)
        for (int r = 0; r < w.rows; r++)
            for (int s = 0; s < w.columns; s++)
                for (int a = 0; a < p.pool; a++)
                    for (int b = 0; b < p.pool; b++)
                        fused.at(f, r + a, s + b) =
                            fused.at(f, r + a, s + b) + w.at(f, r, s) * T(1.0 / (p.pool * p.pool));
    return fused;
}

/* Formula 4: Lemma 2. */
template <class T>
maps_of<T> by_fused(const struct convpool_problem &p, const maps_of<T> &x, const maps_of<T> &fused)
{
    return convolve(p, x, fused, convpool_rows(&p), convpool_columns(&p), p.pool);
}

/* Formula 5 with formulas 6 and 7: Theorem 2.1. */
template <class T>
maps_of<T> by_table(const struct convpool_problem &p, const maps_of<T> &x, const maps_of<T> &w)
{
    const int rows = convpool_rows(&p), columns = convpool_columns(&p), c_end = p.conv.c;
    maps_of<T> table(c_end, x.rows + 1, x.columns + 1); /* row and column 0 are zero */
    for (int c = 0; c < c_end; c++) {
        for (int i = 0; i < x.rows; i++)
            for (int j = 0; j < x.columns; j++)
                table.at(c, i + 1, j + 1) = table.at(c, i, j + 1) + x.at(c, i, j);
        for (int i = 0; i < x.rows; i++)
            for (int j = 0; j < x.columns; j++)
                table.at(c, i + 1, j + 1) = table.at(c, i + 1, j + 1) + table.at(c, i + 1, j);
    }
    maps_of<T> sums(c_end, (rows - 1) * p.pool + p.conv.r, (columns - 1) * p.pool + p.conv.s);
    for (int c = 0; c < c_end; c++)
        for (int i = 0; i < sums.rows; i++)
            for (int j = 0; j < sums.columns; j++)
                sums.at(c, i, j) = (table.at(c, i + p.pool, j + p.pool) + table.at(c, i, j) -
                                    table.at(c, i, j + p.pool) - table.at(c, i + p.pool, j)) *
                                   T(1.0 / (p.pool * p.pool));
    return convolve(p, sums, w, rows, columns, p.pool);
}

/* Formula 5 with the sums taken along rows, then along columns ([Suita], figure 3). */
template <class T>
maps_of<T> by_direct_sum(const struct convpool_problem &p, const maps_of<T> &x, const maps_of<T> &w)
{
    const int rows = convpool_rows(&p), columns = convpool_columns(&p), c_end = p.conv.c;
    maps_of<T> sums(c_end, (rows - 1) * p.pool + p.conv.r, (columns - 1) * p.pool + p.conv.s);
    maps_of<T> along(c_end, sums.rows + p.pool - 1, sums.columns);
    for (int c = 0; c < c_end; c++) {
        for (int i = 0; i < along.rows; i++)
            for (int j = 0; j < along.columns; j++) {
                along.at(c, i, j) = x.at(c, i, j);
                for (int b = 1; b < p.pool; b++)
                    along.at(c, i, j) = along.at(c, i, j) + x.at(c, i, j + b);
            }
        for (int i = 0; i < sums.rows; i++)
            for (int j = 0; j < sums.columns; j++) {
                sums.at(c, i, j) = along.at(c, i, j);
                for (int a = 1; a < p.pool; a++)
                    sums.at(c, i, j) = sums.at(c, i, j) + along.at(c, i + a, j);
                sums.at(c, i, j) = sums.at(c, i, j) * T(1.0 / (p.pool * p.pool));
            }
    }
    return convolve(p, sums, w, rows, columns, p.pool);
}

} // namespace convpool

#endif
#endif
