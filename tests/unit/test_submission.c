/* What is read of an archive's listing, which files a lab takes, and how single files are opened.
 */
#define _GNU_SOURCE
#include <fcntl.h>
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

#include "harness/handin/internal.h"

static struct submission_member members[20];
static char reason[300];

static int read_listing(const char *listing, bool zip)
{
    static char *text;
    free(text);
    text = hpc_strdup(listing);
    reason[0] = '\0';
    return handin_read_listing(text, zip, members, 20, reason, sizeof reason);
}

#define TAR(mode, bytes, path) mode " 0/0 " bytes " 2026-01-31 12:00:00 " path "\n"
#define ZIP(mode, bytes, path) mode "  3.0 unx " bytes " tx defN 20260131.120000 " path "\n"
#define FRAME(lines)           "Archive:  archive\nZip file size: 9 bytes\n" lines "2 files, 9 bytes\n"

static void test_listings(void **state)
{
    (void)state;
    assert_int_equal(
        read_listing(TAR("drwxr-xr-x", "0", "a/") TAR("-rw-r--r--", "12", "a/flat.c"), false), 2);
    assert_true(members[0].type == 'd' && members[1].type == '-');
    assert_string_equal(members[1].path, "a/flat.c");
    assert_int_equal(members[1].bytes, 12);
    assert_int_equal(read_listing(FRAME(ZIP("-rw-r--r--", "7", "a b/flat.c")), true), 1);
    assert_string_equal(members[0].path, "a b/flat.c");
    assert_int_equal(
        read_listing(FRAME(ZIP("?rw-------", "7", "x.c") ZIP("?rw-------", "0", "d/")), true), 2);
    assert_true(members[0].type == '-' && members[1].type == 'd');
    assert_int_equal(read_listing("", false), 0);
    assert_int_equal(read_listing("", true), 0);
    assert_int_equal(read_listing("one line", true), 0);
    /* a name in another script, as tar escapes it and as zipinfo does not; paths of Windows */
    assert_int_equal(read_listing(TAR("-rw-r--r--", "1", "\\303\\234/flat.c"), false), 1);
    assert_int_equal(read_listing(FRAME(ZIP("-rw-r--r--", "1", "\xc3\x9c/flat.c")), true), 1);
    assert_int_equal(read_listing(FRAME(ZIP("-rw-r--r--", "1", "labs\\lab1\\flat.c")), true), 1);
    assert_string_equal(members[0].path, "labs/lab1/flat.c");
}

static void refused(const char *listing, const char *words)
{
    assert_int_equal(read_listing(listing, false), -1);
    if (!strstr(reason, words))
        fail_msg("expected %s, found %s", words, reason);
    for (const char *p = reason; *p; p++)
        assert_true(*p >= 0x20 && *p < 0x7f);
}

static void test_refused(void **state)
{
    (void)state;
    refused(TAR("lrwxrwxrwx", "0", "a -> b"), "\"a -> b\" is a symbolic link");
    refused(TAR("hrw-r--r--", "0", "a link to b"), "is a link to another file");
    refused(TAR("prw-r--r--", "0", "a"), "is no regular file");
    refused(TAR("crw-r--r--", "1,5", "a"), "is no regular file");
    refused(TAR("-rw-r--r--", "1", "/etc/x"), "leads out of the folder");
    refused(TAR("-rw-r--r--", "1", "a/../../x"), "leads out of the folder");
    refused(TAR("-rw-r--r--", "1", ".."), "leads out of the folder");
    refused("-rw-r--r-- 0/0 1 4611686018427387904 a b/flat.c\n",
            "b/flat.c\" is no line of a listing");
    assert_int_equal(read_listing(FRAME("warning [archive]:  185 extra bytes at beginning or "
                                        "within zipfile\n" ZIP("-rw-r--r--", "1", "flat.c")),
                                  true),
                     -1);
    assert_non_null(strstr(reason, "185 extra bytes at beginning or within zipfile\" says unzip"));
    assert_int_equal(read_listing(FRAME(ZIP("-rw-r--r--", "1", "\\x")), true), -1);
    assert_int_equal(read_listing(FRAME(ZIP("-rw-r--r--", "1", "a\\..\\..\\x")), true), -1);
    assert_int_equal(read_listing(TAR("-rw-r--r--", "1", "a/..b/c.."), false), 1);
    refused(TAR("-rw-r--r--", "70000000", "a"), "more than 64 MiB unpacked (66 MiB)");
    refused(TAR("-rw-r--r--", "18446744073709551615", "a"), "more than 64 MiB unpacked");
    refused(TAR("-rw-r--r--", "40000000", "a") TAR("-rw-r--r--", "40000000", "b"),
            "more than 64 MiB unpacked (76 MiB)");
    refused("nonsense\n", "\"nonsense\" is no line of a listing");
    refused("a b c d \x1b[2J\n", "is no line of a listing");
    char many[21 * 80] = "";
    for (int i = 0; i < 21; i++)
        strcat(many, TAR("-rw-r--r--", "1", "a"));
    refused(many, "more than 20 files");
}

