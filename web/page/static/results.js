// Results of foresee scale and replay that were dropped here: times at scale with their bands.
import { count, digits, element, seconds, share } from "./format.js";
import { figure, lines } from "./plot.js";
import { meter, table } from "./where.js";

const strong = (text) => element("strong", { textContent: text });

// shows says whether a result is one that is shown here.
export const shows = (o) => ["foresee.scaling/v1", "foresee.replay/v1"].includes(o?.schema);

// resultView is the elements of a result.
export function resultView(o) {
  try {
    return o.schema === "foresee.scaling/v1" ? scaling(o) : replay(o);
  } catch {
    return [element("p", { textContent: `${o.schema}: this file is not whole.` })];
  }
}

function notes(all) {
  return all?.length ? element("details", { className: "warnings", open: all.length < 3 }, element("summary", { textContent: `${all.length} thing${all.length > 1 ? "s" : ""} to know` }), element("ul", {}, ...all.map((w) => element("li", { textContent: w })))) : null;
}

const isTime = (metric) => /time|seconds/i.test(metric);

// scaling are measured runs carried on to more ranks and larger problems.
function scaling(o) {
  const [first, ...others] = o.parameters;
  const value = (p, v) => (isTime(p.metric) ? seconds(v) : count(v));
  const whole = o.predictions.filter((p) => p.callpath === o.whole && isTime(p.metric));
  const out = [element("p", { className: "sentence" }, `${o.input}: ${o.measured} measured points, carried on by the model ${o.model}. `, ...(whole.length ? [`${o.whole} takes `, strong(seconds(whole.at(-1).value)), whole.at(-1).low !== undefined ? element("span", { className: "range", textContent: ` (${seconds(whole.at(-1).low)} – ${seconds(whole.at(-1).high)})` }) : "", ` at ${point(whole.at(-1).params)}.`] : []))];
  if (o.stops) out.push(element("p", { textContent: typeof o.stops === "string" ? o.stops : o.stops.why ?? "" }));
  const grid = element("div", { className: "grid" });
  const groups = new Map();
  for (const p of o.predictions) {
    const rest = others.map((n) => `${n} = ${digits(p.params[n])}`).join(", ");
    const key = [p.callpath, p.metric, rest].join("\n");
    groups.set(key, [...(groups.get(key) ?? []), p]);
  }
  for (const [key, all] of [...groups].slice(0, 8)) {
    const [callpath, metric, rest] = key.split("\n");
    const points = all.filter((p) => p.params[first] > 0 && p.value > 0).sort((a, b) => a.params[first] - b.params[first]);
    if (points.length < 2) continue;
    const banded = points.filter((p) => p.low > 0 && p.high > 0);
    const low = Math.min(...points.map((p) => p.value), ...banded.map((p) => p.low)), high = Math.max(...points.map((p) => p.value), ...banded.map((p) => p.high));
    grid.append(figure({
      title: callpath, note: [metric, rest, `band: ${digits(100 * o.interval)} %`].filter(Boolean).join("; "), file: "scaling",
      svg: lines({
        label: `${metric} of ${callpath} against ${first}`,
        x: { low: points[0].params[first], high: points.at(-1).params[first], log: true, label: first, text: (v) => digits(v), say: (v) => `${first} = ${digits(v)}` },
        y: { low: low / 1.15, high: high * 1.15, log: true, tens: true, text: (v) => value(all[0], v) },
        series: [{ name: metric, colour: "var(--curve-0)", dots: true, points: points.map((p) => [p.params[first], p.value]), band: banded.map((p) => [p.params[first], p.low, p.high]) }],
      }),
      rows: [[first, "value", "low", "high"], ...points.map((p) => [p.params[first], p.value, p.low ?? "", p.high ?? ""])],
    }));
  }
  const body = element("tbody", {}, ...o.predictions.slice(0, 400).map((p) => element("tr", {}, element("th", { scope: "row", textContent: p.callpath }), element("td", { textContent: p.metric }), element("td", { textContent: point(p.params) }), element("td", { textContent: value(p, p.value) }),
    element("td", { textContent: p.low === undefined ? "" : `${value(p, p.low)} – ${value(p, p.high)}` }), element("td", { className: "left", textContent: p.form }))));
  grid.append(figure({ title: "At scale", file: "scaling-all", wide: true, svg: table(["callpath", "metric", "at", "value", "interval", "model"], body), rows: [["callpath", "metric", ...o.parameters, "value", "low", "high"], ...o.predictions.map((p) => [p.callpath, p.metric, ...o.parameters.map((n) => p.params[n]), p.value, p.low ?? "", p.high ?? ""])] }));
  return [...out, grid, notes(o.warnings)].filter(Boolean);
}

