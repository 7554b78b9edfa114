#define _GNU_SOURCE
#include "harness/trial/objects.h"

#include <errno.h>
#include <fnmatch.h>
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

#define SECONDS         900 /* that a compiler may take for one of ours */
#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

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
                           const struct variant *v, const struct objects *what,
                           struct hpc_error *err)
{
    struct build_result r = {.outcome.verdict = VERDICT_ENVIRONMENT};
    char *output = hpc_printf("%s/%s", folder, name);
    char *symbol = hpc_printf("hpc_variant_%s", name);
    char *flags = hpc_printf("%s%s%s", what->bare ? "" : v->flags, what->flags ? " " : "",
                             what->flags ? what->flags : "");
    struct build_spec spec = {
        .root = root,
        .source = v->file,
        .folder = output,
        .op_folder = v->op->folder,
        .given = v->op->given,
        .flags = flags,
        .libraries = v->libraries,
        .seconds = SECONDS,
        .rename = symbol,
        .kind = what->device == DEVICE_CUDA ? BUILD_CUDA_OBJECT : BUILD_OBJECT,
    };
    const char *suffix = what->suffix ? what->suffix : "";
    ui_progress("building %s%s", v->name, suffix);
    build_variant(&spec, &r);
    ui_progress_end();
    free(output);
    free(symbol);
    free(flags);
    if (r.outcome.verdict == VERDICT_PASS) {
        printf("  %s %s%s%s\n", ui_tick(), v->name, suffix, r.built ? "" : " (fresh)");
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

/* Whether the variant is among those to build. */
static bool wanted(const struct objects *what, const char *name)
{
    bool named = what->n_names == 0;
    for (int i = 0; i < what->n_names; i++)
        named |= strcmp(what->names[i], name) == 0;
    return named && !(what->except && fnmatch(what->except, name, 0) == 0);
}

/* Whether each name is one of the folder's. */
static bool names_known(const struct objects *what, const struct catalogue *all,
                        struct hpc_error *err)
{
    for (int i = 0; i < what->n_names; i++) {
        bool known = false;
        for (int k = 0; k < all->n; k++) {
            const char *name = name_in(&all->variant[k], what->folder);
            known |= name && all->variant[k].at_hand && strcmp(name, what->names[i]) == 0;
        }
        if (!known)
            return hpc_fail(err,
                            "--objects %s %.40s: no such variant here; ./hpclab list --variants "
                            "shows them",
                            what->folder, what->names[i]);
    }
    return true;
}

/* What the table and the list hold, each a text that grows. */
struct listing {
    char *declarations, *rows, *paths;
};

/* *text becomes *text BEFORE NAME AFTER. */
static void listing_add(char **text, const char *before, const char *name, const char *after)
{
    char *more = hpc_printf("%s%s%s%s", *text, before, name, after);
    free(*text);
    *text = more;
}

/* The variants that are wanted; the listing gets those that were built. False with *err, which
 * names the first that was not and says how many. */
static bool build_each(const struct project *p, const struct objects *what, const char *output,
                       struct listing *made, struct hpc_error *err)
{
    struct hpc_error other;
    int tried = 0, broken = 0;
    bool good = names_known(what, p->catalogue, err);
    for (int i = 0; good && i < p->catalogue->n && !hpc_interrupted(); i++) {
        const struct variant *v = &p->catalogue->variant[i];
        const char *plain = name_in(v, what->folder);
        if (!plain || !v->at_hand || !wanted(what, plain))
            continue;
        char *name = hpc_printf("%s%s", plain, what->suffix ? what->suffix : "");
        tried++;
        enum fate fate = build_one(p->root, output, name, v, what, broken ? &other : err);
        broken += fate == BROKEN;
        if (fate == BUILT) {
            listing_add(&made->declarations, "extern const struct hpc_variant hpc_variant_", name,
                        ";\n");
            listing_add(&made->rows, "    &hpc_variant_", name, ",\n");
            listing_add(&made->paths, output, "/", "");
            listing_add(&made->paths, name, ".o", "\n");
        }
        free(name);
    }
    if (good && hpc_interrupted())
        return hpc_fail_env(err, "interrupted; objects that were built stay");
    if (broken > 1) {
        other = *err;
        hpc_fail_env(err, "%d of %d variants were not built, the first: %.900s", broken, tried,
                     other.text);
    }
    return good && !broken;
}

/* text, of which the caller gives up ownership, to NAME[-FIRST]SUFFIX of the output folder. */
static bool write_listing(const char *root, const char *output, const struct objects *what,
                          const char *name, const char *suffix, char *text, struct hpc_error *err)
{
    char *first = what->n_names
                      ? hpc_printf("-%s%s", what->names[0], what->suffix ? what->suffix : "")
                      : hpc_strdup("");
    char *path = hpc_printf("%s/%s/%s%s%s", root, output, name, first, suffix);
    bool good = true;
    if (!same_text(path, text)) {
        FILE *f = fopen(path, "w");
        good = f && fputs(text, f) >= 0;
        if (f && fclose(f) != 0)
            good = false;
        if (!good)
            hpc_fail_env(err, "%s: %s; expected a file that can be written", path, strerror(errno));
    }
    free(first);
    free(path);
    free(text);
    return good;
}

bool build_objects(struct project *p, const struct objects *what, struct hpc_error *err)
{
    if (!is_folder(what->folder))
        return hpc_fail(err, "--objects %.40s: expected an operation's folder, such as %s",
                        what->folder, hpc_ops[0]->folder);
    if (what->suffix && strspn(what->suffix, NAME_CHARACTERS) != strlen(what->suffix))
        return hpc_fail(err, "--suffix %.40s: expected letters, digits and _", what->suffix);
    if (!project_catalogue(p, err))
        return false;
    char *output = hpc_printf("build/%s/variants/%s", device_name(what->device), what->folder);
    struct listing made = {hpc_strdup(""), hpc_strdup(""), hpc_strdup("")};
    bool good = build_each(p, what, output, &made, err) &&
                write_listing(p->root, output, what, "table", ".c",
                              hpc_printf("/* Written by hpclab build --objects %s. */\n"
                                         "#include \"common/table.h\"\n\n"
                                         "%s\n"
                                         "const struct hpc_variant *const hpc_variants[] = {\n"
                                         "%s    NULL,\n};\n",
                                         what->folder, made.declarations, made.rows),
                              err) &&
                write_listing(p->root, output, what, "objects", "", hpc_strdup(made.paths), err);
    free(made.declarations);
    free(made.rows);
    free(made.paths);
    free(output);
    return good;
}
