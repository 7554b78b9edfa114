/* Listings of archives. What an archive says of itself is what a student wrote: every line is
 * refused that is not plainly a file or a folder below the archive's own folder. */
#define _GNU_SOURCE
#include "harness/handin/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/defence.h"

/* The next word of *p, ended in place; NULL where there is none. */
static char *word(char **p)
{
    char *begin = *p + strspn(*p, " ");
    if (!*begin)
        return NULL;
    char *end = begin + strcspn(begin, " ");
    *p = *end ? end + 1 : end;
    *end = '\0';
    return begin;
}

/* Whether two words are a day and a clock: of a time that no calendar has tar prints one number. */
static bool is_time(const char *day, const char *clock)
{
    return day && clock && day[strspn(day, "0123456789")] == '-' && isdigit((unsigned char)*day) &&
           clock[strspn(clock, "0123456789")] == ':';
}

/* "-rw-r--r-- 0/0 123 2026-01-31 12:00:00 FOLDER/FILE", or of zipinfo
 * "-rw-r--r--  3.0 unx 123 tx defN 20260131.120000 FOLDER/FILE"; a folder's path ends with a slash.
 */
static bool read_member(char *line, bool zip, struct submission_member *m)
{
    char *mode = word(&line), *size = NULL, *day = NULL, *w = mode;
    for (int i = 1; w && i < (zip ? 7 : 5); i++) {
        w = word(&line);
        if (i == (zip ? 3 : 2))
            size = w;
        if (i == 3)
            day = w;
    }
    if (!w || !*line)
        return false;
    if (DEFENCE(member_times) && !zip && !is_time(day, w))
        return false;
    char *end;
    m->type = mode[0];
    m->bytes = strtoull(size, &end, 10);
    m->path = line;
    if (*end || !isdigit((unsigned char)*size))
        m->bytes = 0;                                           /* a device's numbers */
    for (char *p = line; zip && (p = strchr(p, '\\')) != NULL;) /* as some systems write paths */
        *p = '/';
    if (zip && m->type == '?') /* written by a system that has no modes */
        m->type = line[strlen(line) - 1] == '/' ? 'd' : '-';
    return true;
}

/* Whether a path leads out of the folder that it is unpacked in. */
static bool leads_out(const char *path)
{
    if (path[0] == '/')
        return true;
    for (const char *p = path; *p; p += strspn(p, "/")) {
        size_t n = strcspn(p, "/");
        if (n == 2 && strncmp(p, "..", 2) == 0)
            return true;
        p += n;
    }
    return false;
}

static bool refuse(char *reason, size_t size, const char *path, const char *what)
{
    snprintf(reason, size, "\"%.100s\" %s", path, what);
    for (char *p = reason; *p; p++)
        if ((unsigned char)*p < 0x20 || (unsigned char)*p > 0x7e)
            *p = '?';
    return false;
}

static bool accept(const struct submission_member *m, char *reason, size_t size)
{
    if (DEFENCE(links) && m->type == 'l')
        return refuse(reason, size, m->path, "is a symbolic link: hand in plain files");
    if (DEFENCE(links) && m->type == 'h')
        return refuse(reason, size, m->path, "is a link to another file: hand in plain files");
    if (DEFENCE(links) && m->type != '-' && m->type != 'd')
        return refuse(reason, size, m->path, "is no regular file: hand in plain files");
    if (DEFENCE(names) && leads_out(m->path))
        return refuse(reason, size, m->path, "leads out of the folder that it is unpacked in");
    return true;
}

/* zipinfo's listing without the two lines before it and the one behind it. */
static char *without_frame(char *text)
{
    for (int i = 0; i < 2; i++)
        text += strcspn(text, "\n") + (strchr(text, '\n') != NULL);
    size_t n = strlen(text);
    while (n > 0 && text[n - 1] == '\n')
        text[--n] = '\0';
    char *last = strrchr(text, '\n');
    *(last ? last : text) = '\0';
    return text;
}

int handin_read_listing(char *text, bool zip, struct submission_member *members, int most,
                        char *reason, size_t reason_size)
{
    int n = 0, all = 0;
    unsigned long long sum = 0;
    char *rest = NULL;
    if (zip)
        text = without_frame(text);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        struct submission_member m;
        char *whole = hpc_strdup(line);
        const bool warns = zip && strncmp(line, "warning [", 9) == 0; /* of bytes before it, say */
        const bool read = !warns && read_member(line, zip, &m);
        if (!read)
            refuse(reason, reason_size, whole,
                   warns ? "says unzip: pack it again" : "is no line of a listing: pack it again");
        free(whole);
        if (!read)
            return -1;
        if (!accept(&m, reason, reason_size))
            return -1;
        sum = m.bytes > HANDIN_MOST_BYTES ? m.bytes : sum + m.bytes;
        if (DEFENCE(sizes_of_members) && sum > HANDIN_MOST_BYTES) {
            snprintf(reason, reason_size, "more than %zu MiB unpacked (%llu MiB)",
                     HANDIN_MOST_BYTES >> 20, sum >> 20);
            return -1;
        }
        if (DEFENCE(counts) && all++ == most) {
            snprintf(reason, reason_size, "more than %d files, expected those of the lab", most);
            return -1;
        }
        if (n < most)
            members[n++] = m;
    }
    return n;
}
