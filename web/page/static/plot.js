// Pictures as SVG, drawn here: they follow the pointer, take the page's colours, dark or light, and need no second question to the engine.
import { element } from "./format.js";

const space = "http://www.w3.org/2000/svg";
// widthOf is how wide a picture is drawn, in its own units: about as wide as it is shown, so that its text is as large as the page's.
// Of pictures that are not wide four, two or one stand side by side, as the styles have it.
function widthOf(wide) {
  const all = document.getElementById("panels")?.clientWidth || 620;
  const beside = wide ? 1 : innerWidth >= 1900 ? 4 : all > 580 ? 2 : 1;
  return Math.min(Math.max(all / beside - 46, 250), wide ? 1400 : 440);
}

const box = { left: 46, right: 14, top: 12, bottom: 32 };

function node(tag, attributes = {}, ...children) {
  const e = document.createElementNS(space, tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    if (key === "fill" || key === "stroke") e.style[key] = value; // colours of the page are variables
    else e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}

const log2 = (v) => Math.log2(v);

// scale maps values to places; a logarithmic one needs values above 0.
function scale({ low, high, log }, from, to) {
  const f = log ? log2 : (v) => v;
  const a = f(low), b = f(high);
  return (v) => from + ((f(v) - a) / (b - a || 1)) * (to - from);
}

// ticks are round values of an axis.
function ticks({ low, high, log, tens }, most = 6) {
  if (log && tens) { // 1, 2 and 5 of each power of ten, or fewer
    const decades = Math.log10(high / low);
    const heads = decades < 1.6 ? [1, 2, 5] : decades < 3 ? [1, 3] : [1];
    const step = decades > most ? Math.ceil(decades / most) : 1;
    const out = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); e++) if (e % step === 0) for (const h of heads) if (h * 10 ** e >= low * 0.999 && h * 10 ** e <= high * 1.001) out.push(h * 10 ** e);
    return out;
  }
  if (log) {
    const out = [];
    const step = Math.max(1, Math.ceil((log2(high) - log2(low)) / most));
    for (let e = Math.ceil(log2(low) - 1e-9); e <= log2(high) + 1e-9; e += step) out.push(2 ** e);
    return out;
  }
  const raw = (high - low) / Math.max(most - 1, 1) || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999);
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-6; i++) out.push(i * step);
  return out;
}

const tip = element("div", { className: "tip", hidden: true });

// pointed shows a text beside the pointer.
function pointed(event, text) {
  if (!tip.isConnected) document.body.append(tip);
  tip.textContent = text;
  tip.hidden = false;
  const { innerWidth } = window;
  tip.style.left = `${Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 6)}px`;
  tip.style.top = `${event.clientY + 14}px`;
}
const left = () => (tip.hidden = true);

// lines draws curves over axes.
//   x, y: { low, high, log, label, text(value) }
//   series: [{ name, colour, points: [[x, y]], band: [[x, low, high]], dots, bare }]
//   dashed: curves without a name; bare: dots without a line
//   marks: [{ x, name }]: vertical lines, such as sizes of caches; now: an x that is chosen
export function lines({ label, x, y, series, marks = [], dashed = [], now, wide = false, height = 176 }) {
  const width = widthOf(wide), right = width - box.right, bottom = height - box.bottom;
  const px = scale(x, box.left, right), py = scale(y, bottom, box.top);
  const inside = ([a, b]) => a >= x.low * (1 - 1e-9) && a <= x.high * (1 + 1e-9) && Number.isFinite(b);
  const clamp = (v) => Math.min(Math.max(py(v), box.top), bottom);
  const path = (points) => points.filter(inside).map(([a, b], i) => `${i ? "L" : "M"}${px(a).toFixed(1)} ${clamp(b).toFixed(1)}`).join("");
  const svg = node("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const v of ticks(y, 5)) {
    svg.append(node("line", { class: "grid-line", x1: box.left, x2: right, y1: py(v), y2: py(v) }), node("text", { x: box.left - 6, y: py(v) + 3.5, "text-anchor": "end" }, y.text(v)));
  }
  for (const v of ticks(x, 7)) svg.append(node("text", { x: px(v), y: bottom + 14, "text-anchor": "middle" }, x.text(v)));
  svg.append(node("line", { class: "axis", x1: box.left, x2: right, y1: bottom, y2: bottom }), node("text", { x: right, y: height - 4, "text-anchor": "end" }, x.label));
  marks.filter((m) => m.x > x.low && m.x < x.high).forEach((m) => {
    svg.append(node("line", { class: "mark", x1: px(m.x), x2: px(m.x), y1: box.top, y2: bottom }), node("text", { x: px(m.x) + 3, y: box.top + 10 }, m.name));
  });
  if (now !== undefined) svg.append(node("line", { class: "now", x1: px(now), x2: px(now), y1: box.top, y2: bottom }));
  for (const d of dashed) svg.append(node("path", { class: "ideal", d: path(d) }));
  for (const s of series) {
    if (s.band?.length) {
      const up = s.band.filter(inside);
      const d = up.map(([a, , high], i) => `${i ? "L" : "M"}${px(a)} ${clamp(high)}`).join("") + up.reverse().map(([a, low]) => `L${px(a)} ${clamp(low)}`).join("") + "Z";
      svg.append(node("path", { class: "band", d, fill: s.colour }));
    }
    if (!s.bare) svg.append(node("path", { class: "curve", d: path(s.points), stroke: s.colour }));
    if (s.dots) for (const p of s.points.filter(inside)) svg.append(node("circle", { class: "dot", cx: px(p[0]), cy: clamp(p[1]), r: 3.6, fill: s.colour }));
  }
  names(svg, series, px, clamp, right, inside);
  const ring = node("circle", { r: 4.5, fill: "none", stroke: "var(--ink)", visibility: "hidden" });
  const catcher = node("rect", { x: box.left, y: box.top, width: right - box.left, height: bottom - box.top, fill: "transparent" });
  catcher.addEventListener("pointermove", (e) => {
    const r = svg.getBoundingClientRect();
    const at = ((e.clientX - r.left) / r.width) * width, down = ((e.clientY - r.top) / r.height) * height;
    const all = series.flatMap((s) => s.points.filter(inside).map((p) => ({ s, p, far: Math.abs(px(p[0]) - at) + Math.abs(clamp(p[1]) - down) / 4 })));
    if (!all.length) return;
    const near = all.reduce((a, b) => (b.far < a.far ? b : a));
    ring.setAttribute("cx", px(near.p[0]));
    ring.setAttribute("cy", clamp(near.p[1]));
    ring.setAttribute("visibility", "visible");
    pointed(e, `${near.s.name ? near.s.name + "\n" : ""}${(x.say ?? x.text)(near.p[0])}: ${(y.say ?? y.text)(near.p[1])}`);
  });
  catcher.addEventListener("pointerleave", () => {
    left();
    ring.setAttribute("visibility", "hidden");
  });
  svg.append(ring, catcher);
  return svg;
}

