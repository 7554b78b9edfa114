/* Loops of device code: their rounds, and those that look for what others do. */
#ifndef HPC_DEVICE_ROUNDS_H
#define HPC_DEVICE_ROUNDS_H

#include "../../runtime/switch.h"
#include "arguments.h"

namespace hpc_dev
{
/* The rounds of the running thread's loops: check_path. Threads of a plain kernel have none. */
HPC_UNCHECKED static inline uint64_t path_now()
{
#ifdef DEV_CHECK
    return check_path();
#else
    return dev_self ? dev_self->current->path : 0;
#endif
}
HPC_UNCHECKED static inline void set_path(uint64_t path)
{
#ifdef DEV_CHECK
    check_set_path(path);
#else
    if (dev_self)
        dev_self->current->path = path;
#endif
}

/* A loop of device code, from before it to behind it: device/rewrite declares one and says when a
 * round begins, so that the traffic model and __activemask() can tell which lanes are in the same
 * one. */
class loop_rounds
{
    const uint64_t outer = path_now();
    uint64_t path;

  public:
    /* `serial`: the loop's own number, from 1. */
    explicit loop_rounds(unsigned serial) : path((outer + serial) * UINT64_C(0xD1342543DE82EF95))
    {
    }
    loop_rounds(const loop_rounds &) = delete;
    loop_rounds &operator=(const loop_rounds &) = delete;
    void next()
    {
        set_path(path += UINT64_C(0x9E3779B97F4A7C15));
    }
    ~loop_rounds()
    {
        set_path(outer);
    }
};

/* Before each round of a loop that looks for what another thread does (device/rewrite/looks.c).
 * Threads of a plain kernel have no worker, and wait for nobody of their block. */
HPC_UNCHECKED static inline void looks(HPC_HERE)
{
    dev_worker *w = dev_self;
    if (!w)
        return;
    if (w->looker != w->thread) {
        w->looker = w->thread;
        w->looks = 0;
        if (__builtin_expect(++w->lookers >= DEV_LOOKERS, 0)) {
            w->lookers = 0;
            dev_blocks_looked(HPC_SITE);
        }
    } else if (__builtin_expect(++w->looks >= DEV_LOOKS, 0)) {
        w->looks = 0;
        dev_look_again(HPC_SITE);
    }
}

/* Such a loop ends: the value of its condition. */
HPC_UNCHECKED static inline bool found()
{
    if (dev_worker *w = dev_self)
        w->found++;
    return false;
}
} // namespace hpc_dev

#endif
