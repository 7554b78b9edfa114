/* csv_read: what it takes, what it refuses and with which words, and random bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/csv.h"
#include "common/random.h"

static char path[] = "/tmp/hpclab-test-csv-XXXXXX";

static void write_file(const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static int make_path(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int drop_path(void **state)
{
    (void)state;
    return unlink(path);
}

/* The text is read as rows x columns; its last value is returned. */
static double accepted(const char *text, int rows, int columns, int first_line)
{
    struct csv csv;
    struct hpc_error err = {.text = ""};
    write_file(text, strlen(text));
    if (!csv_read(path, NULL, &csv, &err))
        fail_msg("refused: %s", err.text);
    assert_int_equal(csv.rows, rows);
    assert_int_equal(csv.columns, columns);
    assert_int_equal(csv.first_line, first_line);
    double last = csv.value[rows * columns - 1];
    csv_free(&csv);
    assert_null(csv.value);
    return last;
}

/* The text is refused in one line that names the file and holds `words`. */
static void refused(const char *text, size_t n, const char *words)
{
    struct csv csv;
    struct hpc_error err = {.text = ""};
    write_file(text, n);
    assert_false(csv_read(path, NULL, &csv, &err));
    assert_int_equal(err.status, HPC_EXIT_USAGE);
    assert_null(strchr(err.text, '\n'));
    assert_non_null(strstr(err.text, path));
    if (!strstr(err.text, words))
        fail_msg("'%s' lacks '%s'", err.text, words);
    assert_null(csv.value);
}

static void takes_what_people_write(void **state)
{
    (void)state;
    assert_true(accepted("1,2\n3,4\n", 2, 2, 1) == 4);
    assert_true(accepted("1,2\n3,4", 2, 2, 1) == 4);
    assert_true(accepted("1,2\r\n3,4\r\n", 2, 2, 1) == 4);
    assert_true(accepted("\xef\xbb\xbf"
                         "1,2\n3,-4e2\n",
                         2, 2, 1) == -400);
    assert_true(accepted(" 1 ,\t2 \n3 , .5\n\n \n\r\n", 2, 2, 1) == 0.5);
    assert_true(accepted("7", 1, 1, 1) == 7);
    assert_true(accepted("width,height\n3,4\n", 1, 2, 2) == 4);
    assert_true(accepted("\xef\xbb\xbf\"width\",\"height\"\n3,4\n", 1, 2, 2) == 4);
    assert_true(accepted("2,1,no,yes\n3,0\n5,1\n", 2, 2, 2) == 1);
    assert_true(accepted("1e-320,0.1000000000000000055511151231257827\n", 1, 2, 1) == 0.1);
}

#define REFUSED(text, words) refused(text, sizeof(text) - 1, words)

static void refuses_with_place_and_reason(void **state)
{
    (void)state;
    REFUSED("", "no row of numbers");
    REFUSED("\n\n", "no row of numbers");
    REFUSED("width,height\n", "no row of numbers");
    REFUSED("1,2\n3,\n", "line 2, column 2: missing value");
    REFUSED("1,2\n,3\n", "line 2, column 1: missing value");
    REFUSED("1,2\n3, ,4\n", "line 2, column 2: missing value");
    REFUSED("1,2\n3\n", "line 2: 1 column found, expected 2");
    REFUSED("1,2\n3,4,5\n", "line 2: 3 columns found, expected 2");
    REFUSED("1,2\n3,4,\n", "line 2: 3 columns found, expected 2");
    REFUSED("1,2\n3,x4\n", "line 2, column 2: 'x4' found");
    REFUSED("1,2\n3,4x\n", "line 2, column 2: '4x' found");
    REFUSED("1,2\n3,4 5\n", "line 2, column 2: '4 5' found");
    REFUSED("1,2\n3,nan\n", "line 2, column 2: 'nan' found");
    REFUSED("nan,nan\n3,4\n", "line 1, column 1: 'nan' found");
    REFUSED("1,-inf\n", "line 1, column 2: '-inf' found");
    REFUSED("1,1e999\n", "line 1, column 2: '1e999' found");
    REFUSED("1,0x10\n", "line 1, column 2: '0x10' found");
    REFUSED("1,?\n", "line 1, column 2: '?' found");
    REFUSED("1,\"2\"\n3,4\n", "without quotes");
    REFUSED("1;2\n", "separated by commas");
    REFUSED("1,1-2\n", "'1-2' found");
    REFUSED("1,2\n\n3,4\n", "line 2: blank line");
    REFUSED("\n1,2\n", "line 1: blank line");
    REFUSED("a,b\nc,d\n", "line 2, column 1: 'c' found");
    REFUSED("3,1,no,yes\n3,0\n5,1\n", "says 3 rows of 2 columns, found 2 of 2");
    REFUSED("1,2\n3,\0\n", "line 2: byte 0x00");
    REFUSED("\x7f"
            "ELF\x02\x01",
            "line 1: byte 0x02");
    REFUSED("1,\x1b[31m\n", "byte 0x1b");
    REFUSED("1,\xff\xfe\n", "column 2: '\?\?' found");
}

