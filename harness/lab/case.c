#define _GNU_SOURCE
#include "harness/lab/case.h"

#include <stdio.h>
#include <string.h>

#include "common/defence.h"
#include "common/random.h"
#include "harness/machine/machine.h"

/* FNV-1a, so that a case's inputs do not depend on its place in the file. */
static uint64_t hash_name(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 0x100000001b3u;
    return h;
}

bool case_set(struct lab_case *c, const char *key, const char *value, const char *where,
              struct hpc_error *err)
{
    if (strcmp(key, "threads") == 0)
        return hpc_fail(err, "%s: threads is not a case's key; expected one of %s", where,
                        c->op->keys);
    return hpc_params_set(&c->params, key, value, where, err);
}

bool case_ready(const struct lab_case *c, uint64_t seed, int threads, struct ready_case *ready,
                struct hpc_error *err)
{
    memset(ready, 0, sizeof *ready);
    uint32_t word[4];
    uint64_t name = hash_name(c->name);
    hpc_philox(seed, name, 0, word);
    ready->seed = (uint64_t)word[0] << 32 | word[1];
    ready->params = c->params;
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    uint64_t drawn = 0;
    if (DEFENCE(draw))
        drawn = seed;
    return hpc_params_draw(&ready->params, drawn, name, err) &&
           hpc_params_set(&ready->params, "threads", text, "the grader", err) &&
           c->op->parse(&ready->params, ready->problem, err);
}

bool case_draw(const struct lab_case *c, uint64_t seed, int threads, struct ready_case *ready,
               struct hpc_error *err)
{
    struct hpc_error why;
    for (uint64_t draw = 0; draw <= HPC_REDRAWS; draw++) {
        if (!case_ready(c, seed + draw, threads, ready, err))
            return false;
        if (!c->op->admit || c->op->admit(ready->problem, ready->seed, 1, &why))
            return true;
    }
    return hpc_fail(err, "case %s is refused: none of %d draws is admitted; of the last: %s",
                    c->name, HPC_REDRAWS + 1, why.text);
}

int task_threads(const struct lab_task *task)
{
    return task->threads ? task->threads : machine_here()->cores;
}

bool task_threaded(const struct lab_task *task)
{
    return task->threads != 1 && !lab_task_cuda(task);
}

bool needs_met(const char *needs, char *why, int why_size)
{
    char words[LAB_TEXT], *save = NULL;
    snprintf(words, sizeof words, "%s", needs);
    for (char *need = strtok_r(words, " ,", &save); need; need = strtok_r(NULL, " ,", &save))
        if (!machine_has(need, why, why_size))
            return false;
    return true;
}
