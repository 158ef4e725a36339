// The X-graph: where the threads are, what bounds them, and what would change that.
import { digits, element, share, times } from "./format.js";
import { Lookup } from "./lookups.js";
import { figure, lines } from "./plot.js";
import { table } from "./where.js";
import { xmodel } from "./xmodel.js";

// xgraph balances what is shown.
export const xgraph = new Lookup({
  call: "xsliders", wait: "balancing…", stages: [0.02, 0],
  of: (page) => ({ threads: [page.state.threads], region: page.region }),
  shown: (result) => shown(result.xgraph, result.page),
});

// steps are those of a slider.
const steps = 400;

// shown is the balance: its picture, a slider for each parameter, and what a change of each gains.
function shown(r, page) {
  const at = Object.fromEntries(page.sliders.map((s) => [s.key, s.value])), first = Object.fromEntries(page.sliders.map((s) => [s.key, s.first]));
  const picture = element("div", { className: "all" });
  const said = element("p", { className: "sentence", "aria-live": "polite" });
  const draw = () => picture.replaceChildren(drawn(page, first, at, said, r));
  const sliders = element("figure", {}, element("figcaption", {}, element("h3", { textContent: "Parameters" })));
  const rows = page.sliders.map((s) => slider(s, at, draw));
  sliders.append(...rows.map((row) => row.element), element("div", { className: "presets" }, element("button", { type: "button", textContent: "as they are", "aria-label": "parameters as they are", on: { click: () => (rows.forEach((row) => row.reset()), draw()) } })));
  draw();
  const grid = element("div", { className: "grid" }, picture, sliders);
  const gains = (r.what_if ?? []).filter((g) => g.gain > 1.0005).slice(0, 8);
  if (gains.length) {
    const most = Math.max(...gains.map((g) => g.gain)) - 1;
    const body = element("tbody", {}, ...gains.map((g) => element("tr", {}, element("th", { scope: "row", className: "wrap", textContent: g.what.map((w, i) => `${w} (${times(g.factors[i])})`).join(" and ") }),
      element("td", { className: "narrow" }, element("div", { className: "stack", "aria-hidden": "true" }, element("span", { style: { width: `${(100 * (g.gain - 1)) / most}%`, background: "var(--curve-0)" } }))), element("td", { textContent: `+${share(g.gain - 1)}` }))));
    grid.append(figure({ title: "What would help", note: "computing throughput gained", file: "what-if", svg: table(["change", "", "gain"], body), rows: [["change", "factor", "gain"], ...gains.map((g) => [g.what.join(" and "), g.factors.join(" "), g.gain])] }));
  }
  return [said, grid, element("p", { className: "muted", textContent: r.source })];
}

// params are those of the page's model.
function params(page, v) {
  const p = { n: v.n, Z: v.Z, E: v.E, M: v.M, R: v.R, L: v.L, size: v.size ?? 0, printed: page.printed };
  if (p.size > 0) {
    Object.assign(p, { latency: Math.min(v.latency, p.L), alpha: v.alpha, beta: v.beta });
    if (page.table) Object.assign(p, { table: page.table, tableSize: page.tableSize });
  }
  return p;
}

