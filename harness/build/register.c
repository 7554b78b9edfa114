#include "harness/build/register.h"

#include <stdio.h>
#include <string.h>

#include "harness/build/elf.h"

/* As nvcc's headers have it (fatbinary_section.h): one in a section of its own. */
struct wrapper {
    uint32_t magic, version;
    uint64_t data, more; /* addresses: relocations */
};
#define WRAPPER_MAGIC   0x466243b1
#define WRAPPER_SECTION ".nvFatBinSegment"
#define BINARY_SECTION  ".nv_fatbin"

/* How a binary of kernels begins, and how many bytes come behind this. */
struct binary {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t more;
};
#define BINARY_MAGIC 0xba55ed50

/* nvcc calls each of these once, others of the kind never or for each kernel. */
static const char *const once[] = {"__cudaRegisterFatBinary", "__cudaRegisterFatBinaryEnd",
                                   "__cudaUnregisterFatBinary"};
#define N_ONCE (sizeof once / sizeof *once)

struct look {
    const struct elf *o;
    bool arm;
    size_t wrapper, binary; /* sections */
    int calls[N_ONCE];
    int wrapper_uses, wrapper_fields;
    bool field_is_binary;
    const char *own; /* a function of this kind that the object defines, or NULL */
};

/* The only section of a name; 0 where there is none, or where there are more. */
static size_t only_section(const struct elf *o, const char *name)
{
    size_t found = 0, n = 0;
    for (size_t i = 1; i < o->n_sections; i++) {
        const char *s = elf_section_name(o, &o->section[i]);
        if (s && strcmp(s, name) == 0) {
            found = i;
            n++;
        }
    }
    return n == 1 ? found : 0;
}

/* Symbol number k of the table, or NULL; its name, or "". */
static const Elf64_Sym *symbol_at(const struct elf *o, size_t table, size_t k, const char **name)
{
    const Elf64_Shdr *s = table < o->n_sections ? &o->section[table] : NULL;
    size_t n = s && s->sh_type == SHT_SYMTAB ? s->sh_size / sizeof(Elf64_Sym) : 0;
    const Elf64_Sym *symbol = k < n ? elf_inside(o, s->sh_offset, n, sizeof *symbol) : NULL;
    if (!symbol)
        return NULL;
    *name = elf_string(o, s->sh_link, symbol[k].st_name);
    *name = *name ? *name : "";
    return &symbol[k];
}

/* The relocations of one section that is loaded. */
static void look_at_relocations(struct look *l, const Elf64_Shdr *s)
{
    const struct elf *o = l->o;
    size_t n = s->sh_size / sizeof(Elf64_Rela), previous = 0;
    const Elf64_Rela *r = elf_inside(o, s->sh_offset, n, sizeof *r);
    for (size_t i = 0; r && i < n; i++) {
        const char *name;
        const Elf64_Sym *symbol = symbol_at(o, s->sh_link, ELF64_R_SYM(r[i].r_info), &name);
        if (!symbol)
            continue;
        for (size_t k = 0; k < N_ONCE; k++)
            l->calls[k] += strcmp(name, once[k]) == 0;
        if (symbol->st_shndx == l->wrapper) {
            /* on ARM two instructions form an address */
            bool other_half = l->arm && previous && r[i].r_offset - previous == 4;
            l->wrapper_uses += !other_half;
            previous = r[i].r_offset;
        }
        if (s->sh_info == l->wrapper) {
            l->wrapper_fields++;
            l->field_is_binary = r[i].r_offset == offsetof(struct wrapper, data) &&
                                 symbol->st_shndx == l->binary &&
                                 symbol->st_value + (uint64_t)r[i].r_addend == 0;
        }
    }
}

static void look_at_all(struct look *l)
{
    const struct elf *o = l->o;
    for (size_t i = 0; i < o->n_sections; i++) {
        const Elf64_Shdr *s = &o->section[i];
        const char *name;
        if (s->sh_type == SHT_RELA && s->sh_info < o->n_sections &&
            (o->section[s->sh_info].sh_flags & SHF_ALLOC))
            look_at_relocations(l, s);
        for (size_t k = 0; s->sh_type == SHT_SYMTAB && k < s->sh_size / sizeof(Elf64_Sym); k++) {
            const Elf64_Sym *symbol = symbol_at(o, i, k, &name);
            if (symbol && symbol->st_shndx != SHN_UNDEF && strncmp(name, "__cuda", 6) == 0)
                l->own = name;
        }
    }
}

static bool same_bytes(const struct elf *o, size_t section, const char *fatbin, size_t bytes)
{
    const Elf64_Shdr *s = &o->section[section];
    const char *there = elf_inside(o, s->sh_offset, s->sh_size, 1);
    return there && s->sh_size == bytes && memcmp(there, fatbin, bytes) == 0;
}

static bool wrapper_is_nvccs(const struct look *l)
{
    const struct elf *o = l->o;
    const Elf64_Shdr *s = &o->section[l->wrapper];
    const struct wrapper *w =
        s->sh_size == sizeof *w ? elf_inside(o, s->sh_offset, 1, sizeof *w) : NULL;
    return w && w->magic == WRAPPER_MAGIC && w->version == 1 && l->wrapper_fields == 1 &&
           l->field_is_binary && l->wrapper_uses == 1;
}

static bool check(struct look *l, const char *fatbin, size_t bytes, struct outcome *why)
{
    const struct elf *o = l->o;
    l->wrapper = only_section(o, WRAPPER_SECTION);
    l->binary = only_section(o, BINARY_SECTION);
    if (!l->wrapper || !l->binary || !same_bytes(o, l->binary, fatbin, bytes))
        return outcome_set(why, VERDICT_REJECTED,
                           "brings a binary of kernels that nvcc did not make of it");
    look_at_all(l);
    if (l->own)
        return outcome_set(why, VERDICT_REJECTED, "defines %.80s, which belongs to CUDA", l->own);
    for (size_t k = 0; k < N_ONCE; k++)
        if (l->calls[k] != 1)
            return outcome_set(
                why, VERDICT_REJECTED,
                "registers kernels by itself (%s %d times, nvcc does once), which no task allows",
                once[k], l->calls[k]);
    return wrapper_is_nvccs(l) ||
           outcome_set(why, VERDICT_REJECTED, "touches what nvcc registers its kernels by (%s)",
                       WRAPPER_SECTION);
}

bool registration_whole(const char *fatbin, size_t bytes)
{
    struct binary header;
    if (bytes < sizeof header)
        return false;
    memcpy(&header, fatbin, sizeof header);
    return header.magic == BINARY_MAGIC && header.header_bytes <= bytes &&
           header.more == bytes - header.header_bytes;
}

bool registration_allowed(const char *object, const char *fatbin, size_t bytes, struct outcome *why)
{
    struct elf o;
    bool good = elf_load(&o, object);
    struct look l = {.o = &o};
    if (good) {
        l.arm = ((const Elf64_Ehdr *)(const void *)o.bytes)->e_machine == EM_AARCH64;
        good = check(&l, fatbin, bytes, why);
    } else {
        elf_refuse(&o, "makes no object of this machine by nvcc", why);
    }
    elf_free(&o);
    return good;
}
