/* What runner/openmp.c and runner/gomp.c share: clang's own entries, and gcc's task. */
#ifndef HPC_RUNNER_GOMP_H
#define HPC_RUNNER_GOMP_H

#include <stdbool.h>

/* Where in a source clang's library is called from: nowhere that it has to name. */
struct kmpc_place {
    int reserved[4];
    const char *source;
};
#define KMPC_PLACE                                                                                 \
    {                                                                                              \
        {0, 2, 0, 0}, ";unknown;unknown;0;0;;"                                                     \
    }
int __kmpc_global_thread_num(struct kmpc_place *at) __attribute__((weak));

/* A call of GOMP_task(). */
struct gomp_task {
    void (*run)(void *);
    void *data;
    void (*copy)(void *, void *);
    long bytes, align;
    bool deferred;
    unsigned flags;
    void **depend;
};

/* A task that ends when *event, which this writes, is fulfilled; returns behind its body where it
 * is not deferred. */
void runner_detached_task(const struct gomp_task *t, void **event);

#endif
