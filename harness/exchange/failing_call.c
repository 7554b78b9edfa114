/* What a failing call of a library means to a student: the status by name, before all else. */
#include "harness/exchange/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME 60

static const struct {
    const char *library;
    int status;
    const char *name, *words;
} known[] = {
    {"cudnn", 1001, "CUDNN_STATUS_NOT_INITIALIZED", "is the handle made?"},
    {"cudnn", 2000, "CUDNN_STATUS_BAD_PARAM",
     "do the shapes fit: channels of x and w, filters of w and y, and rows of y = (rows of x + 2 "
     "pad - rows of w) / stride + 1?"},
    {"cudnn", 3000, "CUDNN_STATUS_NOT_SUPPORTED",
     "no such operation for these types and layouts: are all descriptors set?"},
    {"cudnn", 4000, "CUDNN_STATUS_INTERNAL_ERROR", ""},
    {"cudnn", 4003, "CUDNN_STATUS_ALLOC_FAILED", "no memory is left"},
    {"cudnn", 5000, "CUDNN_STATUS_EXECUTION_FAILED", "is the workspace as large as was said?"},
    {"cublas", 1, "CUBLAS_STATUS_NOT_INITIALIZED", "is the handle made?"},
    {"cublas", 3, "CUBLAS_STATUS_ALLOC_FAILED", "no memory is left"},
    {"cublas", 7, "CUBLAS_STATUS_INVALID_VALUE",
     "is each leading dimension at least the rows of its matrix, which stands by columns?"},
    {"cublas", 13, "CUBLAS_STATUS_EXECUTION_FAILED", "a kernel before it failed, or its memory"},
    {"cublas", 14, "CUBLAS_STATUS_INTERNAL_ERROR", ""},
    {"cublas", 15, "CUBLAS_STATUS_NOT_SUPPORTED", ""},
};

/* What the CPU device's library said of that call, in the line before: "hpclab: WHAT". */
static bool library_says(const char *output, const char *line, char *text, size_t size)
{
    static const char by[] = "hpclab: ";
    const char *begin = line;
    while (begin > output && begin[-1] != '\n') /* a call that is not alone in its line */
        begin--;
    if (begin == output)
        return false;
    const char *end = --begin;
    while (begin > output && begin[-1] != '\n')
        begin--;
    if (strncmp(begin, by, strlen(by)) != 0)
        return false;
    begin += strlen(by);
    snprintf(text, size, "%.*s", (int)(end - begin), begin);
    return true;
}

bool failing_call(const char *output, const char *line, size_t length, const char *phase,
                  struct outcome *o)
{
    char text[1000], call[NAME], says[300] = "";
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    char *status = NULL, *at = text;
    while ((at = strstr(at, ": status ")) != NULL)
        status = at++;
    char *begin = strstr(text, ": cud"), *cublas = strstr(text, ": cublas");
    begin = cublas && (!begin || cublas < begin) ? cublas : begin;
    if (!status || !begin || status <= begin)
        return false;
    const int code = atoi(status + 9);
    snprintf(call, sizeof call, "%.*s", (int)strcspn(begin + 2, "(: "), begin + 2);
    *begin = '\0';
    const bool said = library_says(output, line, says, sizeof says);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == code && !strncmp(call, known[i].library, strlen(known[i].library))) {
            const char *words = said ? says : known[i].words;
            outcome_set(o, VERDICT_CRASH, "%s: %s by %s() in %s%s%s", text, known[i].name, call,
                        phase, *words ? ": " : "", words);
            return true;
        }
    outcome_set(o, VERDICT_CRASH, "%s: status %d by %s() in %s", text, code, call, phase);
    return true;
}
