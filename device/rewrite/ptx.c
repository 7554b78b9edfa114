/* Inline PTX becomes C++ (ptx.def):
 *
 *   asm("bfe.u32 %0, %1, 4, 8;" : "=r"(x) : "r"(y));
 *
 *   do {
 *       auto &hpc_ptx_0 = (x);
 *       const auto hpc_ptx_1 = (y);
 *       hpc_ptx_0 = ptx_for(hpc_ptx_0, field_of(ptx_as<unsigned>(hpc_ptx_1), (unsigned)4, ..));
 *   } while (0);
 *
 * Instructions of an asm follow each other, and hand on a carry. What is not in the list is refused
 * by its name. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/ptx_numbers.h"
#include "device/rewrite/rewrite.h"

enum row_kind { A_REGISTER, AN_INSTRUCTION, A_VALUE, A_STATEMENT };
static const struct row {
    enum row_kind kind;
    const char *name, *what;
} rows[] = {
#define REGISTER(name, what)    {A_REGISTER, name, what},
#define INSTRUCTION(name, what) {AN_INSTRUCTION, name, what},
#define VALUE(name, what)       {A_VALUE, name, what},
#define STATEMENT(name, what)   {A_STATEMENT, name, what},
#include "device/rewrite/ptx.def"
};

static const char *row_of(enum row_kind kind, const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == kind && strcmp(rows[i].name, name) == 0)
            return rows[i].what;
    return NULL;
}

enum { MOST_OPERANDS = 10, LONGEST = 64 };

/* One instruction with operands. */
struct ptx {
    char name[LONGEST]; /* as the list has it */
    char any[LONGEST];  /* with * for the type */
    const char *cpp;    /* its type: "int" of s32 */
    int vector;         /* of .v2 or .v4, or 1 */
    const char *operand[MOST_OPERANDS];
    int n;
};

const char *ptx_moved(const char *text)
{
    const char *from = strchr(text, ',');
    if (strncmp(text, "mov.", 4) != 0 || !from || strncmp(text + 7, " %0", 3) != 0 ||
        strspn(text + 10, " ") != (size_t)(from - text - 10))
        return NULL;
    from += 1 + strspn(from + 1, " ");
    if (*from != '%')
        return NULL;
    from += 1 + (from[1] == '%');
    return row_of(A_REGISTER, from);
}

