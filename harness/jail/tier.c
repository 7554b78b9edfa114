/* Which jail works here: found out once, by starting something in it. */
#define _GNU_SOURCE
#include "harness/jail/internal.h"

#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "common/defence.h"
#include "common/root.h"
#include "common/ini.h"
#include "common/text.h"

static const char *const names[JAIL_TIERS] = {
    [JAIL_LIMITS] = "limits",
    [JAIL_USERID] = "userid",
    [JAIL_LANDLOCK] = "landlock",
    [JAIL_BUBBLEWRAP] = "bubblewrap",
};

const char *jail_tier_name(enum jail_tier tier)
{
    return names[tier];
}

static const char private_project[] = "the project lies in a folder that other users may not enter";

enum jail_tier jail_tier_named(const char *name)
{
    int i = 0;
    while (i < JAIL_TIERS && strcmp(names[i], name) != 0)
        i++;
    return (enum jail_tier)i;
}

static bool lacks(struct jail_way *way, const char *what)
{
    snprintf(way->lack, sizeof way->lack, "%s", what);
    return false;
}

/* The switch of the system that keeps a user from making namespaces, "" where there is none. */
static const char *namespace_switch(void)
{
    static const struct {
        const char *path, *words;
        char refused;
    } switches[] = {
        {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
         "kernel.apparmor_restrict_unprivileged_userns is 1: AppArmor lets only programs with a "
         "profile of their own make namespaces",
         '1'},
        {"/proc/sys/kernel/unprivileged_userns_clone",
         "kernel.unprivileged_userns_clone is 0: users may not make namespaces", '0'},
        {"/proc/sys/user/max_user_namespaces",
         "user.max_user_namespaces is 0: no namespaces may be made here", '0'},
    };
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        FILE *f = fopen(switches[i].path, "re");
        int value = f ? fgetc(f) : EOF, end = f ? fgetc(f) : EOF;
        if (f)
            fclose(f);
        if (value == switches[i].refused && end == '\n')
            return switches[i].words;
    }
    return "";
}

/* Why bubblewrap did not start: its own first words, and what may stand behind them. */
static void explain_bubblewrap(struct jail_way *way, const char *output)
{
    const char *cause = namespace_switch();
    int length = (int)strcspn(output, "\n");
    snprintf(way->lack, sizeof way->lack, "%.*s%s%s", length > 160 ? 160 : length, output,
             length && *cause ? "; " : "", cause);
    if (!way->lack[0])
        lacks(way, "bwrap ends without a word");
}

/* Whether something ends well in this jail, with the profile of a variant. */
static bool tried(struct jail_way *way)
{
    const char *const argv[] = {"/usr/bin/env", NULL};
    const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
    struct jail_spec spec = {
        .argv = argv,
        .env = env,
        .fds = {-1, -1},
        .limits = {
            .wall_seconds = 10, .cpu_seconds = 10, .file_bytes = 1 << 20, .output_bytes = 4096}};
    char output[200] = "";
    struct jail *jail = jail_start_in(&spec, way, NULL);
    struct jail_end end = {0};
    if (jail)
        jail_wait(jail, &end, output, sizeof output);
    bool good = end.exited && end.exit_status == 0 && strstr(output, "PATH=");
    if (!good && way->tier == JAIL_BUBBLEWRAP)
        explain_bubblewrap(way, output);
    else if (!good)
        lacks(way, "a program that was started in it did not end well");
    return good;
}

/* In a private folder, such as /root, a compiler with an id of its own would not find its sources.
 */
static bool others_reach_project(void)
{
    const char *root = hpc_root();
    return root && jail_others_enter(root);
}

/* With all newer options, or as many of them as bwrap knows. */
static bool try_levels(struct jail_way *way)
{
    for (int level = BUBBLEWRAP_LEVELS; level-- > 0;) {
        way->bubblewrap.level = level;
        if (tried(way))
            return true;
    }
    return false;
}

/* The kernel counts nobody's processes against a limit who is root outside of all namespaces: so
 * root gives each jail a user id of its own, and keeps its own where that one can't make
 * namespaces, or can't walk to the project. */
static bool find_bubblewrap(struct jail_way *way)
{
    if (!bubblewrap_find(&way->bubblewrap))
        return lacks(way, "no bwrap (./bootstrap brings it), or no build/lib/jail-inside");
    if (getuid() != 0)
        return try_levels(way);
    way->own_user = others_reach_project();
    if (way->own_user && try_levels(way))
        return true;
    text_fit(way->no_user, sizeof way->no_user, "%s", way->own_user ? way->lack : private_project);
    way->own_user = false;
    return try_levels(way);
}

