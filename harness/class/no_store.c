/* The state of a class where SQLite lacks: none can be opened. */
#define _GNU_SOURCE
#include "harness/class/store.h"

#include <stddef.h>

#ifndef HPC_SQLITE
struct store *store_open(const char *path, bool make, struct hpc_error *err)
{
    (void)make;
    hpc_fail_env(err, "%s: this hpclab was built without SQLite; ./bootstrap brings it, then make",
                 path);
    return NULL;
}
struct store *store_open_other(const char *path, struct hpc_error *err)
{
    return store_open(path, false, err);
}
void store_close(struct store *s)
{
    (void)s;
}
bool store_word(struct store *s, const char *key, char **value, struct hpc_error *err)
{
    (void)s, (void)key;
    *value = NULL;
    return hpc_fail_env(err, "built without SQLite");
}
bool store_set_word(struct store *s, const char *key, const char *value, struct hpc_error *err)
{
    (void)s, (void)key, (void)value;
    return hpc_fail_env(err, "built without SQLite");
}
bool store_add(struct store *s, const struct store_grading *g, const char *record,
               struct hpc_error *err)
{
    (void)s, (void)g, (void)record;
    return hpc_fail_env(err, "built without SQLite");
}
int store_all(struct store *s, struct store_grading **gradings, struct hpc_error *err)
{
    (void)s;
    *gradings = NULL;
    hpc_fail_env(err, "built without SQLite");
    return -1;
}
char *store_record(struct store *s, long long id, struct hpc_error *err)
{
    (void)s, (void)id;
    hpc_fail_env(err, "built without SQLite");
    return NULL;
}
#endif
