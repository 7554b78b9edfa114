/* hpclab doctor: what this machine is and lacks, and what each lack costs. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/machine/cudnn.h"
#include "harness/machine/device.h"
#include "harness/machine/distance.h"
#include "harness/machine/lacks.h"
#include "harness/jail/jail.h"
#include "harness/jail/doctor.h"
#include "harness/machine/conditions.h"
#include "harness/machine/machine.h"
#include "harness/record/reference.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

struct values {
    bool jail;
};
static const struct option_row rows[] = {
    {"jail", NULL,
     "try what the jail of a solution allows and refuses; ends with 1 where something is not as it "
     "should be (HPC_JAIL=landlock ./hpclab doctor --jail tries that tier)",
     OPTION_SWITCH, .at = offsetof(struct values, jail)},
    {0},
};
const struct option_table doctor_options = {
    .command = "./hpclab doctor",
    .words = "",
    .title = "what this machine is and lacks, and what a lack costs",
    .about = "What this machine is and has, and what each lack costs. Ends with 0, or with 3 where "
             "labs can't be built at all.",
    .examples = "./hpclab doctor",
    .expected = "options alone",
    .rows = rows,
};

/* A line of the table; returns found. */
static bool row(const char *name, bool found, const char *cost)
{
    char *mark = hpc_printf("  %s%s%s ", ui_style(found ? UI_GOOD : UI_BAD),
                            found ? ui_tick() : ui_cross(), ui_style(UI_PLAIN));
    char *words = found ? hpc_strdup(name) : hpc_printf("%s: %s", name, cost);
    ui_row(mark, words);
    free(words);
    free(mark);
    return found;
}

/* What the machine is: a name and words behind it, below each other on a narrow terminal. */
static void __attribute__((format(printf, 2, 3))) say(const char *name, const char *format, ...)
{
    char columns[16];
    struct text words = {0};
    va_list args;
    va_start(args, format);
    text_vadd(&words, format, args);
    va_end(args);
    snprintf(columns, sizeof columns, "%-11s", name);
    ui_row(columns, text_string(&words));
    text_free(&words);
}

static void print_gpu(const struct gpu_conditions *gpu)
{
    const char *hindrance = conditions_gpu_hindrance(gpu->throttling);
    if (!gpu->known)
        return;
    say("", "%u MHz, memory %u MHz, %u C, at most %.0f of %.0f W%s%s", gpu->sm_mhz, gpu->memory_mhz,
        gpu->celsius, gpu->power_cap_w, gpu->power_cap_default_w, *gpu->slice ? ", " : "",
        gpu->slice);
    if (hindrance)
        say("", "%s: timings are refused", hindrance);
}

static void print_load(const struct conditions *now)
{
    const struct machine *m = machine_here();
    char clock[40] = "";
    if (now->clock_mhz > 0)
        snprintf(clock, sizeof clock, " at %.0f MHz", now->clock_mhz);
    say("load", "%.2f in the last minute%s; governor %s%s%s", now->load1,
        now->load1 > 0.5 * m->cores ? " (busy: timings may be noisy)" : "",
        *m->governor ? m->governor : "unknown", clock,
        now->on_battery ? "; on battery: timings are refused" : "");
    if (now->throttled > 0)
        say("throttled", "%ld periods so far: a CPU quota is at work", now->throttled);
}

static void print_machine(void)
{
    const struct machine *m = machine_here();
    struct conditions now;
    conditions_read(&now, m->gpu);
    say("machine", "%s (%s, %s)", m->name, m->cpu, m->arch);
    say("offers", "%d core%s, SIMD level %s, %.1f GiB", m->cores, m->cores == 1 ? "" : "s",
        machine_simd_name(m->simd), m->memory_gib);
    say("system", "%s; %s", *m->os ? m->os : "unknown", *m->compiler ? m->compiler : "no gcc");
    print_load(&now);
    double ns = distance_ns(2);
    if (ns > 0)
        say("distance", "%.0f ns for a cache line from one processor to another and back", ns);
    say("GPU", "%s", m->gpu ? m->gpu_name : "none: tasks that need one are pending");
    print_gpu(&now.gpu);
}

