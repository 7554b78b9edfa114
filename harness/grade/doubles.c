/* Of a solution in CUDA that is right: where a kernel computes in double what the task has in
 * float. On the CPU device that costs nothing. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/grade/internal.h"

/* Whether the line is one of a function of the device: the last that begins at a line's first
 * character, before it, says so. */
static bool in_kernel(const char *path, long number)
{
    FILE *f = fopen(path, "re");
    bool kernel = false, head = false;
    char *text = NULL;
    size_t room = 0;
    for (long n = 1; f && n <= number && getline(&text, &room, f) >= 0; n++) {
        const bool begins = isalpha((unsigned char)*text) || *text == '_';
        if (begins && !head)
            kernel = false; /* of the function before */
        if (begins)
            kernel |= strstr(text, "__global__") || strstr(text, "__device__");
        head = begins && !strchr(text, '(');
    }
    free(text);
    if (f)
        fclose(f);
    return kernel;
}

void grade_doubles(const struct grading *g, struct trial *t, struct task_result *result)
{
    char file[2 * LAB_NAME + 16], line[200];
    long number = 0;
    snprintf(file, sizeof file, "labs/%s/%s", g->project->lab->name, t->task->file);
    char *path = hpc_printf("%s/%s", g->project->root, file);
    while (build_promotion(trial_runner(t, BUILD_PLAIN), file, number, &number))
        if (in_kernel(path, number) && grade_line(path, number, line, sizeof line)) {
            outcome_hint(&result->outcome,
                         "%s:%ld computes in double, a float being made one: GPUs have 2 to 64 "
                         "times fewer units for that; 1.0f is a float, 1.0 is a double; line "
                         "%ld: %.120s",
                         file, number, number, line);
            break;
        }
    free(path);
}
