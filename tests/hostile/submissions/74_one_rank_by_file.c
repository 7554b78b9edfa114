/* family 74: one rank trains all replicas, with the samples that the others left in files; open()
 * and the like it finds in the C library, from one function that it may call
 * lab lab9
 * task allreduce
 * needs mpi
 * grade: crash; points <= 0
 * structural: a rank makes no file behind MPI_Init (runner/ranks.c); with none of that it had all
 *             points */
#include <elf.h>
#include <fcntl.h>
#include <sys/types.h>

#include "mlp/attack_ranks.h"

static void *library; /* where the C library begins */

/* The library's own function of that name. */
static void *find(const char *name)
{
    if (!library) {
        const char *at = (const char *)((uintptr_t)free & ~(uintptr_t)4095);
        while (memcmp(at, ELFMAG, SELFMAG) != 0)
            at -= 4096;
        library = (void *)(uintptr_t)at;
    }
    const Elf64_Ehdr *head = library;
    const char *base = library, *names = NULL;
    const Elf64_Phdr *part = (const void *)(base + head->e_phoff);
    const Elf64_Sym *symbol = NULL;
    while (part->p_type != PT_DYNAMIC)
        part++;
    for (const Elf64_Dyn *d = (const void *)(base + part->p_vaddr); d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_SYMTAB)
            symbol = (const void *)d->d_un.d_ptr;
        if (d->d_tag == DT_STRTAB)
            names = (const void *)d->d_un.d_ptr;
    }
    while (1) {
        const char *a = names + (++symbol)->st_name, *b = name;
        while (*a && *a == *b)
            a++, b++;
        if (!*a && !*b && symbol->st_value)
            return (void *)(uintptr_t)(base + symbol->st_value);
    }
}

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
