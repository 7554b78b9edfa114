/* Check mode: a loop over a block's threads whose accesses follow from threadIdx.x
 * (device/rewrite/batches.h). Its body is there twice more: once with threadIdx.x as a number that
 * grows by 1 from thread to thread, to say which ranges the threads of a row touch (`some`,
 * `seen`), and once as the compiler makes it without the checker, for where nothing is wrong with
 * these. */
#ifndef HPC_DEVICE_BATCHES_H
#define HPC_DEVICE_BATCHES_H

#include "some.h"

namespace hpc_dev
{
/* What is put into an element. */
struct target {
    const void *at;
    long stride;
    unsigned bytes;
    const void *array;

    template <class V> HPC_DEVICE_SEEN void operator=(const V &) const
    {
        check_batch_write(at, stride, bytes);
    }
#define HPC_DEVICE_CHANGES(op)                                                                     \
    template <class V> HPC_DEVICE_SEEN void operator op##=(const V &) const                        \
    {                                                                                              \
        check_batch_read(at, stride, bytes, array);                                                \
        check_batch_write(at, stride, bytes);                                                      \
    }
    HPC_DEVICE_CHANGES(+)
    HPC_DEVICE_CHANGES(-)
    HPC_DEVICE_CHANGES(*)
#undef HPC_DEVICE_CHANGES
};

/* An array of T, of N elements where it is no 0; its first one is `stride` bytes further from
 * thread to thread. */
template <class T, size_t N> struct seen {
    const char *at;
    long stride;
    const void *array;

    /* Elements are whole granules of the checker's. */
    HPC_DEVICE_SEEN static void check_granules()
    {
        if (sizeof(T) != 4 && sizeof(T) != 8)
            check_batch_odd();
    }
    template <class I> HPC_DEVICE_SEEN seen element(const I &i) const
    {
        const some<long> k(i);
        const long last = last_of(k.first, k.step);
        if (!k.known || (N && (k.first < 0 || last < 0 || k.first >= (long)N || last >= (long)N)))
            check_batch_odd();
        return {at + k.first * (long)sizeof(T), stride + k.step * (long)sizeof(T), array};
    }
    template <class I> HPC_DEVICE_SEEN auto get(const I &i) const
    {
        const seen e = element(i);
        if constexpr (std::is_array<T>::value) {
            return seen<typename std::remove_extent<T>::type, std::extent<T>::value>{e.at, e.stride,
                                                                                     array};
        } else {
            check_granules();
            check_batch_read(e.at, e.stride, sizeof(T), array);
            return some<typename std::remove_cv<T>::type>();
        }
    }
    template <class I> HPC_DEVICE_SEEN target put(const I &i) const
    {
        check_granules();
        const seen e = element(i);
        return {e.at, e.stride, sizeof(T), array};
    }
};

template <class A> HPC_DEVICE_ALONE static inline auto seen_of(A &array)
{
    if constexpr (std::is_array<A>::value)
        return seen<typename std::remove_extent<A>::type, std::extent<A>::value>{
            reinterpret_cast<const char *>(&array), 0, &array};
    else
        return seen<typename std::remove_pointer<A>::type, 0>{reinterpret_cast<const char *>(array),
                                                              0, array};
}

struct seen_index {
    some<unsigned> x;
    unsigned y, z;
};

template <class S>
HPC_DEVICE_ALONE static void go_through(const void *shape, unsigned y, unsigned z)
{
    const dev_batch_threads &t = check_batch_threads;
    (*static_cast<const S *>(shape))(seen_index{some<unsigned>(t.first, t.count > 1, true), y, z});
}

template <class B>
HPC_DEVICE_ALONE __attribute__((noinline)) static void each_alone(const dim3 &size, unsigned most,
                                                                  const B &body)
{
    unsigned first = 0;
    for (unsigned z = 0; z < size.z; z++)
        for (unsigned y = 0; y < size.y; y++, first += size.x)
            for (unsigned x = 0; x < most; x++)
                body(uint3{x, y, z}, first + x);
}

/* Whether that was all of the loop. */
template <class S, class B>
HPC_DEVICE_ALONE static bool batched(const dim3 size, unsigned most, const S &shape, const B &body)
{
    static struct dev_batch batch;
    if (!dev_batch(&batch, most, &go_through<S>, &shape))
        return false;
    each_alone(size, most, body);
    return true;
}
template <class S, class B>
HPC_DEVICE_ALONE static bool batched(const dim3 size, const S &shape, const B &body)
{
    return batched(size, size.x, shape, body);
}
#undef HPC_DEVICE_SEEN
#undef HPC_DEVICE_ALONE
} // namespace hpc_dev

#endif
