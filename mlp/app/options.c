/* The command line: 13 words as in [Dong], figure 2, or long options, or both. */
#define _GNU_SOURCE
#include "mlp/app/app.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/csv.h"

#define WORDS 13

static bool parse_hidden(struct app_options *o, const char *what, const char *text,
                         struct hpc_error *err)
{
    o->n_hidden = 0;
    return strcmp(text, "none") == 0 ||
           app_parse_int_list(text, what, APP_MAX_UNITS, APP_MAX_HIDDEN, &o->n_hidden, o->hidden,
                              err);
}

static bool parse_hidden_activations(struct app_options *o, const char *what, const char *text,
                                     struct hpc_error *err)
{
    o->n_activations = 0;
    return strcmp(text, "none") == 0 ||
           app_parse_activations(text, what, APP_MAX_HIDDEN, &o->n_activations,
                                 o->hidden_activation, err);
}

/* K:NAME */
static bool parse_output(struct app_options *o, const char *text, struct hpc_error *err)
{
    int n;
    const char *colon = strchr(text, ':');
    if (!colon)
        return app_wrong("--output", text, "UNITS:ACTIVATION, such as 1:sigmoid", err);
    char *units = strndup(text, (size_t)(colon - text));
    bool ok = units && app_parse_int(units, "--output", 1, APP_MAX_CLASSES, &o->outputs, err) &&
              app_parse_activations(colon + 1, "--output", 1, &n, &o->output_activation, err);
    free(units);
    return ok;
}

/* The 13 words. */
static bool parse_words(struct app_options *o, char **w, struct hpc_error *err)
{
    int n_hidden, n;
    const char *units = "argument 2, units of the hidden layers";
    if (o->n_hidden >= 0 || o->n_activations >= 0 || o->outputs || o->n_rates || o->epochs >= 0 ||
        o->data || o->train || o->test)
        return hpc_fail(err, "net, rate, epochs and data are given by the 13 words and by options "
                             "too, expected one of the two");
    o->train = w[7];
    o->test = w[10];
    if (!app_parse_int(w[0], "argument 1, hidden layers", 0, APP_MAX_HIDDEN, &n_hidden, err) ||
        !parse_hidden(o, units, w[1], err) ||
        !parse_hidden_activations(o, "argument 3, activations", w[2], err) ||
        !app_parse_int(w[3], "argument 4, units of the output", 1, APP_MAX_CLASSES, &o->outputs,
                       err) ||
        !app_parse_activations(w[4], "argument 5, output activation", 1, &n, &o->output_activation,
                               err) ||
        !app_parse_rates(w[5], "argument 6, learning rate", APP_MAX_RATES, &o->n_rates, o->rates,
                         err) ||
        !app_parse_int(w[6], "argument 7, epochs", 0, INT_MAX, &o->epochs, err) ||
        !app_parse_int(w[8], "argument 9, training rows", 1, INT_MAX, &o->train_rows, err) ||
        !app_parse_int(w[9], "argument 10, training columns", 2, CSV_MAX_COLUMNS, &o->train_columns,
                       err) ||
        !app_parse_int(w[11], "argument 12, test rows", 1, INT_MAX, &o->test_rows, err) ||
        !app_parse_int(w[12], "argument 13, test columns", 2, CSV_MAX_COLUMNS, &o->test_columns,
                       err))
        return false;
    if (n_hidden != o->n_hidden)
        return hpc_fail(err, "%s: %d given, expected %d as argument 1 says", units, o->n_hidden,
                        n_hidden);
    return true;
}

static bool parse_scale(struct app_options *o, const char *text, struct hpc_error *err)
{
    o->scale = strcmp(text, "none") == 0       ? SCALE_NONE
               : strcmp(text, "standard") == 0 ? SCALE_STANDARD
               : strcmp(text, "minmax") == 0   ? SCALE_MINMAX
                                               : SCALE_UNSET;
    return o->scale || app_wrong("--scale", text, "standard, minmax or none", err);
}

static bool parse_type(struct app_options *o, const char *text, struct hpc_error *err)
{
    o->type = strcmp(text, "f64") == 0 ? HPC_F64 : strcmp(text, "f32") == 0 ? HPC_F32 : 0;
    return o->type || app_wrong("--type", text, "f64 or f32", err);
}

static bool parse_machine(struct app_options *o, const char *text, struct hpc_error *err)
{
    if (sscanf(text, "%d,%d", &o->cores, &o->simd) == 2 && o->cores > 0 && o->simd >= 0)
        return true;
    return app_wrong("--machine", text, "CORES,SIMD", err);
}

static bool parse_label_column(struct app_options *o, const char *text, struct hpc_error *err)
{
    (void)o;
    return strcmp(text, "last") == 0 || app_wrong("--label-column", text, "last", err);
}

static bool option_layers(struct app_options *o, const char *text, struct hpc_error *err)
{
    return parse_hidden(o, "--layers", text, err);
}

static bool option_activations(struct app_options *o, const char *text, struct hpc_error *err)
{
    return parse_hidden_activations(o, "--activations", text, err);
}

