#!/bin/sh
# Makes the editor of the page, web/page/static/editor.js, with the licences of what is in it, and fetches axe-core, which checks the page in tests and is
# no part of it. Needs npm; Go alone builds the rest.
set -eu
cd "$(dirname "$0")"
static=$(cd ../page/static && pwd)
testdata=$(cd ../testdata && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp package.json package-lock.json editor.mjs notice.mjs "$work"
cd "$work"
npm ci --no-audit --no-fund --ignore-scripts
npx esbuild editor.mjs --bundle --format=esm --minify --charset=utf8 --target=es2022 --legal-comments=none --outfile="$static/editor.js"
node notice.mjs > "$static/NOTICE.txt"
cp node_modules/axe-core/axe.min.js "$testdata/axe.min.js"
