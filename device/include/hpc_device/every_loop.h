/* Check mode: looked for by device/rewrite (rounds.c), which sees no word of a header that was
 * compiled before. */
#ifndef HPC_DEVICE_EVERY_LOOP_H
#define HPC_DEVICE_EVERY_LOOP_H

enum { every_loop_counts = 1 };

/* No program sees what the headers before were compiled with: what they took away is not taken
 * away where they come compiled. */
#undef DEV_CHECK

#endif
