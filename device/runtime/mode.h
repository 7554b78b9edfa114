/* The differences between the modes: run, check (DEV_CHECK) and asan (DEV_ASAN). */
#ifndef HPC_DEVICE_MODE_H
#define HPC_DEVICE_MODE_H

#include "device/runtime/device.h"
#include "device/runtime/switch.h"

#ifdef DEV_CHECK
#define MODE_CHECK(call) call
#define MODE_PATH(fiber) ((void)(fiber), check_path()) /* of the running thread, which is on it */
#define MODE_ZONE(bytes) dev_red_zone(bytes)
#define MODE_ROOMY       4 /* address space for red zones: so many times the device's memory */
#else
#define MODE_CHECK(call) ((void)0)
#define MODE_PATH(fiber) ((fiber)->path)
#define MODE_ZONE(bytes) ((void)(bytes), (size_t)DEV_RED_ZONE)
#define MODE_ROOMY       1
#endif

#ifdef DEV_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define MODE_STACK_KIB          256
#define mode_poison(p, bytes)   __asan_poison_memory_region(p, bytes)
#define mode_unpoison(p, bytes) __asan_unpoison_memory_region(p, bytes)
#else
#define MODE_STACK_KIB          64
#define mode_poison(p, bytes)   ((void)(p), (void)(bytes))
#define mode_unpoison(p, bytes) ((void)(p), (void)(bytes))
#endif

#if defined(DEV_CHECK) || defined(DEV_ASAN)
#define MODE_REORDERS 1 /* threads begin by dev_next_thread, which may begin them in any order */
#else
#define MODE_REORDERS 0
#endif
#ifdef DEV_ASAN /* workers come upon a variable each by itself */
#define MODE_EVERY_USE 1
#else
#define MODE_EVERY_USE 0
#endif

#endif
