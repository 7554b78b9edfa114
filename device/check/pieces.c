/* Which memory is under the veil (veil.c), and what it truly holds. */
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "device/check/pieces.h"

/* ---- noise: what lies in the device's memory under the veil (veil.c) ------------------------- */

static uint32_t noise; /* no number as a float or a double's upper half; as a pointer none either */

static __attribute__((constructor)) void noise_choose(void)
{
    const void *random =
        (const void *)getauxval(AT_RANDOM); /* NOLINT: an address of the kernel's */
    uint16_t low = 0x5A5A;
    if (random)
        memcpy(&low, random, sizeof low);
    noise = UINT32_C(0x7FFC0000) | low;
}

uint8_t check_noise_byte(uintptr_t p)
{
    return (uint8_t)(noise >> p % 4 * 8);
}

void check_noise_fill(uintptr_t p, size_t bytes)
{
    for (; bytes && p % 4; p++, bytes--)
        *(uint8_t *)p = check_noise_byte(p);
    for (; bytes >= 4; p += 4, bytes -= 4)
        *(uint32_t *)p = noise;
    for (; bytes; p++, bytes--)
        *(uint8_t *)p = check_noise_byte(p);
}

size_t check_noise_ends(uintptr_t p, size_t bytes)
{
    size_t i = 0;
    for (; i + 4 <= bytes && p % 4 == 0 && *(const uint32_t *)(p + i) == noise; i += 4)
        ;
    while (i < bytes && *(const uint8_t *)(p + i) == check_noise_byte(p + i))
        i++;
    return i;
}

/* ---- pieces --------------------------------------------------------------------------------- */

/* True contents of [base, base + bytes): of the arena, of shared memory, of the symbols. */
struct cover {
    uintptr_t base;
    size_t bytes;
    char *truth;
};

static struct cover covers[3];
static struct piece *pieces; /* by address; no two overlap */
static size_t piece_count, piece_room;

char *check_piece_truth(uintptr_t p)
{
    for (size_t i = 0; i < sizeof covers / sizeof *covers; i++)
        if (p - covers[i].base < covers[i].bytes)
            return covers[i].truth + (p - covers[i].base);
    return NULL;
}

static void cover_make(struct cover *c, uintptr_t base, size_t bytes)
{
    if (c->base == base && c->bytes >= bytes)
        return;
    if (c->bytes)
        munmap(c->truth, c->bytes);
    void *p = bytes ? mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                    : NULL;
    if (p == MAP_FAILED)
        abort();
    *c = (struct cover){base, bytes, p};
}

/* How many pieces begin at or before p. */
static size_t pieces_to(uintptr_t p)
{
    size_t low = 0, high = piece_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pieces[middle].p <= p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int find_writable(struct dl_phdr_info *info, size_t size, void *piece)
{
    const struct piece *p = piece;
    bool in = false;
    (void)size;
    for (unsigned k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[k];
        const bool holds = p->p - (info->dlpi_addr + h->p_vaddr) < h->p_memsz;
        if (holds && h->p_type == PT_LOAD && h->p_flags & PF_W)
            in = true;
        if (holds && h->p_type == PT_GNU_RELRO)
            return 2;
    }
    return in ? 1 : 0;
}

void check_piece_add(const struct dev_region *r)
{
    struct piece new = {(uintptr_t)r->base, r->bytes};
    if (r->kind == DEV_SHARED)
        cover_make(&covers[1], check_now.shared.base, check_now.shared.bytes);
    if (!check_piece_truth(new.p))
        return;
    /* A constant with its value in the source lies where nobody writes, and is read unannounced. */
    const bool symbol = new.p - check_now.symbols < check_now.symbol_bytes;
    if (symbol && dl_iterate_phdr(find_writable, &new) != 1)
        return;
    size_t i = pieces_to(new.p);
    if (i > 0 && pieces_overlap(&pieces[i - 1], &new))
        return; /* of a kernel's heap, used again */
    if (piece_count == piece_room) {
        piece_room = piece_room ? 2 * piece_room : 64;
        pieces = realloc(pieces, piece_room * sizeof *pieces);
        if (!pieces)
            abort();
    }
    if (i < piece_count && pieces_overlap(&pieces[i], &new))
        new.bytes = pieces[i].p - new.p;
    memmove(pieces + i + 1, pieces + i, (piece_count++ - i) * sizeof *pieces);
    pieces[i] = new;
    memcpy(check_piece_truth(new.p), (const void *)new.p, new.bytes);
    check_noise_fill(new.p, new.bytes);
}

const struct piece *check_piece_of(const struct piece *access)
{
    static size_t last;
    if (last >= piece_count || access->p - pieces[last].p >= pieces[last].bytes) {
        last = pieces_to(access->p);
        if (last-- == 0)
            return NULL;
    }
    const size_t at = access->p - pieces[last].p, all = pieces[last].bytes;
    return at < all && access->bytes <= all - at ? &pieces[last] : NULL;
}

const struct piece *check_pieces(size_t *count)
{
    *count = piece_count;
    return pieces;
}

void check_pieces_forget(void)
{
    piece_count = 0;
    cover_make(&covers[0], check_now.global.base, check_now.global.bytes);
    cover_make(&covers[2], check_now.symbols, check_now.symbol_bytes);
}
