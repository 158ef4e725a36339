// The X-graph: where the threads are, what bounds them, and what would change that.
import { Problem, client } from "./client.js";
import { digits, element, share, times } from "./format.js";
import { figure } from "./plot.js";
import { first, request } from "./work.js";

// xgraph asks for the model's view of what is shown, once for each state, and shows it.
export function xgraph(answer, page) {
  const key = JSON.stringify([page.state, page.region]);
  if (answer.x?.key === key) return answer.x.parts;
  const parts = [element("p", { className: "muted", textContent: "balancing…" })];
  answer.x = { key, parts };
  const ask = async (effort) => {
    const text = await client.ask(request(page.state, "xgraph", { threads: [page.state.threads], region: page.region, effort }));
    if (answer.x.key !== key) return;
    answer.x = { key, parts: shown(JSON.parse(text)) };
    page.draw();
  };
  ask(first).then(() => ask(0)).catch((e) => {
    if (answer.x.key !== key) return;
    answer.x = { key, parts: [element("p", { textContent: e instanceof Problem ? e.message : String(e) })] };
    page.draw();
  });
  return parts;
}

const words = { n: "threads", z: "operations a request", e: "operations a thread does at once", m: "operations a cycle of all cores", r: "requests a cycle that memory supplies", l: "cycles of a request to memory" };

// shown are the states, and what a change of each parameter gains.
function shown(r) {
  const state = r.states.find((s) => s.taken) ?? r.states[0];
  const out = [];
  if (state) {
    const strong = (t) => element("strong", { textContent: t });
    const p = element("p", { className: "sentence" }, "Of ", strong(digits(r.params.n)), " threads ", strong(digits(state.k)), " are in memory and ", strong(digits(state.x)), " compute; ", strong(`${state.bound} bounds them`), ".");
    if (r.best_threads > 0 && r.best_gain > 1.01) p.append(` ${r.best_threads} threads would do ${times(r.best_gain)} as much.`);
    out.push(p);
  }
  const grid = element("div", { className: "grid" });
  const gains = (r.what_if ?? []).filter((g) => g.gain > 1.0005);
  if (gains.length) {
    const most = Math.max(...gains.map((g) => g.gain)) - 1;
    const rows = gains.slice(0, 8).map((g) => element("tr", {}, element("th", { scope: "row", textContent: g.what.map((w, i) => `${w} (${times(g.factors[i])})`).join(" and ") }),
      element("td", { className: "wide" }, element("div", { className: "stack", "aria-hidden": "true" }, element("span", { style: { width: `${(100 * (g.gain - 1)) / most}%`, background: "var(--curve-0)" } }))), element("td", { textContent: `+${share(g.gain - 1)}` })));
    grid.append(figure({ title: "What would help", note: "computing throughput gained", file: "what-if", wide: true, svg: element("table", {}, element("tbody", {}, ...rows)), rows: [["change", "factor", "gain"], ...gains.map((g) => [g.what.join(" and "), g.factors.join(" "), g.gain])] }));
  }
  const table = element("table", {}, element("tbody", {}, ...Object.entries(words).filter(([k]) => r.params[k] !== undefined).map(([k, w]) => element("tr", {}, element("th", { scope: "row", textContent: w }), element("td", { textContent: digits(r.params[k], 4) })))));
  grid.append(figure({ title: "Parameters", note: r.source, file: "x-parameters", svg: table, rows: [["parameter", "value"], ...Object.entries(r.params).filter(([, v]) => typeof v === "number")] }));
  out.push(grid);
  return out;
}
