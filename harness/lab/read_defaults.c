/* What tasks share: section [tasks], and named sets of symbols (`symbols = @cuda`). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "harness/build/watched.h"
#include "harness/lab/read.h"

static const struct {
    const char *name, *symbols;
} sets[] = {
    {"@cuda", "malloc calloc free memcpy memset cudaMalloc cudaFree cudaMemcpy* cudaMemset* "
              "cudaGetLastError cudaPeekAtLastError cudaGetErrorName cudaGetErrorString "
              "cudaFuncSetAttribute cudaGetDevice cudaDeviceGetAttribute cudaOccupancy*"},
    {"@cuda_host", "memcmp fmaxf fminf fprintf fputs fwrite stderr exit _Znwm _Znam _ZdlPv* "
                   "_ZdaPv* cudaDeviceSynchronize cudaStreamSynchronize"},
    {"@openmp", NAMES_OPENMP},
    {"@pthread", NAMES_PTHREAD},
};
enum { SETS = sizeof sets / sizeof *sets };

static const char *find_set(const char *word)
{
    for (int i = 0; i < SETS; i++)
        if (strcmp(sets[i].name, word) == 0)
            return sets[i].symbols;
    return NULL;
}

bool lab_expand_symbols(const struct task_reader *r)
{
    struct lab_task *t = r->task;
    char word[LAB_TEXT];
    struct text all = {0};
    const char *rest = t->symbols;
    while (lab_next_word(&rest, word, sizeof word)) {
        const char *set = *word == '@' ? find_set(word) : word;
        if (!set) {
            text_free(&all);
            return task_wrong(r, "symbols", word, "@cuda, @cuda_host, @openmp, @pthread or names");
        }
        text_list(&all, " ", set);
        if (all.length >= sizeof t->symbols)
            break;
    }
    const bool whole = all.length < sizeof t->symbols;
    if (whole)
        strcpy(t->symbols, text_string(&all));
    text_free(&all);
    return whole || task_wrong(r, "symbols", word, "fewer of them");
}

struct ini_section lab_with_defaults(const struct lab_reader *m, const struct ini_section *own)
{
    const struct ini_section *defaults = ini_section_find(m->file, "tasks");
    const struct ini_key *kind = ini_find(own, "kind");
    bool none = !defaults || (kind && strcmp(kind->value, "answers") == 0);
    struct ini_section all = *own;
    all.keys = hpc_calloc((size_t)own->n + (none ? 0 : (size_t)defaults->n) + 1, sizeof *all.keys);
    for (int i = 0; i < own->n; i++)
        all.keys[i] = own->keys[i];
    for (int i = 0; !none && i < defaults->n; i++)
        if (!ini_find(own, defaults->keys[i].name))
            all.keys[all.n++] = defaults->keys[i];
    return all;
}
