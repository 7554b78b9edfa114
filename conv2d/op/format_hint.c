/* What makes a result of window_format wrong. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "conv2d/op/format.h"

/* How the places of a window are numbered. */
enum places { BY_ROWS, BY_COLUMNS, TRANSPOSED }; /* TRANSPOSED: of the weights alone */

/* Where windows lie: so far apart, from there on. */
struct walk {
    int down, across, top, left;
    enum places places;
};

static struct walk right_walk(const struct conv2d_problem *p)
{
    return (struct walk){p->stride, p->stride, -p->pad, -p->pad, BY_ROWS};
}

/* A window's entries into f and k, where windows lie so. */
static int entries_of(const struct conv2d_problem *p, struct walk walk, const void *const in[],
                      size_t window, float *f, float *k)
{
    const float *x = in[FORMAT_X], *w = in[FORMAT_W];
    const int top = (int)(window / (size_t)conv2d_columns(p)) * walk.down + walk.top;
    const int left = (int)(window % (size_t)conv2d_columns(p)) * walk.across + walk.left;
    int count = 0;
    for (int i = 0; i < p->r * p->s; i++) {
        const int row = top + (walk.places == BY_COLUMNS ? i % p->r : i / p->s);
        const int column = left + (walk.places == BY_COLUMNS ? i / p->r : i % p->s);
        const bool inside = row >= 0 && row < p->h && column >= 0 && column < p->w;
        if (inside && x[(size_t)row * (size_t)p->w + (size_t)column] != 0) {
            f[count] = x[(size_t)row * (size_t)p->w + (size_t)column];
            k[count++] = w[walk.places == TRANSPOSED ? i % p->s * p->r + i / p->s : i];
        }
    }
    return count;
}

int format_entries(const struct conv2d_problem *p, const void *const in[], size_t window, float *f,
                   float *k)
{
    return entries_of(p, right_walk(p), in, window, f, k);
}

/* Whether ptr and f_data are those of windows that lie so, and k_data where places go by rows. */
static bool lies_so(const struct conv2d_problem *p, struct walk walk, const void *const in[],
                    const void *const out[])
{
    const float *f_data = out[FORMAT_F], *k_data = out[FORMAT_K];
    const int32_t *ptr = out[FORMAT_PTR];
    float f[FORMAT_MOST], k[FORMAT_MOST];
    for (size_t i = 0; i < format_windows(p); i++) {
        const size_t count = (size_t)entries_of(p, walk, in, i, f, k),
                     at = i * (size_t)(p->r * p->s);
        if (ptr[i] != (count ? (int32_t)count : -1) ||
            memcmp(f_data + at, f, count * sizeof *f) != 0 ||
            (walk.places != BY_COLUMNS && memcmp(k_data + at, k, count * sizeof *k) != 0))
            return false;
    }
    return true;
}

/* Whether windows lie elsewhere than they should: where, to text. */
static bool say_walk(const struct conv2d_problem *p, const void *const in[],
                     const void *const out[], char *text, size_t size)
{
    const int steps[] = {p->stride, 1, p->stride + 1}, firsts[] = {-p->pad, 0, p->pad};
    for (int i = 1; i < 81; i++) {
        const struct walk walk = {steps[i % 3], steps[i / 3 % 3], firsts[i / 9 % 3], firsts[i / 27],
                                  BY_ROWS};
        if (!lies_so(p, walk, in, out))
            continue;
        const bool apart = walk.down != p->stride || walk.across != p->stride;
        const bool rows = apart ? walk.down != p->stride : walk.top != -p->pad;
        const bool columns = apart ? walk.across != p->stride : walk.left != -p->pad;
        const char *const along = rows && columns ? "" : rows ? " in rows" : " in columns";
        if (apart)
            snprintf(text, size, "equals windows that lie %d apart%s, should lie %d apart",
                     rows ? walk.down : walk.across, along, p->stride);
        else
            snprintf(text, size, "equals windows that begin at %d%s, should begin at %d: %s",
                     rows ? walk.top : walk.left, along, -p->pad,
                     walk.top > 0 || walk.left > 0
                         ? "the padding is added where it belongs subtracted"
                         : "the padding is left out");
        return true;
    }
    return false;
}

/* Whether every ptr is its window's count and `places` for each window before it, these places
 * alone, or counts of those before it. A window of none may be -1 all the same. */
