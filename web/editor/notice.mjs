// Prints the licences of the packages that the bundle is made of: all that package-lock.json has and that are not for building alone.
import { readFileSync, readdirSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const own = Object.entries(lock.packages).filter(([path, p]) => path && !p.dev && !p.devOptional);
console.log("editor.js is made of the packages below; foresee itself is under the Apache License 2.0.\nThey are " + own.length + " packages from npm, pinned in web/editor/package-lock.json.");
for (const [path, p] of own.sort()) {
  const file = readdirSync(path).find((f) => /^licen[cs]e/i.test(f));
  console.log(`\n${"-".repeat(72)}\n${path.replace("node_modules/", "")} ${p.version} (${p.license})\n`);
  if (file) console.log(readFileSync(`${path}/${file}`, "utf8").trim());
}
