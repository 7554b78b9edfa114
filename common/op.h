/* The trusted side of an operation: its problem, its inputs, its oracle in double, its cost.
 * hpclab links every operation (op_list) and no variant. */
#ifndef HPC_COMMON_OP_H
#define HPC_COMMON_OP_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/params.h"
#include "common/abi.h"

#define HPC_DIMENSIONS 4

/* How words end that say a sum goes on from one output to its next. A variable that nobody sets
 * does so by chance: what the compiler warns of it is told before (harness/grade/diagnose.c). */
#define OP_KEPT "is not set to 0 for each"

struct hpc_array {
    const char *name; /* "w", as reports print it */
    enum hpc_type type;
    size_t count; /* elements; may be 0 */
    bool fixed;   /* an input that is the same in every call of a process: hpc_env.fixed */
    size_t shape[HPC_DIMENSIONS]; /* the last runs fastest; ended by 0, all 0: one dimension */
    int owner; /* of an operation with ranks: 1 + the rank that alone gets it; 0: all do */
};

/* The arrays of a problem, in the order of run()'s in[] and out[]. */
struct hpc_layout {
    int n_in, n_out;
    int ranks; /* an MPI program's: each gets its own arrays and everybody's, in this order; 0: none
                */
    struct hpc_array in[HPC_MAX_ARRAYS], out[HPC_MAX_ARRAYS];
};

/* Why an output is wrong: the first element in the order of the output arrays. */
struct hpc_mismatch {
    int array;        /* index into layout.out */
    size_t index;     /* flat */
    double got, want; /* for a normwise failure: the two norms */
    double bound;     /* |got - want| may be at most this */
    size_t wrong;     /* how many elements are out of bounds; 0 for a check of the whole */
    char what[200]; /* "weight from hidden 1 unit 3 (row 4) to hidden 2 unit 0", or "training error"
                     */
    bool plain;     /* set by the caller of check: no hint, which may cost more than the check */
    char hint[200]; /* what usually causes this, or empty */
};

struct hpc_cost {
    double flops; /* of the method as defined, not of an implementation */
    double bytes; /* compulsory: each input read once, each output written once */
};

#define HPC_REDRAWS 20

/* A way to make a problem simpler, by one of its keys; see harness/trial/simplify.h. */
enum hpc_simpler_way {
    HPC_SIMPLER_VALUES,  /* one of `words`, "1 2 3 8": the first that still fails */
    HPC_SIMPLER_FIRST,   /* the same, and `why` is about what there is beside the first of them */
    HPC_SIMPLER_AS,      /* the value of the key `words` */
    HPC_SIMPLER_ROUNDED, /* every number up to the next multiple of one of `words`, numbers or
                            keys: nothing is left over */
    HPC_SIMPLER_DROPPED, /* "5,7,6,2": a number between the ends less, and of the key `words` the
                            name that goes with it: a list without the first number's */
    HPC_SIMPLER_SAME, /* "tanh,softmax": one of `words` in place of each of the list's, as long as
                         it is, from the simplest on */
};
struct hpc_simpler {
    const char *key; /* NULL ends the list */
    enum hpc_simpler_way way;
    const char *words;
    const char *why; /* what it may mean that this makes a solution right; or NULL */
    bool absent;     /* also where the problem does not have the key */
};

/* What a term may ask in place of what the operation's header says (harness/lab/term.h): the same
 * problem with its arrays in another order, or scaled. A student's runner gets inputs so, and what
 * it computes is put back, so that checks, hints and our own variants know nothing of it. */
struct hpc_term {
    const char *name; /* "flipped" */
    const char *says; /* to students: a sentence or two */
    /* Where element i of an array stands in the array that students see: one to one. */
    size_t (*place)(const void *problem, size_t i);
    uint32_t in, out; /* bit k: an array of kind k that `place` is of */
    uint32_t halved;  /* bit k: inputs of kind k that students see half of, exactly */
};

struct hpc_op {
    const char *name;   /* "mlp_sgd" */
    const char *folder; /* "mlp": where headers and variants live */
    const char *given;  /* "mlp/ranks": more headers, of its own variants alone; NULL: none */
    bool ranks;         /* a variant is each rank of an MPI program */
    const char *copy;   /* "conv1d/op/copy.cu": moves the bytes that any solution must move and does
                           nothing else, a variant to the harness; NULL: none */
    const char
        *example; /* keys of a typical problem, "layers=4,4,5,5,1 .."; `hpclab run` adds to it */
    const char *keys; /* the keys that parse() knows, for messages: "layers, activations, .."; each
                         knows `threads` too, which the grader sets: how many a variant may use */

