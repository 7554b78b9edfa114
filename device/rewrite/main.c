/* rewrite: preprocessed CUDA C++ on stdin, or in a file, as plain C++ on stdout. Exit 0; 2 with
 * "FILE:LINE: error: .." where the text can't be read; 3 where the machine fails. With --explain
 * before the file: what it needs of CUDA, exit 1 where some of it is not there. With --missing: the
 * file is what the preprocessor said, which is said anew on stderr. */
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

int main(int argc, char **argv)
{
    const bool explains = argc == 3 && strcmp(argv[1], "--explain") == 0;
    const bool translates = argc == 3 && strcmp(argv[1], "--missing") == 0;
    if (explains || translates) {
        argv++;
        argc--;
    }
    if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
        fprintf(stderr,
                "usage: rewrite [FILE]    (g++ -E FILE.cu | rewrite | g++ -x c++-cpp-output)\n");
        return 2;
    }
    FILE *in = argc == 2 ? fopen(argv[1], "r") : stdin;
    size_t length = 0;
    int missing = 0;
    if (in && translates) {
        translate_missing(in, stderr);
        fclose(in);
        return 0;
    }
    char *text = in ? read_all(in, &length) : NULL;
    if (!text || ferror(in)) {
        fprintf(stderr, "rewrite: %s: %s\n", argc == 2 ? argv[1] : "stdin", strerror(errno));
        return 3;
    }
    struct place error = {0};
    bool ok = explains ? explain(text, length, stdout, &missing, &error)
                       : rewrite(text, length, stdout, &error);
    free(text);
    if (in != stdin)
        fclose(in);
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
