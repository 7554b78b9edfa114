#define _GNU_SOURCE
#include "common/nearest.h"

#include "common/text.h"

#include <string.h>

#define LENGTH 63

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Insertions, deletions and changes of a character that turn a into b; words of at most 63
 * characters, longer ones count as 63. */
static int distance(const char *a, const char *b)
{
    int row[LENGTH + 1]; /* distances of a's first i characters to all beginnings of b */
    int n = (int)strnlen(a, LENGTH), m = (int)strnlen(b, LENGTH);
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; i <= n; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int changed = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = smaller(changed, smaller(row[j], row[j - 1]) + 1);
        }
    }
    return row[m];
}

const char *nearest_word(const char *word, const char *const *words, int n)
{
    const char *best = NULL;
    int limit = (int)strnlen(word, LENGTH) / 2;
    for (int i = 0; i < n; i++) {
        int d = distance(word, words[i]);
        if (d > limit)
            continue;
        best = words[i];
        limit = d - 1;
    }
    return best;
}

char *nearest_hint(const char *word, const char *const *words, int n)
{
    struct text t = {0};
    const char *near = nearest_word(word, words, n);
    text_add(&t, "%s%s%s", near ? ", did you mean " : "; expected one of ", near ? near : "",
             near ? "?" : "");
    for (int i = 0; i < n && !near; i++)
        text_add(&t, "%s%s", i ? ", " : "", words[i]);
    return text_take(&t);
}
