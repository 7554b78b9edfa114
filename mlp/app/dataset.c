/* Reading rows and labels, keeping a part for the test, scaling by what the training part shows. */
#include "mlp/app/app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/csv.h"
#include "common/random.h"

static bool check_counts(const char *path, const struct csv *csv, int rows, int columns,
                         struct hpc_error *err)
{
    if (rows && rows != csv->rows)
        return hpc_fail(err, "%s: %d rows found, expected %d as the command line says", path,
                        csv->rows, rows);
    if (columns && columns != csv->columns)
        return hpc_fail(err, "%s: %d columns found, expected %d as the command line says", path,
                        csv->columns, columns);
    if (csv->columns < 2)
        return hpc_fail(err, "%s: 1 column found, expected at least 2: inputs and the label", path);
    return true;
}

bool dataset_read(const char *path, int rows, int columns, struct dataset *d, struct hpc_error *err)
{
    struct csv csv;
    *d = (struct dataset){.path = path};
    if (!csv_read(path, NULL, &csv, err))
        return false;
    bool ok = check_counts(path, &csv, rows, columns, err);
    size_t n = (size_t)csv.rows, width = (size_t)csv.columns;
    d->rows = csv.rows;
    d->inputs = csv.columns - 1;
    d->first_line = csv.first_line;
    d->x = hpc_malloc(n * width * sizeof *d->x);
    d->label = hpc_malloc(n * sizeof *d->label);
    d->row = hpc_malloc(n * sizeof *d->row);
    for (size_t i = 0; ok && i < n; i++) {
        double label = csv.value[i * width + width - 1];
        memcpy(d->x + i * (width - 1), csv.value + i * width, (width - 1) * sizeof *d->x);
        if (label < 0 || label >= APP_MAX_CLASSES || label != floor(label)) {
            ok = hpc_fail(err,
                          "%s, line %d, column %d: label %g found, expected a whole number "
                          "from 0 to %d",
                          path, csv.first_line + (int)i, csv.columns, label, APP_MAX_CLASSES - 1);
            break;
        }
        d->label[i] = (int)label;
        d->row[i] = (int)i;
        if (d->label[i] >= d->classes)
            d->classes = d->label[i] + 1;
    }
    csv_free(&csv);
    if (!ok)
        dataset_free(d);
    return ok;
}

/* Rows p[first .. last) of d. */
static struct dataset part(const struct dataset *d, const int *p, int first, int last)
{
    struct dataset out = *d;
    size_t n = (size_t)(last - first), width = (size_t)d->inputs;
    out.rows = last - first;
    out.x = hpc_malloc(n * width * sizeof *out.x);
    out.label = hpc_malloc(n * sizeof *out.label);
    out.row = hpc_malloc(n * sizeof *out.row);
    for (size_t i = 0; i < n; i++) {
        size_t from = (size_t)p[first + (int)i];
        memcpy(out.x + i * width, d->x + from * width, width * sizeof *out.x);
        out.label[i] = d->label[from];
        out.row[i] = d->row[from];
    }
    return out;
}

bool dataset_split(struct dataset *d, uint64_t seed, struct dataset *test, struct hpc_error *err)
{
    if (d->rows < 2)
        return hpc_fail(err, "%s: 1 row found, expected at least 2: one is kept for the test",
                        d->path);
    int *p = hpc_malloc((size_t)d->rows * sizeof *p);
    struct hpc_random r;
    hpc_random_init(&r, seed, APP_STREAM_SPLIT);
    hpc_random_permutation(&r, p, d->rows);
    int kept = d->rows / 4 > 0 ? d->rows / 4 : 1;
    *test = part(d, p, d->rows - kept, d->rows);
    struct dataset train = part(d, p, 0, d->rows - kept);
    free(p);
    dataset_free(d);
    *d = train;
    return true;
}

bool dataset_check_labels(const struct dataset *d, int outputs, struct hpc_error *err)
{
    int classes = outputs == 1 ? 2 : outputs;
    for (int i = 0; i < d->rows; i++)
        if (d->label[i] >= classes)
            return hpc_fail(err,
                            "%s, line %d, column %d: label %d found, expected 0 to %d in a net "
                            "with %d output%s",
                            d->path, d->first_line + d->row[i], d->inputs + 1, d->label[i],
                            classes - 1, outputs, outputs == 1 ? "" : "s");
    return true;
}

/* Mean and 1 / standard deviation of a column, or its least value and 1 / range. A column that
 * never changes is shifted to 0 and not stretched. */
static void fit_column(const struct dataset *d, int c, enum app_scale scale, double *shift,
                       double *factor)
{
    double mean = 0, square = 0, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < d->rows; i++) {
        double x = d->x[(size_t)i * (size_t)d->inputs + (size_t)c], change = x - mean;
        mean += change / (i + 1); /* Welford's sums */
        square += change * (x - mean);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    double width = scale == SCALE_STANDARD ? sqrt(square / d->rows) : high - low;
    *shift = scale == SCALE_STANDARD && high > low ? mean : low;
    *factor = high > low ? 1 / width : 1;
}

bool scaling_fit(const struct dataset *d, enum app_scale scale, struct scaling *s,
                 struct hpc_error *err)
{
    *s = (struct scaling){0};
    if (scale == SCALE_NONE)
        return true;
    s->inputs = d->inputs;
    s->shift = hpc_malloc((size_t)d->inputs * sizeof *s->shift);
    s->factor = hpc_malloc((size_t)d->inputs * sizeof *s->factor);
    for (int c = 0; c < d->inputs; c++) {
        fit_column(d, c, scale, &s->shift[c], &s->factor[c]);
        if (!isfinite(s->shift[c]) || !isfinite(s->factor[c]) || s->factor[c] == 0) {
            scaling_free(s);
            return hpc_fail(err,
                            "%s, column %d: cannot be scaled in double precision, expected "
                            "smaller or more varied numbers, or --scale none",
                            d->path, c + 1);
        }
    }
    return true;
}

void scaling_apply(const struct scaling *s, struct dataset *d)
{
    for (int i = 0; s->inputs > 0 && i < d->rows; i++)
        for (int c = 0; c < d->inputs; c++) {
            double *x = &d->x[(size_t)i * (size_t)d->inputs + (size_t)c];
            *x = (*x - s->shift[c]) * s->factor[c];
        }
}

double *dataset_targets(const struct dataset *d, int outputs)
{
    double *y = hpc_calloc((size_t)d->rows * (size_t)outputs, sizeof *y);
    for (int i = 0; i < d->rows; i++)
        if (outputs == 1)
            y[i] = d->label[i];
        else
            y[(size_t)i * (size_t)outputs + (size_t)d->label[i]] = 1;
    return y;
}

void dataset_free(struct dataset *d)
{
    free(d->x);
    free(d->label);
    free(d->row);
    *d = (struct dataset){0};
}

void scaling_free(struct scaling *s)
{
    free(s->shift);
    free(s->factor);
    *s = (struct scaling){0};
}
