/* hpclab doctor: what this machine is and lacks, and what each lack costs. */
#define _GNU_SOURCE
#include <glob.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/machine/cudnn.h"
#include "harness/machine/device.h"
#include "harness/machine/distance.h"
#include "harness/jail/jail.h"
#include "harness/jail/doctor.h"
#include "harness/machine/conditions.h"
#include "harness/machine/machine.h"
#include "harness/record/reference.h"
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

static bool program(const char *name)
{
    const char *path = getenv("PATH");
    char *folders = hpc_strdup(path ? path : "/usr/bin:/bin"), *save = NULL;
    bool found = false;
    for (char *f = strtok_r(folders, ":", &save); f && !found; f = strtok_r(NULL, ":", &save)) {
        char *full = hpc_printf("%s/%s", f, name);
        found = access(full, X_OK) == 0;
        free(full);
    }
    free(folders);
    return found;
}

static bool any(const char *pattern)
{
    glob_t found;
    bool is = glob(pattern, 0, NULL, &found) == 0;
    if (is)
        globfree(&found);
    return is;
}

/* A header of the system or one that ./bootstrap unpacked. */
static bool header(const char *root, const char *name)
{
    char *here = hpc_printf("%s/.deps/usr/include/%s", root, name);
    char *there = hpc_printf("/usr/include/%s", name);
    bool found = any(here) || any(there);
    free(here);
    free(there);
    return found;
}

static bool runs(const char *command)
{
    return system(command) == 0;
}

/* A line of the table; returns found. */
static bool row(const char *name, bool found, const char *cost)
{
    if (found)
        printf("  %s%s%s %s\n", ui_style(UI_GOOD), ui_tick(), ui_style(UI_PLAIN), name);
    else
        printf("  %s%s%s %s: %s\n", ui_style(UI_BAD), ui_cross(), ui_style(UI_PLAIN), name, cost);
    return found;
}

static void print_gpu(const struct gpu_conditions *gpu)
{
    const char *hindrance = conditions_gpu_hindrance(gpu->throttling);
    if (!gpu->known)
        return;
    printf("           %u MHz, memory %u MHz, %u C, at most %.0f of %.0f W%s%s\n", gpu->sm_mhz,
           gpu->memory_mhz, gpu->celsius, gpu->power_cap_w, gpu->power_cap_default_w,
           *gpu->slice ? ", " : "", gpu->slice);
    if (hindrance)
        printf("           %s: timings are refused\n", hindrance);
}

static void print_machine(void)
{
    const struct machine *m = machine_here();
    struct conditions now;
    conditions_read(&now, m->gpu);
    printf("machine    %s (%s, %s)\n", m->name, m->cpu, m->arch);
    printf("offers     %d core%s, SIMD level %s, %.1f GiB\n", m->cores, m->cores == 1 ? "" : "s",
           machine_simd_name(m->simd), m->memory_gib);
    printf("system     %s; %s\n", *m->os ? m->os : "unknown",
           *m->compiler ? m->compiler : "no gcc");
    printf("load       %.2f in the last minute%s", now.load1,
           now.load1 > 0.5 * m->cores ? " (busy: timings may be noisy)" : "");
    printf("; governor %s", *m->governor ? m->governor : "unknown");
    if (now.clock_mhz > 0)
        printf(" at %.0f MHz", now.clock_mhz);
    printf("%s\n", now.on_battery ? "; on battery: timings are refused" : "");
    if (now.throttled > 0)
        printf("throttled  %ld periods so far: a CPU quota is at work\n", now.throttled);
    double ns = distance_ns(2);
    if (ns > 0)
        printf("distance   %.0f ns for a cache line from one processor to another and back\n", ns);
    printf("GPU        %s\n", m->gpu ? m->gpu_name : "none: tasks that need one are pending");
    print_gpu(&now.gpu);
}

