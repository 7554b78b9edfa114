/* Where the threads of a held process stand, by what the kernel shows of them: for the words about
 * one that hangs. Nothing is judged by that; what goes over its network is. */
#define _GNU_SOURCE
#include "harness/jail/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The process that is looked at. */
static int seen(const struct jail *jail)
{
    return (int)(jail->rank ? jail->rank : jail->program);
}

/* The text of a file below /proc/PROCESS; false where it can't be read. */
static bool read_text(const struct jail *jail, const char *name, char *text, size_t size)
{
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/%s", seen(jail), name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, size - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* "202 0x7f.. 0x189 0x1 0x0 0x0 0x0 SP PC", or "-1 SP PC" outside any call. */
static bool read_thread(const struct jail *jail, const char *thread, struct jail_thread *t)
{
    char name[300], text[4096], *at;
    snprintf(name, sizeof name, "task/%s/syscall", thread);
    *t = (struct jail_thread){.call = -1};
    if (!read_text(jail, name, text, sizeof text) || strncmp(text, "running", 7) == 0)
        return false;
    t->call = strtol(text, &at, 10);
    if (t->call >= 0)
        t->argument = strtoull(at, &at, 16);
    for (int i = 1; i < 6 && t->call >= 0; i++)
        strtoull(at, &at, 16);
    t->sp = strtoull(at, &at, 16);
    t->pc = strtoull(at, &at, 16);
    snprintf(name, sizeof name, "task/%s/status", thread);
    read_text(jail, name, text, sizeof text);
    const char *inner = strstr(text, "NSpid:"); /* the last number is its own name for itself */
    const char *end = inner ? strchr(inner, '\n') : NULL;
    while (end && end > inner && end[-1] != '\t' && end[-1] != ' ')
        end--;
    t->id = atoi(thread);
    t->name = end ? atoi(end) : t->id;
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct jail_thread *one = a, *two = b;
    return (one->name > two->name) - (one->name < two->name);
}

int jail_threads(struct jail *jail, struct jail_thread *threads, int most)
{
    char path[64];
    int n = 0;
    if (jail->ended || !jail->held)
        return 0;
    snprintf(path, sizeof path, "/proc/%d/task", seen(jail));
    DIR *folder = opendir(path);
    for (struct dirent *e; folder && n < most && (e = readdir(folder)) != NULL;)
        if (atoi(e->d_name) > 0 && read_thread(jail, e->d_name, &threads[n]))
            n++;
    if (folder)
        closedir(folder);
    qsort(threads, (size_t)n, sizeof *threads, by_name);
    return n;
}

bool jail_peek(struct jail *jail, uint64_t address, void *to, size_t bytes)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", seen(jail));
    const int fd = jail->ended || !jail->held ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    const bool good = fd >= 0 && pread(fd, to, bytes, (off_t)address) == (ssize_t)bytes;
    if (fd >= 0)
        close(fd);
    return good;
}

bool jail_code(struct jail *jail, struct jail_code *code)
{
    char path[64], line[600], own[400] = "";
    unsigned long long begin, end, offset;
    snprintf(path, sizeof path, "/proc/%d/maps", seen(jail));
    FILE *f = jail->ended || !jail->held ? NULL : fopen(path, "re");
    bool found = false;
    *code = (struct jail_code){.base = 0};
    while (f && !found && fgets(line, sizeof line, f)) { /* its own file is the first one */
        char access[5] = "", name[400] = "";
        if (sscanf(line, "%llx-%llx %4s %llx %*s %*s %399s", &begin, &end, access, &offset, name) <
                5 ||
            name[0] != '/')
            continue;
        if (!own[0])
            snprintf(own, sizeof own, "%s", name);
        found = strcmp(own, name) == 0 && access[2] == 'x';
        if (found)
            *code = (struct jail_code){.base = begin - offset, .begin = begin, .end = end};
    }
    if (f)
        fclose(f);
    return found;
}

bool jail_carried(const struct jail *jail, uint64_t *bytes, uint64_t *payload)
{
    enum { HEADERS = 66 }; /* bytes of a packet that are not its own: of Ethernet, IPv4 and TCP */
    char text[4096];
    unsigned long long received, sent, packets;
    const struct jail one = {.program = jail->program};
    if (jail->ended || jail->tier != JAIL_BUBBLEWRAP || jail->program == 0 ||
        !read_text(&one, "net/dev", text, sizeof text))
        return false;
    const char *loopback = strstr(text, "lo:");
    if (!loopback || sscanf(loopback, "lo: %llu %*u %*u %*u %*u %*u %*u %*u %llu %llu", &received,
                            &sent, &packets) != 3)
        return false;
    *bytes = sent;
    *payload = sent > HEADERS * packets ? sent - HEADERS * packets : 0;
    return true;
}

/* Whether a process is a child of the program's. */
static bool is_child(const struct jail *jail, int process)
{
    const struct jail one = {.program = process};
    char text[512];
    int parent = 0;
    const char *end = read_text(&one, "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    return end && sscanf(end, ") %*c %d", &parent) == 1 && parent == jail->program;
}

int jail_written(const struct jail *jail, uint64_t *bytes, int most)
{
    DIR *folder = jail->ended || !jail->program ? NULL : opendir("/proc");
    int n = 0;
    for (struct dirent *e; folder && n < most && (e = readdir(folder)) != NULL;) {
        const struct jail one = {.program = atoi(e->d_name)};
        char text[512];
        unsigned long long written;
        const char *line = one.program > 0 && is_child(jail, one.program) &&
                                   read_text(&one, "io", text, sizeof text)
                               ? strstr(text, "wchar: ")
                               : NULL;
        if (line && sscanf(line, "wchar: %llu", &written) == 1)
            bytes[n++] = written;
    }
    if (folder)
        closedir(folder);
    return n;
}

/* Whether a process is a child of the program's, and the rank of that number. */
static bool is_rank(const struct jail *jail, int process, int rank)
{
    static const char name[] = "OMPI_COMM_WORLD_RANK=";
    const struct jail one = {.program = process};
    char text[1 << 15];
    if (!is_child(jail, process))
        return false;
    if (!read_text(&one, "environ", text, sizeof text))
        return false;
    for (const char *word = text; word < text + sizeof text && *word; word += strlen(word) + 1)
        if (strncmp(word, name, strlen(name)) == 0)
            return atoi(word + strlen(name)) == rank;
    return false;
}

/* Whether the rank's first thread is stopped within a second. */
static bool stops(struct jail *jail)
{
    char text[512];
    for (int i = 0; i < 1000; i++) {
        const char *end = read_text(jail, "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
        if (end && end[1] && end[2] == 'T')
            return true;
        usleep(1000);
    }
    return false;
}

bool jail_hold_rank(struct jail *jail, int rank)
{
    jail_find(jail);
    DIR *folder = jail->ended || !jail->program ? NULL : opendir("/proc");
    bool held = false;
    jail->rank = 0;
    for (struct dirent *e; folder && !held && (e = readdir(folder)) != NULL;) {
        const int process = atoi(e->d_name);
        const int fd = process > 0 ? (int)syscall(SYS_pidfd_open, process, 0) : -1;
        /* asked when it has a descriptor, by which no other process is stopped in its place */
        if (fd >= 0 && is_rank(jail, process, rank)) {
            jail->rank = process;
            held = syscall(SYS_pidfd_send_signal, fd, SIGSTOP, NULL, 0) == 0 && stops(jail);
        }
        if (fd >= 0)
            close(fd);
    }
    if (folder)
        closedir(folder);
    if (!held)
        jail->rank = 0;
    jail->held = held;
    return held;
}
