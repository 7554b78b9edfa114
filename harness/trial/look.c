#include "harness/trial/look.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "common/text.h"
#include "conv2d/featuremaps/npy.h"
#include "conv2d/half.h"
#include "harness/trial/map.h"

/* What outputs should be, and how far they may be off. */
struct wanted {
    struct hpc_layout layout;
    double *want[HPC_MAX_ARRAYS], *bound[HPC_MAX_ARRAYS];
};

static struct wanted wanted_find(const struct look *l)
{
    struct wanted w = {.layout = {.n_in = 0}};
    l->op->layout(l->problem, &w.layout);
    for (int k = 0; k < w.layout.n_out; k++) {
        const size_t bytes = hpc_mul(w.layout.out[k].count, sizeof(double));
        w.want[k] = hpc_malloc(bytes + 1);
        w.bound[k] = hpc_malloc(bytes + 1);
    }
    l->op->expected(l->problem, l->in, w.want, w.bound);
    return w;
}

static void wanted_free(struct wanted *w)
{
    for (int k = 0; k < HPC_MAX_ARRAYS; k++) {
        free(w->want[k]);
        free(w->bound[k]);
    }
}

static double element(const void *array, enum hpc_type type, size_t i)
{
    switch (type) {
    case HPC_F64:
        return ((const double *)array)[i];
    case HPC_I32:
        return ((const int32_t *)array)[i];
    case HPC_F16:
        return (double)half_to_float(((const uint16_t *)array)[i]);
    default:
        return (double)((const float *)array)[i];
    }
}

static bool is_wrong(double got, double want, double bound)
{
    return !(fabs(got - want) <= bound) && !isinf(bound);
}

static bool dump_csv(const struct look *l, const struct wanted *w, const char *path,
                     struct hpc_error *err)
{
    FILE *f = fopen(path, "we");
    if (!f)
        return hpc_fail_env(err, "%s: %s; expected a file that can be written", path,
                            strerror(errno));
    fprintf(f, "array,index,value,wanted,bound,wrong\n");
    for (int k = 0; k < w->layout.n_in; k++)
        for (size_t i = 0; i < w->layout.in[k].count; i++)
            fprintf(f, "%s,%zu,%.17g,,,\n", w->layout.in[k].name, i,
                    element(l->in[k], w->layout.in[k].type, i));
    for (int k = 0; k < w->layout.n_out; k++)
        for (size_t i = 0; i < w->layout.out[k].count; i++) {
            const double got = element(l->out[k], w->layout.out[k].type, i);
            fprintf(f, "%s,%zu,%.17g,%.17g,%.3g,%s\n", w->layout.out[k].name, i, got, w->want[k][i],
                    w->bound[k][i], is_wrong(got, w->want[k][i], w->bound[k][i]) ? "yes" : "no");
        }
    const bool bad = ferror(f) != 0;
    return (fclose(f) == 0 && !bad) || hpc_fail_env(err, "%s: no room for it", path);
}

/* PATH without its ending, with _NAME and what else there is to say of an array. */
static bool dump_array(const char *path, const struct hpc_array *a, const char *more,
                       enum hpc_type type, const void *values, struct hpc_error *err)
{
    int n = 0;
    size_t shape[HPC_DIMENSIONS] = {a->count};
    while (n < HPC_DIMENSIONS && a->shape[n]) {
        shape[n] = a->shape[n];
        n++;
    }
    char *name =
        hpc_printf("%.*s_%s%s.npy", (int)(strlen(path) - strlen(".npy")), path, a->name, more);
    const bool good = npy_write(name, n ? n : 1, shape, type, values, err);
    free(name);
    return good;
}

static bool dump_npy(const struct look *l, const struct wanted *w, const char *path,
                     struct hpc_error *err)
{
    bool good = true;
    for (int k = 0; k < w->layout.n_in && good; k++)
        good = dump_array(path, &w->layout.in[k], "", w->layout.in[k].type, l->in[k], err);
    for (int k = 0; k < w->layout.n_out && good; k++)
        good = dump_array(path, &w->layout.out[k], "", w->layout.out[k].type, l->out[k], err) &&
               dump_array(path, &w->layout.out[k], "_wanted", HPC_F64, w->want[k], err);
    return good;
}

static bool ends(const char *path, const char *with)
{
    const char *ending = strrchr(path, '.');
    return ending && strcmp(ending, with) == 0;
}

