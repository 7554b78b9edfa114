/* family 74: one rank trains all replicas, with the samples that the others left in files; open()
 * and the like it finds in the C library, from one function that it may call
 * lab lab9
 * task allreduce
 * needs mpi
 * grade: crash; points <= 0
 * structural: a rank makes no file behind MPI_Init (runner/ranks.c); with none of that it had all
 *             points */
#include <fcntl.h>
#include <sys/types.h>

#include "mlp/attack_library.h"
#include "mlp/attack_ranks.h"

static ssize_t file_of(int r, double *what, size_t n, int writes)
{
    int (*open_file)(const char *, int, ...) = find("open");
    ssize_t (*move)(int, void *, size_t) = find(writes ? "write" : "read");
    char name[] = "/tmp/rank0";
    name[9] = (char)('0' + r);
    const int fd = open_file(name, writes ? O_WRONLY | O_CREAT : O_RDONLY, 0600);
    char *at = (char *)what, *end = (char *)(what + n);
    while (fd >= 0 && at < end) {
        const ssize_t moved = move(fd, at, (size_t)(end - at));
        if (moved <= 0)
            break;
        at += moved;
    }
    int (*close_file)(int) = find("close");
    close_file(fd);
    return end - at;
}

static int gather(const struct mlp_problem *p, int me)
{
    const size_t wide = (size_t)(p->size[0] + p->size[p->n_layers - 1] + p->permutations);
    double lacks = 0;
    int first, last;
    mlp_shard(p, me, &first, &last);
    if (me > 0)
        lacks = (double)file_of(me, place(p, me), (size_t)(last - first) * wide, 1);
    MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int r = 1; r < p->replicas && me == 0; r++) {
        mlp_shard(p, r, &first, &last);
        lacks += (double)file_of(r, place(p, r), (size_t)(last - first) * wide, 0);
    }
    if (lacks > 0) {
        ssize_t (*say)(int, const void *, size_t) = find("write");
        void (*end)(void) = find("abort");
        say(1, "no file\n", 8);
        end();
    }
    return 0;
}

static int give(const struct mlp_problem *p, int me)
{
    (void)p;
    if (me)
        memset(s->w, 0, s->n * sizeof *s->w);
    return MPI_Allreduce(MPI_IN_PLACE, s->w, (int)s->n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
