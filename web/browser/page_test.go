package browser_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"foresee/web/browser"
)

const loop = `#ifndef N
#define N 500
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
`

// patience is how long one answer is waited for: a machine that does other things as well is slow.
const patience = 2 * time.Minute

// build makes the command.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "foresee")
	if out, err := exec.Command("go", "build", "-o", path, "foresee/cmd/foresee").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// serve starts the command on a folder, and gives its address. At the end a signal must end it cleanly.
func serve(t *testing.T, program, dir string, flags ...string) string {
	t.Helper()
	cmd := exec.Command(program, append([]string{"serve", "product.c"}, flags...)...)
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait()); err != nil {
			t.Errorf("foresee serve did not end cleanly: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func open(t *testing.T) *browser.Tab {
	t.Helper()
	tab, closeAll, err := browser.Open(context.Background())
	if errors.Is(err, browser.ErrNone) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(closeAll)
	return tab
}

// page is the page in a browser, with what asks it.
type page struct {
	*testing.T
	tab     *browser.Tab
	program string
	dir     string
}

func (p *page) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// value is what an expression comes to.
func value[T any](p *page, expression string) T {
	p.Helper()
	v, err := browser.Value[T](p.tab, expression)
	if err != nil {
		p.Fatalf("%s: %v; the page says %q", expression, err, p.tab.Said())
	}
	return v
}

// after does something and waits until the page has answered it to the end.
func (p *page) after(do func()) {
	p.Helper()
	before := value[string](p, `document.documentElement.dataset.done ?? "0"`)
	do()
	if err := p.tab.Wait(fmt.Sprintf(`(document.documentElement.dataset.done ?? "0") !== %q`, before), patience); err != nil {
		p.Fatalf("%v; problems: %s", err, value[string](p, `document.getElementById("problems").textContent`))
	}
}

// script runs a statement.
func (p *page) script(s string) { p.Helper(); value[int](p, s+"; 1") }

// write puts a text into the editor as if it were pasted over all that is there.
func (p *page) write(text string) {
	p.Helper()
	p.script(`{ const c = document.getElementById("editor").shadowRoot.querySelector(".cm-content"); c.focus() }`)
	p.must(replace(p.tab, text))
}

// result is the prediction as the page has it.
func (p *page) result() string {
	p.Helper()
	return value[string](p, `(() => { document.getElementById("tab-json").click(); const t = document.getElementById("json-text").textContent; document.getElementById("tab-overview").click(); return t })()`)
}

// command is what the line that the page shows prints.
func (p *page) command(text string) string {
	p.Helper()
	line := value[string](p, `(() => { document.getElementById("tab-json").click(); const t = document.querySelector("pre.command").textContent; document.getElementById("tab-overview").click(); return t })()`)
	p.must(os.WriteFile(filepath.Join(p.dir, "product.c"), []byte(text), 0o644))
	words := strings.Fields(line)
	cmd := exec.Command(p.program, words[1:]...)
	cmd.Dir = p.dir
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		p.Fatalf("%s: %v: %s\n%s", line, err, said.String(), text)
	}
	return string(out)
}

// TestPage opens the page that the command serves in Chromium and does what people do.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	tab := open(t)
	program, dir := build(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "product.c"), []byte(loop), 0o644); err != nil {
		t.Fatal(err)
	}
	address := serve(t, program, dir)
	p := &page{t, tab, program, dir}
	p.must(tab.Size(1280, 900, false))
	p.after0(func() { p.must(tab.Go(address)) })
	for _, tt := range []struct {
		name string
		f    func(p *page)
	}{
		{"command", theCommands},
		{"edit", edits},
		{"controls", controls},
		{"fast", fastEdits},
		{"errors", wrongSource},
		{"hostile", hostileSource},
		{"hover", hovers},
		{"link", func(p *page) { link(p, address) }},
		{"sizes", windows},
		{"axe", accessible},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.f(&page{t, tab, program, dir}) })
	}
	for _, said := range tab.Said() {
		t.Errorf("the page said: %s", said)
	}
}

// after0 is after for a page that is not there yet.
func (p *page) after0(do func()) {
	p.Helper()
	do()
	p.must(p.tab.Wait(`document.documentElement.dataset.done`, patience))
}

// theCommands compares the file that the page begins with.
func theCommands(p *page) {
	if got, want := p.result(), p.command(loop); got != want {
		p.Errorf("the page has\n%.400s\nthe command\n%.400s", got, want)
	}
}

