/* What tasks share: section [tasks], and named sets of symbols (`symbols = @cuda`). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "harness/lab/read.h"

static const struct {
    const char *name, *symbols;
} sets[] = {
    {"@cuda", "malloc calloc free memcpy memset cudaMalloc cudaFree cudaMemcpy* cudaMemset* "
              "cudaGetLastError cudaPeekAtLastError cudaGetErrorName cudaGetErrorString "
              "cudaFuncSetAttribute cudaGetDevice cudaDeviceGetAttribute cudaOccupancy*"},
    {"@cuda_host", "memcmp fmaxf fminf fprintf fputs fwrite stderr exit _Znwm _Znam _ZdlPv* "
                   "_ZdaPv* cudaDeviceSynchronize cudaStreamSynchronize"},
    /* None that stores what and where its caller says: no thread sanitizer sees that. */
    {"@openmp", "GOMP_* omp_get_thread_num omp_get_num_threads omp_get_max_threads "
                "omp_set_num_threads omp_get_num_procs omp_in_parallel omp_get_wtime omp_get_wtick "
                "omp_get_level omp_get_active_level omp_get_ancestor_thread_num omp_get_team_size "
                "omp_get_thread_limit omp_set_dynamic omp_get_dynamic omp_set_nested "
                "omp_get_nested omp_set_max_active_levels omp_get_max_active_levels "
                "omp_set_schedule omp_in_final omp_get_cancellation omp_get_proc_bind "
                "omp_get_num_places omp_get_place_num omp_fulfill_event omp_init_lock "
                "omp_init_lock_with_hint omp_destroy_lock omp_set_lock omp_unset_lock "
                "omp_test_lock omp_init_nest_lock omp_destroy_nest_lock omp_set_nest_lock "
                "omp_unset_nest_lock omp_test_nest_lock"},
    {"@pthread", "pthread_create pthread_join pthread_detach pthread_exit pthread_self "
                 "pthread_equal pthread_once pthread_yield pthread_cancel pthread_testcancel "
                 "pthread_setname_np pthread_setaffinity_np pthread_mutex_init "
                 "pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock "
                 "pthread_mutex_timedlock pthread_mutex_unlock "
                 "pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_set* "
                 "pthread_cond_* pthread_condattr_init pthread_condattr_destroy "
                 "pthread_condattr_set* pthread_barrier_* pthread_rwlock_* pthread_spin_* "
                 "pthread_key_create pthread_key_delete pthread_getspecific pthread_setspecific "
                 "pthread_attr_init pthread_attr_destroy pthread_attr_set*"},
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
