/* What each tier lets through, by sending the probe of `hpclab doctor --jail` into it; and what
 * only some tiers or limits have. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/jail/doctor.h"
#include "tests/unit/jail_case.h"

static bool listed(const char *name, const char *list)
{
    char word[80];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(list, word) != NULL;
}

/* All as it should be but for these, which may come out either way. */
static void try_tier(enum jail_tier tier, const char *open)
{
    struct hpc_error err = {.text = ""};
    if (!jail_tier_works(tier))
        skip();
    setenv("HPC_JAIL", jail_tier_name(tier), 1);
    struct jail_finding *findings = jail_try(JAIL_RUN, &err);
    unsetenv("HPC_JAIL");
    if (!findings)
        fail_msg("%s", err.text);
    for (const struct jail_finding *f = findings; f->name; f++) {
        if (listed(f->name, open))
            continue;
        if (!jail_finding_good(f))
            fail_msg("%s: %s: %s", jail_tier_name(tier), f->text,
                     !f->told     ? "not tried"
                     : f->allowed ? "allowed"
                                  : "refused");
    }
}

/* Whether bubblewrap's jails get a user id of their own: we are root. */
static bool bubblewrap_has_user(void)
{
    setenv("HPC_JAIL", "bubblewrap", 1);
    bool has = strstr(jail_description(), "bubblewrap+userid") != NULL;
    unsetenv("HPC_JAIL");
    return has;
}

static void test_bubblewrap(void **state)
{
    (void)state;
    try_tier(JAIL_BUBBLEWRAP, "");
}

static void test_landlock(void **state)
{
    (void)state;
    try_tier(JAIL_LANDLOCK, "");
}

static void test_userid(void **state)
{
    (void)state;
    try_tier(JAIL_USERID, jail_tier_works(JAIL_LANDLOCK)
                              ? ""
                              : " read_user_file read_passwd list_root fill_tmp fill_shm "
                                "open_gpu see_others ");
}

static void test_limits(void **state)
{
    (void)state;
    try_tier(JAIL_LIMITS, " read_user_file read_passwd list_root write_beside write_usr fill_tmp "
                          "fill_shm open_gpu see_others read_memory ");
}

static void test_namespaces(void **state)
{
    (void)state;
    if (jail_tier() != JAIL_BUBBLEWRAP)
        skip(); /* needs bubblewrap */
    struct jail_end end = shell("ls /etc; ls /home /root /work 2>/dev/null; ls /tmp | wc -l");
    assert_true(end.exited);
    assert_null(strstr(output, "passwd"));
    assert_non_null(strstr(output, "0\n"));
    shell("cat /proc/net/dev | grep -c :");
    assert_string_equal(output, "1\n"); /* the loopback alone */
    shell("ls -d /proc/[0-9]* | wc -l");
    assert_true(atoi(output) < 8);
    end = shell("head -c 3000000 /dev/zero | dd of=/dev/shm/x bs=4096 2>/dev/null");
    assert_true(!end.exited || end.exit_status != 0);
    end = shell("touch /usr/x /x 2>/dev/null && echo written");
    assert_string_equal(output, "");
    end = shell("unshare -Ur true 2>/dev/null && echo nested");
    assert_string_equal(output, "");
}

/* What CUDA's driver does when it starts, and what it is not to be given for that. */
static const char as_a_driver[] =
    "import os, socket, threading\n"
    "def tried(name, call):\n"
    "    try:\n"
    "        call()\n"
    "        print(name, 'done')\n"
    "    except OSError as e:\n"
    "        print(name, e.strerror)\n"
    "def name_thread():\n"
    "    with open('/proc/%d/task/%d/comm' % (os.getpid(), threading.get_native_id()), 'w') as f:\n"
    "        f.write('driver')\n"
    "def offer():\n"
    "    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
    "    s.bind('\\0hpclab-%d' % os.getpid())\n"
    "    s.listen()\n"
    "    s.accept()\n"
    "thread = threading.Thread(target=tried, args=('name', name_thread))\n"
    "thread.start()\n"
    "thread.join()\n"
    "os.memfd_create('driver')\n"
    "tried('accept', offer)\n"
    "unix = socket.AF_UNIX\n"
    "tried('connect', lambda: socket.socket(unix, socket.SOCK_SEQPACKET).connect('/tmp/service'))\n"
    "tried('datagrams', lambda: socket.socket(unix, socket.SOCK_DGRAM))\n"
    "tried('network', lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))\n"
    "tried('others', lambda: open('/proc/%d/oom_score_adj' % os.getppid(), 'w'))\n"
    "tried('file', lambda: open('/proc/self/task/file', 'w'))\n";

static void test_driver(void **state)
{
    const char *const argv[] = {"/usr/bin/python3", "-c", as_a_driver, NULL};
    struct jail_spec spec = make_spec(argv);
    (void)state;
    spec.profile = JAIL_RUN;
    spec.gpu = true;
    spec.limits.memory_bytes = 0;
    for (int tier = JAIL_TIERS - 1; tier >= 0; tier--) {
        if (!jail_tier_works((enum jail_tier)tier))
            continue;
        setenv("HPC_JAIL", jail_tier_name((enum jail_tier)tier), 1);
        bool filtered = strstr(jail_description(), "seccomp") != NULL;
        bool landlock = strstr(jail_description(), "landlock") != NULL;
        run(&spec);
        unsetenv("HPC_JAIL");
        assert_non_null(strstr(output, "name done\n"));
        assert_true(!filtered || strstr(output, "accept Operation not permitted\n"));
        assert_true(!filtered || strstr(output, "connect No such file or directory\n"));
        assert_true(!filtered || strstr(output, "datagrams Operation not permitted\n"));
        assert_true(!filtered || strstr(output, "network Operation not permitted\n"));
        assert_true(!landlock || strstr(output, "others Permission denied\n"));
        assert_null(strstr(output, "file done\n"));
    }
}

