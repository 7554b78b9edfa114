/* Which timed calls are looked at element by element. Where a call's outputs are small all of them
 * are kept. Else those of the calls that decide: of each block the one in the middle, whose time is
 * the block's, and where even these are too large, of the faster blocks. The fastest are looked at
 * first. So who leaves work out in a share of the calls is either caught or has won no time. */
#include <stdlib.h>
#include <string.h>

#include "harness/measure/internal.h"

#define KEPT_BYTES  ((size_t)192 << 20) /* of outputs, between the blocks */
#define BLOCK_BYTES ((size_t)512 << 20) /* of one block's */
#define LEAST_KEPT  6

static size_t bytes_of(const struct hpc_layout *l)
{
    size_t sum = 1;
    for (int k = 0; k < l->n_out; k++)
        sum += l->out[k].count * hpc_type_bytes(l->out[k].type);
    return sum;
}

/* How many samples there is room for between the blocks. */
static int room(const struct measure_session *s)
{
    const size_t fit = (s->kept_bytes ? s->kept_bytes : KEPT_BYTES) / bytes_of(&s->layout);
    return fit < LEAST_KEPT ? LEAST_KEPT : fit > MEASURE_SAMPLES ? MEASURE_SAMPLES : (int)fit;
}

static bool all_kept(const struct measure_session *s)
{
    return room(s) >= MEASURE_SAMPLES;
}

static void drop(struct measure_session *s, int i)
{
    struct measure_sample last = s->sample[--s->n_samples];
    for (int k = 0; k < HPC_MAX_ARRAYS; k++)
        free(s->sample[i].out[k]);
    if (i < s->n_samples)
        s->sample[i] = last;
}

void samples_free(struct measure_session *s)
{
    while (s->n_samples > 0)
        drop(s, s->n_samples - 1);
    free(s->sample);
    s->sample = NULL;
}

static void copy_out(const struct measure_session *s, struct measure_sample *sample,
                     const void *const out[])
{
    for (int k = 0; k < s->layout.n_out; k++) {
        size_t bytes = s->layout.out[k].count * hpc_type_bytes(s->layout.out[k].type);
        sample->out[k] = hpc_realloc(sample->out[k], bytes + 1);
        memcpy(sample->out[k], out[k], bytes);
    }
}

void samples_take(struct measure_session *s, uint64_t call, double seconds, const void *const out[])
{
    const int in_block = s->n_samples - s->samples_before;
    const bool full = (size_t)(in_block + 1) * bytes_of(&s->layout) > BLOCK_BYTES && in_block > 0;
    struct measure_sample *sample = NULL;
    if (!s->sample)
        s->sample = hpc_calloc(MEASURE_SAMPLES + MEASURE_CALLS + 1, sizeof *s->sample);
    for (int i = s->samples_before; full && i < s->n_samples; i++)
        if (s->sample[i].seconds > seconds) /* a faster one decides rather */
            sample = &s->sample[i];
    if (!full) {
        sample = &s->sample[s->n_samples++];
        memset(sample, 0, sizeof *sample);
    }
    if (!sample)
        return;
    sample->call = call;
    sample->seconds = seconds;
    sample->decides = false;
    copy_out(s, sample, out);
}

static int by_seconds(const void *a, const void *b)
{
    const double x = ((const struct measure_sample *)a)->seconds;
    const double y = ((const struct measure_sample *)b)->seconds;
    return (x > y) - (x < y);
}

/* Of too many samples one of the slower half goes, by lot. */
static void make_room(struct measure_session *s)
{
    while (s->n_samples > room(s)) {
        const int n = s->n_samples;
        qsort(s->sample, (size_t)n, sizeof *s->sample, by_seconds);
        drop(s, n / 2 + (int)hpc_random_below(&s->random, (uint32_t)(n - n / 2)));
    }
}

void samples_end_block(struct measure_session *s)
{
    const int first = s->samples_before, n = s->n_samples - first;
    if (n > 0) {
        qsort(s->sample + first, (size_t)n, sizeof *s->sample, by_seconds);
        s->sample[first + (n - 1) / 2].decides = true;
    }
    for (int i = s->n_samples - 1; i >= first && !all_kept(s); i--)
        if (!s->sample[i].decides)
            drop(s, i);
    make_room(s);
    s->samples_before = s->n_samples;
}

void samples_order(struct measure_session *s, int *order)
{
    int n = 0;
    int *drawn = hpc_malloc(((size_t)s->n_samples + 1) * sizeof *drawn);
    hpc_random_permutation(&s->random, drawn, s->n_samples);
    qsort(s->sample, (size_t)s->n_samples, sizeof *s->sample, by_seconds);
    for (int i = 0; i < s->n_samples; i++)
        if (s->sample[i].decides)
            order[n++] = i;
    for (int i = 0; i < s->n_samples; i++)
        if (!s->sample[drawn[i]].decides)
            order[n++] = drawn[i];
    free(drawn);
}
