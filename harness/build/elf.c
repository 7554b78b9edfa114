#define _GNU_SOURCE
#include "common/scratch.h"
#include "harness/build/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

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

bool elf_load(struct elf *o, const char *path)
{
    FILE *f = scratch_open(path);
    long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    bool good = size > 0 && size <= MAX_OBJECT;
    memset(o, 0, sizeof *o);
    if (good) {
        o->size = (size_t)size;
        o->bytes = hpc_malloc(o->size);
        rewind(f);
        good = fread(o->bytes, 1, o->size, f) == o->size;
    }
    if (f)
        fclose(f);
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
