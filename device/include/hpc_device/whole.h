/* Check mode: looked for by device/rewrite (hosts.h), and by the runtime. This text is the whole
 * program: no other file of it makes memory that the host and the device share, or writes it. */
#ifndef HPC_DEVICE_WHOLE_H
#define HPC_DEVICE_WHOLE_H

enum { program_is_whole = 1 };
extern "C" {
extern const char dev_program_whole[];
const char dev_program_whole[] = "";
}

#endif
