/* Functions and who calls them, from stacks that hold no frames: a word of a stack counts as a
 * return address where the call before it goes to the function that the frame inside is in. What is
 * called by a pointer has no caller here, and an inlined function the one that it was put into. */
#define _GNU_SOURCE
#include "harness/exchange/functions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESSES 900 /* that addr2line is asked for: of a command line's words */
#define INLINED   6

/* What stands at an address: the student's functions there, the innermost first, and the one that
 * has the address's code. */
struct site {
    uint64_t address;
    int n, function[INLINED];
    char outer[48];
};

struct sites {
    int n;
    struct site site[ADDRESSES];
};

/* The direct call before a return address; 0: it is none. */
static uint64_t call_target(struct jail *jail, const struct jail_code *code, uint64_t word)
{
#ifdef __x86_64__
    unsigned char b[5];
    int32_t distance;
    if (word <= code->begin || word >= code->end ||
        !jail_peek(jail, word - sizeof b, b, sizeof b) || b[0] != 0xe8)
        return 0;
    memcpy(&distance, b + 1, sizeof distance);
    const uint64_t to = word + (uint64_t)(int64_t)distance;
    return to >= code->begin && to < code->end ? to - code->base : 0;
#else
    (void)jail, (void)code, (void)word;
    return 0;
#endif
}

void chain_take(struct jail *jail, const struct jail_code *code, const struct stand *s,
                struct chain *c)
{
    static uint64_t stack[STAND_WORDS];
    c->n = 0;
    if (s->n == 0)
        return;
    c->address[0] = s->address[0];
    c->target[c->n++] = 0;
    const size_t words = stand_stack(jail, &s->thread, stack);
    bool inside = s->thread.pc >= code->begin && s->thread.pc < code->end;
    for (size_t i = 0; i < words && c->n < CHAIN_FRAMES; i++) {
        if (!inside) { /* of a library's frames up to the call to it */
            inside = stack[i] - 1 - code->base == s->address[0];
            continue;
        }
        const uint64_t target = call_target(jail, code, stack[i]);
        if (target) {
            c->address[c->n] = stack[i] - 1 - code->base;
            c->target[c->n++] = target;
        }
    }
}

static int by_address(const void *a, const void *b)
{
    const struct site *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static struct site *site_at(struct sites *all, uint64_t address)
{
    const struct site key = {.address = address};
    return bsearch(&key, all->site, (size_t)all->n, sizeof key, by_address);
}

/* Each address once. */
static void gather(struct sites *all, const struct chain *chains, int n)
{
    all->n = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2 * chains[i].n; k++) {
            const uint64_t a = k % 2 ? chains[i].target[k / 2] : chains[i].address[k / 2];
            if (a == 0 || all->n == ADDRESSES || site_at(all, a))
                continue;
            all->site[all->n++] = (struct site){.address = a};
            qsort(all->site, (size_t)all->n, sizeof all->site[0], by_address);
        }
}

/* A function's name without what the compiler put behind it ("run._omp_fn.0"), harmless. */
static void take_name(const char *line, char name[48])
{
    int n = 0;
    for (; n < 47 && line[n] && line[n] != '\n' && line[n] != '.'; n++)
        name[n] = (char)(isalnum((unsigned char)line[n]) || line[n] == '_' ? line[n] : '?');
    name[n] = '\0';
}

static int function_of(struct exchange_profile *p, const char *name)
{
    for (int i = 0; i < p->n_functions; i++)
        if (strcmp(p->function[i].name, name) == 0)
            return i;
    if (p->n_functions == EXCHANGE_FUNCTIONS)
        return -1;
    p->function[p->n_functions] = (struct exchange_function){.ran = 0};
    snprintf(p->function[p->n_functions].name, sizeof p->function[0].name, "%s", name);
    return p->n_functions++;
}

static const char *next_line(const char *p)
{
    p += strcspn(p, "\n");
    return p + (*p == '\n');
}

/* Whether addr2line's "FILE:LINE" is of the variant's sources. */
static bool of_student(const char *line)
{
    line += strncmp(line, "./", 2) == 0 ? 2 : 0;
    return *line != '/' && *line != '?' && strncmp(line, "runner/", 7) != 0;
}

/* addr2line's answer: an address, then pairs of lines, the function and its place. */
static void read_sites(const char *p, struct sites *all, struct exchange_profile *profile)
{
    while (*p) {
        struct site *s = site_at(all, strtoull(p, NULL, 16));
        char name[48];
        for (p = next_line(p); *p && strncmp(p, "0x", 2) != 0; p = next_line(p)) {
            take_name(p, name);
            p = next_line(p);
            if (!s)
                continue;
            memcpy(s->outer, name, sizeof name);
            const int f = of_student(p) && s->n < INLINED ? function_of(profile, name) : -1;
            if (f >= 0)
                s->function[s->n++] = f;
        }
    }
}

static void look_up(const char *runner, struct sites *all, struct exchange_profile *p)
{
    const char *tool = command_find("addr2line");
    struct command_line w = {.n = 0};
    if (!tool || all->n == 0)
        return;
    command_add(&w, tool);
    command_add_text(&w, "-a -f -i -e");
    command_add(&w, runner);
    for (int i = 0; i < all->n; i++)
        command_add_printf(&w, "0x%llx", (unsigned long long)all->site[i].address);
    char *text = stand_ask(runner, &w);
    read_sites(text, all, p);
    free(text);
}

/* The functions that a thread is in, the innermost first, each once. */
static int path_of(struct sites *all, const struct chain *c, int path[], int most)
{
    int n = 0;
    const char *outer = NULL;
    for (int k = 0; k < c->n; k++) {
        const struct site *at = site_at(all, c->address[k]);
        const struct site *to = c->target[k] ? site_at(all, c->target[k]) : NULL;
        if (!at || (k > 0 && (!to || !outer || strcmp(to->outer, outer) != 0)))
            continue;
        outer = at->outer;
        for (int i = 0; i < at->n && n < most; i++) {
            bool there = false;
            for (int j = 0; j < n; j++)
                there |= path[j] == at->function[i];
            if (!there)
                path[n++] = at->function[i];
        }
    }
    return n;
}

static void add_edge(struct exchange_profile *p, int caller, int callee)
{
    int i = 0;
    while (i < p->n_edges && (p->edge[i].caller != caller || p->edge[i].callee != callee))
        i++;
    if (i == EXCHANGE_EDGES)
        return;
    if (i == p->n_edges)
        p->edge[p->n_edges++] = (struct exchange_edge){caller, callee, 0};
    p->edge[i].samples++;
}

void functions_count(const char *runner, const struct stand *stands, const struct chain *chains,
                     int n, const struct jail_code *code, struct exchange_profile *p)
{
    struct sites *all = hpc_calloc(1, sizeof *all);
    gather(all, chains, n);
    look_up(runner, all, p);
    for (int i = 0; i < n; i++) {
        int path[CHAIN_FRAMES * INLINED];
        const int depth = path_of(all, &chains[i], path, CHAIN_FRAMES * INLINED);
        const uint64_t pc = stands[i].thread.pc;
        if (depth == 0)
            continue;
        struct exchange_function *f = &p->function[path[0]];
        ++*(stand_waits(&stands[i])               ? &f->waited
            : pc >= code->begin && pc < code->end ? &f->ran
                                                  : &f->called);
        for (int k = 0; k < depth; k++)
            p->function[path[k]].all++;
        for (int k = 0; k + 1 < depth; k++)
            add_edge(p, path[k + 1], path[k]);
    }
    free(all);
}
