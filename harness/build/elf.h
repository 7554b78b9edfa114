/* Reading an object file that an untrusted source was compiled to: every offset in it is checked
 * against its size. */
#ifndef HPC_HARNESS_BUILD_ELF_H
#define HPC_HARNESS_BUILD_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/outcome.h"

struct elf {
    char *bytes;
    size_t size;
    const Elf64_Shdr *section;
    size_t n_sections;
    int error; /* of a file that could not be read, though it is a plain one: errno, else 0 */
};

/* A relocatable ELF file of 64 bits, whose symbol tables and relocations lie where they can be
 * read; else false. elf_free either way. */
bool elf_load(struct elf *o, const char *path);
/* Why it is none: the machine's fault where it could not be read, else `refused`. False. */
bool elf_refuse(const struct elf *o, const char *refused, struct outcome *why);
void elf_free(struct elf *o);

/* n items of `size` bytes at offset, or NULL where they are not all inside the file, or those of
 * several bytes not where such may lie. */
const void *elf_inside(const struct elf *o, uint64_t offset, uint64_t n, uint64_t size);
/* A string of section `table`, or NULL. */
const char *elf_string(const struct elf *o, size_t table, uint64_t offset);
/* The name of a section, or NULL. */
const char *elf_section_name(const struct elf *o, const Elf64_Shdr *section);

#endif
