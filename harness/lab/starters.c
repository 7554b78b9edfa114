#define _GNU_SOURCE
#include "harness/lab/starters.h"
#include "common/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

int starter_names(const char *root, const char *lab, char ***names, struct hpc_error *err)
{
    struct dirent **entries;
    char *folder = hpc_printf("%s/labs/%s/starter", root, lab);
    int n = scandir(folder, &entries, visible, alphasort);
    free(folder);
    if (n < 0) {
        hpc_fail_env(err, "labs/%s/starter: %s; expected the folder with the lab's starters", lab,
                     strerror(errno));
        return -1;
    }
    *names = hpc_calloc((unsigned long)n, sizeof **names);
    for (int i = 0; i < n; i++) {
        (*names)[i] = hpc_strdup(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return n;
}

/* All bytes of `from` to the new file `to`. */
static bool copy_bytes(const char *from, const char *to)
{
    char bytes[65536];
    size_t n;
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wbx") : NULL;
    bool good = in && out;
    while (good && (n = fread(bytes, 1, sizeof bytes, in)) > 0)
        good = fwrite(bytes, 1, n, out) == n;
    good = good && !ferror(in);
    if (in)
        fclose(in);
    if (out && fclose(out) != 0)
        good = false;
    return good;
}

bool starter_copy(const char *root, const char *lab, const char *name, struct hpc_error *err)
{
    char *from = hpc_printf("%s/labs/%s/starter/%s", root, lab, name);
    char *to = hpc_printf("%s/labs/%s/%s", root, lab, name);
    char *temporary = scratch_beside(to);
    unlink(temporary);
    bool good = copy_bytes(from, temporary) && rename(temporary, to) == 0;
    if (!good) {
        hpc_fail_env(err, "labs/%s/%s: %s; expected to copy its starter there", lab, name,
                     strerror(errno));
        unlink(temporary);
    }
    free(from);
    free(to);
    free(temporary);
    return good;
}

/* Whether labs/LAB/starter, or labs/LAB as handed out, has a file of this name. */
static bool handed_out(const char *root, const char *lab, const char *name)
{
    char *path = hpc_printf("%s/labs/%s/starter/%s", root, lab, name);
    const bool there = access(path, F_OK) == 0 || strcmp(name, "marker.c") == 0;
    free(path);
    return there;
}

char *starter_stranger(const char *root, const char *lab, const char *name)
{
    struct dirent **entries;
    const char *ending = strrchr(name, '.');
    char *folder = hpc_printf("%s/labs/%s", root, lab), *found = NULL;
    const int n = scandir(folder, &entries, visible, alphasort);
    free(folder);
    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(entries[i]->d_name, '.');
        if (!found && dot && ending && strcmp(dot, ending) == 0 &&
            !handed_out(root, lab, entries[i]->d_name))
            found = hpc_strdup(entries[i]->d_name);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return found;
}

bool starter_untouched(const char *root, const char *lab, const char *name)
{
    char *starter = hpc_printf("%s/labs/%s/starter/%s", root, lab, name);
    char *working = hpc_printf("%s/labs/%s/%s", root, lab, name);
    FILE *a = scratch_open_regular(starter), *b = scratch_open_regular(working);
    bool same = a && b;
    for (int c = 0; same && c != EOF;) {
        c = getc(a);
        same = c == getc(b);
    }
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    free(starter);
    free(working);
    return same;
}

bool lab_layout_starters(const char *root, const char *lab, struct hpc_error *err)
{
    char **names;
    bool good = true;
    int n = starter_names(root, lab, &names, err);
    if (n < 0)
        return false;
    for (int i = 0; i < n; i++) {
        char *working = hpc_printf("%s/labs/%s/%s", root, lab, names[i]);
        if (good && access(working, F_OK) != 0)
            good = starter_copy(root, lab, names[i], err);
        free(working);
        free(names[i]);
    }
    free(names);
    return good;
}

bool lab_laid_out(const char *root, const char *lab, struct hpc_error *err)
{
    char **names;
    bool found = false;
    const int n = starter_names(root, lab, &names, err);
    if (n < 0)
        return false;
    for (int i = 0; i < n; i++) {
        char *working = hpc_printf("%s/labs/%s/%s", root, lab, names[i]);
        found |= access(working, F_OK) == 0;
        free(working);
        free(names[i]);
    }
    free(names);
    return found || hpc_fail(err, "labs/%s holds no file of yours yet: make %s first", lab, lab);
}
