#define _GNU_SOURCE
#include "harness/trial/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The folder below build/ for a source's outputs. */
static const char *device_folder(const char *file, enum build_kind kind)
{
    return device_name(build_device(file, kind));
}

static void build_listed(const char *root, const struct variant *v, const char *folder,
                         enum build_kind kind, struct build_result *result)
{
    struct build_spec spec = {
        .root = root,
        .source = v->file,
        .folder = folder,
        .op_folder = v->op->folder,
        .given = v->op->given,
        .flags = v->flags,
        .libraries = v->libraries,
        .kind = kind,
    };
    build_variant(&spec, result);
}

static void build_student(const struct project *p, const struct lab_task *task, const char *folder,
                          enum build_kind kind, struct build_result *result)
{
    char source[2 * LAB_NAME + 8];
    snprintf(source, sizeof source, "labs/%s/%s", p->lab->name, task->file);
    struct build_spec spec = {
        .root = p->root,
        .source = source,
        .folder = folder,
        .op_folder = task->op->folder,
        .given = task->op->given,
        .flags = task->flags,
        .libraries = task->libraries,
        .symbols = kind == BUILD_DEBUG ? NULL : task->symbols,
        .instructions = task->instructions,
        .watched = !(task->safety & SAFETY_ASSEMBLY),
        .seconds = task->build_seconds,
        .kind = kind,
    };
    build_variant(&spec, result);
}

void build_task(const struct project *p, const struct lab_task *task, const char *impl,
                enum build_kind kind, struct build_result *result)
{
    char folder[2 * LAB_NAME + 32];
    const struct variant *v;
    struct hpc_error err;
    HPC_ASSERT(task->kind == TASK_VARIANT);
    memset(result, 0, sizeof *result);
    snprintf(folder, sizeof folder, "build/%s/%s/%s/%s", device_folder(task->file, kind),
             p->lab->name, impl, task->name);
    if (strcmp(impl, "reference") != 0) {
        build_student(p, task, folder, kind, result);
    } else if ((v = project_variant(p, task->reference, &err)) != NULL) {
        build_listed(p->root, v, folder, kind, result);
    } else {
        outcome_set(&result->outcome, VERDICT_ENVIRONMENT, "%s", err.text);
    }
}

void build_catalogue(const struct project *p, const char *name, enum build_kind kind,
                     struct build_result *result)
{
    char folder[LAB_NAME + 32];
    struct hpc_error err;
    const struct variant *v = project_variant(p, name, &err);
    memset(result, 0, sizeof *result);
    if (!v) {
        outcome_set(&result->outcome, VERDICT_ENVIRONMENT, "%s", err.text);
        return;
    }
    snprintf(folder, sizeof folder, "build/%s/run/%s", device_folder(v->file, kind), v->name);
    build_listed(p->root, v, folder, kind, result);
}

/* A source of ours that passes for a variant. */
static void build_trusted(const char *root, const struct hpc_op *op, const char *source,
                          const char *what, const char *flags, const char *libraries,
                          enum build_kind kind, struct build_result *result)
{
    char folder[64];
    snprintf(folder, sizeof folder, "build/%s/%s/%.16s", device_folder(source, kind), what,
             op->name);
    struct build_spec spec = {
        .root = root,
        .source = source,
        .folder = folder,
        .op_folder = op->folder,
        .given = op->given,
        .flags = flags,
        .libraries = libraries,
        .kind = kind,
    };
    memset(result, 0, sizeof *result);
    build_variant(&spec, result);
}

void build_copy(const char *root, const struct hpc_op *op, struct build_result *result)
{
    build_trusted(root, op, op->copy, "copy", NULL, NULL, BUILD_CUDA, result);
}

void build_probe(const char *root, const struct hpc_op *op, struct build_result *result)
{
    char flags[64];
    snprintf(flags, sizeof flags, "-DHPC_PROBE_OP=%.32s", op->name);
    build_trusted(root, op, "runner/probe.cu", "probe", flags, NULL, BUILD_CUDA, result);
}

void build_peak(const char *root, const struct hpc_op *op, const struct peak *peak,
                struct build_result *result)
{
    char flags[96];
    snprintf(flags, sizeof flags, "-DHPC_PROBE_OP=%.32s %s", op->name, peak->flag);
    build_trusted(root, op, "runner/peak.cu", peak->folder, flags, peak->libraries, BUILD_CUDA,
                  result);
}

void build_sanitizer_probe(const char *root, const struct lab_task *task, enum build_kind kind,
                           struct build_result *result)
{
    char flags[80];
    const bool openmp = strstr(task->flags, "-fopenmp") != NULL;
    snprintf(flags, sizeof flags, "-DHPC_PROBE_OP=%.32s%s", task->op->name,
             openmp ? " -fopenmp" : "");
    build_trusted(root, task->op, "runner/probe.c", openmp ? "probe-openmp" : "probe", flags, NULL,
                  kind, result);
}
