#!/usr/bin/env bash
# ensure-packages.sh NAME...
#
# Makes sure that what some tests need is there: installs the missing ones through apt-get when root, and else
# names them. It never fails: tests skip what they lack.
set -uo pipefail

# Debian's gcc alone lacks the headers of the C library, so the probe includes one.
present() {
    case $1 in
    gcc) printf '#include <stdio.h>\n' | gcc -fopenmp -E -x c - >/dev/null 2>&1 ;;
    eigen) [ -e /usr/include/eigen3/Eigen/Core ] ;;
    cimg) [ -e /usr/include/CImg.h ] ;;
    armadillo) [ -e /usr/include/armadillo ] ;;
    openmpi | mpich) command -v "mpicc.$1" >/dev/null && command -v "mpirun.$1" >/dev/null ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

packages() {
    case $1 in
    gcc) printf '%s\n' gcc libc6-dev ;;
    eigen) echo libeigen3-dev ;;
    cimg) echo cimg-dev ;;
    armadillo) echo libarmadillo-dev ;;
    openmpi) printf '%s\n' openmpi-bin libopenmpi-dev ;;
    mpich) printf '%s\n' mpich libmpich-dev ;;
    *) echo "$1" ;;
    esac
}

say() { echo "ensure-packages: $*" >&2; }

missing() {
    local name
    for name in "$@"; do present "$name" || echo "$name"; done
}

mapfile -t lacking < <(missing "$@")
[ ${#lacking[@]} -eq 0 ] && exit 0

mapfile -t wanted < <(for name in "${lacking[@]}"; do packages "$name"; done)
if ! command -v apt-get >/dev/null; then
    say "missing: ${lacking[*]}; there is no apt-get here. What needs them is skipped."
    exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
    say "missing: ${lacking[*]}. What needs them is skipped; to install: sudo apt-get install ${wanted[*]}"
    exit 0
fi

say "installing ${wanted[*]}"
export DEBIAN_FRONTEND=noninteractive
{ apt-get update -qq && apt-get install -y -qq --no-install-recommends "${wanted[@]}"; } >&2

mapfile -t lacking < <(missing "$@")
[ ${#lacking[@]} -eq 0 ] || say "still missing: ${lacking[*]}. What needs them is skipped."
exit 0
