// Command site writes the page as files for any static host: no server answers, the engine is WebAssembly in the reader's browser.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"foresee/web/page"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: site FOLDER")
		os.Exit(2)
	}
	size, err := write(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%s: %.2f MB, as browsers load it (gzipped)\n", os.Args[1], float64(size)/1e6)
}

// policy is what the page may load, as the server of foresee says it in a header. Browsers take WebAssembly for a kind of evaluation; the engine's worker is
// made of a text of the page's script. Of a page that was opened as a file they do not agree on what is its own, and file: says it.
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' file: 'wasm-unsafe-eval'; style-src 'self' file:; img-src 'self' file: data: blob:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'">`

// What index.html has and what of it the site has in its place.
var replaced = [][2]string{
	{`<meta charset="utf-8">`, `<meta charset="utf-8">` + "\n" + policy},
	{`<script type="module" src="app.js"></script>`, `<script defer src="page.js"></script>`},
}

// write writes all files, and gives their size with all packed.
func write(dir string) (size int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	put := func(name string, text []byte) error {
		packed, err := pack(text)
		if err != nil {
			return err
		}
		size += min(len(packed), len(text))
		return os.WriteFile(filepath.Join(dir, name), text, 0o644)
	}
	goroot, err := root()
	if err != nil {
		return 0, err
	}
	start, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return 0, err
	}
	static := page.Files()
	for _, name := range []string{"index.html", "style.css", "icon.svg", "NOTICE.txt"} {
		text, err := fs.ReadFile(static, name)
		if err != nil {
			return 0, err
		}
		for _, r := range replaced {
			if name == "index.html" && !bytes.Contains(text, []byte(r[0])) {
				return 0, fmt.Errorf("index.html has no %s", r[0])
			}
			text = bytes.Replace(text, []byte(r[0]), []byte(r[1]), 1)
		}
		if err := put(name, text); err != nil {
			return 0, err
		}
	}
	scripts := &bundle{files: static, added: map[string]string{"engine.js": page.WebEngine(string(start)), "xmodel.js": page.XModel()}}
	text, err := scripts.script("app.js")
	if err != nil {
		return 0, err
	}
	engine, err := build()
	if err != nil {
		return 0, err
	}
	err = errors.Join(put("page.js", []byte(text)), put("foresee.wasm.js", said(engine)))
	return size, err
}

// root is where Go is installed: its script that starts a program must be of the compiler that built it.
func root() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}
