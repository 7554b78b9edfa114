/* Text that is built up piece by piece, and text in a place of fixed size: neither is cut silently.
 *
 *   struct text t = {0};
 *   for (int i = 0; i < n; i++)
 *       text_add(&t, "%s%s", i ? ", " : "", name[i]);
 *   .. text_string(&t) ..
 *   text_free(&t); */
#ifndef HPC_COMMON_TEXT_H
#define HPC_COMMON_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is an empty one, which owns nothing. */
struct text {
    char *s; /* ends with '\0'; NULL while it is empty */
    size_t length, room;
};

/* Append. An argument must not be the text itself. */
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vadd(struct text *t, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* Append a word to a list, behind `between` where it is not the first. */
void text_list(struct text *t, const char *between, const char *word);
/* Never NULL; until the next text_add. */
const char *text_string(const struct text *t);
/* Its string, the caller's to free; the text is empty after that. */
char *text_take(struct text *t);
void text_free(struct text *t);

/* snprintf into a place of `size` bytes, at least 4, for records and errors that have one. What
 * does not fit ends with "..", behind a whole character of UTF-8; false then. An argument may be
 * `to`. */
bool text_fit(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool text_vfit(char *to, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

enum { TEXT_DIFFER = 80 };
/* "GOT, should be WANT" into `to`, which is returned: of `digits` significant digits, or as many
 * more as tell the two apart. */
const char *text_differ(char to[TEXT_DIFFER], double got, double want, int digits);

#ifdef __cplusplus
}
#endif
#endif
