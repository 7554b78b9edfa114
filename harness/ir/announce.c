/* What clang's thread sanitizer leaves out. It announces loads and stores of 1, 2, 4, 8 and 16
 * bytes, and so neither those of `long double`, of wide vectors, of structs of 3 bytes, nor the
 * memory that a struct is passed by value from, nor what a loop of `omp simd` loads under a mask.
 *
 * clang's last form of the source, its intermediate language as text, has a line an instruction:
 *
 *     call void @__tsan_read4(i8* %4)
 *     %5 = load i32, i32* %3, align 4, !dbg !20
 *
 * Here each load and store that has no such line before it gets one, of a range; and a call that
 * touches memory by itself too, or the source is refused. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/text.h"
#include "harness/ir/internal.h"

#define LANES "@runner_announce_lanes"

/* One source under way: what is made of it, and how many names there are of ours. */
struct announcing {
    struct text *to;
    int names;
    bool opaque;        /* pointers say nothing of what they point to: `ptr` */
    char *at;           /* ", !dbg !20" of the instruction */
    const char *unseen; /* what touches memory as nobody can announce, or NULL */
};

/* The bytes of a type: a number, or a constant of the language. */
static void add_bytes(struct announcing *a, struct part type)
{
    const int bytes = bytes_of(type), n = part_length(type);
    if (bytes > 0)
        text_add(a->to, "%d", bytes);
    else if (a->opaque)
        text_add(a->to, "ptrtoint (ptr getelementptr (%.*s, ptr null, i64 1) to i64)", n,
                 type.begin);
    else
        text_add(a->to, "ptrtoint (%.*s* getelementptr (%.*s, %.*s* null, i64 1) to i64)", n,
                 type.begin, n, type.begin, n, type.begin);
}

/* A name of ours for the address that "TYPE* VALUE" is, as a pointer to bytes. */
static int add_address(struct announcing *a, struct part pointer)
{
    const struct part type = type_of(pointer), value = value_of(pointer);
    const bool far = memmem(type.begin, (size_t)(type.end - type.begin), "addrspace", 9);
    text_add(a->to, "  %%hpc.%d = %s %.*s %.*s to %s%s\n", a->names,
             far ? "addrspacecast" : "bitcast", (int)(type.end - type.begin), type.begin,
             (int)(value.end - value.begin), value.begin, a->opaque ? "ptr" : "i8*", a->at);
    return a->names++;
}

