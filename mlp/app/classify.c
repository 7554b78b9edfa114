/* The app's own forward pass in double, whatever variant has trained; and what it says of a net:
 * training error, confusion matrix, precision, recall, F1. */
#include "mlp/app/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"

#define MATRIX_CLASSES 20 /* at most, in a printed confusion matrix */

const double *forward(const struct mlp_problem *p, const double *w, const double *x, double *units)
{
    double *o = units;
    memcpy(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l < p->n_layers; l++) {
        int n_in = p->size[l - 1], n_out = p->size[l];
        double *z = o + n_in;
        for (int k = 0; k < n_out; k++) {
            z[k] = w[k];
            for (int i = 0; i < n_in; i++)
                z[k] += o[i] * w[(size_t)(i + 1) * (size_t)n_out + (size_t)k];
        }
        mlp_activate(p->activation[l], n_out, z);
        w += mlp_matrix(p, l - 1);
        o = z;
    }
    return o;
}

static double *units_of(const struct mlp_problem *p)
{
    return hpc_malloc((size_t)mlp_unit(p, p->n_layers) * sizeof(double));
}

double training_error(const struct mlp_problem *p, const double *w, const struct dataset *d,
                      const double *y)
{
    int n_out = p->size[p->n_layers - 1];
    double *units = units_of(p), sum = 0;
    for (int i = 0; i < d->rows; i++) {
        const double *o = forward(p, w, d->x + (size_t)i * (size_t)d->inputs, units);
        const double *want = y + (size_t)i * (size_t)n_out;
        for (int k = 0; k < n_out; k++)
            sum += 0.5 * (want[k] - o[k]) * (want[k] - o[k]);
    }
    free(units);
    return sum / d->rows;
}

int classify(const struct model *m, const struct dataset *d, int *predicted, double *outputs)
{
    int n_out = m->p.size[m->p.n_layers - 1], right = 0;
    double *units = units_of(&m->p);
    for (int i = 0; i < d->rows; i++) {
        const double *o = forward(&m->p, m->w, d->x + (size_t)i * (size_t)d->inputs, units);
        int best = n_out == 1 ? o[0] >= 0.5 : 0;
        for (int k = 1; k < n_out; k++)
            if (o[k] > o[best])
                best = k;
        predicted[i] = best;
        right += best == d->label[i];
        if (outputs)
            memcpy(outputs + (size_t)i * (size_t)n_out, o, (size_t)n_out * sizeof *o);
    }
    free(units);
    return right;
}

/* count[actual * classes + predicted] */
static void print_matrix(int classes, const int *count)
{
    printf("Confusion matrix\n----------------\n");
    if (classes > MATRIX_CLASSES) {
        printf("(%d classes: too many to print)\n\n", classes);
        return;
    }
    if (classes == 2) {
        printf("                |predicted 0          predicted 1\n");
        for (int a = 0; a < 2; a++)
            printf("Actual %d        |%-20d %d\n", a, count[2 * a], count[2 * a + 1]);
        printf("\n");
        return;
    }
    printf("          |predicted\n          |");
    for (int c = 0; c < classes; c++)
        printf("%6d", c);
    printf("\n");
    for (int a = 0; a < classes; a++) {
        printf("Actual %-3d|", a);
        for (int c = 0; c < classes; c++)
            printf("%6d", count[a * classes + c]);
        printf("\n");
    }
    printf("\n");
}

/* A ratio as a column of a table; "-" where there was nothing to divide by. */
static double print_ratio(int part, int whole)
{
    if (whole == 0) {
        printf("%11s", "-");
        return 0;
    }
    printf("%11.4f", (double)part / whole);
    return (double)part / whole;
}

/* A row per class, and the mean over the classes that the test rows have. */
static void print_classes(int classes, const int *count)
{
    double mean[3] = {0};
    int present = 0;
    printf("class    precision     recall         F1      rows\n");
    for (int c = 0; c < classes; c++) {
        int right = count[c * classes + c], actual = 0, predicted = 0;
        for (int k = 0; k < classes; k++) {
            actual += count[c * classes + k];
            predicted += count[k * classes + c];
        }
        printf("%-7d", c);
        double precision = print_ratio(right, predicted);
        double recall = print_ratio(right, actual);
        double f1 = print_ratio(2 * right, actual + predicted);
        printf("%10d\n", actual);
        if (actual > 0) {
            mean[0] += precision;
            mean[1] += recall;
            mean[2] += f1;
            present++;
        }
    }
    printf("%-7s%11.4f%11.4f%11.4f\n\n", "mean", mean[0] / present, mean[1] / present,
           mean[2] / present);
}

void print_metrics(const struct dataset *d, int classes, const int *predicted, bool quiet)
{
    int *count = hpc_calloc((size_t)classes * (size_t)classes, sizeof *count);
    int right = 0, most = 0;
    for (int i = 0; i < d->rows; i++) {
        count[d->label[i] * classes + predicted[i]]++;
        right += d->label[i] == predicted[i];
    }
    for (int c = 0; c < classes; c++) {
        int actual = 0;
        for (int k = 0; k < classes; k++)
            actual += count[c * classes + k];
        most = actual > most ? actual : most;
    }
    if (!quiet) {
        print_matrix(classes, count);
        print_classes(classes, count);
    }
    printf("Accuracy: %.2f%% (%d of %d)\n", 100.0 * right / d->rows, right, d->rows);
    if (!quiet)
        printf("The same answer for every row would reach %.2f%%.\n", 100.0 * most / d->rows);
    free(count);
}
