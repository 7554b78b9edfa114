/* What a runner's threads do. Where one that does not come back stands: each thread's line in the
 * student's file, and what it waits for; words alone come of that, for all of it is what the
 * variant left there. And what its threads have used. */
#define _GNU_SOURCE
#include "harness/exchange/stand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "common/clock.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/text.h"

#define THREADS 16
#define PLACE   EXCHANGE_PLACE

/* Whether the bytes before a return address are a call's. */
static bool follows_call(struct jail *jail, uint64_t address)
{
#ifdef __x86_64__
    unsigned char b[7];
    if (!jail_peek(jail, address - sizeof b, b, sizeof b))
        return false;
    return b[2] == 0xe8 || b[5] == 0xff || b[4] == 0xff || b[1] == 0xff || b[0] == 0xff;
#else
    (void)jail;
    return address != 0;
#endif
}

size_t stand_stack(struct jail *jail, const struct jail_thread *t, uint64_t stack[STAND_WORDS])
{
    size_t words = STAND_WORDS;
    while (words > 0 && !jail_peek(jail, t->sp, stack, words * sizeof *stack))
        words /= 2; /* the stack's end is near */
    return words;
}

/* All that may be return addresses of the program, the innermost first. */
void stand_frames(struct jail *jail, const struct jail_code *code, int most, struct stand *s)
{
    static uint64_t stack[STAND_WORDS];
    const size_t words = stand_stack(jail, &s->thread, stack);
    if (s->thread.pc >= code->begin && s->thread.pc < code->end)
        s->address[s->n++] = s->thread.pc - code->base;
    for (size_t i = 0; i < words && s->n < most; i++)
        if (stack[i] > code->begin && stack[i] < code->end && follows_call(jail, stack[i]))
            s->address[s->n++] = stack[i] - 1 - code->base;
}

char *stand_ask(const char *runner, struct command_line *w)
{
    const char *env[] = {"PATH=/usr/bin:/bin", "LANG=C", NULL};
    struct hpc_error err;
    struct jail_end end;
    char *text = hpc_calloc(1, STAND_ANSWER);
    struct jail_spec spec = {.argv = (const char *const *)w->word,
                             .env = env,
                             .read_only = {runner},
                             .fds = {-1, -1},
                             .limits = {.cpu_seconds = 10,
                                        .wall_seconds = 10,
                                        .memory_bytes = (size_t)1 << 30,
                                        .file_bytes = 1 << 20,
                                        .output_bytes = STAND_ANSWER - 1,
                                        .processes = 4},
                             .profile = JAIL_BUILD};
    struct jail *jail = jail_start(&spec, &err);
    if (jail)
        jail_wait(jail, &end, text, STAND_ANSWER);
    command_line_clear(w);
    return text;
}

/* addr2line's words about all addresses; the caller's. */
static char *symbolize(const char *runner, const struct stand *stands, int n)
{
    const char *tool = command_find("addr2line");
    struct command_line w = {.n = 0};
    if (!tool)
        return hpc_calloc(1, 1);
    command_add(&w, tool);
    command_add_text(&w, "-a -i -e");
    command_add(&w, runner);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < stands[i].n; k++)
            command_add_printf(&w, "0x%llx", (unsigned long long)stands[i].address[k]);
    return stand_ask(runner, &w);
}

/* The first place of a variant's own file among those of one address; *p moves behind them. */
static void take_place(const char **p, char *place, char *header)
{
    while (**p && strncmp(*p, "0x", 2) != 0) {
        const char *line = strncmp(*p, "./", 2) == 0 ? *p + 2 : *p;
        const size_t length = strcspn(line, " \n");
        const bool own = *line != '/' && *line != '?' && strncmp(line, "runner/", 7) != 0 &&
                         length < PLACE && length > 2 && strncmp(line + length - 2, ":?", 2) != 0;
        char *to = memmem(line, length, ".h:", 3) ? header : place;
        if (own && !to[0])
            snprintf(to, PLACE, "%.*s", (int)length, line);
        *p += strcspn(*p, "\n");
        *p += **p == '\n';
    }
}

void stand_places(const char *runner, struct stand *stands, int n)
{
    char *text = symbolize(runner, stands, n);
    const char *p = text;
    for (int i = 0; i < n; i++) {
        char header[PLACE] = "";
        for (int k = 0; k < stands[i].n && strncmp(p, "0x", 2) == 0; k++) {
            p += strcspn(p, "\n");
            p += *p == '\n';
            take_place(&p, stands[i].place, header);
        }
        if (!stands[i].place[0])
            snprintf(stands[i].place, PLACE, "%s", header);
    }
    free(text);
}

/* A sleep with a deadline that was stopped goes on as another call. */
bool stand_sleeps(const struct stand *s)
{
    return s->thread.call == SYS_futex || s->thread.call == SYS_nanosleep ||
           s->thread.call == SYS_clock_nanosleep || s->thread.call == SYS_restart_syscall;
}

bool stand_waits(const struct stand *s)
{
    return s->pauses || s->thread.call == SYS_sched_yield || stand_sleeps(s);
}

/* What a thread waits for, where it looks like glibc's: {lock, count, owner, users} of a mutex,
 * {in, round, count} of a barrier about the word that it sleeps on. */