// edits changes the source.
func edits(p *page) {
	text := strings.Replace(loop, "B[k][j]", "B[j][k]", 1)
	p.after(func() { p.write(text) })
	if got, want := p.result(), p.command(text); got != want {
		p.Errorf("after an edit the page has\n%.400s\nthe command\n%.400s", got, want)
	}
	p.after(func() { p.write(loop) })
}

// controls moves every slider and choice: each gives another answer, the one of the command.
func controls(p *page) {
	set := func(selector, v string) string {
		return fmt.Sprintf(`{ const e = document.querySelector(%q); e.value = %q; e.dispatchEvent(new Event(e.tagName === "SELECT" ? "change" : "input", { bubbles: true })) }`, selector, v)
	}
	for _, tt := range []struct {
		name, script string
		shows        string // in the result
		changes      bool   // the source: the command is not asked
	}{
		{"threads", set(`#team input[type=number]`, "4"), `"threads": 4`, false},
		{"slider of threads", set(`#team input[type=range]`, "1"), `"threads": 2`, false},
		{"size", set(`#sizes input[type=number]`, "300"), `"accesses": 108000000`, false},
		{"slider of a size", set(`#sizes input[type=range]`, "8"), `"accesses": 67108864`, false},
		{"schedule", set(`#schedule`, "dynamic"), `"threads": 2`, true},
		{"chunk", set(`#team .pair input`, "16"), `"threads": 2`, true},
		{"machine", set(`#machine-name`, "i7-5960x"), `"machine": "i7-5960x"`, true},
		{"a cache", set(`#level-L2`, "1"), `"machine": "i7-5960x-changed"`, true},
		{"caches as they are", `[...document.querySelectorAll("#machine button")].find((b) => b.textContent === "caches as they are").click()`, `"machine": "i7-5960x"`, true},
	} {
		p.after(func() { p.script(tt.script) })
		got := p.result()
		if !strings.Contains(got, tt.shows) {
			p.Errorf("%s: no %s in %.300s", tt.name, tt.shows, got)
		}
		if !tt.changes && got != p.command(loop) {
			p.Errorf("%s: the command has another result", tt.name)
		}
	}
	if text := value[string](p, `document.getElementById("editor").shadowRoot.querySelector(".cm-content").innerText`); !strings.Contains(text, "schedule(dynamic, 16)") {
		p.Errorf("the schedule is not in the source: %s", text)
	}
	for _, id := range []string{"where", "accesses", "xgraph", "json", "overview"} {
		p.script(fmt.Sprintf(`document.getElementById("tab-%s").click()`, id))
		p.must(p.tab.Wait(fmt.Sprintf(`document.getElementById("panel-%s").textContent.length > 80`, id), patience))
	}
}

// fastEdits makes ten edits at once: one answer is left, that of the last.
func fastEdits(p *page) {
	before := value[string](p, `document.documentElement.dataset.done`)
	for i := range 10 {
		p.write(strings.Replace(loop, "500", fmt.Sprint(200+i), 1))
	}
	p.must(p.tab.Wait(fmt.Sprintf(`document.documentElement.dataset.done !== %q && !document.documentElement.classList.contains("stale")`, before), patience))
	time.Sleep(500 * time.Millisecond) // for an answer that should not come
	var before1 int
	fmt.Sscan(before, &before1)
	var result struct {
		Predictions []struct{ Accesses int64 }
	}
	p.must(json.Unmarshal([]byte(p.result()), &result))
	if n := value[string](p, `document.documentElement.dataset.done`); n != fmt.Sprint(before1+1) {
		p.Errorf("%s answers after %s", n, before)
	}
	want := int64(4 * 256 * 256 * 256) // the slider's size stands in for the source's
	if got := result.Predictions[0].Accesses; got != want {
		p.Errorf("%d accesses, want %d", got, want)
	}
}

// wrongSource says what is wrong, where it is.
func wrongSource(p *page) {
	p.write(strings.Replace(loop, "C[i][j] +=", "C[i][j] =+ nothing *", 1))
	p.must(p.tab.Wait(`document.getElementById("problems").textContent.includes("line 11") && document.getElementById("editor").shadowRoot.querySelector(".cm-lintRange-error")`, patience))
	p.write("void f(int n, double *x)\n{\n    for (int i = 0; i < n; i++)\n        x[i] = 0;\n}\n")
	p.must(p.tab.Wait(`document.querySelector("#problems button")?.textContent === "set n = 1000"`, patience))
	p.after(func() { p.script(`document.querySelector("#problems button").click()`) })
	if got := p.result(); !strings.Contains(got, `"accesses": 1000,`) {
		p.Errorf("with n set: %.300s", got)
	}
	p.after(func() { p.write(loop) })
}

