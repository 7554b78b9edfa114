/* The catalogue of variants: FOLDER/variants/variants.ini of every operation's folder. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lab/read.h"

static const char known_keys[] = "title, op, flags, libraries, needs, file";

/* One section into *v, which is zero. */
static bool read_variant(const struct ini_file *file, const struct ini_section *s,
                         const char *folder, struct variant *v, struct hpc_error *err)
{
    char op[LAB_NAME] = "", source[LAB_NAME];
    if (!lab_is_name(s->name, LAB_NAME_LENGTH) || strlen(folder) > 16)
        return hpc_fail(err, "%s:%d: [%s], expected a name of at most %d of a-z, 0-9, _",
                        file->shown, s->line, s->name, LAB_NAME_LENGTH);
    snprintf(source, sizeof source, "%.36s.c", s->name);
    snprintf(v->libraries, sizeof v->libraries, "-lm");
    if (!lab_known_keys(file, s, known_keys, err) ||
        !lab_read_text(file, s, "title", v->title, sizeof v->title, err) ||
        !lab_read_text(file, s, "op", op, sizeof op, err) ||
        !lab_read_text(file, s, "flags", v->flags, sizeof v->flags, err) ||
        !lab_read_text(file, s, "libraries", v->libraries, sizeof v->libraries, err) ||
        !lab_read_text(file, s, "file", source, sizeof source, err) ||
        !lab_read_needs(file, s, v->needs, sizeof v->needs, err))
        return false;
    if (!*v->title || !*op)
        return hpc_fail(err, "%s:%d: [%s] has no %s; expected one", file->shown, s->line, s->name,
                        *op ? "title" : "op");
    v->op = hpc_op_find(op);
    if (!v->op || strcmp(v->op->folder, folder) != 0)
        return hpc_fail(err, "%s:%d: unknown op \"%s\"; expected an operation of %s", file->shown,
                        ini_find(s, "op")->line, op, folder);
    if (strchr(source, '/'))
        return hpc_fail(err, "%s:%d: file = %s, expected a name in %s/variants", file->shown,
                        ini_find(s, "file")->line, source, folder);
    snprintf(v->name, sizeof v->name, "%.16s/%.22s", folder, s->name);
    snprintf(v->file, sizeof v->file, "%s/variants/%s", folder, source);
    return true;
}

/* One folder's variants, appended; returns the new number or -1. */
static int read_folder(const char *root, const char *folder, struct variant *variants, int n,
                       int max, struct hpc_error *err)
{
    char *shown = hpc_printf("%s/variants/variants.ini", folder);
    char *path = hpc_printf("%s/%s", root, shown);
    struct ini_file *file = ini_read(path, shown, err);
    free(path);
    free(shown);
    if (!file)
        return -1;
    for (int i = 0; i < file->n && n >= 0; i++) {
        if (n == max) {
            hpc_fail(err, "%s:%d: too many variants; expected at most %d", file->shown,
                     file->sections[i].line, max);
            n = -1;
            break;
        }
        memset(&variants[n], 0, sizeof variants[n]);
        n = read_variant(file, &file->sections[i], folder, &variants[n], err) ? n + 1 : -1;
    }
    ini_free(file);
    return n;
}

/* Whether an operation before this one has the same folder. */
static bool folder_seen(int op)
{
    for (int i = 0; i < op; i++)
        if (strcmp(hpc_ops[i]->folder, hpc_ops[op]->folder) == 0)
            return true;
    return false;
}

int catalogue_read(const char *root, struct variant *variants, int max, struct hpc_error *err)
{
    int n = 0;
    for (int i = 0; hpc_ops[i] && n >= 0; i++)
        if (!folder_seen(i))
            n = read_folder(root, hpc_ops[i]->folder, variants, n, max, err);
    return n;
}

const struct variant *catalogue_find(const struct variant *variants, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(variants[i].name, name) == 0)
            return &variants[i];
    return NULL;
}

int variants_load(const char *root, struct variant *variants, int max, struct hpc_error *err)
{
    int n = catalogue_read(root, variants, max, err), kept = 0;
    for (int i = 0; i < n; i++)
        if (lab_file_exists(root, variants[i].file))
            variants[kept++] = variants[i];
    return n < 0 ? -1 : kept;
}
