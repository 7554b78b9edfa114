/* The program that `hpclab profile lab1` builds with mlp/variants/serial.c and takes apart: one
 * call of the variant on drawn data, then a normal end, so that gmon.out is written.
 *
 *   profile LAYERS ACTIVATIONS SAMPLES EPOCHS SEED      profile 4,4,5,5,1 5,4,3,2 1096 100 7
 *
 * ACTIVATIONS are numbers of enum mlp_activation, one for each layer but the input. Prints the
 * seconds of the call and, with -DMLP_SECTION_TIMERS, those of each section. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/random.h"
#include "mlp/mlp.h"
#include "mlp/section_timers.h"

/* Comma-separated numbers into values[]; returns how many. */
static int read_list(const char *text, int *values, int max)
{
    for (int n = 0; n < max; text++) {
        char *end;
        values[n++] = (int)strtol(text, &end, 10);
        text = end;
        if (*text != ',')
            return n;
    }
    return max;
}

/* Two Gaussian classes, one step apart, in drawn order; weights uniform in [-1/2, 1/2). */
static void draw(const struct mlp_problem *p, uint64_t seed, double *x, double *y, int *order,
                 double *w0)
{
    struct hpc_random r;
    hpc_random_init(&r, seed, 1);
    int n_x = p->size[0], n_y = p->size[p->n_layers - 1];
    for (int i = 0; i < p->samples; i++) {
        int class = (int)hpc_random_below(&r, 2);
        for (int k = 0; k < n_x; k++)
            x[i * n_x + k] = hpc_random_normal(&r) + class;
        for (int k = 0; k < n_y; k++)
            y[i * n_y + k] = k == 0 ? class : 1 - class;
    }
    for (int i = 0; i < p->permutations; i++)
        hpc_random_permutation(&r, order + i * p->samples, p->samples);
    for (size_t i = 0; i < mlp_weights(p); i++)
        w0[i] = hpc_random_double(&r) - 0.5;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int train(const struct mlp_problem *p, uint64_t seed)
{
    double *x = calloc((size_t)(p->samples * p->size[0]), sizeof *x);
    double *y = calloc((size_t)(p->samples * p->size[p->n_layers - 1]), sizeof *y);
    int32_t *order = calloc((size_t)(p->permutations * p->samples), sizeof *order);
    double *w0 = calloc(mlp_weights(p), sizeof *w0), *w = calloc(mlp_weights(p), sizeof *w);
    double rate = 0.01;
    struct hpc_env env = {.threads = 1, .simd = HPC_SIMD_NONE};
    void *state;
    if (!x || !y || !order || !w0 || !w || hpc_variant.open(&env, p, &state))
        return 1;
    draw(p, seed, x, y, order, w0);
    const void *const in[MLP_N_IN] = {x, y, order, w0, &rate};
    void *const out[MLP_N_OUT] = {w};
    double start = now();
    int status = hpc_variant.run(state, in, out);
    printf("seconds %.9g\n", now() - start);
#ifdef MLP_SECTION_TIMERS
    double seconds[MLP_SECTIONS];
    serial_sections(seconds);
    for (int s = 0; s < MLP_SECTIONS; s++)
        printf("section %d %.9g\n", s, seconds[s]);
#endif
    hpc_variant.close(state);
    free(x);
    free(y);
    free(order);
    free(w0);
    free(w);
    return status;
}

int main(int argc, char **argv)
{
    struct mlp_problem p = {
        .permutations = 8, .replicas = 1, .merge_every = 1, .networks = 1, .type = HPC_F64};
    if (argc != 6) {
        fprintf(stderr, "usage: profile LAYERS ACTIVATIONS SAMPLES EPOCHS SEED\n");
        return 2;
    }
    p.n_layers = read_list(argv[1], p.size, MLP_MAX_LAYERS);
    int n = read_list(argv[2], p.activation + 1, MLP_MAX_LAYERS - 1);
    p.samples = atoi(argv[3]);
    p.epochs = atoi(argv[4]);
    if (p.n_layers < 2 || n != p.n_layers - 1 || p.samples < 1 || p.epochs < 1) {
        fprintf(stderr, "profile: expected an activation for each layer but the first, samples and "
                        "epochs above 0\n");
        return 2;
    }
    return train(&p, strtoull(argv[5], NULL, 10));
}
