/* What the files of a task's grading share. Users include harness/grade/task.h. */
#ifndef HPC_HARNESS_GRADE_INTERNAL_H
#define HPC_HARNESS_GRADE_INTERNAL_H

#include "harness/grade/grading.h"
#include "harness/trial/trial.h"

/* cases.c. "./hpclab run LAB/TASK --impl I --case C --seed N", with the option behind it. */
void grade_reproduce(const struct grading *g, const struct lab_task *task, const struct lab_case *c,
                     const char *option, struct task_result *result);

/* " (in case NAME)", where what was seen is of another case than the one that failed; else "". */
const char *grade_elsewhere(const struct lab_case *seen, const struct lab_case *failing, char *text,
                            size_t size);

/* " --threads 4", where what failed has another number of threads than the task; else "". */
const char *grade_more_threads(const struct trial *t);

/* How many times the seconds of the case before c may take, in the order below. */
double grade_growth(const struct grading *g, const struct lab_task *task, const struct lab_case *c);

/* The cases at[0 .. n) of the lab as they are asked about: with --quick those of least work first,
 * and before them `first`, one that failed, or NULL. Returns how many; `cases` has room for n + 1.
 */
int grade_order(const struct grading *g, const struct lab_task *task, const int *at, int n,
                const struct lab_case *first, const struct lab_case *cases[]);

#define GRADE_QUICK_SECONDS 3 /* of a --quick grading's, for a sanitizer or the checker */
/* With --quick, the seconds of a run that is looked into: these, or the task's where they are
 * fewer. */
void grade_hurry(const struct grading *g, struct jail_limits *limits);

/* All cases. Reason, hint and command are those of *failing: of the failures whose hint
 * most share, else of all, the first, or where it is wrong or died the visible one of least work.
 */
void grade_cases(const struct grading *g, struct trial *t, struct task_result *result,
                 const struct lab_case **failing);

/* sanitizers.c. The cases again under the task's sanitizers: verdict, `safety`; for a result that
 * is wrong already, a hint from them, with --quick of `failing` before all others. */
void grade_sanitize(const struct grading *g, struct trial *t, struct task_result *result);
bool grade_ask_address(
    const struct grading *g, struct trial *t, const struct lab_case *failing,
    struct task_result *result); /* the address sanitizer alone; whether it sees */
void grade_ask_sanitizers(const struct grading *g, struct trial *t, const struct lab_case *failing,
                          struct task_result *result);

/* Whether of a call that did not return a thread runs, and does not wait: its loop's bound, or what
 * it was computed from, may have been overwritten. */
bool grade_runs_on(const struct outcome *o);

/* Whether a watched build that came to this, of what was built without, leaves the solution unseen:
 * all but what this machine lacks. */
bool grade_unseen(enum verdict verdict);

/* quote.c. Behind the hint: those lines of the student's file that reason and hint name. */
void grade_quote(const struct grading *g, struct trial *t, struct task_result *result);
/* Path of the source and number of the line of a place below root, "F:18 .."; NULL where `at` is
 * none. The caller's. */
char *grade_place(const char *root, const char *at, long *number);
/* Line `number` of a file, from 1 on, without blanks at its ends; false where it has none. */
bool grade_line(const char *path, long number, char *line, size_t size);

/* regions.c. Of a race at line `at` of the source `path`, in front of all other hints, where
 * OpenMP's pragmas say it: who was let go on without waiting, a region inside another, or how many
 * threads a place that none are at was asked. False where nothing is said. */
bool grade_regions(const char *path, const char *file, long at, struct outcome *o);

/* hang.c. Into the hint: why a call did not return. */
void grade_explain_hang(const struct grading *g, struct trial *t, const struct lab_case *failing,
                        struct task_result *result);
/* The same of one in CUDA that was ended at its limit of threads. */
void grade_explain_limit(struct outcome *o);

/* checker.c. The same with the CPU device's checker, of a task in CUDA. */
void grade_check(const struct grading *g, struct trial *t, struct task_result *result);
void grade_ask_checker(const struct grading *g, struct trial *t, const struct lab_case *failing,
                       struct task_result *result);
/* traffic.c. Points for the bounds that are met; a reason for the first that is not. */
void grade_traffic(const struct grading *g, struct trial *t, struct task_result *result);

/* diagnose.c. Into the hint: what the solution, wrong in `c`, is wrong about; into the command: the
 * smallest case that fails. */
void grade_diagnose(const struct grading *g, struct trial *t, const struct lab_case *c,
                    struct task_result *result);

/* Where in a reason words begin that tell numbers, what is right and what is wrong, or a part, and
 * no cause, which the compiler's warning may be: ": right with n = 1, wrong with ..", ": the delta
 * of .. is wrong (..". NULL: no such words, or the warning explains none of them. */
const char *grade_without_cause(const char *reason, const char *warning);

/* macros.c. A macro of the source whose value has no brackets around it where it is used
 * so that an operator beside it takes it apart: "labs/lab2/x.c:25: #define MIN has no brackets ..".
 * path: where it lies. */
