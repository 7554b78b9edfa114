/* The tools that read archives, in the jail of a compiler: what they do there to anything but the
 * folder that they are given harms nobody. */
#define _GNU_SOURCE
#include "common/scratch.h"
#include "harness/handin/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "harness/jail/jail.h"

#define SECONDS 15
/* Of a tar beside its files: a head and a longer name for each, its last blocks. */
#define HEADS_BYTES ((size_t)8 << 20)

/* The first line with words of a text, as printable text with single spaces. */
static void first_words(const char *text, char *line, size_t size)
{
    size_t n = 0;
    text += strspn(text, " \t\r\n");
    for (; *text && *text != '\n' && n + 1 < size; text++)
        if (*text != ' ' || (n && line[n - 1] != ' '))
            line[n++] = (unsigned char)*text < 0x20 || (unsigned char)*text > 0x7e ? '?' : *text;
    line[n] = '\0';
}

/* What a tool had to say against an archive. */
static void read_complaint(const char *folder, char *line, size_t size)
{
    char *path = hpc_printf("%s/complaints", folder), buffer[1000];
    FILE *f = scratch_open(path);
    buffer[f ? fread(buffer, 1, sizeof buffer - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    free(path);
    first_words(buffer, line, size);
}

static int lines(const char *text)
{
    int n = 0;
    for (; (text = strchr(text, '\n')) != NULL; text++)
        n++;
    return n;
}

/* Run a tool in the folder by a line of the shell's; what it prints, cleaned, into text. */
static bool run(const char *line, const char *const *tool, int warned, size_t file_bytes,
                const char *folder, const char *shown, char *text, struct hpc_error *err)
{
    const char *argv[2 * HANDIN_MOST_WANTED + 24] = {"/bin/sh", "-c", line, "sh"};
    for (int n = 4; *tool; tool++)
        argv[n++] = *tool;
    const char *env[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=/", "TZ=UTC", NULL};
    struct jail_spec spec = {.argv = argv,
                             .env = env,
                             .writable = folder,
                             .folder = folder,
                             .fds = {-1, -1},
                             .profile = JAIL_BUILD,
                             .limits = {.cpu_seconds = SECONDS,
                                        .wall_seconds = 2 * SECONDS,
                                        .memory_bytes = (size_t)512 << 20,
                                        .file_bytes = file_bytes,
                                        .output_bytes = HANDIN_LISTING,
                                        .processes = 16}};
    struct jail_end end;
    struct jail *jail = jail_start(&spec, err);
    if (!jail)
        return false;
    jail_wait(jail, &end, text, HANDIN_LISTING);
    if (end.wall_limit || end.cpu_limit)
        return hpc_fail(err, "%s: takes more than %d s to read, expected an archive of a few files",
                        shown, SECONDS);
    if (strlen(text) + 1 >= HANDIN_LISTING || end.output_limit)
        return lines(text) > HANDIN_MOST_FILES
                   ? hpc_fail(err, "%s: more than %d files, expected those of the lab", shown,
                              HANDIN_MOST_FILES)
                   : hpc_fail(err, "%s: names of more than %d KiB, expected those of the lab",
                              shown, HANDIN_LISTING >> 10);
    if (!end.exited || end.exit_status > warned) {
        if (!scratch_room(folder, HANDIN_MOST_BYTES))
            return hpc_fail_env(err,
                                "%s: less than %zu MiB are free where build/tmp lies, expected "
                                "room to unpack it",
                                shown, HANDIN_MOST_BYTES >> 20);
        char complaint[200];
        read_complaint(folder, complaint, sizeof complaint);
        return hpc_fail(err, "%s: can't be unpacked: %s", shown,
                        complaint[0] ? complaint
                        : end.exited ? "it is cut off or damaged"
                                     : end.why);
    }
    return true;
}

bool handin_tool(const char *const *tool, const char *input, int warned, const char *folder,
                 const char *shown, char *text, struct hpc_error *err)
{
    char *line = hpc_printf("exec \"$@\" <%s 2>complaints", input ? input : "/dev/null");
    const bool good = run(line, tool, warned, HANDIN_MOST_ARCHIVE, folder, shown, text, err);
    free(line);
    return good;
}

bool handin_plain(const char *unpacker, const char *folder, const char *name, const char *shown,
                  struct hpc_error *err)
{
    const size_t most = HANDIN_MOST_BYTES + HEADS_BYTES;
    const char *const tool[] = {command_find(unpacker), "-dc", NULL};
    char *line = hpc_printf("exec \"$@\" <archive >%s 2>complaints", name);
    char *path = hpc_printf("%s/%s", folder, name), *text = hpc_malloc(HANDIN_LISTING);
    struct stat file;
    bool good = run(line, tool, 0, most, folder, shown, text, err);
    if (lstat(path, &file) == 0 && (size_t)file.st_size >= most) /* however the tool took it */
        good = hpc_fail(err, "%s: more than %zu MiB unpacked, expected an archive of a few files",
                        shown, HANDIN_MOST_BYTES >> 20);
    free(text);
    free(path);
    free(line);
    return good;
}