// names writes the names of curves above the plot's right end, where there are several.
function names(svg, series, px, clamp, right) {
  if (series.length < 2) return;
  let at = right;
  for (const s of series.filter((s) => !s.bare).reverse()) {
    const text = node("text", { class: "label", x: at, y: box.top - 2, "text-anchor": "end" }, s.name);
    at -= 6.1 * s.name.length + 8;
    svg.append(text, node("line", { x1: at - 10, x2: at + 2, y1: box.top - 5.5, y2: box.top - 5.5, stroke: s.colour, "stroke-width": 3 }));
    at -= 24;
  }
}

// bars draws horizontal bars, each { name, value, colour, text }.
export function bars({ label, rows, say }) {
  const width = widthOf(false), line = 25, height = rows.length * line + 6, name = 58, value = 58;
  const most = Math.max(...rows.map((r) => r.value), 1e-300);
  const svg = node("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  rows.forEach((r, i) => {
    const y = i * line + 4, w = Math.max(((width - name - value - 16) * r.value) / most, r.value > 0 ? 1.5 : 0);
    const bar = node("rect", { x: name, y, width: w, height: line - 9, rx: 2.5, fill: r.colour });
    bar.addEventListener("pointermove", (e) => pointed(e, `${r.name}: ${say(r)}`));
    bar.addEventListener("pointerleave", left);
    svg.append(node("text", { class: "label", x: name - 8, y: y + 12, "text-anchor": "end" }, r.name), bar, node("text", { x: name + w + 7, y: y + 12 }, r.text));
  });
  return svg;
}

// figure puts a picture into a frame with its title and what can be had of it: the picture and its numbers.
export function figure({ title, note, svg, rows, file, wide, extra }) {
  const get = element("span", { className: "get" });
  const figure = element("figure", { className: wide ? "all" : "" },
    element("figcaption", {}, element("h3", { textContent: title }), note ? element("small", { textContent: note }) : null, get), svg, extra ?? null);
  const offer = (kind, f) => get.append(element("button", { type: "button", textContent: kind, "aria-label": `${title} as ${kind}`, on: { click: f } }));
  offer("CSV", () => save(`${file}.csv`, new Blob([csv(rows)], { type: "text/csv" })));
  if (svg instanceof SVGElement) {
    offer("SVG", () => save(`${file}.svg`, new Blob([alone(svg)], { type: "image/svg+xml" })));
    offer("PNG", async () => save(`${file}.png`, await raster(svg)));
  }
  return figure;
}

const csv = (rows) => rows.map((r) => r.map((v) => (/[",\n]/.test(String(v)) ? `"${String(v).replaceAll('"', '""')}"` : v)).join(",")).join("\n") + "\n";

// save gives the reader a file.
export function save(name, blob) {
  const a = element("a", { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

// alone is a picture with all that the page's styles give it.
export function alone(svg) {
  const copy = svg.cloneNode(true);
  const from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((e, i) => {
    const style = getComputedStyle(e);
    for (const p of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight"]) to[i].setAttribute(p, style.getPropertyValue(p));
    to[i].removeAttribute("style");
    to[i].removeAttribute("class");
  });
  const [, , w, h] = svg.getAttribute("viewBox").split(" ").map(Number);
  copy.setAttribute("xmlns", space);
  copy.setAttribute("width", w);
  copy.setAttribute("height", h);
  copy.prepend(node("rect", { width: "100%", height: "100%" }));
  copy.firstChild.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--paper"));
  return new XMLSerializer().serializeToString(copy);
}

// raster is a picture as PNG, at three times its size.
async function raster(svg) {
  const [, , w, h] = svg.getAttribute("viewBox").split(" ").map(Number);
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([alone(svg)], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = element("canvas", { width: 3 * w, height: 3 * h });
  canvas.getContext("2d").drawImage(image, 0, 0, 3 * w, 3 * h);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
