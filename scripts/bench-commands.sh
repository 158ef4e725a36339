#!/usr/bin/env bash
# bench-commands.sh [FORESEE [BASELINE]]
#
# Times whole commands: the best wall time, the least CPU time and the largest peak memory of RUNS runs (default 5). With a BASELINE – another binary of
# foresee, or a commit, which is built for it – both run in turn, their results must be the same, and how many times the baseline's wall and CPU time
# foresee's goes into it is told. A command that reads a trace runs on one core (GOMAXPROCS=1) as well. ONLY=regexp takes the commands that match.
# Figures come from GNU time; without it CPU times are missing, and peak memory is from /proc every few milliseconds, which can miss a short peak and is
# marked ">=".
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."

foresee=${1:-bin/foresee}
baseline=${2:-}
runs=${RUNS:-5}
# TRACES stands for the folder of the traces, which are named after their stream and format.
commands=(
    "predict examples/kernels/gemm.c --machine i7-5960x --threads 1,2,4,8"
    "mrc --threads 1 TRACES/matmul.native"
    "mrc --threads 1 TRACES/stencil.native"
    "mrc --threads 1 TRACES/uniform.native"
    "mrc --threads 1 TRACES/zipf.native"
    "mrc --threads 1 TRACES/matmul.text"
    "mrc --threads 1 --method shards TRACES/uniform.native"
    "profile --threads 1 --measure interval TRACES/stencil.native"
    "simulate --threads 1 --machine ice-lake TRACES/matmul.native"
    "simulate --threads 1 --machine i7-5960x TRACES/matmul.native"
    "simulate --threads 1 --machine zen4 TRACES/matmul.native"
    "simulate --threads 1 --machine i7-5960x TRACES/uniform.native"
    "simulate --threads 8 --machine zen4 TRACES/stencil:8.native"
    "simulate --threads 64 --machine epyc-7702p TRACES/stencil:64.native"
)

[ -x "$foresee" ] || { echo "bench-commands: no $foresee; build it first: make build" >&2; exit 1; }
: "${EPOCHREALTIME:?bench-commands needs bash 5}"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"; [ -z "${tree:-}" ] || git worktree remove --force "$tree"' EXIT
with=with_proc mark=">="
if /usr/bin/time --version 2>&1 | grep -q GNU; then with=with_time mark=; fi

# A baseline that is no file is a commit.
if [ -n "$baseline" ] && [ ! -x "$baseline" ]; then
    tree=$scratch/tree
    git worktree add --detach --quiet "$tree" "$baseline"
    (cd "$tree" && "${GO:-go}" build -o "$scratch/baseline" ./cmd/foresee)
    baseline=$scratch/baseline
fi

# Each way of measuring runs the command and leaves its peak memory in KiB and its CPU time in $scratch/used.
with_time() { /usr/bin/time -q -f '%M %U %S' -o "$scratch/used" "$@"; }

with_proc() {
    "$@" &
    local pid=$! peak=0 now
    while kill -0 "$pid" 2>/dev/null; do
        now=$(awk '/^VmHWM/ {print $2}' "/proc/$pid/status" 2>/dev/null || true)
        [ "${now:-0}" -gt "$peak" ] && peak=$now
        sleep 0.005
    done
    echo "$peak 0 0" >"$scratch/used"
    wait "$pid"
}

# measure runs a command once and keeps the best of what it took in the arrays, at the place of its binary.
measure() {
    local which=$1 wall peak user system begun=${EPOCHREALTIME/./}
    shift
    if ! "$with" "$@" >"$scratch/result.$which" 2>"$scratch/errors"; then
        cat "$scratch/errors" >&2
        return 1
    fi
    wall=$((${EPOCHREALTIME/./} - begun))
    read -r peak user system <"$scratch/used"
    local cpu
    cpu=$(awk -v u="$user" -v s="$system" 'BEGIN { printf "%d", 1e6 * (u + s) }')
    if ((walls[which] < 0 || wall < walls[which])); then walls[which]=$wall; fi
    if ((cpus[which] < 0 || cpu < cpus[which])); then cpus[which]=$cpu; fi
    if ((peak > peaks[which])); then peaks[which]=$peak; fi
}

# compare times a command, in an environment of so many cores (empty: all).
compare() {
    local cores=$1 run arguments
    walls=(-1 -1) cpus=(-1 -1) peaks=(0 0)
    read -ra arguments <<<"${2//TRACES/$scratch}"
    for ((run = 0; run < runs; run++)); do
        GOMAXPROCS=$cores measure 0 "$foresee" "${arguments[@]}" || return 1
        [ -z "$baseline" ] && continue
        GOMAXPROCS=$cores measure 1 "$baseline" "${arguments[@]}" || return 1
        cmp -s "$scratch/result.0" "$scratch/result.1" || { echo "bench-commands: another result than the baseline's" >&2; return 1; }
    done
    awk -v w="${walls[0]}" -v c="${cpus[0]}" -v p="${peaks[0]}" -v bw="${walls[1]}" -v bc="${cpus[1]}" -v bp="${peaks[1]}" -v mark="$mark" \
        -v cores="${cores:-all}" -v name="$2" -v baseline="$baseline" 'BEGIN {
            cpu = (c > 0) ? sprintf("%.3f", c / 1e6) : "-"
            ratio = (c > 0) ? sprintf("×%.2f", bc / c) : "-"
            printf "%9.3f %9s %13s %6s", w / 1e6, cpu, mark sprintf("%.1f", p / 1024), cores
            if (baseline != "") printf " %8s %8s %9s", sprintf("×%.2f", bw / w), ratio, sprintf("%.1f", bp / 1024)
            printf "  foresee %s\n", name
        }'
}

status=0
header=$(printf '%9s %9s %13s %6s' 'wall s' 'CPU s' 'peak RSS MiB' cores)
[ -z "$baseline" ] || header+=$(printf ' %8s %8s %9s' 'wall' 'CPU' 'its MiB')
printf '%s  %s\n' "$header" "command (best of $runs)"
for command in "${commands[@]}"; do
    [[ $command =~ ${ONLY:-.} ]] || continue
    if [[ $command =~ TRACES/([a-z]+(:[0-9]+)?)\.([a-z]+) ]]; then
        made=$scratch/${BASH_REMATCH[1]}.${BASH_REMATCH[3]}
        [ -e "$made" ] || "${GO:-go}" run ./scripts/traces "${BASH_REMATCH[1]}" "${BASH_REMATCH[3]}" "$made"
        compare 1 "$command" || { echo "bench-commands: failed: foresee $command" >&2; status=1; }
    fi
    compare "" "$command" || { echo "bench-commands: failed: foresee $command" >&2; status=1; }
done
exit $status
