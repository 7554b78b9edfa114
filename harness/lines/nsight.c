/* What Nsight Compute says of a task's kernels on the GPU: their speed of light, memory, occupancy.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/random.h"
#include "common/ui.h"
#include "harness/lines/internal.h"
#include "harness/machine/device.h"

#define SHOWN      3  /* kernels, those that take longest */
#define BUSY       60 /* percent of a peak from which on it is what bounds a kernel */
#define CSV_FIELDS 32

static const char *const metrics[NSIGHT_METRICS] = {
    [NSIGHT_NS] = "gpu__time_duration.sum",
    [NSIGHT_ARITHMETIC] = "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    [NSIGHT_MEMORY] = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    [NSIGHT_DRAM] = "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    [NSIGHT_BYTES] = "dram__bytes.sum",
    [NSIGHT_L1_HITS] = "l1tex__t_sector_hit_rate.pct",
    [NSIGHT_L2_HITS] = "lts__t_sector_hit_rate.pct",
    [NSIGHT_WARPS] = "sm__warps_active.avg.pct_of_peak_sustained_active",
    [NSIGHT_MOST_WARPS] = "sm__maximum_warps_per_active_cycle_pct",
    [NSIGHT_REGISTERS] = "launch__registers_per_thread",
    [NSIGHT_BY_REGISTERS] = "launch__occupancy_limit_registers",
    [NSIGHT_BY_SHARED] = "launch__occupancy_limit_shared_mem",
    [NSIGHT_BY_WARPS] = "launch__occupancy_limit_warps",
};

/* The fields of a line of quoted ones; *line goes behind it. */
static int split(char **line, char *field[CSV_FIELDS])
{
    char *c = *line;
    int n = 0;
    while (*c == '"' && n < CSV_FIELDS) {
        char *to = field[n++] = ++c;
        for (; *c && (*c != '"' || c[1] == '"'); c++) {
            c += *c == '"';
            *to++ = *c;
        }
        c += *c == '"';
        c += *c == ',';
        *to = '\0';
    }
    c += strcspn(c, "\n");
    *line = c + (*c == '\n');
    return n;
}

static int find(char *field[], int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(field[i], name) == 0)
            return i;
    return -1;
}

/* "1,234.5" */
static double number(const char *text)
{
    char digits[64];
    int n = 0;
    for (; *text && n < 63; text++)
        if (*text != ',')
            digits[n++] = *text;
    digits[n] = '\0';
    return strtod(digits, NULL);
}

/* The kernel of that launch, the last one that was read where it is the same. */
static struct nsight_kernel *of_launch(struct nsight_kernel *k, int *n, int most, int id,
                                       const char *name)
{
    if (*n > 0 && k[*n - 1].id == id)
        return &k[*n - 1];
    if (*n == most)
        return NULL;
    k[*n] = (struct nsight_kernel){.id = id};
    for (int m = 0; m < NSIGHT_METRICS; m++)
        k[*n].value[m] = -1;
    snprintf(k[*n].name, sizeof k[*n].name, "%.*s", (int)strcspn(name, "("), name);
    hpc_harmless(k[*n].name);
    return &k[(*n)++];
}

int nsight_read(const char *text, struct nsight_kernel *kernel, int most)
{
    char *copy = hpc_strdup(text), *line = copy, *field[CSV_FIELDS];
    int n = 0, id = -1, name = -1, metric = -1, value = -1;
    while (*line) {
        const int fields = split(&line, field);
        if (fields > 0 && find(field, fields, "Metric Value") >= 0) {
            id = find(field, fields, "ID");
            name = find(field, fields, "Kernel Name");
            metric = find(field, fields, "Metric Name");
            value = find(field, fields, "Metric Value");
        } else if (id >= 0 && name >= 0 && metric >= 0 && value >= 0 && fields > value &&
                   fields > metric && fields > name) {
            struct nsight_kernel *k = of_launch(kernel, &n, most, atoi(field[id]), field[name]);
            for (int m = 0; k && m < NSIGHT_METRICS; m++)
                if (strcmp(field[metric], metrics[m]) == 0)
                    k->value[m] = number(field[value]);
        }
    }
    free(copy);
    return n;
}

static void say_light(const struct nsight_kernel *k, struct text *t)
{
    const double a = k->value[NSIGHT_ARITHMETIC], m = k->value[NSIGHT_MEMORY];
    if (a < 0 || m < 0)
        return;
    text_add(t, "    speed of light: arithmetic %.0f%% of its peak, memory %.0f%%: ", a, m);
    if (a < BUSY && m < BUSY)
        text_add(t,
                 "neither is busy, it waits (for memory's answers, at barriers, for its launch)\n");
    else
        text_add(t, "%s is what bounds it\n", m >= a ? "memory" : "arithmetic");
}

static void say_memory(const struct nsight_kernel *k, struct text *t)
{
    const double ns = k->value[NSIGHT_NS], bytes = k->value[NSIGHT_BYTES];
    if (ns <= 0)
        return;
    text_add(t, "    memory: %.1f us", ns / 1e3);
    if (bytes >= 0 && k->value[NSIGHT_DRAM] >= 0)
        text_add(t, ", %.2f MB of device memory, %.0f GB/s, %.0f%% of its peak", bytes / 1e6,
                 bytes / ns, k->value[NSIGHT_DRAM]);
    if (k->value[NSIGHT_L1_HITS] >= 0 && k->value[NSIGHT_L2_HITS] >= 0)
        text_add(t, "; the L1 had %.0f%% of what was asked for, the L2 %.0f%% of the rest",
                 k->value[NSIGHT_L1_HITS], k->value[NSIGHT_L2_HITS]);
    text_add(t, "\n");
}

