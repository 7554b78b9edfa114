#!/usr/bin/env bash
# An empty Debian to try things in, for scripts in this folder, which run in the project's folder.
# make_root [FOLDER]: sets root, the smallest Debian by debootstrap, from the mirror and of the release that
# apt knows here; FOLDER is kept and used again, without it a new one below /tmp is removed at the end.
# inside COMMAND: runs it there, in the folder that `at` names. Where there can be none, a line says why.
skip() {
    echo "skipped: $1"
    exit 0
}

make_root() {
    local codename mirror sources
    PATH=$PATH:/usr/sbin:/sbin
    [ "$(id -u)" = 0 ] || skip 'only root can make a root'
    command -v debootstrap >/dev/null || skip 'no debootstrap here'
    command -v unshare >/dev/null || skip 'no unshare here'
    sources=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' 2>/dev/null) ||
        skip 'no apt here'
    codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    mirror=$(awk -v c="$codename" '$2 == c && $3 == "main" { print $1; exit }' <<<"$sources")
    [ -n "$mirror" ] || skip "apt knows no mirror of '$codename'"
    root=${1:-}
    if [ -z "$root" ]; then
        root=$(mktemp -d /tmp/hpclab-root.XXXXXX) && chmod 755 "$root" || exit 3 # users walk through its /
        trap 'rm -rf --one-file-system "$root"' EXIT
    fi
    if [ ! -x "$root/usr/bin/apt-get" ]; then
        debootstrap --variant=minbase "$codename" "$root" "$mirror" >"$root.log" 2>&1 ||
            skip "debootstrap: $(tail -n 1 "$root.log")"
        rm -f "$root.log"
    fi
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    cp -L /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" # a proxy, if there is one
}

# In namespaces of processes and mounts of its own, which end with it. Linux lets nobody in a changed root
# make a namespace of users, and root there none of mounts without CAP_SYS_ADMIN.
inside() {
    # shellcheck disable=SC2154 # at: the caller's
    unshare --mount --pid --fork --kill-child bash -c '
        mount --make-rprivate / && mount -t proc proc "$0/proc" && mount -t sysfs -o ro sysfs "$0/sys" &&
        mount --rbind /dev "$0/dev" && mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm" &&
        exec chroot "$0" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            HOME=/root LANG=C.UTF-8 TEST_AGAIN="${TEST_AGAIN:-0}" setpriv --bounding-set -sys_admin \
            bash -c "cd $2 && $1"' "$root" "$1" "$at" </dev/null
}
