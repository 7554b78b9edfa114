/* The groups of each key (traffic.h): a hash table, at most half full. */
#include <stdlib.h>

#include "device/traffic/traffic.h"

static struct key_groups *key_table;
static uint32_t run = 1;                /* entries of other runs are void, those of calloc too */
static uint32_t table_used, table_room; /* the room is a power of 2 */

/* Where the entry of a key is in this run, or would be. */
static struct key_groups *entry_at(uint64_t key)
{
    size_t i = (key * UINT64_C(0x9E3779B97F4A7C15)) >> 40;
    for (;; i++) {
        struct key_groups *e = &key_table[i & (table_room - 1)];
        if (e->run != run || e->key == key)
            return e;
    }
}

static void table_grow(void)
{
    struct key_groups *old = key_table;
    uint32_t n = table_room;
    table_room = n ? 2 * n : 1 << 10;
    key_table = calloc(table_room, sizeof *key_table);
    if (!key_table)
        abort();
    for (uint32_t i = 0; i < n; i++)
        if (old[i].run == run)
            *entry_at(old[i].key) = old[i];
    free(old);
}

struct key_groups *check_key_groups(uint64_t key, bool make)
{
    if (table_used >= table_room / 2)
        table_grow();
    struct key_groups *e = entry_at(key);
    if (e->run == run)
        return e;
    if (!make)
        return NULL;
    table_used++;
    *e = (struct key_groups){.key = key, .run = run, .lane = -1};
    return e;
}

void check_key_groups_forget(void)
{
    table_used = 0;
    run++;
}
