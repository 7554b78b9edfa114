/* Findings: kept until the launch's end, so that a line can say how often it happened there, and
 * printed as text or, under check_report_key, as JSON (docs/device.md). */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/report/report.h"

/* Findings after that many are counted only: the first ones are what has to be mended first. */
enum { MAX_FINDINGS = 100, MAX_KNOWN = 1024 };

const char *check_report_key;

/* Before any code of the program: whoever knows the key can forge reports. */
__attribute__((constructor(101))) static void take_key(void)
{
    char *key = getenv("HPC_DEVICE_KEY");
    if (!key || !key[0])
        return;
    static char kept[64]; /* on the heap a variant could come upon it */
    snprintf(kept, sizeof kept, "%s", key);
    check_report_key = kept;
    explicit_bzero(key, strlen(key));
    unsetenv("HPC_DEVICE_KEY");
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What was found, by kind, kernel and return addresses: several may share a finding, since one
 * line may be several instructions. */
static struct known {
    const char *kind, *kernel; /* kind NULL: free */
    uintptr_t from, other;
    size_t finding; /* MAX_FINDINGS: left out */
} knowns[MAX_KNOWN];
static size_t known_count;

static struct finding *findings[MAX_FINDINGS];
static unsigned long counts[MAX_FINDINGS], left_out;
static size_t finding_count, printed;

/* The entry of that key, or the free one where it belongs. */
static struct known *lookup(const char *kind, const char *kernel, uintptr_t from, uintptr_t other)
{
    size_t i = ((from ^ other * 31) * UINT64_C(0x9E3779B97F4A7C15)) >> 40;
    for (;; i++) {
        struct known *k = &knowns[i % MAX_KNOWN];
        if (!k->kind ||
            (k->from == from && k->other == other && strcmp(k->kind, kind) == 0 &&
             (k->kernel == kernel || (kernel && k->kernel && strcmp(k->kernel, kernel) == 0))))
            return k;
    }
}

static uintptr_t key_of(const void *place)
{
    return (uintptr_t)place & UINT32_MAX;
}

static const char *kernel_now(void)
{
    return dev_self && check_now.launch ? check_now.launch->kernel : NULL;
}

/* Accesses out of bounds at one place after which a loop may run away with them: its end is the
 * process's, by a limit, which prints nothing. */
enum { RUNS_AWAY = 1 << 18 };

/* Whether what was found is better told at once. */
static bool count_again(const struct known *k)
{
    return k->finding < MAX_FINDINGS && ++counts[k->finding] == RUNS_AWAY &&
           strncmp(k->kind, "oob", 3) == 0;
}

bool check_report_seen(const char *kind, const void *from, const void *other)
{
    pthread_mutex_lock(&lock);
    const struct known *k = lookup(kind, kernel_now(), key_of(from), key_of(other));
    bool seen = k->kind != NULL;
    if (seen && count_again(k))
        check_report_flush();
    else if (!seen && known_count >= MAX_KNOWN / 2) {
        left_out++;
        seen = true;
    }
    pthread_mutex_unlock(&lock);
    return seen;
}

bool check_report_of(const struct place *p)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < finding_count && !found; i++)
        found = !p || (findings[i]->at.place.line == p->line &&
                       strcmp(findings[i]->at.place.file, p->file) == 0);
    pthread_mutex_unlock(&lock);
    return found;
}

static bool same_line(const struct side *a, const struct side *b)
{
    return a->place.line == b->place.line && strcmp(a->place.file, b->place.file) == 0;
}

static bool is_same(const struct finding *f, const struct finding *g)
{
    if (strcmp(f->kind, g->kind) != 0 || f->has_other != g->has_other ||
        strcmp(f->variable, g->variable) != 0 ||
        strcmp(f->kernel ? f->kernel : "", g->kernel ? g->kernel : "") != 0)
        return false;
    if (!f->has_other) /* other advice: another mistake on the same line */
        return same_line(&f->at, &g->at) && strcmp(f->advice, g->advice) == 0;
    return (same_line(&f->at, &g->at) && same_line(&f->other, &g->other)) ||
           (same_line(&f->at, &g->other) && same_line(&f->other, &g->at));
}

