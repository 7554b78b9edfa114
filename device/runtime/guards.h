/* Check mode: guards around the blocks of the host's heap (device/shadow/guards.c), bytes that no
 * honest program uses. Each is known by its address, and forgotten before its block is freed. */
#ifndef HPC_DEVICE_GUARDS_H
#define HPC_DEVICE_GUARDS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of a program whose host functions are not looked at (device/rewrite/hosts.h); NULL in others. */
extern const char dev_host_apart[] __attribute__((weak));
/* Of a program all of whose code the compiler instruments (hpc_device/whole.h); NULL in others. */
extern const char dev_program_whole[] __attribute__((weak));

/* How many bytes to ask the C library for where a program asks for so many; as many where a guard
 * does not fit. */
size_t check_guard_with(size_t bytes);
/* The C library gave p for check_guard_with(bytes), which a call that returns to `from` asked for:
 * guarded. Gives p; NULL stays NULL. */
void *check_guard_begin(void *p, size_t bytes, const void *from);
/* The block at p ends, or moves: its guard is gone. True: somebody wrote there whom the compiler
 * does not tell of, a library. NULL and blocks without a guard are left alone. */
struct dev_broken {
    size_t bytes, behind; /* of the block; where the first byte lies that was written */
    const void *from;     /* who asked for the block; NULL: that is overwritten */
};
bool check_guard_end(void *p, struct dev_broken *broken);
/* The same of all blocks that are there still, which keep their guards. */
void check_guards_each(void (*tell)(const struct dev_broken *broken));
/* What was asked for of the block at p; `room` where it has no guard in the `room` bytes from p. */
size_t check_guard_bytes(const void *p, size_t room);
/* How many of the bytes from p on can be read, and are of one allocation
 * (device/api/host_source.c). Whether p is on the caller's stack, and begins no data but a pointer
 * to so many bytes. */
size_t dev_host_bytes(const void *p, size_t bytes);
bool dev_host_pointer_at(const void *p, size_t bytes);
/* It is told. */
void check_past_block(const struct dev_broken *broken);
/* Before another call asks for memory in the name of the one that returns to `from`. */
void dev_heap_asked(const void *from);

#ifdef __cplusplus
}
#endif
#endif
