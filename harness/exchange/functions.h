/* Which of the student's functions a held runner's threads are in, and who called them. */
#ifndef HPC_HARNESS_EXCHANGE_FUNCTIONS_H
#define HPC_HARNESS_EXCHANGE_FUNCTIONS_H

#include "harness/exchange/stand.h"

#define CHAIN_FRAMES 8

/* Where a thread is and seems to return to, as addresses in the program's file, the innermost
 * first; target[k]: where the call before address[k] goes, or 0. */
struct chain {
    uint64_t address[CHAIN_FRAMES], target[CHAIN_FRAMES];
    int n;
};

/* Of a held thread whose stand_frames() are known. */
void chain_take(struct jail *jail, const struct jail_code *code, const struct stand *s,
                struct chain *c);
/* The functions and edges of *p, by addr2line. */
void functions_count(const char *runner, const struct stand *stands, const struct chain *chains,
                     int n, const struct jail_code *code, struct exchange_profile *p);

#endif
