// Numbers as people read them, with the units of the command.

// digits rounds to so many significant digits, without a tail of zeros that says nothing.
export function digits(v, n = 3) {
  if (!Number.isFinite(v)) return "–";
  if (v === 0) return "0";
  const whole = Math.floor(Math.log10(Math.abs(v))) + 1;
  const text = v.toFixed(Math.min(Math.max(n - whole, 0), 12));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

// seconds is a time: 1.2 s, 340 ms, 5.1 µs.
export function seconds(s) {
  if (s === undefined || s === null) return "–";
  for (const [unit, scale] of [["s", 1], ["ms", 1e-3], ["µs", 1e-6]]) if (s >= scale * 0.9995) return `${digits(s / scale)} ${unit}`;
  return `${digits(s / 1e-9)} ns`;
}

// bytes is a size: 32 KiB, 1.5 MiB.
export function bytes(n) {
  for (const [unit, scale] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]]) if (n >= scale) return `${trimmed(n / scale)} ${unit}`;
  return `${n} B`;
}

const trimmed = (v) => (Math.abs(v - Math.round(v)) < 5e-4 ? String(Math.round(v)) : digits(v));

// count is a number of things: 1.2 million.
export function count(n) {
  for (const [word, scale] of [["trillion", 1e12], ["billion", 1e9], ["million", 1e6]]) if (n >= scale) return `${digits(n / scale)} ${word}`;
  if (n > 0 && n < 0.5) return "< 1";
  return n >= 1e4 ? Math.round(n).toLocaleString("en") : trimmed(n);
}

// share is a part of a whole in percent, so that 99.99 % is not told as all.
export function share(x) {
  const p = 100 * x;
  if (p > 99.5 && p < 100) return `${Math.min(p, 99.99).toFixed(2)} %`;
  if (p > 0 && p < 0.095) return p < 0.01 ? "< 0.01 %" : `${p.toFixed(2)} %`;
  return `${p.toFixed(1)} %`;
}

// percent is a part of a time, which nobody minds being told as all.
export const percent = (x) => `${digits(100 * x, x < 0.995 ? 2 : 3)} %`;

// times is a factor: 7.9 ×.
export const times = (x) => `${digits(x)} ×`;

// element makes an element with properties, attributes ("aria-…", "data-…", role) and children; text is never taken for HTML.
export function element(tag, properties = {}, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.includes("-") || key === "role" || key === "for" || key === "colspan" || key === "scope") e.setAttribute(key, value);
    else if (key === "style") Object.assign(e.style, value);
    else if (key === "on") for (const [event, f] of Object.entries(value)) e.addEventListener(event, f);
    else e[key] = value;
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

// level is the colour of a level of the memory hierarchy, number i of n with memory the last: memory's stays the same however many caches there are.
export function level(i, n) {
  if (i === 0) return 0;
  if (i === n - 1) return 3;
  return n <= 4 ? i : Math.min(i, 2);
}
export const colour = (i, n) => `var(--level-${level(i, n)})`;

// boundBy says what bounds a time.
export function boundBy(p) {
  switch (p.bound_by) {
    case "compute": return p.core_bound_by && p.core_bound_by !== "none" ? `the core bounds it (${p.core_bound_by})` : "the core bounds it";
    case "latency": return "chains of operations that wait for one another bound it";
    case "parallel": return "opening parallel regions bounds it";
    case "memory": return "memory bounds it";
    case undefined: return "";
    default: return `lines from ${p.bound_by} bound it`;
  }
}
