/* A list of key = value words with the place each came from: a case of lab.ini, or the words
 * `epochs=40 layers=4,5,5` of a command line. An operation reads its problem from one. */
#ifndef HPC_COMMON_PARAMS_H
#define HPC_COMMON_PARAMS_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HPC_PARAMS_MAX 32

struct hpc_param {
    char key[40];
    char value[200];
    char where[200]; /* "labs/lab3/lab.ini:41" or "command line" */
    bool used;       /* set by the hpc_params_get_* functions */
};

struct hpc_params {
    int n;
    struct hpc_param p[HPC_PARAMS_MAX];
};

/* Add, or replace the value of a key that is there. False when the list or a text is too long. */
bool hpc_params_set(struct hpc_params *params, const char *key, const char *value,
                    const char *where, struct hpc_error *err);
/* "key=value" as on a command line. */
bool hpc_params_set_word(struct hpc_params *params, const char *word, const char *where,
                         struct hpc_error *err);
const struct hpc_param *hpc_params_find(const struct hpc_params *params, const char *key);

/* Read a key into *value, which keeps its default where the key is absent; values out of
 * [low, high] and malformed ones fail with a line that names place, key, what was found and what
 * was expected. Integers may be written 1e6, and as a range a..b, which hpc_params_draw must have
 * resolved before. */
bool hpc_params_get_int(struct hpc_params *params, const char *key, int low, int high, int *value,
                        struct hpc_error *err);
bool hpc_params_get_size(struct hpc_params *params, const char *key, size_t low, size_t high,
                         size_t *value, struct hpc_error *err);
bool hpc_params_get_double(struct hpc_params *params, const char *key, double low, double high,
                           double *value, struct hpc_error *err);
bool hpc_params_get_text(struct hpc_params *params, const char *key, char *value, int size,
                         struct hpc_error *err);
/* Fails on the first key that nobody read: "unknown key 'epocs'; known: ..". */
bool hpc_params_all_used(const struct hpc_params *params, const char *known, struct hpc_error *err);

/* Replace every integer range a..b by a number drawn from (seed, stream). */
bool hpc_params_draw(struct hpc_params *params, uint64_t seed, uint64_t stream,
                     struct hpc_error *err);
/* "epochs=40 layers=4,5,5", for reports and for the command that repeats a case. */
void hpc_params_print(const struct hpc_params *params, char *text, int size);

#ifdef __cplusplus
}
#endif
#endif
