// Answers that a view asks for when it is looked at: each once for a state, after the hand rests; what is outdated is stopped.
import { Problem, client } from "./client.js";
import { element } from "./format.js";
import { request } from "./work.js";

// rests is how long a state stays as it is before long work begins for it, in ms. Chosen: longer than between two steps of a slider.
const rests = 350;

// Lookup is a view's call of the engine.
//   of(page): what is asked beside the state, null where there is nothing to ask
//   stages: efforts, the whole (0) last; shown(result, page, whole): its elements
export class Lookup {
  constructor({ call, of, stages = [0], shown, wait = "working…" }) {
    Object.assign(this, { call, of, stages, shown, wait, key: "", parts: null });
  }

  // elements are what is known of the page's state.
  elements(page) {
    const more = this.of(page);
    if (more === null) return null;
    const { region, before, ...state } = page.state;
    const key = JSON.stringify([{ ...state, file: state.file?.held ?? state.file?.name }, more]);
    if (key === this.key) return this.parts;
    this.stop?.abort();
    clearTimeout(this.timer);
    const stop = (this.stop = new AbortController());
    this.key = key;
    const bar = element("progress", { max: 1, "aria-label": `progress of ${this.call}` });
    const button = element("button", { type: "button", textContent: "stop", on: { click: () => this.halt(page) } });
    const waiting = element("div", { className: "waiting", role: "status" }, element("span", { textContent: this.wait }), bar, button);
    const old = this.known ? element("div", { className: "outdated", inert: true }, ...this.known) : null;
    this.parts = [waiting, old].filter(Boolean);
    const asked = request(structuredClone(page.state), this.call, more);
    this.timer = setTimeout(() => this.#ask(page, asked, key, stop, bar), rests);
    return this.parts;
  }

  async #ask(page, asked, key, stop, bar) {
    const told = (parts) => {
      if (this.key !== key) return;
      this.parts = parts;
      page.draw();
    };
    let last = null;
    try {
      for (const effort of this.stages) {
        const text = await client.ask({ ...asked, effort }, { signal: stop.signal, progress: (p) => (bar.value = p) });
        if (this.key !== key) return;
        last = this.known = this.shown(JSON.parse(text), page, effort === 0);
        told(last);
      }
      document.documentElement.dataset[this.call] = String(Number(document.documentElement.dataset[this.call] ?? 0) + 1);
    } catch (e) {
      if (e.stopped) return;
      const why = element("p", { className: "muted", role: "status", textContent: e instanceof Problem ? e.message : String(e) });
      told(last ? [why, ...last] : [why]);
    }
  }

  halt(page) {
    this.stop?.abort();
    clearTimeout(this.timer);
    this.parts = [element("p", {}, "Stopped. ", element("button", { type: "button", textContent: "go on", on: { click: () => ((this.key = ""), page.draw()) } }))];
    page.draw();
  }
}
