/* What this machine may lack, by the list that ./bootstrap and make read too: common/lacks.def. */
#ifndef HPC_HARNESS_MACHINE_LACKS_H
#define HPC_HARNESS_MACHINE_LACKS_H

#include <stdbool.h>

enum lack_who { LACK_must, LACK_students, LACK_labs, LACK_all, LACK_mpi, LACK_gpu, LACK_cuda };

struct lack {
    enum lack_who who;
    const char *name, *test, *packages, *cost; /* packages "": nothing brings it */
};

/* The rows of common/lacks.def in their order; ended by one without a name. */
extern const struct lack lacks[];

/* NAME of a test `hpclab NAME`, which the caller answers; NULL: lack_here does. */
const char *lack_own_test(const struct lack *lack);
/* Whether this machine has it, by its test; headers are looked for in root/.deps/ too. */
bool lack_here(const struct lack *lack, const char *root);

#endif
