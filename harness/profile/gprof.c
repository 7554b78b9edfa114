/* Reading gprof's tables and what can be computed from them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/profile/profile.h"

/* Copy the next line of *text (cut to size) and move on; false at the end. */
static bool next_line(const char **text, char *line, int size)
{
    if (!**text)
        return false;
    size_t n = strcspn(*text, "\n");
    snprintf(line, (size_t)size, "%.*s", (int)n, *text);
    *text += n + ((*text)[n] == '\n');
    return true;
}

/* "55.41 5.61 5.61 7891200 0.00 0.00 back_propagation", or without the calls' three columns. */
static bool read_function(const char *line, struct profile_function *f)
{
    double share, cumulative, per_call, total;
    f->calls = -1;
    if (sscanf(line, "%lf %lf %lf %lf %lf %lf %47s", &share, &cumulative, &f->self_seconds,
               &f->calls, &per_call, &total, f->name) == 7)
        return true;
    f->calls = -1;
    return sscanf(line, "%lf %lf %lf %47s", &share, &cumulative, &f->self_seconds, f->name) == 4;
}

bool profile_read_flat(const char *text, struct profile_table *table)
{
    char line[400];
    bool in_table = false;
    memset(table, 0, sizeof *table);
    while (next_line(&text, line, sizeof line)) {
        struct profile_function f;
        if (!in_table) {
            in_table = strstr(line, "cumulative") == NULL && strstr(line, "name") != NULL &&
                       strstr(line, "time") != NULL;
            continue;
        }
        if (!read_function(line, &f))
            break;
        table->seconds += f.self_seconds;
        if (table->n < PROFILE_MAX_FUNCTIONS)
            table->f[table->n++] = f;
    }
    return table->n > 0;
}

/* "name [4]" or "name <cycle 1> [4]" at the end of a line; false where there is none. */
static bool read_name(const char *line, char name[48])
{
    const char *bracket = strrchr(line, '[');
    if (!bracket || bracket == line)
        return false;
    const char *end = bracket;
    while (end > line && end[-1] == ' ')
        end--;
    const char *start = end;
    while (start > line && start[-1] != ' ')
        start--;
    snprintf(name, 48, "%.*s", (int)(end - start), start);
    return end > start;
}

/* A line below a function's own is a callee: "5.61 2.20 7891200/7891200 back_propagation [4]". */
int profile_read_graph(const char *text, struct profile_edge *edge, int max)
{
    char line[400], caller[48] = "";
    int n = 0;
    while (n < max && next_line(&text, line, sizeof line)) {
        struct profile_edge *e = &edge[n];
        if (line[0] == '-') {
            caller[0] = '\0';
        } else if (line[0] == '[') {
            if (!read_name(line, caller))
                caller[0] = '\0';
        } else if (caller[0] && read_name(line, e->callee) &&
                   sscanf(line, "%lf %lf %lf", &e->self, &e->children, &e->calls) == 3) {
            memcpy(e->caller, caller, sizeof caller);
            n++;
        }
    }
    return n;
}

const struct profile_function *profile_function(const struct profile_table *t, const char *name)
{
    for (int i = 0; i < t->n; i++)
        if (strcmp(t->f[i].name, name) == 0)
            return &t->f[i];
    return NULL;
}

double profile_share(const struct profile_table *t, const char *name)
{
    const struct profile_function *f = profile_function(t, name);
    return f && t->seconds > 0 ? 100 * f->self_seconds / t->seconds : 0;
}

double profile_unseen(const struct profile *p)
{
    double unseen = p->cpu_seconds - p->flat.seconds;
    return p->cpu_seconds > 0 && unseen > 0 ? 100 * unseen / p->cpu_seconds : 0;
}

const char *const profile_place_names[PROFILE_PLACES] = {"allocator", "math", "profiler", "other"};

/* By the names that the GNU C library gives its functions. */
enum profile_place profile_place(const char *function)
{
    static const struct {
        const char *part;
        enum profile_place place;
    } parts[] = {
        {"alloc", PROFILE_ALLOCATOR},  {"free", PROFILE_ALLOCATOR},   {"chunk", PROFILE_ALLOCATOR},
        {"tcache", PROFILE_ALLOCATOR}, {"memset", PROFILE_ALLOCATOR}, {"exp", PROFILE_MATH},
        {"tanh", PROFILE_MATH},        {"mcount", PROFILE_PROFILER},  {"profil", PROFILE_PROFILER},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(function, parts[i].part))
            return parts[i].place;
    return PROFILE_OTHER;
}

double profile_place_share(const struct profile *p, enum profile_place place)
{
    double seconds = 0;
    for (int i = 0; i < p->whole.n; i++)
        if (!profile_function(&p->flat, p->whole.f[i].name) &&
            profile_place(p->whole.f[i].name) == place)
            seconds += p->whole.f[i].self_seconds;
    return p->whole.seconds > 0 ? 100 * seconds / p->whole.seconds : 0;
}

double profile_callee_share(const struct profile *p, const char *caller, const char *callee)
{
    double total = 0, part = 0;
    for (int i = 0; i < p->n_edges; i++) {
        const struct profile_edge *e = &p->edge[i];
        if (strcmp(e->callee, caller) == 0)
            total += e->self + e->children;
        if (strcmp(e->caller, caller) == 0 && strcmp(e->callee, callee) == 0)
            part = e->self + e->children;
    }
    return total > 0 ? 100 * part / total : 0;
}
