/* Requests by the line that asks, and of each line the dearest request (traffic.h): for pictures.
 * Counted where HPC_DEVICE_LINES is in the environment; what is estimated of a warp with more than
 * MAX_GROUPS requests is in its kernel's sums alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/traffic/traffic.h"

enum { MAX_SITES = 400, BUCKETS = 1024, PIECE_BITS = 48, ALIGNED = 32 };

struct site {
    const char *kernel; /* the same string for all its launches, or not: compared by its words */
    uintptr_t from;     /* 0: all that have no place of their own any more */
    enum traffic_kind kind;
    uint64_t requests, units, lanes;
    /* The first of the dearest requests. */
    unsigned most, warp, bytes;
    uint32_t who;
    uintptr_t base, p[WARP]; /* what offsets count from; of each lane */
    struct dev_index block;
    char variable[160];
};

/* Number 0 is no site, the last one takes what is too many. */
static struct site *sites;
static uint16_t site_count = 1, buckets[BUCKETS];

static bool wanted(void)
{
    static int known = -1;
    if (known < 0) {
        known = getenv("HPC_DEVICE_LINES") != NULL;
        sites = known ? calloc(MAX_SITES + 1, sizeof *sites) : NULL;
    }
    return sites != NULL;
}

static bool is_site(const struct site *s, const char *kernel, enum traffic_kind kind,
                    uintptr_t from)
{
    return s->from == from && s->kind == kind &&
           (s->kernel == kernel || strcmp(s->kernel, kernel) == 0);
}

uint16_t check_lines_site(const char *kernel, enum traffic_kind kind, uintptr_t from)
{
    if (!wanted())
        return 0;
    from &= (UINT64_C(1) << PIECE_BITS) - 1;
    size_t at = (from * UINT64_C(0x9E3779B97F4A7C15)) >> 54;
    for (; buckets[at]; at = (at + 1) % BUCKETS)
        if (is_site(&sites[buckets[at]], kernel, kind, from))
            return buckets[at];
    if (site_count == MAX_SITES) {
        sites[MAX_SITES].kernel = kernel;
        sites[MAX_SITES].kind = kind;
        return MAX_SITES;
    }
    sites[site_count] = (struct site){.kernel = kernel, .kind = kind, .from = from};
    buckets[at] = site_count;
    return site_count++;
}

static bool is_shared(enum traffic_kind kind)
{
    return kind == SHARED_LOAD || kind == SHARED_STORE || kind == SHARED_ATOMIC;
}

/* The request becomes its site's picture. */
static void keep(struct site *s, const struct group *g, unsigned units, unsigned warp)
{
    struct dev_region region;
    uintptr_t low = UINTPTR_MAX;
    s->most = units;
    s->warp = warp;
    s->bytes = g->bytes;
    s->who = g->lanes;
    s->block = check_now.worker->block_index;
    check_group_addresses(g, s->p);
    for (unsigned i = 0; i < WARP; i++)
        if (s->who >> i & 1 && s->p[i] < low)
            low = s->p[i];
    s->base = is_shared(s->kind) ? check_now.shared.base : low / ALIGNED * ALIGNED;
    s->variable[0] = '\0';
    if (check_region_find(low, &region) == REGION_INSIDE)
        check_region_variable(s->variable, sizeof s->variable, &region);
}

void check_lines_count(const struct group *g, unsigned units, unsigned warp)
{
    struct site *s = &sites[g->site];
    if (s->requests++ == 0 || units > s->most)
        keep(s, g, units, warp);
    s->units += units;
    s->lanes += (unsigned)__builtin_popcount(g->lanes);
}

static void print_site(const struct site *s, const struct place *place)
{
    static const char *const names[TRAFFIC_KINDS] = {
        [GLOBAL_LOAD] = "global load",     [GLOBAL_STORE] = "global store",
        [SHARED_LOAD] = "shared load",     [SHARED_STORE] = "shared store",
        [CONSTANT_LOAD] = "constant load", [ATOMIC] = "atomic",
        [SHARED_ATOMIC] = "shared atomic"};
    char json[MAX_REPORT], text[MAX_REPORT];
    snprintf(json, sizeof json, "{\"kind\":\"traffic-line\",\"kernel\":\"");
    check_append_json(json, sizeof json, s->kernel);
    check_append(json, sizeof json, "\",\"file\":\"");
    check_append_json(json, sizeof json, place->file);
    check_append(json, sizeof json,
                 "\",\"line\":%d,\"access\":\"%s\",\"requests\":%llu,\"units\":%llu,\"lanes\":%llu,"
                 "\"variable\":\"",
                 place->line, names[s->kind], (unsigned long long)s->requests,
                 (unsigned long long)s->units, (unsigned long long)s->lanes);
    check_append_json(json, sizeof json, s->variable);
    check_append(json, sizeof json,
                 "\",\"most\":%u,\"bytes\":%u,\"block\":[%u,%u,%u],\"warp\":%u,\"touched\":[",
                 s->most, s->bytes, s->block.x, s->block.y, s->block.z, s->warp);
    const char *comma = "";
    for (unsigned i = 0; i < WARP; i++)
        if (s->who >> i & 1) {
            check_append(json, sizeof json, "%s[%u,%llu]", comma, i,
                         (unsigned long long)(s->p[i] - s->base));
            comma = ",";
        }
    check_append(json, sizeof json, "]}");
    snprintf(text, sizeof text, "check:   %s:%d: %llu %ss, %.2f %s each, at most %u", place->file,
             place->line, (unsigned long long)s->requests, names[s->kind],
             (double)s->units / (double)s->requests,
             is_shared(s->kind) || s->kind == CONSTANT_LOAD ? "extra passes" : "sectors", s->most);
    check_report_print(json, text);
}

/* Adds to s what the sites behind number i have of the same line and kind, and empties them. */
static void gather(struct site *s, uint16_t i, const struct place *places)
{
    for (uint16_t k = i + 1; k <= MAX_SITES; k++) {
        struct site *o = &sites[k];
        if (!o->requests || o->kind != s->kind || strcmp(o->kernel, s->kernel) != 0 ||
            places[k].line != places[i].line || strcmp(places[k].file, places[i].file) != 0)
            continue;
        const uint64_t requests = s->requests + o->requests, units = s->units + o->units,
                       lanes = s->lanes + o->lanes;
        if (o->most > s->most)
            *s = *o;
        s->requests = requests;
        s->units = units;
        s->lanes = lanes;
        o->requests = 0;
    }
}

void check_lines_print(const char *kernel)
{
    if (!wanted())
        return;
    struct place *places = calloc(MAX_SITES + 1, sizeof *places);
    for (uint16_t i = 1; places && i <= MAX_SITES; i++)
        if (sites[i].requests && strcmp(sites[i].kernel, kernel) == 0)
            places[i] = sites[i].from ? check_place_of((const void *)sites[i].from)
                                      : (struct place){.file = "?"};
    for (;;) {
        uint16_t next = 0;
        for (uint16_t i = 1; places && i <= MAX_SITES; i++)
            if (sites[i].requests && strcmp(sites[i].kernel, kernel) == 0 &&
                (!next || places[i].line < places[next].line))
                next = i;
        if (!next)
            break;
        gather(&sites[next], next, places);
        print_site(&sites[next], &places[next]);
        sites[next].requests = 0;
    }
    free(places);
}