// drawn is the picture: what memory supplies with k threads in it, what the others ask of it, and the states where both are the same.
function drawn(page, first, at, said, r) {
  const p = params(page, at), was = params(page, first);
  const most = Math.max(p.n, was.n), unit = page.memoryUnit;
  const curve = (f) => Array.from({ length: 201 }, (_, i) => [(most * i) / 200, f((most * i) / 200) * unit]);
  const supply = curve((k) => xmodel.supply(p, k)), demand = curve((k) => (k <= p.n ? xmodel.demand(p, p.n - k) : 0));
  const same = page.sliders.every((s) => at[s.key] === s.first);
  const dashed = same ? [] : [curve((k) => xmodel.supply(was, k)), curve((k) => (k <= was.n ? xmodel.demand(was, was.n - k) : 0))];
  const states = xmodel.states(p), stable = states.filter((s) => s.stable), settled = stable[0] ?? states[0], before = xmodel.states(was).find((s) => s.stable);
  tell(said, p, settled, before, same, r, page);
  const high = Math.max(...[supply, demand, ...dashed].flat().map(([, v]) => v), 1e-300) * 1.08;
  return figure({
    title: "X-graph", note: same ? `in ${page.memoryName}` : `in ${page.memoryName}; dashed: as it is`, file: "x-graph", wide: true,
    svg: lines({
      label: "what memory supplies and threads ask, against threads in the memory system", wide: true, height: 250, dashed,
      x: { low: 0, high: most, label: "threads in the memory system", text: (v) => digits(v), say: (v) => `${digits(v)} threads in memory` },
      y: { low: 0, high, text: (v) => digits(v), say: (v) => `${digits(v)} ${page.memoryName}` },
      series: [{ name: "memory supplies", colour: "var(--curve-0)", points: supply }, { name: "threads ask", colour: "var(--curve-1)", points: demand }, { name: "state", colour: "var(--ink)", dots: true, bare: true, points: states.map((s) => [s.k, s.memory * unit]) }],
    }),
    rows: [["k", "supply", "demand"], ...supply.map(([k, v], i) => [k, v, demand[i][1]])],
  });
}

// bounds are what bounds threads, as a sentence goes on.
const bounds = { threads: "their number bounds them", thread: "their number bounds them", compute: "what the cores compute bounds them", memory: "memory bounds them", capacity: "the size of the cache bounds them", thrashing: "they thrash the cache" };

function tell(said, p, state, before, same, r, page) {
  if (!state) return said.replaceChildren();
  const strong = (t) => element("strong", { textContent: t });
  const parts = ["Of ", strong(digits(p.n)), " threads ", strong(digits(state.k)), " are in memory and ", strong(digits(state.x)), " compute"];
  const taken = r.states.find((s) => s.taken) ?? r.states[0];
  if (same && taken) parts.push("; ", strong(bounds[taken.bound] ?? `${taken.bound} bounds them`));
  if (!same && before) parts.push(": ", strong(`${times(state.compute / before.compute)} as much computing as now`));
  parts.push(`. ${digits(state.memory * page.memoryUnit)} ${page.memoryName}, ${digits(state.compute * page.computeUnit)} ${page.computeName}.`);
  if (same && r.best_threads > 0 && r.best_gain > 1.01) parts.push(` ${r.best_threads} threads would do ${times(r.best_gain)} as much.`);
  said.replaceChildren(...parts);
}

// shorter is a number as its field shows it: whole ones as they are, sizes among them.
const shorter = (v) => (Number.isSafeInteger(v) ? v : Number(v.toPrecision(5)));

// slider is one of a parameter, logarithmic.
function slider(s, at, draw) {
  const id = `x-${s.key}`;
  const to = (v) => Math.round((steps * Math.log(v / s.low)) / Math.log(s.high / s.low)), from = (step) => s.low * (s.high / s.low) ** (step / steps);
  const range = element("input", { type: "range", id, min: 0, max: steps, step: 1, value: to(s.value), "aria-valuetext": digits(s.value, 4) });
  const number = element("input", { type: "number", step: "any", value: shorter(s.value), "aria-label": `${s.name}, ${s.meaning}` });
  const take = (v, other) => {
    at[s.key] = v;
    if (other === range) range.value = to(v);
    else number.value = shorter(v);
    range.setAttribute("aria-valuetext", digits(v, 4));
    draw();
  };
  range.addEventListener("input", () => take(from(Number(range.value)), number));
  number.addEventListener("input", () => Number(number.value) > 0 && take(Number(number.value), range));
  const reset = () => {
    at[s.key] = s.first;
    range.value = to(s.first);
    number.value = shorter(s.first);
    range.setAttribute("aria-valuetext", digits(s.first, 4));
  };
  return { reset, element: element("div", { className: "knob parameter" }, element("label", { for: id }, element("b", { textContent: s.name }), ` ${s.meaning}`), range, number) };
}
