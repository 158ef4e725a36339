package browser_test

import (
	"encoding/json"
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
	if info, err := os.Stat(filepath.Join(site, "foresee.wasm.gz")); err != nil || info.Size() > mostSite {
		t.Errorf("%v: the engine has %d bytes", err, info.Size())
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
	got, want := p.result(), p.command(loop)
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
	memory := value[float64](p, `performance.memory?.totalJSHeapSize ?? 0`)
	t.Logf("first look %s ms, all %s ms, the page's own memory %.0f MB", value[string](p, `document.documentElement.dataset.first`), value[string](p, `document.documentElement.dataset.whole`), memory/1e6)
	time.Sleep(100 * time.Millisecond)
	for _, said := range tab.Said() {
		t.Errorf("the page said: %s", said)
	}
}
