/* The thresholds of noise: limits.def lists them, each with its reason, and docs/timing.md too. */
#ifndef HPC_HARNESS_MEASURE_NOISE_H
#define HPC_HARNESS_MEASURE_NOISE_H

#ifdef __cplusplus
extern "C" {
#endif

struct noise_limits {
#define LIMIT(name, value, unit, what, why) double name;
#include "harness/measure/limits.def"
#undef LIMIT
};
extern const struct noise_limits noise_limits;

#ifdef __cplusplus
}
#endif
#endif
