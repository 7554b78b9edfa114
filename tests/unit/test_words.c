/* Somebody else's words: harmless to a terminal, and one word to a shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/command.h"
#include "common/error.h"
#include "common/sha256.h"

static void texts_are_made_harmless(void **state)
{
    static const struct {
        const char *text, *harmless;
    } pairs[] = {
        {"plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x99\x82",
         "plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x99\x82"},
        {"\033[2J\a\r\n\t\177", "?[2J?????"},
        {"\x9b"
         "2J",
         "?2J"}, /* as Latin 1 */
        {"\xc2\x9b"
         "2J",
         "??2J"}, /* as UTF-8 */
        {"\xe2\x80\xae"
         "exe.c",
         "???exe.c"}, /* right to left */
        {"\xe2\x81\xa6", "???"},
        {"\xe2\x80\xa8", "???"}, /* a line's end, to readers of JSON */
        {"\xef\xbb\xbf", "???"},
        {"\xc0\x9b\xe0\x80\x9b", "?????"}, /* too long for what it says */
        {"cut \xe2\x82", "cut ??"},
        {"\xf5\x80\x80\x80\xed\xa0\x80", "???????"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[100];
        snprintf(text, sizeof text, "%s", pairs[i].text);
        hpc_harmless(text);
        assert_string_equal(text, pairs[i].harmless);
    }
}

static void words_are_quoted(void **state)
{
    static const char *const words[] = {"hw.tar", "",          "a b",  "a'b", "'",
                                        "$(id)",  "a;id;.tar", "`id`", "\\",  "a\"b$HOME",
                                        "~root",  "a\nb",      "*",    "#a",  "{a,b}"};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *quoted = command_quoted(words[i]);
        char *command = hpc_printf("printf %%s. %s", quoted), said[100] = "", *want;
        FILE *shell = popen(command, "r");
        assert_non_null(shell);
        said[fread(said, 1, sizeof said - 1, shell)] = '\0';
        assert_int_equal(pclose(shell), 0);
        want = hpc_printf("%s.", words[i]);
        assert_string_equal(said, want);
        free(want);
        free(command);
        free(quoted);
    }
    char *plain = command_quoted("dir/hw-1_2.tar.gz");
    assert_string_equal(plain, "dir/hw-1_2.tar.gz");
    free(plain);
}

/* FIPS 180-4's examples, and lengths around a block's. */
static void hashes_are_sha256(void **state)
{
    static const struct {
        const char *text;
        int times;
        const char *hash;
    } known[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
        {"a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct sha256 s;
        char hex[65];
        sha256_start(&s);
        for (int k = 0; k < known[i].times; k++)
            sha256_add(&s, known[i].text, strlen(known[i].text));
        sha256_end(&s, hex);
        assert_string_equal(hex, known[i].hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_made_harmless),
        cmocka_unit_test(words_are_quoted),
        cmocka_unit_test(hashes_are_sha256),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
