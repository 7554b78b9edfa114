/* perf_event_open around a runner's calls: see events.h. */
#define _GNU_SOURCE
#include "harness/machine/events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/error.h"
#include "common/text.h"

static const struct {
    uint32_t type;
    uint64_t config;
} kinds[EVENTS] = {
    [EVENT_CYCLES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    [EVENT_INSTRUCTIONS] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    [EVENT_REFERENCES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    [EVENT_MISSES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    [EVENT_BRANCH_MISSES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    [EVENT_FAULTS] = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
};

/* User mode alone, which a kernel.perf_event_paranoid of 2 still grants for one's own processes. */
static int open_event(enum event event, pid_t thread)
{
    struct perf_event_attr a = {
        .size = sizeof a,
        .type = kinds[event].type,
        .config = kinds[event].config,
        .inherit = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
    };
    return (int)syscall(SYS_perf_event_open, &a, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void events_start(struct events *e, const pid_t *threads, int n)
{
    e->n = e->error = 0;
    for (int i = 0; i < n && i < EVENT_THREADS; i++)
        for (int k = 0; k < EVENTS; k++) {
            const int fd = open_event((enum event)k, threads[i]);
            if (fd < 0) {
                if (k == EVENT_CYCLES)
                    e->error = errno;
                continue;
            }
            e->of[e->n] = (enum event)k;
            e->fd[e->n++] = fd;
        }
}

/* The kernel lets events take turns where it has too few counters: what it saw stands for all. */
void events_stop(struct events *e, struct event_counts *sum)
{
    for (int i = 0; i < e->n; i++) {
        uint64_t value[3]; /* the count, nanoseconds that it was wanted, that it counted */
        if (read(e->fd[i], value, sizeof value) == sizeof value && value[2] > 0) {
            sum->has[e->of[i]] = true;
            sum->n[e->of[i]] += (double)value[0] * ((double)value[1] / (double)value[2]);
        }
        close(e->fd[i]);
    }
    if (e->error)
        sum->error = e->error;
    e->n = 0;
}

static void say_lack(const struct event_counts *c, struct text *t)
{
    FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    int paranoid = 0;
    const bool known = f && fscanf(f, "%d", &paranoid) == 1;
    if (f)
        fclose(f);
    text_add(t, "no cycles, instructions or cache misses: ");
    if (c->error == ENOENT || c->error == EOPNOTSUPP || c->error == ENODEV)
        text_add(t, "this machine shows no counters of its processor, as many virtual ones don't");
    else if ((c->error == EACCES || c->error == EPERM) && known && paranoid > 2)
        text_add(t,
                 "the kernel forbids to count: kernel.perf_event_paranoid is %d, expected at most "
                 "2 (as root: sysctl kernel.perf_event_paranoid=2)",
                 paranoid);
    else if (c->error)
        text_add(t, "perf_event_open: %s", strerror(c->error));
    else
        text_add(t, "none was counted");
}

char *events_say(const struct event_counts *c)
{
    struct text t = {0};
    const double instructions = c->has[EVENT_INSTRUCTIONS] ? c->n[EVENT_INSTRUCTIONS] : 0;
    const double *n = c->n;
    if (instructions > 0) {
        if (c->has[EVENT_CYCLES] && n[EVENT_CYCLES] > 0)
            text_add(&t, "%.2f instructions a cycle; ", instructions / n[EVENT_CYCLES]);
        text_add(&t, "a thousand instructions");
        if (c->has[EVENT_REFERENCES] && c->has[EVENT_MISSES])
            text_add(&t, " ask the last cache %.2f times and miss it %.2f times",
                     1e3 * n[EVENT_REFERENCES] / instructions,
                     1e3 * n[EVENT_MISSES] / instructions);
        else
            text_add(&t, " have misses of cache that nobody counts here");
        if (c->has[EVENT_BRANCH_MISSES])
            text_add(&t, ", and mispredict %.2f branches",
                     1e3 * n[EVENT_BRANCH_MISSES] / instructions);
    } else {
        say_lack(c, &t);
    }
    if (c->has[EVENT_FAULTS])
        text_add(&t, "; %.0f page faults", n[EVENT_FAULTS]);
    char *line = hpc_strdup(text_string(&t));
    text_free(&t);
    return line;
}
