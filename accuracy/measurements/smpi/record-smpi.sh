#!/usr/bin/env bash
# record-smpi.sh [MOST]
#
# Makes smpi_kernels.jsonl anew: runs smpi_kernels.c in SimGrid's simulated time on 1, 2, 4, … MOST ranks (256: some
# minutes, as each message of an exchange of all with all is simulated). Needs Debian's libsimgrid-dev.
set -euo pipefail
cd "$(dirname "$0")"
most=${1:-256}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
smpicc -O2 -o "$build/kernels" smpi_kernels.c
for ((ranks = 1; ranks <= most; ranks *= 2)); do
    smpirun -np "$ranks" -platform smpi_platform.xml --cfg=smpi/simulate-computation:no --log=root.thresh:error "$build/kernels" | grep '^{'
done >"$build/series"
mv "$build/series" smpi_kernels.jsonl
