/* What hostile submissions for lab9 share that call what their objects may not name. */
#ifndef HPC_HOSTILE_ATTACK_LIBRARY_H
#define HPC_HOSTILE_ATTACK_LIBRARY_H

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *library; /* where the C library begins */

/* The library's own function of that name. */
static void *find(const char *name)
{
    if (!library) {
        const char *at = (const char *)((uintptr_t)free & ~(uintptr_t)4095);
        while (memcmp(at, ELFMAG, SELFMAG) != 0)
            at -= 4096;
        library = (void *)(uintptr_t)at;
    }
    const Elf64_Ehdr *head = library;
    const char *base = library, *names = NULL;
    const Elf64_Phdr *part = (const void *)(base + head->e_phoff);
    const Elf64_Sym *symbol = NULL;
    while (part->p_type != PT_DYNAMIC)
        part++;
    for (const Elf64_Dyn *d = (const void *)(base + part->p_vaddr); d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_SYMTAB)
            symbol = (const void *)d->d_un.d_ptr;
        if (d->d_tag == DT_STRTAB)
            names = (const void *)d->d_un.d_ptr;
    }
    while (1) {
        const char *a = names + (++symbol)->st_name, *b = name;
        while (*a && *a == *b)
            a++, b++;
        if (!*a && !*b && symbol->st_value)
            return (void *)(uintptr_t)(base + symbol->st_value);
    }
}

#endif
