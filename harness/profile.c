/* Building, running and gathering: see profile.h. */
#define _GNU_SOURCE
#include "harness/profile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "harness/command.h"
#include "harness/ui.h"

/* The profile is the sum of at least this many runs: where the loader happens to put stack and
 * heap shifts a function's time by up to a tenth, and that averages out. */
#define LEAST_RUNS 8
#define MOST_RUNS  60
#define RUN_SHARE  5.0 /* a run takes this part of the seconds wanted */

const char *const profile_section_names[PROFILE_SECTIONS] = {
    "allocate weight_correction's arrays of rows",
    "allocate weight_correction's rows",
    "allocate the local gradients",
    "calculate_local_gradient, all layers",
    "weight_correction of the output layer",
    "weight_correction of the hidden layers",
    "update the weights",
    "free it all",
};

bool profile_name_good(const char *student, struct hpc_error *err)
{
    bool blank = true;
    for (const char *c = student; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return hpc_fail(err, "profile: the name holds a control character, expected a name");
        blank = blank && isspace((unsigned char)*c);
    }
    if (blank)
        return hpc_fail(err, "answers.ini: `student` is empty: write your name, then run "
                             "./hpclab profile lab1");
    if (strlen(student) >= PROFILE_STUDENT - 1)
        return hpc_fail(err, "profile: the name is too long, expected at most %d bytes",
                        PROFILE_STUDENT - 2);
    return true;
}

void profile_draw(const char *student, struct mlp_problem *problem, uint64_t *seed)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    const char *end = student + strlen(student);
    while (*student && isspace((unsigned char)*student))
        student++;
    while (end > student && isspace((unsigned char)end[-1]))
        end--;
    for (; student < end; student++)
        hash = (hash ^ (uint64_t)tolower((unsigned char)*student)) * 0x100000001b3u;
    *seed = hash;

    struct hpc_random r;
    int hidden[3] = {MLP_SOFTMAX, MLP_RELU, MLP_TANH}, order[3];
    hpc_random_init(&r, hash, 0);
    hpc_random_permutation(&r, order, 3);
    *problem = (struct mlp_problem){.n_layers = 5,
                                    .samples = 600 + (int)hpc_random_below(&r, 901),
                                    .permutations = 8,
                                    .replicas = 1,
                                    .merge_every = 1,
                                    .networks = 1,
                                    .type = HPC_F64};
    for (int l = 0; l < 4; l++)
        problem->size[l] = 3 + (int)hpc_random_below(&r, l == 0 ? 6 : 7);
    problem->size[4] = 1;
    for (int l = 0; l < 3; l++)
        problem->activation[1 + l] = hidden[order[l]];
    problem->activation[4] = MLP_SIGMOID;
}

/* gcc -O0 with one more flag or two, from the root into folder/name. */
static bool build(const char *root, const char *folder, const char *name, const char *flag,
                  const char *second, struct hpc_error *err)
{
    char *output = hpc_printf("%s/%s", folder, name), *include = hpc_printf("-I%s", root);
    char *files[4] = {
        hpc_printf("%s/mlp/profile/main.c", root), hpc_printf("%s/mlp/variants/serial.c", root),
        hpc_printf("%s/common/random.c", root), hpc_printf("%s/common/error.c", root)};
    const char *argv[] = {"gcc",    "-std=gnu11", "-O0",    "-g",     flag,  include, "-o", output,
                          files[0], files[1],     files[2], files[3], "-lm", second,  NULL};
    bool good = command_run(argv, folder, "gcc.txt", NULL, err);
    for (int i = 0; i < 4; i++)
        free(files[i]);
    free(output);
    free(include);
    return good;
}

struct words {
    char layers[80], activations[80], samples[16], epochs[16], seed[24];
};

static bool run_profile(const char *folder, const char *program, const struct profile *p,
                        int epochs, double *cpu, struct hpc_error *err)
{
    struct words w = {"", "", "", "", ""};
    const struct mlp_problem *m = &p->problem;
    char *path = hpc_printf("%s/%s", folder, program);
    for (int l = 0, at = 0, to = 0; l < m->n_layers; l++) {
        const char *comma = l < m->n_layers - 1 ? "," : "";
        at += snprintf(w.layers + at, sizeof w.layers - (size_t)at, "%d%s", m->size[l], comma);
        if (l > 0)
            to += snprintf(w.activations + to, sizeof w.activations - (size_t)to, "%d%s",
                           m->activation[l], comma);
    }
    snprintf(w.samples, sizeof w.samples, "%d", m->samples);
    snprintf(w.epochs, sizeof w.epochs, "%d", epochs);
    snprintf(w.seed, sizeof w.seed, "%llu", (unsigned long long)p->seed);
    const char *argv[] = {path, w.layers, w.activations, w.samples, w.epochs, w.seed, NULL};
    bool good = command_run(argv, folder, "run.txt", cpu, err);
    free(path);
    return good;
}

