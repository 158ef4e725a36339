package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"foresee/web/page"

	"github.com/klauspost/compress/gzip"
)

// build compiles the engine, and packs it: hosts of files seldom do.
func build() ([]byte, error) {
	dir, err := os.MkdirTemp("", "foresee-site-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "foresee.wasm")
	compile := exec.Command("go", page.Build(path)...)
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

// What stands around the engine in its file, before and behind its bytes.
const (
	before = `foreseeEngine("`
	behind = "\");\n"
)

// said is the packed engine as a script whose one string holds it, a byte a character of windows-1252. A page that comes from a server reads the bytes;
// one that was opened as a file can load nothing else than scripts, pictures and styles.
func said(packed []byte) []byte {
	var b bytes.Buffer
	b.WriteString(before)
	for _, c := range packed {
		switch c {
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteString(behind)
	return b.Bytes()
}