    /* Read a problem (a plain struct of at most HPC_MAX_PROBLEM bytes) from its keys. */
    bool (*parse)(struct hpc_params *params, void *problem, struct hpc_error *err);
    void (*layout)(const void *problem, struct hpc_layout *layout);

    /* Write the inputs of call number `call` under `seed`: the same pair gives the same bytes,
     * another pair gives inputs never seen before. in[k] has layout.in[k].count elements. A fixed
     * array depends on the seed alone; of an operation that has one, in[k] may be NULL for any
     * array, which is then left out and changes nothing in the others. */
    void (*generate)(const void *problem, uint64_t seed, uint64_t call, void *const in[]);

    /* Compare every element with the oracle. True when right; else *m says where it is not.
     * Sets *admitted to false (and returns true) where the draw itself amplifies a one-ulp change
     * beyond the design's bound, so that an honest solution could fail on it: such a draw tells
     * nothing, and the caller makes another one, HPC_REDRAWS times at the most. */
    bool (*check)(const void *problem, const void *const in[], const void *const out[],
                  bool *admitted, struct hpc_mismatch *m);
    /* The check that every timed call gets: cheap, finite by bit pattern, and a product check. Its
     * no is a suspicion, which an honest solution may meet now and then: see hpc_op_check_timed. */
    bool (*check_quick)(const void *problem, const void *const in[], const void *const out[],
                        struct hpc_mismatch *m);
    /* What outputs should be, and how far each may be off: want[k] and bound[k] have
     * layout.out[k].count elements. An element whose bound is infinite is judged with all others
     * together, or may be anything. */
    void (*expected)(const void *problem, const void *const in[], double *const want[],
                     double *const bound[]);
    /* The one-ulp rule, over `draws` draws: false with a line where the case must be refused. */
    bool (*admit)(const void *problem, uint64_t seed, int draws, struct hpc_error *err);

    void (*cost)(const void *problem, struct hpc_cost *cost);

    /* Ways to make a failing problem simpler, the most telling first; NULL: none. */
    const struct hpc_simpler *simpler;
    /* What grows past a limit from a problem that is right to the next larger, which is wrong, to
     * text, ": K pass 256 there (250, 260): ..", "" where nothing does. NULL: no such numbers. */
    void (*passes)(const void *right, const void *wrong, char *text, size_t size);
    /* Which part of the method makes these outputs of a small problem wrong, "the delta of hidden 1
     * ..", to text. False where that can't be told. May be NULL. */
    bool (*part)(const void *problem, const void *const in[], const void *const out[], char *text,
                 size_t size);
    /* Keys with which a failing problem is one that part() understands, "samples=1 epochs=1"; or
     * NULL: as it is. */
    const char *part_keys;
    /* Keys that make of a failing problem the number-th other one, from 0 on, of which part() tells
     * more; false: no more of them. May be NULL. */
    bool (*probe)(const void *problem, int number, char *keys, size_t size);
    /* How the text of part() begins where another problem may tell more; then probe() is asked for
     * number -1. NULL: it does not. */
    const char *part_unsure;

    /* Makes of a problem one with so many more elements in front, and which arrays these are of;
     * the key of a small one, "n=16384". NULL: indices need not hold over 2^31. */
    void (*ahead)(void *problem, uint64_t elements);
    uint32_t ahead_in, ahead_out;
    const char *ahead_keys;

    /* For `hpclab bench`: the key with which a problem's work grows, "n"; and of 2D convolutions
     * problems that look like a network's layers, "c=4 h=32; c=8 h=16", and as many zeros,
     * "sparsity=0; sparsity=0.5". NULL: none. */
    const char *grows, *layers, *thins;

    /* Ended by one without a name; or NULL: always the same is asked. */
    const struct hpc_term *terms;
    /* Of which kind array k is, where an operation has several of one; NULL: k itself. */
    int (*kind)(const void *problem, int k, bool out);
};

/* All operations, ended by NULL; and one by name, or NULL. */
extern const struct hpc_op *const hpc_ops[];
const struct hpc_op *hpc_op_find(const char *name);

/* The check of a timed call: check_quick, and where that says no, check, whose word counts. */
bool hpc_op_check_timed(const struct hpc_op *op, const void *problem, const void *const in[],
                        const void *const out[], struct hpc_mismatch *m);

static inline size_t hpc_type_bytes(enum hpc_type type)
{
    return type == HPC_F64 ? 8 : type == HPC_F16 ? 2 : 4;
}

#endif
