#!/usr/bin/env bash
# with-other-caches.sh [-t TREE] COMMAND...
#
# Runs a command on this machine with another description of its caches: hidden where it has one, and where it has
# none, that of TREE (default: machine/testdata/sys/emerald-rapids-vm.txt). Only the command sees it: the folders are
# bound over sysfs in a mount namespace of its own, which takes root. Where that cannot be, it says so and succeeds.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

tree=$here/machine/testdata/sys/emerald-rapids-vm.txt
if [ "${1:-}" = -t ]; then
    tree=$2
    shift 2
fi
cpus=/sys/devices/system/cpu

say() { echo "with-other-caches: $*" >&2; }

# hide covers the caches of every processor with an empty folder.
hide() {
    local cache
    mkdir "$1/empty"
    for cache in "$cpus"/cpu[0-9]*/cache; do mount --bind "$1/empty" "$cache"; done
}

# show covers the processors with a copy of what is there, and the caches of TREE added for those that it has as well.
show() {
    local path value
    mkdir "$1/cpu"
    cp -r --no-preserve=all "$cpus/." "$1/cpu" 2>/dev/null || true # some files cannot be read
    while IFS=: read -r path value; do
        path=${path#sys/devices/system/cpu/}
        [ -d "$1/cpu/${path%%/*}" ] || continue
        mkdir -p "$1/cpu/${path%/*}"
        echo "$value" >"$1/cpu/$path"
    done < <(grep -E '^sys/devices/system/cpu/cpu[0-9]+/cache/' "$2")
    mount --bind "$1/cpu" "$cpus"
}

# The script starts itself again, inside the namespace.
if [ "${1:-}" = --inside ]; then
    folder=$2 kind=$3
    shift 3
    "$kind" "$folder" "$tree"
    exec "$@"
fi

[ $# -gt 0 ] || { say "which command?"; exit 2; }
if [ "$(id -u)" -ne 0 ]; then
    say "skipped, needs root: $*"
    exit 0
fi
if ! unshare --mount --propagation private mount -t tmpfs none /mnt 2>/dev/null; then
    say "skipped, this machine gives no mount namespace: $*"
    exit 0
fi
kind=show
[ -d "$cpus/cpu0/cache" ] && kind=hide
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
say "$([ $kind = hide ] && echo "the caches are hidden" || echo "the caches are those of $(basename "$tree" .txt)")"
unshare --mount --propagation private "${BASH_SOURCE[0]}" -t "$tree" --inside "$folder" "$kind" "$@"
