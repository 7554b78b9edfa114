/* What an error of CUDA's means to a student. The codes are those of driver_types.h, which do not
 * change. Codes that speak of a broken machine choose words, and no verdict: a runner says them,
 * and could say them at will. That the machine failed is for a probe of ours to find (trial/gpu.c).
 */
#include "common/defence.h"
#include "harness/exchange/internal.h"

static const struct {
    int code;
    enum verdict verdict;
    const char *words;
} known[] = {
    {1, VERDICT_CRASH,
     "a call was given a value that it does not take, cudaErrorInvalidValue: a pointer, a size or "
     "the kind of a copy, or a launch's block of more than 1024 threads"},
    {2, VERDICT_MEMORY, "the device has no more memory"},
    {9, VERDICT_CRASH,
     "a launch was refused: at most 1024 threads in a block, at least one thread and one block, at "
     "most 65535 blocks in y and z"},
    {35, VERDICT_ENVIRONMENT, "the GPU's driver is older than this CUDA"},
    {46, VERDICT_ENVIRONMENT, "the GPU is busy or not available"},
    {98, VERDICT_CRASH, "a launch was refused: no such kernel for this GPU"},
    {100, VERDICT_ENVIRONMENT, "the driver finds no GPU"},
    {209, VERDICT_CRASH, "a launch was refused: no kernel for this GPU was compiled"},
    {304, VERDICT_ENVIRONMENT, "the system refused the GPU's driver something"},
    {400, VERDICT_CRASH, "a stream or event is used that is not there"},
    {700, VERDICT_CRASH, "a kernel read or wrote memory that belongs to nobody"},
    {701, VERDICT_CRASH,
     "a launch was refused: its blocks need more registers or shared memory than there are"},
    {702, VERDICT_TIMEOUT, "a kernel took too long"},
    {709, VERDICT_ENVIRONMENT, "the GPU was taken away"},
    {710, VERDICT_CRASH, "an assertion in a kernel failed"},
    {715, VERDICT_CRASH, "a kernel came to an instruction that there is not"},
    {716, VERDICT_CRASH,
     "a kernel read or wrote at an address that is not a multiple of the value's size"},
    {719, VERDICT_CRASH, "a kernel failed"},
    {802, VERDICT_ENVIRONMENT, "the GPU's driver is not ready"},
    {999, VERDICT_ENVIRONMENT, "the GPU's driver failed"},
};

void device_verdict(int code, enum hpc_place device, const char *phase, struct outcome *o)
{
    enum verdict verdict = VERDICT_CRASH;
    const char *words = "a call of CUDA failed";
    if (DEFENCE(own_words) && device == DEVICE_HOST) {
        outcome_set(o, VERDICT_CRASH, "%s: the process said that a GPU failed, and it has none",
                    phase);
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code) {
            verdict = known[i].verdict;
            words = known[i].words;
        }
    if (DEFENCE(own_words) && verdict == VERDICT_ENVIRONMENT)
        verdict = VERDICT_CRASH;
    outcome_set(o, verdict, "%s: %s (CUDA error %d%s)", phase, words, code,
                device == DEVICE_CPU ? ", on the CPU device" : "");
}
