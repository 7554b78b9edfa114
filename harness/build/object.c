/* What a variant's object may hold, read from the ELF file itself. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "common/error.h"
#include "common/nearest.h"
#include "common/scratch.h"
#include "harness/build/elf.h"
#include "harness/build/internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OBJECT (256L << 20)

const void *elf_inside(const struct elf *o, uint64_t offset, uint64_t n, uint64_t size)
{
    uint64_t bytes, end;
    if (__builtin_mul_overflow(n, size, &bytes) || __builtin_add_overflow(offset, bytes, &end) ||
        end > o->size || (size > 1 && offset % 8 != 0))
        return NULL;
    return o->bytes + offset;
}

const char *elf_string(const struct elf *o, size_t table, uint64_t offset)
{
    if (table >= o->n_sections || offset >= o->section[table].sh_size)
        return NULL;
    uint64_t left = o->section[table].sh_size - offset;
    const char *p = elf_inside(o, o->section[table].sh_offset, o->section[table].sh_size, 1);
    return p && memchr(p + offset, '\0', left) ? p + offset : NULL;
}

const char *elf_section_name(const struct elf *o, const Elf64_Shdr *section)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)o->bytes;
    return elf_string(o, header->e_shstrndx, section->sh_name);
}

/* All of a plain file, at most MAX_OBJECT; else false, with o->error where the machine failed. */
static bool read_all(struct elf *o, const char *path)
{
    FILE *f = scratch_open(path);
    const long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    bool good = size > 0 && size <= MAX_OBJECT;
    if (size < 0 && errno != EINVAL && errno != ELOOP) /* those are links, pipes, devices */
        o->error = errno;
    if (good) {
        o->size = (size_t)size;
        o->bytes = hpc_malloc(o->size);
        rewind(f);
        good = fread(o->bytes, 1, o->size, f) == o->size;
        if (!good)
            o->error = ferror(f) ? errno : EIO; /* shorter than the system says */
    }
    if (f)
        fclose(f);
    return good;
}

bool elf_refuse(const struct elf *o, const char *refused, struct outcome *why)
{
    if (o->error)
        return outcome_set(why, VERDICT_ENVIRONMENT, "what was compiled can't be read: %s",
                           strerror(o->error));
    return outcome_set(why, VERDICT_REJECTED, "%s", refused);
}

bool elf_load(struct elf *o, const char *path)
{
    memset(o, 0, sizeof *o);
    const bool good = read_all(o, path);
    const Elf64_Ehdr *header = good ? elf_inside(o, 0, 1, sizeof *header) : NULL;
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != ET_REL ||
        header->e_shentsize != sizeof(Elf64_Shdr))
        return false;
    o->n_sections = header->e_shnum; /* 0 where there are 65280 or more: too many */
    o->section = elf_inside(o, header->e_shoff, o->n_sections, sizeof *o->section);
    bool whole = o->section && o->n_sections > 0;
    for (size_t i = 0; whole && i < o->n_sections; i++) /* a linker might read what we can't */
        whole = (o->section[i].sh_type != SHT_SYMTAB && o->section[i].sh_type != SHT_RELA) ||
                elf_inside(o, o->section[i].sh_offset, o->section[i].sh_size / 8, 8);
    return whole;
}

void elf_free(struct elf *o)
{
    free(o->bytes);
}

/* What compilers make of plain C and C++: a word of the list begins a section's name. */
static const char usual_sections[] =
    ".text* .data* .rodata* .bss* .tdata* .tbss* .sdata* .sbss* .lrodata* .ldata* .lbss* .ltext* "
    ".comment .note.* .debug_* .zdebug_* .eh_frame* .gcc_except_table* .rela* .rel.* .symtab "
    ".symtab_shndx .strtab .shstrtab .group .llvm_addrsig .gnu.linkonce.*";

/* And of CUDA C++: nvcc registers kernels before main, device/rewrite records variables. */
static const char cudas_sections[] = ".init_array* .nv* __nv_* hpc_symbols";

/* And a sanitizer's: a source's own code that runs before main is seen in the plain object, which
 * is made of the same text. */
