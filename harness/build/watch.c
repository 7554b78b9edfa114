/* Whether a source asks its compiler not to let a sanitizer look at a part of it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/build/internal.h"
#include "common/command.h"

/* Attributes of gcc and clang, as they stand in a preprocessed source: no header of the system's
 * has one. */
static const char *const blindfolds[] = {"no_sanitize", "no_address_safety_analysis",
                                         "disable_sanitizer_instrumentation"};

/* What stands behind the headers that come before a source: the CPU device's have such words. */
static const char *behind_prelude(const char *text)
{
    const char *kernel = strstr(text, "/hpc_device/kernel.h\" 1");
    const char *end = kernel ? strstr(kernel, "\"<command-line>\" 2") : NULL;
    return end ? end : text;
}

bool building_watched(struct building *b, const char *preprocessed)
{
    struct hpc_error err;
    char *text = command_text(b->stage, preprocessed, &err);
    const char *found = NULL, *word = NULL;
    if (!text)
        return building_fail(b, VERDICT_ENVIRONMENT, err.text);
    for (size_t i = 0; !found && i < sizeof blindfolds / sizeof *blindfolds; i++) {
        word = blindfolds[i];
        found = strstr(behind_prelude(text), word);
    }
    if (found) {
        char line[200];
        snprintf(line, sizeof line,
                 "asks the compiler not to let a sanitizer look (%s), which no task allows", word);
        building_fail(b, VERDICT_REJECTED, line);
    }
    free(text);
    return !found;
}
