/* The checker's clock: what all its files read of the running launch, block and thread. */
#define _GNU_SOURCE
#include <link.h>
#include <string.h>

#include "device/shadow/shadow.h"

struct group check_no_group;

/* All that fast paths read, in two cache lines. */
struct check_now check_now __attribute__((aligned(64))) = {.next_group = &check_no_group};

uintptr_t check_quiet[QUIET] __attribute__((aligned(64)));

uint32_t check_recent_begin(void)
{
    static uintptr_t last;                      /* tag */
    const uintptr_t first = (uintptr_t)1 << 48; /* above all addresses */
    last += first;
    if (last == 0) {
        memset(check_quiet, 0, sizeof check_quiet);
        last = first;
    }
    check_now.quiet = last;
    check_now.quiet_made = check_now.veiled ? 0 : check_now.quiet;
    return check_now.recent = ++check_now.stamp;
}

/* dl_iterate_phdr tells of the program first, and of the calling thread. */
static int find_thread_local(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    check_now.thread_local_ = (uintptr_t)info->dlpi_tls_data;
    check_now.thread_local_bytes = 0;
    for (unsigned k = 0; k < info->dlpi_phnum && info->dlpi_tls_data; k++)
        if (info->dlpi_phdr[k].p_type == PT_TLS)
            check_now.thread_local_bytes = info->dlpi_phdr[k].p_memsz;
    return 1;
}

void check_find_thread_local(void)
{
    dl_iterate_phdr(find_thread_local, NULL);
}
