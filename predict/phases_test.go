package predict

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/model/timing"
)

// Phases are loops: together they have all lines, and each knows its own streams and how much of it lies between two lines.
func TestPhasesAreLoops(t *testing.T) {
	program, a := analysed(t, `double a[200000], b[200000], c[500][500], s;
void k(void) {
#pragma omp parallel for
  for (int i = 0; i < 200000; i++)
    a[i] += b[i];
  for (int j = 0; j < 500; j++)
    for (int i = 0; i < 500; i++)
      s += c[i][j];
}
`)
	m := shipped(t, "granite-rapids-vm")
	blocks, err := timing.Blocks(program)
	if err != nil {
		t.Fatal(err)
	}
	q := &query{analysis: a, on: m, blocks: blocks}
	for _, threads := range []int{1, 2} {
		levels, err := a.hits(m, threads, HitModelPlaced)
		if err != nil {
			t.Fatal(err)
		}
		st, err := a.get(nest.Options{Threads: threads, Group: 1, Line: 64})
		if err != nil {
			t.Fatal(err)
		}
		p := &demand{threads: threads, accesses: st.Nest.Len()}
		balance := nest.Balance{Parallel: 600000.0 / 850000, Imbalance: 1}
		walks, err := q.walks(threads)
		run := runOn(m, p, levels, balance)
		phases := run.Phases(blocks, walks)
		if err != nil || len(phases) != 2 {
			t.Fatalf("%d phases, %v", len(phases), err)
		}
		for i, all := range run.Traffic() {
			sum := 0.0
			for _, phase := range phases {
				sum += phase.Traffic[i].AllLines
			}
			if math.Abs(sum-all.AllLines) > 1e-9*all.AllLines {
				t.Errorf("%d threads, %s: phases have %g lines of %g", threads, all.Level, sum, all.AllLines)
			}
		}
		last := len(levels) - 1
		if got := phases[0].Traffic[last]; math.Abs(got.Streams-2) > 0.1 {
			t.Errorf("%d threads: two arrays make %g streams", threads, got.Streams)
		}
		// Eight iterations bring a line of each of two arrays, and each thread has its part of the iterations.
		share := 1 / float64(threads)
		if got := phases[0].Traffic[last]; math.Abs(got.Between*200000*share*got.Streams-8) > 1e-6 {
			t.Errorf("%d threads: %g of the loop between two lines", threads, got.Between)
		}
		// Column walks bring a line with each iteration.
		if got := phases[1].Traffic[0]; math.Abs(got.FarBetween*250000*got.Streams-1) > 0.01 {
			t.Errorf("%d threads: %g of the column walk between two lines", threads, got.FarBetween)
		}
	}
}

// Lines come in runs where a loop leaves a row before it ends, and more rows than prefetchers follow come before it goes on.
func TestRunsOfLines(t *testing.T) {
	type run struct{ lines, begun float64 }
	tiles := func(rows int, body string) string {
		return fmt.Sprintf("for (int t = 0; t < 480; t += %d) for (int u = 0; u < 512; u += 32) for (int i = t; i < t + %d; i++) %s", rows, rows, body)
	}
	const row = "for (int j = u; j < u + 32; j++) s += a[i][j];"
	for body, want := range map[string]run{
		"for (int i = 0; i < 512; i++) for (int j = 0; j < 512; j++) s += a[i][j];":                             {},
		"for (int r = 0; r < 9; r++) for (int i = 0; i < 512; i++) for (int j = 0; j < 512; j++) s += a[i][j];": {},
		"for (int i = 0; i < 512; i++) for (int j = 0; j < 256; j++) s += a[i][j];":                             {32, 1},
		"for (int i = 0; i < 512; i++) for (int j = 0; j < i; j++) s += a[i][j];":                               {32, 1},
		tiles(60, row): {4, 28. / 32},
		tiles(96, row): {4, 1},
		tiles(40, row): {4, 0.25},
		tiles(32, row): {},
		tiles(8, row):  {},
		tiles(96, "for (int j = u; j < u + 32; j++) for (int r = 0; r < 3; r++) s += a[i][j];"):                                                            {4, 1},
		tiles(96, "for (int j = u; j < u + 32; j += 16) s += a[i][j];"):                                                                                    {2, 1},
		tiles(32, "for (int j = u; j < u + 32; j += 2) s += a[i][j] + a[i][j + 1];"):                                                                       {},
		tiles(8, "for (int j = u; j < u + 32; j++) s += a[i][j] * b[i][j] * c[i][j] * d[i][j] * e[i][j];"):                                                 {4, 0.25},
		"for (int t = 0; t < 480; t += 96) for (int u = 480; u >= 0; u -= 32) for (int i = t; i < t + 96; i++) " + row:                                     {4, 1},
		"for (int t = 0; t < 480; t += 96) for (int u = 0; u < 512; u += 32) for (int h = t; h < t + 96; h += 16) for (int i = h; i < h + 16; i++) " + row: {4, 1},
	} {
		if got := runsOn(t, shipped(t, "granite-rapids-vm"), body); math.Abs(got.Run-want.lines) > 0.01*want.lines+1e-9 || math.Abs(got.Begun-want.begun) > 0.01 {
			t.Errorf("%s: runs of %g lines, %g of them begun; want %v", body, got.Run, got.Begun, want)
		}
	}
	// Prefetchers of a machine that follow fewer streams, as measured, lose runs sooner.
	m := *shipped(t, "granite-rapids-vm")
	measured := *m.Measured
	measured.PrefetchStreams = &machine.Value[int]{Value: 22, Source: "test"}
	m.Measured = &measured
	for rows, want := range map[int]float64{20: 0, 32: 10. / 42, 40: 18. / 42, 96: 1} {
		if got := runsOn(t, &m, tiles(rows, row)); math.Abs(got.Begun-want) > 0.01 {
			t.Errorf("tiles of %d rows where 22 streams are followed: %g begun, want %g", rows, got.Begun, want)
		}
	}
}

