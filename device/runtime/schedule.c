/* Schedules: other orders of threads and blocks, and what is copied to the host under each, so that
 * `hpclab cuda --schedules` can compare. Read from the environment once:
 *
 *   HPC_DEVICE_ORDER   forward, reverse or random:SEED; not in run mode
 *   HPC_DEVICE_COPIES  a file that gets, for each copy to the host, a line `BYTES STORED HASH
 *                      FILE:LINE` and STORED bytes behind it; with it, memory that nobody wrote is
 *                      filled with bytes that are NaN in every floating-point type */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/runtime/runtime.h"
#include "device/runtime/symbols.h"

#define MOST_STORED ((size_t)256 << 20) /* bytes a run; what is beyond is known by its hash */

enum order { FORWARD, REVERSE, RANDOM };

static struct {
    enum order order;
    uint64_t seed;
    FILE *copies;
    size_t stored;
} settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void read_settings(void)
{
    const char *order = getenv("HPC_DEVICE_ORDER"), *copies = getenv("HPC_DEVICE_COPIES");
    if (order && strcmp(order, "reverse") == 0)
        settings.order = REVERSE;
    if (order && strncmp(order, "random:", 7) == 0) {
        settings.order = RANDOM;
        settings.seed = strtoull(order + 7, NULL, 10);
    }
    if (copies && *copies)
        settings.copies = fopen(copies, "we");
}

/* splitmix64: a well-mixed number for each value of *state. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint64_t dev_schedule_block(uint64_t position, uint64_t total, uint64_t launch)
{
    pthread_once(&once, read_settings);
    if (settings.order == FORWARD)
        return position;
    if (settings.order == REVERSE)
        return total - 1 - position;
    /* position * step + first, modulo total: every block once. */
    uint64_t state = settings.seed * 0x2545f4914f6cdd1du + launch;
    uint64_t first = next_random(&state) % total, step = next_random(&state) % total;
    while (common_divisor(step, total) != 1)
        step++;
    return (uint64_t)(((unsigned __int128)position * step + first) % total);
}

bool dev_schedule_threads(uint16_t *order, unsigned threads, uint64_t block, uint64_t launch)
{
    pthread_once(&once, read_settings);
    if (settings.order == FORWARD)
        return false;
    for (unsigned k = 0; k < threads; k++)
        order[k] = (uint16_t)(threads - 1 - k);
    uint64_t state = settings.seed * 0x9e3779b97f4a7c15u + launch * 0x2545f4914f6cdd1du + block;
    for (unsigned k = threads; settings.order == RANDOM && k > 1; k--) {
        unsigned other = (unsigned)(next_random(&state) % k);
        uint16_t swap = order[k - 1];
        order[k - 1] = order[other];
        order[other] = swap;
    }
    return true;
}

void dev_schedule_fill(void *p, size_t bytes)
{
    pthread_once(&once, read_settings);
    if (settings.copies)
        memset(p, 0xff, bytes);
}

static uint64_t hash_of(const char *rows, size_t pitch, size_t width, size_t height)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            h = (h ^ (unsigned char)rows[y * pitch + x]) * 0x100000001b3u;
    return h;
}

void dev_schedule_copied(const void *rows, size_t pitch, size_t width, size_t height,
                         struct dev_site site)
{
    pthread_once(&once, read_settings);
    if (!settings.copies)
        return;
    size_t bytes = width * height;
    pthread_mutex_lock(&lock);
    bool store = settings.stored <= MOST_STORED && bytes <= MOST_STORED - settings.stored;
    fprintf(settings.copies, "%zu %zu %016" PRIx64 " %s:%d\n", bytes, store ? bytes : 0,
            hash_of(rows, pitch, width, height), site.file, site.line);
    for (size_t y = 0; store && y < height; y++)
        fwrite((const char *)rows + y * pitch, 1, width, settings.copies);
    fflush(settings.copies);
    settings.stored += store ? bytes : 0;
    pthread_mutex_unlock(&lock);
}
