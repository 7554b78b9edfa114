#define _GNU_SOURCE
#include "harness/machine/device.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/machine/machine.h"

bool device_source(const char *file)
{
    const char *suffix = strrchr(file, '.');
    return suffix && strcmp(suffix, ".cu") == 0;
}

const char *device_name(enum hpc_place device)
{
    return device == DEVICE_CUDA ? "cuda" : "cpu";
}

bool device_choose(const char *word, enum hpc_place *device, struct hpc_error *err)
{
    bool gpu = machine_here()->gpu, nvcc = device_nvcc() != NULL;
    if (strcmp(word, "auto") != 0 && strcmp(word, "cpu") != 0 && strcmp(word, "cuda") != 0)
        return hpc_fail(err, "--device %.40s: expected auto, cpu or cuda", word);
    bool cuda = strcmp(word, "cuda") == 0;
    if (cuda && !(gpu && nvcc))
        return hpc_fail_env(err, "--device cuda: no %s here; expected auto or cpu",
                            gpu ? "nvcc (in PATH, CUDA_HOME or /usr/local/cuda)" : "GPU");
    *device = cuda || (strcmp(word, "auto") == 0 && gpu && nvcc) ? DEVICE_CUDA : DEVICE_CPU;
    return true;
}

/* nvcc in the folders of PATH, then in CUDA_HOME and where NVIDIA's packages put it. */
static bool find_nvcc(char *path, size_t size)
{
    const char *given = getenv("HPC_NVCC"), *home = getenv("CUDA_HOME"), *folders = getenv("PATH");
    if (given) {
        snprintf(path, size, "%s", given);
        return access(path, X_OK) == 0;
    }
    char *copy = hpc_strdup(folders ? folders : "/usr/bin:/bin"), *rest = NULL;
    bool found = false;
    for (char *p = strtok_r(copy, ":", &rest); p && !found; p = strtok_r(NULL, ":", &rest)) {
        snprintf(path, size, "%s/nvcc", p);
        found = p[0] == '/' && access(path, X_OK) == 0;
    }
    free(copy);
    for (int i = 0; i < 2 && !found; i++) {
        const char *folder = i ? "/usr/local/cuda" : home;
        snprintf(path, size, "%s/bin/nvcc", folder ? folder : "");
        found = folder && access(path, X_OK) == 0;
    }
    return found;
}

const char *device_nvcc(void)
{
    static char path[PATH_MAX]; /* found once */
    static bool looked, found;
    if (!looked)
        found = find_nvcc(path, sizeof path);
    looked = true;
    return found ? path : NULL;
}

const char *device_architecture(void)
{
    static char words[64];
    if (words[0])
        return words;
    int major = 9, minor = 0;
    FILE *f = machine_here()->gpu ? popen("timeout -k 1 20 nvidia-smi --query-gpu=compute_cap "
                                          "--format=csv,noheader 2>&1",
                                          "re")
                                  : NULL;
    if (f && fscanf(f, "%d.%d", &major, &minor) != 2)
        major = 9, minor = 0;
    if (f)
        pclose(f);
    const char *a = major == 9 && minor == 0 ? "a" : ""; /* its own instructions, of no other GPU */
    snprintf(words, sizeof words, "-gencode=arch=compute_%d%d%s,code=sm_%d%d%s", major, minor, a,
             major, minor, a);
    return words;
}
