/* What a term asks in another form (common/op.h): on the way to the runner, and back. */
#include "harness/exchange/internal.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const struct hpc_array *a)
{
    return a->count * hpc_type_bytes(a->type);
}

static bool has(uint32_t bits, int k)
{
    return bits >> k & 1;
}

static int kind(const struct exchange *x, int k, bool out)
{
    return x->op->kind ? x->op->kind(x->problem, k, out) : k;
}

void term_open(struct exchange *x, const struct hpc_term *term)
{
    const struct hpc_layout *l = &x->memory.layout;
    x->term = term;
    for (int k = 0; k < l->n_in; k++)
        if (has(term->in | term->halved, kind(x, k, false)))
            x->term_in[k] = hpc_malloc(bytes_of(&l->in[k]) + 1);
    for (int k = 0; k < l->n_out; k++)
        if (has(term->out, kind(x, k, true)))
            x->term_out[k] = hpc_malloc(bytes_of(&l->out[k]) + 1);
}

void term_close(struct exchange *x)
{
    for (int k = 0; k < HPC_MAX_ARRAYS; k++) {
        free(x->term_in[k]);
        free(x->term_out[k]);
    }
}

static void halve(const struct hpc_array *a, void *values)
{
    double *doubles = values;
    float *floats = values;
    HPC_ASSERT(a->type == HPC_F64 || a->type == HPC_F32);
    for (size_t i = 0; i < a->count; i++) {
        if (a->type == HPC_F64)
            doubles[i] *= 0.5;
        else
            floats[i] *= 0.5f;
    }
}

void term_ask(struct exchange *x, uint32_t which)
{
    for (int k = 0; k < x->memory.layout.n_in; k++) {
        const struct hpc_array *a = &x->memory.layout.in[k];
        const size_t size = hpc_type_bytes(a->type);
        char *asked = x->memory.in_copy[k];
        if (!x->term_in[k] || !has(which, k))
            continue;
        memcpy(x->term_in[k], asked, bytes_of(a));
        for (size_t i = 0; has(x->term->in, kind(x, k, false)) && i < a->count; i++)
            memcpy(asked + size * x->term->place(x->problem, i), x->term_in[k] + size * i, size);
        if (has(x->term->halved, kind(x, k, false)))
            halve(a, asked);
    }
}

void term_answer(struct exchange *x, struct exchange_call *result)
{
    for (int k = 0; k < HPC_MAX_ARRAYS; k++) {
        const struct hpc_array *a = &x->memory.layout.out[k];
        const size_t size = hpc_type_bytes(a->type);
        const char *answer = result->out[k];
        if (x->term_in[k])
            result->in[k] = x->term_in[k];
        if (!x->term_out[k])
            continue;
        for (size_t i = 0; i < a->count; i++)
            memcpy(x->term_out[k] + size * i, answer + size * x->term->place(x->problem, i), size);
        result->out[k] = x->term_out[k];
    }
}
