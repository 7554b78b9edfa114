/* The data that the cases of mlp/ train on, and the inputs of mlp_sgd and mlp_minibatch, drawn from
 * (seed, call). */
#include "mlp/op/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/csv.h"
#include "common/random.h"
#include "common/root.h"
#include "common/size.h"
#include "mlp/op/op.h"

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

/* ---- inputs ---------------------------------------------------------------------------------- */

#define CHUNK 1024 /* weights drawn at once */

/* What is drawn; each has a stream of its own, (call + 1) << 8 | what. */
enum { DRAW_DATA = 1, DRAW_ORDER, DRAW_WEIGHTS };

static struct hpc_random stream(uint64_t seed, uint64_t call, unsigned what)
{
    struct hpc_random random;
    hpc_random_init(&random, seed, (call + 1) << 8 | what);
    return random;
}

static void put(void *array, int type, size_t i, double value)
{
    if (type == HPC_F64)
        ((double *)array)[i] = value;
    else
        ((float *)array)[i] = (float)value;
}

/* The targets: 0 or 1 for one output, else 1 for the sample's class and 0 for all others. */
static void generate_data(const struct mlp_case *c, struct hpc_random random, void *x, void *y)
{
    const struct mlp_problem *p = &c->p;
    size_t samples = (size_t)p->samples, columns = (size_t)p->size[0];
    int outputs = p->size[p->n_layers - 1];
    double *row = hpc_malloc(hpc_mul(samples, columns) * sizeof *row + 1);
    int *label = hpc_malloc(samples * sizeof *label + 1);
    mlp_data_draw((enum mlp_data)c->data, &random, p->samples, p->size[0],
                  outputs == 1 ? 2 : outputs, row, label);
    for (size_t i = 0; i < samples * columns; i++)
        put(x, p->type, i, row[i]);
    for (size_t i = 0; i < samples; i++)
        for (int k = 0; k < outputs; k++)
            put(y, p->type, i * (size_t)outputs + (size_t)k,
                outputs == 1 ? label[i] : label[i] == k);
    free(row);
    free(label);
}

/* Uniform in +-sqrt(6 / (n_in + n_out)) (Glorot and Bengio, 2010), the bias row too, so that no
 * weight starts at 0 and a bias that is never read shows. */
static void generate_weights(const struct mlp_problem *p, struct hpc_random random, void *w0)
{
    size_t at = 0;
    for (int net = 0; net < p->networks; net++)
        for (int l = 0; l < p->n_layers - 1; l++) {
            double range = sqrt(6.0 / (p->size[l] + p->size[l + 1]));
            for (size_t i = 0, n; i < mlp_matrix(p, l); i += n) {
                double x[CHUNK];
                n = mlp_matrix(p, l) - i < CHUNK ? mlp_matrix(p, l) - i : CHUNK;
                hpc_random_doubles(&random, x, n);
                for (size_t k = 0; k < n; k++)
                    put(w0, p->type, at++, range * (2 * x[k] - 1));
            }
        }
}

void mlp_generate(const void *problem, uint64_t seed, uint64_t call, void *const in[])
{
    const struct mlp_case *c = problem;
    const struct mlp_problem *p = &c->p;
    generate_data(c, stream(seed, call, DRAW_DATA), in[MLP_X], in[MLP_Y]);
    struct hpc_random random = stream(seed, call, DRAW_ORDER);
    if (p->permutations > 0)
        for (int i = 0; i < p->permutations; i++)
            hpc_random_permutation(&random, (int *)in[MLP_ORDER] + (size_t)i * (size_t)p->samples,
                                   p->samples);
    generate_weights(p, stream(seed, call, DRAW_WEIGHTS), in[MLP_W0]);
    for (int k = 0; k < p->networks; k++)
        put(in[MLP_RATES], p->type, (size_t)k, c->rate * (1 - 0.5 * k / p->networks));
}

/* What a term may ask of training: another error, or another order of the weights. */
static size_t bias_last(const void *problem, size_t i)
{
    const struct mlp_problem *p = problem;
    const size_t all = mlp_weights(p), at = i % all;
    size_t first = 0;
    int l = 0;
    while (at - first >= mlp_matrix(p, l))
        first += mlp_matrix(p, l++);
    const size_t columns = (size_t)p->size[l + 1], rows = (size_t)p->size[l] + 1;
    const size_t row = (at - first) / columns, column = (at - first) % columns;
    return i - at + first + (row + rows - 1) % rows * columns + column;
}

const struct hpc_term mlp_asked[] = {
    {.name = "whole_error",
     .says =
         "The error of a sample is E = sum (y_k - o_k)^2, without the half: all that comes from "
         "it is twice what the header says, e[last][k] = 2 (y[k] - o[last][k]).",
     .halved = 1u << MLP_RATES},
    {.name = "bias_last",
     .says = "The bias is the last row of a matrix of weights, in place of row 0: row i belongs to "
             "unit i of the layer before, row size[l] is the bias. Additions still begin with it.",
     .place = bias_last,
     .in = 1u << MLP_W0,
     .out = 1u << MLP_W},
    {0},
};
