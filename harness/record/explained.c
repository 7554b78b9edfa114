/* The words of every verdict: see explained.h. */
#include "harness/record/explained.h"

#include <string.h>

/* A pass by what it lacks: nothing, a look at its safety, points for traffic, for speed, for what
 * its reason says, points that wait. */
enum explain_pass {
    PASS_FULL,
    PASS_UNSEEN,
    PASS_TRAFFIC,
    PASS_SPEED,
    PASS_REASON,
    PASS_WAITS,
    PASSES
};

static const struct explanation explain_passes[PASSES] = {
    [PASS_FULL] = {"Right in every case, nothing unsafe was found, and no point is missing.",
                   "Nothing is left to do here: make handin LAB=LAB looks at what you hand in."},
    [PASS_UNSEEN] =
        {"Right in every case, and no point is missing; but not all that could be unsafe "
         "was looked for, as the line on safety says.",
         "./grade LAB --only TASK, without --quick, looks for all that this machine "
         "can: ./hpclab doctor says what it can't."},
    [PASS_TRAFFIC] = {"Right and safe, but kernels move more than is allowed: points for traffic "
                      "are missing.",
                      "The reason names what costs most; ./hpclab profile LAB --only TASK draws "
                      "each access."},
    [PASS_SPEED] = {"Right in every case that was tried. Points that are missing are points for "
                    "speed.",
                    "Find out where the time goes before you change anything: ./hpclab profile LAB "
                    "--only TASK shows the lines, the handout which step comes next."},
    [PASS_REASON] = {"Right in every case, but points are missing, for the reason above.",
                     "labs/LAB/lab.ini says what the task asks for beyond right outputs."},
    [PASS_WAITS] = {"Right in every case that was tried. Some points wait; none is lost.",
                    "The reason or the last lines of ./grade say what they wait for, ./hpclab "
                    "doctor what is here."},
};

