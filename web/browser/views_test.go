package browser_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestViews opens the views that ask for more than a prediction: what to change, versions, machines, the X-graph's sliders, recordings and results.
func TestViews(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	tab := open(t)
	program, dir := build(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "product.c"), []byte(loop), 0o644); err != nil {
		t.Fatal(err)
	}
	flags := []string{"--longest", "2m"} // this machine may do other things as well
	if _, err := exec.LookPath("gcc"); err == nil {
		flags = append(flags, "--cc", "gcc -O1")
	}
	address := serve(t, program, dir, flags...)
	p := &page{t, tab, program, dir}
	p.must(tab.Size(1280, 900, false))
	p.after0(func() { p.must(tab.Go(address)) })
	for _, tt := range []struct {
		name string
		f    func(p *page)
	}{
		{"advise", advised},
		{"rank", ranked},
		{"xgraph", balanced},
		{"recording", recorded},
		{"scale", scaled},
		{"compiler", compiled},
		{"axe", accessibleViews},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.f(&page{t, tab, program, dir}) })
	}
	for _, said := range tab.Said() {
		t.Errorf("the page said: %s", said)
	}
}

// ask is what the server answers to a request, whose fields are a script's, beside the source.
func (p *page) ask(fields string) string {
	p.Helper()
	return value[string](p, `fetch("api/ask", {method: "POST", headers: {"Content-Type": "application/json", Accept: "application/json"}, body: JSON.stringify({name: "product.c", machine: "zen4", `+fields+`})}).then((r) => r.text())`)
}

// run is what the command prints.
func (p *page) run(words ...string) string {
	p.Helper()
	cmd := exec.Command(p.program, words...)
	cmd.Dir = p.dir
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		p.Fatalf("%v: %v: %s", words, err, said.String())
	}
	return string(out)
}

// look opens a view.
func (p *page) look(id string) {
	p.Helper()
	p.script(`document.getElementById("tab-` + id + `").click()`)
}

// wait waits until an expression is true.
func (p *page) wait(expression string) {
	p.Helper()
	if err := p.tab.Wait(expression, patience); err != nil {
		p.Fatalf("%v; the panel has %.600s", err, value[string](p, `document.querySelector(".panel:not([hidden])").innerText`))
	}
}

// fits says that nothing of the open view is wider than its panel, but what scrolls.
func (p *page) fits() {
	p.Helper()
	for _, width := range []int64{1280, 390} {
		p.must(p.tab.Size(width, 900, width < 500))
		if wide := value[[]string](p, `[...document.querySelectorAll(".panel:not([hidden]) *")].filter((e) => !e.closest(".scroll, pre, svg") && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + " " + e.className + " " + e.textContent.slice(0, 40))`); len(wide) > 0 {
			p.Errorf("at %d pixels stick out: %.300q", width, wide)
		}
	}
	p.must(p.tab.Size(1280, 900, false))
}

