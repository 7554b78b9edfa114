/* A GPU's state by NVML, which comes with the driver and is loaded when it is asked for. Names and
 * numbers: NVML API Reference Guide. */
#include "harness/machine/conditions.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* The part of nvml.h that is used: an nvmlDevice_t is a pointer, an nvmlReturn_t 0 where all is
 * well. */
typedef void *device_t;
enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, TEMPERATURE_GPU = 0, NAME_SIZE = 96 };

static struct {
    bool tried, there;
    device_t device;
    int (*clock)(device_t, int, unsigned *);
    int (*temperature)(device_t, int, unsigned *);
    int (*cap)(device_t, unsigned *); /* milliwatts */
    int (*default_cap)(device_t, unsigned *);
    int (*throttling)(device_t, unsigned long long *);
    int (*mig_mode)(device_t, unsigned *, unsigned *);
    int (*mig_device)(device_t, unsigned, device_t *);
    int (*name)(device_t, char *, unsigned);
} nvml;

static void *find(void *library, const char *name)
{
    return dlsym(library, name);
}

/* Once a process; the library stays. */
static bool load(void)
{
    int (*init)(void), (*device)(unsigned, device_t *);
    if (nvml.tried)
        return nvml.there;
    nvml.tried = true;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    *(void **)&init = find(library, "nvmlInit_v2");
    *(void **)&device = find(library, "nvmlDeviceGetHandleByIndex_v2");
    *(void **)&nvml.clock = find(library, "nvmlDeviceGetClockInfo");
    *(void **)&nvml.temperature = find(library, "nvmlDeviceGetTemperature");
    *(void **)&nvml.cap = find(library, "nvmlDeviceGetEnforcedPowerLimit");
    *(void **)&nvml.default_cap = find(library, "nvmlDeviceGetPowerManagementDefaultLimit");
    *(void **)&nvml.throttling = find(library, "nvmlDeviceGetCurrentClocksThrottleReasons");
    *(void **)&nvml.mig_mode = find(library, "nvmlDeviceGetMigMode");
    *(void **)&nvml.mig_device = find(library, "nvmlDeviceGetMigDeviceHandleByIndex");
    *(void **)&nvml.name = find(library, "nvmlDeviceGetName");
    nvml.there = init && device && nvml.clock && nvml.temperature && nvml.cap && nvml.default_cap &&
                 nvml.throttling && nvml.mig_mode && nvml.mig_device && nvml.name && init() == 0 &&
                 device(0, &nvml.device) == 0;
    return nvml.there;
}

/* The first instance of a GPU in MIG mode: its name ends with "MIG 1g.10gb". */
static void read_slice(char *slice, size_t size)
{
    unsigned now = 0, later = 0;
    device_t instance;
    char name[NAME_SIZE] = "";
    if (nvml.mig_mode(nvml.device, &now, &later) != 0 || !now)
        return;
    snprintf(slice, size, "MIG");
    if (nvml.mig_device(nvml.device, 0, &instance) == 0 &&
        nvml.name(instance, name, sizeof name) == 0 && strstr(name, "MIG"))
        snprintf(slice, size, "%s", strstr(name, "MIG"));
}

void conditions_read_gpu(struct gpu_conditions *c)
{
    unsigned cap = 0, default_cap = 0;
    memset(c, 0, sizeof *c);
    c->known = load();
    if (!c->known)
        return;
    /* what one GPU does not tell stays 0 */
    nvml.clock(nvml.device, CLOCK_SM, &c->sm_mhz);
    nvml.clock(nvml.device, CLOCK_MEMORY, &c->memory_mhz);
    nvml.temperature(nvml.device, TEMPERATURE_GPU, &c->celsius);
    nvml.cap(nvml.device, &cap);
    nvml.default_cap(nvml.device, &default_cap);
    nvml.throttling(nvml.device, &c->throttling);
    c->power_cap_w = 1e-3 * cap;
    c->power_cap_default_w = 1e-3 * default_cap;
    read_slice(c->slice, sizeof c->slice);
}

const char *conditions_gpu_hindrance(unsigned long long throttling)
{
    static const struct {
        unsigned long long bit;
        const char *words;
    } known[] = {{0x40, "the GPU slowed itself down: too hot"},
                 {0x20, "the GPU's driver slowed it down: too hot"},
                 {0x80, "the GPU's power supply made it slow down"},
                 {0x08, "the GPU slowed itself down"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (throttling & known[i].bit)
            return known[i].words;
    return NULL;
}