#define GRADE_NO_BRACKETS "has no brackets"
bool grade_macro(const char *path, const char *source, char *text, size_t size);

/* exchanged.c. Of a solution in CUDA that fails: whether a launch gives two of a kernel's
 * parameters in each other's place, by their names, said in front. */
void grade_exchanged(const struct grading *g, struct trial *t, struct task_result *result);

/* remarks.c. What the source says of a right result, as the hint: what the compiler warns of, a
 * wait for a condition that is asked about once. Of one that one thread alone works at: why. Of
 * memory that is too short: that its allocation counts elements. */
void grade_remark(const struct grading *g, struct trial *t, struct task_result *result);
/* What the compiler warned of just above the line that it did not take. */
void grade_build_warning(const struct grading *g, struct trial *t, struct task_result *result);
/* What the compiler warned of, as a remark behind all other words; a variable that nobody sets
 * before those that name no cause. */
void grade_add_warning(const struct grading *g, struct trial *t, struct task_result *result);
void grade_say_alone(const struct grading *g, struct trial *t, struct task_result *result);
/* Of a call that does not return: whether it is in what a thread that it starts was to run, said in
 * front. */
bool grade_called_start(const struct grading *g, struct trial *t, struct task_result *result);
/* Of a thread that waits for a mutex that it has: whether it got that from a wait for a condition
 * which it entered without, which is said in front. */
bool grade_unheld_wait(const struct grading *g, struct trial *t, struct task_result *result);
void grade_say_bytes(const struct grading *g, struct trial *t, struct task_result *result);

/* doubles.c. Into the hint: where a kernel makes a float a double. */
void grade_doubles(const struct grading *g, struct trial *t, struct task_result *result);

/* locks.c. The time in locks, of a profile of several threads. */
struct lock_time {
    char name[60];              /* "the critical section", "the lock s->mutex" */
    char place[EXCHANGE_PLACE]; /* where most of it passes */
    int at, own;                /* samples: taking or giving back locks; in the program itself */
    bool shared;                /* critical sections without a name, at several lines */
};
/* False where its threads were never seen at one. root: of the places. */
bool lock_time(const char *root, const struct exchange_profile *p, struct lock_time *l);
/* The first lock that the source of `place`, "F:18 ..", takes, but those that a condition is waited
 * for with: its name and place. */
bool lock_of_work(const char *root, const char *place, struct lock_time *l);
/* What the source line waits for, "the lock s->mutex"; false: it is no lock. */
bool lock_name(const char *line, char *name, size_t size);

/* missing.c. Of what was handed in: a file that is not there is said so, in place of how to make
 * it.
 */
void grade_missing(const struct grading *g, const struct lab_task *task,
                   struct task_result *result);
/* Into the hint, of a file that is still the starter: another one beside it, of no task, that may
 * be meant; else nothing. */
void grade_misnamed(const struct grading *g, const struct lab_task *task,
                    struct task_result *result);

/* shared.c. False sharing and the numbers that show it; false where it is too little to matter.
 * root: of the places. */
bool shared_words(const char *root, const struct trial_meeting *m, char *text, size_t size,
                  char *numbers, size_t numbers_size);
/* What a source line writes, "s->sum" of "s->sum[me] += x;"; false: nothing in memory. */
bool store_name(const char *line, char *name, size_t size);

/* slow.c. Of one in C: what it was seen to do, into the result's counters, `whole` with what takes
 * the machine's memory for a moment; and where it is `slow`, why. */
void grade_slow(const struct grading *g, struct trial *t, bool slow, bool whole,
                struct task_result *result);

/* What a profile shows, the clearest first: threads that wait, calls, a loop without vectors. */
bool grade_slow_words(const struct exchange_profile *p, int threads, char *text, size_t size);

/* Threads that fetch the next few steps of a loop again and again: schedule(dynamic). root: of the
 * places. */
bool grade_dynamic_words(const char *root, const struct exchange_profile *p, int threads,
                         char *text, size_t size);

/* stride.c. A line with a quarter of the time in a loop whose steps are rows, not neighbours. root:
 * of the places. */
bool grade_stride_words(const char *root, const struct exchange_profile *p, char *text,
                        size_t size);
/* One whose sums are in memory and not in registers; and behind words of a loop without vectors,
 * the if in it. */
bool grade_sums_words(const char *root, const struct exchange_profile *p, char *text, size_t size);
void grade_if_words(const char *root, const struct exchange_profile *p, char *text, size_t size);

/* speed.c */
void grade_speed(const struct grading *g, struct trial *t, struct task_result *result);

/* endless.c. Of threads that wait in a barrier of their own, in front of the hint: that what they
 * compare is shared, or was taken too late. Of a loop that runs on, in the reason: why. */
bool grade_endless_wait(const struct grading *g, const struct trial *t, struct outcome *o);
bool grade_endless_loop(const struct grading *g, const struct trial *t, struct outcome *o);

#endif
