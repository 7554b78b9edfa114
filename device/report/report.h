/* Reports: what was found, said to people and to programs (report.c, text.c, words.c). */
#ifndef HPC_DEVICE_CHECK_REPORT_H
#define HPC_DEVICE_CHECK_REPORT_H

#include "device/shadow/shadow.h"

/* A finding's text as JSON: its at most seven strings of up to MAX_STRING characters each, which
 * their readers must not find cut in the middle of a line. */
enum { MAX_STRING = 1000, MAX_REPORT = 8192 };

struct side {
    struct dev_index block, thread;
    struct place place;
    bool write;
};

struct finding {
    const char *kind;   /* of docs/device.md */
    const char *kernel; /* NULL: host code */
    struct side at;
    bool has_other, has_offset;
    struct side other;
    long long offset;
    int weight;       /* of findings at the same lines the heaviest is told */
    bool note;        /* it leaves the program's exit status */
    const void *asks; /* a plain read that races with atomic operations alone; or NULL */
    char variable[160];
    char text[768], advice[400];
};

/* Whether a finding of this kind at these places is known of the running kernel (or the host): then
 * it has been counted, and there is nothing to do. Cheap. */
bool check_report_seen(const char *kind, const void *from, const void *other);
/* Remembers a finding for which check_report_seen said no. */
void check_report_add(const struct finding *f, const void *from, const void *other);
/* What is read at this place only decides whether an atomic operation on the same bytes follows, as
 * in `if (x > *p) atomicMax(p, x)`: some thread has gone on with one. Races of it are notes. */
void check_report_asks(const void *from);
/* Prints what was not printed. */
void check_report_flush(void);
/* Whether anything is known of this line; NULL: of any. */
bool check_report_of(const struct place *p);
/* How many findings there were, without notes. */
int check_report_count(void);
/* A signal that ends the process prints first what was found; before that, it calls
 * check_report_waiting where it is not NULL: what has waited for the next access. */
void check_report_on_signals(void);
extern void (*check_report_waiting)(void);
/* An error that nobody looked at is a finding now. */
void check_unseen_tell(void);
/* One line on stderr: the JSON where check_report_key is set, else the text. */
void check_report_print(const char *json, const char *text);
/* Under check_report_key the last line: how many there were before it, so that whoever reads them
 * knows that none is missing. */
void check_report_end(void);

/* A finding at the running thread's access, its text still empty. */
struct finding check_finding_here(const char *kind, const void *from);
/* The same, with "TITLE in KERNEL: thread .. reads 4 bytes at FILE:LINE" as its text. */
struct finding check_finding_access(const char *kind, const char *title, const struct access *a);
/* blocks.c. Whether an access of host code is beside a block of the heap; then it is told. */
bool check_block_met(const struct access *a);
void check_report_site(struct place *p, struct dev_site site);
/* The threads' x, y, z from a linear index. */
struct dev_index check_report_index(uint64_t linear, struct dev_index size);
/* "thread (1,0,0) of block (2,0,0)" */
void check_report_thread(char *text, size_t size, const struct side *s);
/* printf at the end of what is in text. */
void check_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A string's characters as JSON has them, without the quotes, at the end of what is in text; the
 * rest is left out behind MAX_STRING characters. */
void check_append_json(char *text, size_t size, const char *s);

void check_report_json(char *text, size_t size, const struct finding *f, unsigned long count);
void check_report_text(char *text, size_t size, const struct finding *f, unsigned long count);

#endif
