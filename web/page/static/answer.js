// The answer as the page shows it: the sentence, the pictures and the tables.
import { boundBy, bytes, colour, count, digits, element, seconds, share, times } from "./format.js";
import { bars, figure, lines } from "./plot.js";

// served is a bar of which level serves how much.
export function served(shares, levels, tall) {
  const bar = element("div", { className: tall ? "stack tall" : "stack", role: "img", "aria-label": levels.map((l, i) => `${l} serves ${share(shares[i])}`).join(", ") });
  shares.forEach((s, i) => bar.append(element("span", { title: `${levels[i]}: ${share(s)}`, style: { width: `${100 * s}%`, background: colour(i, levels.length) } })));
  return bar;
}

// at is the prediction of a region at a number of threads.
const at = (prediction, region, threads) => prediction.predictions.find((p) => p.region === region && p.threads === threads);
const ofRegion = (prediction, region) => prediction.predictions.filter((p) => p.region === region).sort((a, b) => a.threads - b.threads);

// sentence says the answer.
export function sentence(prediction, region, threads) {
  const p = at(prediction, region, threads);
  const out = element("span");
  if (!p) return out;
  const strong = (text) => element("strong", { textContent: text });
  const team = threads === 1 ? "with one thread" : `with ${threads} threads`;
  if (p.time_s === undefined) {
    const last = p.hit_rates.at(-1);
    out.append(strong(region), ` on ${p.machine} ${team}: caches serve `, strong(last ? share(last.hit_rate) : "–"), ` of ${count(p.accesses)} accesses. No time: the machine's file lacks what that needs.`);
    return out;
  }
  out.append(strong(region), " takes ", strong(seconds(p.time_s)), element("span", { className: "range", textContent: ` (${seconds(p.time_low_s)} – ${seconds(p.time_high_s)})` }), ` on ${p.machine} ${team}`);
  if (threads > 1 && p.speedup !== undefined) out.append(", ", strong(times(p.speedup)), " as fast as with one");
  const bound = boundBy(p);
  if (bound) out.append("; ", strong(bound));
  const last = p.hit_rates.at(-1);
  if (last) out.append(`. Its caches serve ${share(last.hit_rate)} of ${count(p.accesses)} accesses`, p.flops > 0 ? `, at ${digits(p.flops / p.time_s / 1e9)} Gflop/s.` : ".");
  return out;
}

const threadsAxis = (all) => ({ low: all[0], high: Math.max(all.at(-1), all[0] * 2), log: true, label: "threads", text: (v) => digits(v), say: (v) => `${digits(v)} thread${v === 1 ? "" : "s"}` });

// timeFigures are time and speed-up against threads.
function timeFigures(all, threads) {
  const timed = all.filter((p) => p.time_s > 0);
  if (!timed.length) return [];
  const x = threadsAxis(timed.map((p) => p.threads));
  const low = Math.min(...timed.map((p) => p.time_low_s ?? p.time_s)), high = Math.max(...timed.map((p) => p.time_high_s ?? p.time_s));
  const y = { low: low > 0 ? low / 1.15 : high / 1e3, high: high * 1.15, log: true, tens: true, text: seconds };
  const rows = [["threads", "time_s", "time_low_s", "time_high_s", "speedup"], ...timed.map((p) => [p.threads, p.time_s, p.time_low_s, p.time_high_s, p.speedup ?? ""])];
  const out = [figure({
    title: "Time", note: "with its interval", file: "time", rows,
    svg: lines({ label: "time against threads", x, y, now: threads, series: [{ name: "time", colour: "var(--curve-0)", dots: true, points: timed.map((p) => [p.threads, p.time_s]), band: timed.map((p) => [p.threads, p.time_low_s, p.time_high_s]) }] }),
  })];
  const faster = timed.filter((p) => p.speedup !== undefined);
  if (faster.length > 1) {
    const most = Math.max(...faster.map((p) => p.speedup), 2);
    out.push(figure({
      title: "Speed-up", note: "dashed: ideal", file: "speedup", rows,
      svg: lines({ label: "speed-up against threads", x, now: threads, y: { low: Math.min(1, ...faster.map((p) => p.speedup)), high: Math.max(most, x.high) * 1.08, log: true, text: times }, dashed: [[[x.low, x.low], [x.high, x.high]]], series: [{ name: "speed-up", colour: "var(--curve-0)", dots: true, points: faster.map((p) => [p.threads, p.speedup]) }] }),
    }));
  }
  return out;
}