/* What solutions are kept in, and where targets come from. */
static void print_grading(struct project *p)
{
    char names[64][LAB_NAME], source[160] = "", *path;
    struct hpc_error err;
    int n = lab_names(p->root, names, 64);
    printf("jail       %s", jail_description());
    if (!jail_tier_works(JAIL_BUBBLEWRAP))
        printf("; no bubblewrap: %s", jail_tier_lack(JAIL_BUBBLEWRAP));
    printf("\n");
    path = hpc_printf("%s/reference/%s.json", p->root, machine_here()->name);
    if (access(path, R_OK) == 0)
        snprintf(source, sizeof source, "reference/%s.json", machine_here()->name);
    for (int i = 0; i < n && !*source; i++)
        for (int t = 0; project_lab(p, names[i], &err) && t < p->lab->n_tasks && !*source; t++) {
            const struct lab_task *task = &p->lab->tasks[t];
            if (task->points_speed > 0 && task->target == 0)
                reference_target(p, task, machine_here(), source, sizeof source);
        }
    printf("targets    %s%s\n\n", *source ? source : "none needed",
           strncmp(source, "reference/", 10) == 0 || !*source
               ? ""
               : "; `make reference` times them here");
    free(path);
}

/* Without these nothing is built. */
static bool print_required(const char *root)
{
    bool gcc = row("gcc", program("gcc"), "nothing can be built");
    bool make = row("make", program("make"), "nothing can be built");
    bool binutils =
        row("binutils (objcopy, nm)", program("objcopy") && program("nm"), "nothing can be built");
    bool libraries = row("jansson and inih", header(root, "jansson.h") && header(root, "ini.h"),
                         "hpclab can't be built again");
    return gcc && make && binutils && libraries;
}

static void print_cudnn(const char *root)
{
    struct hpc_error err;
    const struct cudnn_place *cudnn = cudnn_here(root, &err);
    char *name = cudnn ? hpc_printf("cuDNN %s: %s/%s", cudnn->where, cudnn->lib, cudnn->library)
                       : hpc_strdup("cuDNN: lab8's speed waits");
    row(name, cudnn != NULL, cudnn ? "" : err.text);
    free(name);
}

/* Whether a compiler has a sanitizer's library. */
#define LINK(compiler, sanitizer)                                                                  \
    "echo 'int main(void){return 0;}' | " compiler " -fsanitize=" sanitizer                        \
    " -x c -o /dev/null - 2>/dev/null"

static bool print_optional(const char *root)
{
    bool all = row("g++", program("g++"), "no C++ tasks, headers are not checked as C++");
    all &= row("gcc's sanitizers (libasan, libubsan, libtsan)",
               runs(LINK("gcc", "address,undefined")) && runs(LINK("gcc", "thread")),
               "overruns, leaks and races are not looked for: the record says unchecked");
    all &= row("clang with its thread sanitizer", runs(LINK("clang", "thread")),
               "races are looked for by gcc only, not in OpenMP code");
    all &= row("OpenMP for clang, with Archer", any("/usr/lib/llvm-*/lib/libarcher.so"),
               "races in OpenMP code are not looked for: the record says unchecked");
    all &=
        row("bubblewrap", program("bwrap"), "solutions run in a weaker jail, without namespaces");
    all &= row("libseccomp", header(root, "seccomp.h"), "solutions may make most system calls");
    all &= row("gprof", program("gprof"), "no profiles (./hpclab profile)");
    all &= row("gnuplot", program("gnuplot"), "no plots");
    all &= row("graphviz (dot)", program("dot"), "no picture of the call graph");
    all &= row("pandoc", program("pandoc"), "no handouts in HTML and PDF");
    all &= row("cmocka", header(root, "cmocka.h"), "`make test` does not run");
    all &= row("python3 with jsonschema", runs("python3 -c 'import jsonschema' 2>/dev/null"),
               "records are not checked against their schema by the tests");
    row("Open MPI", program("mpirun") && program("mpicc"),
        "no MPI programs: optional, ./bootstrap --mpi brings it");
    if (device_nvcc())
        print_cudnn(root);
    if (!machine_here()->gpu)
        return all;
    all &= row("nvcc", device_nvcc() != NULL, "no CUDA program can be built");
    all &= row("nvidia-smi", program("nvidia-smi"), "the GPU's clocks and load are unknown");
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
    bool buildable = print_required(p->root);
    bool all = print_optional(p->root);
    if (!buildable || !all)
        printf("\n./bootstrap brings what is missing\n");
    if (buildable)
        return HPC_EXIT_OK;
    fprintf(stderr, "hpclab: labs can't be built here, expected what is marked above; type "
                    "./bootstrap\n");
    return HPC_EXIT_ENVIRONMENT;
}
