/* The program behind `hpclab mlp`: trains a multilayer perceptron with the variant it is linked
 * with (hpclab itself links none) and classifies with it. It is started as
 *   build/mlp/VARIANT FOLDER CORES,SIMD WORDS OF THE USER ..
 * where the first two say where data/ is and what the machine offers (enum hpc_simd).
 *
 * main.c      what is done, in order         train.c    calls a variant in chunks of epochs
 * options.c   the command line               setup.c    settles what the user left open
 * parse.c     its values                     classify.c forward pass, training error, metrics
 * command.h   its options                    weights.c  the weights file
 * dataset.c   reading, splitting, scaling    output.c   paths, predictions, the error curve */
#ifndef HPC_MLP_APP_H
#define HPC_MLP_APP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "mlp/app/command.h"
#include "mlp/mlp.h"

#define APP_MAX_HIDDEN  (MLP_MAX_LAYERS - 2)
#define APP_MAX_RATES   64
#define APP_MAX_UNITS   65536      /* of a layer */
#define APP_MAX_WEIGHTS (1u << 28) /* doubles, of all networks */
#define APP_MAX_CLASSES 1000

/* Streams of random numbers under the user's seed; the low 32 bits count within a stream. */
#define APP_STREAM_SPLIT   ((uint64_t)1 << 32)
#define APP_STREAM_WEIGHTS ((uint64_t)2 << 32)
#define APP_STREAM_ORDER   ((uint64_t)3 << 32)

enum app_scale { SCALE_UNSET, SCALE_NONE, SCALE_STANDARD, SCALE_MINMAX };

/* The user's words. 0 and NULL mean "not given" until main.c has settled them. */
struct app_options {
    const char *root;
    int cores, simd;
    const char *variant;
    int n_hidden; /* -1: not given */
    int hidden[APP_MAX_HIDDEN], hidden_activation[APP_MAX_HIDDEN];
    int n_activations; /* -1: not given */
    int outputs, output_activation;
    int n_rates;
    double rates[APP_MAX_RATES];
    int epochs; /* -1: not given */
    const char *data, *train, *test;
    int train_rows, train_columns, test_rows, test_columns; /* as the user counts them */
    enum app_scale scale;
    int threads, replicas, merge_every, batch, networks;
    int type; /* enum hpc_type */
    uint64_t seed;
    const char *predictions, *weights_out, *weights_in, *plot;
    bool quiet, plain, verbose;
};

/* Rows of a file, or a part of them: x is rows x inputs; label[i] the class; row[i] where it stood
 * in the file, from 0. */
struct dataset {
    const char *path;
    int rows, inputs, classes; /* classes: the largest label + 1 */
    int first_line;
    double *x;
    int *label, *row;
};

/* Each input x of column i becomes (x - shift[i]) * factor[i]. inputs == 0: left as they are. */
struct scaling {
    int inputs;
    double *shift, *factor;
};

/* A net: its shape, its weights (one network) and the scaling of its inputs. */
struct model {
    struct mlp_problem p;
    struct scaling scaling;
    double *w;
};

/* The training error after some epochs: the mean over the samples of E (mlp.h). */
struct curve_point {
    int epoch;
    double error, seconds; /* in the variant, since the start */
};

struct curve {
    int n, room;
    struct curve_point *point;
};

enum train_end { TRAIN_DONE, TRAIN_INTERRUPTED, TRAIN_DIVERGED, TRAIN_FAILED };

struct training {
    const struct app_options *o;
    const struct hpc_variant *variant;
    const struct dataset *data;
    struct mlp_problem p; /* epochs, permutations: of the whole training */
    double *y;            /* targets, [samples][outputs] */
    double *rates;        /* [networks] */
    double *w;            /* [networks][weights]: start weights, then what was learnt */
    double *error;        /* [networks], of the last point */
    struct curve curve;   /* of the network with the least error at each point */
    int epochs_done;
    double seconds;
};

