// What to change: foresee advise's list, the versions side by side, the machines in order.
import { element, count, seconds, share, times } from "./format.js";
import { Lookup } from "./lookups.js";
import { applied, difference, shownAs } from "./patch.js";
import { figure } from "./plot.js";
import { meter, table } from "./where.js";

const strong = (text) => element("strong", { textContent: text });
const says = (...parts) => element("p", { className: "sentence" }, ...parts);
const range = (low, high, f) => element("span", { className: "range", textContent: ` (${f(low)} – ${f(high)})` });
const ends = (page) => [...new Set([1, page.state.threads])].sort((a, b) => a - b);

// notes are things to know, each once.
function notes(all) {
  if (!all.length) return null;
  return element("details", { className: "warnings" }, element("summary", { textContent: `${all.length} thing${all.length > 1 ? "s" : ""} to know` }), element("ul", {}, ...all.map((w) => element("li", { textContent: w }))));
}

// advice is the list of changes of the source.
export const advice = new Lookup({
  call: "advise", wait: "trying changes of the source…", stages: [0.2, 0],
  of: (page) => ({ threads: page.state.file ? ends(page) : [page.state.threads] }),
  shown: (result, page, whole) => [whole ? null : element("p", { className: "muted", textContent: "First look at the likeliest changes; all follow." }), ...result.regions.map((r) => ofRegion(r, page)), notes(result.warnings)].filter(Boolean),
});

function ofRegion(r, page) {
  const out = element("section", { className: "advice" }, element("h3", { textContent: r.region }));
  if (r.causes.length) out.append(element("ul", { className: "causes" }, ...r.causes.map((c) => element("li", { textContent: c }))));
  const all = [...(r.together ? [r.together] : []), ...r.changes];
  if (!all.length) out.append(element("p", { textContent: `Nothing was found that makes it faster, of ${r.tried} changes that were tried.` }));
  for (const c of all) out.append(change(c, page, c === r.together));
  if (r.apart.length) out.append(element("details", { className: "warnings" }, element("summary", { textContent: "Beside changes of the source" }), element("ul", {}, ...r.apart.map((a) => element("li", { textContent: a })))));
  return out;
}

function change(c, page, together) {
  const patch = element("div", { hidden: true });
  const head = element("div", { className: "change-head" }, element("h4", { textContent: together ? `Together: ${c.title}` : c.title }),
    element("span", { className: c.gains ? "gain" : "gain none", textContent: times(c.gain), title: `four of five true ones from ${times(c.gain_low)} to ${times(c.gain_high)}` }));
  const out = element("article", { className: "change" }, head,
    element("p", {}, c.line ? element("button", { type: "button", className: "row-link", textContent: `line ${c.line}`, on: { click: () => page.reveal(c.line) } }) : null, c.line ? ": " : null, c.why));
  out.append(element("p", { className: "muted", textContent: `${times(c.gain_low)} – ${times(c.gain_high)} as fast${c.gains ? "" : ": within the noise"}${c.reorders ? "; sums are added up in another order and round otherwise" : ""}${c.ends_false_sharing ? "; ends false sharing, which comes on top" : ""}` }));
  if (c.conditions.length) out.append(element("ul", { className: "causes" }, ...c.conditions.map((w) => element("li", { textContent: `if ${w.replace(/^if /, "")}` }))));
  if (!c.patch) return out;
  const show = element("button", { type: "button", textContent: "show patch", "aria-expanded": "false", "aria-label": `show patch of ${c.title}`, on: {
    click: () => {
      patch.hidden = !patch.hidden;
      show.textContent = patch.hidden ? "show patch" : "hide patch";
      show.setAttribute("aria-expanded", String(!patch.hidden));
      if (!patch.firstChild) patch.append(shownAs(c.patch, element));
    },
  } });
  const apply = element("button", { type: "button", textContent: "apply", "aria-label": `apply ${c.title}`, on: {
    click: () => {
      const text = applied(page.state.text, c.patch);
      if (text === null) return void (apply.textContent = "the source is another by now");
      if (!page.state.before.text) page.keep();
      page.write(text);
    },
  } });
  out.append(element("div", { className: "presets" }, show, apply), patch);
  return out;
}

