/* The samples that sgd.c trains on. */
#include <stdlib.h>
#include <string.h>

#include "benchmarks/mlp/sgd_bench.h"
#include "common/csv.h"
#include "common/random.h"
#include "common/size.h"

void sgd_draw(struct sgd_data *data, int samples, int columns, uint64_t seed)
{
    size_t n = hpc_mul((size_t)samples, (size_t)columns);
    int *label = hpc_malloc((size_t)samples * sizeof *label);
    struct hpc_random random;
    hpc_random_init(&random, seed, 'd');
    snprintf(data->source, sizeof data->source, "two drawn Gaussian classes");
    data->samples = samples;
    data->columns = columns;
    data->x = hpc_malloc(n * sizeof *data->x);
    data->y = hpc_malloc((size_t)samples * sizeof *data->y);
    mlp_data_draw(MLP_BLOBS, &random, samples, columns, 2, data->x, label);
    for (int i = 0; i < samples; i++)
        data->y[i] = label[i];
    free(label);
}

void sgd_load(struct sgd_data *data, uint64_t seed)
{
    const char *folder = getenv("HPC_SHARED_DATA");
    char *path = hpc_printf("%s/banknote_train.csv", folder ? folder : "../shared/data");
    struct csv csv;
    struct hpc_error err;
    if (!csv_read(path, NULL, &csv, &err) || csv.columns != 5) {
        fprintf(stderr, "no banknote data (%s): drawn data instead\n", err.text);
        sgd_draw(data, 1096, 4, seed);
        free(path);
        return;
    }
    snprintf(data->source, sizeof data->source, "banknote_train.csv");
    data->samples = csv.rows;
    data->columns = 4;
    data->x = hpc_malloc((size_t)csv.rows * 4 * sizeof *data->x);
    data->y = hpc_malloc((size_t)csv.rows * sizeof *data->y);
    for (int i = 0; i < csv.rows; i++) {
        memcpy(data->x + (size_t)i * 4, csv.value + (size_t)i * 5, 4 * sizeof *data->x);
        data->y[i] = csv.value[(size_t)i * 5 + 4];
    }
    csv_free(&csv);
    free(path);
}
