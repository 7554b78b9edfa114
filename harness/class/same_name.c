/* Whether two spellings are one name: as a platform, a file system or a keyboard without umlauts
 * writes it. */
#define _GNU_SOURCE
#include <ctype.h>
#include <iconv.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#include "harness/class/roster.h"

#define MOST (4 * ROSTER_TEXT)

static locale_t letters(void)
{
    static locale_t utf8;
    utf8 = utf8 ? utf8 : newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    return utf8;
}

/* A letter of two bytes of UTF-8 (Latin, Greek, Cyrillic) as its small one, in place. */
static void small_letter(char *at)
{
    const locale_t utf8 = letters();
    const wint_t c = (wint_t)(((unsigned char)at[0] & 0x1f) << 6 | ((unsigned char)at[1] & 0x3f));
    const wint_t small = utf8 ? towlower_l(c, utf8) : c;
    if (small < 0x80 || small > 0x7ff)
        return;
    at[0] = (char)(0xc0 | small >> 6);
    at[1] = (char)(0x80 | (small & 0x3f));
}

/* A mark behind a letter, as macOS writes file names, and what both are as one: pairs. */
static const struct {
    unsigned mark;
    const wchar_t *pairs;
} marks[] = {
    {0x300, L"a\u00e0e\u00e8i\u00eco\u00f2u\u00f9"},
    {0x301,
     L"a\u00e1e\u00e9i\u00edo\u00f3u\u00fay\u00fdc\u0107l\u013an\u0144r\u0155s\u015bz\u017a"},
    {0x302,
     L"a\u00e2e\u00eai\u00eeo\u00f4u\u00fbc\u0109g\u011dh\u0125j\u0135s\u015dw\u0175y\u0177"},
    {0x303, L"a\u00e3n\u00f1o\u00f5i\u0129u\u0169"},
    {0x304, L"a\u0101e\u0113i\u012bo\u014du\u016b"},
    {0x306, L"a\u0103e\u0115g\u011fi\u012do\u014fu\u016d"},
    {0x307, L"c\u010be\u0117g\u0121z\u017c"},
    {0x308, L"a\u00e4e\u00ebi\u00efo\u00f6u\u00fcy\u00ff"},
    {0x30a, L"a\u00e5u\u016f"},
    {0x30b, L"o\u0151u\u0171"},
    {0x30c, L"c\u010dd\u010fe\u011bl\u013en\u0148r\u0159s\u0161t\u0165z\u017e"},
    {0x327, L"c\u00e7g\u0123k\u0137l\u013cn\u0146r\u0157s\u015ft\u0163"},
    {0x328, L"a\u0105e\u0119i\u012fu\u0173"},
};

/* at[0] a small letter of ASCII, at[1], at[2] a mark: both as one letter, where there is one.
 * Returns how many bytes it is shorter. */
static int join_mark(char *at)
{
    const unsigned mark = ((unsigned char)at[1] & 0x1fU) << 6 | ((unsigned char)at[2] & 0x3fU);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        for (const wchar_t *p = marks[i].pairs; marks[i].mark == mark && *p; p += 2)
            if (p[0] == (wchar_t)at[0]) {
                at[0] = (char)(0xc0 | p[1] >> 6);
                at[1] = (char)(0x80 | (p[1] & 0x3f));
                return 1;
            }
    return 0;
}

/* "#U00fc", as unzip writes a letter that its terminal lacks, as that letter; in place. */
static void show_letters(char *text)
{
    char *to = text;
    unsigned int c;
    for (const char *p = text; *p; to++)
        if (strncmp(p, "#U", 2) == 0 && strspn(p + 2, "0123456789abcdefABCDEF") >= 4 &&
            sscanf(p + 2, "%4x", &c) == 1 && c >= 0x80 && c < 0x800) {
            *to++ = (char)(0xc0 | c >> 6);
            *to = (char)(0x80 | (c & 0x3f));
            p += 6;
        } else
            *to = *p++;
    *to = '\0';
}

/* Letters and digits alone, lower case. */
static void squeeze(const char *text, char *to)
{
    const char *begin = to;
    for (const char *p = text; *p; p++)
        if (isalnum((unsigned char)*p) || (*p & 0x80)) {
            *to++ = (char)tolower((unsigned char)*p);
            if (p == text || (*p & 0xc0) != 0x80 || (p[-1] & 0xe0) != 0xc0)
                continue;
            small_letter(to - 2);
            to -= to - begin > 2 ? join_mark(to - 3) : 0;
        }
    *to = '\0';
}

static size_t letter_bytes(const char *text)
{
    size_t n = 1;
    while ((text[n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* One letter in ASCII, nothing for a mark above another one; as it is where there is no such. */
static size_t plain_letter(iconv_t ascii, const char *from, size_t n, char *to)
{
    char *in = (char *)from, *out = to;
    size_t left = n, room = 8;
    iconv(ascii, NULL, NULL, NULL, NULL);
    if (iconv(ascii, &in, &left, &out, &room) == (size_t)-1 ||
        memchr(to, '?', (size_t)(out - to))) {
        memcpy(to, from, n);
        return n;
    }
    return (size_t)(out - to);
}

/* A squeezed text without accents; `two`: dots above a, o and u become an e behind them. */
static void make_plain(char text[MOST], bool two)
{
    static const char *const dotted[] = {"\xc3\xa4", "\xc3\xb6", "\xc3\xbc"};
    char plain[2 * MOST], *to = plain;
    const locale_t before = letters() ? uselocale(letters()) : (locale_t)0;
    const iconv_t ascii = iconv_open("ASCII//TRANSLIT", "UTF-8");
    for (const char *p = text; *p && ascii != (iconv_t)-1 && to < plain + MOST;
         p += letter_bytes(p)) {
        to += plain_letter(ascii, p, letter_bytes(p), to);
        for (int i = 0; i < 3 && two; i++)
            if (strncmp(p, dotted[i], 2) == 0)
                *to++ = 'e';
    }
    *to = '\0';
    if (ascii != (iconv_t)-1) {
        iconv_close(ascii);
        squeeze(plain, text);
    }
    if (before)
        uselocale(before);
}

static bool is_ascii(const char *text)
{
    while (*text && !(*text & 0x80))
        text++;
    return !*text;
}

static void spell(const char *name, enum spelling how, char to[MOST])
{
    squeeze(name, to);
    if (how != SPELLED_SO)
        make_plain(to, how == SPELLED_IN_TWO);
}

bool same_name(const char *name, const char *key, enum spelling how)
{
    char a[MOST], b[MOST], turned[2 * ROSTER_TEXT], shown[2 * ROSTER_TEXT];
    if (strlen(key) >= sizeof shown)
        return false;
    strcpy(shown, key);
    show_letters(shown);
    if (how != SPELLED_SO && is_ascii(name) && is_ascii(shown))
        return false; /* nothing is written otherwise */
    spell(shown, how, b);
    for (const char *at = name; *b && at; at = *at ? strpbrk(at + 1, " ,") : NULL) {
        snprintf(turned, sizeof turned, "%s %.*s", at, (int)(at - name), name);
        if (strlen(turned) >= ROSTER_TEXT)
            continue;
        spell(turned, how, a);
        if (strcmp(a, b) == 0)
            return true;
    }
    return false;
}