// versions are the one that was kept and the one in the editor, side by side.
const compared = new Lookup({
  call: "compare", wait: "comparing…", stages: [0.02, 0],
  of: (page) => ({ threads: [page.state.threads], before: { ...page.state.before, defines: Object.entries(page.state.before.defines).map(([n, v]) => `${n}=${v}`) } }),
  shown: (result, page, whole) => pairs(result, whole),
});

export function versions(page) {
  const keep = element("button", { type: "button", textContent: page.state.before.text ? "keep this version instead" : "keep this version", on: { click: () => (page.keep(), page.draw()) } });
  if (!page.state.before.text) return [says("Keep the source as it is now, change it, and see here what that changes."), element("div", { className: "presets" }, keep)];
  const back = element("button", { type: "button", textContent: "exchange them", on: { click: () => page.exchange() } });
  const drop = element("button", { type: "button", textContent: "forget the kept one", on: { click: () => page.forget() } });
  return [element("div", { className: "presets" }, keep, back, drop), ...(compared.elements(page) ?? []), sides(page)];
}

// sides are both texts, where they differ.
function sides(page) {
  const lines = difference(page.state.before.text, page.state.text);
  if (!lines.some((l) => l.kind !== " ")) return element("p", { textContent: "The sources are the same." });
  const before = [], after = [];
  const even = () => {
    while (before.length < after.length) before.push({ kind: "~", text: "" });
    while (after.length < before.length) after.push({ kind: "~", text: "" });
  };
  for (const l of lines) {
    if (l.kind === " ") even();
    if (l.kind !== "+") before.push(l);
    if (l.kind !== "-") after.push(l);
  }
  even();
  const one = (title, all) => element("figure", {}, element("figcaption", {}, element("h3", { textContent: title })),
    element("pre", { className: "patch", tabIndex: 0, "aria-label": title }, ...all.map((l) => element("span", { className: { "-": "patch-out", "+": "patch-in" }[l.kind] ?? "", textContent: l.text + "\n" }))));
  return element("div", { className: "grid" }, one("kept", before), one("now", after));
}

function pairs(result, whole) {
  const out = [];
  for (const p of result.pairs) {
    const team = p.b.threads === 1 ? "With one thread" : `With ${p.b.threads} threads`;
    const name = p.a.region === p.b.region ? p.b.region : `${p.a.region} → ${p.b.region}`;
    const said = says();
    if (p.ratio === undefined) said.append(`${team}, no time of ${name} is known.`);
    else {
      const faster = p.ratio <= 1, low = faster ? 1 / p.ratio_high : p.ratio_low, high = faster ? 1 / p.ratio_low : p.ratio_high, much = faster ? 1 / p.ratio : p.ratio;
      const same = much < 1.005;
      said.append(`${team}, ${name} takes ${seconds(p.a.time_s)} as kept and `, strong(seconds(p.b.time_s)), " now: ", strong(same ? "the same" : `${times(much)} as ${faster ? "fast" : "long"}`));
      if (!same) said.append(range(low, high, times));
      said.append(".");
    }
    const parts = p.terms.filter((t) => t.a_s > 0 || t.b_s > 0), most = Math.max(...parts.flatMap((t) => [t.a_s, t.b_s]), 1e-300);
    const body = element("tbody", {}, ...parts.map((t) => element("tr", {}, element("th", { scope: "row", textContent: t.term === "compute" ? "core" : t.term }),
      element("td", { className: "wide" }, meter(t.a_s / most, "var(--level-0)"), meter(t.b_s / most, "var(--curve-0)")), element("td", { textContent: seconds(t.a_s) }), element("td", { textContent: seconds(t.b_s) }))));
    const lines = element("tbody", {}, ...p.levels.map((l) => element("tr", {}, element("th", { scope: "row", textContent: l.level }), element("td", { textContent: count(l.a) }), element("td", { textContent: count(l.b) }),
      element("td", { className: "left", textContent: l.array ? `${l.array}: ${count(l.array_a)} → ${count(l.array_b)}` : "" }))));
    out.push(said, element("div", { className: "grid" },
      parts.length ? figure({ title: "Parts of the time", note: "above: kept, below: now", file: "compared-parts", svg: table(["part", "", "kept", "now"], body), rows: [["part", "kept_s", "now_s"], ...parts.map((t) => [t.term, t.a_s, t.b_s])] }) : null,
      figure({ title: "Lines that levels lack", file: "compared-misses", svg: table(["level", "kept", "now", "most by array"], lines), rows: [["level", "kept", "now", "array"], ...p.levels.map((l) => [l.level, l.a, l.b, l.array ?? ""])] })));
  }
  if (!result.pairs.length) out.push(says("The versions have no region in common."));
  if (result.alone.length) out.push(element("p", { className: "muted", textContent: `Of one version alone: ${result.alone.join("; ")}` }));
  if (!whole) out.push(element("p", { className: "muted", textContent: "First look; a finer one follows." }));
  return out;
}

