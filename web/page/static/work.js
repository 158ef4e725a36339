// The work behind an answer: a first look with few samples, then the whole; what is outdated is stopped.
import { Problem, client } from "./client.js";
import { engine } from "./engine.js";

// first is the effort of the first look. Chosen: natively some tens of milliseconds for most kernels, with hit rates within a point or two.
export const first = 0.02;

// request is what is asked of a state.
export function request(state, call, more = {}) {
  const levels = Object.entries(state.levels).map(([level, bytes]) => ({ level, bytes }));
  const defines = Object.entries(state.defines).map(([name, value]) => `${name}=${value}`);
  const input = state.file ? { name: state.file.name, held: state.file.held, data: state.file.data } : { name: state.name, text: state.text, defines };
  if (more.before) more = { ...more, before: { name: `kept-${input.name.replace(/.*\//, "")}`, ...more.before } };
  return { call, ...input, machine: state.described ? "" : state.machine, described: state.described, levels, compiled: state.compiled && !state.file, ...more };
}

// counts are the numbers of threads that are asked for: doubled up to the cores, and the one that is chosen.
export function counts(cores, threads) {
  const all = new Set([1, threads]);
  for (let n = 2; n < Math.max(cores, threads); n *= 2) all.add(n);
  if (cores > 0) all.add(cores);
  return [...all].sort((a, b) => a - b).slice(0, 60);
}

// Work answers one state after the other; show is told what comes.
export class Work {
  #stop = null;
  #generation = 0;

  constructor(show) {
    this.show = show;
  }

  stop() {
    this.#stop?.abort();
    this.#stop = null;
  }

  get running() {
    return this.#stop !== null;
  }

  // begin answers a state. What was asked before is stopped; its answers are not shown.
  async begin(state, cores) {
    this.stop();
    const stop = (this.#stop = new AbortController());
    const mine = ++this.#generation;
    const current = () => mine === this.#generation && !stop.signal.aborted;
    const began = performance.now();
    const threads = counts(cores, state.threads);
    const few = [...new Set([1, state.threads])].sort((a, b) => a - b);
    const ask = async (part, call, more, stage) => {
      const text = await client.ask(request(state, call, more), { signal: stop.signal, progress: (p) => current() && this.show.progress(stage(p)) });
      if (current()) this.show.result(part, JSON.parse(text), { text, threads: more.threads ?? [], whole: !more.effort, took: performance.now() - began });
    };
    const look = (part, call, more) => () => ask(part, call, { ...more, effort: first }, (p) => 0.15 * p);
    const whole = (part, call, more, from) => () => ask(part, call, more, (p) => from + 0.28 * p);
    const looks = [look("prediction", "predict", { threads }), () => ask("source", "source", {}, () => 0), look("accesses", "accesses", { threads: [state.threads] }), look("curves", "curves", { threads: few })];
    try {
      this.show.begin();
      if (state.file) { // which has no source and no accesses that are told apart
        await whole("prediction", "predict", { threads }, 0)();
        if (state.file.loops) await whole("curves", "curves", { threads: few }, 0.5)();
        if (current()) this.show.end(performance.now() - began);
        return;
      }
      if (engine === "native") await Promise.all(looks.map((f) => f()));
      else for (const f of looks) await f(); // it has one core: the first answer is not to wait for the others
      await whole("prediction", "predict", { threads }, 0.15)();
      await whole("accesses", "accesses", { threads: [state.threads] }, 0.43)();
      await whole("curves", "curves", { threads: few }, 0.71)();
      if (current()) this.show.end(performance.now() - began);
    } catch (e) {
      if (!current() || e.stopped) return;
      const problem = e instanceof Problem ? e : new Problem({ problems: [{ message: String(e.message ?? e) }] });
      this.show.problem(problem, state);
      if (engine !== "native" && !state.file) { // sizes show all the same
        try {
          await ask("source", "source", {}, () => 0);
        } catch { /* the problem is told already */ }
      }
      stop.abort();
    } finally {
      if (this.#stop === stop) this.#stop = null;
      if (mine === this.#generation) this.show.idle();
    }
  }
}
