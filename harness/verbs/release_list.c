/* Which files of the project are in a students' archive: an allow-list (docs/lab.md). */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/lab/lab.h"
#include "harness/verbs/release.h"

/* Of these folders, everything in the folder itself with one of the suffixes. */
static const struct {
    const char *suffixes, *folders;
} packed[] = {
    {".c .cu .h .def .json",
     "common runner harness/verbs harness/course harness/cluster harness/watch harness/compare "
     "harness/bench harness/report harness/view harness/lines "
     "harness/class harness/grade "
     "harness/answers harness/trial harness/measure harness/exchange harness/handin "
     "harness/record harness/lab harness/build harness/jail "
     "harness/jail/inside harness/machine harness/profile harness/similar harness/cuda "
     "device/rewrite device/runtime device/api device/check device/traffic device/report "
     "device/shadow device/libraries device/include device/include/hpc_device "
     "device/include/cooperative_groups reference"},
    {".csv .md .txt .data", "data"},
    {".css .html .js .lua .md", "mk/site"},
};
static const char *const files[] = {
    "Makefile",        "bootstrap",      "grade",           "hpclab",
    "LICENSE",         "mk/detect.mk",   "mk/device.mk",    "mk/runner.mk",
    "mk/libraries.mk", "mk/handouts.mk", "mk/site/palette", "mk/lacks.awk",
};

struct packing {
    const char *root;
    FILE *list; /* paths below root, one a line */
    int n;
};

static void add(struct packing *p, const char *path)
{
    fprintf(p->list, "%s\n", path);
    p->n++;
}

static bool has_suffix(const char *name, const char *suffixes)
{
    const char *dot = strrchr(name, '.');
    const char *at = dot ? strstr(suffixes, dot) : NULL;
    size_t n = dot ? strlen(dot) : 0;
    return at && (at[n] == ' ' || !at[n]);
}

/* Every regular file of a folder with one of the suffixes; a folder that is not there has none. */
static void add_folder(struct packing *p, const char *folder, const char *suffixes)
{
    char path[4096];
    struct dirent **entries;
    snprintf(path, sizeof path, "%s/%s", p->root, folder);
    int n = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        struct stat info;
        snprintf(path, sizeof path, "%s/%s/%s", p->root, folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && has_suffix(entries[i]->d_name, suffixes) &&
            !lstat(path, &info) && S_ISREG(info.st_mode))
            add(p, path + strlen(p->root) + 1);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

static void add_folders(struct packing *p, const char *folders, const char *suffixes)
{
    char *words = hpc_strdup(folders), *rest = words, *folder;
    while ((folder = strtok_r(rest, " ", &rest)) != NULL)
        add_folder(p, folder, suffixes);
    free(words);
}

/* An operation's folder: what all variants see, its trusted side and programs, its catalogue, no
 * variant. */
static void add_operation(struct packing *p, const char *folder)
{
    char *rooms =
        hpc_printf("%s/op %s/featuremaps %s/app %s/profile", folder, folder, folder, folder);
    char *variants = hpc_printf("%s/variants", folder);
    add_folder(p, folder, ".h");
    add_folders(p, rooms, ".c .cu .h .def");
    add_folder(p, variants, ".ini");
    free(rooms);
    free(variants);
}

/* The handout, the figures that it shows ("](NAME.svg)") and the programs that it names
 * ("tests/device/..cu"), each once. */
static void add_handout(struct packing *p, const char *handout)
{
    char *path = hpc_printf("%s/%s", p->root, handout), word[200], *seen = hpc_strdup(" ");
    FILE *f = fopen(path, "r");
    free(path);
    add(p, handout);
    while (f && fscanf(f, " %199s", word) == 1) {
        char *name = strstr(word, "tests/device/"), *figure = strstr(word, "](");
        char *file = NULL;
        if (name && strstr(name, ".cu"))
            file = hpc_printf("%.*s.cu", (int)(strstr(name, ".cu") - name), name);
        else if (figure && strstr(figure, ".svg)"))
            file = hpc_printf("handouts/%.*s.svg", (int)(strstr(figure, ".svg)") - figure - 2),
                              figure + 2);
        if (!file)
            continue;
        char *marked = hpc_printf(" %s ", file);
        if (!strstr(seen, marked)) {
            char *more = hpc_printf("%s%s", seen, marked + 1);
            add(p, file);
            free(seen);
            seen = more;
        }
        free(marked);
        free(file);
    }
    if (f)
        fclose(f);
    free(seen);
}

/* A variant, and what it includes of the headers beside it, each of which may include others. */
static void add_variant(struct packing *p, const char *file)
{
    char line[300], name[200];
    char *path = hpc_printf("%s/%s", p->root, file);
    FILE *f = fopen(path, "r");
    free(path);
    add(p, file);
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "#include \"%199[^\"]\"", name) == 1 && strstr(name, "/variants/"))
            add_variant(p, name);
    if (f)
        fclose(f);
}

/* What variants of the lab's operations see besides, each once. */
static void add_given(struct packing *p, const struct lab *lab)
{
    for (int i = 0; i < lab->n_tasks; i++) {
        const struct hpc_op *op = lab->tasks[i].op;
        bool new = op && op->given;
        for (int k = 0; k < i && new; k++)
            new = lab->tasks[k].op != op;
        if (new)
            add_folder(p, op->given, ".h");
    }
}

static void add_lab(struct packing *p, const struct project *project, bool open)
{
    static const char *const right[] = {"lab.ini", "expected.ini", "marker.c"};
    char path[512];
    const struct lab *lab = project->lab;
    for (int i = 0; open && i < 3; i++) {
        char *file = hpc_printf("labs/%s/%s", lab->name, right[i]);
        char *whole = hpc_printf("%s/%s", p->root, file);
        if (access(whole, R_OK) == 0)
            add(p, file);
        free(whole);
        free(file);
    }
    snprintf(path, sizeof path, "labs/%s/marker", lab->name);
    if (open)
        add_folder(p, path, ".c .h");
    snprintf(path, sizeof path, "labs/%s/starter", lab->name);
    add_folder(p, path, ".c .cu .h .ini");
    add_given(p, lab);
    add_handout(p, lab->handout);
    add(p, "handouts/basics.md");
    for (int i = 0; i < project->catalogue->n; i++) {
        const struct variant *v = &project->catalogue->variant[i];
        bool baseline = false;
        for (int k = 0; k < lab->n_tasks; k++)
            baseline |= !strcmp(v->name, lab->tasks[k].baseline);
        if (baseline && v->at_hand)
            add_variant(p, v->file);
    }
}

bool release_list(const struct project *project, bool open, const char *path, struct hpc_error *err)
{
    struct packing p = {.root = project->root, .list = fopen(path, "w")};
    if (!p.list)
        return hpc_fail_env(err, "cannot write %s: %s", path, strerror(errno));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        add(&p, files[i]);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        add_folders(&p, packed[i].folders, packed[i].suffixes);
    for (int i = 0; hpc_ops[i]; i++)
        if (i == 0 || strcmp(hpc_ops[i]->folder, hpc_ops[i - 1]->folder))
            add_operation(&p, hpc_ops[i]->folder);
    add_lab(&p, project, open);
    return fclose(p.list) == 0 || hpc_fail_env(err, "cannot write %s", path);
}
