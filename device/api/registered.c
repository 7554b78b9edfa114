/* Memory of the host's own that kernels may use, by cudaHostRegister. */
#include <pthread.h>
#include <stdlib.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"
#include "device/runtime/memory.h"
#include "device/runtime/mode.h"
#include "device/runtime/phase.h"

struct pages {
    const char *base;
    size_t bytes;
    struct pages *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pages *all;

/* Where the pages that hold p are told of, or the end. */
static struct pages **find(const void *p)
{
    struct pages **at = &all;
    while (*at && (size_t)((const char *)p - (*at)->base) >= (*at)->bytes)
        at = &(*at)->next;
    return at;
}

bool dev_is_registered(const void *p)
{
    pthread_mutex_lock(&lock);
    const bool found = *find(p) != NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

/* Pages of the host's own stay where they are. A variant's kernels may not use them: what they
 * bring from there, nobody sees. */
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    (void)flags;
    if (!p || !bytes)
        return dev_error(cudaErrorInvalidValue);
    struct pages *one = malloc(sizeof *one);
    if (!one)
        return dev_error(cudaErrorMemoryAllocation);
    pthread_mutex_lock(&lock);
    if (*find(p)) {
        pthread_mutex_unlock(&lock);
        free(one);
        return dev_error(cudaErrorHostMemoryAlreadyRegistered);
    }
    *one = (struct pages){p, bytes, all};
    all = one;
    pthread_mutex_unlock(&lock);
    if (!dev_phase_of_runner())
        MODE_CHECK(check_host_registered(p, bytes, true));
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *p)
{
    if (!p)
        return dev_error(cudaErrorInvalidValue);
    MODE_CHECK(check_device_waited());
    pthread_mutex_lock(&lock);
    struct pages **at = find(p), *one = *at;
    const bool there = one && one->base == p;
    if (there)
        *at = one->next;
    pthread_mutex_unlock(&lock);
    if (!there)
        return dev_error(cudaErrorHostMemoryNotRegistered);
    MODE_CHECK(check_host_registered(p, one->bytes, false));
    free(one);
    return cudaSuccess;
}