/* options.c: fill *o from the words; false with a line. */
bool options_parse(struct app_options *o, int argc, char **argv, struct hpc_error *err);

/* parse.c: `what` opens the line of an error. Lists are separated by commas and hold at most max.
 */
bool app_parse_int(const char *text, const char *what, long low, long high, int *value,
                   struct hpc_error *err);
bool app_parse_int_list(const char *text, const char *what, long high, int max, int *n, int *list,
                        struct hpc_error *err);
bool app_parse_activations(const char *text, const char *what, int max, int *n, int *list,
                           struct hpc_error *err);
const char *app_activation_name(int activation);
bool app_parse_rates(const char *text, const char *what, int max, int *n, double *list,
                     struct hpc_error *err);
/* "WHAT: 'FOUND' found, expected EXPECTED"; returns false. */
bool app_wrong(const char *what, const char *found, const char *expected, struct hpc_error *err);

/* setup.c: what the words come to. train.rows is 0 where nothing is to be trained. */
struct session {
    struct app_options o;
    const struct hpc_variant *variant;
    struct dataset train, test;
    struct model m;       /* m.w: weights that were read, or NULL; m.p: the net's shape */
    struct mlp_problem p; /* the training's problem */
    bool trained;         /* or only read */
    char *path;           /* of --data's file, or NULL */
};
bool session_setup(struct session *s, struct hpc_error *err);

/* dataset.c: labels are whole numbers in the last column, from 0 on. rows and columns (0: any) are
 * what the file must have. */
bool dataset_read(const char *path, int rows, int columns, struct dataset *d,
                  struct hpc_error *err);
/* A part of the rows, by the seed, moves from *d to *test (a quarter, at least one). */
bool dataset_split(struct dataset *d, uint64_t seed, struct dataset *test, struct hpc_error *err);
bool scaling_fit(const struct dataset *d, enum app_scale scale, struct scaling *s,
                 struct hpc_error *err);
void scaling_apply(const struct scaling *s, struct dataset *d);
/* False where a label is not one of a net with that many outputs; names file and line. */
bool dataset_check_labels(const struct dataset *d, int outputs, struct hpc_error *err);
void dataset_free(struct dataset *d);
void scaling_free(struct scaling *s);

/* train.c */
extern volatile sig_atomic_t train_stop; /* set by Ctrl-C: stop after the present chunk */
double *start_weights(const struct mlp_problem *p, uint64_t seed);
/* y[i][k]: the label itself for one output, else 1 for the label's output and 0 for others. */
double *dataset_targets(const struct dataset *d, int outputs);
/* Train, from t->w on; t->curve, w, error, epochs_done and seconds tell how far it came. *err is
 * filled for TRAIN_FAILED and TRAIN_DIVERGED. */
enum train_end train_run(struct training *t, struct hpc_error *err);

/* classify.c: o[] of the last layer for one row of inputs; `units` has mlp_unit(p, n_layers). */
const double *forward(const struct mlp_problem *p, const double *w, const double *x, double *units);
double training_error(const struct mlp_problem *p, const double *w, const struct dataset *d,
                      const double *y);
/* predicted[i] and outputs[i][k] (may be NULL) of every row; returns how many are right. */
int classify(const struct model *m, const struct dataset *d, int *predicted, double *outputs);
void print_metrics(const struct dataset *d, int classes, const int *predicted, bool quiet);

/* weights.c: the format stands at its head. */
bool weights_write(const char *path, const struct model *m, struct hpc_error *err);
bool weights_read(const char *path, struct model *m, struct hpc_error *err);

/* output.c */
bool paths_check(const struct app_options *o, struct hpc_error *err);
bool file_write(const char *path, const char *text, size_t n, struct hpc_error *err);
bool predictions_write(const char *path, const struct dataset *d, int outputs, const int *predicted,
                       const double *output, struct hpc_error *err);
bool have_gnuplot(void);
bool plot_write(const char *path, const struct curve *curve, const char *title,
                struct hpc_error *err);
void print_curve(const struct training *t);

#endif
