/* The arguments of a kernel, which device/rewrite makes a lambda. */
#ifndef HPC_DEVICE_ARGUMENTS_H
#define HPC_DEVICE_ARGUMENTS_H

#include <stddef.h>

/* In check mode our own reading of a worker is not to be taken for the kernel's; nor are the atomic
 * operations within CUDA's, which clang announces all the same, unless it is told more. */
#if defined __clang__ && __has_attribute(disable_sanitizer_instrumentation)
#define HPC_UNCHECKED __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define HPC_UNCHECKED __attribute__((no_sanitize("thread")))
#endif

namespace hpc_dev
{
/* The kernel's arguments, in its body as a lambda. A GPU gets their bytes: the threads' copies are
 * neither made nor ended by a class's own functions, and the host ends as many as it made. */
template <class F> union arguments {
    F f;
    ~arguments()
    {
        if constexpr (!__has_trivial_copy(F))
            f.~F();
    }
};
template <class F> arguments(F) -> arguments<F>;

/* x, y, z as a call takes them in a register: g++ copies a struct by a function that it
 * instruments. */
typedef unsigned triple __attribute__((vector_size(16)));

/* A thread's copy of them, word by word: in check mode a struct's assignment is a function of its
 * own, which is looked at. */
template <class F> union copied {
    char bytes[sizeof(F)];
    F f;
    triple words[4];
    HPC_UNCHECKED explicit copied(const F &all)
    {
        typedef unsigned long __attribute__((may_alias, aligned(1))) word;
        const char *from = reinterpret_cast<const char *>(&all);
        size_t at = 0;
        for (; at + sizeof(word) <= sizeof(F); at += sizeof(word))
            *reinterpret_cast<word *>(bytes + at) = *reinterpret_cast<const word *>(from + at);
        for (; at < sizeof(F); at++)
            bytes[at] = from[at];
    }
    ~copied()
    {
    }
};
} // namespace hpc_dev

#endif
