/* Running something in a jail, for its tests. Include after cmocka.h. */
#ifndef HPC_TESTS_JAIL_CASE_H
#define HPC_TESTS_JAIL_CASE_H

#include "harness/jail/jail.h"

static char output[8192];

static inline struct jail_spec make_spec(const char *const *argv)
{
    static const char *const env[] = {"PATH=/usr/bin:/bin", "WORD=given", NULL};
    return (struct jail_spec){.argv = argv,
                              .env = env,
                              .fds = {-1, -1},
                              .profile = JAIL_BUILD,
                              .limits = {.cpu_seconds = 5,
                                         .wall_seconds = 5,
                                         .memory_bytes = 512 << 20,
                                         .file_bytes = 1 << 20,
                                         .output_bytes = 4096,
                                         .processes = 20}};
}

static inline struct jail_end run(const struct jail_spec *spec)
{
    struct hpc_error err;
    struct jail_end end;
    struct jail *jail = jail_start(spec, &err);
    assert_non_null(jail);
    jail_wait(jail, &end, output, sizeof output);
    return end;
}

/* A shell's script under the limits of make_spec. */
static inline struct jail_end shell(const char *script)
{
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    struct jail_spec spec = make_spec(argv);
    return run(&spec);
}

#endif
