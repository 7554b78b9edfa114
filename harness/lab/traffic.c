#include "harness/lab/traffic.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/defence.h"

/* A bound holds within this share: quantities are ratios of whole numbers. */
#define ROUNDING 1e-9

const char *const traffic_names[TRAFFIC_COUNTERS] = {
    [TRAFFIC_LAUNCHES] = "launches",
    [TRAFFIC_THREADS] = "threads",
    [TRAFFIC_GLOBAL_LOAD_REQUESTS] = "global_load_requests",
    [TRAFFIC_GLOBAL_LOAD_SECTORS] = "global_load_sectors",
    [TRAFFIC_GLOBAL_STORE_REQUESTS] = "global_store_requests",
    [TRAFFIC_GLOBAL_STORE_SECTORS] = "global_store_sectors",
    [TRAFFIC_SHARED_LOAD_REQUESTS] = "shared_load_requests",
    [TRAFFIC_SHARED_LOAD_CONFLICTS] = "shared_load_conflicts",
    [TRAFFIC_SHARED_STORE_REQUESTS] = "shared_store_requests",
    [TRAFFIC_SHARED_STORE_CONFLICTS] = "shared_store_conflicts",
    [TRAFFIC_CONSTANT_REQUESTS] = "constant_requests",
    [TRAFFIC_ATOMICS] = "atomics",
    [TRAFFIC_ATOMIC_SECTORS] = "atomic_sectors",
    [TRAFFIC_SHARED_ATOMICS] = "shared_atomics",
    [TRAFFIC_SHARED_ATOMIC_CONFLICTS] = "shared_atomic_conflicts",
};

/* The requests that a counter's sectors or conflicts belong to; the counter itself for others. */
static enum traffic_counter requests_of(enum traffic_counter counter)
{
    switch (counter) {
    case TRAFFIC_GLOBAL_LOAD_SECTORS:
    case TRAFFIC_GLOBAL_STORE_SECTORS:
    case TRAFFIC_SHARED_LOAD_CONFLICTS:
    case TRAFFIC_SHARED_STORE_CONFLICTS:
        return counter - 1;
    default:
        return counter;
    }
}

/* "NAME", "NAME_per_output" or "NAME_per_request" into counter and per. */
static bool read_quantity(struct traffic_bound *b)
{
    for (int c = 0; c < TRAFFIC_COUNTERS; c++) {
        size_t n = strlen(traffic_names[c]);
        if (strncmp(b->quantity, traffic_names[c], n) != 0)
            continue;
        const char *rest = b->quantity + n;
        b->counter = (enum traffic_counter)c;
        b->per = strcmp(rest, "_per_output") == 0    ? TRAFFIC_PER_OUTPUT
                 : strcmp(rest, "_per_request") == 0 ? TRAFFIC_PER_REQUEST
                                                     : TRAFFIC_ALL;
        if (b->per == TRAFFIC_PER_REQUEST && requests_of(b->counter) == b->counter)
            continue;
        if (b->per != TRAFFIC_ALL || !*rest)
            return true;
    }
    return false;
}

/* One bound from the text, which ends at `end`. */
static bool read_bound(const char *text, const char *end, struct traffic_bound *b)
{
    static const char method[] = "method ";
    char relation[3], *stop;
    b->method = strncmp(text, method, strlen(method)) == 0;
    text += b->method ? strlen(method) : 0;
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    if (n == 0 || n >= sizeof b->quantity)
        return false;
    snprintf(b->quantity, sizeof b->quantity, "%.*s", (int)n, text);
    text += n;
    text += strspn(text, " \t");
    snprintf(relation, sizeof relation, "%.2s", text);
    b->at_least = strcmp(relation, ">=") == 0;
    if (!b->at_least && strcmp(relation, "<=") != 0)
        return false;
    b->bound = strtod(text + 2, &stop);
    if (stop == text + 2 || stop > end || !isfinite(b->bound))
        return false;
    stop += strspn(stop, " \t");
    return stop == end && read_quantity(b);
}

int traffic_bounds_parse(const char *text, struct traffic_bound *bounds, int max, char *why,
                         int why_size)
{
    int n = 0;
    while (text[strspn(text, " \t")]) {
        text += strspn(text, " \t");
        const char *end = text + strcspn(text, ";");
        if (n == max) {
            snprintf(why, (size_t)why_size, "at most %d bounds", max);
            return -1;
        }
        if (!read_bound(text, end, &bounds[n])) {
            snprintf(why, (size_t)why_size,
                     "QUANTITY <= NUMBER or >=, such as global_load_sectors_per_output <= 0.16, "
                     "parted by ;");
            return -1;
        }
        n++;
        text = *end ? end + 1 : end;
    }
    return n;
}

