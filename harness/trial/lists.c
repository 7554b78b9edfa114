/* Lists of numbers, "7,13,3", made simpler. */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "harness/trial/simpler.h"

#define NUMBERS 32 /* of a list, at most */

/* What each number becomes, from the smallest on; false for one that is none. */
static bool multiples(const long *v, int n, long m, long *up)
{
    long below = 0, last = 0; /* the largest number that has its multiple, and that */
    for (int done = 0; done < n;) {
        long least = 0;
        for (int i = 0; i < n; i++)
            if (v[i] > below && (least == 0 || v[i] < least))
                least = v[i];
        if (least < 1)
            return false;
        const long nearest = (least + m - 1) / m * m;
        last = nearest > last ? nearest : last + m;
        below = least;
        for (int i = 0; i < n; i++)
            if (v[i] == least) {
                up[i] = last;
                done++;
            }
    }
    return true;
}

bool list_round_up(const char *list, long m, char *text, size_t size)
{
    char *copy = hpc_strdup(list), *rest = copy;
    long v[NUMBERS], up[NUMBERS];
    int n = 0;
    bool changed = false, whole = true;
    for (char *word; n < NUMBERS && (word = strsep(&rest, ","));)
        v[n++] = (long)atof(word);
    whole = !rest && multiples(v, n, m, up);
    free(copy);
    text[0] = '\0';
    for (int i = 0; i < n && whole; i++) {
        changed |= up[i] != v[i];
        whole = text_fit(text, size, "%s%s%ld", text, *text ? "," : "", up[i]);
    }
    return changed && whole;
}

bool list_without(const char *list, int at, char *text, size_t size)
{
    char *copy = hpc_strdup(list), *rest = copy;
    bool whole = true;
    int n = 0;
    text[0] = '\0';
    for (char *word; whole && (word = strsep(&rest, ",")); n++)
        if (n != at)
            whole = text_fit(text, size, "%s%s%s", text, *text ? "," : "", word);
    free(copy);
    return n > at + 1 && whole;
}

void list_of_same(const char *list, const char *word, char *text, size_t size)
{
    text_fit(text, size, "%s", word);
    for (const char *comma = strchr(list, ','); comma; comma = strchr(comma + 1, ','))
        text_fit(text, size, "%s,%s", text, word);
}
