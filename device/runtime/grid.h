/* Check mode: blocks of a cooperative launch, each on an OS thread, of which one runs at a time;
 * what the runtime tells the checker when another one goes on. */
#ifndef HPC_DEVICE_GRID_H
#define HPC_DEVICE_GRID_H

#ifdef __cplusplus
extern "C" {
#endif

/* The running block waits for its grid: what the checker knows of it, to be given back when it goes
 * on, which frees it. */
struct check_block;
struct check_block *check_block_leaves(void);
void check_block_returns(struct check_block *block);
/* All blocks have come: what they did is behind all that they will do. */
void check_grid_met(void);
/* In a launch, before blocks begin, and when all have ended; and an OS thread that runs some. */
void check_grid_begins(void);
void check_grid_ended(void);
void check_grid_thread(void);

#ifdef __cplusplus
}
#endif
#endif