static const char sanitizers_sections[] = ".init_array* .fini_array* asan_globals*";

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Whether a section runs code before or after main. */
static bool runs_by_itself(const Elf64_Shdr *s, const char *name)
{
    static const char *const prefixes[] = {".init", ".fini", ".preinit", ".ctors", ".dtors"};
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++)
        if (begins(name, prefixes[p]))
            return true;
    return s->sh_type == SHT_INIT_ARRAY || s->sh_type == SHT_FINI_ARRAY ||
           s->sh_type == SHT_PREINIT_ARRAY;
}

/* Whether a relocation writes an address into code, which would then have to be writable. */
static bool patches_code(const struct elf *o, const Elf64_Shdr *s)
{
    size_t n = s->sh_type == SHT_RELA ? s->sh_size / sizeof(Elf64_Rela) : 0;
    const Elf64_Rela *r = elf_inside(o, s->sh_offset, n, sizeof *r);
    if (!r || s->sh_info >= o->n_sections || !(o->section[s->sh_info].sh_flags & SHF_EXECINSTR))
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned type = ELF64_R_TYPE(r[i].r_info);
        if (type == R_X86_64_64 || type == R_AARCH64_ABS64)
            return true;
    }
    return false;
}

/* One section: false with a reason where no compiler makes such a one of plain code. */
static bool check_section(const struct elf *o, const Elf64_Shdr *s, const struct object_kind *kind,
                          char *reason, size_t reason_size)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)o->bytes;
    const char *name = elf_string(o, header->e_shstrndx, s->sh_name);
    const uint64_t both = SHF_WRITE | SHF_EXECINSTR;
    if (s->sh_type == SHT_NULL ||
        (kind->cuda && name && listed(name, strlen(name), cudas_sections)) ||
        (kind->sanitized && name && listed(name, strlen(name), sanitizers_sections)))
        return true;
    if (name && runs_by_itself(s, name))
        snprintf(reason, reason_size,
                 "runs code before or after main (section %.60s), which no task allows", name);
    else if (name && begins(name, ".note.GNU-stack") && (s->sh_flags & SHF_EXECINSTR))
        snprintf(reason, reason_size,
                 "wants a stack that can be executed: a nested function whose address is taken, or "
                 "assembly?");
    else if ((s->sh_flags & both) == both)
        snprintf(reason, reason_size, "section %.60s is writable and executable",
                 name ? name : "without a name");
    else if (patches_code(o, s))
        snprintf(reason, reason_size,
                 "holds addresses within code (%.60s), which would have to be writable",
                 name ? name : "");
    else if (!name || !listed(name, strlen(name), usual_sections))
        snprintf(reason, reason_size, "has a section %.60s, which no compiler makes of plain code",
                 name ? name : "without a name");
    else
        return true;
    return false;
}

static bool is_code(const struct elf *o, size_t section)
{
    return section < o->n_sections && (o->section[section].sh_flags & SHF_EXECINSTR);
}

/* One symbol: false with a reason where it is not allowed; sets *defined at hpc_variant. */
static bool check_symbol(const struct elf *o, const Elf64_Sym *symbol, const char *name,
                         const char *patterns, const struct object_kind *kind, bool *defined,
                         struct outcome *is)
{
    char *const reason = is->reason;
    const size_t reason_size = sizeof is->reason;
    const bool undefined = symbol->st_shndx == SHN_UNDEF;
    const char *why = undefined ? NULL : name_defined(name, symbol, kind);
    if (!undefined && ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
        strcmp(name, "hpc_variant") == 0)
        *defined = true;
    if (DEFENCE(own_checker) && why) {
        snprintf(reason, reason_size, "defines %.80s, which %s", name, why);
        return false;
    }
    if (DEFENCE(sections) && patterns && ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC) {
        snprintf(reason, reason_size,
                 "%.80s is an ifunc, which runs before main; switch on env->simd instead", name);
        return false;
    }
    if (DEFENCE(data_in_code) && patterns && ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT &&
        is_code(o, symbol->st_shndx)) {
        snprintf(reason, reason_size,
                 "keeps %.80s, which is data, among its code, where no compiler lays any", name);
        return false;
    }
    if (DEFENCE(symbols) && patterns && undefined && name[0] &&
        !name_called(name, patterns, kind)) {
        name_refused(name, patterns, reason, reason_size);
        return false;
    }
    if (DEFENCE(followed) && kind->threads && patterns && undefined && name[0] &&
        !name_watched(name, patterns, kind)) {
        is->verdict = VERDICT_UNSAFE;
        snprintf(reason, reason_size,
                 "calls %.80s(), and the thread sanitizer does not see what that loads and stores; "
                 "a task that allows it names it in its symbols",
                 name);
        return false;
    }
    return true;
}

