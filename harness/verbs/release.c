/* hpclab release: packs what students may see of a lab into dist/hpclab-LAB-VERSION.tar.gz, by an
 * allow-list (docs/interfaces.md), then unpacks, builds and grades it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/version.h"
#include "harness/lab/lab.h"
#include "common/scratch.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

static const char usage[] =
    "usage: hpclab release LAB [--no-check]\n"
    "Packs what students may see of a lab into dist/hpclab-LAB-" HPC_VERSION
    ".tar.gz: no solution,\n"
    "no hidden case. Then unpacks, builds and grades it, which --no-check leaves out.\n"
    "Example: ./hpclab release lab3      (or: make release LAB=lab3)\n";

/* Of these folders, everything in the folder itself with one of the suffixes. */
static const struct {
    const char *suffixes, *folders;
} packed[] = {
    {".mk .css", "mk"},
    {".c .cu .h .def .json",
     "common runner harness/verbs harness/grade harness/answers harness/trial harness/measure "
     "harness/exchange harness/handin harness/record harness/lab harness/build harness/jail "
     "harness/jail/inside harness/machine harness/profile harness/cuda "
     "device/rewrite device/runtime device/check device/libraries device/include "
     "device/include/hpc_device device/include/cooperative_groups reference"},
    {".csv .md .txt .data", "data"},
};
static const char *const files[] = {"Makefile", "bootstrap", "grade", "hpclab", "LICENSE"};

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

/* An operation's folder: what variants see, its trusted side and programs, its catalogue, no
 * variant. */
