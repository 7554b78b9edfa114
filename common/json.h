/* JSON files. */
#ifndef HPC_COMMON_JSON_H
#define HPC_COMMON_JSON_H

#include <jansson.h>

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a regular file holds, or a link to one: of a pipe, which nobody may ever write, nothing is
 * read. The caller's; NULL with *err, which may be NULL, "PATH:LINE: WHAT", and errno, which is 0
 * where the file was read and is no JSON. */
json_t *json_file(const char *path, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
