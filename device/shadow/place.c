/* From a return address to file and line: by libbacktrace, which gcc's package brings, in this
 * process, so that it works in a jail; without it by addr2line. Where neither is there, reports say
 * "?" and the address in the program, for `addr2line -e PROGRAM ADDRESS`. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/shadow/shadow.h"

extern const char __executable_start[], _end[]; /* of the linker */

/* Code of ours that is inlined into kernels (operators of vectors, say) is not where the user's
 * access stands. */
static bool is_ours(const char *file)
{
    return strstr(file, "device/include/") != NULL;
}

/* Nor is a template of C++'s library, which the user's line called. */
static bool is_library(const char *file)
{
    return strncmp(file, "/usr/", 5) == 0 || strstr(file, "/include/c++/");
}

bool check_place_is_header(const struct place *place)
{
    return is_ours(place->file) || is_library(place->file);
}

static bool is_of_program(uintptr_t pc)
{
    return pc - (uintptr_t)__executable_start < (uintptr_t)_end - (uintptr_t)__executable_start;
}

void check_place_set(struct place *place, const char *file, int line)
{
    place->line = line;
    char folder[256];
    if (getcwd(folder, sizeof folder)) {
        size_t n = strlen(folder);
        if (strncmp(file, folder, n) == 0 && file[n] == '/')
            file += n + 1;
    }
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    snprintf(place->file, sizeof place->file, "%s", file);
}

#if __has_include(<backtrace.h>)
#include <backtrace.h>

static void no_line(void *data, const char *message, int error)
{
    (void)data;
    (void)message;
    (void)error;
}

/* Called for the innermost inlined function first. */
static int line_found(void *data, uintptr_t pc, const char *file, int line, const char *function)
{
    struct place *place = data;
    (void)pc;
    (void)function;
    if (!file)
        return 0;
    check_place_set(place, file, line);
    return !is_ours(file) && !is_library(file);
}

static struct backtrace_state *the_state(void)
{
    static struct backtrace_state *state;
    if (!state)
        state = backtrace_create_state(NULL, 1, no_line, NULL);
    return state;
}

static void look_up(struct place *place, uintptr_t pc)
{
    if (the_state())
        backtrace_pcinfo(the_state(), pc, line_found, no_line, place);
}

struct climb {
    uintptr_t pc;
    bool begun;
    struct place *place;
};

/* Called for each frame of the stack, the last call first: stops at the first line of the user's
 * that stands above the call at `pc`. */
static int frame_found(void *data, uintptr_t pc)
{
    struct climb *c = data;
    struct place above = {.file = "?"};
    if (c->begun && is_of_program(pc))
        look_up(&above, pc);
    c->begun |= pc == c->pc;
    if (above.line == 0 || check_place_is_header(&above))
        return 0;
    *c->place = above;
    return 1;
}

/* A function of a library's that is no part of its caller's code: only the host's stack has frames
 * all the way. */
static void climb(struct place *place, uintptr_t pc)
{
    struct climb c = {.pc = pc, .place = place};
    if (the_state() && !dev_self)
        backtrace_simple(the_state(), 0, frame_found, no_line, &c);
}

static void symbol_found(void *data, uintptr_t p, const char *name, uintptr_t at, uintptr_t bytes)
{
    (void)p;
    (void)at;
    (void)bytes;
    *(bool *)data = name && strncmp(name, "_ZTV", 4) == 0;
}

bool check_place_is_vtable(uintptr_t p)
{
    bool is = false;
    if (is_of_program(p) && the_state())
        backtrace_syminfo(the_state(), p, symbol_found, no_line, &is);
    return is;
}
#else
bool check_place_is_vtable(uintptr_t p)
{
    (void)p;
    return false;
}

static void climb(struct place *place, uintptr_t pc)
{
    (void)place;
    (void)pc;
}

static void look_up(struct place *place, uintptr_t pc)
{
    char command[128], line[512];
    snprintf(command, sizeof command, "addr2line -i -e /proc/%d/exe %#zx 2>/dev/null",
             (int)getpid(), (size_t)(pc - (uintptr_t)__executable_start));
    FILE *f = popen(command, "r");
    while (f && fgets(line, sizeof line, f)) {
        char *colon = strrchr(line, ':');
        if (!colon || line[0] == '?')
            break;
        *colon = '\0';
        check_place_set(place, line, atoi(colon + 1));
        if (!is_ours(line) && !is_library(line))
            break;
    }
    if (f)
        pclose(f);
}
#endif

struct place check_place_of(const void *from)
{
    enum { KNOWN = 256 };
    static struct {
        uintptr_t pc;
        struct place place;
    } known[KNOWN];
    /* Traffic numbers pieces of an access in the upper bits; the call is before its return. */
    uintptr_t pc = ((uintptr_t)from & UINT64_C(0xFFFFFFFFFFFF)) - 1;
    size_t i = pc % KNOWN;
    if (known[i].pc != pc) {
        known[i].pc = pc;
        known[i].place = (struct place){.file = "?"};
        look_up(&known[i].place, pc);
        if (!is_of_program(pc) || is_library(known[i].place.file))
            climb(&known[i].place, pc);
        if (known[i].place.line == 0)
            snprintf(known[i].place.file, sizeof known[i].place.file, "?+%#zx",
                     (size_t)(pc - (uintptr_t)__executable_start));
    }
    return known[i].place;
}

const void *check_place_whole(uint32_t low)
{
    /* Code lies within 2 GiB of this function's. */
    uintptr_t here = (uintptr_t)check_place_whole;
    return (const void *)(here + (uintptr_t)(intptr_t)(int32_t)(low - (uint32_t)here));
}

bool check_place_source(char *text, size_t size, const char *file, int line)
{
    FILE *f = line > 0 ? fopen(file, "r") : NULL;
    if (!f)
        return false;
    char buffer[512];
    bool found = false;
    for (int at = 1; at <= line && fgets(buffer, sizeof buffer, f);) {
        size_t n = strlen(buffer);
        bool whole = n > 0 && buffer[n - 1] == '\n';
        if (at == line) {
            while (n > 0 && (unsigned char)buffer[n - 1] <= ' ')
                buffer[--n] = '\0';
            snprintf(text, size, "%s", buffer + strspn(buffer, " \t"));
            found = n > 0;
            break;
        }
        at += whole;
    }
    fclose(f);
    return found;
}

struct dev_site check_site_of(const void *from)
{
    struct known {
        const void *from;
        struct place place;
        struct known *next;
    };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct known *all, nowhere = {.place = {.file = "?"}};
    pthread_mutex_lock(&lock);
    const struct known *k = all;
    while (k && k->from != from)
        k = k->next;
    if (!k) {
        struct known *one = malloc(sizeof *one);
        if (one) {
            *one = (struct known){from, check_place_of(from), all};
            all = one;
        }
        k = one ? one : &nowhere;
    }
    pthread_mutex_unlock(&lock);
    return (struct dev_site){k->place.file, k->place.line};
}