/* Of a kind that has no words of its own, those of C count. */
static const struct explanation explain_verdicts[EXPLAIN_KINDS][VERDICT_COUNT] = {
    [EXPLAIN_C] =
        {
            [VERDICT_WRONG] =
                {"It ran to its end, but an output lies outside the bound that rounding can "
                 "explain. The first such element is named above.",
                 "Run the command above until it is right; compare with the baseline's source "
                 "line by line, and mind the smallest shapes and the order of updates."},
            [VERDICT_BUILD] =
                {"labs/LAB/FILE does not compile or link with the lab's flags, in a folder that "
                 "has the operation's headers only.",
                 "Read the compiler's first error; the ones after it are often its echo. The "
                 "whole output is in build/cpu/LAB/IMPL/TASK/log."},
            [VERDICT_UNSAFE] =
                {"Right results, but a sanitizer saw a race, an overrun, an uninitialised read or "
                 "a leak. Such code is right by luck, and may not be elsewhere.",
                 "Look at the line named above: who else writes there, how long is the array, who "
                 "frees it?"},
            [VERDICT_CRASH] =
                {"The process that ran it died of a signal or ended by itself.",
                 "Most often an index beyond an array, or memory that open() did not allocate: "
                 "./hpclab run LAB/TASK --impl IMPL --safety address names the line."},
            [VERDICT_TIMEOUT] =
                {"It was not done within the time that the task allows for a call.",
                 "A loop that does not end, a barrier that not all threads reach, or far too much "
                 "work: try one thread and the smallest case, or ./hpclab run LAB/TASK --impl IMPL "
                 "--gdb."},
            [VERDICT_MEMORY] =
                {"It asked for more memory than the task allows.",
                 "Allocate in open(), once, as much as the problem needs; free it in close()."},
            [VERDICT_REJECTED] =
                {"It did what no solution needs: used a function that is not allowed, changed its "
                 "inputs, or wrote after it said that it was done.",
                 "The reason above names what was seen; `symbols` in labs/LAB/lab.ini lists what "
                 "may be called. Threads must be idle when run() returns."},
            [VERDICT_IMPOSSIBLE] =
                {"Faster than the bytes that must be moved allow, so the time is not believed. A "
                 "person will look at it; correctness points stand.",
                 "Nothing is wrong if you can explain it. Is all the work done inside run(), in "
                 "every call?"},
            [VERDICT_NOISY] =
                {"Right, but the machine was too busy or unsteady to time it: points for speed "
                 "wait.",
                 "Close other programs, plug in the power, and type ./grade LAB --only TASK again; "
                 "./hpclab doctor shows the load. On a virtual machine other guests of the host "
                 "may be at work: try later."},
            [VERDICT_ENVIRONMENT] =
                {"The machine failed, not the solution; nothing is held "
                 "against it.",
                 "See ./hpclab doctor, and type ./grade LAB --only TASK again."},
            [VERDICT_PENDING] = {"The task needs something that this machine lacks, or the course "
                                 "marks it; its points wait.",
                                 "The reason says which. ./hpclab doctor shows what is here."},
            [VERDICT_SKIPPED] = {"The task was not graded: --only left it out, or the grading was "
                                 "stopped.",
                                 "Grade it: ./grade LAB --only TASK"},
        },
    [EXPLAIN_CUDA] =
        {
            [VERDICT_WRONG] =
                {"It ran to its end, but an output lies outside the bound that rounding can "
                 "explain. The first such element is named above.",
                 "Run the command above until it is right: which block and thread writes that "
                 "element, and is it at an edge of the grid, of a tile or of the array?"},
            [VERDICT_UNSAFE] =
                {"Right results, but the checker saw a race, an access out of bounds, a read of "
                 "what nobody wrote or a leak. Such code is right by luck, and may not be on a "
                 "GPU.",
                 "Look at the kernel, block, thread and line named above: is a __syncthreads() "
                 "missing, or a test of the range?"},
            [VERDICT_CRASH] =
                {"The process that ran it died of a signal or ended by itself.",
                 "Most often an index beyond an array, or a pointer of the device used by the "
                 "host: ./hpclab run LAB/TASK --impl IMPL --safety checker names the line."},
            [VERDICT_TIMEOUT] =
                {"It was not done within the time that the task allows for a call.",
                 "A loop that does not end, a barrier that not all threads of a block reach, or "
                 "far too many blocks: try the smallest case."},
        },
    [EXPLAIN_SHEET] =
        {
            [VERDICT_WRONG] =
                {"At least one answer is not what was worked out or measured, within its "
                 "tolerance; each right one has earned its points.",
                 "The first is named above, and results/LAB/TASK.txt has a line for each. Mend "
                 "labs/LAB/FILE, and type ./grade LAB --only TASK."},
            [VERDICT_BUILD] = {"labs/LAB/FILE could not be read as answers.",
                               "The reason names the line; a sheet has lines KEY = VALUE, as the "
                               "starter in labs/LAB/starter/FILE has them."},
            [VERDICT_NOISY] =
                {"Your answers are compared with what is measured here, and the machine was too "
                 "busy or unsteady to measure it: their points wait.",
                 "Close other programs, plug in the power, and type ./grade LAB --only TASK again; "
                 "./hpclab doctor shows the load."},
            [VERDICT_REJECTED] = {"labs/LAB/FILE holds what no sheet of answers needs.",
                                  "The reason names it."},
            [VERDICT_ENVIRONMENT] =
                {"The machine failed, not your answers; nothing is held "
                 "against them.",
                 "See ./hpclab doctor, and type ./grade LAB --only TASK again."},
        },
};

static const struct explanation explain_right_sheet = {
    "Every answer that was asked for is right, within its tolerance.",
    "Nothing is left to do here: results/LAB/TASK.txt has a line for each."};

static const struct explanation explain_unmarked = {
    "No answer was looked at, so none is wrong yet: the reason names what comes first.",
    "Do that in labs/LAB/FILE, and type ./grade LAB --only TASK."};

static const struct explanation explain_starter = {
    "Nobody has written in labs/LAB/FILE yet, so it is not looked at for mistakes.",
    "The comment at its head says what it is to do, and the lab's handout which step comes first; "
    "then ./grade LAB --only TASK --quick."};

const struct explanation *explained_words(const struct task_result *t, enum explain_kind kind)
{
    const enum verdict v = t->outcome.verdict;
    if (v == VERDICT_WRONG && strstr(t->outcome.reason, RECORD_STARTER))
        return &explain_starter;
    if (v == VERDICT_WRONG && kind == EXPLAIN_SHEET && t->correctness.cases == 0)
        return &explain_unmarked;
    if (v != VERDICT_PASS)
        return explain_verdicts[kind][v].means ? &explain_verdicts[kind][v]
                                               : &explain_verdicts[EXPLAIN_C][v];
    if (kind == EXPLAIN_SHEET)
        return &explain_right_sheet;
    for (int i = 0; t->traffic.measured && i < t->traffic.n; i++)
        if (!t->traffic.mark[i].met)
            return &explain_passes[PASS_TRAFFIC];
    if (t->points < t->max_points - 0.005)
        return &explain_passes[t->speed.measured ? PASS_SPEED : PASS_REASON];
    if (t->pending > 0)
        return &explain_passes[PASS_WAITS];
    return &explain_passes[strstr(t->safety, "unchecked") ? PASS_UNSEEN : PASS_FULL];
}
