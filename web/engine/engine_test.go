package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"foresee/predict"
	"foresee/web/engine"
)

const gemm = `
#ifndef N
#define N 64
#endif
#define M 32
double A[N][N], B[N][N], C[N][N];
void gemm(void)
{
#pragma omp parallel for schedule(static, 4)
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < M; j++)
                C[i][j] += A[i][k] * B[k][j];
}
`

func ask(t *testing.T, e *engine.Engine, r engine.Request, into any) error {
	t.Helper()
	out, err := e.Answer(context.Background(), &r, nil)
	if err == nil && into != nil {
		if err := json.Unmarshal(out, into); err != nil {
			t.Fatal(err)
		}
	}
	return err
}

func TestSource(t *testing.T) {
	var got engine.Source
	if err := ask(t, &engine.Engine{}, engine.Request{Call: "source", Name: "gemm.c", Text: gemm, Defines: []string{"N=100"}}, &got); err != nil {
		t.Fatal(err)
	}
	want := []engine.Size{{"N", 100, 3, true}, {"M", 32, 5, false}}
	if len(got.Sizes) != 2 || got.Sizes[0] != want[0] || got.Sizes[1] != want[1] {
		t.Errorf("sizes %+v, want %+v", got.Sizes, want)
	}
	if len(got.Regions) != 1 || got.Regions[0].Region != "gemm" || len(got.Loops) != 1 || got.Loops[0] != (engine.Dealt{10, "static,chunk", 4}) {
		t.Errorf("%+v", got)
	}
}

// TestUndefined says which definition would help.
func TestUndefined(t *testing.T) {
	e := &engine.Engine{}
	r := engine.Request{Call: "predict", Name: "f.c", Text: "void f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = 0; }", Machine: "zen4", Threads: []int{1}}
	err := ask(t, e, r, nil)
	if err == nil {
		t.Fatal("an unknown bound was taken")
	}
	p := e.Describe(err)
	if len(p.Problems) == 0 || p.Problems[len(p.Problems)-1].Define != "n=1000" || p.Problems[len(p.Problems)-1].Line != 1 {
		t.Fatalf("%+v", p)
	}
	r.Defines = []string{p.Problems[len(p.Problems)-1].Define}
	if err := ask(t, e, r, nil); err != nil {
		t.Error(err)
	}
}

