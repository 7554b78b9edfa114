/* Shuffles and votes of the time before Volta, without a mask: of the lanes that come together.
 * nvcc takes them for older GPUs alone, so the compiler warns of each. */
#ifndef HPC_DEVICE_UNMASKED_H
#define HPC_DEVICE_UNMASKED_H

#define HPC_UNMASKED(name)                                                                         \
    __attribute__((deprecated("no GPU since Volta has it: write " #name                            \
                              "_sync(mask, ..), where the mask names the lanes that come")))

template <class T>
HPC_UNMASKED(__shfl)
static inline T __shfl(T value, int from, int width = 32, HPC_HERE)
{
    return __shfl_sync(dev_warp_active(HPC_SITE), value, from, width, file, line);
}

template <class T>
HPC_UNMASKED(__shfl_up)
static inline T __shfl_up(T value, unsigned delta, int width = 32, HPC_HERE)
{
    return __shfl_up_sync(dev_warp_active(HPC_SITE), value, delta, width, file, line);
}

template <class T>
HPC_UNMASKED(__shfl_down)
static inline T __shfl_down(T value, unsigned delta, int width = 32, HPC_HERE)
{
    return __shfl_down_sync(dev_warp_active(HPC_SITE), value, delta, width, file, line);
}

template <class T>
HPC_UNMASKED(__shfl_xor)
static inline T __shfl_xor(T value, int lanes, int width = 32, HPC_HERE)
{
    return __shfl_xor_sync(dev_warp_active(HPC_SITE), value, lanes, width, file, line);
}

HPC_UNMASKED(__any) static inline int __any(int predicate, HPC_HERE)
{
    return __any_sync(dev_warp_active(HPC_SITE), predicate, file, line);
}

HPC_UNMASKED(__all) static inline int __all(int predicate, HPC_HERE)
{
    return __all_sync(dev_warp_active(HPC_SITE), predicate, file, line);
}

HPC_UNMASKED(__ballot) static inline unsigned __ballot(int predicate, HPC_HERE)
{
    return __ballot_sync(dev_warp_active(HPC_SITE), predicate, file, line);
}
#undef HPC_UNMASKED

#endif
