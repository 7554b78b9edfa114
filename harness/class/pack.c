/* A hand-in: the lab's files, a report, a manifest. Nothing in it is believed when it is graded. */
#define _GNU_SOURCE
#include "harness/class/pack.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/interrupt.h"
#include "common/scratch.h"
#include "common/sha256.h"
#include "common/text.h"
#include "common/version.h"
#include "harness/grade/task.h"
#include "harness/lab/starters.h"

int pack_words(const char *path, struct hpc_error *err)
{
    FILE *f = scratch_open_regular(path);
    if (!f) {
        hpc_fail(err, "%s: %s, expected a text", path, strerror(errno));
        return -1;
    }
    int words = 0, before = ' ';
    for (int c; (c = getc(f)) != EOF; before = c)
        words += isspace(before) && !isspace(c);
    fclose(f);
    return words;
}

char *pack_report(const struct project *p)
{
    const struct lab *lab = p->lab;
    if (!lab->report[0])
        return NULL;
    char *path = hpc_printf("%s/labs/%s/%s", p->root, lab->name, lab->report);
    const bool there = access(path, F_OK) == 0;
    const int words = there ? pack_words(path, NULL) : -1;
    free(path);
    if (words > 0 && words <= lab->report_words)
        return NULL;
    if (words > 0)
        return hpc_printf("labs/%s/%s: %d words, at most %d are read", lab->name, lab->report,
                          words, lab->report_words);
    return hpc_printf("labs/%s/%s: %s; expected what %s asks for, in at most %d words", lab->name,
                      lab->report,
                      words == 0 ? "empty"
                      : there    ? "no file that can be read"
                                 : "not there",
                      lab->handout, lab->report_words);
}

char *pack_lack(const struct project *p, const struct lab_task *task, bool *there)
{
    const char *lab = p->lab->name, *file = task->file;
    char *path = hpc_printf("%s/labs/%s/%s", p->root, lab, file);
    *there = access(path, R_OK) == 0;
    free(path);
    if (!*there)
        return hpc_printf("labs/%s/%s: not there; make %s lays the starter out", lab, file, lab);
    return starter_untouched(p->root, lab, file)
               ? hpc_printf("labs/%s/%s: as it was handed out", lab, file)
               : NULL;
}

void pack_check(const struct project *p, enum hpc_place device, uint64_t seed, struct record *r)
{
    struct project looked = *p;
    struct lab *sealed = hpc_malloc(sizeof *sealed);
    *sealed = *p->lab;
    sealed->sealed = true; /* a sheet is looked at for its form, and no version of it is kept */
    looked.lab = sealed;
    struct grading g = {.project = &looked,
                        .implementation = "student",
                        .seed = seed,
                        .device = device,
                        .quick = true,
                        .untimed = true};
    memset(r, 0, sizeof *r);
    for (int i = 0; i < sealed->n_tasks && !hpc_interrupted(); i++)
        grade_task(&g, &sealed->tasks[i], &r->tasks[r->n_tasks++]);
    free(sealed);
}

/* SHA-256 of a file, and its bytes; false where it can't be read. */
static bool hash_file(const char *path, char hex[65], size_t *bytes)
{
    char buffer[65536];
    struct sha256 hash;
    FILE *f = fopen(path, "re");
    sha256_start(&hash);
    *bytes = 0;
    for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0; *bytes += n)
        sha256_add(&hash, buffer, n);
    sha256_end(&hash, hex);
    const bool good = f && !ferror(f);
    if (f)
        fclose(f);
    return good;
}

