#include "benchmarks/mlp/sgd_child.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.h"

#define QUIT (-1)

struct sgd_child {
    pid_t id;
    int go, done; /* numbers of calls to the child, seconds back */
};

void *sgd_shared(size_t bytes)
{
    void *p = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    HPC_ASSERT(p != MAP_FAILED);
    return p;
}

static void serve_all(int go, int done, double (*serve)(void *, int), void *context)
{
    for (int calls; read(go, &calls, sizeof calls) == sizeof calls && calls != QUIT;) {
        double seconds = serve(context, calls);
        if (write(done, &seconds, sizeof seconds) != sizeof seconds)
            break;
    }
}

struct sgd_child *sgd_child_start(double (*serve)(void *, int), void *context)
{
    int go[2], done[2];
    HPC_ASSERT(pipe(go) == 0 && pipe(done) == 0);
    fflush(NULL);
    pid_t id = fork();
    HPC_ASSERT(id >= 0);
    if (id == 0) {
        close(go[1]);
        close(done[0]);
        serve_all(go[0], done[1], serve, context);
        _exit(0);
    }
    close(go[0]);
    close(done[1]);
    struct sgd_child *child = hpc_malloc(sizeof *child);
    *child = (struct sgd_child){id, go[1], done[0]};
    if (sgd_child_run(child, 0) >= 0)
        return child;
    sgd_child_stop(child);
    return NULL;
}

double sgd_child_run(struct sgd_child *child, int calls)
{
    double seconds;
    if (write(child->go, &calls, sizeof calls) != sizeof calls ||
        read(child->done, &seconds, sizeof seconds) != sizeof seconds)
        return -1;
    return seconds;
}

void sgd_child_stop(struct sgd_child *child)
{
    int quit = QUIT;
    if (write(child->go, &quit, sizeof quit) != sizeof quit)
        perror("a contestant's process");
    close(child->go);
    close(child->done);
    waitpid(child->id, NULL, 0);
    free(child);
}
