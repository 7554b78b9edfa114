/* Folders and files of a build: the stage that a compilation sees, and what it leaves there. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "harness/build/internal.h"
#include "common/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SOURCE (4 << 20)
#define MAX_TEXT   (32L << 20) /* less than a compiler may write */

char *stage_read(const char *path, size_t *length)
{
    int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
    if (DEFENCE(nofollow))
        flags |= O_NOFOLLOW;
    int fd = open(path, flags);
    struct stat st;
    char *text = NULL;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MAX_SOURCE) {
        text = hpc_malloc((size_t)st.st_size + 1);
        ssize_t n = read(fd, text, (size_t)st.st_size);
        *length = n > 0 ? (size_t)n : 0;
        text[*length] = '\0';
    } else {
        errno = EINVAL;
    }
    close(fd);
    return text;
}

const char *stage_lack(const char *path, int error)
{
    struct stat st;
    if (error == ENOENT)
        return "not there";
    if (error == EACCES)
        return "may not be read: chmod u+r it";
    if (lstat(path, &st) != 0)
        return strerror(error);
    return S_ISLNK(st.st_mode)       ? "a link, expected a file"
           : S_ISDIR(st.st_mode)     ? "a folder, expected a file"
           : !S_ISREG(st.st_mode)    ? "a pipe or a device, expected a file"
           : st.st_size > MAX_SOURCE ? "over 4 MiB, which no source needs"
                                     : strerror(error);
}

static int is_header(const struct dirent *e)
{
    size_t n = strlen(e->d_name);
    return n > 2 && strcmp(e->d_name + n - 2, ".h") == 0;
}

bool stage_each(const struct build_spec *spec, bool (*visit)(void *, const char *), void *data)
{
    char *variants = hpc_printf("%s/variants", spec->op_folder);
    size_t prefix = strlen(variants);
    bool ours = strncmp(spec->source, variants, prefix) == 0 && spec->source[prefix] == '/';
    const char *folders[] = {spec->op_folder, spec->given, ours ? variants : NULL};
    bool good = visit(data, spec->source) && visit(data, "common/abi.h");
    for (int f = 0; good && f < 3; f++) {
        if (!folders[f])
            continue;
        struct dirent **entries;
        char *folder = hpc_printf("%s/%s", spec->root, folders[f]);
        int n = scandir(folder, &entries, is_header, alphasort);
        free(folder);
        for (int i = 0; i < n; i++) {
            char *path = hpc_printf("%s/%s", folders[f], entries[i]->d_name);
            good = good && visit(data, path);
            free(path);
            free(entries[i]);
        }
        if (n >= 0)
            free(entries);
    }
    free(variants);
    return good;
}

struct copying {
    const char *root, *stage;
    char *reason;
    size_t reason_size;
};

static bool copy_one(void *data, const char *below)
{
    struct copying *c = data;
    char from[BUILD_PATH + 300], to[2 * BUILD_PATH];
    size_t length;
    snprintf(from, sizeof from, "%s/%s", c->root, below);
    snprintf(to, sizeof to, "%s/%s", c->stage, below);
    char *text = stage_read(from, &length);
    char *slash = strrchr(to, '/');
    *slash = '\0';
    bool good = text && folder_make(to, NULL);
    *slash = '/';
    FILE *f = good ? fopen(to, "wxe") : NULL;
    good = f && fwrite(text, 1, length, f) == length;
    if (f && fclose(f) != 0)
        good = false;
    if (!good)
        snprintf(c->reason, c->reason_size, "%s: %s", below, strerror(errno));
    free(text);
    return good;
}

bool stage_make(const struct build_spec *spec, char *stage, size_t size, char *reason,
                size_t reason_size)
{
    char parent[BUILD_PATH];
    snprintf(parent, sizeof parent, "%s/build/tmp", spec->root);
    char *name = scratch_name(spec->root, "build-XXXXXX");
    snprintf(stage, size, "%s", name);
    free(name);
    if (!folder_make(parent, NULL) || !mkdtemp(stage)) {
        snprintf(reason, reason_size, "%s: %s", parent, strerror(errno));
        stage[0] = '\0';
        return false;
    }
    struct copying c = {spec->root, stage, reason, reason_size};
    return stage_each(spec, copy_one, &c);
}

/* What a compiler made too much of is its source's fault, what it left out the machine's. */
static bool unread(struct building *b, const char *name, bool there)
{
    char reason[200];
    snprintf(reason, sizeof reason,
             "what the compiler makes of it (%s) is over %ld MiB, which no task allows: it could "
             "not be looked at",
             name, MAX_TEXT >> 20);
    if (DEFENCE(long_text) && there)
        return building_fail(b, VERDICT_REJECTED, reason);
    snprintf(reason, sizeof reason, "a compiler's output can't be read: %s", name);
    return building_fail(b, VERDICT_ENVIRONMENT, reason);
}

char *read_stage(struct building *b, const char *name, size_t *length)
{
    char *path = hpc_printf("%s/%s", b->stage, name), *text = NULL;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    free(path);
    *length = 0;
    const bool fits =
        fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MAX_TEXT;
    if (fits) {
        text = hpc_malloc((size_t)st.st_size + 1);
        for (ssize_t n = 1; n > 0 && *length<(size_t)st.st_size; *length += n> 0 ? (size_t)n : 0)
            n = read(fd, text + *length, (size_t)st.st_size - *length);
        text[*length] = '\0';
        if (*length < (size_t)st.st_size) {
            free(text);
            text = NULL;
        }
    }
    if (!text)
        unread(b, name, fd >= 0 && !fits);
    if (fd >= 0)
        close(fd);
    return text;
}

bool write_stage(struct building *b, const char *name, const char *text)
{
    char *path = hpc_printf("%s/%s", b->stage, name);
    FILE *f = fopen(path, "wxe");
    bool good = f && fputs(text, f) >= 0;
    good = f && fclose(f) == 0 && good;
    free(path);
    return good || building_fail(b, VERDICT_ENVIRONMENT, "a file of the stage can't be written");
}

const char *behind_blanks(const char *p)
{
    for (;;) {
        if (*p == ' ' || *p == '\t' || *p == '\v' || *p == '\f' || *p == '\r') {
            p++;
        } else if (p[0] == '\\' && p[1 + strspn(p + 1, " \t\r")] == '\n') {
            p += 2 + strspn(p + 1, " \t\r");
        } else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            p = end ? end + 2 : p + strlen(p);
        } else {
            return p;
        }
    }
}

const char *behind_string(const char *p)
{
    const char quote = *p++;
    while (*p && *p != quote && (*p != '\n' || p[-1] == '\\' || p[-1] == '\r'))
        p += p[0] == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

bool takes_string(const char *p, bool *text)
{
    bool found = false;
    for (int depth = 0; *p; p++) {
        if (p[0] == '\n' && p[1] == '#') { /* the preprocessor's */
            p = strchrnul(p + 1, '\n') - 1;
        } else if (depth > 0 && (*p == '"' || *p == '\'')) {
            const char *end = behind_string(p);
            *text |= *p == '"' && p + 1 + strcspn(p + 1, "\\;#\n") < end - 1;
            found |= *p == '"';
            p = end - 1;
        } else if ((depth += (*p == '(') - (*p == ')')) <= 0 && !isspace((unsigned char)*p)) {
            break;
        }
    }
    return found;
}