// runsOn is the traffic from memory of the innermost loop of a body.
func runsOn(t *testing.T, m *machine.Machine, body string) timing.Traffic {
	t.Helper()
	program, a := analysed(t, "double a[512][512], b[512][512], c[512][512], d[512][512], e[512][512], s;\nvoid k(void) {\n"+body+"\n}\n")
	blocks, err := timing.Blocks(program)
	if err != nil {
		t.Fatal(err)
	}
	q := &query{analysis: a, on: m, blocks: blocks}
	levels, err := a.hits(m, 1, HitModelPlaced)
	if err != nil {
		t.Fatal(err)
	}
	st, err := a.get(nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	walks, err := q.walks(1)
	if err != nil {
		t.Fatal(err)
	}
	phases := runOn(m, &demand{threads: 1, accesses: st.Nest.Len()}, levels, nest.Balance{Imbalance: 1}).Phases(blocks, walks)
	traffic := phases[len(phases)-1].Traffic
	return traffic[len(traffic)-1]
}

// Down columns of few rows lines come in as many streams, in sequence: if prefetchers follow so many.
func TestStepsByStreamsFollowed(t *testing.T) {
	_, a := analysed(t, "double a[24][4096], s;\nvoid k(void) {\nfor (int j = 0; j < 4096; j++) for (int i = 0; i < 24; i++) s += a[i][j];\n}\n")
	for followed, want := range map[int]bool{22: false, 23: false, 24: true, 32: true, 64: true} {
		m := *shipped(t, "granite-rapids-vm")
		measured := *m.Measured
		measured.PrefetchStreams = &machine.Value[int]{Value: followed, Source: "test"}
		m.Measured = &measured
		levels, err := a.hits(&m, 1, HitModelPlaced)
		if err != nil {
			t.Fatal(err)
		}
		inSequence := 0.0
		for class, misses := range levels[0].Missed.BySteps() {
			if bandwidth.StepOf(class).Sequential() {
				inSequence += misses
			}
		}
		if got := inSequence > levels[0].Miss/2; got != want {
			t.Errorf("%d streams followed: in sequence %v, want %v", followed, got, want)
		}
	}
}

// A time by a bandwidth function with large errors says so, with the errors; of the shipped machines none has such.
func TestWarnsOfRoughFits(t *testing.T) {
	m := *shipped(t, "granite-rapids-vm")
	measured := *m.Measured
	measured.Fits = slices.Clone(measured.Fits)
	m.Measured = &measured
	if got := m.RoughFits(); len(got) > 0 {
		t.Errorf("as shipped: %q", got)
	}
	measured.Fits[0].Errors.Mean, measured.Fits[0].Errors.Worst = 0.16, 4.02
	got := strings.Join(doubtsOf(ModelBandwidth, &m, nil), "\n")
	if !strings.Contains(got, "16 % in the mean, 402 % at worst") {
		t.Errorf("warnings: %q", got)
	}
	if got := doubtsOf(ModelOverlap, &m, nil); len(got) > 0 {
		t.Errorf("of a model that does not use it: %q", got)
	}
}

// TestSerial has code without a parallel loop hit as often, whatever the number of threads: one of them has all caches to itself.
func TestSerial(t *testing.T) {
	_, a := analysed(t, `double a[40000], b[40000];
void f(void) {
  for (int t = 0; t < 3; t++) {
    for (int i = 1; i < 39999; i++) b[i] = a[i-1] + a[i] + a[i+1];
    for (int i = 1; i < 39999; i++) a[i] = b[i];
  }
}
`)
	for _, name := range []string{"zen4", "i7-5960x"} {
		alone, err := a.HitRates(shipped(t, name), 1, HitModelPlaced)
		if err != nil {
			t.Fatal(err)
		}
		several, err := a.HitRates(shipped(t, name), 4, HitModelPlaced)
		if err != nil {
			t.Fatal(err)
		}
		for i, one := range alone {
			if several[i].HitRate != one.HitRate {
				t.Errorf("%s, %s: %g with 4 threads, %g with one", name, one.Level, several[i].HitRate, one.HitRate)
			}
		}
		if last := len(several) - 1; several[last].Scope == alone[last].Scope {
			t.Errorf("%s: the last level is %s with 4 threads", name, several[last].Scope)
		}
	}
}