bool look_can_dump(const char *path)
{
    return ends(path, ".npy") || ends(path, ".csv");
}

bool look_dump(const struct look *l, const char *path, struct hpc_error *err)
{
    const bool npy = ends(path, ".npy");
    struct wanted w = wanted_find(l);
    const bool good = npy ? dump_npy(l, &w, path, err) : dump_csv(l, &w, path, err);
    wanted_free(&w);
    return good;
}

/* What is right of output k, a mark for each element; the caller's. */
static char *states(const struct look *l, const struct wanted *w, int k)
{
    const struct hpc_array *a = &w->layout.out[k];
    char *state = hpc_malloc(a->count + 1);
    for (size_t i = 0; i < a->count; i++) {
        const double got = element(l->out[k], a->type, i);
        state[i] = !is_wrong(got, w->want[k][i], w->bound[k][i]) ? MAP_RIGHT
                   : isnan(got)                                  ? MAP_BLANK
                                                                 : MAP_WRONG;
    }
    state[a->count] = '\0';
    return state;
}

/* A line for each element. */
static void add_rows(const struct look *l, const struct wanted *w, int k, struct text *t)
{
    const struct hpc_array *a = &w->layout.out[k];
    for (size_t i = 0; i < a->count; i++) {
        const double got = element(l->out[k], a->type, i), want = w->want[k][i];
        struct text place = {0};
        text_add(&place, "%s", a->name);
        map_place(&place, a, i);
        text_add(t, "  %-20s %15.9g  wanted %15.9g%s\n", text_string(&place), got, want,
                 is_wrong(got, want, w->bound[k][i]) ? "  wrong" : "");
        text_free(&place);
    }
}

static void add_output(const struct look *l, const struct wanted *w, int k, size_t most_rows,
                       size_t most_lines, struct text *t)
{
    if (w->layout.out[k].count <= most_rows) {
        add_rows(l, w, k, t);
        return;
    }
    char *state = states(l, w, k);
    map_add(t, &w->layout.out[k], state, most_lines);
    free(state);
}

char *look_table(const struct look *l)
{
    struct text t = {0};
    struct wanted w = wanted_find(l);
    for (int k = 0; k < w.layout.n_out; k++)
        add_output(l, &w, k, LOOK_ROWS, MAP_LINES, &t);
    wanted_free(&w);
    text_add(&t, "%s", "");
    return text_take(&t);
}

char *look_picture(const struct look *l)
{
    struct text t = {0};
    struct wanted w = wanted_find(l);
    for (int k = 0; k < w.layout.n_out && t.length == 0; k++) {
        char *state = states(l, &w, k);
        if (strpbrk(state, MAP_WRONGS))
            add_output(l, &w, k, PICTURE_ROWS, PICTURE_LINES, &t);
        free(state);
    }
    wanted_free(&w);
    text_add(&t, "%s", "");
    return text_take(&t);
}

bool look_whole(const struct look *l, int k)
{
    struct hpc_layout layout = {.n_in = 0};
    l->op->layout(l->problem, &layout);
    const struct hpc_array *a = &layout.out[k];
    bool some = false;
    for (size_t i = 0; i < a->count; i++) {
        const double v = element(l->out[k], a->type, i);
        if (v != trunc(v) || isinf(v))
            return false;
        some |= v != 0;
    }
    return some && a->type != HPC_I32;
}

bool look_goes_on(const struct look *l, void *const kept[], char *text, size_t size)
{
    struct hpc_layout layout;
    l->op->layout(l->problem, &layout);
    for (int i = 0; i < layout.n_in * layout.n_out; i++) {
        const int k = i / layout.n_out, j = i % layout.n_out;
        const struct hpc_array *in = &layout.in[k], *out = &layout.out[j];
        const void *other[HPC_MAX_ARRAYS];
        struct hpc_mismatch m = {.plain = true};
        bool admitted = true;
        if (!kept[j] || in->count != out->count || in->type != out->type || in->fixed)
            continue;
        memcpy(other, l->in, (size_t)layout.n_in * sizeof *other);
        other[k] = kept[j];
        if (l->op->check(l->problem, other, l->out, &admitted, &m) && admitted)
            return text_fit(text, size,
                            "equals a call that begins with the %s of the call before, not with "
                            "its own %s: something is kept from one call to the next",
                            out->name, in->name);
    }
    return false;
}