static void find_what(struct jail *jail, struct stand *stands, int n, int i)
{
    struct stand *s = &stands[i];
    uint32_t w[5] = {0}; /* from the word before on */
    if (s->thread.call != SYS_futex || !jail_peek(jail, s->thread.argument - 4, w, sizeof w))
        return;
    for (int k = 0; k < n && w[1] == 2; k++) /* taken, and waited for */
        if (w[3] == (uint32_t)stands[k].thread.name) {
            snprintf(s->what, sizeof s->what,
                     k == i ? " for a lock that it holds itself"
                            : " for a lock that thread %d holds",
                     k);
            return;
        }
    if (w[1] == 2 && w[2] <= 1 && w[3] > 0 && w[4] >= 1 && w[4] <= THREADS && n < THREADS)
        snprintf(s->what, sizeof s->what, " for a lock that an ended thread holds");
    if (w[2] >= 2 && w[2] <= 1024 && w[0] - w[1] >= 1 && w[0] - w[1] < w[2] &&
        (w[3] == 0 || w[3] == 128))
        snprintf(s->what, sizeof s->what, " in a barrier to which %u of %u have come", w[0] - w[1],
                 w[2]);
}

/* Bytes above its stack's end in which a thread's own frames are looked for. */
#define FRAMES ((uint64_t)1 << 16)

static bool on_own_stack(const struct stand *s)
{
    return s->thread.call == SYS_futex && s->place[0] && s->thread.argument > s->thread.sp &&
           s->thread.argument < s->thread.sp + FRAMES;
}

/* Of what threads wait for at one line, each may have a copy: it lies on the stack of each. */
static void find_copies(struct stand *stands, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            if (i != k && on_own_stack(&stands[i]) && on_own_stack(&stands[k]) &&
                strcmp(stands[i].place, stands[k].place) == 0)
                snprintf(stands[i].what, sizeof stands[i].what, "%s", STAND_COPIES);
}

static bool same(const struct stand *a, const struct stand *b)
{
    return strcmp(a->place, b->place) == 0 && strcmp(a->what, b->what) == 0 &&
           (a->thread.call == SYS_futex) == (b->thread.call == SYS_futex);
}

/* "threads 1 and 2 wait at F:29 in a barrier .." for all that stand like number i. */
static void say(const struct stand *stands, int n, int i, char *text, size_t size)
{
    int alike = 0;
    char names[80] = "";
    for (int k = i; k < n; k++)
        if (same(&stands[i], &stands[k])) {
            text_fit(names, sizeof names, "%s%s%d", names, alike ? ", " : "", k);
            alike++;
        }
    const bool waits = stands[i].thread.call == SYS_futex;
    text_fit(text, size, "%s%s%s %s %s at %s%s", text, *text ? "; " : "",
             alike > 1 ? "threads" : "thread", names,
             waits       ? alike > 1 ? "wait" : "waits"
             : alike > 1 ? "run"
                         : "runs",
             stands[i].place, stands[i].what);
}

/* Threads that sleep, and in no line of the file: of OpenMP's, those that came to a region's end.
 */
static void say_others(const struct stand *stands, int n, char *text, size_t size)
{
    char names[80] = "";
    int others = 0;
    for (int i = 0; i < n; i++)
        if (!stands[i].place[0] && stands[i].thread.call == SYS_futex) {
            text_fit(names, sizeof names, "%s%s%d", names, others ? ", " : "", i);
            others++;
        }
    if (others && *text)
        text_fit(text, size,
                 "%s; thread%s %s wait%s in no line of the file: at its end, or at "
                 "that of the region",
                 text, others > 1 ? "s" : "", names, others > 1 ? "" : "s");
}

/* More threads than were asked for, or one whom none is left to answer; and that a call before it
 * came back. */
static void say_count(const struct exchange *x, int n, bool run, char *text, size_t size)
{
    const bool host = x->device == DEVICE_HOST; /* a block's threads are one of the device's */
    const bool alone = host && n == 1 && x->threads > 1 && !strstr(text, " for ");
    if (!*text)
        return;
    if (alone)
        text_fit(text, size,
                 "%s; no other thread is there: if it waits for one, that has ended, or was never "
                 "started",
                 text);
    else if (host && n > x->threads && n < THREADS)
        text_fit(
            text, size,
            "%s; %d threads are there, the one that calls run() among them, where env->threads "
            "is %d",
            text, n, x->threads);
    if (run && x->calls > 0)
        text_fit(text, size, "%s; in call %u: what did the one before leave?", text,
                 (unsigned)x->calls + 1);
}

void hang_places(struct exchange *x, bool run, char *text, size_t size)
{
    struct jail_thread threads[THREADS];
    struct jail_code code;
    static struct stand stands[THREADS];
    text[0] = '\0';
    if (x->device == DEVICE_CUDA)
        return;
    jail_hold(x->jail);
    const int n = jail_threads(x->jail, threads, THREADS);
    if (n == 0 || !jail_code(x->jail, &code))
        return;
    for (int i = 0; i < n; i++) {
        stands[i] = (struct stand){.thread = threads[i]};
        stand_frames(x->jail, &code, STAND_FRAMES, &stands[i]);
    }
    for (int i = 0; i < n; i++)
        find_what(x->jail, stands, n, i);
    stand_places(x->runner, stands, n);
    find_copies(stands, n);
    for (int i = 0; i < n; i++) {
        bool said = !stands[i].place[0];
        for (int k = 0; k < i && !said; k++)
            said = same(&stands[i], &stands[k]);
        if (!said)
            say(stands, n, i, text, size);
    }
    say_others(stands, n, text, size);
    say_count(x, n, run, text, size);
}

void exchange_threads_begin(struct exchange *x)
{
    x->begin_all = jail_cpu_seconds(x->jail);
    x->begin_first = jail_first_seconds(x->jail);
}

void exchange_threads(const struct exchange *x, double *all, double *most)
{
    *all = jail_cpu_seconds(x->jail) - x->begin_all;
    *most = jail_busiest_seconds(x->jail, x->begin_first);
}
