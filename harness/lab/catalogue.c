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

/* One folder's variants, appended. */
static bool read_folder(const char *root, const char *folder, struct catalogue *c,
                        struct hpc_error *err)
{
    char *shown = hpc_printf("%s/variants/variants.ini", folder);
    char *path = hpc_printf("%s/%s", root, shown);
    struct ini_file *file = ini_read(path, shown, err);
    bool good = file != NULL;
    free(path);
    free(shown);
    for (int i = 0; good && i < file->n; i++) {
        struct variant *v = &c->variant[c->n];
        if (c->n == VARIANTS_MAX) {
            good = hpc_fail(err, "%s:%d: too many variants; expected at most %d", file->shown,
                            file->sections[i].line, VARIANTS_MAX);
            break;
        }
        good = read_variant(file, &file->sections[i], folder, v, err);
        v->at_hand = good && lab_file_exists(root, v->file);
        c->n += good;
    }
    ini_free(file);
    return good;
}

/* Whether an operation before this one has the same folder. */
static bool folder_seen(int op)
{
    for (int i = 0; i < op; i++)
        if (strcmp(hpc_ops[i]->folder, hpc_ops[op]->folder) == 0)
            return true;
    return false;
}

bool catalogue_read(const char *root, struct catalogue *c, struct hpc_error *err)
{
    bool good = true;
    memset(c, 0, sizeof *c);
    for (int i = 0; hpc_ops[i] && good; i++)
        if (!folder_seen(i))
            good = read_folder(root, hpc_ops[i]->folder, c, err);
    return good;
}

const struct variant *catalogue_find(const struct catalogue *c, const char *name)
{
    for (int i = 0; i < c->n; i++)
        if (strcmp(c->variant[i].name, name) == 0)
            return &c->variant[i];
    return NULL;
}