// TestHeaders reads a header from the folder that is given, and from nowhere else.
func TestHeaders(t *testing.T) {
	secret := t.TempDir() + "/secret.h"
	if err := os.WriteFile(secret, []byte("#define N 10\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	loop := "double x[100];\nvoid f(void) { for (int i = 0; i < N; i++) x[i] = 0; }\n"
	e := &engine.Engine{Files: fstest.MapFS{"sub/size.h": {Data: []byte("#define N 10\n")}}}
	r := engine.Request{Call: "predict", Name: "sub/f.c", Text: "#include \"size.h\"\n" + loop, Machine: "zen4"}
	if err := ask(t, e, r, nil); err != nil {
		t.Error(err)
	}
	for _, name := range []string{secret, "../../../../../../../../" + secret, "/etc/passwd", "./../sub/../../etc/passwd"} {
		r.Text = "#include \"" + name + "\"\n" + loop
		if err := ask(t, e, r, nil); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

func TestRefused(t *testing.T) {
	e := &engine.Engine{}
	for name, r := range map[string]engine.Request{
		"call":    {Call: "no"},
		"text":    {Call: "predict", Text: strings.Repeat("x", engine.MostText+1)},
		"name":    {Call: "predict", Name: "../a.c"},
		"absent":  {Call: "predict", Name: "/etc/passwd"},
		"threads": {Call: "predict", Text: gemm, Machine: "zen4", Threads: []int{0}},
		"machine": {Call: "predict", Text: gemm, Machine: "/etc/passwd"},
		"host":    {Call: "predict", Text: gemm, Machine: engine.Local},
		"level":   {Call: "predict", Text: gemm, Machine: "zen4", Levels: []engine.LevelChange{{Level: "L9", Bytes: 1 << 20}}},
		"cache":   {Call: "predict", Text: gemm, Machine: "zen4", Levels: []engine.LevelChange{{Level: "L1", Bytes: 1}}},
		"effort":  {Call: "predict", Text: gemm, Machine: "zen4", Effort: -1},
	} {
		err := ask(t, e, r, nil)
		if err == nil {
			t.Errorf("%s: taken", name)
			continue
		}
		if p := e.Describe(err); len(p.Problems) == 0 || p.Problems[0].Message == "" {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// TestEffort compares a first look with the whole: hit rates of gemm at LARGE are off by a point at most.
func TestEffort(t *testing.T) {
	e := &engine.Engine{}
	text, err := os.ReadFile("../../examples/kernels/gemm.c")
	if err != nil {
		t.Fatal(err)
	}
	e.Files = os.DirFS("../../examples/kernels")
	r := engine.Request{Call: "predict", Name: "gemm.c", Text: string(text), Machine: "zen4", Threads: []int{1, 8}}
	var whole, first predict.PredictionResult
	if err := ask(t, e, r, &whole); err != nil {
		t.Fatal(err)
	}
	r.Effort = 0.02
	if err := ask(t, e, r, &first); err != nil {
		t.Fatal(err)
	}
	for i, p := range whole.Predictions {
		for j, h := range p.HitRates {
			if d := h.HitRate - first.Predictions[i].HitRates[j].HitRate; d > 0.01 || d < -0.01 {
				t.Errorf("%d threads, %s: %.4f at first, %.4f with all samples", p.Threads, h.Level, first.Predictions[i].HitRates[j].HitRate, h.HitRate)
			}
		}
	}
}

// TestChanged makes a level larger: more is served by it, and the machine's name says that it is not the library's.
func TestChanged(t *testing.T) {
	r := engine.Request{Call: "machine", Machine: "zen4", Levels: []engine.LevelChange{{Level: "L2", Bytes: 3 << 20}}}
	var m engine.Machine
	if err := ask(t, &engine.Engine{}, r, &m); err != nil {
		t.Fatal(err)
	}
	if m.Name != "zen4-changed" || m.Levels[1].Bytes != 3<<20 || !strings.Contains(m.File, "chosen by") {
		t.Errorf("%+v", m.Levels)
	}
	again := engine.Request{Call: "machine", Described: m.File}
	var n engine.Machine
	if err := ask(t, &engine.Engine{}, again, &n); err != nil || n.Levels[1].Bytes != 3<<20 {
		t.Errorf("%v: %+v", err, n.Levels)
	}
}

// TestStopped says that nothing outdated is worked on.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(engine.ErrTooLong)
	e := &engine.Engine{}
	if _, err := e.Answer(ctx, &engine.Request{Call: "predict", Text: gemm, Machine: "zen4"}, nil); err == nil {
		t.Error("a stopped request was answered")
	}
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer stop()
	began := time.Now()
	_, err := e.Answer(ctx, &engine.Request{Call: "predict", Text: strings.ReplaceAll(gemm, "64", "2000"), Machine: "zen4", Threads: []int{1, 2, 4, 8, 16, 32}}, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

// TestNoRecordings refuses recordings where nothing reads them, as in a browser.
func TestNoRecordings(t *testing.T) {
	content, err := os.ReadFile("../../cmd/foresee/testdata/golden/inputs/functions.rec")
	if err != nil {
		t.Fatal(err)
	}
	err = ask(t, &engine.Engine{}, engine.Request{Call: "predict", Name: "functions.rec", Data: content, Machine: "zen4"}, nil)
	if err == nil || !strings.Contains(err.Error(), "foresee serve") {
		t.Errorf("a recording: %v", err)
	}
}

// TestSliders gives the page of an X-graph the parameters of its result.
func TestSliders(t *testing.T) {
	e := &engine.Engine{}
	var got engine.XSliders
	if err := ask(t, e, engine.Request{Call: "xsliders", Name: "gemm.c", Text: gemm, Defines: []string{"N=500"}, Machine: "zen4", Threads: []int{4}, Effort: 0.05}, &got); err != nil {
		t.Fatal(err)
	}
	p := got.XGraph.Params
	want := map[string]float64{"n": p.N, "Z": p.Z, "E": p.E, "M": p.M, "R": p.R, "L": p.L}
	for _, s := range got.Page.Sliders {
		if v, ok := want[s.Key]; ok && v != s.First {
			t.Errorf("%s begins at %g, the result has %g", s.Key, s.First, v)
		}
		delete(want, s.Key)
		if !(s.Low < s.First && s.First < s.High) {
			t.Errorf("%+v", s)
		}
	}
	if len(want) > 0 {
		t.Errorf("without a slider: %v", want)
	}
}

// TestCompareAlone says what is missing.
func TestCompareAlone(t *testing.T) {
	if err := ask(t, &engine.Engine{}, engine.Request{Call: "compare", Name: "gemm.c", Text: gemm, Machine: "zen4"}, nil); err == nil || !strings.Contains(err.Error(), "keep one first") {
		t.Errorf("%v", err)
	}
}
