/* What a task is: in CUDA or not, on which device, and its points. */
#include <string.h>

#include "harness/lab/lab.h"

bool lab_task_cuda(const struct lab_task *task)
{
    return task->kind == TASK_VARIANT && device_source(task->file);
}

bool lab_device(const struct lab *lab, const char *word, enum hpc_place *device,
                struct hpc_error *err)
{
    bool cuda = false;
    for (int i = 0; i < lab->n_tasks; i++)
        cuda |= lab_task_cuda(&lab->tasks[i]);
    *device = DEVICE_CPU;
    if (cuda || (strcmp(word, "auto") != 0 && strcmp(word, "cpu") != 0 && strcmp(word, "cuda")))
        return device_choose(word, device, err);
    return strcmp(word, "cuda") != 0 ||
           hpc_fail(err, "--device cuda: %s has no task for a GPU, expected auto or cpu",
                    lab->name);
}

double lab_task_worth(const struct lab_task *t)
{
    return t->points_correct + t->points_speed + t->points_answers + t->points_traffic;
}

double lab_task_points(const struct lab_task *t)
{
    return t->bonus ? 0 : lab_task_worth(t);
}