/* Epochs that take `seconds`, by a short run. */
static bool calibrate(const char *folder, struct profile *p, double seconds, struct hpc_error *err)
{
    double cpu = 0;
    int epochs = 25;
    for (; epochs < 100000; epochs *= 4) {
        if (!run_profile(folder, "profile", p, epochs, &cpu, err))
            return false;
        if (cpu > 0.1)
            break;
    }
    double want = cpu > 0 ? epochs * seconds / cpu : 1;
    p->problem.epochs = want < 1 ? 1 : want > 1e6 ? 1000000 : (int)want;
    return true;
}

static bool add_up(const char *folder, bool first, struct hpc_error *err)
{
    const char *sum[] = {"gprof", "-s", "profile", "gmon.out", first ? NULL : "gmon.sum", NULL};
    return command_run(sum, folder, "gprof.txt", NULL, err);
}

static bool read_flat(const char *folder, const char *program, const char *data, const char *name,
                      struct profile_table *table, struct hpc_error *err)
{
    const char *argv[] = {"gprof", "-b", "-p", program, data, NULL};
    if (!command_run(argv, folder, name, NULL, err))
        return false;
    char *text = command_text(folder, name, err);
    bool good = text && profile_read_flat(text, table);
    if (text && !good)
        hpc_fail_env(err, "profile: gprof gave no table, see %s/%s", folder, name);
    free(text);
    return good;
}

/* Runs until gprof has `seconds` of samples. */
static bool sample(const char *folder, double seconds, struct profile *p, struct hpc_error *err)
{
    p->flat.seconds = 0;
    while (p->runs < MOST_RUNS && (p->runs < LEAST_RUNS || p->flat.seconds < seconds)) {
        double cpu;
        ui_progress("profiling: run %d, gprof has seen %.1f s of %g", p->runs + 1, p->flat.seconds,
                    seconds);
        if (!run_profile(folder, "profile", p, p->problem.epochs, &cpu, err) ||
            !add_up(folder, p->runs == 0, err) ||
            !read_flat(folder, "profile", "gmon.sum", "flat.txt", &p->flat, err))
            return false;
        p->runs++;
        p->cpu_seconds += cpu;
        p->epochs += p->problem.epochs;
    }
    const char *graph[] = {"gprof", "-b", "-q", "profile", "gmon.sum", NULL};
    if (!command_run(graph, folder, "graph.txt", NULL, err))
        return false;
    char *text = command_text(folder, "graph.txt", err);
    p->n_edges = text ? profile_read_graph(text, p->edge, PROFILE_MAX_EDGES) : 0;
    free(text);
    return p->n_edges > 0 || hpc_fail_env(err, "profile: no calls in %s/graph.txt", folder);
}

static bool time_sections(const char *folder, struct profile *p, int epochs, struct hpc_error *err)
{
    ui_progress("profiling: timers around the sections");
    if (!run_profile(folder, "profile-sections", p, epochs, NULL, err))
        return false;
    char *text = command_text(folder, "run.txt", err);
    int n = 0;
    for (char *line = text; line; line = strchr(line, '\n'), line += line != NULL) {
        int section;
        double seconds;
        if (sscanf(line, "section %d %lf", &section, &seconds) == 2 && section >= 0 &&
            section < PROFILE_SECTIONS) {
            p->section_seconds[section] = seconds;
            n++;
        }
    }
    free(text);
    return n == PROFILE_SECTIONS || hpc_fail_env(err, "profile: no sections in %s/run.txt", folder);
}

/* The same once more with the C library inside the program: gprof sees that, too. */
static bool take_whole(const char *root, const char *folder, struct profile *p, int epochs)
{
    struct hpc_error lack;
    ui_progress("profiling: linked statically");
    return build(root, folder, "profile-static", "-pg", "-static", &lack) &&
           run_profile(folder, "profile-static", p, epochs, NULL, &lack) &&
           read_flat(folder, "profile-static", "gmon.out", "whole.txt", &p->whole, &lack);
}

bool profile_take(const char *root, const char *student, double seconds, const char *folder,
                  struct profile *p, struct hpc_error *err)
{
    memset(p, 0, sizeof *p);
    snprintf(p->student, sizeof p->student, "%s", student);
    profile_draw(student, &p->problem, &p->seed);
    ui_progress("profiling: building mlp/serial with -O0 -pg");
    bool good = folder_make(folder, err) && build(root, folder, "profile", "-pg", NULL, err) &&
                build(root, folder, "profile-sections", "-DMLP_SECTION_TIMERS", NULL, err) &&
                calibrate(folder, p, seconds / RUN_SHARE, err);
    /* The two single runs take about two seconds each. */
    int epochs = 1 + (int)(p->problem.epochs * (2 * RUN_SHARE / seconds));
    good = good && sample(folder, seconds, p, err) && time_sections(folder, p, epochs, err);
    p->has_whole = good && take_whole(root, folder, p, epochs);
    ui_progress_end();
    return good;
}
