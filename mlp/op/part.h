/* part_update.c, part_weights.c: what part.c looks at, and the parts that are no layer's;
 * part_merge.c, part_elsewhere.c. */
#ifndef HPC_MLP_OP_PART_H
#define HPC_MLP_OP_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What came of the update, and what should have: what it adds to the weights over the rate. */
struct part_update {
    const struct mlp_problem *p;
    const double *w0, *y;
    double *got, *want;
    double *o;   /* of one sample: the right outputs of all layers, mlp_unit */
    double near; /* the share of the largest movement that rounding may err by */
    double rate;
    char *text;
    size_t size;
};

/* Of the movements g, that of the weight from row `row` to unit k of layer l + 1. */
double part_cell(const struct part_update *u, const double *g, int l, int row, int k);
/* The largest movement that row 0 of a matrix should make. */
double part_scale(const struct part_update *u, int l);
/* The first of a row that is wrong; -1: none. */
int part_wrong_in_row(const struct part_update *u, int l, int row);
/* "hidden 1 (tanh)" */
const char *part_layer(const struct mlp_problem *p, int l, char *text, size_t size);
/* The product that it is of mlp_minibatch, whose variants are three products. */
const char *part_product(const struct part_update *u, const char *named);

/* What all cells of `rows` rows of a matrix, from row `first` on, are multiplied with; 0: no
 * factor. And ": all are taken 0.5 times" of one, and what that may be. */
double part_factor(const struct part_update *u, int l, int first, int rows);
void part_say_factor(const struct part_update *u, double f, char *how, size_t size);

/* Where some D of hidden layer l + 1 are wrong, of one sample: whether these are errors that nobody
 * multiplied with the derivative, and which, to how. */
void part_say_errors(const struct part_update *u, int l, char *how, size_t size);
/* ": units 0 to 15 of 40 have 0, as if nobody computed them", where that is all that is wrong. */
void part_say_zeros(int n, const double *got, const double *want, double near, char *how,
                    size_t size);
/* Of the outputs of a softmax: whether so many each add up to 1, or all to another number, and what
 * of the sum may make it so. */
void part_say_softmax(int n, const double *got, const double *want, double near, char *how,
                      size_t size);
/* How many D of layer l + 1 are wrong, where some are right, and which, to how, unless that says
 * something. */
void part_say_units(const struct part_update *u, int l, char *how, size_t size);
/* Whether all weights and biases move by one factor too far, as by another rate: which. */
bool part_say_rate(const struct part_update *u);
/* Where all deltas are right: whether a bias, else a row of weights (part_weights.c), is updated
 * otherwise than by them, in words to u->text. */
bool part_say_biases(const struct part_update *u);
bool part_say_weights(const struct part_update *u);
/* Where some matrices never moved and all others are right: which. */
bool part_say_still(const struct part_update *u);
/* Of replicas that are merged once, at the end: whether got [mlp_weights] is a sum of theirs in
 * which some count otherwise than 1 / replicas; x, y, w0 and rates in double. */
bool part_merge(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                const double *got, char *text, size_t size);

/* Of a sum of the replicas with these shares: what all are divided by, in words. */
const char *part_divisor(const struct mlp_problem *p, const double *share);

/* Of a few samples: whether got is what they come to with inputs, or targets, that begin at other
 * numbers of their array, in steps of another length, or are those of the sample in that place of
 * the order: which, to text. */
bool part_places(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                 const double *got, char *text, size_t size);

/* Of replicas of a few samples, merged once: whether got is the mean of what they come to on other
 * parts of the order than their shards: which, to text. */
bool part_shards(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                 const double *got, char *text, size_t size);
/* Of one sample: whether the outputs of layer l + 1, or with `delta` the deltas of layer l, are
 * those of weights that begin elsewhere than matrix l: where, to how. */
void part_say_matrix(const struct part_update *u, int l, bool delta, const double *got, double near,
                     char *how, size_t size);

/* Of two updates, of which the first is right: whether the second is too large or too small by a
 * factor: which. */
bool part_second_rate(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                      const double *got, char *text, size_t size);

/* Of ranks that merge once, at the end: the first weights of a rank, got[rank][n], that are a sum
 * of the ranks' own, w[ranks][n], but not their mean: how much of each. */
bool part_shares(int ranks, size_t n, const double *w, const double *const got[], char *text,
                 size_t size);
/* The weights that replica r has before the only merge. */
void part_replica(const struct mlp_problem *p, int r, const double *const in[],
                  const int32_t *order, double *w);
/* mistakes.c. Of ranks that merge once, at the end: what each wrong weight got[rank][i] is made of,
 * where all are sums of the ranks' own. */
bool part_ranks(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                const double *const got[], char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
