// Clients of the engine: the same requests and answers, by HTTP or by a worker that runs WebAssembly. A request is a plain object; an answer is the text
// of a JSON result, as the command prints it. What stands in the way rejects with a Problem.
import { engine, worker } from "./engine.js";
import { load } from "./wasm.js";

export class Problem extends Error {
  constructor(told) {
    super(told.problems?.[0]?.message ?? "no answer");
    this.problems = told.problems ?? [];
    this.stopped = told.stopped === true;
  }
}

const stopped = () => new Problem({ stopped: true, problems: [{ message: "stopped" }] });
const lost = (why) => new Problem({ problems: [{ message: why }] });

// Native asks the program that serves the page.
class Native {
  async ask(request, { signal, progress } = {}) {
    try {
      const response = await fetch("api/ask", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request), signal });
      if (!response.ok) throw lost(await response.text());
      let text = "";
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        text += done ? "" : decoder.decode(value, { stream: true });
        for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
          const line = JSON.parse(text.slice(0, end));
          text = text.slice(end + 1);
          if ("progress" in line) progress?.(line.progress);
          if ("problem" in line) throw new Problem(line.problem);
          if ("result" in line) return line.result;
        }
        if (done) throw lost("the answer ended on the way");
      }
    } catch (e) {
      if (signal?.aborted) throw stopped();
      if (e instanceof Problem) throw e;
      throw lost(`foresee serve does not answer (${e.message}); is it still running?`);
    }
  }

  async folder() {
    const response = await fetch("api/folder");
    return response.ok ? response.json() : { files: [], open: "" };
  }

  // hold gives the server a file to keep, and says how requests are about it.
  async hold(file) {
    const response = await fetch("api/hold", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
    if (!response.ok) throw lost(await response.text());
    return response.json();
  }

  async read(name) {
    const response = await fetch(`api/file?name=${encodeURIComponent(name)}`);
    if (!response.ok) throw lost(await response.text());
    return response.text();
  }
}

// deaf is how long the worker may be silent after it was told to stop, in ms, before it is ended: what the library cannot stop it cannot either.
const deaf = 1500;

// Web asks a worker.
class Web {
  worker = null;
  #waiting = new Map();
  #last = 0;
  #module = load(); // once: a worker that is ended leaves it to the next
  #script = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));

  #begin() {
    const mine = (this.worker = new Worker(this.#script));
    this.#module.then((module) => mine.postMessage({ module }), (e) => this.#fail(`it cannot be loaded: ${e.message ?? e}`));
    mine.onmessage = ({ data }) => {
      const w = this.#waiting.get(data.id);
      if (data.kind === "failed") return this.#fail(data.value);
      if (!w) return;
      if (data.kind === "progress") return w.progress?.(data.value);
      this.#waiting.delete(data.id);
      if (data.kind === "result") w.resolve(data.value);
      else w.reject(new Problem(JSON.parse(data.value)));
    };
    mine.onerror = (e) => this.#fail(e.message ?? "the worker failed");
  }

  // fail ends all that waits; who asks next has a new worker.
  #fail(why) {
    this.worker?.terminate();
    this.worker = null;
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const w of all) w.reject(lost(`the engine stopped: ${why}`));
  }

  ask(request, { signal, progress } = {}) {
    if (signal?.aborted) return Promise.reject(stopped());
    if (!this.worker) this.#begin();
    const id = ++this.#last;
    const worker = this.worker;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, progress });
      worker.postMessage({ id, request: JSON.stringify(request) });
      signal?.addEventListener("abort", () => {
        if (!this.#waiting.has(id)) return;
        worker.postMessage({ stop: id });
        const w = this.#waiting.get(id);
        const real = w.reject;
        w.reject = () => real(stopped());
        reject(stopped()); // nobody waits for it
        setTimeout(() => {
          if (this.#waiting.has(id) && worker === this.worker) this.#fail("it did not stop");
        }, deaf);
      });
    });
  }

  async folder() {
    return { files: [], open: "" };
  }

  // hold puts a file into each request.
  async hold(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return { data: btoa(text) };
  }
}

export const client = engine === "native" ? new Native() : new Web();
