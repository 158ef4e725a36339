// Unified patches, as foresee advise writes them.

// applied is a text with a patch of it; null where the patch is of another text.
export function applied(text, patch) {
  const lines = text.split("\n"), out = [];
  let at = 0; // lines that were taken
  let inside = false;
  for (const line of patch.split("\n")) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/.exec(line);
    if (head) {
      const from = Math.max(Number(head[1]) - (head[2] === "0" ? 0 : 1), 0);
      if (from < at || from > lines.length) return null;
      out.push(...lines.slice(at, from));
      at = from;
      inside = true;
    } else if (inside && (line[0] === " " || line[0] === "-")) {
      if (lines[at] !== line.slice(1)) return null;
      if (line[0] === " ") out.push(lines[at]);
      at++;
    } else if (inside && line[0] === "+") out.push(line.slice(1));
  }
  return inside ? [...out, ...lines.slice(at)].join("\n") : null;
}

// shownAs is a patch with its lines told apart.
export function shownAs(patch, element) {
  const kind = (l) => (l.startsWith("+++") || l.startsWith("---") || l.startsWith("@@") ? "patch-at" : l[0] === "+" ? "patch-in" : l[0] === "-" ? "patch-out" : "");
  return element("pre", { className: "patch", tabIndex: 0, "aria-label": "patch" }, ...patch.trimEnd().split("\n").map((l) => element("span", { className: kind(l), textContent: l + "\n" })));
}

// difference is what differs in two texts: lines of both, each { kind: " ", "-" or "+", text }, by their longest common subsequence; far from a change
// lines are left out.
export function difference(a, b) {
  const x = a.split("\n"), y = b.split("\n");
  let head = 0, tail = 0;
  while (head < Math.min(x.length, y.length) && x[head] === y[head]) head++;
  while (tail < Math.min(x.length, y.length) - head && x[x.length - 1 - tail] === y[y.length - 1 - tail]) tail++;
  const p = x.slice(head, x.length - tail), q = y.slice(head, y.length - tail);
  const middle = p.length * q.length > most ? [...p.map((text) => ({ kind: "-", text })), ...q.map((text) => ({ kind: "+", text }))] : between(p, q);
  const context = 3;
  return [
    ...x.slice(Math.max(head - context, 0), head).map((text) => ({ kind: " ", text })), ...middle,
    ...x.slice(x.length - tail, x.length - tail + context).map((text) => ({ kind: " ", text })),
  ];
}

// most is how large a table of two texts may be, in cells. Chosen: a moment's work.
const most = 4e6;

function between(p, q) {
  const w = q.length + 1, best = new Uint32Array((p.length + 1) * w);
  for (let i = p.length - 1; i >= 0; i--) for (let k = q.length - 1; k >= 0; k--) best[i * w + k] = p[i] === q[k] ? best[(i + 1) * w + k + 1] + 1 : Math.max(best[(i + 1) * w + k], best[i * w + k + 1]);
  const out = [];
  let i = 0, k = 0;
  while (i < p.length || k < q.length) {
    if (i < p.length && k < q.length && p[i] === q[k]) out.push({ kind: " ", text: p[i++] }), k++;
    else if (i < p.length && (k === q.length || best[(i + 1) * w + k] >= best[i * w + k + 1])) out.push({ kind: "-", text: p[i++] });
    else out.push({ kind: "+", text: q[k++] });
  }
  return out;
}
