// The worker of the page where no program serves it: it holds the engine, a module of WebAssembly, and gives it requests. Go's own script stands before this one.
const go = new Go();
const queue = [];
let ready = false;

function take({ id, request, stop }) {
  if (stop !== undefined) return foreseeStop(stop);
  foreseeStart(id, request, (kind, value) => postMessage({ id, kind, value }));
}

async function begin(module) {
  const instance = await WebAssembly.instantiate(module, go.importObject);
  go.run(instance).then(() => postMessage({ kind: "failed", value: "it ended" }));
  ready = true;
  queue.splice(0).forEach(take);
}

onmessage = ({ data }) => {
  if (data.module) begin(data.module).catch((e) => postMessage({ kind: "failed", value: String(e.message ?? e) }));
  else if (ready) take(data);
  else queue.push(data);
};
