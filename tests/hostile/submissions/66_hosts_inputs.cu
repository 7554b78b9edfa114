/* family 66: a loop on the host finds the inputs beside those that stay on the host, and gives the
 * answers to a kernel, as its arguments
 * task counted
 * full
 * grade: crash; points <= 0; reason: Segmentation fault
 * without unseen_inputs: pass; points >= 2.5 */
#include "conv1d/attack.h"
#define PART 512

struct part {
    float y[PART];
};

struct found {
    struct conv1d_problem p;
    const float *x, *w;
    float *y;
};

__global__ void give_kernel(const float *x, const float *w, float *y, int n, int radius, int from,
                            struct part part)
{
    const int i = from + threadIdx.x;
    float seen = 0;
    for (int j = 0; from == 0 && threadIdx.x == 0 && j <= 2 * radius; j++)
        seen += w[j];
    if (i < n)
        y[i] = x[i] + seen < -1e30f ? 0 : part.y[threadIdx.x];
}

/* An array has a page before it and one or more behind it, and then comes one more. */
static int open_found(const struct hpc_env *env, const void *problem, void **state)
{
    struct found *f = (struct found *)malloc(sizeof *f);
    if (!f)
        return 1;
    *state = f;
    f->p = *(const struct conv1d_problem *)problem;
    f->w = (const float *)env->fixed[CONV1D_W];
    const size_t bytes = f->p.n * sizeof(float), page = 4096;
    f->x = f->w - (3 * page + (bytes + page - 1) / page * page) / sizeof(float);
    f->y = (float *)malloc((f->p.n + PART) * sizeof(float));
    return f->y == NULL;
}

static int run_found(void *state, const void *const in[], void *const out[])
{
    struct found *f = (struct found *)state;
    const int n = (int)f->p.n;
    answer(&f->p, f->x, f->w, f->y);
    for (int from = 0; from < n; from += PART) {
        struct part part;
        for (int i = 0; i < PART; i++)
            part.y[i] = f->y[from + i];
        give_kernel<<<1, PART>>>((const float *)in[CONV1D_X], (const float *)in[CONV1D_W],
                                 (float *)out[CONV1D_Y], n, f->p.radius, from, part);
    }
    return cudaGetLastError() != cudaSuccess;
}

static void close_found(void *state)
{
    free(((struct found *)state)->y);
    free(state);
}

EXPORTED const struct hpc_variant hpc_variant = {HPC_ABI,    "conv1d",  "found",
                                                 open_found, run_found, close_found};
