/* What will be written before and after a token. */
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/rewrite.h"

static void text_append(char **text, const char *more)
{
    size_t n = *text ? strlen(*text) : 0;
    *text = realloc(*text, n + strlen(more) + 1);
    if (!*text)
        abort();
    strcpy(*text + n, more);
}

void edit_before(struct rewriter *r, size_t i, const char *text)
{
    text_append(&r->edits[i].before, text);
}

void edit_after(struct rewriter *r, size_t i, const char *text)
{
    text_append(&r->edits[i].after, text);
}
