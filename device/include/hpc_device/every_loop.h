/* Traffic mode: looked for by device/rewrite (rounds.c), which sees no word of a header that was
 * compiled before. */
#ifndef HPC_DEVICE_EVERY_LOOP_H
#define HPC_DEVICE_EVERY_LOOP_H

enum { every_loop_counts = 1 };

#endif
