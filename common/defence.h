/* Defences of the grader that the hostile suite switches off, one at a time, to see that an attack
 * would then succeed (tests/hostile/README.md). Only build/hostile/hpclab, which is built with
 * -DHPC_TEST_DEFENCES, has the switch: everywhere else DEFENCE(name) is the constant true. It is
 * the first word of an `if` that holds the whole defence; common/defences.def lists the names. */
#ifndef HPC_COMMON_DEFENCE_H
#define HPC_COMMON_DEFENCE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum defence {
#define DEFENCE_NAME(name) DEFENCE_##name,
#include "common/defences.def"
#undef DEFENCE_NAME
    DEFENCE_COUNT
};

#ifdef HPC_TEST_DEFENCES
/* False where the environment's HPC_DEFENCE_OFF, names parted by spaces, has it. A name there that
 * is not listed ends the process: a defence that is not switched off proves nothing. */
bool defence_on(enum defence defence);
#define DEFENCE(name) defence_on(DEFENCE_##name)
#else
#define DEFENCE(name)                                                                              \
    (DEFENCE_##name < DEFENCE_COUNT) /* true; a name that is not listed does not compile */
#endif

#ifdef __cplusplus
}
#endif
#endif