// advised takes the first change of the list, and compares with what was before.
func advised(p *page) {
	quoted := fmt.Sprintf("%q", loop)
	if got, want := p.ask(`call: "advise", threads: [8], text: `+quoted), p.run("advise", "--machine", "zen4", "--threads", "1,8", "--format", "json", "product.c"); got != want {
		p.Errorf("advice on the page is\n%.600s\nof the command\n%.600s", got, want)
	}
	p.look("advise")
	p.wait(`document.querySelectorAll("#panel-advise .change").length > 0`)
	p.script(`[...document.querySelectorAll("#panel-advise button")].find((b) => b.textContent === "show patch").click()`)
	if n := value[int](p, `document.querySelectorAll("#panel-advise .patch .patch-in").length`); n == 0 {
		p.Error("the patch has no line that is added")
	}
	p.fits()
	p.after(func() {
		p.script(`[...document.querySelectorAll("#panel-advise button")].find((b) => b.textContent === "apply").click()`)
	})
	text := value[string](p, `[...document.getElementById("editor").shadowRoot.querySelectorAll(".cm-line")].map((l) => l.cloneNode(true)).map((l) => (l.querySelectorAll(".cm-time").forEach((t) => t.remove()), l.textContent)).join("\n")`)
	if text == loop {
		p.Fatal("the change is not in the source")
	}
	if got, want := p.result(), p.command(text); got != want {
		p.Errorf("with the change the page has\n%.400s\nthe command\n%.400s", got, want)
	}
	p.must(os.WriteFile(filepath.Join(p.dir, "kept-product.c"), []byte(loop), 0o644))
	before := fmt.Sprintf(`call: "compare", threads: [8], text: %q, before: {name: "kept-product.c", text: %s, defines: []}`, text, quoted)
	if got, want := p.ask(before), p.run("compare", "--machine", "zen4", "--threads", "1,8", "--format", "json", "kept-product.c", "product.c"); got != want {
		p.Errorf("versions on the page are\n%.600s\nof the command\n%.600s", got, want)
	}
	p.look("versions")
	p.wait(`/as fast/.test(document.querySelector("#panel-versions .sentence")?.textContent)`)
	p.wait(`document.querySelector("#panel-versions .patch-out") && document.querySelector("#panel-versions .patch-in")`)
	p.fits()
	p.after(func() {
		p.script(`[...document.querySelectorAll("#panel-versions button")].find((b) => b.textContent === "exchange them").click()`)
	})
	if got, want := p.result(), p.command(loop); got != want {
		p.Errorf("exchanged, the page has\n%.400s\nthe command\n%.400s", got, want)
	}
	p.look("versions")
	p.script(`[...document.querySelectorAll("#panel-versions button")].find((b) => b.textContent === "forget the kept one").click()`)
	p.wait(`document.querySelector("#panel-versions").textContent.includes("Keep the source")`)
}

// ranked looks at the machines, and takes one.
func ranked(p *page) {
	p.look("rank")
	p.wait(`document.querySelectorAll("#panel-rank tbody tr").length > 10`)
	p.fits()
	if names := value[[]string](p, `[...document.querySelectorAll("#panel-rank tbody th button")].map((b) => b.textContent)`); !strings.Contains(strings.Join(names, " "), "zen4") {
		p.Errorf("machines %q", names)
	}
	p.after(func() {
		p.script(`[...document.querySelectorAll("#panel-rank tbody th button")].find((b) => b.textContent === "i7-5960x").click()`)
	})
	if got := p.result(); !strings.Contains(got, `"machine": "i7-5960x"`) {
		p.Errorf("the machine was not taken: %.300s", got)
	}
}

// balanced moves a slider of the X-graph: the picture follows, and the slider stays.
func balanced(p *page) {
	p.look("xgraph")
	p.wait(`document.querySelector("#panel-xgraph svg path.curve") && document.documentElement.dataset.xsliders`)
	if n := value[int](p, `document.querySelectorAll("#panel-xgraph input[type=range]").length`); n < 6 {
		p.Errorf("%d sliders", n)
	}
	p.fits()
	before := value[string](p, `document.querySelector("#panel-xgraph .sentence").textContent`)
	p.script(`{ const e = document.getElementById("x-n"); e.focus(); e.value = 300; e.dispatchEvent(new Event("input")) }`)
	if after := value[string](p, `document.querySelector("#panel-xgraph .sentence").textContent`); after == before || !strings.Contains(after, "as much computing as now") {
		p.Errorf("after the slider: %q", after)
	}
	if n := value[int](p, `document.querySelectorAll("#panel-xgraph svg path.ideal").length`); n != 2 {
		p.Errorf("%d curves of what is", n)
	}
	if at := value[string](p, `document.activeElement.id`); at != "x-n" {
		p.Errorf("the focus is at %q", at)
	}
}

// drop drops a file onto the page.
func (p *page) drop(name string, content []byte) {
	p.Helper()
	p.script(fmt.Sprintf(`{ const d = new DataTransfer(); d.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q)); dispatchEvent(new DragEvent("drop", {dataTransfer: d, cancelable: true})) }`, base64.StdEncoding.EncodeToString(content), name))
}

