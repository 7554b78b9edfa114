#define _GNU_SOURCE
#include "harness/machine/cgroup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define V2 "/sys/fs/cgroup"
#define V1 "/sys/fs/cgroup/cpu"

/* This process's group, "/" or "/a/b", of version 2 or of version 1's cpu controller. */
static bool own_group(bool v2, char *group, int size)
{
    char line[512];
    FILE *f = fopen("/proc/self/cgroup", "r");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path = 0;
        bool empty = controllers[1] == 0;
        bool cpu =
            strcmp(controllers + 1, "cpu") == 0 || strcmp(controllers + 1, "cpu,cpuacct") == 0;
        found = v2 ? empty : cpu;
        if (found)
            snprintf(group, (size_t)size, "%s", path + 1);
    }
    if (f)
        fclose(f);
    return found;
}

static bool read_first(const char *base, const char *group, const char *file, char *text, int size)
{
    char path[768];
    snprintf(path, sizeof path, "%s%s/%s", base, strcmp(group, "/") == 0 ? "" : group, file);
    FILE *f = fopen(path, "r");
    bool good = f && fgets(text, size, f);
    if (f)
        fclose(f);
    return good;
}

/* Quota of one group in cores, or 0. */
static double group_quota(bool v2, const char *group)
{
    char text[64];
    double quota = -1.0, period = 0.0;
    if (v2) {
        if (!read_first(V2, group, "cpu.max", text, sizeof text) ||
            sscanf(text, "%lf %lf", &quota, &period) != 2) /* "max 100000" has no number first */
            return 0.0;
    } else {
        if (read_first(V1, group, "cpu.cfs_quota_us", text, sizeof text))
            quota = strtod(text, NULL); /* -1: none */
        if (read_first(V1, group, "cpu.cfs_period_us", text, sizeof text))
            period = strtod(text, NULL);
    }
    return quota > 0.0 && period > 0.0 ? quota / period : 0.0;
}

/* The tightest quota from `group` up to "/", or 0. `group` is cut on the way. */
static double tightest(bool v2, char *group)
{
    double least = 0.0;
    for (;;) {
        double quota = group_quota(v2, *group ? group : "/");
        if (quota > 0.0 && (least == 0.0 || quota < least))
            least = quota;
        char *slash = strrchr(group, '/');
        if (!slash || !*group || strcmp(group, "/") == 0)
            return least;
        *slash = 0;
    }
}

double cgroup_cpu_quota(void)
{
    char group[512];
    double v2 = own_group(true, group, sizeof group) ? tightest(true, group) : 0.0;
    double v1 = own_group(false, group, sizeof group) ? tightest(false, group) : 0.0;
    return v1 > 0.0 && (v2 == 0.0 || v1 < v2) ? v1 : v2;
}

long cgroup_throttled(void)
{
    for (int v2 = 1; v2 >= 0; v2--) {
        char group[512], path[768], line[128];
        if (!own_group(v2, group, sizeof group))
            continue;
        snprintf(path, sizeof path, "%s%s/cpu.stat", v2 ? V2 : V1,
                 strcmp(group, "/") == 0 ? "" : group);
        FILE *f = fopen(path, "r");
        long count = -1;
        while (f && fgets(line, sizeof line, f))
            if (sscanf(line, "nr_throttled %ld", &count) == 1)
                break;
        if (f)
            fclose(f);
        if (count >= 0)
            return count;
    }
    return -1;
}
