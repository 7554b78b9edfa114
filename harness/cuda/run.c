/* Running a program on the CPU device, once or in several orders of its threads. */
#include "harness/cuda/cuda.h"

#include <string.h>

bool cuda_checks(const struct cuda_job *job)
{
    return strcmp(job->mode, "check") == 0 || strcmp(job->mode, "traffic") == 0;
}

int cuda_run(const struct cuda_job *job, struct hpc_error *err)
{
    struct cuda_end end;
    if (job->schedules > 1)
        return cuda_schedules(job, err);
    if (!cuda_run_once(job, NULL, NULL, &end, err))
        return HPC_EXIT_ENVIRONMENT;
    return cuda_tell(job, &end);
}
