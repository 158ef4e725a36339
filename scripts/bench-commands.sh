#!/usr/bin/env bash
# bench-commands.sh [FORESEE]
#
# Times whole commands: the best wall time and the largest peak memory of RUNS runs (default 5). Peak memory comes
# from GNU time; without it, from /proc every few milliseconds, which can miss a short peak and is marked ">=".
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."

foresee=${1:-bin/foresee}
runs=${RUNS:-5}
commands=(
    "predict examples/kernels/gemm.c --machine i7-5960x --threads 1,2,4,8"
)

[ -x "$foresee" ] || { echo "bench-commands: no $foresee; build it first: make build" >&2; exit 1; }
: "${EPOCHREALTIME:?bench-commands needs bash 5}"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
with=with_proc mark=">="
if /usr/bin/time --version 2>&1 | grep -q GNU; then with=with_time mark=; fi

# Each way of measuring runs the command and leaves its peak memory in KiB in $scratch/peak.
with_time() { /usr/bin/time -q -f %M -o "$scratch/peak" "$@"; }

with_proc() {
    "$@" &
    local pid=$! peak=0 now
    while kill -0 "$pid" 2>/dev/null; do
        now=$(awk '/^VmHWM/ {print $2}' "/proc/$pid/status" 2>/dev/null || true)
        [ "${now:-0}" -gt "$peak" ] && peak=$now
        sleep 0.005
    done
    echo "$peak" >"$scratch/peak"
    wait "$pid"
}

measure() {
    local start=${EPOCHREALTIME/./}
    if ! "$with" "$@" >/dev/null 2>"$scratch/errors"; then
        cat "$scratch/errors" >&2
        return 1
    fi
    wall=$((${EPOCHREALTIME/./} - start))
    peak=$(cat "$scratch/peak")
}

status=0
printf '%10s  %14s  %s\n' 'wall s' 'peak RSS MiB' "command (best of $runs)"
for command in "${commands[@]}"; do
    read -ra arguments <<<"$command"
    best=-1 largest=0 wall=0 peak=0
    for ((run = 0; run < runs; run++)); do
        if ! measure "$foresee" "${arguments[@]}"; then
            echo "bench-commands: failed: $foresee $command" >&2
            status=1
            continue 2
        fi
        if ((best < 0 || wall < best)); then best=$wall; fi
        if ((peak > largest)); then largest=$peak; fi
    done
    awk -v w="$best" -v p="$largest" -v mark="$mark" -v c="foresee $command" \
        'BEGIN { printf "%10.4f  %14s  %s\n", w / 1e6, mark sprintf("%.1f", p / 1024), c }'
done
exit $status
