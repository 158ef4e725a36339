#!/bin/sh
# Makes the editor of the page, web/page/static/editor.js, and the licences of what is in it. Needs npm; Go alone builds the rest.
set -eu
cd "$(dirname "$0")"
npm ci --no-audit --no-fund --ignore-scripts
out=../page/static
npx esbuild editor.mjs --bundle --format=esm --minify --charset=utf8 --target=es2022 --legal-comments=none --outfile="$out/editor.js"
# axe-core checks the page in tests; it is no part of it.
cp node_modules/axe-core/axe.min.js ../testdata/axe.min.js
node notice.mjs > "$out/NOTICE.txt"
