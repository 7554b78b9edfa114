/* Whether the thread sanitizer's compiler looked at each function, told by the object that it
 * made. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "common/defence.h"
#include "common/error.h"
#include "harness/build/elf.h"
#include "harness/build/internal.h"

#define ENTRY "__tsan_func_entry"

static bool refuse(struct building *b, const char *name, size_t n)
{
    char reason[300];
    snprintf(reason, sizeof reason,
             "the compiler keeps the thread sanitizer from %.*s(), which no task allows",
             (int)(n < 80 ? n : 80), name);
    hpc_harmless(reason);
    return building_fail(b, VERDICT_REJECTED, reason);
}

struct offsets {
    uint64_t *at;
    size_t n;
};

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Where the code of a section names the entry, ascending. */
static void find_entries(const struct elf *o, size_t section, struct offsets *to)
{
    to->n = 0;
    for (size_t i = 0; i < o->n_sections; i++) {
        const Elf64_Shdr *s = &o->section[i];
        const size_t n = s->sh_type == SHT_RELA ? s->sh_size / sizeof(Elf64_Rela) : 0;
        const Elf64_Rela *r = elf_inside(o, s->sh_offset, n, sizeof *r);
        if (!r || s->sh_info != section || s->sh_link >= o->n_sections)
            continue;
        const Elf64_Shdr *t = &o->section[s->sh_link];
        const size_t symbols = t->sh_size / sizeof(Elf64_Sym);
        const Elf64_Sym *symbol = elf_inside(o, t->sh_offset, symbols, sizeof *symbol);
        to->at = hpc_realloc(to->at, (to->n + n + 1) * sizeof *to->at);
        for (size_t k = 0; symbol && k < n; k++) {
            const size_t of = ELF64_R_SYM(r[k].r_info);
            const char *name = of < symbols ? elf_string(o, t->sh_link, symbol[of].st_name) : NULL;
            if (name && strcmp(name, ENTRY) == 0)
                to->at[to->n++] = r[k].r_offset;
        }
    }
    if (to->n > 0)
        qsort(to->at, to->n, sizeof *to->at, ascending);
}

static bool has_entry(const struct offsets *o, const Elf64_Sym *f)
{
    size_t low = 0, high = o->n;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (o->at[mid] < f->st_value)
            low = mid + 1;
        else
            high = mid;
    }
    return low < o->n && o->at[low] - f->st_value < f->st_size;
}

/* A function of a section that has no entry: its name, or NULL. */
static const char *unwatched(const struct elf *o, size_t section, const struct offsets *entries)
{
    for (size_t i = 0; i < o->n_sections; i++) {
        const Elf64_Shdr *s = &o->section[i];
        const size_t n = s->sh_type == SHT_SYMTAB ? s->sh_size / sizeof(Elf64_Sym) : 0;
        const Elf64_Sym *symbol = elf_inside(o, s->sh_offset, n, sizeof *symbol);
        for (size_t k = 0; symbol && k < n; k++) {
            const bool code = ELF64_ST_TYPE(symbol[k].st_info) == STT_FUNC &&
                              symbol[k].st_shndx == section && symbol[k].st_size > 0;
            if (code && !has_entry(entries, &symbol[k])) {
                const char *name = elf_string(o, s->sh_link, symbol[k].st_name);
                return name ? name : "a function without a name";
            }
        }
    }
    return NULL;
}

static bool look_at_object(struct building *b, const void *path)
{
    struct elf o;
    struct offsets entries = {NULL, 0};
    bool good =
        elf_load(&o, path) ||
        elf_refuse(&o, "the sanitizer's compiler made no object of it", &b->result->outcome);
    for (size_t i = 0; good && i < o.n_sections; i++) {
        if (!(o.section[i].sh_flags & SHF_EXECINSTR))
            continue;
        find_entries(&o, i, &entries);
        const char *name = unwatched(&o, i, &entries);
        good = !name || refuse(b, name, strlen(name));
    }
    free(entries.at);
    elf_free(&o);
    return good;
}

bool building_entries(struct building *b, const char *made)
{
    char *path = hpc_printf("%s/%s", b->stage, made);
    const bool good = building_look(b, look_at_object, path);
    free(path);
    return good;
}

bool object_leaves(const char *path, const char *name)
{
    struct elf o;
    bool found = false, good = elf_load(&o, path);
    for (size_t i = 0; good && i < o.n_sections; i++) {
        const Elf64_Shdr *s = &o.section[i];
        size_t n = s->sh_type == SHT_SYMTAB ? s->sh_size / sizeof(Elf64_Sym) : 0;
        const Elf64_Sym *symbol = elf_inside(&o, s->sh_offset, n, sizeof *symbol);
        for (size_t k = 0; symbol && k < n && !found; k++) {
            const char *has = elf_string(&o, s->sh_link, symbol[k].st_name);
            found = has && symbol[k].st_shndx == SHN_UNDEF && strcmp(has, name) == 0;
        }
    }
    elf_free(&o);
    return found;
}
