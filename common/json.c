#define _GNU_SOURCE
#include "common/json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/scratch.h"

json_t *json_file(const char *path, struct hpc_error *err)
{
    json_error_t at;
    FILE *f = scratch_open_regular(path);
    if (!f) {
        const int cause = errno;
        hpc_fail(err, "%s: %s", path, cause == EINVAL ? "no regular file" : strerror(cause));
        errno = cause;
        return NULL;
    }
    json_t *json = json_loadf(f, 0, &at);
    fclose(f);
    if (!json)
        hpc_fail(err, "%s:%d: %s", path, at.line > 0 ? at.line : 1, at.text);
    errno = 0;
    return json;
}
