#!/usr/bin/env bash
# profile.sh [OUTPUT]
#
# Makes the profile that cmd/foresee is compiled by (Go's profile-guided optimisation; default.pgo is taken by go build as it is): of the benchmarks of
# what most time is spent in. To be made again when these packages have changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

output=${1:-cmd/foresee/default.pgo}
go=${GO:-go}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Package, benchmarks, how often.
profiles=(
    "application/trace Read 10x"
    "model/reuse Stack/fine|Intervals|Shards/rate|Parallel/workers2 1x"
    "model/cache Simulator$|inclusive_L3|PLRU|threads_4 1x"
    "predict ExactCurve 1x"
)
for profile in "${profiles[@]}"; do
    read -r package benchmarks times <<<"$profile"
    echo "profile: $package" >&2
    "$go" test -pgo=off -run '^$' -bench "$benchmarks" -benchtime "$times" -o "$scratch/test" -cpuprofile "$scratch/${package//\//-}.prof" "./$package" >"$scratch/said" ||
        { cat "$scratch/said" >&2; exit 1; }
done
"$go" tool pprof -proto -output "$scratch/merged" "$scratch"/*.prof >/dev/null 2>&1
mv "$scratch/merged" "$output"