void check_report_add(const struct finding *f, const void *from, const void *other)
{
    pthread_mutex_lock(&lock);
    size_t i = 0;
    while (i < finding_count && !is_same(findings[i], f))
        i++;
    if (i < finding_count) {
        counts[i]++;
        if (f->weight > findings[i]->weight && i >= printed)
            *findings[i] = *f;
    } else if (i < MAX_FINDINGS && (findings[i] = malloc(sizeof *f))) {
        *findings[i] = *f;
        counts[i] = 1;
        finding_count++;
    } else {
        i = MAX_FINDINGS;
        left_out++;
    }
    struct known *k = lookup(f->kind, f->kernel, key_of(from), key_of(other));
    if (!k->kind) {
        *k = (struct known){f->kind, f->kernel, key_of(from), key_of(other), i};
        known_count++;
    }
    pthread_mutex_unlock(&lock);
}

/* Places of reads, at most half of the table. */
enum { MAX_ASKING = 512 };
static uintptr_t asking[MAX_ASKING];
static size_t asking_count;

static uintptr_t *asking_entry(const void *from)
{
    size_t i = (key_of(from) * UINT64_C(0x9E3779B97F4A7C15)) >> 40;
    while (asking[i % MAX_ASKING] && asking[i % MAX_ASKING] != key_of(from))
        i++;
    return &asking[i % MAX_ASKING];
}

void check_report_asks(const void *from)
{
    pthread_mutex_lock(&lock);
    uintptr_t *entry = asking_entry(from);
    if (!*entry && asking_count < MAX_ASKING / 2) {
        *entry = key_of(from);
        asking_count++;
    }
    pthread_mutex_unlock(&lock);
}

/* A race of such a read is told as what it is, when all threads are through. */
static void look_at_asking(struct finding *f)
{
    if (!f->asks || !*asking_entry(f->asks))
        return;
    f->note = true;
    check_append(f->text, sizeof f->text, ", before an atomic operation of its own");
    f->advice[0] = '\0';
    check_append(
        f->advice, sizeof f->advice,
        "use what the operation returns, or read it by an atomic operation or a volatile pointer, "
        "since a plain read may have any value; right only where an old value does no harm");
}

static unsigned long keyed_lines;

/* Past stdio, whose streams are the program's to change. */
static void write_whole(const char *line)
{
    for (size_t left = strlen(line); left > 0;) {
        const ssize_t n = write(STDERR_FILENO, line, left);
        if (n < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = STDERR_FILENO, .events = POLLOUT}, 1, -1);
        else if (n < 0 && errno != EINTR)
            return;
        line += n > 0 ? n : 0;
        left -= n > 0 ? (size_t)n : 0;
    }
}

void check_report_print(const char *json, const char *text)
{
    fflush(stdout); /* what the program said before comes before */
    if (check_report_key) {
        char line[MAX_REPORT + 64];
        snprintf(line, sizeof line, "@%s %s\n", check_report_key, json);
        write_whole(line);
        keyed_lines++;
    } else {
        fprintf(stderr, "%s\n", text);
    }
}

void check_report_end(void)
{
    char json[80];
    snprintf(json, sizeof json, "{\"kind\":\"end\",\"lines\":%lu}", keyed_lines);
    if (check_report_key)
        check_report_print(json, "");
}

/* Causes come before what follows from them: a tile that is read too early was not written yet. */
static int rank(const struct finding *f)
{
    static const char *const first[] = {"divergent", "race", "oob", "host", "device"};
    for (int i = 0; i < (int)(sizeof first / sizeof *first); i++)
        if (strncmp(f->kind, first[i], strlen(first[i])) == 0)
            return i;
    return INT_MAX;
}

void check_report_flush(void)
{
    char json[MAX_REPORT], text[MAX_REPORT];
    for (; printed < finding_count; printed++) {
        size_t next = printed;
        for (size_t i = printed; i < finding_count; i++)
            if (rank(findings[i]) < rank(findings[next]))
                next = i;
        struct finding *f = findings[next];
        unsigned long count_of_f = counts[next];
        memmove(findings + printed + 1, findings + printed, (next - printed) * sizeof *findings);
        memmove(counts + printed + 1, counts + printed, (next - printed) * sizeof *counts);
        findings[printed] = f;
        look_at_asking(f);
        counts[printed] = count_of_f;
        check_report_json(json, sizeof json, f, count_of_f);
        check_report_text(text, sizeof text, f, count_of_f);
        check_report_print(json, text);
    }
}

int check_report_count(void)
{
    if (left_out) {
        char line[160];
        snprintf(line, sizeof line, "check: %lu more findings at other places are left out",
                 left_out);
        if (!check_report_key)
            check_report_print("", line);
        left_out = 0;
    }
    int count = 0;
    for (size_t i = 0; i < finding_count; i++)
        count += !findings[i]->note;
    return count;
}