static bool find_walls(enum jail_tier tier, struct jail_way *way)
{
    static const char no_filter[] = "this Linux has no filter of system calls (seccomp)";
    *way = (struct jail_way){.tier = tier, .landlock = confine_landlock_version()};
    /* a kernel without filters answers EINVAL, one with them finds no program at NULL */
    if (DEFENCE(filter))
        way->filter = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
    switch (tier) {
    case JAIL_BUBBLEWRAP:
        return find_bubblewrap(way);
    case JAIL_LANDLOCK:
        if (!way->landlock)
            return lacks(way, "this Linux has no Landlock, or it is switched off");
        return way->filter ? tried(way) : lacks(way, no_filter);
    case JAIL_USERID:
        if (getuid() != 0)
            return lacks(way, "only root can give a user id of its own");
        if (!others_reach_project())
            return lacks(way, private_project);
        way->own_user = true;
        return way->filter ? tried(way) : lacks(way, no_filter);
    default:
        return true;
    }
}

static bool find_way(enum jail_tier tier, struct jail_way *way)
{
    if (DEFENCE(walls) || tier == JAIL_LIMITS)
        return find_walls(tier, way);
    *way = (struct jail_way){.tier = tier};
    return lacks(way, "switched off");
}

/* The way with its `lack`, which is empty where it works. */
static const struct jail_way *way_or_lack(enum jail_tier tier)
{
    static struct jail_way ways[JAIL_TIERS]; /* they can't change meanwhile */
    static bool known[JAIL_TIERS];
    if (!known[tier] && find_way(tier, &ways[tier]))
        ways[tier].lack[0] = '\0'; /* of levels that did not work */
    known[tier] = true;
    return &ways[tier];
}

static const struct jail_way *way_of(enum jail_tier tier)
{
    const struct jail_way *way = way_or_lack(tier);
    return way->lack[0] ? NULL : way;
}

const char *jail_tier_lack(enum jail_tier tier)
{
    return way_or_lack(tier)->lack;
}

bool jail_tier_works(enum jail_tier tier)
{
    return way_of(tier) != NULL;
}

/* What HPC_JAIL asks for; JAIL_TIERS where it asks for nothing that there is. */
static enum jail_tier forced(void)
{
    const char *name = getenv("HPC_JAIL");
    return name ? jail_tier_named(name) : JAIL_TIERS;
}

enum jail_tier jail_tier(void)
{
    /* root's own files would be open in a jail by Landlock alone: an id of its own comes first */
    static const enum jail_tier for_user[] = {JAIL_BUBBLEWRAP, JAIL_LANDLOCK, JAIL_LIMITS};
    static const enum jail_tier for_root[] = {JAIL_BUBBLEWRAP, JAIL_USERID, JAIL_LANDLOCK,
                                              JAIL_LIMITS};
    if (forced() != JAIL_TIERS)
        return forced();
    const enum jail_tier *t = getuid() == 0 ? for_root : for_user;
    while (!way_of(*t))
        t++; /* limits always work */
    return *t;
}

const struct jail_way *jail_way_here(struct hpc_error *err)
{
    const char *name = getenv("HPC_JAIL");
    if (name && forced() == JAIL_TIERS) {
        hpc_fail(err, "HPC_JAIL=%.40s: expected bubblewrap, landlock, userid or limits", name);
        return NULL;
    }
    const struct jail_way *way = way_of(jail_tier());
    if (!way)
        hpc_fail_env(err, "HPC_JAIL=%s: this jail does not work here: %s", name,
                     jail_tier_lack(jail_tier()));
    return way;
}

const char *jail_description(void)
{
    static char text[64];
    char landlock[24] = "";
    const struct jail_way *way = way_of(jail_tier());
    if (!way)
        return "none";
    if (way->landlock && way->tier != JAIL_LIMITS)
        text_fit(landlock, sizeof landlock, "%s%d", way->tier == JAIL_LANDLOCK ? "" : "+landlock",
                 way->landlock);
    text_fit(text, sizeof text, "%s%s%s%s%s", names[way->tier],
             way->own_user && way->tier == JAIL_BUBBLEWRAP ? "+userid" : "", landlock,
             way->filter ? "+" : "", way->filter ? jail_filter_name() : "");
    return text;
}

struct jail *jail_start(const struct jail_spec *spec, struct hpc_error *err)
{
    const struct jail_way *way = jail_way_here(err);
    if (way && spec->profile == JAIL_MPI && way->tier != JAIL_BUBBLEWRAP) {
        hpc_fail_env(err,
                     "an MPI program needs a jail with a network of its own: expected bubblewrap, "
                     "here is %s%s%s",
                     names[way->tier], jail_tier_works(JAIL_BUBBLEWRAP) ? "" : ": ",
                     jail_tier_lack(JAIL_BUBBLEWRAP));
        return NULL;
    }
    return way ? jail_start_in(spec, way, err) : NULL;
}