static void add_operation(struct packing *p, const char *folder)
{
    char *rooms =
        hpc_printf("%s/op %s/featuremaps %s/app %s/profile", folder, folder, folder, folder);
    char *variants = hpc_printf("%s/variants", folder);
    add_folder(p, folder, ".h");
    add_folders(p, rooms, ".c .h");
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

static void add_lab(struct packing *p, const struct lab *lab)
{
    char path[512];
    static struct variant variants[VARIANTS_MAX];
    int n = variants_load(p->root, variants, VARIANTS_MAX, NULL);
    snprintf(path, sizeof path, "labs/%s/lab.ini", lab->name);
    add(p, path);
    snprintf(path, sizeof path, "labs/%s/starter", lab->name);
    add_folder(p, path, ".c .cu .h .ini");
    add_handout(p, lab->handout);
    for (int i = 0; i < n; i++) {
        bool baseline = false;
        for (int k = 0; k < lab->n_tasks; k++)
            baseline |= !strcmp(variants[i].name, lab->tasks[k].baseline);
        if (baseline)
            add_variant(p, variants[i].file);
    }
}

static bool starters_there(const char *root, const struct lab *lab, struct hpc_error *err)
{
    for (int i = 0; i < lab->n_tasks; i++) {
        char *path = hpc_printf("%s/labs/%s/starter/%s", root, lab->name, lab->tasks[i].file);
        bool there = access(path, R_OK) == 0;
        free(path);
        if (!there)
            return hpc_fail_env(err, "release: task %s of %s has no starter labs/%s/starter/%s",
                                lab->tasks[i].name, lab->name, lab->name, lab->tasks[i].file);
    }
    return true;
}

static bool write_list(const char *root, const struct lab *lab, const char *path,
                       struct hpc_error *err)
{
    struct packing p = {.root = root, .list = fopen(path, "w")};
    if (!p.list)
        return hpc_fail_env(err, "cannot write %s: %s", path, strerror(errno));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        add(&p, files[i]);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        add_folders(&p, packed[i].folders, packed[i].suffixes);
    for (int i = 0; hpc_ops[i]; i++)
        if (i == 0 || strcmp(hpc_ops[i]->folder, hpc_ops[i - 1]->folder))
            add_operation(&p, hpc_ops[i]->folder);
    add_lab(&p, lab);
    return fclose(p.list) == 0 || hpc_fail_env(err, "cannot write %s", path);
}

/* Run a shell command of ours; paths in it are single-quoted by the caller. */
static bool shell(const char *command, struct hpc_error *err)
{
    int status = system(command);
    if (status == 0)
        return true;
    return hpc_fail_env(err, "release: this command failed (%d): %s",
                        WIFEXITED(status) ? WEXITSTATUS(status) : -1, command);
}

static bool pack(const char *root, const struct lab *lab, const char *stage, const char *name,
                 struct hpc_error *err)
{
    char *list = hpc_printf("%s/list", stage);
    char *sums =
        hpc_printf("cd '%s' && LC_ALL=C sort -u -o '%s' '%s' && xargs -d '\\n' sha256sum < '%s' > "
                   "'%s/MANIFEST' && mkdir -p dist",
                   root, list, list, list, stage);
    char *tar = hpc_printf(
        "tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "
        "--transform='s,^,%s/,' -czf '%s/dist/%s.tar.gz' -C '%s' -T '%s' -C '%s' "
        "MANIFEST",
        name, root, name, root, list, stage);
    bool good = starters_there(root, lab, err) && write_list(root, lab, list, err) &&
                shell(sums, err) && shell(tar, err);
    free(list);
    free(sums);
    free(tar);
    return good;
}

/* As a student gets it: unpacked, built, graded; the starters must be graded and score below all.
 */
static bool check(const char *root, const struct lab *lab, const char *stage, const char *name,
                  struct hpc_error *err)
{
    char *make =
        hpc_printf("cd '%s' && tar -xzf '%s/dist/%s.tar.gz' && cd '%s' && { [ ! -d '%s/.deps' "
                   "] || ln -s '%s/.deps' .deps; } && make -s %s > '%s/log' 2>&1 || { tail -n "
                   "20 '%s/log' >&2; exit 1; }",
                   stage, root, name, name, root, root, lab->name, stage, stage);
    char *grade =
        hpc_printf("cd '%s/%s' && { ./grade --plain --quick > '%s/log' 2>&1; [ $? = 1 ]; } || "
                   "{ tail -n 20 '%s/log' >&2; exit 1; }",
                   stage, name, stage, stage);
    ui_progress("release: building %s as a student would", name);
    bool good = shell(make, err);
    ui_progress("release: grading its starters");
    good = good && shell(grade, err);
    ui_progress_end();
    free(make);
    free(grade);
    return good;
}

int verb_release(const char *root, int argc, char **argv)
{
    struct hpc_error err;
    const char *name = NULL;
    bool checked = true;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help"))
            return fputs(usage, stdout), HPC_EXIT_OK;
        if (!strcmp(argv[i], "--no-check"))
            checked = false;
        else if (argv[i][0] == '-' || name)
            return hpc_fail(&err, "release: unexpected \"%s\"; see ./hpclab release --help",
                            argv[i]),
                   hpc_report(&err);
        else
            name = argv[i];
    }
    if (!name)
        return hpc_fail(&err, "release: which lab? For example: make release LAB=lab3"),
               hpc_report(&err);
    struct lab *lab = hpc_calloc(1, sizeof *lab);
    char *stage = scratch_name(root, "release");
    char *release = hpc_printf("hpclab-%s-%s", name, HPC_VERSION);
    char *clean = hpc_printf("rm -rf '%s'", stage);
    char *begin = hpc_printf("mkdir -p '%s'", stage);
    bool good = lab_load(root, name, lab, &err) && shell(begin, &err) &&
                pack(root, lab, stage, release, &err) &&
                (!checked || check(root, lab, stage, release, &err));
    int status = good ? HPC_EXIT_OK : hpc_report(&err);
    if (system(clean) != 0)
        fprintf(stderr, "hpclab: release: could not remove %s\n", stage);
    if (good)
        say_reference_missing(root, lab);
    if (good)
        printf("dist/%s.tar.gz%s\n", release,
               checked ? ": unpacked, built, and its starters graded" : ": not checked");
    free(lab);
    free(stage);
    free(release);
    free(clean);
    free(begin);
    return status;
}
