/* CUDA C++ as plain C++: launches, kernels, shared and device variables of a preprocessed file are
 * rewritten into calls of device/include/hpc_device/. The rest passes through, and every line keeps
 * its number.
 *
 *   k<T><<<g, b, s>>>(x)       (::hpc_dev::configure(g, b, s), k<T>(x))
 *   __global__ void k(T *x)    a function that, called once on the host, runs its body as a lambda,
 *   { BODY }                   once for each thread of the configuration
 *   __shared__ float t[64];    a reference into the worker's shared arena
 *   extern __shared__ T s[];   a reference to the dynamic part of it
 *   __constant__ float w[9];   a variable with a record in the section hpc_symbols;
 *                              of a template, one that adds itself
 *   threadIdx                  the lambda's parameter in a kernel, the worker's field elsewhere
 *   cudaFree(p);               cudaFree(p), ::hpc_dev::dropped{..}; an error is told (launch.h)
 *   while (*flag) ;            says that it looks for others' work (looks.c)
 *   s[i], s volatile           an access in turn with the other lanes (volatile.c)
 *   __syncthreads();           in run mode the end of a loop over the threads (phased.h), as are
 *   __shfl_sync(m, v, 0)       shuffles and votes
 *   static int n = 0;          in device code: its record for the checker; where the host has the
 *                              function too, one for each of the two (shared.c)
 *   asm("mov.u32 %0, %smid;" : "=r"(x))   (x) = ::hpc_dev::multiprocessor()
 *   int w[5];                  of a thread: filled with what no program computes, and elements that
 *                              are operands are looked at, in check mode (locals.h)
 *   static float sum(..)       of the host alone: is not looked at, in check mode (hosts.h)
 *   for (..) BODY              counts its rounds, in check mode or beside __activemask (rounds.c)
 */
#ifndef HPC_DEVICE_REWRITE_REWRITE_H
#define HPC_DEVICE_REWRITE_REWRITE_H

#include <stdio.h>

#include "device/rewrite/tokens.h"

/* Rewrite text[0..length), which ends with '\0', to `out`. False with *error where it can't be
 * read; then nothing was written. */
bool rewrite(const char *text, size_t length, FILE *out, struct place *error);
/* A line on `out` for each launch from a kernel, which is not supported; how many there are. */
int explain_launches(const char *text, size_t length, FILE *out);

/* sides.c: whether a file of the program that this text is made of has __CUDA_ARCH__; then the text
 * that both of its sides make, for rewrite(), which the caller frees; NULL with *error where one
 * can't be read. */
bool has_sides(const char *text, size_t length);
char *join_sides(const char *device, size_t device_length, const char *host, size_t host_length,
                 size_t *length, struct place *error);

/* ---- what the files of the rewriter share ------------------------------------------------- */