/* What solutions are kept in, and where targets come from. */
static void print_grading(struct project *p)
{
    char names[64][LAB_NAME], source[160] = "", *path;
    struct hpc_error err;
    int n = lab_names(p->root, names, 64);
    const bool wrapped = jail_tier_works(JAIL_BUBBLEWRAP);
    say("jail", "%s%s%s", jail_description(),
        wrapped ? "" : "; no bubblewrap: ", wrapped ? "" : jail_tier_lack(JAIL_BUBBLEWRAP));
    path = hpc_printf("%s/reference/%s.json", p->root, machine_here()->name);
    if (access(path, R_OK) == 0)
        snprintf(source, sizeof source, "reference/%s.json", machine_here()->name);
    for (int i = 0; i < n && !*source; i++)
        for (int t = 0; project_lab(p, names[i], &err) && t < p->lab->n_tasks && !*source; t++) {
            const struct lab_task *task = &p->lab->tasks[t];
            if (task->points_speed > 0 && task->target == 0)
                reference_target(p, task, machine_here(), source, sizeof source);
        }
    say("targets", "%s%s", *source ? source : "none needed",
        strncmp(source, "reference/", 10) == 0 || !*source ? ""
                                                           : "; `make reference` times them here");
    printf("\n");
    free(path);
}

/* cuDNN's row says where it lies, or where one may be put. */
static bool print_cudnn(const struct lack *lack, const char *root)
{
    struct hpc_error err;
    const struct cudnn_place *cudnn = cudnn_here(root, &err);
    char *text =
        cudnn ? hpc_printf("%s %s: %s/%s", lack->name, cudnn->where, cudnn->lib, cudnn->library)
              : hpc_printf("%s; %s", lack->cost, err.text);
    row(cudnn ? text : lack->name, cudnn != NULL, text);
    free(text);
    return cudnn != NULL;
}

/* What hpclab alone can tell: the tests `hpclab NAME` of common/lacks.def. */
static bool own_test(const char *name)
{
    if (strcmp(name, "nvcc") == 0)
        return device_nvcc() != NULL;
    for (int tier = 0; tier < JAIL_TIERS; tier++)
        if (strcmp(name, jail_tier_name(tier)) == 0)
            return jail_tier_works(tier);
    HPC_ASSERT(!"a test of common/lacks.def that doctor knows");
    return false;
}

static bool print_lack(const struct lack *lack, const char *root)
{
    const char *own = lack_own_test(lack);
    if (own && strcmp(own, "cudnn") == 0)
        return print_cudnn(lack, root);
    return row(lack->name, own ? own_test(own) : lack_here(lack, root), lack->cost);
}

/* Rows of whom a machine like this one concerns. */
static bool concerns(const struct lack *lack, bool released)
{
    if (lack->who == LACK_gpu)
        return machine_here()->gpu;
    if (lack->who == LACK_cuda)
        return device_nvcc() != NULL;
    return lack->who != LACK_all || !released;
}

/* The table of lacks. *buildable: labs can be built; true where ./bootstrap has nothing to bring.
 */
static bool print_lacks(const char *root, bool *buildable)
{
    char *tests = hpc_printf("%s/tests", root);
    bool released = access(tests, F_OK) != 0, all = true;
    free(tests);
    *buildable = true;
    for (const struct lack *lack = lacks; lack->name; lack++) {
        if (!concerns(lack, released) || print_lack(lack, root))
            continue;
        all &= !*lack->packages || lack->who == LACK_mpi;
        *buildable &= lack->who != LACK_must;
    }
    return all;
}

int verb_doctor(struct project *p, int argc, char **argv)
{
    struct values o = {0};
    struct hpc_error err;
    int go = options_read(&doctor_options, &argc, &argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    if (o.jail)
        return jail_doctor();
    print_machine();
    print_grading(p);
    bool buildable;
    if (!print_lacks(p->root, &buildable))
        printf("\n./bootstrap brings what is missing\n");
    if (buildable)
        return HPC_EXIT_OK;
    fprintf(stderr, "hpclab: labs can't be built here, expected what is marked above; type "
                    "./bootstrap\n");
    return HPC_EXIT_ENVIRONMENT;
}