static bool option_rate(struct app_options *o, const char *text, struct hpc_error *err)
{
    return app_parse_rates(text, "--rate", APP_MAX_RATES, &o->n_rates, o->rates, err);
}

static bool option_seed(struct app_options *o, const char *text, struct hpc_error *err)
{
    return app_parse_seed(text, &o->seed, err);
}

/* Every option: a text, a number, a switch (each by its place in the struct), or a function. */
enum kind { TEXT, NUMBER, SWITCH, FUNCTION };

#define AT(member) offsetof(struct app_options, member)

static const struct {
    const char *name;
    enum kind kind;
    size_t at;
    long low, high;
    bool (*parse)(struct app_options *o, const char *text, struct hpc_error *err);
} options[] = {
    {"root", TEXT, AT(root), 0, 0, NULL},
    {"machine", FUNCTION, 0, 0, 0, parse_machine},
    {"variant", TEXT, AT(variant), 0, 0, NULL},
    {"layers", FUNCTION, 0, 0, 0, option_layers},
    {"activations", FUNCTION, 0, 0, 0, option_activations},
    {"output", FUNCTION, 0, 0, 0, parse_output},
    {"rate", FUNCTION, 0, 0, 0, option_rate},
    {"epochs", NUMBER, AT(epochs), 0, INT_MAX, NULL},
    {"data", TEXT, AT(data), 0, 0, NULL},
    {"train", TEXT, AT(train), 0, 0, NULL},
    {"test", TEXT, AT(test), 0, 0, NULL},
    {"scale", FUNCTION, 0, 0, 0, parse_scale},
    {"label-column", FUNCTION, 0, 0, 0, parse_label_column},
    {"threads", NUMBER, AT(threads), 1, 1024, NULL},
    {"replicas", NUMBER, AT(replicas), 1, 65536, NULL},
    {"merge-every", NUMBER, AT(merge_every), 1, INT_MAX, NULL},
    {"batch", NUMBER, AT(batch), 1, INT_MAX, NULL},
    {"networks", NUMBER, AT(networks), 1, 65536, NULL},
    {"type", FUNCTION, 0, 0, 0, parse_type},
    {"seed", FUNCTION, 0, 0, 0, option_seed},
    {"predictions", TEXT, AT(predictions), 0, 0, NULL},
    {"weights-out", TEXT, AT(weights_out), 0, 0, NULL},
    {"weights-in", TEXT, AT(weights_in), 0, 0, NULL},
    {"plot", TEXT, AT(plot), 0, 0, NULL},
    {"quiet", SWITCH, AT(quiet), 0, 0, NULL},
    {"plain", SWITCH, AT(plain), 0, 0, NULL},
    {"verbose", SWITCH, AT(verbose), 0, 0, NULL},
    {"help", SWITCH, AT(help), 0, 0, NULL},
};
#define N_OPTIONS ((int)(sizeof options / sizeof *options))

static bool parse_option(struct app_options *o, int i, const char *text, struct hpc_error *err)
{
    char *base = (char *)o, what[40];
    snprintf(what, sizeof what, "--%s", options[i].name);
    switch (options[i].kind) {
    case TEXT:
        if (!*text)
            return hpc_fail(err, "%s: nothing found, expected a name", what);
        *(const char **)(base + options[i].at) = text;
        return true;
    case NUMBER:
        return app_parse_int(text, what, options[i].low, options[i].high,
                             (int *)(base + options[i].at), err);
    case SWITCH:
        *(bool *)(base + options[i].at) = true;
        return true;
    default:
        return options[i].parse(o, text, err);
    }
}

bool options_parse(struct app_options *o, int argc, char **argv, struct hpc_error *err)
{
    struct option list[N_OPTIONS + 1] = {0};
    for (int i = 0; i < N_OPTIONS; i++)
        list[i] = (struct option){options[i].name, options[i].kind != SWITCH, NULL, 256 + i};
    *o = (struct app_options){.root = ".", .cores = 1, .n_hidden = -1, .n_activations = -1};
    o->epochs = -1;
    o->seed = 1;
    opterr = 0;
    int c;
    while ((c = getopt_long(argc, argv, ":h", list, NULL)) != -1) {
        if (c == ':')
            return hpc_fail(err, "%s: a value is missing, see ./hpclab mlp --help",
                            argv[optind - 1]);
        if (c == '?')
            return hpc_fail(err, "unknown option %s, expected one of ./hpclab mlp --help",
                            argv[optind - 1]);
        if (c == 'h')
            o->help = true;
        else if (!parse_option(o, c - 256, optarg, err))
            return false;
    }
    int words = argc - optind;
    if (o->help || words == 0)
        return true;
    if (words != WORDS)
        return hpc_fail(err,
                        "%d word%s beside the options found, expected %d or none: "
                        "see ./hpclab mlp --help",
                        words, words == 1 ? "" : "s", WORDS);
    return parse_words(o, argv + optind, err);
}
