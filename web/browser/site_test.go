package browser_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// mostSite is the size of the site, in bytes, as browsers load it.
const mostSite = 5_000_000

// TestSite opens the static site, where WebAssembly answers: its numbers are those of the command, and it goes on without a network once it is loaded.
func TestSite(t *testing.T) {
	if testing.Short() {
		t.Skip("builds WebAssembly")
	}
	tab := open(t)
	program, dir, site := build(t), t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "run", "foresee/scripts/site", site).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if size := packed(t, site); size > mostSite {
		t.Errorf("the site has %d bytes", size)
	}
	host := httptest.NewServer(http.FileServer(http.Dir(site)))
	p := &page{t, tab, program, dir}
	p.must(tab.Size(1280, 900, false))
	p.must(tab.Go(host.URL))
	p.must(tab.Wait(`document.documentElement.dataset.done`, 4*patience))
	host.CloseClientConnections()
	host.Close() // from now on there is no network
	p.after(func() { p.write(loop) })
	p.after(func() {
		p.script(`{ const e = document.querySelector("#sizes input[type=number]"); e.value = 300; e.dispatchEvent(new Event("input")) }`)
	})
	p.alike(p.result(), p.command(loop))
	memory := value[float64](p, `performance.memory?.totalJSHeapSize ?? 0`)
	t.Logf("first look %s ms, all %s ms, the page's own memory %.0f MB", value[string](p, `document.documentElement.dataset.first`), value[string](p, `document.documentElement.dataset.whole`), memory/1e6)
	p.must(tab.Go("file://" + filepath.ToSlash(filepath.Join(site, "index.html")))) // without any host
	p.must(tab.Wait(`document.documentElement.dataset.done`, 4*patience))
	p.after(func() { p.write(loop) })
	p.alike(p.result(), p.command(loop))
	time.Sleep(100 * time.Millisecond)
	for _, said := range tab.Said() {
		t.Errorf("the page said: %s", said)
	}
}

// packed is the size of all files of a folder, gzipped.
func packed(t *testing.T, dir string) (size int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, failed := w.Write(text)
		closed := w.Close()
		size += min(b.Len(), len(text))
		return errors.Join(err, failed, closed)
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// alike holds a result of WebAssembly to the command's: exponentials and logarithms round in their own ways there.
func (p *page) alike(got, want string) {
	t := p.T
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(got), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`-?\d+(\.\d+)?([eE][-+]?\d+)?`)
	if x, y := text.ReplaceAllString(got, "#"), text.ReplaceAllString(want, "#"); x != y {
		t.Errorf("the site has\n%.600s\nthe command\n%.600s", got, want)
	}
	x, y := text.FindAllString(got, -1), text.FindAllString(want, -1)
	for i := range min(len(x), len(y)) {
		var v, w float64
		if json.Unmarshal([]byte(x[i]), &v) != nil || json.Unmarshal([]byte(y[i]), &w) != nil {
			continue
		}
		if math.Abs(v-w) > 1e-9*max(math.Abs(v), math.Abs(w), 1e-3) {
			t.Errorf("%s, the command has %s", x[i], y[i])
		}
	}
}
