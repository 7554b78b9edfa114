/* The processor: one core, and all of them. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

extern "C" const struct hpc_variant hpc_variant_cpu, hpc_variant_cpu_simd;

static const double MOST_PRODUCTS = 4e9; /* of a call; larger problems are scaled */

float *host_buffer(int which, size_t bytes)
{
    static struct {
        float *data;
        size_t bytes;
    } kept[2];
    if (kept[which].bytes < bytes) {
        free(kept[which].data);
        kept[which].bytes = (bytes + 63) / 64 * 64;
        kept[which].data = (float *)aligned_alloc(64, kept[which].bytes);
        if (!kept[which].data) {
            fprintf(stderr, "conv1d: no memory for %zu bytes\n", bytes);
            exit(EXIT_FAILURE);
        }
        memset(kept[which].data, 0, kept[which].bytes);
    }
    return kept[which].data;
}

static timing time_variant(const struct hpc_variant *v, int64_t n, const signals *s, int threads)
{
    const size_t bytes = n * sizeof(float);
    const conv1d_problem p = {(uint64_t)n, (int32_t)s->host_mask.size() / 2, 0};
    const void *const fixed[] = {NULL, s->host_mask.data()};
    const struct hpc_env env = {threads, HPC_SIMD_NONE, fixed};
    float *x = host_buffer(0, bytes), *y = host_buffer(1, bytes);
    const void *const in[] = {x, s->host_mask.data()};
    void *const out[] = {y};
    void *state = NULL;
    timing t = {};
    CUDA(cudaMemcpy(x, s->x[0], bytes, cudaMemcpyDeviceToHost));
    if (v->open(&env, &p, &state) == 0) {
        const double begin = now();
        v->run(state, in, out); /* starts the threads, brings the memory */
        const double once = now() - begin;
        t.nodes = std::max(1, (int)(0.01 / once));
        for (int round = 0; round < (once > 0.5 ? 1 : 5); round++) {
            const double start = now();
            for (int i = 0; i < t.nodes; i++)
                v->run(state, in, out);
            t.seconds.push_back((now() - start) / t.nodes);
        }
        v->close(state);
    }
    return t;
}

void time_cpu(cell *c, const signals *s, const options &o)
{
    int64_t n = c->n;
    while ((double)n * c->taps > MOST_PRODUCTS)
        n /= 10;
    c->cpu["cpu"] = time_variant(&hpc_variant_cpu, n, s, 1);
    c->cpu["cpu_simd"] = time_variant(&hpc_variant_cpu_simd, c->n, s, o.cores);
    for (double &t : c->cpu["cpu"].seconds)
        t *= (double)c->n / (double)n;
    c->cpu["cpu"].scaled = n != c->n;
}
