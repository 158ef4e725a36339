// Where time and data go, by loop, by array and by access: in tables, and in the source itself.
import { served } from "./answer.js";
import { bytes, colour, count, digits, element, level, percent, seconds, share } from "./format.js";
import { figure } from "./plot.js";

// noticed is the share of its accesses from which a level colours an access. Chosen: one in a hundred.
const noticed = 0.01;

// farthest is the farthest level that serves so much of an access.
const farthest = (shares) => shares.findLastIndex((s) => s >= noticed);

// paint shows in the source where each access is served and what each loop takes.
export function paint(editor, result, name) {
  const accesses = [], loops = [];
  const n = result.levels.length;
  for (const region of result.regions) {
    for (const r of region.references) if (r.file === name && r.accesses > 0) accesses.push({ line: r.line, column: r.column, text: r.text, level: level(Math.max(farthest(r.served), 0), n), of: { ...r, region } });
    for (const l of region.loops) {
      if (l.file !== name || l.time_s === undefined || !region.time_s) continue;
      const part = l.time_s / region.time_s;
      if (part < 0.0005) continue;
      loops.push({ line: l.line, text: `${seconds(l.time_s)} · ${Math.round(100 * part)} %`, title: `loop ${l.variable}: core ${seconds(l.core_s)}, memory ${seconds(l.memory_s)}, of which some at the same time`, hot: l.own_s / region.time_s > 0.5 });
    }
  }
  editor.setMarks(accesses, loops);
}

// legend names the colours.
export function legend(list, levels) {
  list.replaceChildren(...levels.map((l, i) => element("li", {}, element("i", { style: { background: colour(i, levels.length) } }), l)));
}

// chosen is the level whose accesses are told of: "" for all.
let chosen = "";

// told is what is known of accesses at one place of the source, for the pointer and for the caret; changed is told when a level is chosen in it.
export function told(references, levels, lineBytes, changed) {
  const box = element("div", { className: "hover" });
  const draw = () => box.replaceChildren(...references.map((r) => toldOne(r, levels, lineBytes, (name) => {
    const focused = box.matches(":focus-within");
    chosen = name === chosen ? "" : name;
    draw();
    if (focused) box.querySelector(`button[data-level="${name}"]`)?.focus({ preventScroll: true });
    changed();
  })));
  draw();
  return box;
}

function toldOne(r, levels, lineBytes, choose) {
  const at = levels.indexOf(chosen);
  const buttons = levels.map((l, i) => element("button", { type: "button", className: "pick", "data-level": l, "aria-pressed": String(i === at), title: i === at ? "tell of all again" : `tell of what ${l} serves`, textContent: `${l} ${share(r.served[i])}`, on: { click: () => choose(l), mousedown: (e) => e.preventDefault() } }));
  const list = element("ul");
  const parts = reusesOf(r, levels);
  for (const [u, part] of parts.slice(0, 4)) list.append(element("li", {}, ...reuse(u, part, lineBytes)));
  const fresh = at < 0 ? r.new : 1 - sum(parts);
  if (fresh >= 0.001 && r.new > 0 && (at < 0 || at === levels.length - 1)) list.append(element("li", { textContent: `${share(fresh)}: nobody before; the line is new` }));
  if (!list.children.length) list.append(element("li", { textContent: "nobody: with one thread it serves none of these accesses" }));
  return element("section", {}, element("h3", {}, element("code", { textContent: r.text }), ` ${r.write ? "written" : "read"}`),
    element("p", { textContent: `${count(r.accesses)} times, ${r.bytes} B each; ${stride(r, lineBytes)}` }), served(r.served, levels),
    element("div", { className: "picks", role: "group", "aria-label": "level whose accesses are told of" }, ...buttons),
    element("p", { className: "muted", textContent: at < 0 ? "Who used the line last, with one thread:" : `Who used the line last, of what ${chosen} serves with one thread:` }), list);
}

const sum = (parts) => parts.reduce((all, [, part]) => all + part, 0);

// reusesOf are the kinds of reuse of an access with their shares, the commonest first: of all its accesses, or of those that the chosen level serves.
export function reusesOf(r, levels) {
  const at = levels.indexOf(chosen);
  if (at < 0) return r.reuses.map((u) => [u, u.share]);
  const parts = r.reuses.map((u) => [u, u.share * u.served[at]]).filter(([, part]) => part >= 0.0005).sort((a, b) => b[1] - a[1]);
  const all = sum(parts) + (at === levels.length - 1 ? r.new : 0); // lines that are new come from memory
  return parts.map(([u, part]) => [u, part / all]);
}

// stride says how an access goes on.
function stride(r, lineBytes) {
  const s = Math.abs(r.stride_bytes);
  if (!r.loop_line) return "outside loops";
  if (s === 0) return "the innermost loop stays at it, or its subscript divides";
  if (s >= lineBytes) return `another line with each iteration (${bytes(s)} on)`;
  return `${s} B on with each iteration`;
}

