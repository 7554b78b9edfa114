/* What a timing depends on besides the programs: clocks, heat, power, quotas. Read before and after
 * one, and kept in its record. */
#ifndef HPC_HARNESS_MACHINE_CONDITIONS_H
#define HPC_HARNESS_MACHINE_CONDITIONS_H

#include <jansson.h>
#include <stdbool.h>

/* Of the first GPU, by NVML. */
struct gpu_conditions {
    bool known;
    char slice[48];              /* of a MIG: "MIG 1g.10gb"; "" where the GPU is whole */
    unsigned sm_mhz, memory_mhz; /* clocks */
    unsigned celsius;
    double power_cap_w;            /* that is in force */
    double power_cap_default_w;    /* as delivered */
    unsigned long long throttling; /* NVML's reasons, a bit each */
};

struct conditions {
    double seconds;    /* of a steady clock */
    double load1;      /* the 1-minute load average */
    double clock_mhz;  /* mean of our processors; 0 where unknown */
    char governor[32]; /* "" where unknown */
    long overheated;   /* how often our processors were slowed for heat; -1 where nobody counts */
    double quota;      /* cores, of the control group; 0 where there is none */
    long throttled;    /* how many periods of 100 ms met the quota's end; -1 where nobody counts */
    bool on_battery;
    struct gpu_conditions gpu;
};

/* With `gpu` the GPU's too: it loads NVML, which takes a part of a second the first time. */
void conditions_read(struct conditions *c, bool gpu);
/* Whether what lies between the two can be trusted, with a quota that stopped the programs in at
 * most that share of its periods; if not, why, in one line. */
bool conditions_good(const struct conditions *before, const struct conditions *after,
                     double most_throttled, char *why, int size);
json_t *conditions_json(const struct conditions *c); /* a new reference */

/* gpu_conditions.c */
void conditions_read_gpu(struct gpu_conditions *c);
/* The reasons that slow a GPU against its owner's will, in words; NULL where `throttling` has none.
 * A power cap is no such reason: baseline and student meet it alike. */
const char *conditions_gpu_hindrance(unsigned long long throttling);

#endif
