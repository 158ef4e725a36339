"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const sliders = data.sliders;
  const at = Object.fromEntries(sliders.map((s) => [s.key, s.value]));
  const form = document.getElementById("sliders");
  const svg = document.getElementById("graph");
  const make = (name, attributes, text) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const show = (v) => (v === 0 ? "0" : Number(v.toPrecision(5)).toString());
  const steps = 1000;

  function params(values) {
    const p = { n: values.n, Z: values.Z, E: values.E, M: values.M, R: values.R, L: values.L, size: values.size || 0, printed: data.printed };
    if (p.size > 0) {
      p.latency = Math.min(values.latency, p.L);
      p.alpha = values.alpha;
      p.beta = values.beta;
      if (data.table) { p.table = data.table; p.tableSize = data.tableSize; }
    }
    return p;
  }

  for (const s of sliders) {
    const row = document.createElement("div");
    const toValue = (v) => s.low * (s.high / s.low) ** (v / steps);
    const toStep = (v) => Math.round(steps * Math.log(v / s.low) / Math.log(s.high / s.low));
    row.className = "slider";
    row.innerHTML = `<label for="s-${s.key}"><b>${s.name}</b> <span>${s.meaning}</span></label>
      <input id="s-${s.key}" type="range" min="0" max="${steps}" step="1"><input id="v-${s.key}" type="number" step="any" aria-label="${s.name}, ${s.meaning}">`;
    form.append(row);
    const range = row.querySelector("[type=range]"), number = row.querySelector("[type=number]");
    const set = (v) => { range.value = toStep(v); number.value = show(v); range.setAttribute("aria-valuetext", show(v)); };
    s.set = set;
    set(s.value);
    range.addEventListener("input", () => { at[s.key] = toValue(range.value); number.value = show(at[s.key]); range.setAttribute("aria-valuetext", show(at[s.key])); draw(); });
    number.addEventListener("input", () => { const v = parseFloat(number.value); if (v > 0 && isFinite(v)) { at[s.key] = v; range.value = toStep(v); draw(); } });
  }
  document.getElementById("reset").addEventListener("click", () => { for (const s of sliders) { at[s.key] = s.first; s.set(s.first); } draw(); });

  function ticks(most) {
    const rough = most / 5, unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * unit).find((v) => v >= rough);
    const out = [];
    for (let v = 0; v <= most * 1.0001; v += step) out.push(v);
    return out;
  }

  function curve(p, f, n) {
    const points = [];
    for (let i = 0; i <= 300; i++) { const k = n * i / 300; points.push([k, f(k)]); }
    return points;
  }

  function draw() {
    const p = params(at), first = params(Object.fromEntries(sliders.map((s) => [s.key, s.first])));
    const width = Math.max(320, svg.clientWidth || 760), height = Math.min(460, Math.max(300, width * 0.6));
    const left = 58, right = 58, top = 24, bottom = 44;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    const n = Math.max(p.n, first.n);
    const fs = curve(p, (k) => xmodel.supply(p, k), n), gs = curve(p, (k) => (k <= p.n ? xmodel.demand(p, p.n - k) : 0), n);
    const f0 = curve(first, (k) => xmodel.supply(first, k), n), g0 = curve(first, (k) => (k <= first.n ? xmodel.demand(first, first.n - k) : 0), n);
    const most = 1.08 * Math.max(...fs.concat(gs, f0, g0).map((q) => q[1]));
    const x = (k) => left + (width - left - right) * k / n, y = (v) => height - bottom - (height - top - bottom) * v / most;
    for (const t of ticks(most)) {
      svg.append(make("line", { x1: left, x2: width - right, y1: y(t), y2: y(t), class: "grid" }));
      svg.append(make("text", { x: left - 6, y: y(t) + 4, "text-anchor": "end" }, show(t * data.memoryUnit)));
      svg.append(make("text", { x: width - right + 6, y: y(t) + 4 }, show(t * p.Z * data.computeUnit)));
    }
    for (const t of ticks(n)) {
      if (t > n) continue;
      svg.append(make("line", { x1: x(t), x2: x(t), y1: top, y2: height - bottom, class: "grid" }));
      svg.append(make("text", { x: x(t), y: height - bottom + 16, "text-anchor": "middle" }, show(t)));
    }
    svg.append(make("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle", class: "axis" }, "threads in the memory system, k"));
    svg.append(make("text", { x: -(top + height - bottom) / 2, y: 13, transform: "rotate(-90)", "text-anchor": "middle", class: "axis" }, "memory, " + data.memoryName));
    svg.append(make("text", { x: (top + height - bottom) / 2, y: -(width - 13), transform: "rotate(90)", "text-anchor": "middle", class: "axis" }, "computing, " + data.computeName));
    const path = (points, cls) => svg.append(make("path", { d: "M" + points.map(([k, v]) => `${x(k).toFixed(2)} ${y(v).toFixed(2)}`).join("L"), class: cls }));
    path(f0, "before"); path(g0, "before");
    path(fs, "f"); path(gs, "g");
    const mark = (k, name) => {
      if (!(k > 0 && k < n)) return;
      svg.append(make("line", { x1: x(k), x2: x(k), y1: top, y2: height - bottom, class: "mark" }));
      svg.append(make("text", { x: x(k), y: top - 4, "text-anchor": "middle" }, name));
    };
    mark(p.n - p.M / p.E, "π");
    if (p.size > 0) {
      const full = fs.find(([k, v]) => k > 0 && (p.printed ? k >= p.R * p.L : v * (1 - xmodel.hitRate(p, k)) >= 0.999 * p.R));
      if (full) mark(full[0], "δ");
      let peak = 0;
      while (peak < 300 && !(fs.slice(peak + 1).some((q) => q[1] < 0.99 * fs[peak][1]) && fs[peak + 1][1] < fs[peak][1])) peak++;
      if (peak > 0 && peak < 300) mark(fs[peak][0], "ψ");
    } else {
      mark(p.R * p.L, "δ");
    }
    const states = xmodel.states(p);
    for (const s of states) svg.append(make("circle", { cx: x(s.k), cy: y(s.memory), r: 6, class: s.stable ? "stable" : "unstable" }));
    const was = xmodel.states(first).find((s) => s.stable), is = states.find((s) => s.stable);
    if (was && is && (Math.abs(was.k - is.k) > 1e-6 * n || Math.abs(was.memory - is.memory) > 1e-6 * most)) {
      svg.append(make("line", { x1: x(was.k), y1: y(was.memory), x2: x(is.k), y2: y(is.memory), class: "move", "marker-end": "url(#arrow)" }));
      const defs = make("defs", {});
      const marker = make("marker", { id: "arrow", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" });
      marker.append(make("path", { d: "M0 0L10 5L0 10z" }));
      defs.append(marker);
      svg.append(defs);
    }
    const body = document.getElementById("states");
    body.replaceChildren();
    for (const s of states) {
      const row = document.createElement("tr");
      for (const v of [s.stable ? "stable" : "unstable", show(s.k), show(s.x), show(s.memory * data.memoryUnit), show(s.compute * data.computeUnit), p.size > 0 ? (100 * s.hit).toFixed(1) + " %" : "–"]) {
        const cell = document.createElement("td");
        cell.textContent = v;
        if (v === "stable" || v === "unstable") cell.className = "text";
        row.append(cell);
      }
      body.append(row);
    }
    const gain = was && is ? is.compute / was.compute : 1;
    document.getElementById("gain").textContent = `computing throughput ${show(gain)} times that of the parameters at first (dashed)`;
  }
  new ResizeObserver(draw).observe(svg);
  draw();
})();