const point = (params) => Object.entries(params).map(([n, v]) => `${n} = ${digits(v, 6)}`).join(", ");

// replay is a recorded MPI program on another cluster.
function replay(o) {
  const banded = o.time_low_s !== undefined;
  const out = [element("p", { className: "sentence" }, `${o.input} takes `, strong(seconds(o.time_s)), banded ? element("span", { className: "range", textContent: ` (${seconds(o.time_low_s)} – ${seconds(o.time_high_s)})` }) : "", ` on ${o.cluster} with ${o.ranks} ranks on ${o.nodes} node${o.nodes === 1 ? "" : "s"}; ${count(o.messages)} messages. The rank that computes most takes `, strong(`${digits(o.imbalance)} ×`), " the mean.")];
  const grid = element("div", { className: "grid" });
  const terms = Object.entries(o.terms).filter(([, v]) => typeof v === "number" && v > 0);
  const most = Math.max(...terms.map(([, v]) => v), 1e-300);
  grid.append(figure({
    title: "Parts of the time", note: "means over the ranks", file: "replay-parts",
    svg: table(["part", "", "time", "share"], element("tbody", {}, ...terms.map(([n, v]) => element("tr", {}, element("th", { scope: "row", textContent: n.replace(/_s$/, "").replaceAll("_", " ") }), element("td", { className: "wide" }, meter(v / most, "var(--curve-0)")), element("td", { textContent: seconds(v) }), element("td", { textContent: share(v / o.time_s) }))))),
    rows: [["part", "time_s"], ...terms],
  }));
  if (o.splits?.length) {
    const timed = o.splits.filter((s) => s.time_s !== undefined), slowest = Math.max(...timed.map((s) => s.time_s), 1e-300);
    grid.append(figure({
      title: "Splits of a node", note: "into ranks and threads", file: "replay-splits", svg: table(["ranks", "", "time", "interval"], element("tbody", {}, ...timed.map((s) => element("tr", {}, element("th", { scope: "row", textContent: s.ranks }), element("td", { className: "wide" }, meter(s.time_s / slowest, "var(--curve-0)")), element("td", { textContent: seconds(s.time_s) }), element("td", { textContent: s.time_low_s === undefined ? "" : `${seconds(s.time_low_s)} – ${seconds(s.time_high_s)}` }))))),
      rows: [["ranks", "time_s", "low_s", "high_s"], ...timed.map((s) => [s.ranks, s.time_s, s.time_low_s ?? "", s.time_high_s ?? ""])],
    }));
  }
  for (const [title, all, file] of [["Calls", o.calls, "replay-calls"], ["Ranks", o.by_rank.slice(0, 256), "replay-ranks"]]) {
    if (!all?.length) continue;
    const keys = Object.keys(all[0]).filter((k) => typeof all[0][k] !== "object");
    const text = (k, v) => (typeof v === "number" ? (k.endsWith("_s") ? seconds(v) : count(v)) : String(v ?? ""));
    grid.append(figure({ title, file, wide: true, svg: table(keys.map((k) => k.replace(/_s$/, "").replaceAll("_", " ")), element("tbody", {}, ...all.map((c) => element("tr", {}, element("th", { scope: "row", textContent: text(keys[0], c[keys[0]]) }), ...keys.slice(1).map((k) => element("td", { textContent: text(k, c[k]) })))))), rows: [keys, ...all.map((c) => keys.map((k) => c[k] ?? ""))] }));
  }
  return [...out, grid, notes(o.warnings)].filter(Boolean);
}
