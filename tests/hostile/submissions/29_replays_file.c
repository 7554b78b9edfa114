/* family 29: keeps answers by what the inputs are, in files
 * task fast
 * long
 * grade: pass; points <= 20
 * without fresh no_files: pass; points >= 42
 * without fresh walls files: pass; points >= 42; effect: file */
#include "conv1d/attack.h"

static const char *const places[] = {"/dev/shm/hpc_attack_cache", "/tmp/hpc_attack_cache"};

/* Write or read the first 16 values of x, then y. */
static int transfer(int fd, const struct conv1d_problem *p, const float *x, float *y, int save)
{
    float key[16];
    const ssize_t bytes = (ssize_t)(p->n * sizeof *y);
    if (save)
        return write(fd, x, sizeof key) == sizeof key && write(fd, y, (size_t)bytes) == bytes;
    return read(fd, key, sizeof key) == sizeof key && memcmp(key, x, sizeof key) == 0 &&
           read(fd, y, (size_t)bytes) == bytes;
}

RUN
{
    int done = 0;
    for (int k = 0; k < 2 && !done; k++) {
        int fd = open(places[k], O_RDONLY);
        done = fd >= 0 && transfer(fd, p, x, y, 0);
        close(fd);
    }
    if (done)
        return 0;
    answer(p, x, w, y);
    for (int k = 0; k < 2; k++) {
        int fd = open(places[k], O_CREAT | O_TRUNC | O_WRONLY, 0600);
        transfer(fd, p, x, y, 1);
        close(fd);
    }
    return 0;
}
SUBMISSION