// reuse says who used the line.
function reuse(u, part, lineBytes) {
  const where = u.loop_line ? `in an earlier iteration of loop ${u.loop} (line ${u.loop_line})` : "in the same iteration";
  const far = u.distance < 1 ? "no other line in between" : `${count(u.distance)} other line${u.distance >= 1.5 ? "s" : ""} in between (${bytes(Math.round(u.distance) * lineBytes)})`;
  return [`${share(part)}: `, element("code", { textContent: u.text }), ` ${u.write ? "written" : "read"} in line ${u.line}, ${where}; ${far}`];
}

// byLoop is the table of the loops.
export function byLoop(region, reveal) {
  const timed = region.loops.filter((l) => l.time_s !== undefined);
  if (!timed.length) return null;
  const depth = (l) => {
    let d = 0;
    for (let at = l; at?.in_line; at = region.loops.find((o) => o.line === at.in_line && o.file === at.file)) if (++d > 20) break;
    return d;
  };
  const body = element("tbody", {}, ...timed.map((l) => element("tr", {},
    element("th", { scope: "row", style: { paddingLeft: `${8 + 14 * depth(l)}px` } }, element("button", { type: "button", className: "row-link", textContent: `${l.variable}, line ${l.line}`, on: { click: () => reveal(l.line) } }), l.schedule ? element("small", { className: "muted", textContent: ` parallel, ${l.schedule}` }) : null),
    element("td", { className: "wide" }, meter(l.time_s / (region.time_s || 1), "var(--curve-0)")),
    element("td", { textContent: seconds(l.time_s) }), element("td", { textContent: percent(l.time_s / (region.time_s || 1)) }), element("td", { textContent: seconds(l.core_s) }), element("td", { textContent: seconds(l.memory_s) }))));
  return figure({
    title: "By loop", note: "with the loops inside; core and memory work at the same time", file: "loops", wide: true, svg: table(["loop", "", "time", "share", "core", "memory"], body),
    rows: [["line", "variable", "time_s", "own_s", "core_s", "memory_s"], ...timed.map((l) => [l.line, l.variable, l.time_s, l.own_s, l.core_s, l.memory_s])],
  });
}

// byArray is the table of the arrays.
export function byArray(region, levels) {
  const lines = levels.slice(1);
  const all = region.arrays.reduce((sum, a) => sum + (a.time_s ?? 0), 0);
  const body = element("tbody", {}, ...region.arrays.map((a) => element("tr", {},
    element("th", { scope: "row" }, element("code", { textContent: a.array })), element("td", { textContent: a.bytes ? bytes(a.bytes) : "" }),
    element("td", { className: "wide" }, meter(all ? (a.time_s ?? 0) / all : 0, "var(--level-2)")), element("td", { textContent: a.time_s === undefined ? "" : seconds(a.time_s) }),
    ...lines.map((_, i) => element("td", { textContent: count(a.lines[i]) })))));
  return figure({
    title: "By array", note: "time of memory, and lines from each level", file: "arrays", wide: true, svg: table(["array", "size", "", "memory time", ...lines.map((l) => `from ${l}`)], body),
    rows: [["array", "bytes", "accesses", "time_s", ...lines.map((l) => `lines_${l}`)], ...region.arrays.map((a) => [a.array, a.bytes, a.accesses, a.time_s ?? "", ...a.lines])],
  });
}

// byAccess is the table of the accesses.
export function byAccess(region, levels, lineBytes, reveal) {
  const body = element("tbody", {}, ...region.references.filter((r) => r.accesses > 0).map((r) => element("tr", {},
    element("th", { scope: "row" }, element("button", { type: "button", className: "row-link", textContent: `${r.text}`, on: { click: () => reveal(r.line) } }), element("small", { className: "muted", textContent: ` line ${r.line}, ${r.write ? "write" : "read"}` })),
    element("td", { className: "wide" }, served(r.served, levels)), element("td", { textContent: count(r.accesses) }),
    element("td", { textContent: r.loop_line ? (r.stride_bytes ? `${digits(r.stride_bytes)} B` : "0") : "" }), element("td", { className: "left", textContent: r.reuses[0] ? `${r.reuses[0].text}, ${count(r.reuses[0].distance)} lines` : "new lines" }))));
  return figure({
    title: "By access", note: `commonest reuse: who, and how many lines of ${lineBytes} B in between`, file: "accesses", wide: true, svg: table(["access", "served by", "times", "stride", "line used last by"], body),
    rows: [["line", "column", "access", "write", "accesses", "stride_bytes", ...levels.map((l) => `served_${l}`), "new"], ...region.references.map((r) => [r.line, r.column, r.text, r.write, r.accesses, r.stride_bytes, ...r.served, r.new])],
  });
}

export const meter = (part, fill) => element("div", { className: "stack", "aria-hidden": "true" }, element("span", { style: { width: `${100 * Math.min(part, 1)}%`, background: fill } }));

// table is one that scrolls where the window is narrow.
export function table(heads, body) {
  const head = element("thead", {}, element("tr", {}, ...heads.map((t, i) => (t ? element("th", { textContent: t, scope: "col", className: i ? "" : "left" }) : element("td")))));
  return element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": `${heads[0]}s, table` }, element("table", {}, head, body));
}
