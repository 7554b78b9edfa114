#define _GNU_SOURCE
#include "harness/machine/conditions.h"

#include <glob.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "harness/machine/cgroup.h"
#include "harness/machine/machine.h"

#define PERIOD_SECONDS 0.1

static bool on_battery(void)
{
    glob_t found;
    bool discharging = false;
    if (glob("/sys/class/power_supply/BAT*/status", 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char status[32];
        machine_line_of(found.gl_pathv[i], "", status, sizeof status);
        discharging |= strcmp(status, "Discharging") == 0;
    }
    globfree(&found);
    return discharging;
}

/* The sum over our processors of a number in a file of /sys/devices/system/cpu/cpuN/, and of how
 * many it is. */
static int sum_over_processors(const char *file, double *sum)
{
    cpu_set_t ours;
    int n = 0;
    *sum = 0;
    if (sched_getaffinity(0, sizeof ours, &ours))
        return 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        char path[96], text[64];
        if (!CPU_ISSET(cpu, &ours))
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s", cpu, file);
        machine_line_of(path, "", text, sizeof text);
        *sum += strtod(text, NULL);
        n += *text != 0;
    }
    return n;
}

static double clock_mhz(void)
{
    double khz;
    char text[64];
    int n = sum_over_processors("cpufreq/scaling_cur_freq", &khz);
    if (n)
        return 1e-3 * khz / n;
    machine_line_of("/proc/cpuinfo", "cpu MHz", text, sizeof text);
    return strtod(text, NULL);
}

void conditions_read(struct conditions *c, bool gpu)
{
    char text[64];
    double sum;
    memset(c, 0, sizeof *c);
    c->seconds = clock_now();
    machine_line_of("/proc/loadavg", "", text, sizeof text);
    c->load1 = strtod(text, NULL);
    c->clock_mhz = clock_mhz();
    machine_line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "", c->governor,
                    sizeof c->governor);
    c->overheated =
        sum_over_processors("thermal_throttle/core_throttle_count", &sum) ? (long)sum : -1;
    c->quota = cgroup_cpu_quota();
    c->throttled = cgroup_throttled();
    c->on_battery = on_battery();
    if (gpu)
        conditions_read_gpu(&c->gpu);
}

bool conditions_good(const struct conditions *before, const struct conditions *after,
                     double most_throttled, char *why, int size)
{
    const char *gpu = conditions_gpu_hindrance(before->gpu.throttling | after->gpu.throttling);
    double periods = (after->seconds - before->seconds) / PERIOD_SECONDS;
    long throttled = after->throttled - before->throttled;
    long overheated = after->overheated - before->overheated;
    if (before->on_battery || after->on_battery)
        snprintf(why, (size_t)size, "the machine runs on battery");
    else if (before->overheated >= 0 && overheated > 0)
        snprintf(why, (size_t)size, "a processor was slowed down for heat (%ld times)", overheated);
    else if (before->throttled >= 0 && throttled > 1 + most_throttled * periods)
        snprintf(why, (size_t)size,
                 "the quota of %.2g processors stopped the programs in %ld of %.0f periods",
                 after->quota, throttled, periods);
    else if (gpu)
        snprintf(why, (size_t)size, "%s", gpu);
    else if (strcmp(before->gpu.slice, after->gpu.slice) != 0 ||
             before->gpu.power_cap_w != after->gpu.power_cap_w)
        snprintf(why, (size_t)size, "someone changed the GPU's slices or its power cap meanwhile");
    else
        return true;
    return false;
}

static json_t *gpu_json(const struct gpu_conditions *c)
{
    if (!c->known)
        return json_null();
    return json_pack("{s:s, s:i, s:i, s:i, s:f, s:f, s:I}", "slice", c->slice, "sm_mhz",
                     (int)c->sm_mhz, "memory_mhz", (int)c->memory_mhz, "celsius", (int)c->celsius,
                     "power_cap_w", c->power_cap_w, "power_cap_default_w", c->power_cap_default_w,
                     "throttling", (json_int_t)c->throttling);
}

json_t *conditions_json(const struct conditions *c)
{
    return json_pack("{s:f, s:f, s:s, s:I, s:f, s:I, s:b, s:o}", "load1", c->load1, "clock_mhz",
                     c->clock_mhz, "governor", c->governor, "overheated", (json_int_t)c->overheated,
                     "quota", c->quota, "throttled", (json_int_t)c->throttled, "on_battery",
                     c->on_battery, "gpu", gpu_json(&c->gpu));
}
