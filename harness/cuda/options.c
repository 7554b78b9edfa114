/* The compiler's options of the command line. The macros among them are a file, included behind the
 * CPU device's headers, which come before a program's text and are not to see them: those that nvcc
 * puts there have no names of programs, but -DN=1024 would be a number in every template of ours.
 */
#include "harness/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Those that begin with _ are for the C library (_GNU_SOURCE), whose headers come first. */
static bool is_macro(const char *option)
{
    return (strncmp(option, "-D", 2) == 0 || strncmp(option, "-U", 2) == 0) && option[2] != '_';
}

static void add_option(struct command_line *w, const char *word, bool host, bool checks)
{
    const bool changes = strncmp(word, "-O", 2) == 0 || strncmp(word, "-march", 6) == 0 ||
                         strncmp(word, "-mtune", 6) == 0 || strcmp(word, "-ffast-math") == 0;
    if (host || !((checks && changes) || is_macro(word)))
        command_add(w, word);
}

void cuda_add_options(struct command_line *w, const struct cuda_job *job, bool host)
{
    for (int i = 0; i < job->n_options; i++)
        add_option(w, job->options[i], host, cuda_checks(job));
    for (int i = 0; i < job->compiler.n; i++)
        add_option(w, job->compiler.word[i], host, cuda_checks(job));
}

static void write_macro(FILE *f, const char *option)
{
    const char *name = option + 2, *value = strchr(name, '=');
    if (!is_macro(option))
        return;
    if (option[1] == 'U')
        fprintf(f, "#undef %s\n", name);
    else
        fprintf(f, "#define %.*s %s\n", (int)(value ? value - name : (long)strlen(name)), name,
                value ? value + 1 : "1");
}

bool cuda_add_macros(struct command_line *w, const struct cuda_job *job, struct hpc_error *err)
{
    char *path = hpc_printf("%s/macros.h", job->folder);
    FILE *f = fopen(path, "w");
    for (int i = 0; f && i < job->n_options; i++)
        write_macro(f, job->options[i]);
    for (int i = 0; f && i < job->compiler.n; i++)
        write_macro(f, job->compiler.word[i]);
    const bool ok = f && fclose(f) == 0;
    if (ok)
        command_add_printf(w, "-include%s", path);
    else
        hpc_fail_env(err, "%s: cannot be written", path);
    free(path);
    return ok;
}

static bool any_begins(const struct command_line *w, const char *with)
{
    for (int i = 0; i < w->n; i++)
        if (strncmp(w->word[i], with, strlen(with)) == 0)
            return true;
    return false;
}

bool cuda_is_alone(const struct cuda_job *job)
{
    for (int i = 0; i < job->n_files; i++) {
        const char *suffix = strrchr(job->files[i], '.');
        if (suffix && strcmp(suffix, ".so") == 0)
            return false;
    }
    return !any_begins(&job->linker, "-l") && !any_begins(&job->compiler, "-l") &&
           !any_begins(&job->compiler, "-stdlib");
}
