/* Check mode: looked for by device/rewrite (hosts.h). This text is the whole program: no other
 * file of it makes memory that the host and the device share. */
#ifndef HPC_DEVICE_WHOLE_H
#define HPC_DEVICE_WHOLE_H

enum { program_is_whole = 1 };

#endif
