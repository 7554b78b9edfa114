/* What a variant's jail lets through, found out by sending build/lib/jail-probe into it. */
#ifndef HPC_HARNESS_JAIL_DOCTOR_H
#define HPC_HARNESS_JAIL_DOCTOR_H

#include "common/error.h"

struct jail_finding {
    const char *name; /* as in jail_probe.c */
    const char *text; /* "read the user's files" */
    bool needed;      /* a variant needs it; else it is to be refused */
    bool told;        /* the probe came that far */
    bool allowed;
};

/* Try all of it in the jail that jail_tier() names: an array that ends with a NULL name, which is
 * valid until the next call. NULL with *err where no jail starts. */
struct jail_finding *jail_try(struct hpc_error *err);
/* Print them; the exit status of `hpclab doctor --jail`: 0 as it should be, 1 something is not, 3
 * no jail starts. */
int jail_doctor(void);

#endif
