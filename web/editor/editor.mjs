// The editor of the page: CodeMirror with what the page shows in a source. Nothing of foresee's answers is decided here: the page says where marks
// stand, and is told of changes and of what is pointed at.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [tags.typeName, tags.standard(tags.typeName)], color: "var(--code-type)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.number, tags.string, tags.character], color: "var(--code-number)" },
  { tag: [tags.processingInstruction, tags.meta, tags.macroName], color: "var(--code-directive)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--code-size)", color: "var(--ink)", backgroundColor: "transparent" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--select) !important" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line)" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--frame)", borderRadius: "6px", boxShadow: "0 4px 16px var(--shadow)", maxWidth: "min(430px, 92vw)" },
  ".cm-tooltip-lint": { fontFamily: "var(--sans)", fontSize: "13px" },
  ".cm-served": { borderRadius: "3px", paddingBottom: "1px", borderBottom: "2.5px solid transparent", cursor: "help" },
  ".cm-served-0": { borderBottomColor: "color-mix(in srgb, var(--level-0) 60%, transparent)" },
  ".cm-served-1": { borderBottomColor: "var(--level-1)", backgroundColor: "color-mix(in srgb, var(--level-1) 16%, transparent)" },
  ".cm-served-2": { borderBottomColor: "var(--level-2)", backgroundColor: "color-mix(in srgb, var(--level-2) 20%, transparent)" },
  ".cm-served-3": { borderBottomColor: "var(--level-3)", backgroundColor: "color-mix(in srgb, var(--level-3) 20%, transparent)" },
  ".cm-served-4": { borderBottomColor: "var(--level-4)", backgroundColor: "color-mix(in srgb, var(--level-4) 22%, transparent)" },
  ".cm-source-of": { outline: "2px dashed var(--link)", outlineOffset: "1px" },
  ".cm-time": { fontFamily: "var(--sans)", fontSize: "11.5px", color: "var(--muted)", marginLeft: "1.6em", padding: "1px 7px", borderRadius: "9px", whiteSpace: "nowrap", backgroundColor: "var(--chip)" },
  ".cm-time-hot": { color: "var(--ink)", fontWeight: "600", backgroundColor: "color-mix(in srgb, var(--level-2) 26%, transparent)" },
});

// TimeLabel stands behind the line of a loop.
class TimeLabel extends WidgetType {
  constructor(text, title, hot) {
    super();
    Object.assign(this, { text, title, hot });
  }
  eq(other) {
    return other.text === this.text && other.title === this.title && other.hot === this.hot;
  }
  toDOM() {
    const e = document.createElement("span");
    e.className = this.hot ? "cm-time cm-time-hot" : "cm-time";
    e.textContent = this.text;
    e.title = this.title;
    return e;
  }
  ignoreEvent() {
    return true;
  }
}

const setMarks = StateEffect.define();
const setSources = StateEffect.define();

const field = (effect) =>
  StateField.define({
    create: () => Decoration.none,
    update(marks, transaction) {
      for (const e of transaction.effects) if (e.is(effect)) return e.value;
      return marks.map(transaction.changes);
    },
    provide: (f) => EditorView.decorations.from(f),
  });
const marks = field(setMarks);
const sources = field(setSources);

// span is where a text stands in the document; null where the document has something else there, as after an edit.
function span(doc, line, column, text) {
  if (line < 1 || line > doc.lines) return null;
  const l = doc.line(line);
  const bytes = new TextEncoder().encode(l.text).slice(0, Math.max(column - 1, 0));
  const from = l.from + new TextDecoder().decode(bytes).length;
  const rest = doc.sliceString(from, Math.min(doc.length, from + 4 * text.length + 40));
  let at = 0;
  for (const c of text.replace(/\s/g, "")) {
    while (/\s/.test(rest[at] ?? "")) at++;
    if (rest[at] !== c) {
      const name = /^[A-Za-z_]\w*/.exec(rest);
      return name ? { from, to: from + name[0].length } : null;
    }
    at++;
  }
  return { from, to: from + at };
}