// hostileSource leaves the page alive.
func hostileSource(p *page) {
	for _, text := range []string{
		"#define A A A\n#define B(x) B(x) B(x)\nB(A)\n" + strings.Repeat("(", 20000),
		"<script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\">",
		"#include \"/etc/passwd\"\n#include \"../../../../etc/passwd\"\n" + loop,
	} {
		before := value[string](p, `document.documentElement.dataset.problems ?? "0"`)
		p.write(text)
		p.must(p.tab.Wait(fmt.Sprintf(`(document.documentElement.dataset.problems ?? "0") !== %q`, before), patience))
	}
	if title := value[string](p, `document.title`); strings.Contains(title, "taken") {
		p.Error("a source was taken for a script")
	}
	p.after(func() { p.write(loop) })
}

// hovers points at an access.
func hovers(p *page) {
	at := value[[]float64](p, `(() => { const r = [...document.getElementById("editor").shadowRoot.querySelectorAll(".cm-served")].find((e) => e.textContent.startsWith("B")).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`)
	p.must(point(p.tab, at[0]-40, at[1]))
	p.must(point(p.tab, at[0], at[1]))
	p.must(p.tab.Wait(`document.getElementById("editor").shadowRoot.querySelector(".cm-tooltip")?.textContent.includes("Who used the line last")`, patience))
	if text := value[string](p, `document.getElementById("editor").shadowRoot.querySelector(".cm-tooltip").textContent`); !strings.Contains(text, "B[k][j]") || !strings.Contains(text, "loop") {
		p.Errorf("the pointer is told %q", text)
	}
	if n := value[int](p, `document.getElementById("editor").shadowRoot.querySelectorAll(".cm-time").length`); n != 3 {
		p.Errorf("%d loops carry their time", n)
	}
	tooltip := `document.getElementById("editor").shadowRoot.querySelector(".cm-tooltip")`
	p.script(tooltip + `.querySelector("button[data-level=memory]").click()`)
	if text := value[string](p, tooltip+`.textContent`); !strings.Contains(text, "of what memory serves with one thread") || !strings.Contains(text, "the line is new") || strings.Contains(text, "no other line in between") {
		p.Errorf("of memory the pointer is told %q", text)
	}
	p.script(tooltip + `.querySelector("button[data-level=L1]").click()`)
	if text := value[string](p, tooltip+`.textContent`); !strings.Contains(text, "of what L1 serves with one thread") || strings.Contains(text, "the line is new") {
		p.Errorf("of L1 the pointer is told %q", text)
	}
	p.script(tooltip + `.querySelector("button[aria-pressed=true]").click()`)
}

// link opens the address that holds the state.
func link(p *page, address string) {
	p.after(func() { p.write(strings.Replace(loop, "void product", "void linked", 1)) })
	p.must(p.tab.Wait(`location.hash.length > 40`, patience))
	time.Sleep(600 * time.Millisecond) // the address follows a moment later
	hash := value[string](p, `location.hash`)
	p.must(p.tab.Go("about:blank"))
	p.after0(func() { p.must(p.tab.Go(address + hash)) })
	if got := p.result(); !strings.Contains(got, `"region": "linked"`) {
		p.Errorf("the address holds another state: %.300s", got)
	}
}

// windows looks at phones and walls: nothing is wider than the window.
func windows(p *page) {
	for _, s := range []struct {
		width, height int64
		phone         bool
	}{{360, 740, true}, {390, 844, true}, {768, 1024, true}, {1280, 800, false}, {3840, 2160, false}} {
		p.must(p.tab.Size(s.width, s.height, s.phone))
		time.Sleep(200 * time.Millisecond)
		if wide := value[int64](p, `document.documentElement.scrollWidth`); wide > s.width {
			p.Errorf("%d pixels in a window of %d", wide, s.width)
		}
	}
	p.must(p.tab.Size(1280, 900, false))
}

// accessible asks axe-core.
func accessible(p *page) {
	axe, err := os.ReadFile("../testdata/axe.min.js")
	p.must(err)
	p.script(string(axe))
	for _, dark := range []bool{false, true} {
		p.must(p.tab.Dark(dark))
		for _, id := range []string{"overview", "where", "accesses", "json"} {
			p.script(fmt.Sprintf(`document.getElementById("tab-%s").click()`, id))
			time.Sleep(300 * time.Millisecond)
			for _, f := range serious(p) {
				p.Errorf("dark %v, %s: %.700s", dark, id, f)
			}
		}
	}
}

// serious is what axe-core finds that is serious.
func serious(p *page) []string {
	p.Helper()
	return value[[]string](p, `axe.run().then((r) => r.violations.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ") + " " + n.failureSummary).join("; ")))`)
}