/* An atomic operation loads and stores: the counter of those that belong to another counter, or
 * TRAFFIC_COUNTERS. */
static enum traffic_counter atomics_of(enum traffic_counter counter)
{
    switch (counter) {
    case TRAFFIC_GLOBAL_LOAD_REQUESTS:
    case TRAFFIC_GLOBAL_STORE_REQUESTS:
        return TRAFFIC_ATOMICS;
    case TRAFFIC_GLOBAL_LOAD_SECTORS:
    case TRAFFIC_GLOBAL_STORE_SECTORS:
        return TRAFFIC_ATOMIC_SECTORS;
    case TRAFFIC_SHARED_LOAD_REQUESTS:
    case TRAFFIC_SHARED_STORE_REQUESTS:
        return TRAFFIC_SHARED_ATOMICS;
    case TRAFFIC_SHARED_LOAD_CONFLICTS:
    case TRAFFIC_SHARED_STORE_CONFLICTS:
        return TRAFFIC_SHARED_ATOMIC_CONFLICTS;
    default:
        return TRAFFIC_COUNTERS;
    }
}

/* Over kernels; with `copies`, those within the device and fills too, which have no threads. */
static double sum(const struct traffic *traffic, enum traffic_counter counter, bool copies)
{
    const enum traffic_counter more = atomics_of(counter);
    double total = 0;
    for (int k = 0; k < traffic->n; k++) {
        if (!copies && traffic->kernel[k].counter[TRAFFIC_THREADS] == 0)
            continue;
        total += traffic->kernel[k].counter[counter];
        if (DEFENCE(atomics) && more != TRAFFIC_COUNTERS)
            total += traffic->kernel[k].counter[more];
    }
    return total;
}

/* More than what any solution loads and stores at the ends of its arrays. */
#define SCATTERED 0.5

/* The mean of a kind's scattered requests, 0 where they are few. */
static double scattered_mean(const struct traffic *traffic, enum traffic_counter counter,
                             double outputs)
{
    double requests = 0, units = 0;
    for (int k = 0; k < traffic->n; k++) {
        requests += traffic->kernel[k].scattered[counter].requests;
        units += traffic->kernel[k].scattered[counter].units;
    }
    return units > SCATTERED * outputs && requests > 0 ? units / requests : 0;
}

double traffic_quantity(const struct traffic *traffic, const struct traffic_bound *bound,
                        double outputs)
{
    const bool copies = !bound->at_least && bound->per != TRAFFIC_PER_REQUEST;
    double total = sum(traffic, bound->counter, copies);
    if (bound->per == TRAFFIC_PER_OUTPUT)
        return total / outputs;
    double requests = sum(traffic, requests_of(bound->counter), false);
    if (bound->per != TRAFFIC_PER_REQUEST)
        return total;
    const double mean = requests > 0 ? total / requests : 0;
    if (DEFENCE(undiluted))
        return fmax(mean, scattered_mean(traffic, bound->counter, outputs));
    return mean;
}

bool traffic_idle(const struct traffic *traffic, const struct traffic_bound *bound)
{
    return bound->per == TRAFFIC_PER_REQUEST && !bound->at_least &&
           sum(traffic, requests_of(bound->counter), false) == 0;
}

bool traffic_whole(const struct traffic *traffic, const struct traffic_least *least, char *why,
                   size_t why_size)
{
    const double loaded = 32 * sum(traffic, TRAFFIC_GLOBAL_LOAD_SECTORS, false),
                 stored = 32 * sum(traffic, TRAFFIC_GLOBAL_STORE_SECTORS, false);
    if (loaded < least->loaded)
        snprintf(why, why_size,
                 "the kernels load %.0f bytes from global memory, and the inputs have %.0f", loaded,
                 least->loaded);
    else if (stored < least->stored)
        snprintf(why, why_size,
                 "the kernels store %.0f bytes to global memory, and the outputs have %.0f", stored,
                 least->stored);
    else
        return true;
    return false;
}

bool traffic_met(const struct traffic_bound *bound, double measured)
{
    double slack = ROUNDING * fabs(bound->bound);
    return bound->at_least ? measured >= bound->bound - slack : measured <= bound->bound + slack;
}
