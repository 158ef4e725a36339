//go:build !js

package wasm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"foresee/examples"
	"foresee/web/engine"
	"foresee/web/page"
)

// told is what the engine told as WebAssembly.
type told struct {
	Kind, Text string
	MS         float64
}

// inNode answers requests by WebAssembly.
func inNode(t *testing.T, requests []engine.Request) (out []told) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node: apt-get install nodejs")
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("needs the Go command, which builds WebAssembly")
	}
	wasm := filepath.Join(t.TempDir(), "foresee.wasm")
	build := exec.Command("go", page.Build(wasm)...)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	asked, err := json.Marshal(requests)
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(node, "testdata/answer.mjs", filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"), wasm)
	run.Stdin, run.Stderr = bytes.NewReader(asked), os.Stderr
	text, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil || len(out) != len(requests) {
		t.Fatalf("%v: %d answers to %d requests", err, len(out), len(requests))
	}
	return out
}

// TestEngines compares what WebAssembly answers with what this machine's code does, to the byte.
func TestEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("builds WebAssembly")
	}
	t.Parallel()
	kernel := func(name string) string {
		text, ok := examples.Kernel(name)
		if !ok {
			t.Fatalf("no kernel %s", name)
		}
		return string(text)
	}
	var requests []engine.Request
	for _, name := range []string{"gemm", "jacobi-2d", "cholesky", "spmv-banded", "black-scholes"} {
		for _, call := range []string{"source", "predict", "accesses", "curves", "xgraph"} {
			requests = append(requests, engine.Request{Call: call, Name: name + ".c", Text: kernel(name), Defines: []string{"MEDIUM"}, Machine: "zen4", Threads: []int{1, 8}, Effort: 0.05})
		}
	}
	requests = append(
		requests,
		engine.Request{Call: "predict", Name: "g.c", Text: kernel("gemm"), Defines: []string{"MINI"}, Machine: "i7-5960x", Threads: []int{1, 2, 4}},
		engine.Request{Call: "predict", Name: "g.c", Text: kernel("gemm"), Defines: []string{"MINI"}, Machine: "zen4", Threads: []int{4}, ByLoop: true, Levels: []engine.LevelChange{{Level: "L1", Bytes: 64 << 10}}},
		engine.Request{Call: "predict", Name: "g.c", Text: "void f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = 0; }", Machine: "zen4"},
		engine.Request{Call: "predict", Name: "g.c", Text: "int main(", Machine: "zen4"},
		engine.Request{Call: "predict", Name: "g.c", Text: "#include \"nothing.h\"\n" + kernel("gemm"), Machine: "zen4"},
		engine.Request{Call: "predict", Name: "g.c", Text: kernel("gemm"), Defines: []string{"MINI"}, Machine: "nothing"},
		engine.Request{Call: "machine", Machine: "zen4"},
		engine.Request{Call: "choices"},
		engine.Request{Call: "example", Name: "gemm"},
	)
	e := &engine.Engine{Files: examples.Headers()}
	same := 0
	for i, got := range inNode(t, requests) {
		r := &requests[i]
		kind := "result"
		want, err := e.Answer(context.Background(), r, nil)
		if err != nil {
			kind = "problem"
			if want, err = json.Marshal(e.Describe(err)); err != nil {
				t.Fatal(err)
			}
		}
		off, where, differ := apart(got.Text, string(want))
		if got.Kind != kind || differ != "" || off > mostApart {
			t.Errorf("%s of %s: WebAssembly has %s, native %s: apart by %g at %s; %s", r.Call, r.Name, got.Kind, kind, off, where, differ)
		}
		if off > 0 {
			t.Logf("%s of %s: numbers are apart by %.1e at most", r.Call, r.Name, off)
		} else {
			same++
		}
	}
	t.Logf("%d of %d answers are the same to the byte", same, len(requests))
}

// mostApart is by what share numbers of the two engines may differ: exponentials and logarithms are assembly on this machine and Go in WebAssembly, and
// round the last bit in their own ways.
const mostApart = 1e-9

var number = regexp.MustCompile(`-?\d+(\.\d+)?([eE][-+]?\d+)?`)

// apart is by what share the numbers of two texts differ at most, at which, and where the texts differ otherwise.
func apart(a, b string) (most float64, where, differ string) {
	if a == b {
		return 0, "", ""
	}
	x, y := number.Split(a, -1), number.Split(b, -1)
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return 0, "", fmt.Sprintf("%.100q and %.100q", x[i], y[i])
		}
	}
	p, q := number.FindAllString(a, -1), number.FindAllString(b, -1)
	if len(p) != len(q) {
		return 0, "", fmt.Sprintf("%d and %d numbers", len(p), len(q))
	}
	for i := range p {
		v, err := strconv.ParseFloat(p[i], 64)
		w, other := strconv.ParseFloat(q[i], 64)
		if err != nil || other != nil {
			continue
		}
		if off := math.Abs(v-w) / max(math.Abs(v), math.Abs(w), 1e-12); off > most { // below, rates are rounding errors of what is none
			most, where = off, fmt.Sprintf("…%s%s and %s", x[i][max(0, len(x[i])-40):], p[i], q[i])
		}
	}
	return most, where, ""
}
