#define _GNU_SOURCE
#include "harness/trial/objects.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/build/build.h"
#include "harness/lab/lab.h"
#include "common/interrupt.h"
#include "common/scratch.h"
#include "common/ui.h"

/* NAME of "FOLDER/NAME", or NULL where the variant is of another folder. */
static const char *name_in(const struct variant *v, const char *folder)
{
    size_t length = strlen(folder);
    bool inside = strncmp(v->name, folder, length) == 0 && v->name[length] == '/';
    return inside ? v->name + length + 1 : NULL;
}

static bool is_folder(const char *folder)
{
    for (int i = 0; hpc_ops[i]; i++)
        if (strcmp(hpc_ops[i]->folder, folder) == 0)
            return true;
    return false;
}

/* build_variant's object.o lies in a folder of its own; NAME.o is a link to it. */
static bool publish(const char *root, const char *folder, const char *name, const char *object,
                    struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s/%s.o", root, folder, name);
    char *temporary = scratch_beside(path);
    struct stat old, new;
    bool fresh = stat(path, &old) == 0 && stat(object, &new) == 0 && old.st_ino == new.st_ino;
    unlink(temporary);
    bool good = fresh || (link(object, temporary) == 0 && rename(temporary, path) == 0);
    if (!good)
        hpc_fail_env(err, "%s: %s; expected to link it from %s", path, strerror(errno), object);
    free(temporary);
    free(path);
    return good;
}

enum fate { BUILT, LEFT_OUT, BROKEN };

/* BROKEN with *err; a line for each on stdout. */
static enum fate build_one(const char *root, const char *folder, const char *name,
                           const struct variant *v, enum hpc_place device, struct hpc_error *err)
{
    char output[2 * LAB_NAME + 32], symbol[LAB_NAME + 16];
    struct build_result r = {.outcome.verdict = VERDICT_ENVIRONMENT};
    snprintf(output, sizeof output, "%s/%s", folder, name);
    snprintf(symbol, sizeof symbol, "hpc_variant_%s", name);
    struct build_spec spec = {
        .root = root,
        .source = v->file,
        .folder = output,
        .op_folder = v->op->folder,
        .flags = v->flags,
        .libraries = v->libraries,
        .rename = symbol,
        .kind = device == DEVICE_CUDA ? BUILD_CUDA_OBJECT : BUILD_OBJECT,
    };
    ui_progress("building %s", v->name);
    build_variant(&spec, &r);
    ui_progress_end();
    if (r.outcome.verdict == VERDICT_PASS) {
        printf("  %s %s%s\n", ui_tick(), v->name, r.built ? "" : " (fresh)");
        return publish(root, folder, name, r.output, err) ? BUILT : BROKEN;
    }
    if (*v->needs && r.outcome.verdict == VERDICT_BUILD) {
        printf("  %s %s left out, it needs %s: %s\n", ui_cross(), v->name, v->needs,
               r.outcome.reason);
        return LEFT_OUT;
    }
    printf("  %s %s %s: %s\n", ui_cross(), v->name, verdict_names[r.outcome.verdict],
           r.outcome.reason);
    hpc_fail_env(err, "%s: %s: %s", v->name, verdict_names[r.outcome.verdict], r.outcome.reason);
    return BROKEN;
}

/* Whether the file holds exactly this text. */
static bool same_text(const char *path, const char *text)
{
    size_t length = strlen(text);
    char *there = hpc_malloc(length + 1);
    FILE *f = fopen(path, "r");
    bool same = f && fread(there, 1, length + 1, f) == length && memcmp(there, text, length) == 0;
    if (f)
        fclose(f);
    free(there);
    return same;
}

/* text, of which the caller gives up ownership, to table.c or table-NAME.c of the folder. */
static bool write_table(const char *root, const char *folder, const char *only, char *text,
                        struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s/table%s%s.c", root, folder, only ? "-" : "", only ? only : "");
    bool good = true;
    if (!same_text(path, text)) {
        FILE *f = fopen(path, "w");
        good = f && fputs(text, f) >= 0;
        if (f && fclose(f) != 0)
            good = false;
        if (!good)
            hpc_fail_env(err, "%s: %s; expected a file that can be written", path, strerror(errno));
    }
    free(path);
    free(text);
    return good;
}

/* *text becomes *text BEFORE NAME AFTER. */
static void append(char **text, const char *before, const char *name, const char *after)
{
    char *more = hpc_printf("%s%s%s%s", *text, before, name, after);
    free(*text);
    *text = more;
}

/* The variants of the folder, or the only one; rows and declarations of the table get those that
 * were built. False with *err, which names the first that was not and says how many. */
static bool build_each(const struct project *p, const char *folder, const char *only,
                       const char *output, enum hpc_place device, char **declarations, char **rows,
                       struct hpc_error *err)
{
    struct hpc_error other;
    int tried = 0, broken = 0;
    for (int i = 0; i < p->catalogue->n && !hpc_interrupted(); i++) {
        const struct variant *v = &p->catalogue->variant[i];
        const char *name = name_in(v, folder);
        if (!name || !v->at_hand || (only && strcmp(only, name) != 0))
            continue;
        tried++;
        enum fate o = build_one(p->root, output, name, v, device, broken ? &other : err);
        broken += o == BROKEN;
        if (o != BUILT)
            continue;
        append(declarations, "extern const struct hpc_variant hpc_variant_", name, ";\n");
        append(rows, "    &hpc_variant_", name, ",\n");
    }
    if (hpc_interrupted())
        return hpc_fail_env(err, "interrupted; objects that were built stay");
    if (broken > 1) {
        other = *err;
        hpc_fail_env(err, "%d of %d variants were not built, the first: %.900s", broken, tried,
                     other.text);
    }
    return !broken;
}

bool build_objects(struct project *p, const char *folder, const char *only, enum hpc_place device,
                   struct hpc_error *err)
{
    char output[LAB_NAME + 32];
    if (!is_folder(folder))
        return hpc_fail(err, "--objects %.40s: expected an operation's folder, such as %s", folder,
                        hpc_ops[0]->folder);
    snprintf(output, sizeof output, "build/%s/variants/%s", device_name(device), folder);
    if (!project_catalogue(p, err))
        return false;
    char *declarations = hpc_strdup(""), *rows = hpc_strdup("");
    bool good = build_each(p, folder, only, output, device, &declarations, &rows, err) &&
                write_table(p->root, output, only,
                            hpc_printf("/* Written by hpclab build --objects %s. */\n"
                                       "#include \"common/table.h\"\n\n"
                                       "%s\n"
                                       "const struct hpc_variant *const hpc_variants[] = {\n"
                                       "%s    NULL,\n};\n",
                                       folder, declarations, rows),
                            err);
    free(declarations);
    free(rows);
    return good;
}
