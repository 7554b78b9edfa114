/* Why a runner is slow: while it computes it is stopped at random moments, and looked at where each
 * of its threads stands. Shares of time come of that whatever else the machine does; they choose
 * words, and no points. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/random.h"
#include "harness/exchange/functions.h"

#define LOOKS   48
#define THREADS 4 /* that are looked at */
#define FRAMES  4
#define SECONDS 4.0
#define MOST    4e-3 /* seconds from one look to the next */
#define SLACK   48   /* bytes of code about what was seen to run */
#define AROUND  16   /* bytes of code before and behind an instruction, as of a loop that waits */

struct sampler {
    struct jail_code code;
    struct hpc_random random;
    struct stand stand[LOOKS * THREADS];
    struct chain chain[LOOKS * THREADS];
    int n, looks, running, together;
    double call; /* seconds of the last one */
};

/* Hold what is looked at; false where it has just ended. */
static bool hold(struct exchange *x)
{
    if (x->memory.layout.ranks)
        return jail_hold_rank(x->jail, 0);
    jail_hold(x->jail);
    return true;
}

/* A while until the next look: within a call, as a longer one would wait for a longer call. */
static void draw(struct exchange *x)
{
    const double most = fmin(x->sampler->call, MOST);
    x->slice = 20000 + (long)(hpc_random_double(&x->sampler->random) * most * 1e9);
}

/* Whether a processor's hint for loops that wait stands about a running thread's instruction. */
static bool pauses(struct jail *jail, uint64_t pc)
{
#ifdef __aarch64__
    static const unsigned char hints[][4] = {{0x3f, 0x20, 0x03, 0xd5},  /* yield */
                                             {0xdf, 0x3f, 0x03, 0xd5}}; /* isb */
#else
    static const unsigned char hints[][2] = {{0xf3, 0x90}}; /* pause */
#endif
    unsigned char code[2 * AROUND];
    if (!jail_peek(jail, pc - AROUND, code, sizeof code))
        return false;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (memmem(code, sizeof code, hints[i], sizeof *hints))
            return true;
    return false;
}

static void look(struct exchange *x)
{
    struct sampler *s = x->sampler;
    struct jail_thread threads[16];
    draw(x);
    if (s->looks == LOOKS || !hold(x))
        return;
    const int all = jail_threads(x->jail, threads, 16);
    const int n = x->memory.layout.ranks && all > 1 ? 1 : all; /* others are MPI's own */
    int working = 0;
    if (s->code.end == 0)
        jail_code(x->jail, &s->code);
    for (int i = 0; i < n && i < THREADS; i++) {
        struct stand *stand = &s->stand[s->n];
        *stand = (struct stand){.thread = threads[i]};
        const bool own = threads[i].pc >= s->code.begin && threads[i].pc < s->code.end;
        stand_frames(x->jail, &s->code, own ? 1 : FRAMES, stand);
        stand->pauses = threads[i].call < 0 && pauses(x->jail, threads[i].pc);
        chain_take(x->jail, &s->code, stand, &s->chain[s->n++]);
        s->running += !stand_sleeps(stand);
        working += !stand_waits(stand);
    }
    s->looks++;
    s->together += working > 1;
    jail_release(x->jail);
}

/* The line's entry, or a new one; NULL where there is no room. */
static struct exchange_line *line_of(struct exchange_profile *p, const char *place)
{
    for (int i = 0; i < p->n; i++)
        if (strcmp(p->line[i].place, place) == 0)
            return &p->line[i];
    if (p->n == EXCHANGE_LINES || !*place)
        return NULL;
    snprintf(p->line[p->n].place, EXCHANGE_PLACE, "%s", place);
    return &p->line[p->n++];
}

static int most_first(const void *a, const void *b)
{
    const struct exchange_line *one = a, *two = b;
    const int x = one->ran + one->called + one->waited, y = two->ran + two->called + two->waited;
    return x != y ? y - x : strcmp(one->place, two->place);
}

static void count(const struct sampler *s, struct exchange_profile *p)
{
    for (int i = 0; i < s->n; i++) {
        const struct stand *stand = &s->stand[i];
        struct exchange_line *line = line_of(p, stand->place);
        const bool own = stand->thread.pc >= s->code.begin && stand->thread.pc < s->code.end;
        p->samples++;
        if (line && stand_waits(stand))
            line->waited++;
        else if (line && own)
            line->ran++;
        else if (line)
            line->called++;
    }
    qsort(p->line, (size_t)p->n, sizeof *p->line, most_first);
    p->looks = s->looks;
    p->together = s->together;
    p->running = s->looks ? (double)s->running / s->looks : 0;
}

