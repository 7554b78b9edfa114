/* Building, running and gathering: see profile.h. */
#define _GNU_SOURCE
#include "harness/profile/profile.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/random.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "harness/machine/machine.h"
#include "common/ui.h"

/* The profile is the sum of at least this many runs: where the loader happens to put stack and
 * heap shifts a function's time by up to a tenth, and that averages out. */
#define LEAST_RUNS     8
#define MOST_RUNS      60
#define RUN_SHARE      5.0 /* a run takes this part of the seconds wanted */
#define SINGLE_SECONDS 1.0 /* a single run takes at least */
#define MOST_AT_ONCE   4

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
        return hpc_fail(err, "profile: the name is empty, expected yours");
    if (strlen(student) >= PROFILE_STUDENT - 1)
        return hpc_fail(err, "profile: the name is too long, expected at most %d bytes",
                        PROFILE_STUDENT - 2);
    return true;
}

void profile_draw(const char *student, const char *term, struct mlp_problem *problem,
                  uint64_t *seed)
{
    const uint64_t hash = hpc_random_named(student) ^ (*term ? hpc_random_named(term) : 0);
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

/* The programs: with gprof's counters, with timers around the sections, with the C library inside
 * so that gprof sees that, too (not everywhere to be had). */
enum program { COUNTED, TIMED, STATIC, PROGRAMS };
static const char *const program_names[PROGRAMS] = {"profile", "profile-sections",
                                                    "profile-static"};

/* All at once, by gcc -O0. */
static bool build(const char *root, const char *folder, struct hpc_error *err)
{
    static const char *const flags[PROGRAMS] = {"-pg", "-DMLP_SECTION_TIMERS", "-pg"};
    static const char *const logs[PROGRAMS] = {"gcc.txt", "gcc-sections.txt", "gcc-static.txt"};
    static const char *const sources[4] = {"mlp/profile/main.c", "mlp/variants/serial.c",
                                           "common/random.c", "common/error.c"};
    char *include = hpc_printf("-I%s", root), *files[4];
    const char *argv[PROGRAMS][16];
    struct command c[PROGRAMS];
    struct hpc_error lack;
    for (int i = 0; i < 4; i++)
        files[i] = hpc_printf("%s/%s", root, sources[i]);
    for (int k = 0; k < PROGRAMS; k++) {
        const char *words[16] = {"gcc",    "-std=gnu11",
                                 "-O0",    "-g",
                                 flags[k], include,
                                 "-o",     program_names[k],
                                 files[0], files[1],
                                 files[2], files[3],
                                 "-lm",    k == STATIC ? "-static" : NULL,
                                 NULL};
        memcpy(argv[k], words, sizeof words);
        c[k] = (struct command){.argv = argv[k], .folder = folder, .out = logs[k]};
    }
    bool good = commands_run(c, STATIC, err);
    if (good && !commands_run(&c[STATIC], 1, &lack))
        good = !hpc_interrupted() || hpc_fail_env(err, "interrupted");
    for (int i = 0; i < 4; i++)
        free(files[i]);
    free(include);
    return good;
}

/* The words of a run of one of the programs. */
struct words {
    char path[4200], layers[80], activations[80], samples[16], epochs[16], seed[24];
    const char *argv[7];
};

static void set_words(struct words *w, const char *folder, enum program program,
                      const struct profile *p, int epochs)
{
    const struct mlp_problem *m = &p->problem;
    snprintf(w->path, sizeof w->path, "%s/%s", folder, program_names[program]);
    struct text layers = {0}, activations = {0};
    for (int l = 0; l < m->n_layers; l++) {
        const char *comma = l < m->n_layers - 1 ? "," : "";
        text_add(&layers, "%d%s", m->size[l], comma);
        if (l > 0)
            text_add(&activations, "%d%s", m->activation[l], comma);
    }
    text_fit(w->layers, sizeof w->layers, "%s", text_string(&layers));
    text_fit(w->activations, sizeof w->activations, "%s", text_string(&activations));
    text_free(&layers);
    text_free(&activations);
    snprintf(w->samples, sizeof w->samples, "%d", m->samples);
    snprintf(w->epochs, sizeof w->epochs, "%d", epochs);
    snprintf(w->seed, sizeof w->seed, "%llu", (unsigned long long)p->seed);
    const char *argv[7] = {w->path, w->layers, w->activations, w->samples, w->epochs,
                           w->seed, NULL};
    memcpy(w->argv, argv, sizeof argv);
}

/* Epochs that take `seconds`, by a short run. */
static bool calibrate(const char *folder, struct profile *p, double seconds, struct hpc_error *err)
{
    double cpu = 0;
    int epochs = 25;
    struct words w = {.path = ""};
    for (; epochs < 100000; epochs *= 4) {
        set_words(&w, folder, COUNTED, p, epochs);
        if (!command_run(w.argv, folder, "run.txt", &cpu, err))
            return false;
        if (cpu > 0.1)
            break;
    }
    double want = cpu > 0 ? epochs * seconds / cpu : 1;
    p->problem.epochs = want < 1 ? 1 : want > 1e6 ? 1000000 : (int)want;
    return true;
}

static bool read_flat(const char *folder, enum program program, const char *data, const char *name,
                      struct profile_table *table, struct hpc_error *err)
{
    const char *argv[] = {"gprof", "-b", "-p", program_names[program], data, NULL};
    if (!command_run(argv, folder, name, NULL, err))
        return false;
    char *text = command_text(folder, name, err);
    bool good = text && profile_read_flat(text, table);
    if (text && !good)
        hpc_fail_env(err, "profile: gprof gave no table, see %s/%s", folder, name);
    free(text);
    return good;
}

/* Some runs at once, each on a processor of its own; gmon.sum gets their samples too. */
static bool more_runs(const char *folder, struct profile *p, int n, struct hpc_error *err)
{
    struct words w = {.path = ""};
    struct command c[MOST_AT_ONCE];
    char out[MOST_AT_ONCE][16], data[MOST_AT_ONCE][32];
    const char *sum[5 + MOST_AT_ONCE] = {"gprof", "-s", program_names[COUNTED]};
    int words = 3;
    set_words(&w, folder, COUNTED, p, p->problem.epochs);
    for (int i = 0; i < n; i++) {
        snprintf(out[i], sizeof out[i], "run%d.txt", i);
        c[i] = (struct command){
            .argv = w.argv, .folder = folder, .out = out[i], .env = "GMON_OUT_PREFIX=gmon"};
    }
    const pid_t own = 0;
    struct events events;
    events_start(&events, &own, 1);
    const bool ran = commands_run(c, n, err);
    events_stop(&events, &p->events);
    if (!ran)
        return false;
    if (p->runs > 0)
        sum[words++] = "gmon.sum";
    for (int i = 0; i < n; i++) {
        snprintf(data[i], sizeof data[i], "gmon.%ld", (long)c[i].pid);
        sum[words++] = data[i];
        p->cpu_seconds += c[i].cpu;
        p->epochs += p->problem.epochs;
    }
    p->runs += n;
    bool good = command_run(sum, folder, "gprof.txt", NULL, err);
    for (int i = 0; i < n; i++) {
        char *path = hpc_printf("%s/%s", folder, data[i]);
        unlink(path);
        free(path);
    }
    return good;
}

/* Runs until gprof has `seconds` of samples. */
static bool sample(const char *folder, double seconds, struct profile *p, struct hpc_error *err)
{
    int cores = machine_here()->cores, at_once = cores < MOST_AT_ONCE ? cores : MOST_AT_ONCE;
    while (p->runs < MOST_RUNS && (p->runs < LEAST_RUNS || p->flat.seconds < seconds)) {
        ui_progress("profiling: run %d, gprof has seen %.1f s of %g", p->runs + 1, p->flat.seconds,
                    seconds);
        if (!more_runs(folder, p, at_once, err) ||
            !read_flat(folder, COUNTED, "gmon.sum", "flat.txt", &p->flat, err))
            return false;
    }
    const char *graph[] = {"gprof", "-b", "-q", program_names[COUNTED], "gmon.sum", NULL};
    if (!command_run(graph, folder, "graph.txt", NULL, err))
        return false;
    char *text = command_text(folder, "graph.txt", err);
    p->n_edges = text ? profile_read_graph(text, p->edge, PROFILE_MAX_EDGES) : 0;
    free(text);
    return p->n_edges > 0 || hpc_fail_env(err, "profile: no calls in %s/graph.txt", folder);
}

static bool read_sections(const char *folder, struct profile *p, struct hpc_error *err)
{
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

/* The program with timers, and beside it the static one where it could be linked. */
static bool single_runs(const char *folder, struct profile *p, struct hpc_error *err)
{
    struct words timed = {.path = ""}, whole = {.path = ""};
    char *path = hpc_printf("%s/%s", folder, program_names[STATIC]);
    bool linked = access(path, X_OK) == 0;
    double runs = fmax(1, SINGLE_SECONDS * RUN_SHARE / p->wanted);
    int epochs = 1 + (int)(p->problem.epochs * runs);
    ui_progress("profiling: timers around the sections%s", linked ? ", and linked statically" : "");
    set_words(&timed, folder, TIMED, p, epochs);
    set_words(&whole, folder, STATIC, p, epochs);
    struct command c[] = {{.argv = timed.argv, .folder = folder, .out = "run.txt"},
                          {.argv = whole.argv, .folder = folder, .out = "run-static.txt"}};
    struct hpc_error lack;
    free(path);
    if (!commands_run(c, linked ? 2 : 1, err) || !read_sections(folder, p, err))
        return false;
    p->has_whole = linked && read_flat(folder, STATIC, "gmon.out", "whole.txt", &p->whole, &lack);
    return true;
}

bool profile_prepare(const char *root, const char *student, const char *term, double seconds,
                     const char *folder, struct profile *p, struct hpc_error *err)
{
    memset(p, 0, sizeof *p);
    p->wanted = seconds;
    snprintf(p->student, sizeof p->student, "%s", student);
    profile_draw(student, term, &p->problem, &p->seed);
    ui_progress("profiling: building mlp/serial with -O0 -pg");
    bool good = folder_make(folder, err) && build(root, folder, err) &&
                calibrate(folder, p, seconds / RUN_SHARE, err);
    ui_progress_end();
    return good;
}

bool profile_take(const char *folder, struct profile *p, struct hpc_error *err)
{
    p->runs = p->n_edges = 0;
    p->events = (struct event_counts){.error = 0};
    p->epochs = p->cpu_seconds = p->flat.seconds = 0;
    bool good = sample(folder, p->wanted, p, err) && single_runs(folder, p, err);
    ui_progress_end();
    return good;
}