static void test_rank(void **state)
{
    struct submission_wanted w = {.lab = "lab3", .n = 1, .file = {"flat.c"}};
    (void)state;
    assert_int_equal(handin_rank(&w, 0, "flat.cc"), 0);
    assert_int_equal(handin_rank(&w, 0, "xflat.c"), 0);
    assert_int_equal(handin_rank(&w, 0, "flat.c/x"), 0);
    int best = handin_rank(&w, 0, "labs/lab3/flat.c");
    int deeper = handin_rank(&w, 0, "ada/labs/lab3/flat.c");
    int named = handin_rank(&w, 0, "lab3/flat.c"), plain = handin_rank(&w, 0, "flat.c");
    int other = handin_rank(&w, 0, "starter/flat.c");
    int alike = handin_rank(&w, 0, "xlabs/lab3/flat.c");
    assert_true(best > deeper && deeper > named && named > plain && plain > other && other > 0);
    assert_true(alike < named && alike > plain);
    int numbered = handin_rank(&w, 0, "labs/lab3/flat (1).c");
    assert_true(numbered < deeper && numbered > named && numbered > plain);
    numbered = handin_rank(&w, 0, "flat (1).c");
    assert_true(numbered > 0 && numbered < other);
    static const char *const none[] = {"flat ().c", "flat (1.c",  "flat (1)x.c", "flat (1).cc",
                                       "flat-.c",   "flat-x.c",   "xflat (1).c", "flat1.c",
                                       "flat (1)c", "flat.c (1)", "flat",        ""};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(handin_rank(&w, 0, none[i]), 0);
}

static void test_suffix(void **state)
{
    (void)state;
    assert_int_equal(handin_suffix("ada.tar.gz"), 7);
    assert_int_equal(handin_suffix("ada (1).ZIP"), 4);
    assert_int_equal(handin_suffix("ada.tar (1).gz"), 11);
    assert_int_equal(handin_suffix("ada.tar(12).xz"), 11);
    assert_int_equal(handin_suffix("ada.tar-1.gz"), 9);
    assert_int_equal(handin_suffix("ada.tar 2.gz"), 9);
    assert_int_equal(handin_suffix("ada.tar.x.tar-1.bz2"), 10);
    static const char *const none[] = {".tar (1).gz",   "ada.tar (1).c", "ada (1).gz",
                                       "ada.tar ().gz", "ada.gz",        "zip"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(handin_suffix(none[i]), 0);
}

static char folder[] = "/tmp/hpclab-submission-XXXXXX";

static int copy(const char *path, char *text, size_t size)
{
    struct hpc_error err = {.text = ""};
    char to[64];
    snprintf(to, sizeof to, "%s/copy", folder);
    unlink(to);
    int at = open(folder, O_RDONLY | O_DIRECTORY);
    int copied = handin_copy(at, path, to, 1000, "ada", &err);
    close(at);
    snprintf(text, size, "%.*s", (int)size - 1, err.text);
    return copied;
}

static void test_copy(void **state)
{
    char text[300], command[900];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "cd %s && mkdir -p a/b && echo x >a/b/f && ln -s b a/l && ln -s f a/b/g && "
             "echo y >one && ln one two && mkfifo pipe && head -c 1001 /dev/zero >big",
             folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(copy("a/b/f", text, sizeof text), 1);
    assert_int_equal(copy("a//b/f", text, sizeof text), 1);
    assert_int_equal(copy("a/b/none", text, sizeof text), 0);
    assert_int_equal(copy("none/f", text, sizeof text), 0);
    assert_int_equal(copy("a/l/f", text, sizeof text), 0); /* a link is no folder */
    assert_int_equal(copy("a/b/g", text, sizeof text), -1);
    assert_string_equal(text, "ada: a/b/g: a link, expected a regular file");
    assert_int_equal(copy("a/b", text, sizeof text), -1);
    assert_int_equal(copy("pipe", text, sizeof text), -1);
    assert_string_equal(text, "ada: pipe: expected a regular file");
    assert_int_equal(copy("one", text, sizeof text), -1);
    assert_string_equal(text, "ada: one: has 2 names, expected a file of its own");
    assert_int_equal(copy("big", text, sizeof text), -1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listings), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_rank),     cmocka_unit_test(test_suffix),
        cmocka_unit_test(test_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
