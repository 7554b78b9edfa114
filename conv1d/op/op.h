/* The trusted side of conv1d/: the operation "conv1d" and what its files share. */
#ifndef HPC_CONV1D_OP_OP_H
#define HPC_CONV1D_OP_OP_H

#include "conv1d/conv1d.h"
#include "common/op.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct hpc_op conv1d_op;

/* problem.c and generate.c: hpc_op.parse, layout, cost and generate. */
extern const char conv1d_keys[];
bool conv1d_parse(struct hpc_params *params, void *problem, struct hpc_error *err);
void conv1d_layout(const void *problem, struct hpc_layout *layout);
void conv1d_cost(const void *problem, struct hpc_cost *cost);
void conv1d_generate(const void *problem, uint64_t seed, uint64_t call, void *const in[]);

/* simpler.c: hpc_op.simpler. */
extern const struct hpc_simpler conv1d_simpler[];
/* part.c: hpc_op.part and probe. */
bool conv1d_part(const void *problem, const void *const in[], const void *const out[], char *text,
                 size_t size);
bool conv1d_probe(const void *problem, int number, char *keys, size_t size);

/* problem.c: hpc_op.ahead. */
void conv1d_ahead(void *problem, uint64_t elements);
/* term.c: hpc_op.terms. */
extern const struct hpc_term conv1d_asked[];

/* How many products an output sums at the most: 2 radius + 1, or n where that is less. */
int64_t conv1d_terms(const struct conv1d_problem *p);

/* oracle.c. The largest piece of one call. */
#define CONV1D_PIECE 1024

struct conv1d_oracle {
    const struct conv1d_problem *p;
    const float *x;
    double *w, *ww;       /* the mask and its squares */
    double *part, *parts; /* a piece of x with its halo, and the squares */
};

/* Room of its own; x and the mask are read from in[], which must live until the end. */
void conv1d_oracle_open(struct conv1d_oracle *o, const struct conv1d_problem *p,
                        const void *const in[]);
void conv1d_oracle_close(struct conv1d_oracle *o);
/* y[first + i] in double for i = 0 .. count-1 to want, and the sums of the squared products to
 * squares, both of which have room for CONV1D_PIECE. count <= CONV1D_PIECE; first may be negative,
 * and first + count beyond n: the formula goes on there. Cost: 4 count (2r + 1) FLOP. */
void conv1d_oracle_piece(struct conv1d_oracle *o, int64_t first, int count, double *want,
                         double *squares);
/* sum |w| |x| of one output: what |got - want| is bounded by. */
double conv1d_oracle_magnitude(const struct conv1d_oracle *o, int64_t i);

/* quick.c: hpc_op.check_quick. */
bool conv1d_check_quick(const void *problem, const void *const in[], const void *const out[],
                        struct hpc_mismatch *m);

/* The first outputs that are wrong or far off, in rising order. */
#define CONV1D_LISTED 2048
struct conv1d_wrong {
    uint64_t wrong; /* how many are beyond their bounds, in all */
    int listed;
    int64_t index[CONV1D_LISTED];
    double want[CONV1D_LISTED];
};

/* hint.c: what usually makes these outputs wrong, in a sentence; empty when nothing fits. */
void conv1d_hint(const struct conv1d_problem *p, const void *const in[], const float *got,
                 const struct conv1d_wrong *wrong, char *hint, size_t size);

/* inputs.c. Whether elements at the ends of x are left out of all sums, and nothing else is wrong:
 * how many, to hint. */
bool conv1d_inputs_hint(const struct conv1d_problem *p, const void *const in[], const float *got,
                        const struct conv1d_wrong *wrong, char *hint, size_t size);

/* tile.c. Whether all wrong outputs are what one thing in place of x outside their own block makes,
 * or lack the first, or the last, element of a block: which, to hint. */
bool conv1d_tile_hint(const struct conv1d_problem *p, const void *const in[], const float *got,
                      const struct conv1d_wrong *wrong, char *hint, size_t size);

/* border.c. Whether in blocks of so many outputs all wrong ones are what elements of x at another
 * place make, read for those of other blocks: which, to hint. */
bool conv1d_border_hint(const struct conv1d_problem *p, const void *const in[], const float *got,
                        const struct conv1d_wrong *wrong, int64_t block, char *hint, size_t size);

/* blank.c. Whether none of the wrong outputs listed is finite; then what such outputs come of,
 * where noise tells it, else false; whether some of them, among finite ones, come from outside of
 * the inputs, else NULL; and that they are no numbers. */
bool conv1d_blank(const float *got, const struct conv1d_wrong *wrong);
const char *conv1d_outside(const float *got, const struct conv1d_wrong *wrong);
bool conv1d_blank_hint(const struct conv1d_problem *p, const float *got,
                       const struct conv1d_wrong *wrong, char *hint, size_t size);
void conv1d_no_numbers(const struct conv1d_problem *p, const struct conv1d_wrong *wrong, char *hint,
                       size_t size);

/* Whether v is finite, by its bits: a compiler may delete isfinite under -ffast-math. */
static inline bool conv1d_finite(float v)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &v, sizeof bits);
    return (bits & 0x7fffffffu) < 0x7f800000u;
}

#ifdef __cplusplus
}
#endif
#endif
