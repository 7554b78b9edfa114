/* What a variant's run() may not do: wait for the device, or bring data to the host. A runner says
 * when run() begins and ends (runner/device.cu); check mode reports what comes between. */
#include <string.h>

#include "device/runtime/mode.h"
#include "device/runtime/phase.h"

static bool in_run, of_runner;

void dev_in_run(int on)
{
    in_run = on != 0;
    MODE_CHECK(check_in_run(on));
    MODE_CHECK(of_runner ? (void)0 : check_host_registered(NULL, SIZE_MAX, false));
    of_runner = true;
    MODE_CHECK(check_runs_variant());
}

void dev_veil(int on)
{
    (void)on;
    MODE_CHECK(check_veil(on));
}

bool dev_phase_of_runner(void)
{
    return of_runner;
}

void dev_phase_waits(const char *call, const void *from)
{
    (void)call, (void)from;
    if (in_run && !dev_self)
        MODE_CHECK(check_waited_in_run(call, from));
}

void dev_phase_allocates(const char *call, struct dev_site site)
{
    (void)call, (void)site;
    if (in_run && !dev_self)
        MODE_CHECK(check_allocated_in_run(call, site));
}

void dev_object_made(const void *p, const char *call, const void *from)
{
    (void)p, (void)call, (void)from;
    MODE_CHECK(check_object_made(p, call, from));
}

void dev_handle_made(const void *p, const char *call, const void *from)
{
    dev_object_made(p, call, from);
    if (in_run)
        MODE_CHECK(check_made_in_run(call, from));
}

void dev_object_gone(const void *p)
{
    (void)p;
    MODE_CHECK(check_object_gone(p));
}

void dev_phase_library(const char *call, bool legacy, const void *from)
{
    (void)call, (void)from;
    if (in_run && legacy)
        MODE_CHECK(check_legacy_stream(call, from));
}

void dev_phase_fills(int value, struct dev_site site)
{
    (void)site;
    if (in_run && value & 0xff) /* zeros carry nothing */
        MODE_CHECK(check_copied_by_host(true, site));
}

void dev_phase_copies(const char *call, bool to_device, bool from_device, bool to_runners,
                      struct dev_site site)
{
    (void)call, (void)site;
    if (in_run && to_device != from_device)
        MODE_CHECK(check_copied_by_host(to_device, site));
    if (in_run && from_device && !to_device)
        MODE_CHECK(check_copied_in_run(call, false, site));
    if (in_run && to_device && !from_device && to_runners)
        MODE_CHECK(check_copied_in_run(call, true, site));
    else if (in_run && to_device && !strstr(call, "Async"))
        MODE_CHECK(check_copied_at_once(call, site));
}
