/* What an official grading wants of the jail; site.ini may want less. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/ini.h"
#include "harness/jail/internal.h"

/* The site's bound into *least, where it names one. */
static bool read_site(const char *root, enum jail_tier *least, struct hpc_error *err)
{
    char *path = hpc_printf("%s/site.ini", root);
    bool good = true;
    if (access(path, F_OK) == 0) {
        struct ini_file *file = ini_read(path, "site.ini", err);
        struct ini_section *site = file ? ini_section_find(file, "site") : NULL;
        struct ini_key *key = site ? ini_find(site, "official_jail") : NULL;
        good = file != NULL;
        if (key && (*least = jail_tier_named(key->value)) == JAIL_TIERS)
            good = hpc_fail(err,
                            "site.ini:%d: official_jail = %.40s, expected bubblewrap, landlock, "
                            "userid or limits",
                            key->line, key->value);
        ini_free(file);
    }
    free(path);
    return good;
}

bool jail_official(const char *root, struct hpc_error *err)
{
    enum jail_tier least = JAIL_USERID;
    if (!read_site(root, &least, err))
        return false;
    const char *here = jail_tier_name(jail_tier());
    if (jail_tier() < least)
        return hpc_fail_env(err,
                            "official grading wants a jail of at least %s, here is %s (./hpclab "
                            "doctor --jail); a site's administrator may allow it: official_jail = "
                            "%s in site.ini",
                            jail_tier_name(least), here, here);
    if (least > JAIL_LIMITS && !strstr(jail_description(), "seccomp"))
        return hpc_fail_env(err,
                            "official grading wants libseccomp's filter of system calls, here is "
                            "%s (./bootstrap brings it, then make); a site's administrator may "
                            "allow it: official_jail = limits in site.ini",
                            jail_description());
    return true;
}