static const char *type_of(const char *word)
{
    static const char *const types[][2] = {
        {"u8", "unsigned char"},
        {"b8", "unsigned char"},
        {"s8", "signed char"},
        {"u16", "unsigned short"},
        {"b16", "unsigned short"},
        {"s16", "short"},
        {"u32", "unsigned"},
        {"b32", "unsigned"},
        {"s32", "int"},
        {"u64", "unsigned long long"},
        {"b64", "unsigned long long"},
        {"s64", "long long"},
        {"f32", "float"},
        {"f64", "double"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(word, types[i][0]) == 0)
            return types[i][1];
    return NULL;
}

/* Spaces, scopes and hints to caches of what uses memory, which is one and has none here. */
static bool says_nothing(const char *word, bool memory)
{
    static const char *const words[] = {"global", "gpu", "sys", "cta", "ca", "cg",   "cs",
                                        "lu",     "cv",  "nc",  "wb",  "wt", "weak", NULL};
    if (strcmp(word, "ftz") == 0)
        return true;
    for (int i = 0; memory && words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return memory && strncmp(word, "L", 1) == 0 && strstr(word, "::") &&
           strcmp(word, "L2::cache_hint") != 0;
}

/* The parts of an instruction's name, which ends in a '\0'. */
static bool name_read(struct ptx *p, char *text)
{
    char *rest, *word = strtok_r(text, ".", &rest);
    bool memory = false;
    p->vector = 1;
    for (const char *const *m =
             (const char *const[]){"ld", "ldu", "st", "atom", "red", "prefetch", "prefetchu", NULL};
         word && *m; m++)
        memory |= strcmp(word, *m) == 0;
    for (; word; word = strtok_r(NULL, ".", &rest)) {
        if (memory && (strcmp(word, "v2") == 0 || strcmp(word, "v4") == 0)) {
            p->vector = word[1] - '0';
        } else if (!says_nothing(word, memory)) {
            if (strlen(p->name) + strlen(word) + 2 > sizeof p->name)
                return false;
            memcpy(p->any, p->name, sizeof p->any);
            strcat(p->name, *p->name ? "." : "");
            strcat(p->name, word);
            p->cpp = type_of(word);
        }
    }
    if (p->cpp && strlen(p->any) + 3 <= sizeof p->any)
        strcat(p->any, ".*");
    else
        p->cpp = "char";
    return *p->name != '\0';
}

/* Operands, parted by commas outside of brackets. */
static bool operands_read(struct ptx *p, char *text)
{
    int depth = 0;
    for (char *c = text; *c && *c != ';'; c++) {
        depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
        if (c == text || (*c == ',' && depth == 0)) {
            if (p->n == MOST_OPERANDS)
                return false;
            *c = c == text ? *c : '\0';
            p->operand[p->n] = c + (c != text) + strspn(c + (c != text), " ");
            p->n++;
        }
    }
    return !strchr(text, ';') && (p->n == 0 || !strchr(p->operand[p->n - 1], ';'));
}

static int operand_number(const char **c)
{
    if (**c != '%' || !isdigit((unsigned char)(*c)[1]))
        return -1;
    char *end;
    const int n = (int)strtol(*c + 1, &end, 10);
    *c = end + strspn(end, " ");
    return n;
}

/* {%1, %2}: numbers, parted by commas. */
static bool add_vector(struct buffer *b, const char *c, const char *before, const char *after)
{
    for (c++; *c && *c != '}'; c += strspn(c, " ,")) {
        c += strspn(c, " ");
        const int n = operand_number(&c);
        if (n < 0)
            return false;
        buffer_add(b, "%shpc_ptx_%d%s", before, n, after);
    }
    return *c == '}';
}

/* Operand k as C++. */
static bool add_operand(struct buffer *b, const struct ptx *p, int k)
{
    const char *c = k < p->n ? p->operand[k] : "";
    char before[80];
    int n;
    if (*c == '[') {
        c += 1 + strspn(c + 1, " ");
        n = operand_number(&c);
        const char *offset = *c == '+' ? c + 1 + strspn(c + 1, " ") : "0";
        const int digits = (int)strspn(offset, "0123456789");
        if (p->vector > 1)
            buffer_add(b, "(*::hpc_dev::ptx_at<::hpc_dev::ptx_vector<%s, %d>>(hpc_ptx_%d, %.*s))",
                       p->cpp, p->vector, n, digits, offset);
        else
            buffer_add(b, "(*::hpc_dev::ptx_at<%s>(hpc_ptx_%d, %.*s))", p->cpp, n, digits, offset);
        return n >= 0 && digits > 0 && (*c == ']' || *c == '+');
    }
    if (*c == '{' && p->vector > 1) {
        buffer_add(b, "::hpc_dev::ptx_vector<%s, %d>{{", p->cpp, p->vector);
        snprintf(before, sizeof before, "::hpc_dev::ptx_as<%s>(", p->cpp);
        const bool ok = add_vector(b, c, before, "), ");
        buffer_add(b, "}}");
        return ok;
    }
    if (*c == '{') { /* halves that mov packs */
        buffer_add(b, "::hpc_dev::ptx_packed<%s>(", p->cpp);
        const bool ok = add_vector(b, c, "", ", ");
        buffer_add(b, "0)");
        return ok;
    }
    if ((n = operand_number(&c)) < 0)
        return add_ptx_number(b, p->cpp, c);
    buffer_add(b, "::hpc_dev::ptx_as<%s>(hpc_ptx_%d)", p->cpp, n);
    return *c == '\0';
}

/* What a row says, with the operands in their places; all of them have one. */
static bool add_code(struct buffer *b, const struct ptx *p, const char *code)
{
    int last = 0;
    for (; *code; code++) {
        const int k = *code == '$' ? code[1] - '0' : -1;
        last = k >= 0 && k <= 9 && k > last ? k : last;
        if (*code != '$')
            buffer_add(b, "%c", *code);
        else if (*++code == 't')
            buffer_add(b, "%s", p->cpp);
        else if (!add_operand(b, p, k))
            return false;
    }
    return p->n <= last + 1;
}

/* The parts of hpc_ptx_parts to the operands of {%0, %1}. */
static bool add_parts(struct buffer *b, const char *c)
{
    int part = 0;
    for (c++; *c && *c != '}'; c += strspn(c, " ,")) {
        c += strspn(c, " ");
        const int n = operand_number(&c);
        if (n < 0)
            return false;
        buffer_add(b, "; hpc_ptx_%d = ::hpc_dev::ptx_part(hpc_ptx_%d, hpc_ptx_parts, %d)", n, n,
                   part++);
    }
    return *c == '}';
}

static bool add_instruction(struct buffer *b, const struct ptx *p)
{
    const char *code = row_of(A_STATEMENT, p->name), *to = p->n > 0 ? p->operand[0] : "";
    code = code ? code : row_of(A_STATEMENT, p->any);
    if (code)
        return add_code(b, p, code);
    code = row_of(A_VALUE, p->name);
    code = code ? code : row_of(A_VALUE, p->any);
    if (code && *to == '{') {
        buffer_add(b, "const auto hpc_ptx_parts = ");
        return add_code(b, p, code) && add_parts(b, to);
    }
    const int n = operand_number(&to);
    if (!code || n < 0 || *to)
        return false;
    buffer_add(b, "hpc_ptx_%d = ::hpc_dev::ptx_for(hpc_ptx_%d, ", n, n);
    return add_code(b, p, code) && (buffer_add(b, ")"), true);
}

const char *ptx_alone(const char *text)
{
    return row_of(AN_INSTRUCTION, text);
}

/* One instruction, text[0..n). *carry: whether one before it has left a carry. */
static bool one_code(struct buffer *b, const char *text, size_t n, bool *carry)
{
    char words[PTX_LONGEST];
    struct ptx p = {0};
    snprintf(words, sizeof words, "%.*s", (int)n, text);
    char *operands = words + strcspn(words, " ");
    operands += *operands ? (*operands = '\0', 1) : 0;
    const bool takes = strncmp(words, "addc.", 5) == 0 || strncmp(words, "subc.", 5) == 0 ||
                       strncmp(words, "madc.", 5) == 0;
    if (takes && !*carry)
        return false; /* that of another asm */
    *carry |= strstr(words, ".cc.") != NULL;
    return operands_read(&p, operands) && name_read(&p, words) && add_instruction(b, &p);
}

const char *ptx_code(struct buffer *b, const char *text)
{
    const bool one = !strchr(text, ';');
    bool carry = false;
    if (strstr(text, ".cc."))
        buffer_add(b, "[[maybe_unused]] unsigned hpc_carry = 0, hpc_lost; ");
    while (*text) {
        const size_t whole = strcspn(text, ";");
        size_t n = whole;
        while (n > 0 && text[n - 1] == ' ')
            n--;
        buffer_add(b, one ? "" : "{ ");
        if (!one_code(b, text, n, &carry))
            return text;
        buffer_add(b, one ? "" : "; } ");
        text += whole + strspn(text + whole, "; ");
    }
    return NULL;
}
