/* What device/rewrite writes behind a static variable in device code (device/rewrite/shared.c). */
#ifndef HPC_DEVICE_STATICS_H
#define HPC_DEVICE_STATICS_H

#include "kernel.h"

namespace hpc_dev
{
/* Which copy of a static variable is the side's: nothing that a compiler may know. */
HPC_UNCHECKED static inline int side()
{
    return dev_in_kernel;
}

/* Behind a static variable in device code. */
using static_variable = dev_static_variable;
template <class T> HPC_UNCHECKED static inline void of_device(static_variable &record, T &variable)
{
#ifdef DEV_CHECK
    if (!record.known && side())
        dev_static(&record, (char *)&variable, sizeof variable, shape<T>());
#endif
    (void)record, (void)variable;
}
} // namespace hpc_dev

#endif
