/* rewrite: preprocessed CUDA C++ on stdin, or in a file, as plain C++ on stdout. Exit 0; 2 with
 * "FILE:LINE: error: .." where the text can't be read; 3 where the machine fails. With --explain
 * before the file: what it needs of CUDA, exit 1 where some of it is not there. With --missing: the
 * file is what the preprocessor said, which is said anew on stderr. With --sides: exit 1 where the
 * program has no __CUDA_ARCH__; else a second file is the text without it, the host's (sides.c). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/rewrite.h"

static char *read_all(FILE *f, size_t *length)
{
    size_t capacity = 1 << 20, n = 0, got;
    char *text = malloc(capacity + 1);
    while (text && (got = fread(text + n, 1, capacity - n, f)) > 0) {
        n += got;
        if (n == capacity) {
            capacity *= 2;
            char *grown = realloc(text, capacity + 1);
            if (!grown)
                free(text);
            text = grown;
        }
    }
    if (text)
        text[n] = '\0';
    *length = n;
    return text;
}

/* The text of a file (NULL: stdin); NULL where it can't be read, which is said. */
static char *text_of(const char *name, size_t *length)
{
    FILE *in = name ? fopen(name, "r") : stdin;
    char *text = in ? read_all(in, length) : NULL;
    if (text && ferror(in)) {
        free(text);
        text = NULL;
    }
    if (!text)
        fprintf(stderr, "rewrite: %s: %s\n", name ? name : "stdin", strerror(errno));
    if (in && in != stdin)
        fclose(in);
    return text;
}

/* The text's first line, # 0 "FILE.cu", which names the whole for debug information: without it
 * lines of FILE.cu are told to be those of the command line. */
static void print_name(const char *text)
{
    if (strncmp(text, "# 0 \"", 5) == 0)
        printf("%.*s\n", (int)strcspn(text, "\n"), text);
}

/* `host`: the host's side of the text, or NULL. */
static bool rewrite_to_stdout(const char *text, size_t length, const char *host, size_t host_length,
                              struct place *error)
{
    size_t joined_length = 0;
    print_name(text);
    char *joined = host ? join_sides(text, length, host, host_length, &joined_length, error) : NULL;
    const bool ok = host ? joined && rewrite(joined, joined_length, stdout, error)
                         : rewrite(text, length, stdout, error);
    free(joined);
    return ok;
}

static int translate(const char *name)
{
    FILE *in = fopen(name, "r");
    if (in) {
        translate_missing(in, stderr);
        fclose(in);
    }
    return in ? 0 : 3;
}

int main(int argc, char **argv)
{
    const char *does = argc == 3 && argv[1][0] == '-' ? argv[1] : "";
    const char **names = (const char **)argv + (*does ? 2 : 1);
    const int n = argc - (*does ? 2 : 1);
    const bool known = !*does || !strcmp(does, "--explain") || !strcmp(does, "--missing") ||
                       !strcmp(does, "--sides");
    size_t length = 0, host_length = 0;
    int missing = 0;
    if (!known || n > 2 || (n > 0 && names[0][0] == '-')) {
        fprintf(stderr, "usage: rewrite [FILE [HOST_FILE]]    (g++ -E FILE.cu | rewrite | g++ -x "
                        "c++-cpp-output)\n");
        return 2;
    }
    if (strcmp(does, "--missing") == 0)
        return translate(names[0]);
    char *text = text_of(n > 0 ? names[0] : NULL, &length);
    char *host = text && n == 2 ? text_of(names[1], &host_length) : NULL;
    if (!text || (n == 2 && !host)) {
        free(text);
        return 3;
    }
    struct place error = {0};
    bool ok = true;
    if (strcmp(does, "--sides") == 0)
        missing = !has_sides(text, length);
    else if (strcmp(does, "--explain") == 0)
        ok = explain(text, length, stdout, &missing, &error);
    else
        ok = rewrite_to_stdout(text, length, host, host_length, &error);
    free(text);
    free(host);
    if (!ok) {
        fprintf(stderr, "%s:%d: error: %s\n", error.file, error.line, error.text);
        return 2;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "rewrite: standard output: %s\n", strerror(errno));
        return 3;
    }
    return missing > 0;
}
