/* Whose turn it is on a machine: those that time wait for those that share it, and have it alone.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/error.h"
#include "harness/machine/turn.h"

static char folder[] = "/tmp/test_turn.XXXXXX";
static int letters[2], leave[2]; /* pipes: what children did; a byte ends one's turn */

/* A child that shares the machine, or times, and tells when that begins and ends by a letter. */
static pid_t start(char first, bool times)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    struct turn t;
    struct hpc_error err;
    char text[2] = {first, (char)(first - 'a' + 'A')}, byte;
    if (!turn_open(folder, &t, &err))
        _exit(1);
    turn_share(&t);
    if (times)
        turn_take(&t);
    if (write(letters[1], text, 1) != 1 || read(leave[0], &byte, 1) != 1 ||
        write(letters[1], text + 1, 1) != 1)
        _exit(1);
    _exit(0); /* a lock ends with its process */
}

/* Sleep until it waits for a lock, as /proc/locks has it; half a minute where it has no such line.
 */
static void until_waits(pid_t pid)
{
    char line[200], kind[16];
    for (int i = 0; i < 3000; i++) {
        FILE *f = fopen("/proc/locks", "re");
        int waiter = 0;
        while (f && waiter != pid && fgets(line, sizeof line, f))
            if (sscanf(line, "%*s -> %15s %*s %*s %d", kind, &waiter) != 2)
                waiter = 0;
        if (f)
            fclose(f);
        if (waiter == pid)
            return;
        usleep(10000);
    }
}

/* The next n letters, within a minute each. */
static void expect(const char *text)
{
    char read_so_far[16] = "";
    for (size_t n = 0; n < strlen(text); n++) {
        struct pollfd one = {.fd = letters[0], .events = POLLIN};
        if (poll(&one, 1, 60000) != 1 || read(letters[0], read_so_far + n, 1) != 1)
            fail_msg("%s, then nothing; expected %s", read_so_far, text);
    }
    assert_string_equal(read_so_far, text);
}

static void end(const pid_t *pid, int n)
{
    for (int i = 0; i < n; i++)
        assert_int_equal(write(leave[1], "", 1), 1);
    for (int i = 0, status; i < n; i++) {
        waitpid(pid[i], &status, 0);
        assert_int_equal(status, 0);
    }
}

static void test_turns(void **state)
{
    (void)state;
    char *build = hpc_printf("%s/build", folder);
    assert_int_equal(mkdir(build, 0700), 0);
    free(build);
    assert_int_equal(pipe(letters), 0);
    assert_int_equal(pipe(leave), 0);
    /* a builds; t wants to time, and waits for a; b comes later, and waits for t */
    pid_t pid[3] = {start('a', false)};
    expect("a");
    pid[1] = start('t', true);
    until_waits(pid[1]);
    pid[2] = start('b', false);
    until_waits(pid[2]);
    end(pid, 3);
    expect("AtTbB");
    /* two that time, one after the other; two that build, at once */
    const pid_t two[] = {start('t', true), start('t', true)};
    usleep(100000);
    end(two, 2);
    expect("tTtT");
    const pid_t both[] = {start('a', false), start('a', false)};
    expect("aa");
    end(both, 2);
    expect("AA");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turns)};
    if (!mkdtemp(folder))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char *command = hpc_printf("rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "%s is left\n", folder);
    free(command);
    return failed;
}
