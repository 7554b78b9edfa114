/* Arrays as a variant of conv2d/ is given them: on the device, or a copy of the host's. */
#ifndef HPC_TESTS_UNIT_CONV_GIVEN_H
#define HPC_TESTS_UNIT_CONV_GIVEN_H

#include "tests/unit/conv_case.h"

/* tests/unit/conv_memory.cu: the device's memory. */
void *conv_memory_put(const void *host, size_t bytes);
int conv_memory_get(void *host, const void *device, size_t bytes);
void conv_memory_free(void *device);

enum { GUARD = 64 };

/* One array as a variant is given it: on the device, or a copy of the host's. */
struct given {
    bool device;
    size_t bytes;
    void *p;
};

static struct given give(bool device, const void *host, size_t bytes)
{
    struct given g = {device, bytes, NULL};
    g.p = device ? conv_memory_put(host, bytes) : hpc_malloc(bytes);
    assert_non_null(g.p);
    if (!device)
        memcpy(g.p, host, bytes);
    return g;
}

/* Its contents into `host`, and it is gone. */
static void take(struct given *g, void *host)
{
    if (g->device) {
        assert_true(conv_memory_get(host, g->p, g->bytes));
        conv_memory_free(g->p);
    } else {
        memcpy(host, g->p, g->bytes);
        free(g->p);
    }
}

static void assert_untouched(struct given *g, const void *was)
{
    void *now = hpc_malloc(g->bytes);
    take(g, now);
    assert_memory_equal(now, was, g->bytes);
    free(now);
}

#endif
