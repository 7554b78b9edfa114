/* Loops unrolled by a switch that falls through, labels whose addresses are taken, and pointers
 * that walk. */

#include "mlp/minibatch_step.h"

/* c[0 .. n) += f * b[0 .. n), by jumps into the middle of eight. */
static void add(int n, float f, const float *b, float *c)
{
    int turns = (n + 7) / 8;
    if (n == 0)
        return;
    switch (n % 8) {
    case 0:
        do {
            *c++ += f * *b++;
            __attribute__((fallthrough));
        case 7:
            *c++ += f * *b++;
            __attribute__((fallthrough));
        case 6:
            *c++ += f * *b++;
            __attribute__((fallthrough));
        case 5:
            *c++ += f * *b++;
            __attribute__((fallthrough));
        case 4:
            *c++ += f * *b++;
            __attribute__((fallthrough));
        case 3:
            *c++ += f * *b++;
            __attribute__((fallthrough));
        case 2:
            *c++ += f * *b++;
            __attribute__((fallthrough));
        case 1:
            *c++ += f * *b++;
        } while (--turns > 0);
    }
}

/* The sum of n products, two a turn, by computed jumps. */
static float dot(int n, const float *a, const float *b)
{
    static const void *const where[] = {&&even, &&odd};
    float first = 0, second = 0;
    const float *const end = a + n;
    goto *where[n & 1];
odd:
    first += *a++ * *b++;
even:
    while (a < end) {
        first += a[0] * b[0];
        second += a[1] * b[1];
        a += 2, b += 2;
    }
    return first + second;
}

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    for (int i = 0; i < s.m; i++, c += s.n)
        for (int p = 0; p < s.k; p++)
            add(s.n, *a++, b + (size_t)p * s.n, c);
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    for (int i = 0; i < s.m; i++, d += s.n)
        for (int p = 0; p < s.k; p++)
            *e++ = dot(s.n, d, b + (size_t)p * s.n);
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    for (int i = 0; i < s.m; i++, d += s.n)
        for (int p = 0; p < s.k; p++)
            add(s.n, scale * *a++, d, b + (size_t)p * s.n);
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "unrolled", minibatch_open,
                                        run,     minibatch_close};
