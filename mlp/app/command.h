/* The options of `hpclab mlp`, as one table: hpclab makes the help, docs/commands.md, the man page
 * and completion of it and reads --variant by it, the program behind it reads the rest. */
#ifndef HPC_MLP_COMMAND_H
#define HPC_MLP_COMMAND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/options.h"

#ifdef __cplusplus
extern "C" {
#endif

#define APP_VARIANT "flat" /* without --variant */
#define APP_WORDS   13     /* of the form of [Dong], figure 2 */

/* The words as they were written; 0, NULL and false mean "not given", for epochs -1. */
struct app_words {
    const char *data, *train, *test, *scale, *label_column;
    const char *layers, *activations, *output, *weights_in, *weights_out;
    const char *rate, *variant, *type, *predictions, *plot;
    int epochs, threads, replicas, merge_every, batch, networks;
    uint64_t seed;
    bool verbose, quiet, plain, list_variants;
};
#define APP_WORDS_DEFAULT                                                                          \
    {                                                                                              \
        .epochs = -1, .seed = 1, .variant = APP_VARIANT                                            \
    }

#define APP_AT(member)          offsetof(struct app_words, member)
#define APP_TEXT(member)        OPTION_TEXT, APP_AT(member), 0, 0
#define APP_CHOICE(member)      OPTION_CHOICE, APP_AT(member), 0, 0
#define APP_SWITCH(member)      OPTION_SWITCH, APP_AT(member), 0, 0
#define APP_COUNT(member, most) OPTION_COUNT, APP_AT(member), 1, most

static const struct option_row app_rows[] = {
    {"data", "NAME",
     "breast_cancer or digits, shipped in data/; a quarter of the rows, drawn by the seed, is kept "
     "for the test; brings a net of its own",
     APP_TEXT(data)},
    {"train", "FILE", "a CSV file to learn from", APP_TEXT(train)},
    {"test", "FILE", "one to be tested with; without it a quarter of --train's is kept for that",
     APP_TEXT(test)},
    {"scale", "standard|minmax|none",
     "how columns are scaled, by the training rows alone: to mean 0 and variance 1, or to 0 .. 1; "
     "default standard with --data, else none",
     APP_CHOICE(scale)},
    {"label-column", "last", "the only place that there is", APP_CHOICE(label_column)},
    {"layers", "4,5,5", "units of the hidden layers (at most 8), or none", APP_TEXT(layers)},
    {"activations", "A,B,C",
     "of the hidden layers: identity, sigmoid, tanh, relu, softmax; default tanh",
     APP_TEXT(activations)},
    {"output", "UNITS:NAME",
     "units and activation of the output; default 1:sigmoid for two classes, K:softmax for more",
     APP_TEXT(output)},
    {"weights-in", "FILE", "start from these; net and scaling are those of the file",
     APP_TEXT(weights_in)},
    {"weights-out", "FILE", "write them (text, every digit) at the end or on Ctrl-C",
     APP_TEXT(weights_out)},
    {"rate", "R", "learning rate, default 0.01; R,R,.. trains a network with each", APP_TEXT(rate)},
    {"epochs", "N", "default 100; 0 with --weights-in only classifies", OPTION_COUNT,
     APP_AT(epochs), 0, INT_MAX},
    {"seed", "S", "of split, start weights and sample order; default 1", OPTION_SEED, APP_AT(seed),
     0, 0},
    {"variant", "NAME", "default " APP_VARIANT "; --list-variants names those at hand",
     APP_TEXT(variant)},
    {"list-variants", NULL, "name the variants at hand, and nothing else",
     APP_SWITCH(list_variants)},
    {"threads", "T", "default: all cores that the machine gives", APP_COUNT(threads, 1024)},
    {"replicas", "R",
     "nets on a part of the samples each, averaged now and then; default T for pthread and "
     "openmp_trainer, else 1",
     APP_COUNT(replicas, 65536)},
    {"merge-every", "K", "epochs from one averaging of the replicas to the next; default 1",
     APP_COUNT(merge_every, INT_MAX)},
    {"batch", "B", "samples of an update, for minibatch variants; default 32",
     APP_COUNT(batch, INT_MAX)},
    {"networks", "W", "independent networks with seeds S, S+1, ..; the best one is kept",
     APP_COUNT(networks, 65536)},
    {"type", "f64|f32", "default f64; minibatch variants always take f32", APP_CHOICE(type)},
    {"predictions", "FILE",
     "write CSV: row of the file from 0, label, predicted class, all outputs",
     APP_TEXT(predictions)},
    {"plot", "FILE", "curve of the training error, .png or .svg, by gnuplot", APP_TEXT(plot)},
    {"verbose", NULL, "a line each few epochs", APP_SWITCH(verbose)},
    {"quiet", NULL, "only the accuracy", APP_SWITCH(quiet)},
    {"plain", NULL, "no colours, no progress line", APP_SWITCH(plain)},
    {NULL, NULL, NULL, OPTION_SWITCH, 0, 0, 0},
};

#define APP_COMMAND                                                                                \
    {                                                                                              \
        .command = "./hpclab mlp", .words = "[WORDS]",                                             \
        .title = "train a multilayer perceptron and classify with it",                             \
        .about = "Trains a multilayer perceptron with one of the variants and classifies with "    \
                 "it. WORDS are the 13 of [Dong], figure 2: hidden layers, their units, their "    \
                 "activations, units and activation of the output, learning rate, epochs, then "   \
                 "file, rows and columns of the training and of the test set; options say the "    \
                 "same. The label is always the last column: 0 or 1 with one output, 0 .. k-1 "    \
                 "with k outputs.",                                                                \
        .ending = "The result does not depend on how the epochs are cut up for progress: "         \
                  "variant, seed and options decide it. Ends with 0 where it trained or "          \
                  "classified, 1 where training diverged, 2 on wrong words or files, 3 where "     \
                  "the machine lacks something, 130 on Ctrl-C.",                                   \
        .examples = "./hpclab mlp --data breast_cancer\n"                                          \
                    "./hpclab mlp --data digits --variant simd --epochs 30 --plot curve.png\n"     \
                    "./hpclab mlp --layers 4,5,5 --activations softmax,relu,tanh --output "        \
                    "1:sigmoid --rate 0.01 --epochs 1000 --train train.csv --test test.csv\n"      \
                    "./hpclab mlp 3 4,5,5 softmax,relu,tanh 1 sigmoid 0.01 1000 train.csv 1096 5 " \
                    "test.csv 275 5",                                                              \
        .most = APP_WORDS, .expected = "13 words or none", .rows = app_rows,                       \
    }

#ifdef __cplusplus
}
#endif
#endif
