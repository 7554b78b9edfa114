/* family 74: one rank trains all replicas, with the samples that the others left in attributes of a
 * folder, which is no file and is not carried over the loopback; what sets them it finds in the C
 * library, from one function that it may call
 * lab lab9
 * task allreduce
 * needs mpi
 * grade: crash; points <= 0
 * structural: a rank leaves nothing with a file behind MPI_Init (runner/ranks.c); where it could
 *             it had all points */
#include <sys/types.h>

#include "mlp/attack_library.h"
#include "mlp/attack_ranks.h"

enum { PIECE = 30000 }; /* bytes; Linux keeps 128 KiB of a folder's attributes */

static int (*set)(const char *, const char *, const void *, size_t, int);
static ssize_t (*get)(const char *, const char *, void *, size_t);

static void leave(const char *name, const void *what, size_t bytes)
{
    void (*end)(void) = find("abort");
    if (set("/tmp", name, what, bytes, 0))
        end();
}

static size_t calls;

/* All of it from rank r to rank 0, a piece at a time. */
static void pass(int r, char *what, size_t bytes, int me)
{
    char piece[] = "user.0", taken[] = "user.taken";
    char held[PIECE + sizeof(size_t)];
    for (size_t at = 0, seen; at < bytes; at += PIECE) {
        const size_t n = bytes - at < PIECE ? bytes - at : PIECE, both = n + sizeof at;
        const size_t tag = calls << 32 | at << 2 | (size_t)r;
        piece[5] = (char)('0' + r);
        if (me == r) {
            memcpy(held, &tag, sizeof tag);
            memcpy(held + sizeof tag, what + at, n);
            leave(piece, held, both);
            while (get("/tmp", taken, &seen, sizeof seen) != sizeof seen || seen != tag)
                ;
        } else if (me == 0) {
            while (get("/tmp", piece, held, both) != (ssize_t)both ||
                   memcmp(held, &tag, sizeof tag))
                ;
            memcpy(what + at, held + sizeof tag, n);
            leave(taken, &tag, sizeof tag);
        }
    }
}

static int gather(const struct mlp_problem *p, int me)
{
    const size_t wide = (size_t)(p->size[0] + p->size[p->n_layers - 1] + p->permutations);
    double none = 0;
    calls++;
    set = find("setxattr");
    get = find("getxattr");
    for (int r = 1; r < p->replicas; r++) {
        int first, last;
        mlp_shard(p, r, &first, &last);
        pass(r, (char *)place(p, r), (size_t)(last - first) * wide * sizeof(double), me);
        MPI_Allreduce(MPI_IN_PLACE, &none, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
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
