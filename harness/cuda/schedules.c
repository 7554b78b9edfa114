/* `hpclab cuda --schedules N`: the program under several orders of threads and blocks. What it
 * copies to the host and what it prints is compared with the first order's; values that differ as
 * sums in another order do are the same. */
#define _GNU_SOURCE
#include "harness/cuda/cuda.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/runtime/device.h"
#include "common/command.h"

/* One copy to the host, as device/runtime/schedule.c writes it down. */
struct copy {
    size_t bytes, stored;
    uint64_t hash;
    char place[600]; /* FILE:LINE */
    unsigned char *data;
};

static bool copy_read(FILE *f, struct copy *c)
{
    *c = (struct copy){0};
    if (fscanf(f, "%zu %zu %lx %599[^\n]", &c->bytes, &c->stored, &c->hash, c->place) != 4 ||
        fgetc(f) != '\n')
        return false;
    c->data = hpc_malloc(c->stored + 1);
    return fread(c->data, 1, c->stored, f) == c->stored;
}

/* Floating-point values that another order of additions may give. Whole numbers are no such: as
 * floats they are denormal, up to 8 million. */
static bool close_values(double a, double b, double tolerance)
{
    return isnormal(a) && isnormal(b) && fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

static bool close_floats(const struct copy *a, const struct copy *b)
{
    for (size_t i = 0; i + 4 <= a->stored; i += 4) {
        float x, y;
        memcpy(&x, a->data + i, 4);
        memcpy(&y, b->data + i, 4);
        if (memcmp(a->data + i, b->data + i, 4) != 0 && !close_values((double)x, (double)y, 1e-4))
            return false;
    }
    return a->stored % 4 == 0;
}

static bool close_doubles(const struct copy *a, const struct copy *b)
{
    for (size_t i = 0; i + 8 <= a->stored; i += 8) {
        double x, y;
        memcpy(&x, a->data + i, 8);
        memcpy(&y, b->data + i, 8);
        if (memcmp(a->data + i, b->data + i, 8) != 0 && !close_values(x, y, 1e-9))
            return false;
    }
    return a->stored % 8 == 0;
}

static bool same_copy(const struct copy *a, const struct copy *b)
{
    if (a->bytes != b->bytes || strcmp(a->place, b->place) != 0)
        return false;
    if (a->hash == b->hash)
        return true;
    return a->stored == a->bytes && b->stored == b->bytes &&
           (close_floats(a, b) || close_doubles(a, b));
}

/* A schedule report: as text, or as one line of JSON for HPC_DEVICE_KEY. `place` is FILE:LINE or
 * FILE. */
static void report(const char *order, const char *place, const char *what)
{
    static const char advice[] =
        "look for threads that use what others write without a barrier between, and for memory "
        "that "
        "is read before it is written; where the order of results is free by design, none is wrong";
    const char *key = getenv("HPC_DEVICE_KEY"), *colon = strrchr(place, ':');
    int line = colon ? atoi(colon + 1) : 0;
    if (!key || !*key)
        fprintf(stderr,
                "check: schedule: %s of %s differs between the orders forward and %s of threads "
                "and blocks; %s\n",
                what, place, order, advice);
    else
        fprintf(stderr,
                "@%s {\"kind\":\"schedule\",\"file\":\"%.*s\",\"line\":%d,\"text\":\"%s differs "
                "between the orders forward and %s of threads and blocks\",\"advice\":\"%s\"}\n",
                key, (int)(line > 0 ? colon - place : (long)strlen(place)), place, line, what,
                order, advice);
}

static bool same_copies(const char *first, const char *second, const char *order)
{
    FILE *f = fopen(first, "r"), *g = fopen(second, "r");
    bool same = f && g;
    while (same) {
        struct copy a, b;
        bool more_a = copy_read(f, &a), more_b = copy_read(g, &b);
        same = more_a == more_b && (!more_a || same_copy(&a, &b));
        if (!same)
            report(order, more_a ? a.place : b.place, "the copy to the host");
        free(a.data);
        free(b.data);
        if (!more_a)
            break;
    }
    if (f)
        fclose(f);
    if (g)
        fclose(g);
    return same;
}

/* The same text, but for numbers that differ in their last digits: those are told by the copies. */
static bool same_text(const char *a, const char *b)
{
    while (*a || *b) {
        char *end_a, *end_b;
        if (*a == *b) {
            a++;
            b++;
            continue;
        }
        while (a[-1] && strchr("0123456789.eE+-", a[-1])) { /* back to the number's beginning */
            a--;
            b--;
        }
        double x = strtod(a, &end_a), y = strtod(b, &end_b);
        if (end_a == a || end_b == b || !close_values(x, y, 1e-4))
            return false;
        a = end_a;
        b = end_b;
    }
    return true;
}

static bool same_output(const struct cuda_job *job, const char *order)
{
    char *first = command_text(job->folder, "stdout-0", NULL);
    char *second = command_text(job->folder, "stdout", NULL);
    char *a = hpc_printf("\n%s", first ? first : ""), *b = hpc_printf("\n%s", second ? second : "");
    bool same = same_text(a + 1, b + 1);
    if (!same)
        report(order, job->files[0], "the output");
    free(a);
    free(b);
    free(first);
    free(second);
    return same;
}

static void show(const struct cuda_job *job, const char *name, FILE *to)
{
    char *text = command_text(job->folder, name, NULL);
    if (text)
        fputs(text, to);
    fflush(to);
    free(text);
}

static void order_name(int k, char *name, size_t size)
{
    if (k < 2)
        snprintf(name, size, "%s", k == 0 ? "forward" : "reverse");
    else
        snprintf(name, size, "random:%d", k - 1);
}

/* One order; the first is what the user sees. `clean`: nothing was found so far. */
static int run_order(const struct cuda_job *job, int k, bool clean, struct hpc_error *err)
{
    char order[40];
    struct cuda_end end;
    char *first = hpc_printf("%s/copies-0", job->folder);
    char *copies = hpc_printf("%s/copies", job->folder),
         *errors = hpc_printf("%s/stderr", job->folder);
    char *out = hpc_printf("%s/stdout%s", job->folder, k == 0 ? "-0" : "");
    order_name(k, order, sizeof order);
    unlink(copies);
    setenv("HPC_DEVICE_ORDER", order, 1);
    setenv("HPC_DEVICE_COPIES", k == 0 ? first : copies, 1);
    bool ok = cuda_run_once(job, out, k == 0 ? NULL : errors, &end, err);
    int status = ok ? HPC_EXIT_OK : HPC_EXIT_ENVIRONMENT;
    /* A program that looks at its own results may well end otherwise because of them. */
    bool differs = ok && k > 0 && WIFEXITED(end.status) &&
                   WEXITSTATUS(end.status) != DEV_EXIT_REPORTS &&
                   (!same_copies(first, copies, order) || !same_output(job, order));
    if (k == 0)
        show(job, "stdout-0", stdout);
    else if (ok && clean && WIFEXITED(end.status) && WEXITSTATUS(end.status) != 0)
        show(job, "stderr", stderr);
    if (ok && ((clean && !differs) || end.interrupted))
        status = cuda_tell(job, &end);
    if (differs && status == HPC_EXIT_OK)
        status = HPC_EXIT_BELOW;
    free(first);
    free(copies);
    free(errors);
    free(out);
    return status;
}

int cuda_schedules(const struct cuda_job *job, struct hpc_error *err)
{
    int worst = HPC_EXIT_OK;
    for (int k = 0; k < job->schedules; k++) {
        int status = run_order(job, k, worst == HPC_EXIT_OK, err);
        worst = status > worst ? status : worst;
        if (status > HPC_EXIT_BELOW || (k > 0 && status != HPC_EXIT_OK))
            break; /* one difference is enough */
    }
    return worst;
}
