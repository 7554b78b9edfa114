/* compile_commands.json: how each solution of a lab is compiled, for editors. */
#define _GNU_SOURCE
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "harness/trial/trial.h"

/* The words of a text, parted by blanks, to an array. */
static void add_words(json_t *to, const char *text)
{
    while (*(text += strspn(text, " \n"))) {
        const size_t n = strcspn(text, " \n");
        json_array_append_new(to, json_stringn(text, n));
        text += n;
    }
}

/* What the CPU device compiles with. */
static void add_device_flags(json_t *to, const char *root)
{
    struct command_line w = {.n = 0};
    build_device_flags(root, "run", "cpp", &w);
    build_device_flags(root, "run", "clang", &w);
    for (int i = 0; i < w.n; i++)
        json_array_append_new(to, json_string(w.word[i]));
    command_line_clear(&w);
}

static json_t *entry_of(const struct project *p, const struct lab_task *task)
{
    char *file = hpc_printf("labs/%s/%s", p->lab->name, task->file);
    json_t *words = json_array();
    if (lab_task_cuda(task)) {
        add_words(words, "clang++ -xc++");
        add_device_flags(words, p->root);
    } else {
        add_words(words, "gcc -std=gnu11 -g -Wall");
    }
    add_words(words, task->flags);
    add_words(words, "-I. -c");
    json_array_append_new(words, json_string(file));
    json_t *entry =
        json_pack("{s:s, s:s, s:o}", "directory", p->root, "file", file, "arguments", words);
    free(file);
    return entry;
}

bool trial_editor_file(const struct project *p)
{
    json_t *all = json_array();
    for (int i = 0; i < p->lab->n_tasks; i++)
        if (p->lab->tasks[i].kind == TASK_VARIANT)
            json_array_append_new(all, entry_of(p, &p->lab->tasks[i]));
    char *path = hpc_printf("%s/compile_commands.json", p->root);
    const bool good = json_dump_file(all, path, JSON_INDENT(1)) == 0;
    free(path);
    json_decref(all);
    return good;
}
