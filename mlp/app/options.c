/* The command line: 13 words as in [Dong], figure 2, or long options, or both. */
#define _GNU_SOURCE
#include "mlp/app/app.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/csv.h"

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

static void choose_scale(struct app_options *o, const char *text)
{
    o->scale = !text                           ? SCALE_UNSET
               : strcmp(text, "none") == 0     ? SCALE_NONE
               : strcmp(text, "standard") == 0 ? SCALE_STANDARD
                                               : SCALE_MINMAX;
}

/* Texts that are names, and may not be empty. */
static bool names_given(const struct app_words *w, struct hpc_error *err)
{
    for (const struct option_row *row = app_rows; row->name; row++) {
        const char *text = NULL;
        if (row->kind == OPTION_TEXT)
            memcpy(&text, (const char *)w + row->at, sizeof text);
        if (text && !*text)
            return hpc_fail(err, "--%s: nothing found, expected %s", row->name, row->argument);
    }
    return true;
}

/* What the options say, of which some are lists. */
static bool take_options(struct app_options *o, const struct app_words *w, struct hpc_error *err)
{
    o->variant = w->variant;
    o->data = w->data;
    o->train = w->train;
    o->test = w->test;
    o->predictions = w->predictions;
    o->weights_out = w->weights_out;
    o->weights_in = w->weights_in;
    o->plot = w->plot;
    o->epochs = w->epochs;
    o->threads = w->threads;
    o->replicas = w->replicas;
    o->merge_every = w->merge_every;
    o->batch = w->batch;
    o->networks = w->networks;
    o->type = !w->type ? 0 : strcmp(w->type, "f64") == 0 ? HPC_F64 : HPC_F32;
    o->seed = w->seed;
    o->quiet = w->quiet;
    o->plain = w->plain;
    o->verbose = w->verbose;
    choose_scale(o, w->scale);
    return names_given(w, err) && (!w->layers || parse_hidden(o, "--layers", w->layers, err)) &&
           (!w->activations || parse_hidden_activations(o, "--activations", w->activations, err)) &&
           (!w->output || parse_output(o, w->output, err)) &&
           (!w->rate ||
            app_parse_rates(w->rate, "--rate", APP_MAX_RATES, &o->n_rates, o->rates, err));
}

bool options_parse(struct app_options *o, int argc, char **argv, struct hpc_error *err)
{
    static const struct option_table table = APP_COMMAND;
    struct app_words w = APP_WORDS_DEFAULT;
    *o = (struct app_options){.n_hidden = -1, .n_activations = -1};
    if (argc < 3 || sscanf(argv[2], "%d,%d", &o->cores, &o->simd) != 2 || o->cores < 1)
        return hpc_fail(err, "expected a folder and CORES,SIMD first: start it by ./hpclab mlp");
    o->root = argv[1];
    argc -= 2;
    argv += 2;
    if (options_read(&table, &argc, &argv, &w, err) <= 0 || !take_options(o, &w, err))
        return false;
    return argc == 0 || argc == APP_WORDS
               ? argc == 0 || parse_words(o, argv, err)
               : hpc_fail(err,
                          "%d word%s beside the options found, expected %d or none: "
                          "see ./hpclab mlp --help",
                          argc, argc == 1 ? "" : "s", APP_WORDS);
}
