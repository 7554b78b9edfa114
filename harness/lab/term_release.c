/* What a release says of this term's variations: term.ini, a note in the handout and the starters.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/scratch.h"
#include "common/text.h"
#include "harness/lab/term.h"

/* TREE/NAME of two pieces of text, with the note between them. */
static bool write_noted(const char *tree, const char *name, const char *text, size_t before,
                        const char *note, struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s", tree, name);
    char *folder = hpc_printf("%.*s", (int)(strrchr(path, '/') - path), path);
    FILE *f = folder_make(folder, err) ? fopen(path, "w") : NULL;
    bool good = f && fprintf(f, "%.*s%s%s", (int)before, text, note, text + before) > 0;
    if (f && fclose(f) != 0)
        good = false;
    if (!good)
        hpc_fail_env(err, "cannot write %s", path);
    free(folder);
    free(path);
    return good;
}

static void add_words(void *data, const struct hpc_op *op, const struct hpc_term *t)
{
    text_add(data, "> This term, of `%s`: %s\n", op->name, t->says);
}

/* Behind the handout's first line, its title. */
static bool write_handout(const char *root, const struct lab *lab, const char *tree,
                          struct hpc_error *err)
{
    struct text note = {0};
    char *text = command_text(root, lab->handout, err);
    text_add(&note, "\n");
    term_each(lab, add_words, &note);
    const bool good = text && write_noted(tree, lab->handout, text, strcspn(text, "\n") + 1,
                                          text_string(&note), err);
    text_free(&note);
    free(text);
    return good;
}

static bool write_starter(const char *root, const struct lab *lab, const struct lab_task *t,
                          const char *tree, struct hpc_error *err)
{
    char *name = hpc_printf("labs/%s/starter/%s", lab->name, t->file);
    char *text = command_text(root, name, err);
    char *note = hpc_printf("/* This term: %s */\n", t->term->says);
    const bool good = text && write_noted(tree, name, text, 0, note, err);
    free(note);
    free(text);
    free(name);
    return good;
}

bool term_release(const char *root, const struct lab *lab, const char *tree, struct hpc_error *err)
{
    if (!*lab->term)
        return true;
    char *text = command_text(root, TERM_FILE, err);
    bool good = text && write_noted(tree, TERM_FILE, text, 0, "", err) &&
                write_handout(root, lab, tree, err);
    for (int i = 0; good && i < lab->n_tasks; i++)
        good = !lab->tasks[i].term || write_starter(root, lab, &lab->tasks[i], tree, err);
    free(text);
    return good;
}
