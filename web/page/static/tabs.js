// The views of an answer. One that needs a call of the engine is there where the engine offers it.
import { overview, warnings } from "./answer.js";
import { element } from "./format.js";
import { save } from "./plot.js";
import { command } from "./state.js";
import { byAccess, byArray, byLoop } from "./where.js";
import { client } from "./client.js";
import { advice, ranking, regions, versions } from "./changes.js";
import { resultView } from "./results.js";
import { request } from "./work.js";
import { xgraph } from "./xgraph.js";

const regionOf = (answer, region) => answer.accesses?.regions.find((r) => r.region === region);

// views are the tabs in their order: needs is a call of the engine; of(answer, page) gives the elements.
const views = [
  {
    id: "overview", title: "Overview", needs: "predict",
    of: (a, page) => a.prediction && [overview(a.prediction, a.curves, page.region, page.state.threads), warnings(a.prediction, page.region, page.state.threads)],
  },
  {
    id: "where", title: "Loops and arrays", needs: "accesses",
    of(a, page) {
      const region = regionOf(a, page.region);
      return region && [element("div", { className: "grid" }, ...[byLoop(region, page.reveal), byArray(region, a.accesses.levels)].filter(Boolean))];
    },
  },
  {
    id: "accesses", title: "Accesses", needs: "accesses",
    of(a, page) {
      const region = regionOf(a, page.region);
      return region && [byAccess(region, a.accesses.levels, a.accesses.line_bytes, page.reveal)];
    },
  },
  { id: "regions", title: "Regions", needs: "predict", of: (a, page) => a.prediction?.predictions.length && regions(a.prediction, page) },
  { id: "advise", title: "What to change", needs: "advise", of: (a, page) => a.prediction && advice.elements(page) },
  { id: "versions", title: "Versions", needs: "compare", of: (a, page) => (page.state.file ? [element("p", { textContent: "Versions are of sources." })] : versions(page)) },
  { id: "rank", title: "Machines", needs: "rank", of: (a, page) => a.prediction && ranking.elements(page) },
  { id: "xgraph", title: "X-graph", needs: "xsliders", of: (a, page) => a.prediction && xgraph.elements(page) },
  { id: "result", title: "At scale", needs: "predict", when: (page) => page.result !== null, of: (a, page) => page.result && resultView(page.result) },
  { id: "json", title: "JSON", needs: "predict", of: (a, page) => json(a, page) },
];

// json is the result as the command prints it, with the line that prints it.
function json(answer, page) {
  if (!answer.texts?.prediction) return null;
  const { text, threads, whole } = answer.texts.prediction;
  return [
    element("p", { textContent: whole ? "The same, to the byte, from the command:" : "A first look with few samples; the whole, which the command prints as well, follows:" }),
    element("pre", { className: "command", textContent: command(page.state, threads, page.choices.compiler), tabIndex: 0 }),
    element("div", { className: "presets" },
      element("button", { type: "button", textContent: "save JSON", on: { click: () => save("prediction.json", new Blob([text], { type: "application/json" })) } }),
      page.choices.calls.includes("report") ? element("button", { type: "button", textContent: "report as HTML", on: { click: (e) => report(e.target, page, threads) } }) : null,
      element("button", { type: "button", textContent: "copy JSON", on: { click: () => navigator.clipboard?.writeText(text) } })),
    element("pre", { id: "json-text", textContent: text, tabIndex: 0, "aria-label": "result as JSON" }),
  ];
}

// report saves the report that foresee predict --html writes.
async function report(button, page, threads) {
  button.disabled = true;
  try {
    const text = await client.ask(request(page.state, "report", { threads, command: command(page.state, threads, page.choices.compiler).replace("--format json", "--html report.html") }));
    save("report.html", new Blob([JSON.parse(text).html], { type: "text/html" }));
  } catch (e) {
    button.textContent = e.message;
  }
  button.disabled = false;
}

// Tabs shows one view at a time.
export class Tabs {
  constructor(list, panels, calls, page) {
    Object.assign(this, { list, panels, page, views: views.filter((v) => calls.includes(v.needs)) });
    this.now = "overview";
    for (const v of this.views) {
      v.tab = element("button", { type: "button", role: "tab", id: `tab-${v.id}`, textContent: v.title, "aria-controls": `panel-${v.id}`, on: { click: () => this.open(v.id) } });
      v.panel = element("div", { className: "panel", role: "tabpanel", id: `panel-${v.id}`, "aria-labelledby": `tab-${v.id}`, tabIndex: -1 });
      list.append(v.tab);
      panels.append(v.panel);
    }
    list.addEventListener("keydown", (e) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!step) return;
      const open = this.views.filter((v) => !v.tab.hidden);
      this.open(open[(open.findIndex((v) => v.id === this.now) + step + open.length) % open.length].id);
      list.querySelector("[aria-selected=true]").focus();
      e.preventDefault();
    });
    this.open(this.now);
  }

  open(id) {
    this.now = id;
    for (const v of this.views) {
      v.tab.setAttribute("aria-selected", String(v.id === id));
      v.tab.tabIndex = v.id === id ? 0 : -1;
      v.panel.hidden = v.id !== id;
      if (v.id === id) this.#reveal(v.tab);
    }
    this.draw();
  }

  // reveal scrolls the list, on narrow windows, to a tab.
  #reveal(tab) {
    const all = this.list.getBoundingClientRect(), one = tab.getBoundingClientRect();
    if (one.left < all.left || one.right > all.right) this.list.scrollLeft += one.left - all.left - 40;
  }

  // draw shows what is known in the view that is open.
  draw() {
    for (const one of this.views) one.tab.hidden = one.when ? !one.when(this.page) : false;
    const v = this.views.find((x) => x.id === this.now);
    const within = v.panel.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent : null;
    const parts = v.of(this.page.answer, this.page);
    if (!parts) return;
    const all = parts.filter(Boolean);
    if (all.length === v.panel.children.length && all.every((e, i) => e === v.panel.children[i])) return; // nobody's slider is taken away
    v.panel.replaceChildren(...all);
    if (within) [...v.panel.querySelectorAll("button, [tabindex]")].find((e) => (e.getAttribute("aria-label") ?? e.textContent) === within)?.focus({ preventScroll: true });
  }
}
