/* What gcc's sanitizers of threads and addresses leave out: instructions called by a name of the
 * processor's headers, _mm256_stream_ps(p, v), which load or store by a pointer. In the student's
 * lines of the text that gcc compiles each such call gets a word to the sanitizer before it:
 *
 *     ({ __auto_type hpc__0 = p; __tsan_write_range(hpc__0, 32); _mm256_stream_ps(hpc__0, v); })
 *
 * and so does va_copy(), whose source it loads itself. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/defence.h"
#include "harness/build/internal.h"
#include "harness/build/intrinsics.h"

#define NONE (-1)
#define NEON (-2) /* of bytes: bytes_of_neon() */

/* A call's arguments that are a pointer and a mask, of those whose name has the words. Gathers and
 * scatters have the numbers of two arguments more: of a vector of distances from the pointer, and
 * of what these are multiplied by. The first that fits counts. */
static const struct told {
    const char *begin, *has;
    int pointer, mask;
    bool store;
    int bytes; /* 0: a whole vector, or what the name's end says; or NEON */
    int index, scale;
} told[] = {
#include "harness/build/told.def"
#ifdef __x86_64__
    /* where lists of arguments are arrays: the one that is copied */
    {"__builtin_va_copy", "", 1, NONE, false, 24, NONE, NONE},
#endif
};

/* Those that load or store where no range says it; and what else has their words. */
static const struct {
    const char *begin, *has;
} unseen[] = {
#include "harness/build/unseen.def"
};
static const char *const seen[] = {"__builtin_ia32_pause", "__builtin_ia32_mfence",
                                   "__builtin_ia32_lfence", "__builtin_ia32_sfence",
                                   "__builtin_ia32_rdtsc"};

/* A piece of the text: from begin to before end. */
struct part {
    const char *begin, *end;
};

static int part_length(struct part p)
{
    return (int)(p.end - p.begin);
}

static bool part_begins(struct part p, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(p.end - p.begin) >= n && strncmp(p.begin, word, n) == 0;
}