// servedFigure is which level serves how much.
function servedFigure(p) {
  const names = [...p.hit_rates.map((h) => h.level), "memory"];
  const cumulative = [...p.hit_rates.map((h) => h.hit_rate), 1];
  const shares = cumulative.map((h, i) => h - (i ? cumulative[i - 1] : 0));
  const table = element("table", {},
    element("thead", {}, element("tr", {}, ...["level", "serves", "hit rate"].map((t, i) => element("th", { textContent: t, scope: "col", className: i ? "" : "left" })))),
    element("tbody", {}, ...names.map((name, i) => element("tr", {},
      element("th", { scope: "row" }, swatch(i, names.length), name), element("td", { textContent: share(shares[i]) }),
      element("td", { textContent: i < p.hit_rates.length ? share(cumulative[i]) : "" })))));
  return figure({ title: "Served by", note: "hit rates add up the levels", file: "hit-rates", svg: served(shares, names, true), extra: table, rows: [["level", "served", "hit_rate"], ...names.map((n, i) => [n, shares[i], cumulative[i]])] });
}

const swatch = (i, n) => element("i", { className: "swatch", style: { background: colour(i, n), display: "inline-block", width: "10px", height: "10px", borderRadius: "2px", marginRight: "7px" } });

// partsFigure is what the time is made of.
function partsFigure(p) {
  if (!p.terms) return null;
  const names = [...p.hit_rates.map((h) => h.level), "memory"];
  const rows = [{ name: "core", value: p.terms.compute_s, colour: "var(--core)" }];
  for (const l of p.terms.levels) rows.push({ name: l.level, value: l.time_s, colour: colour(names.indexOf(l.level), names.length) });
  if (p.terms.parallel_s > 0) rows.push({ name: "parallel", value: p.terms.parallel_s, colour: "var(--parallel)" });
  for (const r of rows) r.text = seconds(r.value);
  return figure({
    title: "Parts of the time", file: "parts",
    svg: bars({ label: "parts of the time: " + rows.map((r) => `${r.name} ${r.text}`).join(", "), rows, say: (r) => `${r.text}, ${share(r.value / p.time_s)} of the time` }),
    rows: [["part", "time_s"], ...rows.map((r) => [r.name, r.value])],
  });
}

// curvesFigure are the miss ratio curves.
export function curvesFigure(curves, region) {
  const all = curves.curves.filter((c) => c.region === region && c.points.length > 1);
  if (!all.length) return null;
  const sizes = all.flatMap((c) => c.points.map((p) => p.cache_bytes)), ratios = all.flatMap((c) => c.points.map((p) => p.miss_ratio));
  return figure({
    title: "Miss ratio curve", note: "fully associative cache, shared by the threads", file: "miss-ratios", wide: true,
    svg: lines({
      label: "miss ratio against cache size", wide: true, height: 190,
      x: { low: Math.min(...sizes), high: Math.max(...sizes), log: true, label: "cache", text: bytes },
      y: { low: 0, high: Math.max(...ratios) * 1.08 || 1, text: (v) => `${digits(100 * v)} %`, say: (v) => `${share(v)} missed` },
      marks: (curves.levels ?? []).map((l) => ({ x: l.bytes, name: l.level })),
      series: all.map((c, i) => ({ name: `${c.threads} thread${c.threads === 1 ? "" : "s"}`, colour: `var(--curve-${i % 2})`, points: c.points.map((p) => [p.cache_bytes, p.miss_ratio]) })),
    }),
    rows: [["threads", "cache_bytes", "miss_ratio", "standard_error"], ...all.flatMap((c) => c.points.map((p) => [c.threads, p.cache_bytes, p.miss_ratio, p.standard_error]))],
  });
}

// overview is all of a prediction.
export function overview(prediction, curves, region, threads) {
  const p = at(prediction, region, threads);
  const out = element("div", { className: "grid" });
  if (!p) return out;
  out.append(...timeFigures(ofRegion(prediction, region), threads), servedFigure(p));
  const parts = partsFigure(p), curve = curves && curvesFigure(curves, region);
  if (parts) out.append(parts);
  if (curve) out.append(curve);
  return out;
}

// warnings are all that was assumed, of the result and of a prediction, each once.
export function warnings(prediction, region, threads) {
  const all = [...new Set([...prediction.warnings, ...(at(prediction, region, threads)?.warnings ?? [])])];
  if (!all.length) return null;
  return element("details", { className: "warnings", open: all.length < 3 },
    element("summary", { textContent: `${all.length} thing${all.length > 1 ? "s" : ""} to know` }), element("ul", {}, ...all.map((w) => element("li", { textContent: w }))));
}
