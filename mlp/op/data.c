#include "mlp/op/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/csv.h"
#include "common/root.h"
#include "common/size.h"

static const struct {
    const char *name, *file;
    int rows, columns, classes; /* the label is one column more, the last */
} known[] = {
    [MLP_BLOBS] = {"blobs", NULL, 0, 0, 0},
    [MLP_BREAST_CANCER] = {"breast_cancer", "data/breast_cancer.csv", 569, 30, 2},
    [MLP_DIGITS] = {"digits", "data/digits.csv", 1797, 64, 10},
};

/* The distance of a class's mean from 0, per column, in deviations of the noise. */
static const double blob_spread = 1.5;
static const double file_noise = 1e-3;

bool mlp_data_find(const char *name, enum mlp_data *data)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) {
            *data = (enum mlp_data)i;
            return true;
        }
    return false;
}

void mlp_data_shape(enum mlp_data data, int *rows, int *columns, int *classes)
{
    *rows = known[data].rows;
    *columns = known[data].columns;
    *classes = known[data].classes;
}

/* All of the file, of the shape that `known` says; csv_free by the caller. */
static bool read_file(enum mlp_data data, struct csv *csv, struct hpc_error *err)
{
    char *path = hpc_root_path(known[data].file);
    bool ok = csv_read(path, NULL, csv, err);
    if (ok && (csv->rows != known[data].rows || csv->columns != known[data].columns + 1)) {
        ok = hpc_fail(err, "%s: %d rows of %d columns, expected %d of %d", path, csv->rows,
                      csv->columns, known[data].rows, known[data].columns + 1);
        csv_free(csv);
    }
    for (int i = 0; ok && i < csv->rows; i++) {
        double label = csv->value[(size_t)(i + 1) * (size_t)csv->columns - 1];
        if (label >= 0 && label < known[data].classes && label == (int)label)
            continue;
        ok = hpc_fail(err, "%s:%d: label %g, expected 0 to %d", path, csv->first_line + i, label,
                      known[data].classes - 1);
        csv_free(csv);
    }
    free(path);
    return ok;
}

/* Every column c < columns of x [rows][width] to mean 0 and variance 1; a constant one to 0. */
static void standardise(size_t rows, size_t columns, size_t width, double *x)
{
    for (size_t c = 0; c < columns; c++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < rows; i++)
            sum += x[i * width + c];
        double mean = sum / (double)rows;
        for (size_t i = 0; i < rows; i++)
            squares += (x[i * width + c] - mean) * (x[i * width + c] - mean);
        double scale = squares > 0 ? 1 / sqrt(squares / (double)rows) : 0;
        for (size_t i = 0; i < rows; i++)
            x[i * width + c] = (x[i * width + c] - mean) * scale;
    }
}

/* The file's table, each column standardised but for the last, which is the labels: read once in a
 * process, as a lab has it in a dozen cases. NULL with an error. */
static const struct csv *table_of(enum mlp_data data, struct hpc_error *err)
{
    static struct csv tables[sizeof known / sizeof *known];
    struct csv *table = &tables[data];
    if (!table->value && read_file(data, table, err))
        standardise((size_t)table->rows, (size_t)known[data].columns, (size_t)table->columns,
                    table->value);
    return table->value ? table : NULL;
}

bool mlp_data_present(enum mlp_data data, struct hpc_error *err)
{
    return !known[data].file || table_of(data, err);
}

static void draw_file(enum mlp_data data, struct hpc_random *random, int samples, double *x,
                      int *label)
{
    struct hpc_error err;
    const struct csv *csv = table_of(data, &err);
    HPC_ASSERT(csv && samples <= csv->rows);
    size_t columns = (size_t)known[data].columns, width = (size_t)csv->columns;
    int *order = hpc_malloc((size_t)csv->rows * sizeof *order);
    hpc_random_permutation(random, order, csv->rows);
    for (int i = 0; i < samples; i++) {
        const double *row = csv->value + (size_t)order[i] * width;
        for (size_t c = 0; c < columns; c++)
            x[(size_t)i * columns + c] = row[c] + file_noise * hpc_random_normal(random);
        label[i] = (int)row[columns];
    }
    free(order);
}

static void draw_blobs(struct hpc_random *random, int samples, size_t columns, int classes,
                       double *x, int *label)
{
    double *mean = hpc_malloc(hpc_mul((size_t)classes, columns) * sizeof *mean);
    int *order = hpc_malloc(((size_t)samples + 1) * sizeof *order);
    for (size_t c = 0; c < columns; c++) {
        double centre = 0;
        for (int k = 0; k < classes; k++) {
            mean[(size_t)k * columns + c] = blob_spread * hpc_random_normal(random);
            centre += mean[(size_t)k * columns + c] / classes;
        }
        for (int k = 0; k < classes; k++)
            mean[(size_t)k * columns + c] -= centre;
    }
    double scale = 1 / sqrt(1 + blob_spread * blob_spread * (classes - 1) / classes);
    hpc_random_permutation(random, order, samples);
    for (int i = 0; i < samples; i++) {
        label[i] = order[i] % classes;
        const double *m = mean + (size_t)label[i] * columns;
        for (size_t c = 0; c < columns; c++)
            x[(size_t)i * columns + c] = scale * (m[c] + hpc_random_normal(random));
    }
    free(mean);
    free(order);
}

void mlp_data_draw(enum mlp_data data, struct hpc_random *random, int samples, int columns,
                   int classes, double *x, int *label)
{
    if (data == MLP_BLOBS) {
        draw_blobs(random, samples, (size_t)columns, classes, x, label);
        return;
    }
    HPC_ASSERT(columns == known[data].columns && classes == known[data].classes);
    draw_file(data, random, samples, x, label);
}