static bool part_is(struct part p, const char *word)
{
    return part_begins(p, word) && part_length(p) == (int)strlen(word);
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static bool named(struct part name, const char *begin, const char *has)
{
    return part_begins(name, begin) &&
           memmem(name.begin, (size_t)part_length(name), has, strlen(has));
}

/* Behind a string, what a bracket closes, a preprocessor's marker, or one character. */
static const char *behind(const char *p, const char *end)
{
    int depth = 0;
    do {
        if (*p == '"' || *p == '\'') {
            const char quote = *p;
            for (p++; p < end && *p != quote; p++)
                p += *p == '\\' && p + 1 < end;
        } else if (*p == '#' && p[-1] == '\n') {
            while (p + 1 < end && *p != '\n')
                p++;
        }
        depth += (strchr("([{", *p) != NULL) - (strchr(")]}", *p) != NULL);
        p += p < end;
    } while (p < end && depth > 0);
    return p;
}

static struct part next_argument(struct part *p)
{
    const char *q = p->begin;
    while (q < p->end && *q != ',')
        q = behind(q, p->end);
    const struct part found = {p->begin, q};
    p->begin = q + (q < p->end);
    return found;
}

/* The bytes of a vector, and of a lane of it, by a name: _mm256_stream_ps has 32, of 4 each. */
static int bytes_of_vector(struct part name)
{
    const int one = part_begins(name, "_mm256") ? 32 : part_begins(name, "_mm512") ? 64 : 16;
    return named(name, "_mm_stream_", "_si32")                                 ? 4
           : named(name, "_mm_stream_", "_si64") || named(name, "_mm_", "_pi") ? 8
                                                                               : one;
}

static int bytes_of_lane(struct part name)
{
    const char *end = memrchr(name.begin, '_', (size_t)part_length(name));
    const int bits = end && strncmp(end, "_epi", 4) == 0 ? atoi(end + 4) : 0;
    return bits ? bits / 8 : end && name.end[-1] == 'd' ? 8 : 4;
}

/* vld2q_f32 loads two vectors of 16 bytes, vst3_lane_u8 stores three lanes of one, vld1_s16_x4
 * loads four vectors of 8. */
static int bytes_of_neon(struct part name)
{
    const char *from = name.begin + strlen("vld2"), *end = name.end, *last = end;
    const char *several = memmem(from, (size_t)(end - from), "_x", 2);
    const int vectors = several ? atoi(several + 2) : name.begin[3] - '0';
    for (last = several ? several : end; last > from && isdigit((unsigned char)last[-1]);)
        last--;
    const bool lanes = named(name, "v", "_lane_") || named(name, "v", "_dup_");
    return vectors * (lanes ? atoi(last) / 8 : *from == 'q' ? 16 : 8);
}

/* The mask as a number: of a vector the signs of its lanes. */
static void add_mask(struct text *to, struct part name, const struct told *t)
{
    const bool vector = strcmp(t->has, "_maskload_") == 0 || strcmp(t->has, "_maskstore_") == 0;
    const char *wide = part_begins(name, "_mm256") ? "256" : "",
               *of = bytes_of_lane(name) == 8 ? "d" : "s";
    if (vector)
        text_add(to, "(unsigned)_mm%s_movemask_p%s((__m%s%s)hpc__1)", wide, of,
                 *wide ? wide : "128", *of == 'd' ? "d" : "");
    else
        text_add(to, "hpc__1");
}

/* Whether a lane is loaded or stored, by the mask: a number's bit, or a vector's sign. */
static void add_lanes_mask(struct text *to, const struct told *t, int bytes)
{
    if (t->mask == NONE)
        text_add(to, "1");
    else if (t->mask == 3)
        text_add(to, "((const signed char *)&hpc__1)[%d * hpc__k + %d] < 0", bytes, bytes - 1);
    else
        text_add(to, "hpc__1 >> hpc__k & 1");
}

/* Of a gather or a scatter each lane: where the vector of distances, hpc__2, says. */
static void tell_lanes(struct part name, const struct told *t, struct part scale, const char *say,
                       struct text *to)
{
    const int bytes = bytes_of_lane(name), wide = bytes_of_vector(name),
              distance = named(name, "_mm", "_i64") ? 8 : 4,
              lanes = wide / (bytes > distance ? bytes : distance);
    text_add(to, "for (int hpc__k = 0; hpc__k < %d; hpc__k++) if (", lanes);
    add_lanes_mask(to, t, bytes);
    text_add(to,
             ") %s((char *)hpc__0 + (%.*s) * (long)((const __attribute__((__may_alias__)) %s *)"
             "&hpc__2)[hpc__k], %d); ",
             say, part_length(scale), scale.begin, distance == 8 ? "long long" : "int", bytes);
}

static bool tell(struct part p, struct text *to, struct unseen_instruction *unseen_one);

/* One call, told: its brackets are `in`. False as tell() is. */
static bool tell_call(struct part name, const struct told *t, struct part in, struct text *to,
                      struct unseen_instruction *u)
{
    struct text call = {0};
    bool good = true;
    struct part rest = in, scale = {NULL, NULL};
    text_add(to, "({ ");
    for (int k = 0; good && (k == 0 || rest.begin < rest.end); k++) {
        const struct part one = next_argument(&rest);
        const bool ours = k == t->pointer || k == t->mask || k == t->index;
        const int number = k == t->index ? 2 : k == t->mask;
        struct text *into = ours ? to : &call;
        text_add(&call, k ? "," : "(");
        if (ours) {
            text_add(&call, "hpc__%d", number);
            text_add(to, "__auto_type hpc__%d = ", number);
        }
        scale = k == t->scale ? one : scale;
        good = tell(one, into, u);
        if (ours)
            text_add(to, "; ");
    }
    const char *load = u->address ? "__asan_loadN" : "__tsan_read_range",
               *store = u->address ? "__asan_storeN" : "__tsan_write_range",
               *say = t->store ? store : load;
    text_add(to, "extern void %s(void *, unsigned long); ", say);
    if (t->index != NONE) {
        tell_lanes(name, t, scale, say, to);
    } else if (t->mask == NONE) {
        text_add(to, "%s((void *)hpc__0, %d); ", say,
                 t->bytes == NEON ? bytes_of_neon(name)
                 : t->bytes       ? t->bytes
                                  : bytes_of_vector(name));
    } else {
        text_add(to, "for (int hpc__k = 0; hpc__k < 64; hpc__k++) if ((unsigned long)(");
        add_mask(to, name, t);
        text_add(to, ") >> hpc__k & 1) %s((char *)hpc__0 + %d * hpc__k, %d); ", say,
                 bytes_of_lane(name), bytes_of_lane(name));
    }
    text_add(to, "%.*s%s); })", part_length(name), name.begin, text_string(&call));
    text_free(&call);
    return good;
}

/* Whether a name is of what can't be told of. */
static bool is_unseen(struct part name)
{
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        if (part_is(name, seen[i]))
            return false;
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        if (named(name, unseen[i].begin, unseen[i].has))
            return true;
    return false;
}

/* Whether a name may ask gcc for options: one of them would take back what lets a sanitizer look.
 * With another name an attribute or a pragma is none that gcc knows, and a function stays one. */
static bool asks_for_options(struct part name)
{
    if (DEFENCE(own_options))
        return part_is(name, "optimize") || part_is(name, "__optimize__");
    return false;
}

/* A piece of the student's, with what is to be told; false where something in it can't be. */
static bool tell(struct part p, struct text *to, struct unseen_instruction *u)
{
    while (p.begin < p.end) {
        const char *q = p.begin;
        while (q < p.end && in_word(*q))
            q++;
        const struct part name = {p.begin, q};
        const char *open = q + strspn(q, " \n");
        const struct told *t = NULL;
        for (size_t i = 0; q > p.begin && *open == '(' && !t && i < sizeof told / sizeof *told; i++)
            t = named(name, told[i].begin, told[i].has) ? &told[i] : NULL;
        if (!t && q > p.begin && !u->address && is_unseen(name)) {
            snprintf(u->name, sizeof u->name, "%.*s", part_length(name), name.begin);
            return false;
        }
        if (t) {
            const char *end = behind(open, p.end);
            if (!tell_call(name, t, (struct part){open + 1, end - 1}, to, u))
                return false;
            p.begin = end;
            continue;
        }
        if (q == p.begin)
            q = *q == '"' || *q == '\'' ? behind(q, p.end) : q + 1;
        text_add(to, "%s%.*s", asks_for_options(name) ? "hpc_" : "", (int)(q - p.begin), p.begin);
        p.begin = q;
    }
    return true;
}

bool intrinsics_tell(const struct build_spec *spec, const char *text, struct text *to,
                     struct unseen_instruction *u)
{
    const char *begin = text; /* of lines that are all the student's, or all others' */
    bool own = false;
    for (const char *p = text, *next; *p; p = next) {
        const char *end = strchrnul(p, '\n'),
                   *name = *p == '#' && p[1] == ' ' ? strchr(p, '"') : NULL;
        const bool marker = name && name < end,
                   now = marker && !trusted_file(spec, name + 1, strcspn(name + 1, "\""));
        next = *end ? end + 1 : end;
        if (!marker || now == own)
            continue;
        if (own && !tell((struct part){begin, p}, to, u))
            return false;
        text_add(to, "%.*s", (int)(own ? 0 : next - begin), begin);
        begin = own ? p : next;
        own = now;
    }
    if (own)
        return tell((struct part){begin, begin + strlen(begin)}, to, u);
    text_add(to, "%s", begin);
    return true;
}
