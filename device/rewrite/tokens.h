/* Preprocessed C++ as tokens: what rewrite.h works on. Comments and macros are gone; line markers
 * (`# 12 "file.cu"`) say where a token comes from. */
#ifndef HPC_DEVICE_REWRITE_TOKENS_H
#define HPC_DEVICE_REWRITE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,      /* identifier or keyword */
    TOKEN_NUMBER,    /* a preprocessing number */
    TOKEN_STRING,    /* string, raw string or character, with prefix and suffix */
    TOKEN_PUNCT,     /* one character, but :: and -> */
    TOKEN_DIRECTIVE, /* a whole line that begins with #, but line markers */
};

struct token {
    enum token_kind kind;
    const char *text; /* in the source, not ended */
    int length;
    int space; /* characters of white space before it on its line */
    int line;  /* of `file` */
    int file;  /* index into tokens.files */
};

struct source_file {
    char *name;  /* as in line markers, escapes and all */
    bool system; /* a system header: no warnings about it */
    int from;    /* the file that included it first, by its index; -1: none */
    int from_line;
};

struct tokens {
    struct token *at; /* count tokens, then one TOKEN_END */
    size_t count;
    struct source_file *files; /* files[0] is "<stdin>" */
    int n_files;
    int *match; /* for each ( [ { and ) ] }: the index of its partner; -1 for other tokens */
};

struct place { /* an error: where, and one line that says what */
    char file[512];
    int line;
    char text[300];
};

/* Tokens of text[0..length), which must outlive them and end with '\0'. False with *error where a
 * string does not end or brackets do not match. tokens_free in both cases. */
bool tokens_read(struct tokens *t, const char *text, size_t length, struct place *error);
void tokens_free(struct tokens *t);
/* Fills in `match`; false with *error where brackets do not match. */
bool tokens_match(struct tokens *t, struct place *error);

/* Whether token i is this word or punctuation; an index past the end is none. */
bool token_is(const struct tokens *t, size_t i, const char *text);
/* Whether the operator at i has nothing before it to work on; whether i is this text, behind what
 * stands before it without a space. */
bool is_prefix(const struct tokens *t, size_t i);
bool is_joined(const struct tokens *t, size_t i, const char *text);
/* Fill *error for a line of a file. */
void place_set(struct place *error, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Fill *error for token i; returns false. */
bool token_error(const struct tokens *t, size_t i, struct place *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#ifdef __cplusplus
}
#endif
#endif
