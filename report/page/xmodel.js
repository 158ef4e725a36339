"use strict";
// The X-model, as model/xmodel computes it: a test holds the two together.
const xmodel = (() => {
  const pieces = 32;

  function hitRate(p, k) {
    if (k <= 0) k = 1e-45;
    const share = p.size / k;
    if (p.table) return tabulated(p.table, p.tableSize, share);
    return -Math.expm1(-(p.alpha - 1) * Math.log1p(share / p.beta));
  }

  function tabulated(table, most, size) {
    const perOctave = 8, octaves = 24;
    const at = perOctave * Math.log2(size / (most / 2 ** octaves));
    const i = Math.floor(at);
    if (at <= 0) return table[0];
    if (i >= table.length - 1) return table[table.length - 1];
    return table[i] + (at - i) * (table[i + 1] - table[i]);
  }

  const cached = (p) => p.size > 0;

  function supply(p, k) {
    if (k <= 0) return 0;
    if (!cached(p)) return Math.min(k / p.L, p.R);
    const h = hitRate(p, k);
    if (p.printed) return k / (h * p.latency + (1 - h) * Math.max(p.L, k / p.R));
    const free = k / (h * p.latency + (1 - h) * p.L);
    return h >= 1 ? free : Math.min(free, p.R / (1 - h));
  }

  const compute = (p, x) => Math.min(p.E * Math.max(x, 0), p.M);
  const demand = (p, x) => compute(p, x) / p.Z;
  const excess = (p, k) => demand(p, p.n - k) - supply(p, k);

  function plain(p) {
    const rate = Math.min(p.n / (p.L + p.Z / p.E), p.R, p.M / p.Z);
    let k, x;
    if (rate === p.R && rate < p.M / p.Z) {
      x = Math.min(rate * p.Z / p.E, p.n);
      k = p.n - x;
    } else {
      k = Math.min(rate * p.L, p.n);
      x = p.n - k;
    }
    return { k, x, memory: rate, compute: rate * p.Z, hit: 0, stable: true };
  }

  function state(p, k, stable) {
    k = Math.min(Math.max(k, 0), p.n);
    const x = p.n - k;
    let memory = Math.min(supply(p, k), demand(p, x));
    if (k >= p.n || x <= 0) memory = supply(p, k);
    return { k, x, memory, compute: memory * p.Z, hit: cached(p) ? hitRate(p, k) : 0, stable };
  }

  function marks(p) {
    const rate = Math.min(p.n / (p.latency + p.Z / p.E), p.M / p.Z);
    const low = Math.min(rate * p.latency, p.n) * (1 - 1e-9);
    const high = Math.min(plain(p).k * (1 + 1e-9), p.n);
    if (low <= 0 || !(high > low)) return [0, p.n];
    const bends = [p.n - p.M / p.E, p.R * p.L].sort((a, b) => a - b);
    const ratio = Math.pow(high / low, 1 / pieces);
    const out = [];
    let next = 0;
    for (let i = 0, k = low; i <= pieces; i++) {
      if (i === pieces) k = high;
      for (; next < bends.length && bends[next] < k; next++) if (bends[next] > low) out.push(bends[next]);
      out.push(k);
      k *= ratio;
    }
    return out;
  }

  function least(p, a, b, sign) {
    const ratio = 0.6180339887498949;
    let c = b - ratio * (b - a), d = a + ratio * (b - a);
    let yc = sign * excess(p, c), yd = sign * excess(p, d);
    for (let i = 0; i < 80; i++) {
      if (i === 12 && Math.min(yc, yd) > 1e-3 * supply(p, (a + b) / 2)) break;
      if (yc < yd) {
        b = d; d = c; yd = yc;
        c = b - ratio * (b - a);
        yc = sign * excess(p, c);
      } else {
        a = c; c = d; yc = yd;
        d = a + ratio * (b - a);
        yd = sign * excess(p, d);
      }
      if (b - a <= 1e-13 * p.n) break;
    }
    return yc < yd ? [c, yc] : [d, yd];
  }

  function brent(p, a, ya, b, yb) {
    if (Math.abs(ya) < Math.abs(yb)) [a, ya, b, yb] = [b, yb, a, ya];
    let c = a, yc = ya, d = a, bisected = true;
    for (let i = 0; i < 100; i++) {
      if (yb === 0 || Math.abs(b - a) <= 1e-14 * Math.abs(b)) break;
      let s;
      if (ya !== yc && yb !== yc) {
        s = a * yb * yc / ((ya - yb) * (ya - yc)) + b * ya * yc / ((yb - ya) * (yb - yc)) + c * ya * yb / ((yc - ya) * (yc - yb));
      } else {
        s = b - yb * (b - a) / (yb - ya);
      }
      const middle = (3 * a + b) / 4;
      const last = bisected ? Math.abs(b - c) : Math.abs(c - d);
      if ((s - middle) * (s - b) >= 0 || Math.abs(s - b) >= last / 2 || last === 0) {
        s = (a + b) / 2;
        bisected = true;
      } else {
        bisected = false;
      }
      const ys = excess(p, s);
      d = c; c = b; yc = yb;
      if ((ya < 0) !== (ys < 0)) { b = s; yb = ys; } else { a = s; ya = ys; }
      if (Math.abs(ya) < Math.abs(yb)) [a, ya, b, yb] = [b, yb, a, ya];
    }
    return b;
  }

  function between(p, k0, y0, k1, y1, k2, y2) {
    if ((y0 >= 0) !== (y1 >= 0) || (y1 >= 0) !== (y2 >= 0) || Math.abs(y1) > Math.abs(y0) || Math.abs(y1) > Math.abs(y2)) return [];
    const sign = y1 < 0 ? -1 : 1;
    const [k, y] = least(p, k0, k2, sign);
    const level = 1e-12 * supply(p, k);
    if (y < -level) return [state(p, brent(p, k0, y0, k, sign * y), sign > 0), state(p, brent(p, k, sign * y, k2, y2), sign < 0)];
    if (y <= level) return [{ ...state(p, k, sign > 0), touches: true }];
    return [];
  }

  function states(p) {
    if (p.n <= 0) return [state(p, 0, true)];
    if (!cached(p)) return [plain(p)];
    const out = [], all = marks(p);
    let before = 0, yBefore = 0, here = 0, y = 0;
    all.forEach((k, i) => {
      const next = excess(p, k);
      if (i >= 2) out.push(...between(p, before, yBefore, here, y, k, next));
      if (i >= 1 && (y >= 0) !== (next >= 0)) out.push(state(p, brent(p, here, y, k, next), y >= 0));
      before = here; yBefore = y; here = k; y = next;
    });
    return out;
  }

  return { supply, demand, compute, states, hitRate };
})();
