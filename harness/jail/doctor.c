#define _GNU_SOURCE
#include "harness/jail/doctor.h"

#include <limits.h>
#include <stdio.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness/jail/internal.h"
#include "harness/jail/mpi.h"
#include "common/ui.h"

#define OUTPUT_BYTES 8192

static const struct {
    const char *name, *text;
    enum jail_need run, mpi;
} all[] = {
#define ATTEMPT(function, run, mpi, words) {#function, (words), run, mpi},
#include "harness/jail/inside/attempts.def"
};
#define ALL (sizeof all / sizeof *all)

bool jail_finding_good(const struct jail_finding *f)
{
    return f->told && f->allowed == (f->need == NEEDED);
}

/* What is tried in a profile; room for ALL + 1. */
static void list_findings(enum jail_profile profile, struct jail_finding *findings)
{
    size_t n = 0;
    for (size_t i = 0; i < ALL; i++) {
        enum jail_need need = profile == JAIL_MPI ? all[i].mpi : all[i].run;
        if (need != UNTRIED)
            findings[n++] =
                (struct jail_finding){.name = all[i].name, .text = all[i].text, .need = need};
    }
    findings[n].name = NULL;
}

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

/* A server that a prisoner must not reach: on a port of this machine's loopback and under an
 * abstract name. -1 for what can't be had. */
struct server {
    int tcp, named, port;
};

static struct server serve(void)
{
    struct sockaddr_in own = {.sin_family = AF_INET};
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    struct server s = {socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
                       socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), 0};
    socklen_t size = sizeof own;
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (s.tcp >= 0 && bind(s.tcp, (struct sockaddr *)&own, sizeof own) == 0 &&
        listen(s.tcp, 1) == 0 && getsockname(s.tcp, (struct sockaddr *)&own, &size) == 0)
        s.port = ntohs(own.sin_port);
    int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "hpclab-%d", (int)getpid());
    size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    if (s.named >= 0 && bind(s.named, (struct sockaddr *)&name, size) == 0)
        (void)!listen(s.named, 1);
    return s;
}

static void end_server(const struct server *s)
{
    if (s->tcp >= 0)
        close(s->tcp);
    if (s->named >= 0)
        close(s->named);
}

/* The probe's output and end, in the jail of a profile. */
static bool send_probe(enum jail_profile profile, const char *here, char *output,
                       struct jail_end *end, struct hpc_error *err)
{
    char probe[PATH_MAX], folder[PATH_MAX], pid[16], port[16];
    if (!jail_find_above("lib/jail-probe", probe, sizeof probe, folder, sizeof folder))
        return hpc_fail_env(err, "build/lib/jail-probe is not there; type make");
    struct server server = serve();
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    snprintf(port, sizeof port, "%d", server.port);
    const char *const argv[] = {probe, profile == JAIL_MPI ? "mpi" : "run", here, pid, port, NULL};
    const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
    struct jail_mpi mpi;
    struct jail_spec spec = {.argv = argv,
                             .env = env,
                             .read_only = {probe},
                             .fds = {-1, -1},
                             .profile = profile,
                             .limits = {.cpu_seconds = 20,
                                        .wall_seconds = 20,
                                        .memory_bytes = (size_t)256 << 20,
                                        .file_bytes = 16 << 20,
                                        .output_bytes = OUTPUT_BYTES,
                                        .processes = 64}};
    bool good = true;
    if (profile == JAIL_MPI) {
        good = jail_mpi(&mpi, 1, argv, err);
        spec.argv = mpi.argv;
        spec.env = mpi.env;
        spec.limits.memory_bytes = (size_t)768 << 20;
        spec.limits.resident_bytes = (size_t)512 << 20;
    }
    struct jail *jail = good ? jail_start(&spec, err) : NULL;
    if (jail)
        jail_wait(jail, end, output, OUTPUT_BYTES);
    end_server(&server);
    return jail != NULL;
}

struct jail_finding *jail_try(enum jail_profile profile, struct hpc_error *err)
{
    static struct jail_finding findings[ALL + 1];
    char here[PATH_MAX] = "", output[OUTPUT_BYTES];
    struct jail_end end;
    list_findings(profile, findings);
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    here[n > 0 ? n : 0] = '\0';
    if (!send_probe(profile, here, output, &end, err))
        return NULL;
    read_lines(output, findings);
    /* What can be seen from here only. */
    char *beside = hpc_printf("%s.jail-probe", here);
    find(findings, "write_beside")->allowed = unlink(beside) == 0;
    free(beside);
    if (end.process_limit)
        find(findings, profile == JAIL_MPI ? "many_processes" : "many_threads")->told = true;
    if (!findings[0].told) {
        hpc_fail_env(err, "the jail's probe ended: %s", end.why);
        return NULL;
    }
    return findings;
}

/* Print them; how many are not as they should be. */
static int print_findings(const struct jail_finding *f)
{
    int wrong = 0;
    for (; f->name; f++) {
        bool good = jail_finding_good(f);
        printf("  %s%s%s %-42s %s\n", ui_style(good ? UI_GOOD : UI_BAD),
               good ? ui_tick() : ui_cross(), ui_style(UI_PLAIN), f->text,
               !f->told     ? "not tried: the probe had ended"
               : f->allowed ? "allowed"
                            : "refused");
        wrong += !good;
    }
    return wrong;
}

static void print_tiers(void)
{
    printf("jail: %s (tiers here:", jail_description());
    for (int t = JAIL_TIERS; t-- > 0;)
        if (jail_tier_works((enum jail_tier)t))
            printf(" %s", jail_tier_name((enum jail_tier)t));
    printf(")\n");
    const struct jail_way *way = jail_way_here(NULL);
    if (way && way->no_user[0])
        printf("no user id of its own, so processes are counted from outside: %s\n", way->no_user);
    for (int t = JAIL_TIERS; t-- > 0;)
        if (!jail_tier_works((enum jail_tier)t))
            printf("no %s: %s\n", jail_tier_name((enum jail_tier)t),
                   jail_tier_lack((enum jail_tier)t));
}

int jail_doctor(void)
{
    struct hpc_error err;
    const struct jail_finding *findings = jail_try(JAIL_RUN, &err);
    if (!findings)
        return hpc_report(&err);
    print_tiers();
    int wrong = print_findings(findings);
    struct jail_mpi mpi;
    if (!jail_mpi(&mpi, 1, NULL, &err) || !(findings = jail_try(JAIL_MPI, &err)))
        printf("profile mpi: not tried: %s\n", err.text);
    else {
        printf("profile mpi: %s\n", mpi.version);
        wrong += print_findings(findings);
    }
    if (!wrong)
        return HPC_EXIT_OK;
    printf("\n%d not as they should be; what each means: docs/security.md\n", wrong);
    return HPC_EXIT_BELOW;
}
