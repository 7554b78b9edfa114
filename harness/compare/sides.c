/* A version's source, staged below the root under a name of its own, and its build. */
#define _GNU_SOURCE
#include "harness/compare/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/text.h"

#define MOST_SOURCE (4 << 20) /* bytes, as a grading takes */

/* The user's file, regular and not too long, as bytes; NULL with a reason in *o. */
static char *read_source(const char *path, size_t *length, struct outcome *o)
{
    struct stat st;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > MOST_SOURCE) {
        outcome_set(o, VERDICT_BUILD, "%s: %s", path,
                    fd < 0 ? strerror(errno) : "expected a file of at most 4 MiB");
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    char *text = hpc_malloc((size_t)st.st_size + 1);
    const ssize_t n = read(fd, text, (size_t)st.st_size);
    *length = n > 0 ? (size_t)n : 0;
    close(fd);
    return text;
}

static bool write_copy(const char *path, const char *text, size_t length)
{
    FILE *f = fopen(path, "wxe");
    const bool good = f && fwrite(text, 1, length, f) == length;
    return (!f || fclose(f) == 0) && good;
}

/* "build/tmp/../flat.c:17: error" as the user knows it: "old/flat.c:17: error". */
static void name_as_typed(const char *staged, const char *typed, struct outcome *o)
{
    struct text t = {0};
    const char *at = o->reason;
    for (const char *next; (next = strstr(at, staged)) != NULL; at = next + strlen(staged))
        text_add(&t, "%.*s%s", (int)(next - at), at, typed);
    text_add(&t, "%s", at);
    outcome_reason(o, "%s", text_string(&t));
    text_free(&t);
}

bool side_fits(const struct side *s, const struct lab_task *task, struct hpc_error *err)
{
    const char *dot = strrchr(s->path, '.'), *ends = strrchr(task->file, '.');
    return (dot && strcmp(dot, ends) == 0) ||
           hpc_fail(err, "compare: %s: expected a file of %s, which task %s is in", s->path,
                    lab_task_cuda(task) ? "CUDA, *.cu" : "C, *.c", task->name);
}

bool side_build(struct side *s, const char *scratch, enum build_kind kind, struct outcome *o)
{
    struct trial *t = s->trial;
    const struct lab_task *task = t->task;
    const char *root = t->project->root;
    char *folder = hpc_printf("%s/%c", scratch, s->letter);
    char *source = hpc_printf("%s/%s", folder, task->file), *text;
    const char *below = source + strlen(root) + 1;
    char *outputs = hpc_printf("%s/built", folder + strlen(root) + 1);
    struct hpc_error err;
    size_t length;
    bool good = access(source, F_OK) == 0;
    if (!good && (text = read_source(s->path, &length, o)) != NULL) {
        good = folder_make(folder, &err) && write_copy(source, text, length);
        if (!good)
            outcome_set(o, VERDICT_ENVIRONMENT, "%s cannot be written", source);
        free(text);
    }
    struct build_spec spec = {.root = root,
                              .source = below,
                              .folder = outputs,
                              .op_folder = task->op->folder,
                              .given = task->op->given,
                              .flags = task->flags,
                              .libraries = task->libraries,
                              .symbols = task->symbols,
                              .instructions = task->instructions,
                              .watched = task->safety && !(task->safety & SAFETY_ASSEMBLY),
                              .seconds = task->build_seconds,
                              .kind = kind};
    if (good) {
        build_variant(&spec, &t->built[kind]);
        *o = t->built[kind].outcome;
        name_as_typed(below, s->path, o);
        t->tried[kind] = true;
        good = o->verdict == VERDICT_PASS;
    }
    free(outputs);
    free(source);
    free(folder);
    return good;
}
