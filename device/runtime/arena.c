/* Where the device's memory lies: memory.c fills it, copies and the checker compare with it. */
#include "device/runtime/device.h"

char *dev_arena, *dev_arena_end;
