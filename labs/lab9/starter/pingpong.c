/* lab9, pingpong: what a message between two ranks costs. Nothing to write here; a program of its
 * own, which you build and start yourself:
 *
 *   mpicc -O2 -o build/pingpong labs/lab9/pingpong.c && mpirun -n 2 build/pingpong
 *
 * Rank 0 sends a message, rank 1 sends it back; half of that time, of the fastest of some hundred
 * rounds, is the message's. The shortest one's is the latency; the longest one's bytes over its
 * time come near the bandwidth. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST   (16 << 20) /* bytes of the longest message */
#define ROUNDS 200

/* Microseconds of a message of so many bytes, one way. */
static double one_way(int me, char *buffer, int bytes)
{
    double least = 1e30;
    const int other = 1 - me, rounds = bytes > 1 << 20 ? ROUNDS / 10 : ROUNDS;
    for (int i = 0; i < rounds; i++) {
        const double begin = MPI_Wtime();
        if (me == 0)
            MPI_Send(buffer, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (me == 1)
            MPI_Send(buffer, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
        const double taken = MPI_Wtime() - begin;
        least = taken < least ? taken : least;
    }
    return 1e6 * least / 2;
}

int main(int argc, char **argv)
{
    int me, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *buffer = calloc(1, MOST);
    if (ranks != 2 || !buffer) {
        if (me == 0)
            fprintf(stderr, "pingpong: %d ranks, expected 2: mpirun -n 2 build/pingpong\n", ranks);
        free(buffer);
        MPI_Finalize();
        return 2;
    }
    if (me == 0)
        printf("%10s  %12s  %8s\n", "bytes", "one way, us", "GB/s");
    for (int bytes = 1; bytes <= MOST; bytes *= 4) {
        const double us = one_way(me, buffer, bytes);
        if (me == 0)
            printf("%10d  %12.3f  %8.3f\n", bytes, us, 1e-3 * bytes / us);
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