/* Text that grows; the last function to use it frees `text`. */
struct buffer {
    char *text;
    size_t length, capacity;
};
void buffer_add(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Parameters that are references, of the ( at open: they are captured as such, ", &a, &b". */
void buffer_add_references(struct buffer *b, const struct tokens *t, size_t open);
/* The tokens [from, to) without `skip` words (NULL-ended), spaces between them. */
void buffer_tokens(struct buffer *b, const struct tokens *t, size_t from, size_t to,
                   const char *const *skip);

/* How many threads a block of the kernel with that name may have, as an expression: THREADS of its
 * __attribute__((hpc_launch_bounds(THREADS, BLOCKS))), or 0. */
void buffer_add_bounds(struct buffer *b, const struct tokens *t, size_t name);

enum scope { SCOPE_NAMESPACE, SCOPE_CLASS, SCOPE_LAMBDA, SCOPE_BLOCK };

/* One launch: kernel<<<config>>>(..), token indices. */
struct launch {
    size_t kernel, config, config_end, call; /* the first of each; call: the ( */
};

/* A function's definition, outside of system headers; name is t.count where it has none that calls
 * would show. And a kernel's. Token indices. */
struct function {
    size_t name, body, end; /* body: its { */
    bool waits, ends;       /* plain.c */
};
struct kernel {
    size_t name, body, end;
    bool waits, plain;
    bool barriers; /* its threads wait for their block or warp by plain names, or share memory */
    bool phased;   /* its threads are loops between barriers (phased.h) */
    bool leaves;   /* .. and one may return before the last of them */
    bool ends;     /* a thread of it may end it, by assert() */
};

struct range {
    size_t first, last; /* tokens */
};

/* What will be written instead of a token. */
struct edit {
    char *before, *after; /* on the token's line; NULL: nothing */
    bool drop;            /* the token itself */
    int launch;           /* index + 1 of the launch that begins here; 0: none */
};

struct list {
    size_t *at; /* n tokens */
    size_t n, room;
};

/* hosts.h: check mode. */
struct hosts {
    bool apart;            /* the host uses none of the device's memory but by CUDA's calls */
    struct list variables; /* names of the device's */
    struct list calls;     /* .. and of what its code calls */
    struct list starts;    /* where functions of the host begin .. */
    struct list names;     /* .. and their names */
};

struct rewriter {
    struct tokens t;
    FILE *
        explains; /* launches from kernels are told there, and counted, and are no error; or NULL */
    int n_nested;
    struct hosts hosts;
    struct list bodies;    /* the { of device functions that are not constexpr */
    struct list two_sided; /* .. those of them that the host has, too */
    struct edit *edits;    /* one a token */
    struct launch *launches;
    int n_launches;
    enum scope *scopes; /* of the braces that are open */
    size_t depth, scope_capacity;
    size_t kernel_end;   /* the } of the kernel that is being read, or 0 */
    size_t kernel_depth; /* depth inside its body */
    size_t device_end;   /* the } of the kernel or __device__ function that is being read, or 0 */
    bool hosts_too;      /* .. which is a __host__ one, too */
    struct function *functions;
    int n_functions;
    struct kernel *kernels;
    int n_kernels;
    bool nothing_plain;   /* something may wait that no name shows */
    bool anything_ends;   /* something may end a kernel that no name shows */
    bool zones;           /* check mode: device variables have red zones */
    bool relocatable;     /* device functions and variables are those of the whole program */
    bool in_phases;       /* run and check mode: kernels may be loops between barriers .. */
    bool watched;         /* check mode: .. where the checker is told what it is of fibers */
    bool inlined;         /* run mode, g++: .. and part of hpc_dev::phases */
    bool counts_rounds;   /* loops count their rounds (rounds.c) */
    size_t constexpr_end; /* the end of what was constexpr last */
    size_t *volatiles;    /* where names are declared volatile (volatile.c) */
    int n_volatiles;
    struct range *loops; /* of device code: first and last token, outer ones first (volatile.c) */
    int n_loops;
    size_t varying_end; /* the ) of the last call of printf */
    int serial;         /* numbers of generated names */
    char **declared;    /* names of device functions and variables that were only declared */
    int n_declared;
    struct place *error;
};

/* Handlers of what begins at token i. False: *error is filled. */
bool rewrite_launch(struct rewriter *r, size_t i); /* at the first < of <<< */
/* At the end: a kernel, or a function of the device alone, calls one of both sides that launches.
 */
bool nested_calls(struct rewriter *r);
void rewrite_launch_call(struct rewriter *r, size_t i); /* at cudaLaunchKernel and its kin */
void rewrite_dropped(struct rewriter *r, size_t i);     /* at cuda.. */
void rewrite_bounds(struct rewriter *r, size_t i);      /* at hpc_launch_bounds: all of it goes */
bool rewrite_kernel(struct rewriter *r, size_t i);      /* at __global__ */
bool rewrite_shared(struct rewriter *r, size_t i);      /* at __shared__ */
void rewrite_static(struct rewriter *r, size_t i);      /* at static */
bool rewrite_device(struct rewriter *r, size_t i);      /* at __device__ __constant__ __managed__ */
/* Check mode: red zones around a device variable, declared from `start` on up to the ; at `end`. */
void add_zones(struct rewriter *r, size_t start, size_t name, size_t end);

/* An expression: of what a symbol is one unit with; with -rdc=true the linker has the device code
 * of all files in one. */
static inline const char *unit_of(const struct rewriter *r)
{
    return r->relocatable ? "nullptr" : "&::hpc_dev::unit";
}

void edit_before(struct rewriter *r, size_t i, const char *text); /* added behind what is there */
void edit_after(struct rewriter *r, size_t i, const char *text);
enum scope scope_now(const struct rewriter *r); /* namespace, class, or where code stands */
/* The kind of the scope that a { at token i opens. */
enum scope scope_of(const struct rewriter *r, size_t i);
/* The token after `<` .. `>` that begins at i, or i where they don't close before ; { or ). */
size_t after_angles(const struct tokens *t, size_t i);
/* The first token of the declaration that token i stands in. */
size_t declaration_start(const struct tokens *t, size_t i);
/* One declarator, [from, to), ends before , or ; or =: the token that is its name; `to` if none. */
size_t declarator_name(const struct tokens *t, size_t from, size_t to);
/* Its end: the first , ; = or { outside of brackets and angles, at most `limit`. */
size_t declarator_end(const struct tokens *t, size_t from, size_t limit);
/* The ( of the parameters of the function that is declared from i on; t->count where none is. */
size_t parameters(const struct tokens *t, size_t i);
/* The name before the ( at i: k, k<float>, a::k. */
size_t function_name(const struct tokens *t, size_t i);
/* The ; of a variable's declaration, or t->count. And where its declarators begin: behind the body
 * of a class that is defined with its variable. */
size_t variable_end(const struct tokens *t, size_t k);
size_t after_class(const struct tokens *t, size_t start, size_t end);

/* rounds.c: whether loops are to count; at for, while or do; at constexpr. */
bool rounds_matter(const struct tokens *t);
void rewrite_loop(struct rewriter *r, size_t i);
void rounds_constexpr(struct rewriter *r, size_t i);

/* The last token of the statement at i, which stands `depth` deep in others, or t->count. */
size_t statement_end(const struct tokens *t, size_t i, int depth);

/* looks.c: at for or while. */
void rewrite_looks(struct rewriter *r, size_t i);

/* volatile.c: before all else; at each word; whether a name is declared volatile somewhere. */
void find_volatiles(struct rewriter *r);
bool is_volatile_name(const struct rewriter *r, size_t i);
void note_loop(struct rewriter *r, size_t first, size_t last); /* or a device function's body */
void rewrite_volatile(struct rewriter *r, size_t i);

/* unsupported.c: the first thing that is not supported, in *error. What the word at i, or a header
 * by its name in <>, belongs to that is not supported, or NULL; the same of a file of the tokens:
 * its name in <>. */
bool find_unsupported(const struct tokens *t, struct place *error);
const char *unsupported_word(const struct tokens *t, size_t i);
const char *unsupported_header(const char *name);
const char *unsupported_file(const struct tokens *t, int file);
bool rewrite_asm(struct rewriter *r, size_t i); /* at asm, __asm__ or __asm */

/* ptx.c: what ptx.def has of a text of one instruction: how C++ reads the register of a mov, what
 * does the same without operands, or NULL. And C++ with the operands as hpc_ptx_0, hpc_ptx_1 .. of
 * one or more, parted by ;: returns the one that is not there, or NULL. */
enum { PTX_LONGEST = 4000 };
const char *ptx_moved(const char *text);
const char *ptx_alone(const char *text);
const char *ptx_code(struct buffer *b, const char *text);

/* explain.c: a line on `out` for each name of CUDA's that a text needs; *missing: how many of them
 * are not supported. False with *error. And the preprocessor's words, read and said anew. */
bool explain(const char *text, size_t length, FILE *out, int *missing, struct place *error);
void translate_missing(FILE *in, FILE *out);

/* plain.c: at each { of a function; for a device function that is declared without a body; for each
 * word, or launch, at i that waits; at the end. */
bool is_waiting_word(const struct tokens *t, size_t i);
bool is_ending_word(const struct tokens *t, size_t i);
void function_begins(struct rewriter *r, size_t body);
void function_elsewhere(struct rewriter *r, size_t name);
void waiting_word(struct rewriter *r, size_t i);
void ending_word(struct rewriter *r, size_t i); /* that may end the kernel */
void find_plain_kernels(struct rewriter *r);
/* phases.c: whether the kernel can be loops between its barriers; then its text is edited. */
bool in_phases(struct rewriter *r, struct kernel *k);
/* The text around the kernels' bodies, when it is known which of them are plain. */
void write_kernels(struct rewriter *r);

/* Write the tokens with their edits. */
void emit(const struct rewriter *r, FILE *out);

#endif
