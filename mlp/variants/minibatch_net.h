/* A net that is trained in panels (minibatch_panels.h), over the functions of a struct level: what
 * `minibatch` and `minibatch_amx` share. The including file defines _GNU_SOURCE.
 *
 * The bias is a row of the weights, and a unit that is always 1 stands before the others, so
 * forward and update need no code for it. W += scale O^T D is one product that adds to the weights.
 * Activations, deltas and the transposed copy of the deltas are done per block of a product, while
 * it is in the cache. Threads are handed blocks one by one; a product ends with a barrier. */
#ifndef HPC_MLP_MINIBATCH_NET_H
#define HPC_MLP_MINIBATCH_NET_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "mlp/variants/minibatch_panels.h"

/* All of it lies in `memory`; X_panel: floats from a panel of X to the next. */
struct net {
    const struct mlp_problem *p;
    const struct level *level;
    int threads, samples; /* samples: of the batch at hand */
    float *memory;
    void *scratch;
    size_t bytes;
    float *w[MLP_MAX_LAYERS], *o[MLP_MAX_LAYERS], *d[MLP_MAX_LAYERS], *turned[MLP_MAX_LAYERS];
    size_t o_panel[MLP_MAX_LAYERS], d_panel[MLP_MAX_LAYERS], turned_panel;
};

/* What is done to a block of a product when its last term is added. */
enum finish { FINISH_NOTHING, FINISH_ACTIVATE, FINISH_DELTA };

/* The result of a product belongs to layer l: z of `rows` units, or e. */
static inline void finish_block(const struct net *n, enum finish finish, int l, int row,
                                int row_end, int panel)
{
    const int units = row_end - row, activation = n->p->activation[l];
    float *o = n->o[l] + panel * n->o_panel[l] + (1 + row) * PANEL;
    float *d = n->d[l] + panel * n->d_panel[l] + row * PANEL;
    if (finish == FINISH_ACTIVATE)
        n->level->activate(activation, units, o);
    if (finish == FINISH_DELTA) {
        n->level->delta(activation, units, o, d);
        n->level->turn(units, least(PANEL, n->samples - panel * PANEL), d, PANEL,
                       n->turned[l] + row / PANEL * n->turned_panel + panel * PANEL * PANEL,
                       n->turned_panel);
    }
}

/* In a parallel region: blocks of the product, one by one. Ends with a barrier. */
static inline void multiply(const struct net *n, const struct product *q, enum finish finish, int l)
{
    if (n->level->prepare) {
#pragma omp for schedule(dynamic)
        for (int piece = 0; piece < n->level->pieces(q); piece++)
            n->level->prepare(q, n->scratch, piece);
    }
    const int blocks = (n->level->share ? n->level->share : 3) * n->threads;
    int rows = n->level->rows ? n->level->rows : 4 * PANEL;
    int columns = n->level->columns ? n->level->columns : 4 * PANEL, down, across;
    for (;;) {
        down = (q->rows + rows - 1) / rows;
        across = (q->columns + columns - 1) / columns;
        if (down * across >= blocks || rows + columns == 2 * PANEL)
            break;
        *(rows > columns ? &rows : &columns) /= 2;
    }
    rows = round_up((q->rows + down - 1) / down, PANEL); /* as even as panels allow */
    const int softmax = finish && n->p->activation[l] == MLP_SOFTMAX;
#pragma omp for schedule(dynamic)
    for (int block = 0; block < down * across; block++) {
        const int row = block % down * rows, row_end = least(row + rows, q->rows);
        const int column = block / down * columns, end = least(column + columns, q->columns);
        n->level->multiply(q, n->scratch, row, row_end, column, end);
        for (int j = column; finish && !softmax && j < end; j += PANEL)
            finish_block(n, finish, l, row, row_end, j / PANEL);
    }
    if (softmax) { /* needs all units of a sample */
#pragma omp for schedule(dynamic)
        for (int j = 0; j < q->columns; j += PANEL)
            finish_block(n, finish, l, 0, q->rows, j / PANEL);
    }
}

static inline void forward(const struct net *n, const float *x)
{
    const struct mlp_problem *p = n->p;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n->samples; i += PANEL)
        n->level->turn(least(PANEL, n->samples - i), p->size[0], x + (size_t)i * p->size[0],
                       (size_t)p->size[0], n->o[0] + i / PANEL * n->o_panel[0] + PANEL,
                       n->o_panel[0]);
    for (int l = 0; l < p->n_layers - 1; l++) {
        const struct product q = {.rows = p->size[l + 1],
                                  .columns = n->samples,
                                  .terms = p->size[l] + 1,
                                  .scale = 1,
                                  .a = n->w[l],
                                  .a_panel = n->o_panel[l],
                                  .b = n->o[l],
                                  .b_panel = n->o_panel[l],
                                  .c = n->o[l + 1] + PANEL,
                                  .c_panel = n->o_panel[l + 1]};
        multiply(n, &q, FINISH_ACTIVATE, l + 1);
    }
}

static inline void output_delta(const struct net *n, const float *y)
{
    const int last = n->p->n_layers - 1, units = n->p->size[last];
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n->samples; i += PANEL) {
        const float *o = n->o[last] + i / PANEL * n->o_panel[last] + PANEL;
        float *d = n->d[last] + i / PANEL * n->d_panel[last];
        n->level->turn(least(PANEL, n->samples - i), units, y + (size_t)i * units, (size_t)units, d,
                       n->d_panel[last]);
        for (int e = 0; e < units * PANEL; e++)
            d[e] -= o[e];
        finish_block(n, FINISH_DELTA, last, 0, units, i / PANEL);
    }
}