/* The call that announces what a value of the type takes, at "TYPE* VALUE". */
static void add_call(struct announcing *a, bool store, struct part type, struct part pointer)
{
    const int address = add_address(a, pointer);
    text_add(a->to, "  call void @__tsan_%s_range(%s %%hpc.%d, i64 ", store ? "write" : "read",
             a->opaque ? "ptr" : "i8*", address);
    add_bytes(a, type);
    text_add(a->to, ")%s\n", a->at);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* "load volatile i32, i32* %3, align 4" or "store i32 %1, i32* %3, align 4". */
static void announce_access(struct announcing *a, struct part p, bool store)
{
    static const char *const words[] = {"load ", "store ", "atomic ", "volatile "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        p.begin += part_begins(p, words[i]) ? strlen(words[i]) : 0;
    const struct part value = part_next(&p), pointer = part_next(&p);
    add_call(a, store, type_of(value), pointer);
}

/* Functions of the language that touch no memory of a program's, or none by themselves. */
static const char *const no_access[] = {"llvm.dbg.",
                                        "llvm.lifetime.",
                                        "llvm.prefetch.",
                                        "llvm.assume",
                                        "llvm.invariant.",
                                        "llvm.stack",
                                        "llvm.va_",
                                        "llvm.objectsize.",
                                        "llvm.returnaddr",
                                        "llvm.frameaddress",
                                        "llvm.experimental.noalias",
                                        "llvm.annotation.",
                                        "llvm.var.annotation",
                                        "llvm.ptr.annotation",
                                        "llvm.launder.",
                                        "llvm.strip.",
                                        "llvm.expect.",
                                        "llvm.threadlocal.",
                                        "llvm.ptrmask.",
                                        "llvm.is.constant.",
                                        "llvm.eh.",
                                        "llvm.fake.use",
                                        "llvm.clear_cache"};

/* Those whose arguments are a pointer, or behind others one, and a mask: of a bit a lane, or of a
 * lane's sign. */
static const struct masked {
    const char *name;
    int pointer, mask;
    bool store, sign;
} masked[] = {
    {"llvm.masked.load.", 0, 2, false, false},      {"llvm.masked.store.", 1, 3, true, false},
    {"llvm.x86.avx.maskload.", 0, 1, false, true},  {"llvm.x86.avx.maskstore.", 0, 1, true, true},
    {"llvm.x86.avx2.maskload.", 0, 1, false, true}, {"llvm.x86.avx2.maskstore.", 0, 1, true, true},
};

/* Only the lanes that a mask lets through. `lane` is a type as wide as each of them. */
static void announce_lanes(struct announcing *a, const struct masked *m, struct part pointer,
                           struct part mask, struct part lane)
{
    struct part one;
    const struct part type = type_of(mask);
    const int lanes = lanes_of(type, &one), address = add_address(a, pointer), bits = a->names++,
              word = a->names++;
    struct text on = {0};
    text_add(&on, "%.*s", (int)(mask.end - type.end), type.end);
    if (m->sign) {
        text_add(a->to, "  %%hpc.%d = icmp slt %.*s, zeroinitializer\n", a->names,
                 (int)(mask.end - mask.begin), mask.begin);
        text_free(&on);
        text_add(&on, " %%hpc.%d", a->names++);
    }
    text_add(a->to,
             "  %%hpc.%d = bitcast <%d x i1>%s to i%d\n  %%hpc.%d = %s i%d %%hpc.%d to i64\n", bits,
             lanes, text_string(&on), lanes, word, lanes == 64 ? "bitcast" : "zext", lanes, bits);
    text_add(a->to, "  call void " LANES "(%s %%hpc.%d, i64 ", a->opaque ? "ptr" : "i8*", address);
    add_bytes(a, lane);
    text_add(a->to, ", i64 %%hpc.%d, i64 %d)%s\n", word, m->store, a->at);
    text_free(&on);
}

/* A call of a function of the language's that touches memory: its arguments are `p`. */
static void announce_own(struct announcing *a, struct part name, struct part p, struct part result)
{
    struct part argument[8];
    bool pointers = false;
    int n = 0;
    while (p.begin < p.end && n < 8) {
        argument[n] = part_next(&p);
        struct part lane = type_of(argument[n++]);
        lanes_of(lane, &lane);
        pointers |= is_pointer(lane);
    }
    for (size_t i = 0; i < sizeof masked / sizeof *masked; i++) {
        const struct masked *m = &masked[i];
        struct part lane, bit;
        if (!part_begins(name, m->name) || m->mask >= n)
            continue;
        const int lanes = lanes_of(type_of(argument[m->mask]), &bit);
        lane = m->sign ? bit : m->store ? type_of(argument[0]) : result;
        if (lanes > 0 && lanes <= 64 && (m->sign || lanes_of(lane, &lane) == lanes)) {
            announce_lanes(a, m, argument[m->pointer], argument[m->mask], lane);
            return;
        }
    }
    for (size_t i = 0; i < sizeof no_access / sizeof *no_access; i++)
        pointers &= !part_begins(name, no_access[i]);
    if (pointers)
        a->unseen = name.begin;
}

/* "i32 @f(%struct.s* byval(%struct.s) align 8 @state) #3, !dbg !4", behind the word `call`. */
static void announce_call(struct announcing *a, struct part p)
{
    const char *open = NULL, *name = NULL;
    for (const char *q = p.begin; q < p.end && *q != ','; q = behind_one(q, p.end)) {
        if (*q == '@' && !open)
            name = q;
        if (*q == '(' && q > p.begin && q[-1] != ' ')
            open = q;
    }
    if (!open)
        return;
    const struct part arguments = {open + 1, behind_one(open, p.end) - 1};
    if (name && part_begins((struct part){name, open}, "@llvm.")) {
        struct part result = p;
        while (result.begin < name && !lanes_of(type_of(result), &(struct part){0}))
            result = part_trimmed((struct part){behind_one(result.begin, name), p.end});
        announce_own(a, (struct part){name + 1, open}, arguments, type_of(result));
        return;
    }
    for (struct part rest = arguments; rest.begin < rest.end;) {
        const struct part one = part_next(&rest);
        const char *of = memmem(one.begin, (size_t)(one.end - one.begin), " byval(", 7);
        if (of)
            add_call(a, false, (struct part){of + 7, behind_one(of + 6, one.end) - 1}, one);
    }
}

/* What the line before is: nothing, or clang's own word of the access that follows. An atomic
 * operation's call is in its place, but clang 14 leaves the load behind it. */
enum before { NOTHING, ACCESS, ATOMIC };

static enum before said_by(struct part call)
{
    static const char *const words[] = {"read", "write", "unaligned_", "volatile_", "vptr_"};
    const char *at = memchr(call.begin, '@', (size_t)(call.end - call.begin));
    if (!at || !part_begins((struct part){at, call.end}, "@__tsan_"))
        return NOTHING;
    const struct part name = {at + strlen("@__tsan_"), call.end};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (part_begins(name, words[i]))
            return ACCESS;
    return part_begins(name, "atomic") ? ATOMIC : NOTHING;
}

/* One line of a function's: before it what clang leaves out. What it says of the next. */
static enum before announce_line(struct announcing *a, struct part line, enum before before)
{
    static const char *const calls[] = {"call ", "tail call ", "notail call ", "musttail call "};
    static const char *const others[] = {"atomicrmw ", "cmpxchg ", "va_arg ", "invoke ", "callbr "};
    const char *const at = memmem(line.begin, (size_t)(line.end - line.begin), ", !dbg !", 8);
    struct part p = part_trimmed(line);
    const char *name =
        part_begins(p, "%") ? memmem(p.begin, (size_t)(p.end - p.begin), " = ", 3) : NULL;
    p.begin = name ? name + 3 : p.begin;
    free(a->at);
    a->at = hpc_printf("%.*s", at ? 8 + (int)strspn(at + 8, "0123456789") : 0, at ? at : "");
    if (part_begins(p, "#dbg_") || part_begins(p, "call void @llvm.dbg.") || p.begin == p.end)
        return before;
    const bool said = before == ACCESS || (before == ATOMIC && part_begins(p, "load atomic "));
    if ((part_begins(p, "load ") || part_begins(p, "store ")) && !said)
        announce_access(a, p, part_begins(p, "store "));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (part_begins(p, others[i]))
            a->unseen = p.begin;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (part_begins(p, calls[i])) {
            p.begin += strlen(calls[i]);
            announce_call(a, p);
            return said_by(p);
        }
    return NOTHING;
}

static void note(const struct announcing *a, const char *text, struct ir_unseen *unseen)
{
    /* !20 = !DILocation(line: 7, column: 3, scope: !18) */
    char *place = hpc_printf("\n!%s = !DILocation(line: ", a->at[0] ? a->at + 8 : "-");
    const char *found = strstr(text, place);
    unseen->line = found ? atoi(found + strlen(place)) : 0;
    snprintf(unseen->name, sizeof unseen->name, "%.*s", (int)strcspn(a->unseen, "( "), a->unseen);
    free(place);
}

bool ir_announce(const char *text, struct text *to, struct ir_unseen *unseen)
{
    struct announcing a = {.to = to, .opaque = strstr(text, "(ptr ") || strstr(text, " ptr ")};
    const char *bytes = a.opaque ? "ptr" : "i8*";
    bool inside = false;
    enum before before = NOTHING;
    for (const char *p = text; *p && !a.unseen;) {
        const char *end = strchrnul(p, '\n');
        if (inside)
            before = announce_line(&a, (struct part){p, end}, before);
        inside = strncmp(p, "define ", 7) == 0 || (inside && *p != '}');
        text_add(to, "%.*s\n", (int)(end - p), p);
        p = *end ? end + 1 : end;
    }
    text_add(to,
             "declare void @__tsan_read_range(%s, i64)\n"
             "declare void @__tsan_write_range(%s, i64)\n"
             "declare void " LANES "(%s, i64, i64, i64)\n",
             bytes, bytes, bytes);
    if (a.unseen)
        note(&a, text, unseen);
    free(a.at);
    return !a.unseen;
}

void ir_scalar(const char *text, struct text *to)
{
    static const char asked[] = " = !{!\"llvm.loop.vectorize.enable\", i1 true}";
    const char *p = text;
    for (const char *q; (q = strstr(p, asked)) != NULL; p = q + strlen(asked))
        text_add(to, "%.*s%.*sfalse}", (int)(q - p), p, (int)(strlen(asked) - 5), asked);
    text_add(to, "%s", p);
}
