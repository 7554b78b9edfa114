/* What a jail lets through, found out by sending build/lib/jail-probe into it. */
#ifndef HPC_HARNESS_JAIL_DOCTOR_H
#define HPC_HARNESS_JAIL_DOCTOR_H

#include "harness/jail/jail.h"

enum jail_need {
    NEEDED,  /* the process can't do without */
    REFUSED, /* it is not to be let */
    UNTRIED  /* would say nothing in this profile */
};

struct jail_finding {
    const char *name; /* as in harness/jail/inside/probe.c */
    const char *text; /* "read the user's files" */
    enum jail_need need;
    bool told; /* the probe came that far */
    bool allowed;
};

/* Whether it came out as it should. */
bool jail_finding_good(const struct jail_finding *f);

/* Try all that is tried in a profile (JAIL_RUN, or JAIL_MPI as a rank of an mpirun) in the jail
 * that jail_tier() names: an array that ends with a NULL name, which is valid until the next call.
 * NULL with *err where no such jail starts. */
struct jail_finding *jail_try(enum jail_profile profile, struct hpc_error *err);
/* Print them, for both; the exit status of `hpclab doctor --jail`: 0 as it should be, 1 something
 * is not, 3 no jail starts. A machine without mpirun is as it should be. */
int jail_doctor(void);

#endif
