/* What the PTX of a variant may hold: a task that asks for fp32 is not to be solved with less. */
#ifndef HPC_HARNESS_BUILD_PTX_H
#define HPC_HARNESS_BUILD_PTX_H

#include <stdbool.h>
#include <stddef.h>

/* The words of a task's key `instructions`, each of which lets a kind of instruction through:
 * half    types of less precision than float's: f16, bf16, tf32, the 8-bit ones and smaller
 * tensor  products on tensor cores: mma, wmma, wgmma, tcgen05
 * approx  sin, cos, tanh and sqrt .approx, div.full. Other approximations are let through: nvcc
 *         itself builds its exact functions of them (expf of ex2.approx, coshf of div.approx) */
extern const char ptx_words[]; /* for messages: "half, tensor, approx or cache" */
bool ptx_word(const char *word);

/* Whether PTX text holds only what `permitted`, words of the list above, allows; else *reason names
 * the instruction, its kernel and, where the text tells, its line in `source`, the path with which
 * the name of its file ends. The text is untrusted: whatever stands outside of comments and strings
 * is looked at, well formed or not. */
bool ptx_allowed(const char *text, const char *source, const char *permitted, char *reason,
                 size_t size);

#endif
