// The worker of the page where no program serves it: it holds the engine as WebAssembly, which is packed, and gives it requests.
import "./wasm_exec.js";

const go = new Go();
const queue = [];
let ready = false;

function take({ id, request, stop }) {
  if (stop !== undefined) return foreseeStop(stop);
  foreseeStart(id, request, (kind, value) => postMessage({ id, kind, value }));
}

onmessage = ({ data }) => (ready ? take(data) : queue.push(data));

async function begin() {
  const packed = await fetch("foresee.wasm.gz");
  if (!packed.ok) throw new Error(`foresee.wasm.gz: ${packed.status} ${packed.statusText}`);
  let body = packed.body;
  if (!packed.headers.get("Content-Encoding")) body = body.pipeThrough(new DecompressionStream("gzip")); // else the browser has unpacked it
  const unpacked = new Response(body, { headers: { "Content-Type": "application/wasm" } });
  const { instance } = await WebAssembly.instantiateStreaming(unpacked, go.importObject);
  go.run(instance).then(() => postMessage({ kind: "failed", value: "it ended" }));
  ready = true;
  queue.splice(0).forEach(take);
}

begin().catch((e) => postMessage({ kind: "failed", value: String(e.message ?? e) }));
