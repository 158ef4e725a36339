// The page: what is chosen on the left, what is predicted of it on the right.
import { sentence } from "./answer.js";
import { client } from "./client.js";
import { machine, setPreset, sizes, team, withSchedule } from "./controls.js";
import { createEditor } from "./editor.js";
import { engine } from "./engine.js";
import { bytes, element } from "./format.js";
import { save } from "./plot.js";
import { shows } from "./results.js";
import { begin, fromFile, pack, toFile, unpack } from "./state.js";
import { Tabs } from "./tabs.js";
import { legend, paint, reusesOf, told } from "./where.js";
import { Work, request } from "./work.js";

const $ = (id) => document.getElementById(id);
const root = document.documentElement;

const page = {
  state: structuredClone(begin),
  answer: {}, // the last results: prediction, accesses, curves, source
  region: "",
  machine: null, // as the engine describes it, without changes
  choices: { machines: [], examples: [], calls: [] },
  folder: { files: [], open: "" },
  result: null, // of foresee scale or replay, that was dropped here
  reveal: (line) => editor.reveal(line),
  write: (text) => editor.replaceAll(text),
  keep() {
    page.state.before = { text: page.state.text, defines: page.state.defines };
    packed();
  },
  exchange() {
    const { text, defines } = page.state.before;
    page.keep();
    page.state.defines = { ...defines };
    if (text === page.state.text) changed();
    else editor.replaceAll(text);
  },
  forget() {
    page.state.before = structuredClone(begin.before);
    packed();
    page.draw();
  },
  takeRegion(name) {
    page.state.region = page.region = name;
    $("region").value = name;
    show();
  },
  takeMachine(name) {
    if (!page.choices.machines.includes(name)) return;
    Object.assign(page.state, { machine: name, described: "", levels: {} });
    machineChanged();
  },
  draw: () => tabs?.draw(),
};
let editor, tabs, waiting, packing, asking;

// changed takes a change of the state: everything follows, soon.
function changed(delay = 40) {
  clearTimeout(waiting);
  root.classList.add("stale");
  waiting = setTimeout(() => work.begin(structuredClone(page.state), page.machine?.cores ?? 0), delay);
  packed();
  knobs();
}

// packed puts the state into the address, soon.
function packed() {
  clearTimeout(packing);
  packing = setTimeout(async () => history.replaceState(null, "", `#${await pack(page.state)}`), 400);
}

const work = new Work({
  begin() {
    $("stop").disabled = false;
    $("progress").classList.remove("idle");
    $("progress").value = 0;
    $("stage").textContent = "first look";
  },
  progress: (p) => ($("progress").value = p),
  result(part, result, how) {
    if (part === "source") return sourceKnown(result);
    root.classList.remove("stale");
    page.answer[part] = result;
    page.answer.texts = { ...page.answer.texts, [part]: how };
    if (part === "prediction") {
      problems([]);
      chooseRegion(result);
      $("stage").textContent = how.whole ? "" : "first look; finer ones follow";
      if (!how.whole) root.dataset.first = Math.round(how.took);
    }
    if (part === "accesses") paint(editor, result, page.state.name), legend($("legend"), result.levels);
    show();
  },
  problem(problem) {
    problems(problem.problems);
    root.classList.add("stale");
    root.dataset.problems = String(Number(root.dataset.problems ?? 0) + 1);
  },
  end(took) {
    root.dataset.whole = Math.round(took);
    $("stage").textContent = "";
    root.dataset.done = String(Number(root.dataset.done ?? 0) + 1);
  },
  idle() {
    $("stop").disabled = true;
    $("progress").classList.add("idle");
  },
});

// show draws the answer.
function show() {
  if (!page.answer.prediction) return;
  $("sentence").replaceChildren(sentence(page.answer.prediction, page.region, page.state.threads));
  tabs.draw();
}

// chooseRegion keeps the region, or takes the one that takes longest.
function chooseRegion(prediction) {
  const mine = prediction.predictions.filter((p) => p.threads === page.state.threads);
  const names = mine.map((p) => p.region);
  const longest = mine.reduce((a, b) => ((b.time_s ?? b.accesses * 1e-12) > (a.time_s ?? a.accesses * 1e-12) ? b : a), mine[0]);
  page.region = names.includes(page.state.region) ? page.state.region : longest?.region ?? "";
  $("region-field").hidden = names.length < 2;
  $("region").replaceChildren(...names.map((n) => element("option", { value: n, textContent: n, selected: n === page.region })));
}

// sourceKnown shows the sizes of the source, and what of it was left out.
function sourceKnown(source) {
  page.answer.source = source;
  sizes($("sizes"), source, page.state, (size, value) => {
    if (size === null) page.state.defines = setPreset(page.state.defines, value);
    else if (size.free) page.state.defines = { ...page.state.defines, [size.name]: String(value) };
    else return defineInSource(size, value);
    changed();
  });
  if (source.regions.length) editor.setErrors(source.skipped.filter((p) => p.file === page.state.name).map((p) => ({ ...p, severity: "warning", message: `left out: ${p.message}${p.remedy ? "; " + p.remedy : ""}` })));
}

