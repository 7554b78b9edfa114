#include "conv1d/op/places.h"

#include <math.h>
#include <stdlib.h>

#include "common/size.h"

struct place {
    double value;
    size_t index;
};

static int by_value(const void *a, const void *b)
{
    const double x = ((const struct place *)a)->value, y = ((const struct place *)b)->value;
    return (x > y) - (x < y);
}

/* The place whose number is within `near` of v, of n sorted ones; NULL: none, or more than one. */
static const struct place *find(const struct place *sorted, size_t n, double v, double near)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sorted[middle].value < v - near)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n || !(sorted[low].value <= v + near))
        return NULL;
    return low + 1 < n && sorted[low + 1].value <= v + near ? NULL : &sorted[low];
}

bool places_mixed(size_t n, const double *got, const double *want, const double *near, size_t at[3],
                  size_t from[3])
{
    struct place *sorted = hpc_malloc(hpc_mul(n + 1, sizeof *sorted));
    size_t wrong = 0, known = 0;
    for (size_t i = 0; i < n; i++)
        sorted[i] = (struct place){want[i], i};
    qsort(sorted, n, sizeof *sorted, by_value);
    for (size_t i = 0; i < n; i++) {
        if (fabs(got[i] - want[i]) <= near[i])
            continue;
        const struct place *other = find(sorted, n, got[i], near[i]);
        if (other && known < 3) {
            at[known] = i;
            from[known] = other->index;
        }
        known += other != NULL;
        wrong++;
    }
    free(sorted);
    return known >= 3 && 10 * known >= 7 * wrong;
}
