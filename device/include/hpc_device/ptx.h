/* What PTX reads from special registers (device/rewrite/ptx.def). */
#ifndef HPC_DEVICE_PTX_H
#define HPC_DEVICE_PTX_H

namespace hpc_dev
{
HPC_UNCHECKED static inline unsigned warp()
{
    return dev_self->thread / 32;
}

HPC_UNCHECKED static inline unsigned lanes_equal()
{
    return 1u << lane();
}

HPC_UNCHECKED static inline unsigned lanes_below()
{
    return lanes_equal() - 1;
}

HPC_UNCHECKED static inline unsigned multiprocessors()
{
    return (unsigned)dev_processors();
}

/* Blocks are spread over multiprocessors in turn; one stays where it began. */
HPC_UNCHECKED static inline unsigned multiprocessor()
{
    return (unsigned)(dev_self->block % multiprocessors());
}

HPC_UNCHECKED static inline unsigned long long grid_number()
{
    return dev_self->launch->number;
}

HPC_UNCHECKED static inline unsigned dynamic_bytes()
{
    return (unsigned)dev_self->launch->dynamic_shared;
}

/* Nanoseconds since 1970. */
HPC_UNCHECKED static inline unsigned long long wall_time()
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000000000ULL + t.tv_nsec;
}
} // namespace hpc_dev

#endif
