#define _GNU_SOURCE
#include "harness/jail_doctor.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/jail_internal.h"
#include "harness/ui.h"

#define OUTPUT_BYTES 8192

static const struct jail_finding all[] = {
#define ATTEMPT(function, need, words) {.name = #function, .text = (words), .needed = (need)},
#include "harness/jail_attempts.def"
    {.name = NULL},
};

static struct jail_finding *find(struct jail_finding *findings, const char *name)
{
    while (strcmp(findings->name, name) != 0)
        findings++;
    return findings;
}

/* Take over the probe's lines. */
static void read_lines(const char *output, struct jail_finding *findings)
{
    for (struct jail_finding *f = findings; f->name; f++) {
        char line[80];
        int length = snprintf(line, sizeof line, "%s ", f->name);
        const char *p = output;
        while ((p = strstr(p, line)) != NULL && p > output && p[-1] != '\n')
            p++;
        f->told = p != NULL;
        f->allowed = p && p[length] == '1';
    }
}

struct jail_finding *jail_try(struct hpc_error *err)
{
    static struct jail_finding findings[sizeof all / sizeof *all];
    char here[PATH_MAX] = "", probe[PATH_MAX], folder[PATH_MAX], pid[16];
    memcpy(findings, all, sizeof all);
    if (!jail_find_above("lib/jail-probe", probe, sizeof probe, folder, sizeof folder)) {
        hpc_fail_env(err, "build/lib/jail-probe is not there; type make");
        return NULL;
    }
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    here[n > 0 ? n : 0] = '\0';
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    const char *const argv[] = {probe, here, pid, NULL};
    const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
    struct jail_spec spec = {.argv = argv,
                             .env = env,
                             .read_only = {probe},
                             .fds = {-1, -1},
                             .profile = JAIL_RUN,
                             .limits = {.cpu_seconds = 20,
                                        .wall_seconds = 20,
                                        .memory_bytes = (size_t)256 << 20,
                                        .file_bytes = 16 << 20,
                                        .output_bytes = OUTPUT_BYTES,
                                        .processes = 64}};
    struct jail *jail = jail_start(&spec, err);
    if (!jail)
        return NULL;
    char output[OUTPUT_BYTES];
    struct jail_end end;
    jail_wait(jail, &end, output, sizeof output);
    read_lines(output, findings);
    /* What can be seen from here only. */
    char *beside = hpc_printf("%s.jail-probe", here);
    find(findings, "write_beside")->allowed = unlink(beside) == 0;
    free(beside);
    if (end.process_limit)
        find(findings, "many_threads")->told = true;
    if (!findings[0].told) {
        hpc_fail_env(err, "the jail's probe ended: %s", end.why);
        return NULL;
    }
    return findings;
}

static void print_finding(const struct jail_finding *f)
{
    bool good = f->told && f->allowed == f->needed;
    printf("  %s%s%s %-42s %s\n", ui_style(good ? UI_GOOD : UI_BAD), good ? ui_tick() : ui_cross(),
           ui_style(UI_PLAIN), f->text,
           !f->told     ? "not tried: the probe had ended"
           : f->allowed ? "allowed"
                        : "refused");
}

int jail_doctor(void)
{
    struct hpc_error err;
    const struct jail_finding *findings = jail_try(&err);
    int wrong = 0;
    if (!findings)
        return hpc_report(&err);
    printf("jail: %s", jail_description());
    for (int t = JAIL_TIERS - 1; t >= 0; t--)
        printf("%s%s%s", t == JAIL_TIERS - 1 ? " (tiers here: " : "",
               jail_tier_works((enum jail_tier)t) ? jail_tier_name((enum jail_tier)t) : "",
               t == 0                               ? ")\n"
               : jail_tier_works((enum jail_tier)t) ? " "
                                                    : "");
    for (const struct jail_finding *f = findings; f->name; f++) {
        print_finding(f);
        wrong += !f->told || f->allowed != f->needed;
    }
    if (!wrong)
        return HPC_EXIT_OK;
    printf("\n%d not as they should be; what each means: docs/security.md\n", wrong);
    return HPC_EXIT_BELOW;
}
