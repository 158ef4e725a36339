#!/usr/bin/env bash
# ensure-packages.sh NAME...
#
# Makes sure that what some tests need is there, and says what it installs and why: programs through apt-get when root,
# headers into .cache/headers for anyone, where a package would bring hundreds with it. It names what it cannot have and
# never fails: tests skip what they lack.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

headers=.cache/headers

say() { echo "ensure-packages: $*" >&2; }

# Debian's gcc alone lacks the headers of the C library, so the probe includes one.
present() {
    case $1 in
    gcc) printf '#include <stdio.h>\n' | gcc -fopenmp -E -x c - >/dev/null 2>&1 ;;
    eigen) has_header eigen3/Eigen/Core ;;
    cimg) has_header CImg.h ;;
    armadillo) has_header armadillo ;;
    rayon) compgen -G '/usr/share/cargo/registry/rayon-[0-9]*' >/dev/null ;;
    chromium) has_command chromium-headless-shell chromium chromium-browser google-chrome ;;
    openmpi | mpich) has_command "mpicc.$1" && has_command "mpirun.$1" ;;
    *) has_command "$1" ;;
    esac
}

has_header() { [ -e "/usr/include/$1" ] || [ -e "$headers/usr/include/$1" ]; }

has_command() {
    local name
    for name in "$@"; do command -v "$name" >/dev/null && return; done
    return 1
}

is_header() { case $1 in eigen | cimg | armadillo) true ;; *) false ;; esac }

packages() {
    case $1 in
    gcc) printf '%s\n' gcc libc6-dev ;;
    eigen) echo libeigen3-dev ;;
    cimg) echo cimg-dev ;;
    armadillo) echo libarmadillo-dev ;;
    chromium) browser ;;
    openmpi) printf '%s\n' openmpi-bin libopenmpi-dev ;;
    mpich) printf '%s\n' mpich libmpich-dev ;;
    meson) printf '%s\n' meson ninja-build ;;
    rayon) echo librust-rayon-dev ;;
    *) echo "$1" ;;
    esac
}

# The shell without windows needs no GTK; older releases lack it.
browser() {
    if [ -n "$(apt-cache madison chromium-headless-shell 2>/dev/null)" ]; then echo chromium-headless-shell; else echo chromium; fi
}

why() {
    case $1 in
    gcc | g++ | clang) echo "programs that are traced, and what they are compared with" ;;
    valgrind) echo "counts of misses and instructions to compare with" ;;
    make | cmake) echo "builds of examples/libraries" ;;
    meson | cargo) echo "builds of programs that are traced" ;;
    eigen | cimg | armadillo) echo "an example of examples/libraries, headers alone" ;;
    chromium) echo "the page of xgraph" ;;
    rayon) echo "a program in Rust that is traced" ;;
    rustc) echo "programs in Rust that are read or traced, and what they are compared with" ;;
    openmpi | mpich | gfortran) echo "recorded MPI programs in C and Fortran" ;;
    esac
}

missing() {
    local name
    for name in "$@"; do present "$name" || echo "$name"; done
}

# fetch takes the headers out of packages, without what those depend on and without root.
fetch() {
    local folder
    mkdir -p "$headers" 2>/dev/null && folder=$(mktemp -d) || return
    chmod 755 "$folder"
    (cd "$folder" && apt-get download -qq "$@") >&2
    find "$folder" -name '*.deb' -exec dpkg -x {} "$headers" \; >&2
    rm -rf "$folder"
}

mapfile -t lacking < <(missing "$@")
[ ${#lacking[@]} -eq 0 ] && exit 0
if ! command -v apt-get >/dev/null; then
    say "missing: ${lacking[*]}; there is no apt-get here. What needs them is skipped."
    exit 0
fi

export DEBIAN_FRONTEND=noninteractive
[ "$(id -u)" -eq 0 ] && apt-get update -qq >&2

to_install=() to_fetch=()
for name in "${lacking[@]}"; do
    mapfile -t wanted < <(packages "$name")
    if is_header "$name"; then
        to_fetch+=("${wanted[@]}")
    elif [ "$(id -u)" -eq 0 ]; then
        to_install+=("${wanted[@]}")
    else
        continue
    fi
    say "${wanted[*]}: $(why "$name")"
done
[ ${#to_fetch[@]} -gt 0 ] && fetch "${to_fetch[@]}"
[ ${#to_install[@]} -gt 0 ] && apt-get install -y -qq --no-install-recommends "${to_install[@]}" >&2

mapfile -t lacking < <(missing "$@")
[ ${#lacking[@]} -eq 0 ] && exit 0
mapfile -t wanted < <(for name in "${lacking[@]}"; do packages "$name"; done)
say "missing: ${lacking[*]}. What needs them is skipped; to install: sudo apt-get install ${wanted[*]}"
