/* What a trained net is worth, for the cheap checks: its error, and whether it can learn at all. */
#include <stdlib.h>

#include "common/size.h"
#include "mlp/activation.h"
#include "mlp/op/op.h"

#define CHUNK 16 /* samples that a column of weights serves while it is in the cache */

/* O[l] of `samples` rows, by O[l-1], whose rows are `in`. */
static void layer(const struct mlp_problem *p, const double *w, int l, int samples,
                  const double *in, double *out)
{
    const int n_in = p->size[l - 1], n = p->size[l];
    const double *matrix = w + mlp_offset(p, l - 1);
    for (int k = 0; k < n; k++)
        for (int s = 0; s < samples; s++) {
            double z = matrix[k];
            for (int i = 0; i < n_in; i++)
                z += in[(size_t)s * (size_t)n_in + (size_t)i] *
                     matrix[(size_t)(1 + i) * (size_t)n + (size_t)k];
            out[(size_t)s * (size_t)n + (size_t)k] = z;
        }
    for (int s = 0; s < samples; s++)
        mlp_activate(p->activation[l], n, out + (size_t)s * (size_t)n);
}

/* The sum of E over at most CHUNK samples; room: for their outputs in all layers. */
static double chunk_error(const struct mlp_problem *p, const double *w, int samples,
                          const double *x, const double *y, double *room)
{
    const double *in = x;
    double error = 0;
    for (int l = 1; l < p->n_layers; l++) {
        layer(p, w, l, samples, in, room);
        in = room;
        room += (size_t)samples * (size_t)p->size[l];
    }
    for (int i = 0; i < samples * p->size[p->n_layers - 1]; i++)
        error += 0.5 * (y[i] - in[i]) * (y[i] - in[i]);
    return error;
}

double mlp_error(const struct mlp_problem *p, const double *w, const double *x, const double *y)
{
    const size_t n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    double *room = hpc_malloc(hpc_mul(CHUNK, (size_t)mlp_unit(p, p->n_layers)) * sizeof *room);
    double error = 0;
    for (int s = 0; s < p->samples; s += CHUNK) {
        const int samples = p->samples - s < CHUNK ? p->samples - s : CHUNK;
        error += chunk_error(p, w, samples, x + (size_t)s * n_x, y + (size_t)s * n_y, room);
    }
    free(room);
    return p->samples > 0 ? error / p->samples : 0;
}

bool mlp_at_rest(const struct mlp_problem *p, const double *w, const double *x, const double *y)
{
    const size_t n = mlp_weights(p);
    double *g = hpc_calloc(n, sizeof *g);
    bool rest = true;
    for (size_t s = 0; rest && s < (size_t)p->samples; s++) {
        mlp_gradient(p, w, x + s * (size_t)p->size[0], y + s * (size_t)p->size[p->n_layers - 1], g);
        for (size_t i = 0; rest && i < n; i++)
            rest = g[i] == 0;
    }
    free(g);
    return rest;
}
