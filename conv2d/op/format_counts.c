/* Which places of a window a wrong ptr counts. */
#include "conv2d/op/format.h"

/* What stands at place k of a window, 0 outside of the map. */
static float value_of(const struct conv2d_problem *p, const float *x, size_t window, int k)
{
    const int top = (int)(window / (size_t)conv2d_columns(p)) * p->stride - p->pad;
    const int left = (int)(window % (size_t)conv2d_columns(p)) * p->stride - p->pad;
    const int row = top + k / p->s, column = left + k % p->s;
    const bool inside = row >= 0 && row < p->h && column >= 0 && column < p->w;
    return inside ? x[(size_t)row * (size_t)p->w + (size_t)column] : 0;
}

/* How many of the window's places from `first` to before `end` are not zero. */
static int count_between(const struct conv2d_problem *p, const float *x, size_t window, int first,
                         int end)
{
    int count = 0;
    for (int k = first; k < end; k++)
        count += value_of(p, x, window, k) != 0;
    return count;
}

/* Whether every ptr is the count of places from `first` to before `end`. */
static bool counts_between(const struct conv2d_problem *p, const void *const in[],
                           const int32_t *ptr, int first, int end)
{
    for (size_t i = 0; i < format_windows(p); i++) {
        const int count = count_between(p, in[FORMAT_X], i, first, end);
        if (ptr[i] != count && !(count == 0 && ptr[i] == -1))
            return false;
    }
    return true;
}

/* Whether every ptr counts the window's places outside of the map, too. */
static bool counts_outside(const struct conv2d_problem *p, const void *const in[],
                           const int32_t *ptr)
{
    for (size_t i = 0; i < format_windows(p); i++) {
        const int top = (int)(i / (size_t)conv2d_columns(p)) * p->stride - p->pad;
        const int left = (int)(i % (size_t)conv2d_columns(p)) * p->stride - p->pad;
        int count = count_between(p, in[FORMAT_X], i, 0, p->r * p->s);
        for (int k = 0; k < p->r * p->s; k++) {
            const int row = top + k / p->s, column = left + k % p->s;
            count += row < 0 || row >= p->h || column < 0 || column >= p->w;
        }
        if (ptr[i] != count && !(count == 0 && ptr[i] == -1))
            return false;
    }
    return true;
}

/* Whether every ptr is the count of places whose value has this sign. */
static bool counts_sign(const struct conv2d_problem *p, const void *const in[], const int32_t *ptr,
                        float sign)
{
    for (size_t i = 0; i < format_windows(p); i++) {
        int count = 0;
        for (int k = 0; k < p->r * p->s; k++)
            count += sign * value_of(p, in[FORMAT_X], i, k) > 0;
        if (ptr[i] != count && !(count == 0 && ptr[i] == -1))
            return false;
    }
    return true;
}

/* Whether every ptr counts places up to the first zero, of the window or of each of its rows. */
static bool counts_until_zero(const struct conv2d_problem *p, const void *const in[],
                              const int32_t *ptr, bool of_row)
{
    for (size_t i = 0; i < format_windows(p); i++) {
        int count = 0;
        for (int k = 0; k < p->r * p->s; k++)
            if (count_between(p, in[FORMAT_X], i, k, k + 1))
                count++;
            else if (of_row)
                k += p->s - 1 - k % p->s;
            else
                break;
        if (ptr[i] != count && !(count == 0 && ptr[i] == -1))
            return false;
    }
    return true;
}

const char *format_counts_hint(const struct conv2d_problem *p, const void *const in[],
                               const int32_t *ptr, double first)
{
    const int places = p->r * p->s;
    if (places > 1 && counts_between(p, in, ptr, 0, places - 1))
        return "equals the counts without each window's last place: there are R S of them, 0 to "
               "R S - 1";
    if (places > 1 && counts_between(p, in, ptr, 1, places))
        return "equals the counts without each window's first place: there are R S of them, 0 to "
               "R S - 1";
    if (counts_sign(p, in, ptr, 1) || counts_sign(p, in, ptr, -1))
        return counts_sign(p, in, ptr, 1)
                   ? "equals the counts of values above 0: those below 0 are not zero either"
                   : "equals the counts of values below 0: those above 0 are not zero either";
    if (places > 1 && counts_until_zero(p, in, ptr, false))
        return "equals the counts up to each window's first zero: a zero is passed over (continue) "
               "and ends nothing (break)";
    if (places > 1 && counts_until_zero(p, in, ptr, true))
        return "equals the counts up to the first zero of each row of a window: a zero is passed "
               "over (continue) and ends nothing (break)";
    if (first == places)
        return "all places are stored, zeros too";
    if (counts_outside(p, in, ptr))
        return "equals counts in which places outside of the map are values: they are zero, too";
    return NULL;
}