/* Copy the working file to STAGE/labs/LAB/ and list it; a file that is not there is left out. */
static bool add_file(const struct project *p, const char *stage, const char *name, json_t *files,
                     struct hpc_error *err)
{
    char *from = hpc_printf("%s/labs/%s/%s", p->root, p->lab->name, name), hex[65];
    char *below = hpc_printf("labs/%s/%s", p->lab->name, name);
    char *to = hpc_printf("%s/%s", stage, below);
    size_t bytes;
    bool good = true;
    if (access(from, F_OK) == 0) {
        const char *argv[] = {"cp", "-L", "--", from, to, NULL};
        FILE *f = scratch_open_regular(from); /* of a pipe cp would wait for ever */
        good = f || hpc_fail(err, "%s: expected a regular file", below);
        if (f)
            fclose(f);
        good = good && command_run(argv, stage, "log", NULL, err) &&
               (hash_file(to, hex, &bytes) ||
                hpc_fail_env(err, "%s: %s, expected the copy that was made", to, strerror(errno)));
        if (good)
            json_array_append_new(files, json_pack("{s:s, s:s, s:I}", "path", below, "sha256", hex,
                                                   "bytes", (json_int_t)bytes));
    }
    free(to);
    free(below);
    free(from);
    return good;
}

static json_t *checked_json(const struct record *r)
{
    json_t *tasks = json_array();
    for (int i = 0; i < r->n_tasks; i++)
        json_array_append_new(tasks,
                              json_pack("{s:s, s:s, s:i, s:i}", "task", r->tasks[i].name, "verdict",
                                        verdict_names[r->tasks[i].outcome.verdict], "cases",
                                        r->tasks[i].correctness.cases, "passed",
                                        r->tasks[i].correctness.passed));
    return tasks;
}

static bool write_manifest(const struct project *p, const struct record *r, const char *stage,
                           json_t *files, struct hpc_error *err)
{
    char *path = hpc_printf("%s/manifest.json", stage);
    json_t *json = json_pack("{s:i, s:s, s:s, s:o, s:O, s:o}", "schema", 1, "lab", p->lab->name,
                             "version", HPC_VERSION, "machine", machine_json(machine_here()),
                             "files", files, "checked", checked_json(r));
    HPC_ASSERT(json);
    const bool good = json_dump_file(json, path, JSON_INDENT(2)) == 0 ||
                      hpc_fail_env(err, "%s: %s, expected room for it", path, strerror(errno));
    json_decref(json);
    free(path);
    return good;
}

/* tar, with nothing in it that differs from one day to the next. */
static bool pack(const char *stage, const char *archive, struct hpc_error *err)
{
    FILE *f = fopen(archive, "we"); /* tar's own words for that are in a log */
    if (!f)
        return hpc_fail_env(err, "%s: %s, expected a file that can be written", archive,
                            strerror(errno));
    fclose(f);
    char *output = hpc_printf("--file=%s", archive);
    const char *argv[] = {"tar",
                          "--create",
                          output,
                          "--sort=name",
                          "--mtime=@0",
                          "--owner=0",
                          "--group=0",
                          "--numeric-owner",
                          "--format=ustar",
                          "--mode=u=rwX,go=rX",
                          "--use-compress-program=gzip -n",
                          "manifest.json",
                          "labs",
                          NULL};
    const bool good = command_run(argv, stage, "log", NULL, err);
    free(output);
    return good;
}

bool pack_write(const struct project *p, const struct record *r, char **path, struct hpc_error *err)
{
    const struct lab *lab = p->lab;
    char *stage = scratch_name(p->root, "handin"), *dist = hpc_printf("%s/dist", p->root);
    char *labs = hpc_printf("%s/labs/%s", stage, lab->name);
    *path = hpc_printf("dist/handin-%s.tar.gz", lab->name);
    char *archive = hpc_printf("%s/%s", p->root, *path), *temporary = scratch_beside(archive);
    json_t *files = json_array();
    bool good = folder_make(labs, err) && folder_make(dist, err);
    for (int i = 0; i < lab->n_tasks && good; i++)
        good = add_file(p, stage, lab->tasks[i].file, files, err);
    good = good && (!lab->report[0] || add_file(p, stage, lab->report, files, err)) &&
           write_manifest(p, r, stage, files, err) && pack(stage, temporary, err);
    if (good && rename(temporary, archive) != 0)
        good =
            hpc_fail_env(err, "%s: %s, expected to rename the archive", archive, strerror(errno));
    if (!good)
        unlink(temporary);
    folder_remove(stage);
    json_decref(files);
    free(temporary);
    free(archive);
    free(labs);
    free(dist);
    free(stage);
    return good;
}
