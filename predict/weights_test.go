package predict

import (
	"context"
	"fmt"
	"math"
	"testing"

	"foresee/application"
	"foresee/machine/bandwidth"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/machine"
)

func analysed(t *testing.T, source string) (*nest.Program, *Analysis) {
	t.Helper()
	u, err := csource.Load("test.c", []byte(source), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return u.Programs[0], NewAnalysis(context.Background(), u.Programs[0], Options{Seed: 1})
}

func shipped(t *testing.T, name string) *machine.Machine {
	t.Helper()
	m, err := machine.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A store after a load of the same place always hits, and the load here never does: half of all, whatever the sample met.
func TestReadsAndWritesTakeTurns(t *testing.T) {
	for _, n := range []string{"6000", "6400", "9973"} {
		_, a := analysed(t, "double a["+n+"][64];\nvoid k(void) {\n  for (int i = 0; i < "+n+"; i++)\n    a[i][0] += 1.0;\n}\n")
		levels, err := a.hits(shipped(t, "i7-5960x"), 1, HitModelPlaced)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(levels[0].hit-0.5) > 1e-6 {
			t.Errorf("n = %s: hit rate %.5f", n, levels[0].hit)
		}
	}
}

// The first nest that comes to an array brings it in: here in sequence, though columns are walked later.
func TestFirstUsesAreOfTheFirstNest(t *testing.T) {
	_, a := analysed(t, `double a[600][600], x[600], y[600];
void k(void) {
  for (int i = 0; i < 600; i++)
    for (int j = 0; j < 600; j++)
      x[i] += a[i][j];
  for (int j = 0; j < 600; j++)
    for (int i = 0; i < 600; i++)
      y[j] += a[i][j];
}
`)
	levels, err := a.hits(shipped(t, "i7-5960x"), 1, HitModelPlaced)
	if err != nil {
		t.Fatal(err)
	}
	last := levels[len(levels)-1] // holds all: only first uses are missed
	if straight := last.Missed.BySteps()[0]; straight < 0.95*last.Miss {
		t.Errorf("of %.4f misses %.4f are in sequence", last.Miss, straight)
	}
	if l1 := levels[0].Missed.BySteps(); l1[bandwidth.StepOfBytes(600*8, 64).Class()] < l1[0] {
		t.Errorf("L1 lacks %v: columns are far apart", l1)
	}
}

// A statement before a loop comes to an array first, but brings in one line of it: the loop brings in the others, in sequence.
func TestAStatementBringsInOneLine(t *testing.T) {
	_, a := analysed(t, `double a[60000], s[60000];
void k(void) {
  s[0] = a[0];
  for (int i = 1; i < 60000; i++)
    s[i] = s[i - 1] + a[i];
}
`)
	levels, err := a.hits(shipped(t, "i7-5960x"), 1, HitModelPlaced)
	if err != nil {
		t.Fatal(err)
	}
	last := levels[len(levels)-1] // holds all: only first uses are missed
	if straight := last.Missed.BySteps()[0]; straight < 0.95*last.Miss {
		t.Errorf("of %.4f misses %.4f are in sequence", last.Miss, straight)
	}
}

// Threads that share data share its lines: the X-model sees the hit rate that predict does.
func TestXModelSharesData(t *testing.T) {
	p, a := analysed(t, `double a[700][700], b[700][700], c[700][700];
void k(void) {
#pragma omp parallel for
  for (int i = 0; i < 700; i++)
    for (int j = 0; j < 700; j++)
      for (int k = 0; k < 700; k++)
        c[i][j] += a[i][k] * b[k][j];
}
`)
	m := shipped(t, "i7-5960x")
	for _, count := range []int{1, 8} {
		x, err := XModel(context.Background(), XRequest{Signature: application.OfLoops("", p), Machine: m, Threads: count, Options: Options{Seed: 1}})
		if err != nil {
			t.Fatal(err)
		}
		levels, err := a.hits(m, count, HitModelPlaced)
		if err != nil {
			t.Fatal(err)
		}
		want := 1 - levels[2].Miss/levels[1].Miss
		if got := x.Params.Cache.HitRate(float64(count)); math.Abs(got-want) > 0.02 {
			t.Errorf("%d threads: hit rate %.4f, predict has %.4f", count, got, want)
		}
		if want := levels[1].Miss * 700 * 700 * 700 * 4; math.Abs(x.Requests/want-1) > 0.02 {
			t.Errorf("%d threads: %.4g requests, predict has %.4g", count, x.Requests, want)
		}
	}
}

// First uses are counted: a cache that holds all that is used again misses exactly these, whatever the sample met.
func TestFirstUsesAreCounted(t *testing.T) {
	p, a := analysed(t, `double a[900][1000], b[900][1000];
void k(void) {
  for (int i = 1; i < 899; i++)
    for (int j = 1; j < 999; j++)
      b[i][j] = a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
}
`)
	levels, err := a.hits(shipped(t, "i7-5960x"), 1, HitModelPlaced)
	if err != nil {
		t.Fatal(err)
	}
	st, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	const lines = 900*1000/8 + 898*1000/8 // a, but for its corners' lines, and the rows of b that are written
	if got := levels[len(levels)-1].Miss * float64(st.Len()); math.Abs(got/lines-1) > 0.002 {
		t.Errorf("%.0f misses, %d lines are used", got, lines)
	}
}

// Four threads pass over the rows of an array and then over its columns, of which three quarters are new to each of them: private caches lack every line
// once in sequence and once far apart, whoever used it before.
func TestFirstUsesOfLinesOfOthers(t *testing.T) {
	_, a := analysed(t, `double a[600][600], x[600], y[600];
void k(void) {
#pragma omp parallel for
  for (int i = 0; i < 600; i++)
    for (int j = 0; j < 600; j++)
      x[i] += a[i][j];
#pragma omp parallel for
  for (int j = 0; j < 600; j++)
    for (int i = 0; i < 600; i++)
      y[j] += a[i][j];
}
`)
	levels, err := a.hits(shipped(t, "i7-5960x"), 4, HitModelPlaced)
	if err != nil {
		t.Fatal(err)
	}
	if share := levels[1].Missed.BySteps()[0] / levels[1].Miss; math.Abs(share-0.5) > 0.05 {
		t.Errorf("%.3f of the lines that L2 lacks are in sequence, not half", share)
	}
}

// Two members of elements that are no line long: the first one is used first in most lines, though the second is the last to use as many. Nothing stays in
// an L1 of 32 KiB from one pass to the next, so that it lacks each line once in each pass.
func TestFirstUsesOfMembers(t *testing.T) {
	for _, passes := range []int{2, 3, 10} {
		p, a := analysed(t, fmt.Sprintf(`double p[100000];
void k(void) {
  for (int t = 0; t < %d; t++)
    for (int i = 0; i < 20000; i++)
      p[5 * i] += p[5 * i + 4] * 0.1;
}
`, passes))
		levels, err := a.hits(shipped(t, "i7-5960x"), 1, HitModelPlaced)
		if err != nil {
			t.Fatal(err)
		}
		st, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64})
		if err != nil {
			t.Fatal(err)
		}
		want := float64(passes) * 100000 / 8
		if got := levels[0].Miss * float64(st.Len()); math.Abs(got/want-1) > 0.015 {
			t.Errorf("%d passes: %.0f misses of %.0f", passes, got, want)
		}
	}
}
