/* What is an archive by its name, and which program reads it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/command.h"
#include "common/scratch.h"
#include "harness/handin/internal.h"

size_t handin_suffix(const char *name)
{
    static const char *const suffixes[] = {".tar.gz", ".tgz",     ".tar",     ".zip",
                                           ".tar.xz", ".txz",     ".tar.bz2", ".tbz2",
                                           ".tbz",    ".tar.zst", ".7z",      ".rar"};
    const size_t n = strlen(name);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const size_t m = strlen(suffixes[i]);
        if (n > m && strcasecmp(name + n - m, suffixes[i]) == 0)
            return m;
        const char *end = suffixes[i] + 4; /* "x.tar (1).gz" is a second download of x.tar.gz */
        for (const char *p = name; strlen(suffixes[i]) > 4 && (p = strcasestr(p, ".tar")); p++) {
            const size_t number = p > name ? handin_number(p + 4) : 0;
            if (number && strcasecmp(p + 4 + number, end) == 0)
                return strlen(p);
        }
    }
    return 0;
}

/* What an archive is, its first bytes say: its name is a student's choice. */
static const struct kind {
    const char *magic;
    size_t at;
    const char *is, *program; /* NULL: not read here */
} kinds[] = {
    {"PK\3\4", 0, "zip", "unzip"},
    {"PK\5\6", 0, "zip", "unzip"},
    {"ustar", 257, "tar", "tar"},
    {"\x1f\x8b", 0, "gzip", "gzip"},
    {"BZh", 0, "bzip2", "bzip2"},
    {"\xfd\x37zXZ", 0, "xz", "xz"},
    {"\x28\xb5\x2f\xfd", 0, "zstd", "zstd"},
    {"7z\xbc\xaf", 0, "a 7z archive", NULL},
    {"Rar!", 0, "a RAR archive", NULL},
    {"%PDF", 0, "a PDF", NULL},
};

bool handin_kind(const char *to, const char *shown, bool *zip, const char **unpacker,
                 struct hpc_error *err)
{
    char *path = hpc_printf("%s/archive", to), head[512] = "";
    FILE *f = scratch_open(path);
    const size_t n = f ? fread(head, 1, sizeof head, f) : 0;
    if (f)
        fclose(f);
    free(path);
    *zip = false;
    *unpacker = NULL;
    if (n == 0)
        return hpc_fail(err, "%s: is empty, expected an archive", shown);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *k = &kinds[i];
        if (memcmp(head + k->at, k->magic, strlen(k->magic)) != 0)
            continue;
        *zip = !strcmp(k->is, "zip");
        if (!*zip && strcmp(k->is, "tar") != 0)
            *unpacker = k->program;
        if (!k->program)
            return hpc_fail(err, "%s: is %s, expected a .tar.gz or .zip", shown, k->is);
        return command_find(k->program) ||
               hpc_fail_env(err, "no %s here to read %s with; ./bootstrap brings it", k->program,
                            shown);
    }
    return hpc_fail(err, "%s: is no archive, expected a .tar.gz or .zip", shown);
}
