#define _GNU_SOURCE
#include "harness/machine/machine.h"

#include <ctype.h>
#include <glob.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/error.h"
#include "harness/machine/cgroup.h"
#include "common/abi.h"
#include "common/text.h"

#if defined __x86_64__
#include <cpuid.h>
#include <sys/syscall.h>
#endif

void machine_line_of(const char *path, const char *key, char *text, int size)
{
    char line[512];
    FILE *f = fopen(path, "r");
    text[0] = 0;
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, key, strlen(key)) == 0) {
            const char *value = line + strlen(key);
            value += strspn(value, *key ? " \t:=\"" : " \t");
            snprintf(text, (size_t)size, "%.*s", (int)strcspn(value, "\"\n"), value);
            break;
        }
    if (f)
        fclose(f);
}

/* Its first line; "" where it says nothing within seconds. */
static void command_line_of(const char *command, char *text, int size)
{
    char *patient = hpc_printf("timeout -k 1 5 %s", command);
    FILE *f = popen(patient, "re");
    free(patient);
    text[0] = 0;
    if (f && !fgets(text, size, f))
        text[0] = 0;
    text[strcspn(text, "\n")] = 0;
    if (f)
        pclose(f);
}

/* Words of a CPU's name that say nothing about which one it is. */
static bool is_filler(const char *word)
{
    static const char *const fillers[] = {"cpu", "processor", "with", "at", "r", "tm", ""};
    for (size_t i = 0; i < sizeof fillers / sizeof *fillers; i++)
        if (strcmp(word, fillers[i]) == 0)
            return true;
    return strstr(word, "-core") != NULL;
}

void machine_name(const char *cpu, int cores, char *name, int size)
{
    char text[128], *save = NULL;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(cpu, "@"), cpu);
    for (char *c = text; *c; c++) {
        bool keep = isalnum((unsigned char)*c) || *c == '-' || *c == '.';
        *c = keep ? (char)tolower((unsigned char)*c) : ' ';
    }
    struct text kept = {0};
    const size_t room = (size_t)size - 16; /* room for "-1024c" */
    for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save))
        if (!is_filler(w) && kept.length + strlen(w) + 1 < room)
            text_list(&kept, "-", w);
    text_fit(name, (size_t)size, "%s-%dc", kept.length ? text_string(&kept) : "unknown", cores);
    text_free(&kept);
}

static int count_cores(void)
{
    cpu_set_t set;
    int cores = 1;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cores = CPU_COUNT(&set);
    else
        cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int quota = (int)cgroup_cpu_quota(); /* whole cores: a part of one only throttles */
    if (quota >= 1 && quota < cores)
        cores = quota;
    return cores > 0 ? cores : 1;
}

#if defined __x86_64__
/* AMX tiles must be asked for: the kernel then saves their registers. */
static bool has_amx(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d >> 22 & 1) || !(d >> 24 & 1))
        return false;
    enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
    return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}

static int simd_level(void)
{
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return avx512 && has_amx() ? HPC_SIMD_AMX
           : avx512            ? HPC_SIMD_AVX512
           : avx2              ? HPC_SIMD_AVX2
                               : HPC_SIMD_NONE;
}
#elif defined __aarch64__
static int simd_level(void)
{
    return HPC_SIMD_NEON;
}
#else
static int simd_level(void)
{
    return HPC_SIMD_NONE;
}
#endif

/* The first GPU, as the driver's files name it; nothing is run and no library is loaded. */
static void find_gpu(struct machine *m)
{
    glob_t found;
    if (access("/dev/nvidia0", F_OK) != 0)
        return;
    m->gpu = true;
    snprintf(m->gpu_name, sizeof m->gpu_name, "NVIDIA GPU");
    if (glob("/proc/driver/nvidia/gpus/*/information", 0, NULL, &found) == 0) {
        char model[sizeof m->gpu_name];
        machine_line_of(found.gl_pathv[0], "Model", model, sizeof model);
        if (*model)
            snprintf(m->gpu_name, sizeof m->gpu_name, "%s", model);
        globfree(&found);
    }
}

static void find(struct machine *m)
{
    struct utsname u;
    char memory[64];
    uname(&u);
    snprintf(m->arch, sizeof m->arch, "%.15s", u.machine);
    machine_line_of("/proc/cpuinfo", "model name", m->cpu, sizeof m->cpu);
    if (!*m->cpu)
        snprintf(m->cpu, sizeof m->cpu, "%s", m->arch);
    m->cores = count_cores();
    m->simd = simd_level();
    machine_name(m->cpu, m->cores, m->name, sizeof m->name);
    find_gpu(m);
    machine_line_of("/proc/meminfo", "MemTotal", memory, sizeof memory);
    m->memory_gib = strtod(memory, NULL) / (1 << 20); /* from KiB */
    machine_line_of("/etc/os-release", "PRETTY_NAME", m->os, sizeof m->os);
    command_line_of("gcc --version 2>/dev/null", m->compiler, sizeof m->compiler);
    machine_line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "", m->governor,
                    sizeof m->governor);
}

const struct machine *machine_here(void)
{
    static struct machine here; /* found once: what it describes does not change */
    static bool found;
    if (!found)
        find(&here);
    found = true;
    return &here;
}

const char *machine_simd_name(int simd)
{
    return simd == HPC_SIMD_AVX2     ? "avx2"
           : simd == HPC_SIMD_AVX512 ? "avx512"
           : simd == HPC_SIMD_AMX    ? "amx"
           : simd == HPC_SIMD_NEON   ? "neon"
                                     : "none";
}

json_t *machine_json(const struct machine *m)
{
    json_t *gpu = m->gpu ? json_string(m->gpu_name) : json_null();
    json_t *json = json_pack("{s:s, s:s, s:s, s:i, s:s, s:o, s:f, s:s, s:s, s:s}", "name", m->name,
                             "cpu", m->cpu, "arch", m->arch, "cores", m->cores, "simd",
                             machine_simd_name(m->simd), "gpu", gpu, "memory_gib", m->memory_gib,
                             "os", m->os, "compiler", m->compiler, "governor", m->governor);
    HPC_ASSERT(json);
    return json;
}

/* "threads:N" or a SIMD level or the GPU. */
static bool has(const struct machine *m, const char *need)
{
    bool x86 = m->simd < HPC_SIMD_NEON;
    if (strncmp(need, "threads:", 8) == 0)
        return m->cores >= atoi(need + 8);
    if (strcmp(need, "gpu") == 0)
        return m->gpu;
    if (strcmp(need, "neon") == 0)
        return m->simd == HPC_SIMD_NEON;
    int level = strcmp(need, "avx2") == 0     ? HPC_SIMD_AVX2
                : strcmp(need, "avx512") == 0 ? HPC_SIMD_AVX512
                                              : HPC_SIMD_AMX;
    HPC_ASSERT(level != HPC_SIMD_AMX || strcmp(need, "amx") == 0);
    return x86 && m->simd >= level;
}

bool machine_has(const char *need, char *why, int why_size)
{
    const struct machine *m = machine_here();
    if (has(m, need))
        return true;
    if (strncmp(need, "threads:", 8) == 0)
        snprintf(why, (size_t)why_size, "needs %s cores, and this machine offers %d", need + 8,
                 m->cores);
    else if (strcmp(need, "gpu") == 0)
        snprintf(why, (size_t)why_size, "needs a GPU, and this machine has none");
    else
        snprintf(why, (size_t)why_size, "needs %s, and this machine's SIMD level is %s", need,
                 machine_simd_name(m->simd));
    return false;
}
