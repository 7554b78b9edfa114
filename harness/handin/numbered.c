/* Names that a browser or a system has numbered, as of a second download: "flat (1).c". */
#define _GNU_SOURCE
#include "harness/handin/internal.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/text.h"

size_t handin_number(const char *at)
{
    static const char *const forms[][2] = {{"-", ""}, {" (", ")"}, {"(", ")"}, {" ", ""}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t before = strlen(forms[i][0]), behind = strlen(forms[i][1]);
        const size_t digits =
            strncmp(at, forms[i][0], before) ? 0 : strspn(at + before, "0123456789");
        if (digits && strncmp(at + before + digits, forms[i][1], behind) == 0)
            return before + digits + behind;
    }
    return 0;
}

bool handin_is_numbered(const char *file, const char *name)
{
    const char *dot = strrchr(file, '.'), *tail = dot ? dot : file + strlen(file);
    const size_t stem = (size_t)(tail - file);
    const size_t number = strncmp(name, file, stem) ? 0 : handin_number(name + stem);
    return number && strcmp(name + stem + number, tail) == 0;
}

char *handin_pattern(const char *file, bool numbered, bool zip)
{
    const char *dot = strrchr(file, '.'), *tail = dot ? dot : file + strlen(file);
    return hpc_printf("%s%.*s%s%s", zip ? "*" : "", (int)(tail - file), file,
                      numbered ? "[ (\\-]*" : "", tail);
}

const char *handin_which(const struct lab *lab, const char *name, size_t rest)
{
    const char *own = name + strlen(name) - rest;
    own += *own == '_';
    for (int k = 0; k <= lab->n_tasks; k++) {
        const char *file = k < lab->n_tasks ? lab->tasks[k].file : lab->report;
        if (file[0] && (strcmp(own, file) == 0 || handin_is_numbered(file, own)))
            return file;
    }
    return NULL;
}

/* How many numbered names a file has in the folder `below`, "" or with a slash behind it, of an
 * open one; the first by name, with that folder, into `path`. */
static int count_numbered(int folder, const char *below, const char *file, char path[HANDIN_PATH])
{
    const int at = handin_at(folder, below[0] ? below : ".");
    DIR *dir = at >= 0 ? fdopendir(at) : NULL;
    int n = 0;
    if (!dir && at >= 0)
        close(at);
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        char found[HANDIN_PATH];
        if (!handin_is_numbered(file, e->d_name) ||
            (size_t)snprintf(found, sizeof found, "%s%s", below, e->d_name) >= sizeof found)
            continue;
        if (n++ == 0 || strverscmp(found, path) < 0)
            strcpy(path, found);
    }
    if (dir)
        closedir(dir);
    return n;
}

bool handin_take_number(int folder, const char *below, const char *file, const char *shown,
                        char path[HANDIN_PATH], struct hpc_error *err)
{
    const int n = count_numbered(folder, below, file, path);
    char found[100];
    if (n < 2) {
        path[0] = n ? path[0] : '\0';
        return true;
    }
    text_fit(found, sizeof found, "%s", path);
    path[0] = '\0';
    return hpc_fail(err, "%s: %s and %d more of that name, expected one %s", shown, found, n - 1,
                    file);
}

void handin_tell_numbers(const struct submission_wanted *w, int folder,
                         char path[HANDIN_MOST_WANTED][HANDIN_PATH], char note[200])
{
    for (int k = 0; k < w->n; k++) {
        char other[HANDIN_PATH], below[HANDIN_PATH];
        const char *name = handin_last_part(path[k]), *between = note[0] ? "; " : "";
        text_fit(below, sizeof below, "%.*s", (int)(name - path[k]), path[k]);
        if (!path[k][0])
            continue;
        if (strcmp(name, w->file[k]) != 0)
            text_fit(note, 200, "%s%s%s was taken for %s", note, between, name, w->file[k]);
        else if (count_numbered(folder, below, w->file[k], other) > 0)
            text_fit(note, 200, "%s%s%s was left, beside %s", note, between,
                     handin_last_part(other), w->file[k]);
    }
}
