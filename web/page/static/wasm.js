// The engine as a module of WebAssembly, which a file of the page holds packed: a script of one string, a byte a character of windows-1252.

const name = "foresee.wasm.js";

// special are the characters of windows-1252 that have another number than their byte.
const special = new Map([..."\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178"].map((c, i) => [c.charCodeAt(0), 0x80 + i]));

// fromScript loads the file as a script, which a page can that was opened as a file.
function fromScript() {
  return new Promise((resolve, reject) => {
    window.foreseeEngine = (text) => {
      const bytes = new Uint8Array(text.length);
      for (let i = 0; i < text.length; i++) {
        const c = text.charCodeAt(i);
        bytes[i] = c < 0x100 ? c : special.get(c);
      }
      resolve(new Blob([bytes]).stream());
    };
    const script = document.createElement("script");
    script.charset = "windows-1252";
    script.onerror = () => reject(new Error(`${name} is not beside this page, or the browser does not load it`));
    script.src = name;
    document.head.append(script);
  });
}

// within takes the bytes of the string out of the script that it stands in.
function within() {
  const quote = 34, escape = 92;
  let state = "before", escaped = false;
  return new TransformStream({
    transform(chunk, to) {
      const out = new Uint8Array(chunk.length);
      let n = 0;
      for (const c of chunk) {
        if (state === "before") state = c === quote ? "in" : state;
        else if (state === "behind") continue;
        else if (escaped) {
          out[n++] = c === 110 ? 10 : c === 114 ? 13 : c;
          escaped = false;
        } else if (c === escape) escaped = true;
        else if (c === quote) state = "behind";
        else out[n++] = c;
      }
      to.enqueue(out.subarray(0, n));
    },
  });
}

async function fromServer() {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return response.body.pipeThrough(within());
}

// load gives the module.
export async function load() {
  const packed = await (location.protocol === "file:" ? fromScript() : fromServer());
  const body = packed.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(body, { headers: { "Content-Type": "application/wasm" } }));
}
