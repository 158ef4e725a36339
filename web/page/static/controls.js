// Sliders and choices: sizes, threads and how loops are dealt, the machine and its caches.
import { bytes, element } from "./format.js";

// rounded is a value that people choose: powers of two and some between.
function rounded(v) {
  if (v <= 16) return Math.round(v);
  const power = 2 ** Math.floor(Math.log2(v) - 3);
  return Math.round(v / power) * power;
}

// knob is a slider with a number beside it; on.input(value) is told while it moves.
function knob({ name, value, low, high, on, title }) {
  const id = `knob-${name}`;
  const log = (v) => Math.log2(Math.max(v, 1));
  const range = element("input", { type: "range", min: log(low), max: log(high), step: 0.01, value: log(value), id, title: title ?? "", "aria-valuetext": String(value) });
  const number = element("input", { type: "number", value, min: 1, step: 1, "aria-label": `${name}, as a number` });
  const take = (v, from) => {
    if (!Number.isSafeInteger(v) || v < 1) return;
    if (from !== number) number.value = v;
    if (from !== range) range.value = log(v);
    range.setAttribute("aria-valuetext", String(v));
    on(v);
  };
  range.addEventListener("input", () => take(rounded(2 ** range.value), range));
  number.addEventListener("input", () => take(Number(number.value), number));
  return element("div", { className: "knob" }, element("label", { for: id, textContent: name, title: name }), range, number);
}

// presets are the sizes of the kernels that are carried: macros of their header.
const presets = ["MINI", "SMALL", "MEDIUM", "LARGE", "EXTRALARGE"];

// sizes shows a slider for each size of the source.
export function sizes(box, source, state, on) {
  const legend = box.querySelector("legend");
  const all = source.sizes.filter((s) => s.value > 1 && !presets.includes(s.name)).slice(0, 12);
  const known = new Set(all.map((s) => s.name));
  for (const [name, value] of Object.entries(state.defines)) if (!known.has(name) && !presets.includes(name) && /^\d+$/.test(value)) all.push({ name, value: Number(value), free: true, line: 0 });
  const kernel = /#\s*include\s*"harness\.h"/.test(state.text);
  const key = JSON.stringify([all.map((s) => [s.name, s.free]), kernel]);
  box.hidden = !all.length && !kernel;
  if (box.dataset.key === key && box.contains(document.activeElement)) return; // nobody's slider is taken away
  box.dataset.key = key;
  const rows = all.map((s) => knob({
    name: s.name, value: s.value, low: Math.max(1, Math.min(8, s.value / 4)), high: Math.max(8192, 4 * s.value),
    title: s.free ? "" : `line ${s.line} defines it: the slider changes the source`, on: (v) => on(s, v),
  }));
  if (kernel) {
    const now = presets.find((p) => p in state.defines) ?? "LARGE";
    rows.unshift(element("div", { className: "presets", role: "group", "aria-label": "size of the problem" }, ...presets.map((p) => element("button", { type: "button", textContent: p.toLowerCase(), "aria-pressed": String(p === now), on: { click: () => on(null, p) } }))));
  }
  box.replaceChildren(legend, ...rows);
}

// setPreset chooses a size of the kernels.
export function setPreset(defines, preset) {
  const out = Object.fromEntries(Object.entries(defines).filter(([name]) => !presets.includes(name)));
  return preset === "LARGE" ? out : { ...out, [preset]: "1" };
}

const pragma = /^\s*#\s*pragma\s+omp\b.*\bfor\b/;
const clause = /\s*\bschedule\s*\(([^)]*)\)/;

// scheduleOf is the schedule that the loops of a source are dealt by; null where it has no parallel loops.
export function scheduleOf(text) {
  const line = text.split("\n").find((l) => pragma.test(l));
  if (line === undefined) return null;
  const [kind, chunk] = (clause.exec(line)?.[1] ?? "").split(",").map((w) => w.trim());
  return { kind: kind.replace(/^.*:\s*/, ""), chunk: chunk ?? "" };
}

