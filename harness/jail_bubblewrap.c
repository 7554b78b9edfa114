/* Which jail works here, and bubblewrap's command line. */
#define _GNU_SOURCE
#include "harness/jail_internal.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void jail_words_add(struct jail_words *words, const char *format, ...)
{
    HPC_ASSERT(words->n < JAIL_MAX_WORDS);
    char text[8192];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    HPC_ASSERT(length >= 0 && (size_t)length < sizeof text);
    words->word[words->n++] = hpc_strdup(text);
}

void jail_words_free(struct jail_words *words)
{
    for (int i = 0; i < words->n; i++)
        free(words->word[i]);
    words->n = 0;
}

static void add_list(struct jail_words *words, const char *const *list)
{
    for (; *list; list++)
        jail_words_add(words, "%s", *list);
}

/* The system's folders, as they are here: on most systems /lib and its like are links to /usr. */
static void add_system(struct jail_words *words)
{
    static const char *const folders[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
    static const char *const base[] = {
        "--ro-bind",
        "/usr",
        "/usr",
        "--ro-bind-try",
        "/etc/ld.so.cache",
        "/etc/ld.so.cache",
        "--ro-bind-try", /* where Debian's links for libraries and compilers lead */
        "/etc/alternatives",
        "/etc/alternatives",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        NULL};
    add_list(words, base);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        struct stat st;
        char target[PATH_MAX];
        ssize_t n = readlink(folders[i], target, sizeof target - 1);
        if (n > 0) {
            target[n] = '\0';
            jail_words_add(words, "--symlink");
            jail_words_add(words, "%s", target);
            jail_words_add(words, "%s", folders[i]);
        } else if (stat(folders[i], &st) == 0) {
            jail_words_add(words, "--ro-bind");
            jail_words_add(words, "%s", folders[i]);
            jail_words_add(words, "%s", folders[i]);
        }
    }
}

static void add_temporary(struct jail_words *words, const char *folder, int level, size_t bytes)
{
    if (level >= 1 && bytes) {
        jail_words_add(words, "--size");
        jail_words_add(words, "%zu", bytes);
    }
    jail_words_add(words, "--tmpfs");
    jail_words_add(words, "%s", folder);
}

static void add_bind(struct jail_words *words, const char *how, const char *path)
{
    jail_words_add(words, "%s", how);
    jail_words_add(words, "%s", path);
    jail_words_add(words, "%s", path);
}

void bubblewrap_words(const struct bubblewrap *b, const struct jail_spec *spec, int seccomp_fd,
                      struct jail_words *words)
{
    static const char *const always[] = {"--unshare-user",
                                         "--unshare-all",
                                         "--die-with-parent",
                                         "--new-session",
                                         "--cap-drop",
                                         "ALL",
                                         NULL};
    jail_words_add(words, "%s", b->path);
    add_list(words, always);
    if (b->level >= 2)
        jail_words_add(words, "--disable-userns");
    if (b->libraries[0]) {
        jail_words_add(words, "--unsetenv");
        jail_words_add(words, "LD_LIBRARY_PATH");
    }
    add_system(words);
    add_temporary(words, "/tmp", b->level, spec->limits.file_bytes);
    add_temporary(words, "/dev/shm", b->level, spec->limits.file_bytes);
    for (int i = 0; i < JAIL_MAX_BINDS && spec->read_only[i]; i++)
        add_bind(words, "--ro-bind", spec->read_only[i]);
    if (spec->writable)
        add_bind(words, "--bind", spec->writable);
    if (seccomp_fd >= 0) {
        jail_words_add(words, "--seccomp");
        jail_words_add(words, "%d", seccomp_fd);
    }
    jail_words_add(words, "--chdir");
    jail_words_add(words, "%s", spec->folder ? spec->folder : "/");
    jail_words_add(words, "--");
    add_list(words, spec->argv);
}

/* bwrap in a folder of PATH, else below .deps/ of a folder above this program (where ./bootstrap
 * unpacks packages without root). */
static bool find_bubblewrap(struct bubblewrap *b)
{
    const char *path = getenv("PATH");
    char *copy = hpc_strdup(path ? path : "/usr/bin:/bin"), *rest = NULL;
    bool found = false;
    for (char *p = strtok_r(copy, ":", &rest); p && !found; p = strtok_r(NULL, ":", &rest)) {
        snprintf(b->path, sizeof b->path, "%s/bwrap", p);
        found = p[0] == '/' && access(b->path, X_OK) == 0;
    }
    free(copy);
    char here[PATH_MAX];
    ssize_t n = found ? -1 : readlink("/proc/self/exe", here, sizeof here - 64);
    if (n <= 0)
        return found;
    here[n] = '\0';
    for (char *slash; !found && (slash = strrchr(here, '/')) != NULL;) {
        *slash = '\0';
        snprintf(b->path, sizeof b->path, "%.3900s/.deps/usr/bin/bwrap", here);
        found = access(b->path, X_OK) == 0;
        snprintf(b->libraries, sizeof b->libraries,
                 "%.1900s/.deps/usr/lib/%s-linux-gnu:%.1900s/.deps/usr/lib",
#ifdef __aarch64__
                 here, "aarch64",
#else
                 here, "x86_64",
#endif
                 here);
    }
    return found;
}

static bool works(const struct bubblewrap *b)
{
    const char *const argv[] = {"/usr/bin/env", "true", NULL};
    const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
    struct jail_spec spec = {
        .argv = argv,
        .env = env,
        .fds = {-1, -1},
        .limits = {
            .wall_seconds = 10, .cpu_seconds = 10, .file_bytes = 1 << 20, .output_bytes = 4096}};
    struct jail *jail = jail_start_with(&spec, b, NULL);
    struct jail_end end = {0};
    if (jail)
        jail_wait(jail, &end, NULL, 0);
    return end.exited && end.exit_status == 0;
}

const struct bubblewrap *bubblewrap_here(void)
{
    static struct bubblewrap here; /* found out once: it can't change meanwhile */
    static enum { UNKNOWN, ABSENT, WORKS } known;
    const char *forced = getenv("HPC_JAIL");
    if (forced && strcmp(forced, "limits") == 0)
        return NULL;
    if (known == UNKNOWN) {
        known = ABSENT;
        if (find_bubblewrap(&here))
            for (here.level = BUBBLEWRAP_LEVELS; known == ABSENT && here.level-- > 0;)
                if (works(&here))
                    known = WORKS;
    }
    return known == WORKS ? &here : NULL;
}

enum jail_tier jail_tier(void)
{
    return bubblewrap_here() ? JAIL_BUBBLEWRAP : JAIL_LIMITS;
}

const char *jail_tier_name(enum jail_tier tier)
{
    return tier == JAIL_BUBBLEWRAP ? "bubblewrap" : "limits";
}