// recorded drops what a run recorded: its result is the command's.
func recorded(p *page) {
	content, err := os.ReadFile("../../cmd/foresee/testdata/golden/inputs/schedules.rec")
	p.must(err)
	p.must(os.WriteFile(filepath.Join(p.dir, "schedules.rec"), content, 0o644))
	p.after(func() { p.drop("schedules.rec", content) })
	line := value[string](p, `(() => { document.getElementById("tab-json").click(); return document.querySelector("pre.command").textContent })()`)
	if got, want := p.result(), p.run(strings.Fields(line)[1:]...); got != want {
		p.Errorf("%s: the page has\n%.600s\nthe command\n%.600s", line, got, want)
	}
	p.look("regions")
	p.wait(`document.querySelectorAll("#panel-regions tbody tr").length > 0`)
	p.fits()
	for _, wrong := range []struct{ name, content, says string }{
		{"run.bin", "\x7fELF\x02\x01\x01", "program"},
		{"nothing.rec", "nothing at all", "this page takes"},
	} {
		p.drop(wrong.name, []byte(wrong.content))
		p.wait(`document.getElementById("problems").textContent.includes("` + wrong.says + `")`)
	}
	p.after(func() { p.script(`document.querySelector("#given button").click()`) })
	if got := p.result(); !strings.Contains(got, `"region": "product"`) {
		p.Errorf("back at the source: %.300s", got)
	}
}

// scaled drops a result of foresee scale, and one that is none.
func scaled(p *page) {
	measured, err := filepath.Abs("../../examples/measurements/halo3d.jsonl")
	p.must(err)
	result := p.run("scale", "--at", "p=256,n=256", "--at", "p=512,n=256", "--at", "p=1024,n=256", "--format", "json", measured)
	p.drop("scaled.json", []byte(result))
	p.wait(`document.querySelectorAll("#panel-result svg path.band").length > 0`)
	p.fits()
	p.drop("broken.json", []byte(`{"schema": "foresee.scaling/v1"}`))
	p.wait(`document.getElementById("panel-result").textContent.includes("not whole")`)
	p.drop("other.json", []byte(`{"a": 1}`))
	p.wait(`document.getElementById("problems").textContent.includes("holds no state")`)
	p.drop("scaled.json", []byte(result))
}

// compiled ticks the compiler that the page was given: its result is the command's.
func compiled(p *page) {
	if value[int](p, `document.querySelectorAll("#compiled").length`) == 0 {
		p.Skip("needs gcc: apt-get install gcc libc6-dev")
	}
	whole := loop + "int main(void)\n{\n    product();\n    return 0;\n}\n" // nothing else says with which values its code is entered
	p.after(func() { p.write(whole) })
	p.must(os.WriteFile(filepath.Join(p.dir, "product.c"), []byte(whole), 0o644))
	p.after(func() { p.script(`document.getElementById("compiled").click()`) })
	got := p.result()
	if !strings.Contains(got, `"code": "gcc -O1`) {
		p.Errorf("no compiler in %.600s", got)
	}
	text := value[string](p, `(() => { document.getElementById("tab-json").click(); return document.querySelector("pre.command").textContent })()`)
	if !strings.Contains(text, "--cc 'gcc -O1'") {
		p.Errorf("the line is %q", text)
	}
	threads := text[strings.Index(text, "--threads ")+len("--threads "):]
	threads, _, _ = strings.Cut(threads, " ")
	if want := p.run("predict", "--machine", value[string](p, `document.getElementById("machine-name").value`), "--threads", threads, "--cc", "gcc -O1", "--format", "json", "product.c"); got != want {
		p.Errorf("the page has\n%.600s\nthe command\n%.600s", got, want)
	}
	p.after(func() { p.script(`document.getElementById("compiled").click()`) })
	p.after(func() { p.write(loop) })
}

// accessibleViews asks axe-core about these views.
func accessibleViews(p *page) {
	axe, err := os.ReadFile("../testdata/axe.min.js")
	p.must(err)
	p.script(string(axe))
	for _, dark := range []bool{false, true} {
		p.must(p.tab.Dark(dark))
		for _, id := range []string{"regions", "advise", "versions", "rank", "xgraph", "result"} {
			p.look(id)
			p.wait(`!document.querySelector(".panel:not([hidden]) .waiting")`)
			for _, f := range serious(p) {
				p.Errorf("dark %v, %s: %.700s", dark, id, f)
			}
		}
	}
}