// withSchedule deals all loops of a source so.
export function withSchedule(text, { kind, chunk }) {
  const wanted = kind ? ` schedule(${kind}${chunk ? `, ${chunk}` : ""})` : "";
  const dealt = (line) => line.replace(clause, "").replace(/\s*(\\?|\/[/*].*)$/, (rest) => wanted + rest.trimEnd());
  return text.split("\n").map((line) => (pragma.test(line) ? dealt(line) : line)).join("\n");
}

// team shows the threads and how loops are dealt.
export function team(box, machine, state, compiler, on) {
  const legend = box.querySelector("legend");
  const most = Math.max(machine?.cores ?? 0, state.threads, 2);
  const schedule = scheduleOf(state.text);
  const key = JSON.stringify([most, Boolean(schedule), compiler]);
  if (box.dataset.key === key && box.contains(document.activeElement)) return;
  box.dataset.key = key;
  const rows = [knob({ name: "threads", value: state.threads, low: 1, high: most, on: (v) => on.threads(Math.min(v, 4096)) })];
  if (schedule) {
    const kinds = ["", "static", "dynamic", "guided"];
    const select = element("select", { id: "schedule" }, ...kinds.map((k) => element("option", { value: k, textContent: k || "not said", selected: k === schedule.kind })));
    const chunk = element("input", { type: "number", min: 1, step: 1, placeholder: "chunk", value: /^\d+$/.test(schedule.chunk) ? schedule.chunk : "", "aria-label": "iterations of a chunk", disabled: !schedule.kind });
    const tell = () => {
      chunk.disabled = !select.value;
      on.schedule({ kind: select.value, chunk: select.value && Number(chunk.value) >= 1 ? String(Math.round(Number(chunk.value))) : "" });
    };
    select.addEventListener("change", tell);
    chunk.addEventListener("input", tell);
    rows.push(element("div", { className: "knob wide" }, element("label", { for: "schedule", textContent: "schedule", title: "changes the pragmas of the source" }), element("div", { className: "pair" }, select, chunk)));
  }
  if (compiler) {
    const check = element("input", { type: "checkbox", id: "compiled", checked: state.compiled, on: { change: (e) => on.compiled(e.target.checked) } });
    rows.push(element("div", { className: "tick" }, check, element("label", { for: "compiled", textContent: `times of the code of ${compiler}` })));
  }
  box.replaceChildren(legend, ...rows);
}

// machine shows the machine and its caches.
export function machine(box, machines, known, state, on) {
  const legend = box.querySelector("legend");
  const key = JSON.stringify([state.machine, state.described.length, known?.levels.map((l) => l.level), Object.keys(state.levels).length > 0]);
  if (box.dataset.key === key && box.contains(document.activeElement) && document.activeElement.type === "range") return;
  box.dataset.key = key;
  const names = state.described ? ["(machine file)", ...machines] : machines;
  const select = element("select", { id: "machine-name", on: { change: (e) => on.machine(e.target.value) } }, ...names.map((m) => element("option", { value: m, textContent: m === "host" ? "this machine (host)" : m, selected: state.described ? m === names[0] : m === state.machine })));
  const rows = [element("div", { className: "knob wide" }, element("label", { for: "machine-name", textContent: "machine" }), select)];
  for (const l of known?.levels ?? []) {
    const own = l.bytes, now = state.levels[l.level] ?? own;
    const id = `level-${l.level}`;
    const output = element("output", { textContent: bytes(now), for: id });
    const range = element("input", { type: "range", id, min: -4, max: 4, step: 0.5, value: Math.round(2 * Math.log2(now / own)) / 2, "aria-valuetext": bytes(now) });
    const row = element("div", { className: now === own ? "knob" : "knob changed" }, element("label", { for: id, textContent: l.level, title: `${bytes(own)}, ${l.ways || "?"} ways, shared by ${l.shared_by}` }), range, output);
    range.addEventListener("input", () => {
      const whole = l.line * Math.max(l.ways, 1);
      const size = Number(range.value) === 0 ? own : Math.max(Math.round((own * 2 ** range.value) / whole) * whole, 1024);
      output.textContent = bytes(size);
      range.setAttribute("aria-valuetext", bytes(size));
      row.className = size === own ? "knob" : "knob changed";
      on.level(l.level, size === own ? null : size);
    });
    rows.push(row);
  }
  if (Object.keys(state.levels).length) rows.push(element("div", { className: "presets" }, element("button", { type: "button", textContent: "caches as they are", on: { click: on.reset } }), element("button", { type: "button", textContent: "machine file", on: { click: on.save } })));
  box.replaceChildren(legend, ...rows);
}
