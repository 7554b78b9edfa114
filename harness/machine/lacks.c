/* The tests of common/lacks.def. */
#define _GNU_SOURCE
#include "harness/machine/lacks.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"

const struct lack lacks[] = {
#define LACK(who, name, test, packages, cost) {LACK_##who, name, test, packages, cost},
#include "common/lacks.def"
    {0},
};

static bool has_pattern(const char *pattern)
{
    glob_t found;
    bool is = glob(pattern, 0, NULL, &found) == 0;
    if (is)
        globfree(&found);
    return is;
}

static bool has_program(const char *name)
{
    const char *path = getenv("PATH");
    char *folders = hpc_strdup(path ? path : "/usr/bin:/bin"), *rest = folders, *folder;
    bool found = false;
    while (!found && (folder = strtok_r(rest, ":", &rest)) != NULL) {
        char *file = hpc_printf("%s/%s", folder, name);
        found = access(file, X_OK) == 0;
        free(file);
    }
    free(folders);
    return found;
}

static bool has_header(const char *root, const char *name)
{
    char *here = hpc_printf("%s/.deps/usr/include/%s", root, name);
    char *there = hpc_printf("/usr/include/%s", name);
    bool found = access(here, R_OK) == 0 || access(there, R_OK) == 0;
    free(here);
    free(there);
    return found;
}

static bool has_word(const char *root, const char *word)
{
    const char *end = strrchr(word, '.');
    if (word[0] == '/')
        return has_pattern(word);
    return end && strcmp(end, ".h") == 0 ? has_header(root, word) : has_program(word);
}

/* Whether every word is here, or where `any` one of them. */
static bool has_words(const char *root, const char *words, bool any)
{
    char *copy = hpc_strdup(words), *rest = copy, *word;
    bool found = !any;
    while (found != any && (word = strtok_r(rest, " ", &rest)) != NULL)
        found = has_word(root, word);
    free(copy);
    return found;
}

/* Whether a shell's command line ends with 0; what it prints is dropped. */
static bool runs(const char *format, const char *words)
{
    char *line = hpc_printf(format, words);
    bool good = system(line) == 0;
    free(line);
    return good;
}

/* The words behind a test's kind; NULL: it is of another kind. */
static const char *words_of(const struct lack *lack, const char *kind)
{
    size_t n = strlen(kind);
    return strncmp(lack->test, kind, n) == 0 && lack->test[n] == ' ' ? lack->test + n + 1 : NULL;
}

const char *lack_own_test(const struct lack *lack)
{
    return words_of(lack, "hpclab");
}

bool lack_here(const struct lack *lack, const char *root)
{
    const char *words;
    if ((words = words_of(lack, "all")) || (words = words_of(lack, "any")))
        return has_words(root, words, lack->test[1] == 'n');
    if ((words = words_of(lack, "links")))
        return runs("echo 'int main(void){return 0;}' | %s -x c -o /dev/null - >/dev/null 2>&1",
                    words);
    if ((words = words_of(lack, "runs")))
        return runs("{ %s; } >/dev/null 2>&1", words);
    HPC_ASSERT(!"a kind of test that common/lacks.def explains");
    return false;
}
