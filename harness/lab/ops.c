/* The list of operations; the op.h of each folder declares its own. */
#include "common/op.h"

#include <string.h>

#include "conv1d/op/op.h"
#include "conv2d/op/op.h"
#include "mlp/op/op.h"

const struct hpc_op *const hpc_ops[] = {
    &mlp_sgd_op, &mlp_minibatch_op, &mlp_ranks_op,     &conv1d_op,
    &conv2d_op,  &convpool_op,      &window_format_op, NULL};

const struct hpc_op *hpc_op_find(const char *name)
{
    for (int i = 0; hpc_ops[i]; i++)
        if (strcmp(hpc_ops[i]->name, name) == 0)
            return hpc_ops[i];
    return NULL;
}

bool hpc_op_check_timed(const struct hpc_op *op, const void *problem, const void *const in[],
                        const void *const out[], struct hpc_mismatch *m)
{
    bool admitted;
    return op->check_quick(problem, in, out, m) || op->check(problem, in, out, &admitted, m);
}