/* Which of the limits on blocks of a multiprocessor is the least. */
static const char *limited_by(const struct nsight_kernel *k)
{
    const double r = k->value[NSIGHT_BY_REGISTERS], s = k->value[NSIGHT_BY_SHARED],
                 w = k->value[NSIGHT_BY_WARPS];
    return r < s && r < w ? "registers" : s < r && s < w ? "shared memory" : NULL;
}

static void say_occupancy(const struct nsight_kernel *k, struct text *t)
{
    const char *by = limited_by(k);
    if (k->value[NSIGHT_WARPS] < 0 || k->value[NSIGHT_MOST_WARPS] < 0)
        return;
    text_add(t, "    occupancy: %.0f%% of the warps that a multiprocessor holds were there",
             k->value[NSIGHT_WARPS]);
    text_add(t, ", %.0f%% could be", k->value[NSIGHT_MOST_WARPS]);
    if (by && k->value[NSIGHT_MOST_WARPS] < 100)
        text_add(t, ": its %s are the limit", by);
    if (k->value[NSIGHT_REGISTERS] >= 0)
        text_add(t, "; %.0f registers a thread", k->value[NSIGHT_REGISTERS]);
    text_add(t, "\n");
}

static int longest_first(const void *a, const void *b)
{
    const double x = ((const struct nsight_kernel *)a)->value[NSIGHT_NS],
                 y = ((const struct nsight_kernel *)b)->value[NSIGHT_NS];
    return (x < y) - (x > y);
}

void nsight_say(struct nsight_kernel *kernel, int n, struct text *t)
{
    qsort(kernel, (size_t)n, sizeof *kernel, longest_first);
    for (int i = 0; i < n && i < SHOWN; i++) {
        text_add(t, "  %s\n", kernel[i].name);
        say_light(&kernel[i], t);
        say_memory(&kernel[i], t);
        say_occupancy(&kernel[i], t);
    }
    if (n > SHOWN)
        text_add(t, "  and %d more launches, which take less\n", n - SHOWN);
}

/* One call of the runner under Nsight Compute, what it says to `log`. */
static bool count(struct trial *t, const struct lab_case *c, const char *ncu, const char *log,
                  struct hpc_error *err)
{
    struct text words = {0};
    for (int m = 0; m < NSIGHT_METRICS; m++)
        text_add(&words, "%s%s", m ? "," : "", metrics[m]);
    const char *const tool[] = {
        ncu,    "--csv",     "--print-units",     "base",       "--clock-control",
        "none", "--metrics", text_string(&words), "--log-file", log,
        NULL};
    struct case_try try = {.c = c,
                           .built = trial_runner(t, BUILD_CUDA),
                           .seed = hpc_random_seed(),
                           .threads = t->threads,
                           .limits = t->limits,
                           .first = 1,
                           .calls = 1,
                           .unchecked = true};
    bool good = try.built->outcome.verdict == VERDICT_PASS
                    ? try_ready(&try, err)
                    : hpc_fail_env(err, "%s", try.built->outcome.reason);
    if (good && !try_under(&try, tool))
        good = hpc_fail_env(err, "%s", try.outcome.reason);
    text_free(&words);
    return good;
}

/* In PATH, or beside nvcc; NULL: neither. The caller's. */
static char *find_ncu(void)
{
    const char *path = command_find("ncu"), *nvcc = device_nvcc();
    if (path || !nvcc)
        return path ? hpc_strdup(path) : NULL;
    char *beside = hpc_printf("%.*s/ncu", (int)(strrchr(nvcc, '/') - nvcc), nvcc);
    if (access(beside, X_OK) == 0)
        return beside;
    free(beside);
    return NULL;
}

bool lines_nsight(struct project *p, const struct lab_task *task, const struct lab_case *c,
                  const char *folder, struct hpc_error *err)
{
    char *ncu = find_ncu();
    if (!ncu)
        return hpc_fail_env(err, "no ncu here: Nsight Compute is a package of NVIDIA's");
    struct nsight_kernel *kernel = hpc_calloc(NSIGHT_MOST, sizeof *kernel);
    struct trial *t = trial_open(p, task, "student");
    char *log = hpc_printf("%s/%s-nsight.csv", folder, task->name), *file = NULL;
    struct text said = {0};
    struct hpc_error unread;
    ui_progress("%s: under Nsight Compute", task->name);
    bool good = count(t, c, ncu, log, err);
    ui_progress_end();
    file = hpc_printf("%s-nsight.csv", task->name);
    char *text = command_text(folder, file, &unread);
    const int n = text ? nsight_read(text, kernel, NSIGHT_MOST) : 0;
    if (text && strstr(text, "ERR_NVGPUCTRPERM"))
        good = hpc_fail_env(err, "this user may not read the GPU's counters (ERR_NVGPUCTRPERM): "
                                 "the machine's owner can allow it");
    else if (good && !text)
        good = hpc_fail_env(err, "%s", unread.text);
    else if (good && n == 0)
        good = hpc_fail_env(err, "Nsight Compute saw no kernel: %s says why", log);
    if (good) {
        nsight_say(kernel, n, &said);
        printf("%s%s/%s%s, case %s, on the GPU by Nsight Compute\n%s", ui_style(UI_BOLD),
               p->lab->name, task->name, ui_style(UI_PLAIN), c->name, text_string(&said));
    }
    text_free(&said);
    free(text);
    free(file);
    free(log);
    free(kernel);
    free(ncu);
    trial_close(t);
    return good;
}
