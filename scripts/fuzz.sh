#!/usr/bin/env bash
# fuzz.sh [TIME]
#
# Fuzzes every target of the module for TIME each (default 5s), and fails if one of them does.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

time=${1:-5s}
status=0
while read -r package; do
    if ! targets=$(go test -list '^Fuzz' "$package" 2>&1); then
        echo "$targets" >&2
        echo "!! $package"
        status=1
        continue
    fi
    for target in $(grep '^Fuzz' <<<"$targets"); do
        echo "== $package $target"
        go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x "$package" || status=1
    done
done < <(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | grep .)
exit $status
