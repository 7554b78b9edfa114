/* Keys of tasks in CUDA: traffic, and speed as a share of a copy's. */
#include "harness/lab/read.h"
#include "harness/build/ptx.h"

/* Whether the task's baseline is a .cu file, whose time on a GPU a student's can be compared with.
 */
static bool device_baseline(const struct task_reader *r)
{
    const struct variant *v = catalogue_find(r->m->catalogue, r->task->baseline);
    return v && device_source(v->file);
}

static bool copy_at_hand(const struct task_reader *r)
{
    const char *copy = r->task->op->copy;
    return copy && lab_file_exists(r->m->root, copy);
}

static bool known_instructions(const struct task_reader *r)
{
    const char *rest = r->task->instructions;
    char word[LAB_NAME];
    while (lab_next_word(&rest, word, sizeof word))
        if (!ptx_word(word))
            return task_wrong(r, "instructions", word, ptx_words);
    return true;
}

bool lab_read_cuda(const struct task_reader *r)
{
    struct lab_task *t = r->task;
    if (!device_source(t->file)) {
        static const char *const keys[] = {"traffic",     "traffic_case", "points_traffic",
                                           "check_cases", "target_copy",  "instructions"};
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (ini_find(r->s, keys[i]))
                return task_wrong(r, keys[i], "given", "it with a .cu file only");
        if (!lab_read_switch(r->m->file, r->s, "even_ranks", "no", "yes", &t->even_ranks,
                             r->m->err))
            return false;
        if (t->even_ranks && (t->threads_case < 0 || !t->op->ranks))
            return task_wrong(r, "even_ranks", "yes", "it with a threads_case of ranks only");
        return t->threads_case < 0 || t->threads != 1 || t->op->ranks ||
               task_wrong(r, "threads_case", "given", "it with threads = 2 or more");
    }
    if (t->threads_case >= 0 || ini_find(r->s, "even_ranks"))
        return task_wrong(r, "threads_case", "given", "it with a .c file only");
    if (!known_instructions(r))
        return false;
    if (!*t->traffic != (t->traffic_case < 0) || (t->points_traffic > 0 && !*t->traffic))
        return task_missing(r, *t->traffic ? "traffic_case" : "traffic");
    if (t->target_copy > 0 && t->points_speed == 0)
        return task_wrong(r, "target_copy", "given", "points_speed with it");
    if (t->points_speed > 0 && !(t->target_copy > 0) && !(t->target > 0 && device_baseline(r)))
        return task_wrong(r, "points_speed", "given",
                          "target_copy with it, or target and a baseline in CUDA");
    char why[200];
    t->n_bounds = traffic_bounds_parse(t->traffic, t->bounds, TRAFFIC_MAX_BOUNDS, why, sizeof why);
    if (t->n_bounds < 0)
        return task_wrong(r, "traffic", t->traffic, why);
    return !(t->target_copy > 0) || copy_at_hand(r) ||
           task_wrong(r, "target_copy", "given", "an operation whose op/copy.cu is here");
}
