// What is chosen on the page, and how it is kept: in the address, packed, and in a file.

// begin is what the page shows at first: a product of matrices whose loops are in an order that B suffers from.
export const begin = {
  name: "product.c",
  text: `// Change anything: it is predicted, not run.
#ifndef N
#define N 1000
#endif

double A[N][N], B[N][N], C[N][N];

void product(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];
}
`,
  defines: {},
  machine: "zen4",
  described: "", // a machine file that was dropped here, which takes the place of the machine
  levels: {}, // bytes by level, where they differ from the machine's
  threads: 8,
  compiled: false, // times are of the code of the compiler that the page was given
  region: "",
  example: "",
  before: { text: "", defines: {} }, // the version that was kept, to compare with
  file: null, // a signature, recording or trace that was dropped here, which takes the place of the source: { name, bytes, held, data }
};

const version = 1;

// whole takes only what a state has, of the right kind.
function whole(o) {
  const s = structuredClone(begin);
  for (const key of Object.keys(s)) if (key !== "file" && typeof o?.[key] === typeof s[key]) s[key] = o[key];
  const numbers = (from) => Object.fromEntries(Object.entries(from ?? {}).filter(([, v]) => Number.isSafeInteger(v)));
  s.levels = numbers(o?.levels);
  const macros = (from) => Object.fromEntries(Object.entries(from ?? {}).filter(([k, v]) => /^[A-Za-z_]\w*$/.test(k) && /^\S{0,40}$/.test(String(v))).map(([k, v]) => [k, String(v)]));
  s.defines = macros(o?.defines);
  s.before = { text: String(o?.before?.text ?? ""), defines: macros(o?.before?.defines) };
  s.threads = Math.min(Math.max(Math.round(s.threads) || 1, 1), 4096);
  return s;
}

async function through(bytes, transform) {
  const out = new Response(new Blob([bytes]).stream().pipeThrough(transform));
  return new Uint8Array(await out.arrayBuffer());
}

// longest is how many bytes a fragment may unpack to.
const longest = 2 << 20;

async function bounded(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let all = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).text();
    if ((all += value.length) > longest) throw new Error("too long");
    parts.push(value);
  }
}

// pack is a state as the fragment of an address.
export async function pack(state) {
  const packed = await through(new TextEncoder().encode(JSON.stringify({ v: version, ...state, file: null })), new CompressionStream("deflate-raw"));
  let text = "";
  for (const b of packed) text += String.fromCharCode(b);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// unpack is the state of a fragment; null where it holds none.
export async function unpack(fragment) {
  try {
    const bytes = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return whole(JSON.parse(await bounded(bytes)));
  } catch {
    return null;
  }
}

// toFile is a state as a file, fromFile the state of one.
export const toFile = (state) => JSON.stringify({ foresee: "page", v: version, ...state, file: null }, null, 2) + "\n";

export function fromFile(text) {
  try {
    const o = JSON.parse(text);
    return o?.foresee === "page" ? whole(o) : null;
  } catch {
    return null;
  }
}

// command is the line that gives the same result.
export function command(state, threads, compiler = "") {
  const quoted = (w) => (/^[\w@%+=:,./-]+$/.test(w) ? w : `'${w.replaceAll("'", "'\\''")}'`);
  const machine = state.described || Object.keys(state.levels).length ? "machine.yaml" : state.machine;
  const words = ["foresee", "predict", "--machine", machine, "--threads", threads.join(",")];
  if (!state.file) for (const [name, value] of Object.entries(state.defines)) words.push(`-D${name}=${value}`);
  if (state.compiled && !state.file) words.push("--cc", compiler);
  words.push("--format", "json", state.file?.name ?? state.name);
  return words.map(quoted).join(" ");
}
