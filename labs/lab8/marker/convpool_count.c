#include "labs/lab8/marker/convpool_count.h"

/* All outputs by a convolution with filters of r x s. */
static struct convpool_count convolution(const struct convpool_problem *p, int r, int s)
{
    const double products = (double)convpool_y_count(p) * p->conv.c * r * s;
    return (struct convpool_count){products, products};
}

/* Sums x * alpha that some output needs. */
static double sums(const struct convpool_problem *p, double *rows, double *columns)
{
    *rows = (convpool_rows(p) - 1) * p->pool + p->conv.r;
    *columns = (convpool_columns(p) - 1) * p->pool + p->conv.s;
    return (double)p->conv.n * p->conv.c * *rows * *columns;
}

struct convpool_count convpool_count_defined(const struct convpool_problem *p)
{
    struct convpool_count count = convolution(p, p->conv.r, p->conv.s);
    const double pools = p->pool * p->pool, outputs = (double)convpool_y_count(p);
    count.additions = pools * count.additions + pools * outputs;
    count.multiplications = pools * count.multiplications + outputs;
    return count;
}

struct convpool_count convpool_count_fused(const struct convpool_problem *p)
{
    return convolution(p, p->conv.r + p->pool - 1, p->conv.s + p->pool - 1);
}

struct convpool_count convpool_count_table(const struct convpool_problem *p)
{
    struct convpool_count count = convolution(p, p->conv.r, p->conv.s);
    const double height = p->conv.h + 2 * p->conv.pad, width = p->conv.w + 2 * p->conv.pad;
    double rows, columns;
    const double corners = sums(p, &rows, &columns);
    count.additions += 2 * (double)p->conv.n * p->conv.c * height * width + 3 * corners;
    count.multiplications += corners;
    return count;
}

struct convpool_count convpool_count_direct(const struct convpool_problem *p)
{
    struct convpool_count count = convolution(p, p->conv.r, p->conv.s);
    double rows, columns;
    const double all = sums(p, &rows, &columns), maps = (double)p->conv.n * p->conv.c;
    count.additions += (p->pool - 1) * (maps * (rows + p->pool - 1) * columns + all);
    count.multiplications += all;
    return count;
}