/* Whether an instruction computes with floats; *packed: with several at a time. */
static bool arithmetic(const char *name, bool *packed)
{
    static const char *const stems[] = {"add", "mul", "sub", "div", "fmadd", "fmsub", "fnmadd"};
    name += *name == 'v';
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        const size_t n = strlen(stems[i]);
        if (strncmp(name, stems[i], n) != 0)
            continue;
        const char *end = name + n + strspn(name + n, "123");
        if ((*end == 'p' || *end == 's') && (end[1] == 's' || end[1] == 'd')) {
            *packed = *end == 'p';
            return true;
        }
    }
    return false;
}

/* Whether a line of objdump's stores floats: "vmovss %xmm0,(%rax)". */
static bool stores(const char *line)
{
    const char *name = line + (*line == 'v'), *type = name + strcspn(name, " ") - 2;
    const size_t length = strlen(line);
    if (strncmp(name, "mov", 3) != 0 || length == 0 || line[length - 1] != ')')
        return false;
    return strncmp(type, "ss", 2) == 0 || strncmp(type, "sd", 2) == 0 ||
           strncmp(type, "ps", 2) == 0 || strncmp(type, "pd", 2) == 0;
}

/* What stands about where the first line's samples were: scalar and packed operations, stores. */
static void disassemble(const char *runner, const struct sampler *s, struct exchange_profile *p)
{
    const char *tool = command_find("objdump");
    uint64_t first = UINT64_MAX, last = 0;
    struct command_line w = {.n = 0};
    bool packed;
    for (int i = 0; i < s->n && p->n > 0; i++) {
        const struct stand *stand = &s->stand[i];
        if (stand->thread.pc < s->code.begin || stand->thread.pc >= s->code.end ||
            strcmp(stand->place, p->line[0].place) != 0)
            continue;
        first = stand->address[0] < first ? stand->address[0] : first;
        last = stand->address[0] > last ? stand->address[0] : last;
    }
    if (!tool || last == 0)
        return;
    command_add(&w, tool);
    command_add_text(&w, "-d --no-show-raw-insn");
    command_add_printf(&w, "--start-address=0x%llx", (unsigned long long)first);
    command_add_printf(&w, "--stop-address=0x%llx", (unsigned long long)last + SLACK);
    command_add(&w, runner);
    char *text = stand_ask(runner, &w), *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const char *at = strchr(line, '\t');
        if (at && arithmetic(at + 1, &packed))
            ++*(packed ? &p->packed : &p->scalar);
        p->stores += at && stores(at + 1);
    }
    free(text);
}

void exchange_places(const char *runner, const uint64_t *address, char (*place)[EXCHANGE_PLACE],
                     int n)
{
    struct stand *stands = hpc_calloc((size_t)n, sizeof *stands);
    for (int i = 0; i < n; i++)
        stands[i] = (struct stand){.address = {address[i]}, .n = 1};
    stand_places(runner, stands, n);
    for (int i = 0; i < n; i++)
        snprintf(place[i], EXCHANGE_PLACE, "%s", stands[i].place);
    free(stands);
}

/* Of the threads that there are, and of all that they start. */
static void start_counting(struct exchange *x, struct events *events)
{
    struct jail_thread threads[EVENT_THREADS];
    pid_t ids[EVENT_THREADS];
    const bool held = hold(x);
    const int n = held ? jail_threads(x->jail, threads, EVENT_THREADS) : 0;
    for (int i = 0; i < n; i++)
        ids[i] = threads[i].id;
    events_start(events, ids, n);
    if (held)
        jail_release(x->jail);
}

bool exchange_profile(struct exchange *x, struct exchange_profile *p, struct outcome *o)
{
    struct exchange_call call;
    struct events events;
    struct sampler *s = hpc_calloc(1, sizeof *s);
    const double until = clock_now() + SECONDS;
    bool good = true;
    *p = (struct exchange_profile){.ranks = x->memory.layout.ranks};
    hpc_random_init(&s->random, hpc_random_seed(), 0);
    x->sampler = s;
    x->look = look;
    s->call = MOST;
    start_counting(x, &events);
    for (uint64_t i = 1; good && s->looks < LOOKS && clock_now() < until && !hpc_interrupted();
         i++) {
        draw(x);
        good = exchange_run(x, i, false, &call, o);
        s->call = call.seconds;
    }
    x->look = NULL;
    events_stop(&events, &p->events);
    if (good) {
        stand_places(x->runner, s->stand, s->n);
        count(s, p);
        functions_count(x->runner, s->stand, s->chain, s->n, &s->code, p);
        disassemble(x->runner, s, p);
    }
    free(s);
    if (!good)
        return false;
    return p->looks > 0 || outcome_set(o, VERDICT_ENVIRONMENT,
                                       "every call ended before anything could be looked at");
}
