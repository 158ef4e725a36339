// Runs the engine as WebAssembly under Node: answer.mjs WASM_EXEC WASM reads a list of requests from standard input and prints the list of what was
// told of each, "result" or "problem", its text, and the time of the processor that it took, in ms.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [exec, wasm] = process.argv.slice(2);
await import(pathToFileURL(exec));
const go = new Go();
const { instance } = await WebAssembly.instantiate(readFileSync(wasm), go.importObject);
go.run(instance);
const requests = JSON.parse(readFileSync(0, "utf8"));
const out = [];
for (const [id, request] of requests.entries()) {
  const began = process.cpuUsage();
  const [kind, text] = await new Promise((resolve) => foreseeStart(id, JSON.stringify(request), (kind, value) => kind !== "progress" && resolve([kind, value])));
  const { user, system } = process.cpuUsage(began);
  out.push({ kind, text, ms: (user + system) / 1000 });
}
process.stdout.write(JSON.stringify(out), () => process.exit(0));