static const char *offsets(const struct conv2d_problem *p, const void *const in[],
                           const int32_t *ptr)
{
    float f[FORMAT_MOST], k[FORMAT_MOST];
    const int32_t places = p->r * p->s;
    int32_t before = 0;
    bool in_all = true, twice = true, last = true, begins = true, starts = true, ends = true;
    for (size_t i = 0; i < format_windows(p); i++) {
        const int count = format_entries(p, in, i, f, k);
        const bool none = count == 0 && ptr[i] == -1;
        in_all &= none || ptr[i] == (int32_t)i * places + count;
        twice &= none || ptr[i] == 2 * count;
        last &= ptr[i] == count - 1;
        begins &= none || ptr[i] == (int32_t)i * places;
        starts &= none || ptr[i] == before;
        before += count;
        ends &= none || ptr[i] == before;
    }
    return in_all  ? "equals window R S + count: ptr holds each window's count alone, not where it "
                     "ends in f_data"
           : twice ? "equals twice each window's count: a value and its weight are one entry, "
                     "counted once"
           : last  ? "equals each window's count less 1: ptr is how many values it has, not the "
                     "number of the last one"
           : begins ? "equals window R S, where a window's places begin in f_data: ptr holds how "
                      "many of them have a value"
           : ends   ? "equals the sum of the counts up to each window: ptr is no row pointer as in "
                      "CSR, it holds each window's count alone"
           : starts
               ? "equals the sum of the counts before each window: ptr is no row pointer as in "
                 "CSR, it holds each window's count alone"
               : NULL;
}

/* Whether all that cannot be a count is the same number, which is what was there. */
static bool untouched(const struct conv2d_problem *p, const int32_t *ptr, double first)
{
    for (size_t i = 0; i < format_windows(p); i++)
        if ((ptr[i] < -1 || ptr[i] > p->r * p->s) && ptr[i] != (int32_t)first)
            return false;
    return true;
}

/* Whether the windows whose ptr nobody wrote are just those without a value. */
static bool empty_untouched(const struct conv2d_problem *p, const void *const in[],
                            const int32_t *ptr)
{
    float f[FORMAT_MOST], k[FORMAT_MOST];
    for (size_t i = 0; i < format_windows(p); i++) {
        const int count = format_entries(p, in, i, f, k);
        if (count ? ptr[i] != count : ptr[i] >= -1 && ptr[i] <= p->r * p->s)
            return false;
    }
    return true;
}

/* Whether entries lie window beside window: entry e of window i at e P Q + i. */
static bool by_entries(const struct conv2d_problem *p, const void *const in[], const float *data)
{
    const size_t windows = format_windows(p);
    float f[FORMAT_MOST], k[FORMAT_MOST];
    for (size_t i = 0; i < windows; i++) {
        const int count = format_entries(p, in, i, f, k);
        for (int e = 0; e < count; e++)
            if (data[(size_t)e * windows + i] != f[e])
                return false;
    }
    return windows > 1;
}

/* What makes ptr wrong, m->got being its first wrong one. */
static const char *ptr_hint(const struct conv2d_problem *p, const void *const in[],
                            const int32_t *ptr, const struct hpc_mismatch *m)
{
    const int places = p->r * p->s;
    const bool possible = m->got >= -1 && m->got <= places;
    const char *text = offsets(p, in, ptr);
    if (text)
        return text;
    if (!possible && m->want == -1 && empty_untouched(p, in, ptr))
        return "equals the format, but that ptr was not written where a window is without any "
               "value: it is -1 there";
    if (!possible && untouched(p, ptr, m->got))
        return m->wrong == format_windows(p)
                   ? "ptr was not written: was a kernel launched?"
                   : "ptr was not written: does the grid cover all windows?";
    if (m->want == -1 && m->got == 0)
        return "a window without any value gets -1";
    text = format_counts_hint(p, in, ptr, m->got);
    if (text)
        return text;
    return "ptr is how many of a window's R S places are not zero, those outside of the map being "
           "zero";
}

/* Whether f_data is right in all windows, so that weights alone are not. */
static bool values_right(const struct conv2d_problem *p, const void *const in[], const float *data)
{
    float f[FORMAT_MOST], k[FORMAT_MOST];
    for (size_t i = 0; i < format_windows(p); i++) {
        const int count = format_entries(p, in, i, f, k);
        const float *own = data + i * (size_t)p->r * (size_t)p->s;
        if (memcmp(own, f, (size_t)count * sizeof *f) != 0)
            return false;
    }
    return true;
}

void format_hint(const struct conv2d_problem *p, const void *const in[], const void *const out[],
                 struct hpc_mismatch *m)
{
    struct walk columns = right_walk(p), transposed = columns;
    const char *text = "";
    columns.places = BY_COLUMNS;
    transposed.places = TRANSPOSED;
    if (say_walk(p, in, out, m->hint, sizeof m->hint))
        return;
    if (m->array == FORMAT_PTR)
        text = ptr_hint(p, in, out[FORMAT_PTR], m);
    else if (lies_so(p, columns, in, out))
        text = "equals places numbered down the columns: place r S + s is (r, s), row by row";
    else if (lies_so(p, transposed, in, out))
        text = "equals the filter read transposed, w[j R + i] for w[i S + j]";
    else if (m->array == FORMAT_K && values_right(p, in, out[FORMAT_F]))
        text = "k_data[count] is the weight of the place that f_data[count] came from";
    else if (m->array == FORMAT_F && by_entries(p, in, out[FORMAT_F]))
        text = "equals f_data by entries, entry e of window i at e P Q + i: a window's entries "
               "stand together, entry e of window i at i R S + e";
    else if (m->array == FORMAT_F)
        text = "values stand without gaps, in the order of the window's rows";
    snprintf(m->hint, sizeof m->hint, "%s", text);
}
