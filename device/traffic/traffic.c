/* The groups of the warp that runs, and the sums of kernels (traffic.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/traffic/traffic.h"

/* Groups of the warp that runs, in the order in which lanes made them; group 0 is unused, the one
 * after the last has no key (0). */
static struct group *groups;
static uint32_t group_count = 1, group_room;
static uint32_t known = 1; /* groups before that are in their key's list */

static uint32_t ran; /* lanes of the warp that have run since the last flush */
static unsigned warp;
static bool off;

/* What did not fit, by kind. */
static uint64_t beyond[TRAFFIC_KINDS];

/* Not on the heap, where a variant could come upon them; the last takes what is too many. */
enum { MAX_KERNELS = 256 };
static struct traffic kernels[MAX_KERNELS];
static size_t kernel_count;
static struct traffic *current;

/* ---- making groups ------------------------------------------------------------------------- */

static void groups_grow(void)
{
    group_room = group_room ? 2 * group_room : 1 << 10;
    groups = realloc(groups, (group_room + 1) * sizeof *groups);
    if (!groups)
        abort();
}

/* At the end of the list; check_key_groups does not know of it yet. */
static struct group *make_group(uintptr_t p, unsigned bytes, enum traffic_kind kind, uint64_t key)
{
    if (group_count >= MAX_GROUPS)
        return NULL;
    if (group_count >= group_room)
        groups_grow();
    struct group *g = &groups[group_count++];
    check_group_begin(g, p, bytes, kind, key);
    if (current)
        g->site = check_lines_site(current->kernel, kind, key - check_now.path);
    g[1].key = 0;
    return g;
}

/* Enters what make_group has added. */
static void find_keys(void)
{
    for (; known < group_count; known++) {
        struct key_groups *e = check_key_groups(groups[known].key, true);
        if (e->first)
            groups[e->last].next = known;
        else
            e->first = known;
        e->last = known;
    }
}

/* The first of a key's groups that the running lane has not joined, or NULL. A warp whose lanes all
 * go the same way never asks. */
static struct group *group_of(uint64_t key)
{
    if (ran == check_now.lane_bit) /* the first lane: it has joined all there are */
        return NULL;
    find_keys();
    struct key_groups *e = check_key_groups(key, false);
    if (!e)
        return NULL;
    uint32_t bit = check_now.lane_bit;
    uint32_t g = e->lane == check_now.lane ? e->at : e->first;
    while (g && groups[g].lanes & bit)
        g = groups[g].next;
    e->lane = check_now.lane;
    e->at = g ? g : e->last;
    return g ? &groups[g] : NULL;
}

void check_traffic_slow(uintptr_t p, unsigned bytes, enum traffic_kind kind, uint64_t key)
{
    if (off || !groups)
        return;
    struct group *g = check_now.next_group;
    if (g->key != key || g->lanes & check_now.lane_bit) {
        g = group_of(key);
        if (!g) {
            if ((g = make_group(p, bytes, kind, key)))
                check_now.next_group = g + 1;
            else
                beyond[kind]++;
            return;
        }
    }
    if (!check_group_join(g, p)) {
        beyond[kind]++;
        return;
    }
    check_now.next_group = g + 1;
}

/* ---- counting -------------------------------------------------------------------------------- */

void check_traffic_flush(void)
{
    uint64_t requests[TRAFFIC_KINDS] = {0}, units[TRAFFIC_KINDS] = {0}, lanes[TRAFFIC_KINDS] = {0};
    for (uint32_t i = 1; i < group_count; i++) {
        const struct group *g = &groups[i];
        requests[g->kind]++;
        const unsigned cost = check_group_units(g);
        units[g->kind] += cost;
        if (g->site)
            check_lines_count(g, cost, warp);
        lanes[g->kind] += (unsigned)__builtin_popcount(g->lanes);
        if (current && check_group_scattered(g, cost)) {
            current->scattered[g->kind]++;
            current->scattered_units[g->kind] += cost;
        }
    }
    for (int k = 0; current && k < TRAFFIC_KINDS; k++) {
        uint64_t scale = lanes[k] ? lanes[k] : WARP;
        current->requests[k] += requests[k] + (beyond[k] * (lanes[k] ? requests[k] : 1)) / scale;
        current->units[k] += units[k] + beyond[k] * units[k] / scale;
        beyond[k] = 0;
    }
    group_count = known = 1;
    ran = 0;
    check_details_forget();
    check_key_groups_forget();
    if (groups)
        groups[1].key = 0;
    check_now.next_group = groups ? groups + 1 : &check_no_group;
}

void check_traffic_thread(unsigned thread)
{
    static uint32_t at[WARP]; /* where the lanes that have run go on: they wait for one another */
    static unsigned running;
    uint32_t bit = UINT32_C(1) << thread % WARP;
    if (thread / WARP != warp)
        check_traffic_flush();
    if (!groups)
        return;
    if (ran)
        at[running] = (uint32_t)(check_now.next_group - groups);
    check_now.next_group = groups + (ran & bit ? at[thread % WARP] : 1);
    warp = thread / WARP;
    running = thread % WARP;
    ran |= bit;
}

void check_traffic_on(bool on)
{
    off = !on;
}

static struct traffic *traffic_find(const char *kernel)
{
    for (size_t i = 0; i < kernel_count; i++)
        if (strcmp(kernels[i].kernel, kernel) == 0)
            return &kernels[i];
    return NULL;
}

const struct traffic *check_traffic_of(const char *kernel)
{
    return traffic_find(kernel);
}

/* The sums of a kernel, or call, which begins once more. */
static struct traffic *launched(const char *kernel)
{
    struct traffic *t = traffic_find(kernel);
    if (!t && kernel_count == MAX_KERNELS) {
        t = &kernels[MAX_KERNELS - 1];
    } else if (!t) {
        t = &kernels[kernel_count++];
        *t = (struct traffic){.kernel = kernel};
    }
    t->launches++;
    return t;
}

static void count_rows(struct traffic *t, const struct dev_rows *rows)
{
    const enum traffic_kind kind = rows->write ? GLOBAL_STORE : GLOBAL_LOAD;
    for (size_t y = 0; rows->width && y < rows->height; y++) {
        const uintptr_t p = (uintptr_t)rows->p + y * rows->pitch, last = p + rows->width - 1;
        t->requests[kind] += last / 128 - p / 128 + 1;
        t->units[kind] += last / 32 - p / 32 + 1;
    }
}

void check_traffic_moved(const struct dev_copy *copy)
{
    if (off)
        return;
    struct traffic *t = launched(copy->call);
    count_rows(t, &copy->rows[0]);
    count_rows(t, &copy->rows[1]);
}

void check_traffic_launch_begin(const struct dev_launch *l)
{
    if (!groups)
        groups_grow();
    check_traffic_flush();
    current = launched(l->kernel);
    current->threads +=
        (uint64_t)l->grid.x * l->grid.y * l->grid.z * l->block.x * l->block.y * l->block.z;
}

void check_traffic_print(void)
{
    for (size_t i = 0; i < kernel_count; i++) {
        check_traffic_print_one(&kernels[i]);
        check_lines_print(kernels[i].kernel);
    }
}