static int by_place(const void *a, const void *b)
{
    const Elf64_Sym *x = *(const Elf64_Sym *const *)a, *y = *(const Elf64_Sym *const *)b;
    if (x->st_shndx != y->st_shndx)
        return x->st_shndx < y->st_shndx ? -1 : 1;
    return (x->st_value > y->st_value) - (x->st_value < y->st_value);
}

/* Whether a table of symbols gives each variable one name: of another that says that nobody writes
 * it, no load is looked at. */
static bool check_names(const struct elf *o, const Elf64_Shdr *s, const Elf64_Sym *symbol, size_t n,
                        char *reason, size_t reason_size)
{
    const Elf64_Sym **data = hpc_malloc((n + 1) * sizeof *data);
    size_t found = 0, i = 1;
    for (size_t k = 0; k < n; k++)
        if (ELF64_ST_TYPE(symbol[k].st_info) == STT_OBJECT && symbol[k].st_size > 0 &&
            symbol[k].st_shndx != SHN_UNDEF && symbol[k].st_shndx != SHN_COMMON)
            data[found++] = &symbol[k];
    qsort(data, found, sizeof *data, by_place);
    while (i < found && (data[i]->st_shndx != data[i - 1]->st_shndx ||
                         data[i]->st_value - data[i - 1]->st_value >= data[i - 1]->st_size))
        i++;
    if (i < found) {
        const char *one = elf_string(o, s->sh_link, data[i - 1]->st_name),
                   *other = elf_string(o, s->sh_link, data[i]->st_name);
        snprintf(reason, reason_size, "a variable has two names, %.60s and %.60s", one ? one : "",
                 other ? other : "");
    }
    free(data);
    return i >= found;
}

static bool check(const struct elf *o, const char *patterns, const struct object_kind *kind,
                  struct outcome *is)
{
    const char *near = NULL;
    bool defined = false;
    is->verdict = VERDICT_REJECTED;
    if (DEFENCE(sections) && patterns)
        for (size_t i = 0; i < o->n_sections; i++)
            if (!check_section(o, &o->section[i], kind, is->reason, sizeof is->reason))
                return false;
    for (size_t i = 0; i < o->n_sections; i++) {
        const Elf64_Shdr *s = &o->section[i];
        size_t n = s->sh_type == SHT_SYMTAB ? s->sh_size / sizeof(Elf64_Sym) : 0;
        const Elf64_Sym *symbol = elf_inside(o, s->sh_offset, n, sizeof *symbol);
        if (DEFENCE(one_name) && patterns && !kind->sanitized && symbol &&
            !check_names(o, s, symbol, n, is->reason, sizeof is->reason))
            return false;
        for (size_t k = 0; symbol && k < n; k++) {
            const char *name = elf_string(o, s->sh_link, symbol[k].st_name);
            if (name && !check_symbol(o, &symbol[k], name, patterns, kind, &defined, is))
                return false;
            if (name && nearest_word(name, (const char *[]){"hpc_variant"}, 1))
                near = name;
        }
    }
    if (!defined)
        outcome_set(is, VERDICT_BUILD, "defines no `const struct hpc_variant hpc_variant`%s%.60s%s",
                    near ? "; it has " : "", near ? near : "",
                    near ? ": is it spelt so, and extern \"C\" in C++?" : "");
    return defined;
}

bool object_allowed(const char *path, const char *symbols, const struct object_kind *kind,
                    struct outcome *o)
{
    struct elf object;
    bool good = false;
    if (elf_load(&object, path)) {
        good = check(&object, symbols, kind, o);
        if (!good)
            hpc_harmless(o->reason);
    } else {
        elf_refuse(&object, "the compiler's output is no object of this machine", o);
    }
    elf_free(&object);
    return good;
}