// ranking are the machines, the fastest first.
export const ranking = new Lookup({
  call: "rank", wait: "trying all machines, with all numbers of threads…", stages: [0.02, 0],
  of: () => ({}),
  shown: (result, page, whole) => [ranked(result, page), whole ? null : element("p", { className: "muted", textContent: "First look; a finer one follows." }), notes(result.warnings)].filter(Boolean),
});

function ranked(result, page) {
  const timed = result.machines.filter((m) => m.speed !== undefined);
  const most = Math.max(...timed.map((m) => m.speed_at_worst ?? m.speed), 1e-300);
  const body = element("tbody", {}, ...result.machines.map((m) => {
    const p = m.programs[0] ?? {};
    const lacks = [...m.missing, ...m.assumed];
    return element("tr", {},
      element("th", { scope: "row" }, element("button", { type: "button", className: "row-link", textContent: m.machine, title: m.title ?? "", "aria-label": `take machine ${m.machine}`, on: { click: () => page.takeMachine(m.machine) } })),
      element("td", { textContent: m.rank ?? "" }), element("td", { className: "wide" }, meter((m.speed_at_worst ?? m.speed ?? 0) / most, "var(--curve-0)")),
      element("td", { textContent: m.speed === undefined ? "" : times(m.speed) }), element("td", { textContent: p.time_s === undefined ? "" : seconds(p.time_s) }),
      element("td", { textContent: p.time_s === undefined ? "" : `${seconds(p.low_s)} – ${seconds(p.high_s)}` }), element("td", { textContent: p.threads ?? "" }), element("td", { className: "left", textContent: p.bound_by ?? "" }),
      element("td", { className: "left wrap", textContent: p.time_s === undefined ? p.why ?? "" : lacks.length ? `not known of it: ${lacks.join(", ")}` : "" }));
  }));
  return figure({
    title: "Machines", note: `each with the threads that it is fastest with; speeds over that of ${result.against}`, file: "machines", wide: true,
    svg: table(["machine", "rank", "", "speed", "time", "interval", "threads", "bound by", "to know"], body),
    rows: [["machine", "rank", "cores", "speed", "speed_low", "speed_high", "time_s", "threads", "bound_by"], ...result.machines.map((m) => [m.machine, m.rank ?? "", m.cores, m.speed ?? "", m.speed_low ?? "", m.speed_high ?? "", m.programs[0]?.time_s ?? "", m.programs[0]?.threads ?? "", m.programs[0]?.bound_by ?? ""])],
  });
}

