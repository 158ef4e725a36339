package page

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foresee/model/xmodel"
	"foresee/report/sample"
)

// flat is a set of parameters as the page has it.
type flat struct {
	N       float64 `json:"n"`
	Z       float64 `json:"Z"`
	E       float64 `json:"E"`
	M       float64 `json:"M"`
	R       float64 `json:"R"`
	L       float64 `json:"L"`
	Size    float64 `json:"size"`
	Latency float64 `json:"latency"`
	Alpha   float64 `json:"alpha"`
	Beta    float64 `json:"beta"`
	Printed bool    `json:"printed"`
}

func randomFlat(r *rand.Rand) flat {
	u := func(low, high float64) float64 { return low * math.Pow(high/low, r.Float64()) }
	f := flat{N: u(1, 2000), Z: u(0.1, 100), E: u(0.001, 8), M: u(0.3, 256), R: u(1e-3, 4), L: u(10, 1500), Alpha: 1, Beta: 1}
	f.Latency = f.L
	if r.IntN(5) > 0 {
		f.Size, f.Latency, f.Alpha, f.Beta, f.Printed = u(1, 1e7), u(1, f.L), 1+u(0.01, 10), u(1, 1e5), r.IntN(3) == 0
	}
	return f
}

func (f flat) params() xmodel.Params {
	p := xmodel.Params{N: f.N, Z: f.Z, E: f.E, M: f.M, R: f.R, L: f.L}
	if f.Size > 0 {
		p.Cache = &xmodel.Cache{Size: f.Size, Latency: f.Latency, Alpha: f.Alpha, Beta: f.Beta, Printed: f.Printed}
	}
	return p
}

// browser is Debian's Chromium, best the one without windows, or the test is skipped.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("needs chromium (Debian: apt-get install chromium-headless-shell)")
	return ""
}

// dom runs a page in the browser and gives what it has become.
func dom(t *testing.T, path string, more ...string) string {
	t.Helper()
	dir := t.TempDir()
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=" + filepath.Join(dir, "profile"), "--virtual-time-budget=5000"}, more...)
	cmd := exec.Command(browser(t), append(args, "--dump-dom", "file://"+path)...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	return string(out)
}

// The page computes what Go computes, on a thousand sets of parameters.
func TestPageComputesTheSame(t *testing.T) {
	browser(t)
	r := rand.New(rand.NewPCG(8, 8))
	var sets []flat
	for range 1000 {
		sets = append(sets, randomFlat(r))
	}
	text, err := json.Marshal(sets)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "test.html")
	html := "<!DOCTYPE html><meta charset=utf-8><pre id=out></pre><script>" + xModelScript + "</script><script>" +
		"document.getElementById('out').textContent = JSON.stringify(" + string(text) + ".map((p) => xmodel.states(p)));</script>"
	if err := os.WriteFile(path, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(dom(t, path), `<pre id="out">`)
	answer, _, ok := strings.Cut(rest, "</pre>")
	if !ok {
		t.Fatalf("no answer: %.300s", rest)
	}
	var got [][]struct {
		K, X, Memory, Compute, Hit float64
		Stable                     bool
	}
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	several, worst := 0, 0.0
	for i, f := range sets {
		p := f.params()
		want := p.States()
		if len(got[i]) != len(want) {
			t.Fatalf("%+v: %d states in the page, %d in Go", f, len(got[i]), len(want))
		}
		if len(want) > 1 {
			several++
		}
		for j, w := range want {
			g := got[i][j]
			if g.Stable != w.Stable {
				t.Fatalf("%+v: %+v, want %+v", f, g, w)
			}
			for _, pair := range [][2]float64{{g.K, w.K}, {g.Memory, w.Memory}, {g.Compute, w.Compute}, {g.Hit, w.HitRate}} {
				off := math.Abs(pair[0] - pair[1])
				if pair[1] != 0 {
					off /= math.Abs(pair[1])
				}
				worst = math.Max(worst, off)
				if off > 1e-9 {
					t.Fatalf("%+v: %+v, want %+v", f, g, w)
				}
			}
		}
	}
	t.Logf("worst relative difference %.2g; %d sets with several states", worst, several)
}

// The page draws its graph and tells the states.
func TestPageDraws(t *testing.T) {
	browser(t)
	path := filepath.Join(t.TempDir(), "x.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	r := sample.XGraph()
	r.Against = nil
	if err := XGraph(f, r); err != nil {
		t.Fatal(err)
	}
	f.Close()
	var second bytes.Buffer
	if err := XGraph(&second, sample.XGraph()); err != nil || !strings.Contains(second.String(), `"value":60,"first":105`) {
		t.Errorf("the page does not begin with the second scenario: %v", err)
	}
	for _, width := range []string{"1200", "390"} {
		text := dom(t, path, "--window-size="+width+",900")
		for _, want := range []string{`class="f"`, `class="stable"`, `class="unstable"`, `<td class="text">unstable</td>`, `id="s-beta"`, "1 times that"} {
			if !strings.Contains(text, want) {
				t.Errorf("at %s: no %s", width, want)
			}
		}
	}
}
