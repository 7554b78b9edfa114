#define _GNU_SOURCE
#include "harness/machine/busy.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/clock.h"
#include "harness/machine/pin.h"

#define WATCH_US 50000

static double own_seconds(int who)
{
    struct rusage r;
    if (getrusage(who, &r))
        return 0;
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* The lines `cpuN user nice system idle iowait irq softirq steal ..` of /proc/stat, in ticks. */
static bool read_stat(FILE *file, const cpu_set_t *ours, double *ticks)
{
    char line[512];
    bool found = false;
    *ticks = 0;
    while (fgets(line, sizeof line, file)) {
        int cpu;
        unsigned long long t[8] = {0};
        if (sscanf(line, "cpu%d %llu %llu %llu %llu %llu %llu %llu %llu", &cpu, &t[0], &t[1], &t[2],
                   &t[3], &t[4], &t[5], &t[6], &t[7]) != 9 ||
            cpu < 0 || cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, ours))
            continue;
        *ticks += (double)(t[0] + t[1] + t[2] + t[5] + t[6] + t[7]);
        found = true;
    }
    return found;
}

bool busy_read(struct busy *b)
{
    cpu_set_t ours;
    double ticks;
    FILE *file = fopen("/proc/stat", "r");
    bool good = file && pin_mask(0, &ours, sizeof ours) && read_stat(file, &ours, &ticks);
    if (file)
        fclose(file);
    if (!good)
        return false;
    b->wall = clock_now();
    b->all = ticks / (double)sysconf(_SC_CLK_TCK);
    b->own = own_seconds(RUSAGE_SELF) + own_seconds(RUSAGE_CHILDREN);
    return true;
}

double busy_waited(int process)
{
    char path[64];
    double ran, waited; /* nanoseconds */
    snprintf(path, sizeof path, process ? "/proc/%d/schedstat" : "/proc/thread-self/schedstat",
             process);
    FILE *file = fopen(path, "re");
    const bool told = file && fscanf(file, "%lf %lf", &ran, &waited) == 2;
    if (file)
        fclose(file);
    return told ? 1e-9 * waited : -1;
}

void busy_add(struct busy_total *total, const struct busy *from, const struct busy *to)
{
    total->wall += to->wall - from->wall;
    total->others += to->all - from->all - (to->own - from->own);
}

double busy_others(const struct busy_total *total)
{
    return total->wall > 0 && total->others > 0 ? total->others / total->wall : 0;
}

void busy_watch(struct busy_total *total, double processors, double seconds)
{
    struct busy from, to;
    while (total->wall > 0 && total->wall < seconds && busy_others(total) > processors &&
           busy_read(&from)) {
        usleep(WATCH_US);
        if (!busy_read(&to))
            return;
        busy_add(total, &from, &to);
    }
}
