/* hpclab release: packs what students may see of a lab into dist/hpclab-LAB-VERSION.tar.gz, by an
 * allow-list (docs/lab.md), then unpacks, builds and grades it. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/command.h"
#include "common/version.h"
#include "harness/lab/lab.h"
#include "harness/lab/term.h"
#include "common/scratch.h"
#include "common/ui.h"
#include "harness/verbs/release.h"
#include "harness/verbs/verbs.h"

#define FILES_A_LINE 100 /* without a terminal */

/* Under which a student can commit their own files. */
static const char ignored[] = "/build/\n/.deps/\n/results/\n/dist/\n/compile_commands.json\n"
                              "*.bak\ngmon.out\n";

static bool shell(const char *command, struct hpc_error *err)
{
    int status = system(command);
    if (status == 0)
        return true;
    return hpc_fail_env(err, "release: this command failed (%d): %s",
                        WIFEXITED(status) ? WEXITSTATUS(status) : -1, command);
}

/* Runs make, a line a file, all of which goes to `log`; says how many there were as they come. */
static bool make_told(const char *command, const char *log, struct hpc_error *err)
{
    char line[1000], said[60];
    FILE *in = popen(command, "re"), *out = fopen(log, "we");
    for (int n = 1; in && fgets(line, sizeof line, in); n++) {
        if (out)
            fputs(line, out);
        line[strcspn(line, "\n")] = '\0';
        hpc_harmless(line);
        ui_progress("building file %d:%.60s", n, line);
        snprintf(said, sizeof said, "%d files built", n);
        if (n % FILES_A_LINE == 0)
            ui_step(said);
    }
    const int status = in ? pclose(in) : -1;
    if (out)
        fclose(out);
    if (status == 0)
        return true;
    char *tail = hpc_printf("tail -n 20 '%s' >&2", log);
    shell(tail, NULL);
    free(tail);
    return hpc_fail_env(err, "release: this command failed: %s", command);
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

/* A file below `tree` with the text, in folders that are there. */
static bool write_text(const char *tree, const char *name, const char *text, struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s", tree, name);
    FILE *f = fopen(path, "w");
    bool good = f && fputs(text, f) >= 0;
    if (f && fclose(f) != 0)
        good = false;
    if (!good)
        hpc_fail_env(err, "cannot write %s", path);
    free(path);
    return good;
}

/* docs/student.md with the lab's name and title for @LAB@ and @TITLE@. */
static bool write_readme(const char *root, const struct lab *lab, const char *tree,
                         struct hpc_error *err)
{
    char *text = command_text(root, "docs/student.md", err);
    const char *const words[] = {"@LAB@", lab->name, "@TITLE@", lab->title};
    if (!text)
        return false;
    for (int i = 0; i < 4; i += 2)
        for (char *at; (at = strstr(text, words[i])) != NULL;) {
            char *more =
                hpc_printf("%.*s%s%s", (int)(at - text), text, words[i + 1], at + strlen(words[i]));
            free(text);
            text = more;
        }
    bool good = write_text(tree, "README.md", text, err);
    free(text);
    return good;
}

/* lab.ini with `answers = sealed` in its section [lab], in place of what it says. */
static bool write_sealed(const char *root, const struct lab *lab, const char *tree,
                         struct hpc_error *err)
{
    char *from = hpc_printf("%s/labs/%s/lab.ini", root, lab->name), line[600];
    char *to = hpc_printf("%s/labs/%s/lab.ini", tree, lab->name);
    char *folder = hpc_printf("%s/labs/%s", tree, lab->name);
    FILE *in = fopen(from, "r"), *out = folder_make(folder, err) ? fopen(to, "w") : NULL;
    while (in && out && fgets(line, sizeof line, in)) {
        if (strncmp(line, "answers", 7) != 0 || !strchr(" =", line[7]))
            fputs(line, out);
        if (strncmp(line, "[lab]", 5) == 0)
            fputs("answers = sealed\n", out);
    }
    bool good = in && out;
    if (in)
        fclose(in);
    if (out && fclose(out) != 0)
        good = false;
    if (!good)
        hpc_fail_env(err, "cannot write %s", to);
    free(folder);
    free(from);
    free(to);
    return good;
}

/* What is made for the archive, below STAGE/tree. */
static bool write_made(const char *root, const struct lab *lab, bool open, const char *stage,
                       struct hpc_error *err)
{
    char *tree = hpc_printf("%s/tree", stage);
    bool good = folder_make(tree, err) && write_readme(root, lab, tree, err) &&
                write_text(tree, ".gitignore", ignored, err) &&
                (open || write_sealed(root, lab, tree, err)) && term_release(root, lab, tree, err);
    free(tree);
    return good;
}

static bool pack(const struct project *p, bool open, const char *stage, const char *name,
                 struct hpc_error *err)
{
    const char *root = p->root;
    char *list = hpc_printf("%s/list", stage);
    char *sums = hpc_printf(
        "export LC_ALL=C && cd '%s/tree' && find . -type f | sed 's,^./,,' | sort > ../made && "
        "{ grep -vxFf ../made '%s' || :; } | sort -u > ../rest && mv ../rest '%s' && cd '%s' && "
        "{ xargs -d '\\n' sha256sum < '%s'; cd '%s/tree'; xargs -d '\\n' sha256sum < ../made; } | "
        "sort -k 2 > '%s/MANIFEST'",
        stage, list, list, root, list, stage, stage);
    char *tar = hpc_printf(
        "tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "
        "--transform='s,^,%s/,' -czf '%s/%s.tar.gz' -C '%s' -T '%s' -C '%s/tree' -T "
        "'%s/made' -C '%s' MANIFEST",
        name, stage, name, root, list, stage, stage, stage);
    ui_progress_parts(3);
    ui_step("packing");
    bool good = starters_there(root, p->lab, err) && release_list(p, open, list, err) &&
                write_made(root, p->lab, open, stage, err) && shell(sums, err) && shell(tar, err);
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
    char *make = hpc_printf("cd '%s' && tar -xzf '%s.tar.gz' && cd '%s' && { [ ! -d '%s/.deps' "
                            "] || ln -s '%s/.deps' .deps; } && make %s 2>&1",
                            stage, name, name, root, root, lab->name);
    char *log = hpc_printf("%s/log", stage);
    char *grade =
        hpc_printf("cd '%s/%s' && { ./grade --plain --quick > '%s/log' 2>&1; [ $? = 1 ]; } || "
                   "{ tail -n 20 '%s/log' >&2; exit 1; }",
                   stage, name, stage, stage);
    ui_progress_part();
    ui_step("unpacking and building it as a student would");
    bool good = make_told(make, log, err);
    free(log);
    ui_progress_part();
    if (good)
        ui_step("grading its starters");
    good = good && shell(grade, err);
    ui_progress_end();
    free(make);
    free(grade);
    return good;
}

/* Into dist/, where nothing lies that was packed and not tried to its end. */
static bool publish(const char *root, const char *stage, const char *name, struct hpc_error *err)
{
    char *move = hpc_printf("mkdir -p '%s/dist' && mv -f '%s/%s.tar.gz' '%s/dist/'", root, stage,
                            name, root);
    bool good = shell(move, err);
    free(move);
    return good;
}

/* A baseline that is a solution of another lab: from then on everybody can read it. */
static void say_deadlines(const struct project *p)
{
    char names[64][LAB_NAME];
    struct hpc_error err;
    const struct lab *lab = p->lab;
    struct lab *other = hpc_calloc(1, sizeof *other);
    int n = lab_names(p->root, names, 64);
    for (int i = 0; i < n; i++) {
        if (!strcmp(names[i], lab->name) || !lab_load(p->root, p->catalogue, names[i], other, &err))
            continue;
        for (int k = 0; k < other->n_tasks; k++) {
            const struct lab_task *solved = &other->tasks[k];
            bool given = false;
            for (int t = 0; t < lab->n_tasks; t++)
                given |= *solved->reference && !strcmp(lab->tasks[t].baseline, solved->reference);
            if (given)
                printf("it holds %s, the solution of %s/%s: the deadline of %s must have passed\n",
                       solved->reference, other->name, solved->name, other->name);
        }
    }
    free(other);
}

struct options {
    const char *lab, *answers;
    bool open, checked;
};

#define AT(member) .at = offsetof(struct options, member)
static const struct option_row rows[] = {
    {"answers", "sealed|open", "whether what is right in answers is in it; default sealed",
     OPTION_CHOICE, AT(answers)},
    {"no-check", NULL, "do not unpack, build and grade it", OPTION_OFF, AT(checked)},
    {0},
};
const struct option_table release_options = {
    .command = "./hpclab release",
    .words = "LAB",
    .title = "the students' archive of a lab",
    .about = "Packs what students may see of a lab into dist/hpclab-LAB-" HPC_VERSION
             ".tar.gz: no solution, no hidden case; with sealed answers nothing that says what is "
             "right in them. Then unpacks, builds and grades it.",
    .examples = "./hpclab release LAB\nmake release LAB=.. [ANSWERS=open]",
    .least = 1,
    .most = 1,
    .expected = "one lab; for example: make release LAB=lab3",
    .rows = rows,
};

/* 1: go on; 0: help was printed; -1: err. */
static int read_options(int argc, char **argv, struct options *o, struct hpc_error *err)
{
    *o = (struct options){.checked = true};
    int go = options_read(&release_options, &argc, &argv, o, err);
    if (go <= 0)
        return go;
    o->lab = argv[0];
    o->open = o->answers && strcmp(o->answers, "open") == 0;
    return 1;
}

int verb_release(struct project *p, int argc, char **argv)
{
    struct hpc_error err;
    struct options o;
    int go = read_options(argc, argv, &o, &err);
    if (go <= 0)
        return go == 0 ? HPC_EXIT_OK : hpc_report(&err);
    char *stage = scratch_name(p->root, "release");
    char *release = hpc_printf("hpclab-%s-%s", o.lab, HPC_VERSION);
    bool good = project_lab(p, o.lab, &err) && folder_make(stage, &err) &&
                pack(p, o.open, stage, release, &err) &&
                (!o.checked || check(p->root, p->lab, stage, release, &err)) &&
                publish(p->root, stage, release, &err);
    int status = good ? HPC_EXIT_OK : hpc_report(&err);
    folder_remove(stage);
    if (good) {
        say_reference_missing(p);
        printf("dist/%s.tar.gz, answers %s%s\n", release, o.open ? "open" : "sealed",
               o.checked ? ": unpacked, built, and its starters graded" : ": not checked");
        say_deadlines(p);
    }
    free(stage);
    free(release);
    return status;
}
