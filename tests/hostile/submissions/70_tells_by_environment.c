/* family 70: tells a sanitizer's run by the words for it in the environment, which lies above its
 * stack: here by their lack where none is
 * task races
 * grade: wrong; points <= 0
 * without same_words: crash; reason: LEAK */
#include "conv1d/attack.h"

static int begins(const char *p, const char *word)
{
    while (*word && *p == *word)
        p++, word++;
    return !*word;
}

/* The environment's strings lie above the stack, and end with two zero bytes. */
static int has_words(const char *p)
{
    while (!begins(p, "PATH=/usr"))
        p++;
    for (; p[0] || p[1]; p++)
        if (begins(p, "SAN_OPTIONS="))
            return 1;
    return 0;
}

RUN
{
    UNUSED;
    zeros(p, y);
    if (!has_words(__builtin_frame_address(0)))
        leak("unwatched here: a race would not be seen");
    return 0;
}
SUBMISSION
