#define _GNU_SOURCE
#include "common/random.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>

#include "common/error.h"

#define LANES 4

static inline void philox(uint64_t seed, uint64_t stream, uint64_t index, uint32_t out[4])
{
    uint32_t c0 = (uint32_t)index, c1 = (uint32_t)(index >> 32);
    uint32_t c2 = (uint32_t)stream, c3 = (uint32_t)(stream >> 32);
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0;
        uint64_t p1 = (uint64_t)0xCD9E8D57u * c2;
        uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        uint32_t n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

void hpc_philox(uint64_t seed, uint64_t stream, uint64_t index, uint32_t out[4])
{
    philox(seed, stream, index, out);
}

void hpc_random_init(struct hpc_random *r, uint64_t seed, uint64_t stream)
{
    *r = (struct hpc_random){.seed = seed, .stream = stream, .used = 4};
}

uint32_t hpc_random_u32(struct hpc_random *r)
{
    if (r->used == 4) {
        hpc_philox(r->seed, r->stream, r->index++, r->word);
        r->used = 0;
    }
    return r->word[r->used++];
}

uint64_t hpc_random_u64(struct hpc_random *r)
{
    uint64_t high = hpc_random_u32(r);
    return high << 32 | hpc_random_u32(r);
}

static inline double unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

double hpc_random_double(struct hpc_random *r)
{
    return unit(hpc_random_u64(r));
}

void hpc_random_doubles(struct hpc_random *r, double *x, size_t n)
{
    size_t i = 0;
    while (i < n && r->used < 4)
        x[i++] = hpc_random_double(r);
    /* Blocks do not depend on each other: several at once keep the multiplier busy. */
    for (; r->used == 4 && n - i >= 2 * LANES; i += 2 * LANES, r->index += LANES) {
        uint32_t word[LANES][4];
        for (int k = 0; k < LANES; k++)
            philox(r->seed, r->stream, r->index + (unsigned)k, word[k]);
        for (int k = 0; k < LANES; k++) {
            x[i + 2 * k] = unit((uint64_t)word[k][0] << 32 | word[k][1]);
            x[i + 2 * k + 1] = unit((uint64_t)word[k][2] << 32 | word[k][3]);
        }
    }
    while (i < n)
        x[i++] = hpc_random_double(r);
}

double hpc_random_normal(struct hpc_random *r)
{
    /* Box-Muller, one of the pair; 1 - u is in (0, 1], so the logarithm is finite. */
    double radius = sqrt(-2.0 * log(1.0 - hpc_random_double(r)));
    return radius * cos(6.283185307179586 * hpc_random_double(r));
}

uint32_t hpc_random_below(struct hpc_random *r, uint32_t n)
{
    HPC_ASSERT(n > 0);
    uint32_t reject = -n % n; /* 2^32 mod n */
    uint32_t x;
    do
        x = hpc_random_u32(r);
    while (x < reject);
    return x % n;
}

void hpc_random_permutation(struct hpc_random *r, int *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)hpc_random_below(r, (uint32_t)i + 1);
        int t = p[i];
        p[i] = p[j];
        p[j] = t;
    }
}

/* Mixes all bits of a word into all others: the finaliser of MurmurHash3, with a second key. */
static inline uint32_t mix(uint32_t v, uint32_t key)
{
    v ^= v >> 16;
    v *= 0x85ebca6bu;
    v ^= (v >> 13) ^ key;
    v *= 0xc2b2ae35u;
    return v ^ (v >> 16);
}

void hpc_random_chunk(uint64_t seed, uint64_t stream, uint64_t index,
                      uint32_t word[HPC_RANDOM_CHUNK])
{
    uint32_t key[4];
    hpc_philox(seed, stream, index, key);
    const uint32_t k0 = key[0], k1 = key[1];
    for (uint32_t i = 0; i < HPC_RANDOM_CHUNK; i++)
        word[i] = mix(i * 0x9e3779b9u + k0, k1);
}

uint64_t hpc_random_named(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    const char *end = name + strlen(name);
    while (*name && isspace((unsigned char)*name))
        name++;
    while (end > name && isspace((unsigned char)end[-1]))
        end--;
    for (; name < end; name++)
        hash = (hash ^ (uint64_t)tolower((unsigned char)*name)) * 0x100000001b3u;
    return hash;
}

uint64_t hpc_random_seed(void)
{
    uint64_t seed;
    HPC_ASSERT(getrandom(&seed, sizeof seed, 0) == (ssize_t)sizeof seed);
    return seed;
}
