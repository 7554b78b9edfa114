/* Which lab, whose solutions and which device: build/selection.ini, written by `hpclab build`. */
#ifndef HPC_HARNESS_LAB_SELECTION_H
#define HPC_HARNESS_LAB_SELECTION_H

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The selection that `make labN` made: build/selection.ini, per lab IMPL and DEVICE, and the lab
 * selected last. */
struct selection {
    char lab[40], implementation[16], device[8]; /* auto, cpu, cuda */
};
/* lab NULL: the last one selected; false when nothing is, with what to type. A lab that was never
 * selected is the student's, its device `auto`. */
bool selection_read(const char *root, const char *lab, struct selection *s, struct hpc_error *err);
bool selection_write(const char *root, const struct selection *s, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
