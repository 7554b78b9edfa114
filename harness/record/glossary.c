/* The glossary of a student's pages, a word at a time. */
#define _GNU_SOURCE
#include "harness/record/explained.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/size.h"

/* Whether a cell of terms, "SIMD, vector instruction" or "block (CUDA)", has the word. */
static bool has_term(char *terms, const char *word)
{
    char *rest = NULL;
    for (char *term = strtok_r(terms, ",", &rest); term; term = strtok_r(NULL, ",", &rest)) {
        term += strspn(term, " ");
        char *kind = strstr(term, " (");
        if (kind)
            *kind = '\0';
        if (strcasecmp(term, word) == 0)
            return true;
    }
    return false;
}

bool glossary_words(const char *root, const char *word, char *text, size_t size)
{
    static const char file[] = "handouts/basics.md", heading[] = "## Glossary";
    char *path = hpc_printf("%s/%s", root, file), *line = NULL;
    FILE *f = fopen(path, "re");
    size_t room = 0;
    bool inside = false, found = false;
    while (f && !found && getline(&line, &room, f) > 0) {
        char *end = inside && strncmp(line, "| ", 2) == 0 ? strstr(line + 2, " | ") : NULL;
        char *words = end ? end + 3 : line, *after = strstr(words, " |");
        inside |= strncmp(line, heading, strlen(heading)) == 0;
        if (!end || !after)
            continue;
        *end = *after = '\0';
        found = has_term(line + 2, word);
        if (found)
            snprintf(text, size, "%s", words);
    }
    if (f)
        fclose(f);
    free(line);
    free(path);
    return found;
}
