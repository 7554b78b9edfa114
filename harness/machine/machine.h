/* What this machine is, for records and for the choice of targets. */
#ifndef HPC_HARNESS_MACHINE_MACHINE_H
#define HPC_HARNESS_MACHINE_MACHINE_H

#include <jansson.h>
#include <stdbool.h>

struct machine {
    char name[64]; /* file name of its reference: "amd-epyc-9654-2c" */
    char cpu[128]; /* model name as the kernel gives it */
    char arch[16]; /* x86_64, aarch64 */
    int cores;     /* that this process may use: affinity and cgroup quota */
    int simd;      /* the highest enum hpc_simd */
    bool gpu;
    char gpu_name[64];
    double memory_gib;
    char os[128], compiler[128], governor[32];
};

/* Found out once; the text lives as long as the process. */
const struct machine *machine_here(void);
/* "intel-xeon-platinum-8481c-16c" from "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz" and 16. */
void machine_name(const char *cpu, int cores, char *name, int size);
const char *machine_simd_name(int simd);       /* "avx2", of enum hpc_simd; "none" */
json_t *machine_json(const struct machine *m); /* a new reference */
/* The first line of a file that begins with `key`, behind the key and " \t:=\"", without the line's
 * end and a last quote. Empty where there is none; key "" takes the first line. */
void machine_line_of(const char *path, const char *key, char *text, int size);
/* One word of `needs`: "avx2", "gpu", "threads:2". Where it is not met, `why` gets the reason. */
bool machine_has(const char *need, char *why, int why_size);

#endif
