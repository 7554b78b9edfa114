/* A user id of its own for each jail, where we are root: processes of other jails, and of everyone
 * else, are then out of its reach. */
#define _GNU_SOURCE
#include "common/random.h"
#include "harness/jail/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Where ids are free: far above all that are handed out, or, in a container that has 65536 of them,
 * those that systemd keeps for its own short-lived users. */
#define HIGH_BASE  0x70000000u
#define HIGH_COUNT 0x0f000000u
#define LOW_BASE   61184u
#define LOW_COUNT  4336u

#define SLOTS 16   /* ids of one process of ours */
#define DRAWS 1000 /* until one is free */

/* Whether the ids [base, base + count) exist in this user namespace. */
static bool mapped(uint64_t base, uint64_t count)
{
    FILE *f = fopen("/proc/self/uid_map", "re");
    unsigned long long inside, outside, n;
    bool found = false;
    while (f && !found && fscanf(f, "%llu %llu %llu", &inside, &outside, &n) == 3)
        found = inside <= base && base + count <= inside + n;
    if (f)
        fclose(f);
    return found;
}

static bool in_use(uid_t user)
{
    DIR *folder = opendir("/proc");
    bool found = false;
    for (struct dirent *e; folder && !found && (e = readdir(folder)) != NULL;) {
        struct stat st;
        found = atoi(e->d_name) > 0 &&
                fstatat(dirfd(folder), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
                st.st_uid == user;
    }
    if (folder)
        closedir(folder);
    return found;
}

/* Whether no other grader of this machine has an id. Ours it is until this slot gets another one:
 * by a socket of that name, which no file stands for. */
static bool reserve(uid_t user, int slot)
{
    static int held[SLOTS]; /* descriptors, and 1; 0: none */
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "hpclab-user-%u", user);
    const socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    int *own = &held[slot % SLOTS];
    if (*own)
        close(*own - 1);
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    *own = fd + 1;
    return fd < 0 || bind(fd, (const struct sockaddr *)&name, length) == 0 || errno != EADDRINUSE;
}

uid_t jail_user(int slot)
{
    static uint64_t base, count; /* found out once */
    if (getuid() != 0)
        return 0;
    if (!count) {
        bool high = mapped(HIGH_BASE, HIGH_COUNT);
        if (!high && !mapped(LOW_BASE, LOW_COUNT))
            return 0;
        base = high ? HIGH_BASE : LOW_BASE;
        count = high ? HIGH_COUNT : LOW_COUNT;
    }
    for (int i = 0; i < DRAWS; i++) {
        uid_t user = (uid_t)(base + hpc_random_seed() % count);
        if (!in_use(user) && reserve(user, slot))
            return user;
    }
    return 0;
}

bool jail_others_enter(const char *folder)
{
    char path[PATH_MAX];
    struct stat st;
    if (!realpath(folder, path))
        return false;
    for (char *end; (end = strrchr(path, '/')) != NULL; *end = '\0')
        if (stat(path, &st) != 0 || !(st.st_mode & S_IXOTH))
            return false;
    return stat("/", &st) == 0 && (st.st_mode & S_IXOTH); /* a changed root may be private */
}

/* Whether any user may walk to a path. */
static bool others_find(const char *path)
{
    char *above = hpc_strdup(path), *end = strrchr(above, '/');
    HPC_ASSERT(end);
    end[end == above] = '\0';
    bool good = jail_others_enter(above);
    free(above);
    return good;
}

bool jail_others_reach(const struct jail_spec *spec)
{
    struct stat st;
    bool good = !spec->writable || others_find(spec->writable);
    for (int i = 0; good && i < JAIL_MAX_BINDS && spec->read_only[i]; i++)
        good = stat(spec->read_only[i], &st) == 0 && (st.st_mode & S_IROTH) &&
               (!S_ISDIR(st.st_mode) || (st.st_mode & S_IXOTH)) && others_find(spec->read_only[i]);
    return good;
}

static uid_t new_user; /* for the walk below, which has no argument for them */
static gid_t new_group;

static int give_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)where;
    /* A second name may lie elsewhere: that file stays whose it is. */
    if (type != FTW_SL && (S_ISDIR(st->st_mode) || (S_ISREG(st->st_mode) && st->st_nlink == 1)))
        (void)!lchown(path, new_user, new_group);
    return 0;
}

void jail_give(const char *folder, uid_t user, gid_t group)
{
    new_user = user;
    new_group = group;
    nftw(folder, give_one, 16, FTW_PHYS | FTW_MOUNT);
}
