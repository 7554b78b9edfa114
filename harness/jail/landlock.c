/* Landlock by its system calls: a C library's header may be older than the kernel, so the numbers
 * of the kernel's interface stand here. What a kernel does not know yet is left out. */
#define _GNU_SOURCE
#include "harness/jail/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 }; /* on every architecture */
enum { QUERY_VERSION = 1, RULE_PATH_BENEATH = 1 };

struct ruleset {
    uint64_t files, network, scoped;
};
struct path_beneath {
    uint64_t allowed;
    int32_t parent_fd;
} __attribute__((packed));

/* Rights on files, with the version that brought them. */
#define EXECUTE   (1ull << 0)
#define WRITE     (1ull << 1)
#define READ      (1ull << 2)
#define READ_DIR  (1ull << 3)
#define REMOVE    (3ull << 4) /* folders, files */
#define MAKE_DIR  (1ull << 7)
#define MAKE_FILE (1ull << 8)
#define MAKE_ALL  (0x7full << 6) /* devices, folders, files, sockets, pipes, links */
#define MAKE_PIPE (1ull << 10)
#define MAKE_LINK (1ull << 12)
#define REFER     (1ull << 13) /* 2: move between folders */
#define TRUNCATE  (1ull << 14) /* 3 */
#define IOCTL     (1ull << 15) /* 5: on devices */

#define OF_A_FILE (EXECUTE | WRITE | READ | TRUNCATE | IOCTL)
#define READING   (EXECUTE | READ | READ_DIR)
#define WRITING                                                                                    \
    (READ | READ_DIR | WRITE | REMOVE | MAKE_DIR | MAKE_FILE | MAKE_LINK | REFER | TRUNCATE)

#define ALL_NETWORK 3ull /* 4: bind and connect of TCP */
#define ALL_SCOPES  3ull /* 6: abstract UNIX sockets, signals to the outside */

int confine_landlock_version(void)
{
    long version = syscall(CREATE_RULESET, NULL, 0, QUERY_VERSION);
    return version > 0 ? (int)version : 0;
}

/* All rights that version `v` can withhold, but for those to a network that is let be. */
static struct ruleset withheld(int v, bool network)
{
    struct ruleset r = {.files = READING | WRITE | REMOVE | MAKE_ALL};
    r.files |= v >= 2 ? REFER : 0;
    r.files |= v >= 3 ? TRUNCATE : 0;
    r.files |= v >= 5 ? IOCTL : 0;
    r.network = v >= 4 && !network ? ALL_NETWORK : 0;
    r.scoped = v >= 6 ? ALL_SCOPES : 0;
    return r;
}

static uint64_t rights(enum confine_access access)
{
    switch (access) {
    case CONFINE_WRITE:
        return WRITING;
    case CONFINE_OWN_TMP:
        return WRITING | MAKE_PIPE;
    case CONFINE_DEVICE:
        return READ | READ_DIR | WRITE | IOCTL;
    case CONFINE_OWN:
        return READ | READ_DIR | WRITE | TRUNCATE; /* fopen does */
    default:
        return READING;
    }
}

static bool allow(int ruleset, const struct confine_path *p, uint64_t known)
{
    struct stat st;
    bool stays = p->access == CONFINE_OWN;
    int fd = open(p->name, O_PATH | (stays ? 0 : O_CLOEXEC));
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES;
    struct path_beneath rule = {rights(p->access) & known, fd};
    bool good = fstat(fd, &st) == 0;
    if (good && !S_ISDIR(st.st_mode))
        rule.allowed &= OF_A_FILE;
    good = good && syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0;
    if (!stays)
        close(fd);
    return good;
}

bool confine_landlock(const struct confine *c)
{
    int version = confine_landlock_version();
    struct ruleset r = withheld(version, c->network);
    /* An older kernel wants a shorter struct. */
    size_t size = version >= 6 ? sizeof r : version >= 4 ? 16 : 8;
    int fd = (int)syscall(CREATE_RULESET, &r, size, 0);
    if (fd < 0)
        return false;
    bool good = true;
    for (uint32_t i = 0; good && i < c->n_paths; i++)
        good = allow(fd, &c->path[i], r.files);
    good = good && syscall(RESTRICT_SELF, fd, 0) == 0;
    close(fd);
    return good;
}