/* What a jail without memory limit of its own may use is looked at, orphans' share too. */
static void test_watch(void **state)
{
    const char *const argv[] = {"/bin/sh", "-c",
                                "(head -c 300M /dev/zero | tail -n 1 | wc -c &); sleep 15", NULL};
    struct jail_spec spec = make_spec(argv);
    (void)state;
    spec.limits.memory_bytes = 0;
    spec.limits.resident_bytes = 100 << 20;
    spec.limits.wall_seconds = 20;
    for (int tier = 0; tier < JAIL_TIERS; tier++) {
        if (!jail_tier_works((enum jail_tier)tier))
            continue;
        setenv("HPC_JAIL", jail_tier_name((enum jail_tier)tier), 1);
        struct jail_end end = run(&spec);
        unsetenv("HPC_JAIL");
        assert_true(end.memory_limit && !end.wall_limit && end.wall_seconds < 15);
        assert_memory_equal(end.why, "memory limit of 100 MiB (1", 26);
    }
}

/* A folder that a jail's own user was given is ours again afterwards, with what it wrote. */
static void give_and_take(enum jail_tier tier)
{
    char folder[] = "/tmp/jail_test_XXXXXX", path[64];
    const char *const argv[] = {"/bin/sh", "-c", "id -u; mkdir below; echo x >below/file", NULL};
    struct jail_spec spec = make_spec(argv);
    struct stat st;
    assert_non_null(mkdtemp(folder));
    spec.writable = spec.folder = folder;
    setenv("HPC_JAIL", jail_tier_name(tier), 1);
    struct jail_end end = run(&spec);
    unsetenv("HPC_JAIL");
    assert_true(end.exited && end.exit_status == 0);
    assert_true(atoi(output) > 60000);
    snprintf(path, sizeof path, "%s/below/file", folder);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_uid, getuid());
    assert_int_equal(stat(folder, &st), 0);
    assert_int_equal(st.st_uid, getuid());
    snprintf(path, sizeof path, "rm -r %s", folder);
    assert_int_equal(system(path), 0);
}

static void test_given_back(void **state)
{
    (void)state;
    if (!jail_tier_works(JAIL_USERID))
        skip();
    give_and_take(JAIL_USERID);
    if (bubblewrap_has_user())
        give_and_take(JAIL_BUBBLEWRAP);
}

/* Where they are root's own the kernel doesn't count processes: we do, and no further than to the
 * limit, since who multiplies would outrun a count of all. Else the kernel does. */
static void test_processes(void **state)
{
    const char *const argv[] = {
        "/bin/sh", "-c",
        "i=0; while [ $i -lt 200 ]; do sleep 5 & i=$((i + 1)); done; wait; echo all", NULL};
    struct jail_spec spec = make_spec(argv);
    bool own_user[JAIL_TIERS] = {[JAIL_USERID] = true, [JAIL_BUBBLEWRAP] = bubblewrap_has_user()};
    (void)state;
    for (int tier = 0; tier < JAIL_TIERS; tier++) {
        if (!jail_tier_works((enum jail_tier)tier))
            continue;
        bool counted = getuid() == 0 && !own_user[tier];
        setenv("HPC_JAIL", jail_tier_name((enum jail_tier)tier), 1);
        struct jail_end end = run(&spec);
        unsetenv("HPC_JAIL");
        assert_null(strstr(output, "all\n"));
        assert_int_equal(end.process_limit, counted);
        if (counted)
            assert_string_equal(end.why, "limit of 20 processes and threads (21)");
    }
}

/* Words that are no tier, a tier that is not here, and the bound for official grading. */
static void test_asked_for(void **state)
{
    const char *const argv[] = {"/bin/true", NULL};
    const char *const env[] = {NULL};
    struct jail_spec spec = {.argv = argv, .env = env, .fds = {-1, -1}};
    struct hpc_error err = {.text = ""};
    (void)state;
    setenv("HPC_JAIL", "prison", 1);
    assert_null(jail_start(&spec, &err));
    assert_string_equal(err.text,
                        "HPC_JAIL=prison: expected bubblewrap, landlock, userid or limits");
    setenv("HPC_JAIL", "limits", 1);
    assert_int_equal(jail_tier(), JAIL_LIMITS);
    assert_memory_equal(jail_description(), "limits+", 7);

    char root[] = "/tmp/jail_test_XXXXXX", path[64];
    assert_non_null(mkdtemp(root));
    assert_false(jail_official(root, &err));
    assert_non_null(strstr(err.text, "wants a jail of at least userid, here is limits"));
    snprintf(path, sizeof path, "%s/site.ini", root);
    FILE *f = fopen(path, "w");
    fputs("[site]\nofficial_jail = limits\n", f);
    fclose(f);
    assert_true(jail_official(root, &err));
    f = fopen(path, "w");
    fputs("[site]\nofficial_jail = cellar\n", f);
    fclose(f);
    assert_false(jail_official(root, &err));
    assert_memory_equal(err.text, "site.ini:2: official_jail = cellar, expected", 44);
    unlink(path);
    rmdir(root);
    unsetenv("HPC_JAIL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bubblewrap), cmocka_unit_test(test_landlock),
        cmocka_unit_test(test_userid),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_namespaces), cmocka_unit_test(test_driver),
        cmocka_unit_test(test_watch),      cmocka_unit_test(test_given_back),
        cmocka_unit_test(test_processes),  cmocka_unit_test(test_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