static void refuses_what_is_no_file(void **state)
{
    (void)state;
    struct csv csv;
    struct hpc_error err;
    assert_false(csv_read("/nowhere/at/all.csv", NULL, &csv, &err));
    assert_non_null(strstr(err.text, "No such file"));
    assert_false(csv_read("/tmp", NULL, &csv, &err));
    assert_non_null(strstr(err.text, "directory"));
    assert_false(csv_read("/dev/zero", NULL, &csv, &err));
    assert_non_null(strstr(err.text, "byte 0x00"));
}

static void obeys_its_options(void **state)
{
    (void)state;
    struct csv csv;
    struct hpc_error err;
    write_file("1,2\n3,4\n", 8);
    assert_true(csv_read(path, &(struct csv_options){.header = CSV_HEADER_SKIP}, &csv, &err));
    assert_int_equal(csv.rows, 1);
    csv_free(&csv);
    assert_false(csv_read(path, &(struct csv_options){.columns = 3}, &csv, &err));
    assert_non_null(strstr(err.text, "line 1: 2 columns found, expected 3"));
    write_file("a,b\n3,4\n", 8);
    assert_false(csv_read(path, &(struct csv_options){.header = CSV_HEADER_NONE}, &csv, &err));
    assert_non_null(strstr(err.text, "line 1, column 1: 'a'"));
}

static void bounds_a_line(void **state)
{
    (void)state;
    size_t n = CSV_MAX_LINE + 2;
    char *text = hpc_malloc(n + 1);
    memset(text, '1', n);
    text[n] = 0;
    refused(text, n, "line 1: longer than");
    for (size_t i = 1; i < n; i += 2)
        text[i] = ',';
    refused(text, 2 * CSV_MAX_COLUMNS + 3, "columns found, at most");
    free(text);
}

/* Any bytes end in a table of finite numbers or in one line of an error. */
static void survives_random_bytes(void **state)
{
    (void)state;
    static const char often[] = "0123456789,,,,..--eE\n\n\r \t\"nainfx;?";
    struct hpc_random r;
    hpc_random_init(&r, 20260101, 0);
    int read = 0;
    for (int trial = 0; trial < 4000; trial++) {
        char bytes[400];
        size_t n = hpc_random_below(&r, sizeof bytes);
        for (size_t i = 0; i < n; i++)
            bytes[i] = trial % 4 == 0 ? (char)hpc_random_below(&r, 256)
                       : trial % 4 == 1
                           ? often[hpc_random_below(&r, sizeof often - 1)]
                           : "1234567,\n"[hpc_random_below(&r, trial % 4 == 2 ? 7 : 9)];
        if (trial % 4 == 2)
            n %= 300; /* one number of hundreds of digits is finite up to 308 */
        struct csv csv;
        struct hpc_error err = {.text = ""};
        write_file(bytes, n);
        if (csv_read(path, NULL, &csv, &err)) {
            read++;
            for (long i = 0; i < (long)csv.rows * csv.columns; i++)
                assert_true(csv.value[i] - csv.value[i] == 0);
            csv_free(&csv);
        } else {
            assert_true(strlen(err.text) > 0);
            for (const char *c = err.text; *c; c++)
                assert_in_range(*c, ' ', '~');
        }
    }
    assert_in_range(read, 100, 3900);
}

static void reads_the_shipped_sets(void **state)
{
    (void)state;
    struct csv csv;
    struct hpc_error err = {.text = ""};
    if (!csv_read("data/breast_cancer.csv", NULL, &csv, &err))
        fail_msg("%s", err.text);
    assert_int_equal(csv.rows, 569);
    assert_int_equal(csv.columns, 31);
    assert_int_equal(csv.first_line, 2);
    assert_true(csv.value[0] == 17.99);
    csv_free(&csv);
    if (!csv_read("data/digits.csv", NULL, &csv, &err))
        fail_msg("%s", err.text);
    assert_int_equal(csv.rows, 1797);
    assert_int_equal(csv.columns, 65);
    assert_true(csv.value[1797 * 65 - 1] == 8);
    csv_free(&csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_people_write), cmocka_unit_test(refuses_with_place_and_reason),
        cmocka_unit_test(refuses_what_is_no_file), cmocka_unit_test(obeys_its_options),
        cmocka_unit_test(bounds_a_line),           cmocka_unit_test(survives_random_bytes),
        cmocka_unit_test(reads_the_shipped_sets),
    };
    return cmocka_run_group_tests_name("csv", tests, make_path, drop_path);
}
