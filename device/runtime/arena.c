/* Where the device's memory lies: memory.c fills it, copies and the checker compare with it. And
 * the wall of check mode: while host code of a run() goes on, or of a program whose host code is
 * not instrumented (device/rewrite/hosts.h), that memory is out of its reach. Instrumented code
 * that uses it is reported anyway; what no compiler instruments (intrinsics, structs that calls
 * take and return by value) meets the wall. */
#include <pthread.h>
#include <sys/mman.h>

#include "device/runtime/device.h"
#include "device/runtime/guards.h"
#include "device/runtime/wall.h"

char *dev_arena, *dev_arena_end;

#ifdef DEV_CHECK
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *memory;
static size_t memory_bytes;
static bool stands, both_sides, opened;
static int lifted;

static bool is_up(void)
{
    return stands && !lifted && !both_sides && !opened;
}

static void protect(bool before)
{
    const bool now = is_up();
    if (memory_bytes && now != before)
        mprotect(memory, memory_bytes, now ? PROT_NONE : PROT_READ | PROT_WRITE);
}

void dev_wall(int on)
{
    pthread_mutex_lock(&lock);
    const bool before = is_up();
    stands = on != 0;
    protect(before);
    pthread_mutex_unlock(&lock);
}

static void lift(int more)
{
    pthread_mutex_lock(&lock);
    const bool before = is_up();
    lifted += more;
    opened &= more < 0;
    protect(before);
    pthread_mutex_unlock(&lock);
}

static void open_or_close(bool open)
{
    pthread_mutex_lock(&lock);
    const bool before = is_up();
    opened = open;
    protect(before);
    pthread_mutex_unlock(&lock);
}

void dev_wall_open(void)
{
    open_or_close(true);
}

void dev_wall_close(void)
{
    open_or_close(false);
}

void dev_wall_lift(void)
{
    lift(1);
}

void dev_wall_drop(void)
{
    lift(-1);
}

void dev_wall_around(void *p, size_t bytes, bool hosts_too)
{
    pthread_mutex_lock(&lock);
    memory = p;
    memory_bytes = bytes;
    both_sides |= hosts_too;
    stands |= dev_host_apart != NULL;
    pthread_mutex_unlock(&lock);
}

bool dev_wall_met(const void *p)
{
    return stands && !lifted && !opened && (size_t)((const char *)p - memory) < memory_bytes;
}
#else
void dev_wall(int on)
{
    (void)on;
}

void dev_wall_open(void)
{
}

void dev_wall_close(void)
{
}

void dev_wall_lift(void)
{
}

void dev_wall_drop(void)
{
}

void dev_wall_around(void *p, size_t bytes, bool hosts_too)
{
    (void)p, (void)bytes, (void)hosts_too;
}

bool dev_wall_met(const void *p)
{
    (void)p;
    return false;
}
#endif