static inline void backward(const struct net *n, float scale)
{
    const struct mlp_problem *p = n->p;
    for (int l = p->n_layers - 1; l > 0; l--) {
        const size_t w_panel = n->o_panel[l - 1]; /* as many rows: 1 + units */
        const struct product errors = {.rows = p->size[l - 1],
                                       .columns = n->samples,
                                       .terms = p->size[l],
                                       .scale = 1,
                                       .a = n->w[l - 1] + PANEL,
                                       .a_panel = w_panel,
                                       .a_along = 1,
                                       .b = n->d[l],
                                       .b_panel = n->d_panel[l],
                                       .c = n->d[l - 1],
                                       .c_panel = n->d_panel[l - 1]};
        const struct product update = {.rows = p->size[l - 1] + 1,
                                       .columns = p->size[l],
                                       .terms = n->samples,
                                       .scale = scale,
                                       .add = 1,
                                       .a = n->o[l - 1],
                                       .a_panel = n->o_panel[l - 1],
                                       .a_along = 1,
                                       .b = n->turned[l],
                                       .b_panel = n->turned_panel,
                                       .c = n->w[l - 1],
                                       .c_panel = w_panel};
        if (l > 1) /* from the weights before their update */
            multiply(n, &errors, FINISH_DELTA, l - 1);
        multiply(n, &update, FINISH_NOTHING, 0);
    }
}

/* The weights of all layers from rows to panels, or back. */
static inline void move_weights(const struct net *n, float *rows, const float *from)
{
    const struct mlp_problem *p = n->p;
    for (int l = 0; l < p->n_layers - 1; l++) {
        const int units = p->size[l + 1];
#pragma omp for
        for (int r = 0; r <= p->size[l]; r++) {
            for (int j = 0; j < units; j += PANEL) {
                const size_t at = mlp_offset(p, l) + (size_t)r * units + j;
                const size_t count = (size_t)least(PANEL, units - j) * sizeof(float);
                float *panel = n->w[l] + j / PANEL * n->o_panel[l] + r * PANEL;
                if (from)
                    memcpy(panel, from + at, count);
                if (rows)
                    memcpy(rows + at, panel, count);
            }
        }
    }
}

static inline int run_net(void *state, const void *const in[], void *const out[])
{
    const struct net *shared = state;
    const struct mlp_problem *p = shared->p;
    const float *x = in[MLP_X], *y = in[MLP_Y], rate = *(const float *)in[MLP_RATES];
#pragma omp parallel num_threads(shared->threads)
    {
        struct net n = *shared;
        move_weights(&n, NULL, in[MLP_W0]);
        for (int e = 0; e < p->epochs; e++) {
            for (int first = 0; first < p->samples; first += n.samples) {
                n.samples = least(p->batch, p->samples - first);
                forward(&n, x + (size_t)first * p->size[0]);
                output_delta(&n, y + (size_t)first * p->size[p->n_layers - 1]);
                backward(&n, rate / (float)n.samples);
            }
        }
        move_weights(&n, out[MLP_W], NULL);
    }
    return 0;
}

static inline void close_net(void *state)
{
    struct net *n = state;
    if (n)
        free(n->memory);
    free(n);
}

/* Places of all matrices behind `memory`, or, where that is NULL, only how much they need. */
static inline void lay_out(struct net *n)
{
    const struct mlp_problem *p = n->p;
    const size_t batch = (size_t)round_up(least(p->batch, p->samples) + 1, PANEL);
    size_t used = 0;
    int most = 0; /* units of a layer */
    n->turned_panel = batch * PANEL;
    for (int l = 0; l < p->n_layers; l++) {
        const size_t panels = ((size_t)p->size[l] + PANEL - 1) / PANEL;
        most = p->size[l] > most ? p->size[l] : most;
        n->o_panel[l] = ((size_t)p->size[l] + 1) * PANEL;
        n->d_panel[l] = (size_t)p->size[l] * PANEL;
        const size_t counts[] = {batch / PANEL * n->o_panel[l], batch / PANEL * n->d_panel[l],
                                 panels * n->turned_panel, l ? panels * n->o_panel[l - 1] : 0};
        float **places[] = {&n->o[l], &n->d[l], &n->turned[l], l ? &n->w[l - 1] : NULL};
        for (int i = 0; i < 4; i++) {
            if (n->memory && places[i])
                *places[i] = n->memory + used;
            used += counts[i];
        }
    }
    if (n->memory)
        n->scratch = n->memory + used;
    n->bytes = used * sizeof(float);
    if (n->level->scratch)
        n->bytes += n->level->scratch(most + 1, (int)batch);
}

/* open() of a variant with the functions of `level`. */
static inline int open_net(const struct hpc_env *env, const struct level *level,
                           const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    const size_t huge = (size_t)2 << 20;
    if (p->n_layers < 2 || p->networks != 1 || p->type != HPC_F32 || p->batch < 1)
        return 1;
    struct net *n = calloc(1, sizeof *n);
    if (!n)
        return 1;
    n->p = p;
    n->threads = env->threads;
    n->level = level;
    lay_out(n);
    n->bytes = (n->bytes + huge - 1) / huge * huge;
    n->memory = aligned_alloc(huge, n->bytes);
    if (!n->memory) {
        close_net(n);
        return 1;
    }
#if defined(MADV_HUGEPAGE)
    madvise(n->memory, n->bytes, MADV_HUGEPAGE);
#endif
    memset(n->memory, 0, n->bytes);
    lay_out(n);
    for (int l = 0; l < p->n_layers; l++) /* the unit that is always 1 */
        for (int i = 0; i < round_up(least(p->batch, p->samples), PANEL); i++)
            n->o[l][i / PANEL * n->o_panel[l] + i % PANEL] = 1;
    *state = n;
    return 0;
}

#endif