// createEditor puts an editor into an element. on.change(text, byUser), on.hover(mark) → element or null, on.leave().
export function createEditor(parent, { doc, label, on }) {
  let shown = []; // marks of accesses with their spans
  let quiet = false;
  const hover = hoverTooltip(
    (view, pos) => {
      const over = shown.filter((m) => m.from <= pos && pos <= m.to);
      if (!over.length) return null;
      const dom = on.hover(over.map((m) => m.of));
      return dom && { pos: over[0].from, end: over[0].to, above: true, create: () => ({ dom }) };
    },
    { hoverTime: 120 },
  );
  const state = (text) =>
    EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), history(), drawSelection(), bracketMatching(), indentOnInput(),
        indentUnit.of("    "), cpp(), syntaxHighlighting(colours), look, lintGutter(), marks, sources, hover,
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
        EditorView.updateListener.of((u) => {
          if (u.docChanged) shown = shown.map((m) => ({ ...m, from: u.changes.mapPos(m.from, 1), to: u.changes.mapPos(m.to, -1) })).filter((m) => m.from < m.to);
          if (u.docChanged && !quiet) on.change(u.state.doc.toString());
          if (u.selectionSet) on.caret?.(shown.filter((m) => m.from <= u.state.selection.main.head && u.state.selection.main.head <= m.to).map((m) => m.of));
        }),
      ],
    });
  const root = parent.attachShadow({ mode: "open" }); // whose styles the page's policy lets in
  const view = new EditorView({ state: state(doc), parent: root, root });

  return {
    view,
    text: () => view.state.doc.toString(),
    setText(text) {
      quiet = true;
      shown = [];
      view.setState(state(text));
      quiet = false;
    },
    // replaceLine changes one line, as the user might, so that it can be undone.
    replaceLine(number, text) {
      const l = view.state.doc.line(number);
      view.dispatch({ changes: { from: l.from, to: l.to, insert: text } });
    },
    // replaceAll changes the whole text, as the user might, by its lines that differ.
    replaceAll(text) {
      const old = view.state.doc.toString();
      let from = 0, same = 0;
      while (from < Math.min(old.length, text.length) && old[from] === text[from]) from++;
      while (same < Math.min(old.length, text.length) - from && old[old.length - 1 - same] === text[text.length - 1 - same]) same++;
      view.dispatch({ changes: { from, to: old.length - same, insert: text.slice(from, text.length - same) } });
    },
    // setMarks shows accesses, each { line, column, text, level, of }, and loops, each { line, text, title, hot }.
    setMarks(accesses, loops) {
      const doc = view.state.doc;
      shown = [];
      const all = [];
      for (const a of accesses) {
        const at = span(doc, a.line, a.column, a.text);
        if (at) shown.push({ ...at, level: a.level, of: a.of });
      }
      const worst = new Map(); // of accesses at one place, such as the read and the write of +=
      for (const m of shown) {
        const key = `${m.from} ${m.to}`;
        if (!worst.has(key) || worst.get(key).level < m.level) worst.set(key, m);
      }
      for (const m of worst.values()) all.push(Decoration.mark({ class: `cm-served cm-served-${m.level}` }).range(m.from, m.to));
      for (const l of loops) {
        if (l.line < 1 || l.line > doc.lines) continue;
        all.push(Decoration.widget({ widget: new TimeLabel(l.text, l.title, l.hot), side: 1 }).range(doc.line(l.line).to));
      }
      view.dispatch({ effects: setMarks.of(Decoration.set(all, true)) });
    },
    // setSources rings the accesses { line, column, text } that used a line before.
    setSources(list) {
      const all = [];
      for (const a of list) {
        const at = span(view.state.doc, a.line, a.column, a.text);
        if (at) all.push(Decoration.mark({ class: "cm-source-of" }).range(at.from, at.to));
      }
      view.dispatch({ effects: setSources.of(Decoration.set(all, true)) });
    },
    // setErrors underlines problems, each { line, column, message, severity }.
    setErrors(list) {
      const doc = view.state.doc;
      const all = list.map((p) => {
        const l = doc.line(Math.min(Math.max(p.line, 1), doc.lines));
        const from = Math.min(l.from + Math.max(p.column - 1, 0), l.to);
        const word = /^(\w+|\S)/.exec(doc.sliceString(from, l.to));
        return { from, to: Math.min(l.to, from + (word ? word[0].length : 1)), severity: p.severity ?? "error", message: p.message };
      });
      view.dispatch(setDiagnostics(view.state, all));
    },
    reveal(line) {
      if (line < 1 || line > view.state.doc.lines) return;
      const at = view.state.doc.line(line).from;
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
  };
}
