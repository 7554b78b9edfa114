/* The progress line on a terminal. */
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/ui.h"

/* What the child writes to its terminal: the same line often, another one, and the first again. */
static void write_lines(void)
{
    setenv("TERM", "xterm", 1);
    ui_init(false);
    for (int i = 0; i < 50; i++)
        ui_progress("%d of 6 graded", 0);
    ui_progress("1 of 6 graded");
    ui_progress("0 of 6 graded");
    ui_progress_end();
    ui_progress("0 of 6 graded");
    ui_progress_end();
    _exit(0);
}

static void test_a_line_is_written_once(void **state)
{
    (void)state;
    int terminal, status;
    char text[8192];
    size_t n = 0;
    const pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    assert_true(child >= 0);
    if (child == 0)
        write_lines();
    for (ssize_t got; n + 1 < sizeof text; n += (size_t)got)
        if ((got = read(terminal, text + n, sizeof text - 1 - n)) <= 0)
            break; /* EIO: the child has ended */
    text[n] = '\0';
    close(terminal);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_string_equal(text,
                        "\r\033[K0 of 6 graded\r\033[K1 of 6 graded\r\033[K0 of 6 graded\r\033[K"
                        "\r\033[K0 of 6 graded\r\033[K");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_is_written_once),
    };
    return cmocka_run_group_tests_name("ui", tests, NULL, NULL);
}