// regions are those of a result by time, one after the other, and the arrays of one of them by misses.
export function regions(prediction, page) {
  const mine = prediction.predictions.filter((p) => p.threads === page.state.threads);
  const all = mine.length ? mine : prediction.predictions.filter((p) => p.threads === prediction.predictions[0].threads);
  const timed = all.filter((p) => p.time_s > 0);
  const entered = (p) => p.time_s * (p.entered ?? 1);
  const whole = timed.reduce((sum, p) => sum + entered(p), 0);
  const most = Math.max(...timed.map(entered), 1e-300);
  const hue = (p) => `hsl(${Math.round(360 * ((all.indexOf(p) * 0.618034) % 1))} 52% 52%)`;
  const out = element("div", { className: "grid" });
  const order = [...all].sort((a, b) => (b.time_s ? entered(b) : 0) - (a.time_s ? entered(a) : 0) || b.accesses - a.accesses);
  const body = element("tbody", {}, ...order.map((p) => element("tr", {},
    element("th", { scope: "row" }, element("i", { className: "dot", style: { background: hue(p) } }), element("button", { type: "button", className: "row-link", textContent: p.region, on: { click: () => page.takeRegion(p.region) } })),
    element("td", { className: "wide" }, meter(p.time_s ? entered(p) / most : 0, "var(--curve-0)")), element("td", { textContent: seconds(p.time_s ? entered(p) : undefined) }), element("td", { textContent: whole && p.time_s ? share(entered(p) / whole) : "" }),
    element("td", { textContent: p.time_s ? `${seconds(p.time_low_s)} – ${seconds(p.time_high_s)}` : "" }), element("td", { textContent: count(p.accesses) }), element("td", { textContent: share(p.hit_rates.at(-1)?.hit_rate ?? 0) }), element("td", { className: "left", textContent: p.bound_by ?? "" }))));
  out.append(figure({
    title: "Regions by time", file: "regions", wide: true, svg: table(["region", "", "time", "share", "interval", "accesses", "caches serve", "bound by"], body),
    rows: [["region", "time_s", "time_low_s", "time_high_s", "accesses", "bound_by"], ...order.map((p) => [p.region, p.time_s ?? "", p.time_low_s ?? "", p.time_high_s ?? "", p.accesses, p.bound_by ?? ""])],
  }));
  if (timed.length > 1) {
    const line = element("div", { className: "stack tall", role: "img", "aria-label": `one after the other: ${timed.map((p) => `${p.region} ${seconds(entered(p))}`).join(", ")}` },
      ...timed.map((p) => element("span", { title: `${p.region}: ${seconds(entered(p))}`, style: { width: `${(100 * entered(p)) / whole}%`, background: hue(p) } })));
    out.append(figure({ title: "One after the other", note: `in the order of the input, all of their time together: ${seconds(whole)}`, file: "timeline", wide: true, svg: line, rows: [["region", "from_s", "to_s"], ...timed.map((p, i) => [p.region, timed.slice(0, i).reduce((s, q) => s + entered(q), 0), timed.slice(0, i + 1).reduce((s, q) => s + entered(q), 0)])] }));
  }
  const p = all.find((q) => q.region === page.region) ?? order[0];
  if (p?.arrays?.length) {
    const levels = p.hit_rates.map((h) => h.level), worst = Math.max(...p.arrays.map((a) => a.misses.at(-1) ?? 0), 1e-300);
    const rows = element("tbody", {}, ...p.arrays.map((a) => element("tr", {}, element("th", { scope: "row" }, element("code", { textContent: a.array }), a.place ? element("small", { className: "muted", textContent: ` ${a.access ?? ""} ${a.place}` }) : null),
      element("td", { className: "wide" }, meter((a.misses.at(-1) ?? 0) / worst, "var(--level-3)")), ...a.misses.map((m) => element("td", { textContent: count(m) })))));
    out.append(figure({ title: "Arrays by misses", note: `of ${p.region}: lines that each level lacks`, file: "arrays-misses", wide: true, svg: table(["array", "", ...levels], rows), rows: [["array", "access", "place", ...levels], ...p.arrays.map((a) => [a.array, a.access ?? "", a.place ?? "", ...a.misses])] }));
  }
  return [out];
}
