/* Defences of the grader that the hostile suite switches off, one at a time, to see that an attack
 * would then succeed (tests/hostile/README.md). Only build/hostile/hpclab, which is built with
 * -DHPC_TEST_DEFENCES, has the switch: everywhere else DEFENCE(name) is the constant true. */
#ifndef HPC_COMMON_DEFENCE_H
#define HPC_COMMON_DEFENCE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef HPC_TEST_DEFENCES
/* False where the environment's HPC_DEFENCE_OFF, names parted by spaces, has it. */
bool defence_on(const char *name);
#define DEFENCE(name) defence_on(#name)
#else
#define DEFENCE(name) true
#endif

#ifdef __cplusplus
}
#endif
#endif
