/* build/selection.ini: what `make labN` selected, one section a lab, and the lab selected last. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/ini.h"
#include "common/scratch.h"
#include "harness/lab/selection.h"

#define SHOWN "build/selection.ini"

/* NULL, without an error, where the file is not there. */
static struct ini_file *read_all(const char *root, struct hpc_error *err)
{
    err->text[0] = 0;
    char *path = hpc_printf("%s/%s", root, SHOWN);
    struct ini_file *file = access(path, F_OK) == 0 ? ini_read(path, SHOWN, err) : NULL;
    free(path);
    return file;
}

static const char *value(const struct ini_file *file, const char *section, const char *key)
{
    const struct ini_section *s = file ? ini_section_find(file, section) : NULL;
    const struct ini_key *k = s ? ini_find(s, key) : NULL;
    return k ? k->value : NULL;
}

bool selection_read(const char *root, const char *lab, struct selection *s, struct hpc_error *err)
{
    struct ini_file *file = read_all(root, err);
    if (!file && err->text[0])
        return false;
    const char *name = lab ? lab : value(file, "selected", "lab");
    const char *implementation = name ? value(file, name, "impl") : NULL;
    const char *device = name ? value(file, name, "device") : NULL;
    if (name) {
        snprintf(s->lab, sizeof s->lab, "%s", name);
        snprintf(s->implementation, sizeof s->implementation, "%s",
                 implementation ? implementation : "student");
        snprintf(s->device, sizeof s->device, "%s", device ? device : "auto");
    }
    bool found = name != NULL;
    ini_free(file);
    return found ||
           hpc_fail(err, "no lab is selected; expected `make lab3` before, or a lab's name");
}

/* All sections of the file that was there but the lab's own and [selected]. */
static void write_others(FILE *f, const struct ini_file *file, const struct selection *s)
{
    for (int i = 0; file && i < file->n; i++) {
        const struct ini_section *section = &file->sections[i];
        if (strcmp(section->name, "selected") == 0 || strcmp(section->name, s->lab) == 0)
            continue;
        fprintf(f, "\n[%s]\n", section->name);
        for (int k = 0; k < section->n; k++)
            fprintf(f, "%s = %s\n", section->keys[k].name, section->keys[k].value);
    }
}

bool selection_write(const char *root, const struct selection *s, struct hpc_error *err)
{
    struct ini_file *file = read_all(root, err); /* one that is broken is written anew */
    char *path = hpc_printf("%s/%s", root, SHOWN);
    char *temporary = scratch_beside(path);
    char *folder = hpc_printf("%s/build", root);
    mkdir(folder, 0777);
    FILE *f = fopen(temporary, "w");
    bool good = f != NULL;
    if (f) {
        fprintf(f, "; Written by hpclab build.\n[selected]\nlab = %s\n", s->lab);
        fprintf(f, "\n[%s]\nimpl = %s\ndevice = %s\n", s->lab, s->implementation, s->device);
        write_others(f, file, s);
        good = fclose(f) == 0 && rename(temporary, path) == 0;
    }
    if (!good) {
        hpc_fail_env(err, "%s: %s; expected a file that can be written", SHOWN, strerror(errno));
        unlink(temporary);
    }
    ini_free(file);
    free(folder);
    free(temporary);
    free(path);
    return good;
}
