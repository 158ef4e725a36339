// Command site writes the page as files for any static host: no server answers, the engine is WebAssembly in the reader's browser.
package main

import (
	"bytes"
	"compress/gzip"
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

// policy is what the page may load, as the server of foresee says it in a header. Browsers take WebAssembly for a kind of evaluation.
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'">`

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
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, text, 0o644)
	}
	err = fs.WalkDir(page.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(page.Files(), name)
		if err != nil {
			return err
		}
		if name == "index.html" {
			text = bytes.Replace(text, []byte("<meta charset=\"utf-8\">"), []byte("<meta charset=\"utf-8\">\n"+policy), 1)
		}
		return put(name, text)
	})
	if err != nil {
		return 0, err
	}
	goroot, err := root()
	if err != nil {
		return 0, err
	}
	start, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return 0, err
	}
	engine, err := build()
	if err != nil {
		return 0, err
	}
	err = errors.Join(put("engine.js", []byte(page.WebEngine)), put("xmodel.js", []byte(page.XModel())), put("wasm_exec.js", start), put("foresee.wasm.gz", engine))
	return size, err
}

// root is where Go is installed: its script that starts a program must be of the compiler that built it.
func root() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}

// build compiles the engine, and packs it: hosts of files seldom do.
func build() ([]byte, error) {
	dir, err := os.MkdirTemp("", "foresee-site-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "foresee.wasm")
	compile := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "foresee/web/wasm")
	compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := compile.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return pack(text)
}

func pack(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