// defineInSource changes the line that defines a size.
function defineInSource(size, value) {
  const line = page.state.text.split("\n")[size.line - 1] ?? "";
  editor.replaceLine(size.line, line.replace(/^(\s*#\s*define\s+\w+\s+).*$/, `$1${value}`));
}

// problems shows what stands in the way, where it stands.
function problems(all) {
  const here = all.filter((p) => p.line > 0 && (p.file === page.state.name || !p.file));
  editor.setErrors(here.map((p) => ({ ...p, message: p.remedy ? `${p.message}; ${p.remedy}` : p.message })));
  const list = all.slice(0, 12).map((p) => {
    const item = element("li", {}, element("b", { textContent: p.line ? `line ${p.line}: ` : "" }), p.message, p.remedy ? `; ${p.remedy}` : "");
    if (p.define) {
      const [name, value] = p.define.split("=");
      if (!(name in page.state.defines)) item.append(element("button", { type: "button", textContent: `set ${name} = ${value}`, on: { click: () => ((page.state.defines[name] = value), changed(0)) } }));
    }
    return item;
  });
  $("problems").replaceChildren(...(list.length ? [element("ul", {}, ...list)] : []));
}

// knobs shows the choices beside the source.
function knobs() {
  team($("team"), page.machine, page.state, page.choices.compiler, {
    compiled(yes) {
      page.state.compiled = yes;
      changed();
    },
    threads(n) {
      page.state.threads = n;
      changed();
    },
    schedule: (s) => editor.replaceAll(withSchedule(page.state.text, s)),
  });
  machine($("machine"), page.choices.machines, page.machine, page.state, {
    machine(name) {
      if (name.startsWith("(")) return;
      Object.assign(page.state, { machine: name, described: "", levels: {} });
      machineChanged();
    },
    level(level, bytes) {
      if (bytes === null) delete page.state.levels[level];
      else page.state.levels[level] = bytes;
      changed();
    },
    reset() {
      page.state.levels = {};
      changed();
    },
    async save() {
      const text = await client.ask(request(page.state, "machine"));
      save("machine.yaml", new Blob([JSON.parse(text).file], { type: "application/yaml" }));
    },
  });
}

// machineChanged asks what the machine is, then predicts.
async function machineChanged() {
  asking?.abort();
  const mine = (asking = new AbortController());
  try {
    const known = JSON.parse(await client.ask({ ...request(page.state, "machine"), levels: [] }, { signal: mine.signal }));
    if (mine.signal.aborted) return;
    page.machine = known;
    if (known.cores > 0) page.state.threads = Math.min(page.state.threads, Math.max(known.cores, 1));
  } catch (e) {
    if (e.stopped) return;
    page.machine = null;
    problems(e.problems ?? [{ message: String(e) }]);
  }
  $("machine").dataset.key = $("team").dataset.key = "";
  changed(0);
}

// take shows another state.
async function take(state) {
  state.compiled &&= Boolean(page.choices.compiler);
  page.state = state;
  page.answer = {};
  editor.setText(state.text);
  const file = state.file;
  $("name").textContent = file ? "" : state.name;
  $("editor").hidden = Boolean(file);
  $("sizes").hidden = true;
  $("legend").replaceChildren();
  $("caret").replaceChildren();
  $("given").replaceChildren(...(file ? [element("p", {}, element("strong", { textContent: file.name }), `, ${bytes(file.bytes)}: `, file.loops ? "a signature, whose loops are analysed again." : "what a run did, as it was recorded.", " There is no source to change."), element("button", { type: "button", textContent: "back to the source", on: { click: () => take({ ...page.state, file: null }) } })] : []));
  $("sizes").dataset.key = $("team").dataset.key = "";
  chosenExample();
  await machineChanged();
}

// ring marks who used the lines of accesses last; tell says it.
function ring(references) {
  const levels = page.answer.accesses?.levels ?? [];
  editor.setSources(references.flatMap((r) => reusesOf(r, levels).slice(0, 2).map(([u]) => u)));
}

function tell(references) {
  const a = page.answer.accesses;
  return a ? told(references, a.levels, a.line_bytes, () => ring(references)) : null;
}

// sources fills the list of what can be opened.
function sources() {
  const group = (label, names, kind) => (names.length ? element("optgroup", { label }, ...names.map((n) => element("option", { value: `${kind}:${n}`, textContent: n }))) : null);
  $("example").replaceChildren(...[element("option", { value: "begin:", textContent: "product of matrices" }), group("folder", page.folder.files, "file"), group("kernels", page.choices.examples, "kernel"), element("option", { value: "own:", textContent: "your own", hidden: true })].filter(Boolean));
  chosenExample();
}

function chosenExample() {
  const want = page.state.example || (page.state.name === begin.name && page.state.text === begin.text ? "begin:" : "own:");
  $("example").value = [...$("example").options].some((o) => o.value === want) ? want : "own:";
}

async function openSource(value) {
  const [kind, ...rest] = value.split(":");
  const name = rest.join(":");
  const keep = { machine: page.state.machine, described: page.state.described, levels: page.state.levels, threads: page.state.threads };
  if (kind === "begin") return take({ ...structuredClone(begin), ...keep });
  const text = kind === "file" ? await client.read(name) : JSON.parse(await client.ask({ call: "example", name })).text;
  return take({ ...structuredClone(begin), ...keep, name: kind === "file" ? name : `${name}.c`, text, example: value });
}

// taken takes a file that was dropped or opened.
async function taken(file) {
  if (!file) return;
  if (file.size > 32 << 20) return problems([{ message: `${file.name} has ${bytes(file.size)}; this page takes 32 MiB, the command more` }]);
  const text = /\.(c|h|json|ya?ml)$/i.test(file.name) ? await file.text() : null;
  if (text === null || /"foresee\.signature\//.test(text.slice(0, 512))) return data(file, text !== null);
  if (/\.ya?ml$/i.test(file.name)) {
    Object.assign(page.state, { described: text, levels: {} });
    return machineChanged();
  }
  const result = /\.json$/i.test(file.name) ? parsed(text) : null;
  if (shows(result)) {
    page.result = result;
    problems([]);
    return tabs.open("result");
  }
  const state = /\.json$/i.test(file.name) ? fromFile(text) : { ...page.state, name: file.name, text, defines: {}, region: "", example: "" };
  return state ? take(state) : problems([{ message: `${file.name} holds no state of this page, no signature and no result of foresee scale or replay` }]);
}

// data takes a signature, a recording or a trace.
async function data(file, loops) {
  try {
    const kept = await client.hold(file);
    await take({ ...page.state, region: "", file: { name: file.name, bytes: file.size, loops, ...kept } });
    tabs.open(loops ? "overview" : "regions");
  } catch (e) {
    problems(e.problems ?? [{ message: String(e.message ?? e) }]);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function listen() {
  $("example").addEventListener("change", (e) => openSource(e.target.value).catch((p) => problems(p.problems ?? [{ message: String(p) }])));
  $("region").addEventListener("change", (e) => {
    page.state.region = page.region = e.target.value;
    show();
  });
  $("stop").addEventListener("click", () => {
    work.stop();
    $("stage").textContent = "stopped";
  });
  $("share").addEventListener("click", async () => {
    const fragment = await pack(page.state);
    history.replaceState(null, "", `#${fragment}`);
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    $("share").textContent = "copied";
    setTimeout(() => ($("share").textContent = "copy link"), 1500);
  });
  $("save").addEventListener("click", () => save(`${page.state.name.replace(/.*\//, "").replace(/\.c$/, "")}.foresee.json`, new Blob([toFile(page.state)], { type: "application/json" })));
  $("load").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", (e) => taken(e.target.files[0]));
  addEventListener("dragover", (e) => (e.preventDefault(), root.classList.add("dropping")));
  addEventListener("dragleave", () => root.classList.remove("dropping"));
  addEventListener("drop", (e) => {
    e.preventDefault();
    root.classList.remove("dropping");
    taken(e.dataTransfer.files[0]);
  });
  addEventListener("hashchange", async () => {
    const state = await unpack(location.hash.slice(1));
    if (state && JSON.stringify(state) !== JSON.stringify({ ...page.state, file: null })) take(state);
  });
}

async function start() {
  const state = location.hash.length > 1 ? await unpack(location.hash.slice(1)) : null;
  editor = createEditor($("editor"), {
    doc: state?.text ?? begin.text, label: "source in C",
    on: {
      change(text) {
        page.state.text = text;
        page.state.example = "";
        chosenExample();
        changed(60);
      },
      hover(references) {
        ring(references);
        return tell(references);
      },
      caret(references) {
        $("caret").replaceChildren(...[references.length ? tell(references) : null].filter(Boolean));
        ring(references);
      },
    },
  });
  listen();
  page.folder = await client.folder();
  page.choices = JSON.parse(await client.ask({ call: "choices" }));
  tabs = new Tabs($("tabs"), $("panels"), page.choices.calls, page);
  $("about").textContent = `foresee ${page.choices.version}; ${engine === "native" ? "answered by the program that serves this page" : "answered in this browser by WebAssembly: nothing leaves it"}. Predicted, not measured.`;
  sources();
  if (!state && page.folder.open) return openSource(`file:${page.folder.open}`);
  await take(state ?? structuredClone(begin));
}

start().catch((e) => {
  $("sentence").textContent = `The page cannot begin: ${e.message ?? e}`;
});
