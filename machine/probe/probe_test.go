package probe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/machine/probe/chase"
)

// synthetic is a machine that does not exist: it answers as one of known properties would.
type synthetic struct {
	ghz      float64
	latency  chase.Latency
	read     bandwidth.Extended
	cost     map[string]float64 // cycles
	fork     func(threads int) float64
	followed int // streams that prefetchers follow
	noise    float64
	random   *rand.Rand
	refuse   func(command string) string
	asked    int
	most     int                                            // commands, then it fails; 0: no bound
	disturb  func(asked int, command string, b burst) burst // what happens beside; nil: nothing
}

var errStopped = errors.New("stopped")

func (s *synthetic) Ask(command string) ([]float64, error) {
	if s.asked++; s.most > 0 && s.asked > s.most {
		return nil, errStopped
	}
	if s.refuse != nil {
		if cause := s.refuse(command); cause != "" {
			return nil, &RefusedError{command, cause}
		}
	}
	v, samples := s.value(strings.Fields(command))
	if samples == 0 {
		return v, nil
	}
	var out []float64
	for range samples {
		b := burst{ns: v[0] * math.Exp(math.Abs(s.noise*s.random.NormFloat64())), before: 1 / s.ghz, after: 1 / s.ghz}
		if s.disturb != nil {
			b = s.disturb(s.asked, command, b)
		}
		out = append(out, b.ns, b.before, b.after, b.lost, b.preempted)
	}
	return out, nil
}

func number(text string) float64 {
	var v float64
	fmt.Sscan(text, &v)
	return v
}

// faultOf is what a page takes that is touched first, in ns: 4000 cycles.
func faultOf(ghz float64) float64 { return 4000 / ghz }

// value answers; samples is 0 where all of it is the answer.
func (s *synthetic) value(w []string) (v []float64, samples int) {
	switch w[0] {
	case "facts":
		return []float64{1, 16, 1, 4096, 20, 20}, 0
	case "noise":
		return []float64{1.01, 1.02, 1.05, 3}, 0
	case "hold":
		return []float64{number(w[1]) * number(w[2])}, 0
	case "fault":
		return []float64{faultOf(s.ghz)}, int(number(w[1]))
	case "spin":
		return []float64{1 / s.ghz}, int(number(w[1]))
	case "chase":
		return []float64{s.latency.At(number(w[1]))}, int(number(w[5]))
	case "walk", "columns":
		p := bandwidth.Point{Stride: int(number(w[2])), Bytes: number(w[3]), Columns: w[0] == "columns"}
		return []float64{8 / s.read.GBs(p, 64, 4096)}, int(number(w[5]))
	case "work": // each product and sum takes a cycle
		stride := int(number(w[4]))
		p := bandwidth.Point{Stride: stride, Columns: stride > 1, Bytes: number(w[5]), Streams: int(number(w[3])), CoreNs: s.read.CoreNs + number(w[2])/s.ghz}
		return []float64{8 / s.read.GBs(p, 64, 4096)}, int(number(w[7]))
	case "runs": // the ends of runs cost nothing in L1
		p := bandwidth.Point{Stride: int(number(w[4])), Run: int(number(w[2])), Bytes: number(w[5])}
		return []float64{8 / s.read.GBs(p, 64, 4096)}, int(number(w[7]))
	case "streams": // a line from the last cache waits for L2's latency, one that is not followed for its own
		from := s.latency.At(number(w[2]))
		if int(number(w[1])) <= s.followed {
			return []float64{math.Sqrt(s.latency.Ns[0] * from)}, int(number(w[5]))
		}
		return []float64{from}, int(number(w[5]))
	case "team":
		p := bandwidth.Point{Stride: int(number(w[2])), Bytes: number(w[3])}
		for range w[5:] {
			v = append(v, s.read.GBs(p, 64, 4096)/8/(1+0.1*float64(len(w[6:]))))
		}
		return v, 0
	case "operation":
		cycles, ok := s.cost[w[1]+" "+w[2]]
		if !ok {
			cycles = 1
		}
		return []float64{cycles / s.ghz}, int(number(w[3]))
	case "issue":
		return []float64{1 / s.ghz / 5}, int(number(w[1]))
	case "window":
		ns := s.latency.At(number(w[2]))
		if number(w[1]) > 250 {
			ns *= 2
		}
		return []float64{ns}, int(number(w[3]))
	case "region":
		return []float64{s.fork(int(number(w[2])))}, int(number(w[3]))
	}
	return nil, 0
}

// invented is a machine with so many levels.
func invented(levels int) (*machine.Machine, *synthetic) {
	sizes := []machine.Size{32 << 10, 512 << 10, 8 << 20, 512 << 20}
	base := &machine.Machine{Name: "invented", Title: "invented", Cores: value(8, "test"), LineBytes: value(64, "test")}
	for i := range levels {
		base.Levels = append(base.Levels, machine.Level{Name: fmt.Sprintf("L%d", i+1), Size: value(sizes[i], "test"), Ways: value(8, "test"), SharedBy: value(1, "test")})
	}
	edges := []bandwidth.Capacity{{Bytes: 33 << 10, Width: 0.05}, {Bytes: 540 << 10, Width: 0.3}, {Bytes: 7.4 * (1 << 20), Width: 0.25}, {Bytes: 500 << 20, Width: 0.2}}
	s := &synthetic{
		ghz: 2.5, latency: chase.Latency{Ns: []float64{1.6, 5.6, 22, 70, 200}[:levels+1], Capacities: edges[:levels]},
		read: bandwidth.Extended{
			CoreNs: 0.2, PassNs: 1, Norm: 3, Steepness: 1.3, WalkNs: 3, TableNs: 10, TLBBytes: 6 << 20, TLBWidth: 0.1, HalfConflict: 0.4, Capacities: edges[:levels],
			Sources: []bandwidth.Source{{Name: "L2", SequentialNs: 0.5, UnprefetchedNs: 0.8, Reach: 1.7, ConflictNs: 1.4, ConflictReach: 1.5, ExposedNs: 0.4, ExposedShare: 0.1, UnprefetchedExposedNs: 0.4, UnprefetchedExposedShare: 0.8, StartNs: 4, StartLineNs: 0.2}, {Name: "L3", SequentialNs: 2.2, UnprefetchedNs: 3, Reach: 2, ConflictNs: 6, ConflictReach: 2, ExposedNs: 1.5, ExposedShare: 0.2, UnprefetchedExposedNs: 8, UnprefetchedExposedShare: 1, StartNs: 20, StartLineNs: 1}, {Name: "L4", SequentialNs: 4, UnprefetchedNs: 6, Reach: 1.8, ConflictNs: 14, ConflictReach: 2, ExposedNs: 3, ExposedShare: 0.5, UnprefetchedExposedNs: 12, UnprefetchedExposedShare: 2, StartNs: 30, StartLineNs: 2}, {Name: "memory", SequentialNs: 9, UnprefetchedNs: 15, Reach: 2, ConflictNs: 40, ConflictReach: 1.9, ExposedNs: 9, ExposedShare: 1.5, UnprefetchedExposedNs: 40, UnprefetchedExposedShare: 5, StartNs: 60, StartLineNs: 5}}[:levels],
		},
		cost: map[string]float64{"mul_f64 latency": 4, "div_f64 throughput": 5, "load throughput": 0.5, "fma_f32 throughput": 0.5},
		fork: func(n int) float64 { return 800 + 120*float64(n) }, followed: 20,
		random: rand.New(rand.NewPCG(1, 2)),
	}
	return base, s
}

func options(base *machine.Machine) Options {
	last := int64(base.Levels[len(base.Levels)-1].Size.Value)
	return Options{CPUs: []int{0, 1, 2, 3, 4, 5, 6, 7}, Most: 4 * last, Date: "2026-01-01"}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got/want-1) > tolerance {
		t.Errorf("%s: %.4g, want %.4g", what, got, want)
	}
}

// What is measured of invented machines is what they were made of.
func TestMeasureFindsTheTruth(t *testing.T) {
	for levels := 1; levels <= 4; levels++ {
		for _, noise := range []float64{0, 0.01} {
			if noise == 0 && levels > 2 {
				continue // what noise leaves right is right without
			}
			t.Run(fmt.Sprintf("%d levels, noise %g", levels, noise), func(t *testing.T) {
				base, s := invented(levels)
				s.noise = noise
				m, err := With(context.Background(), base, s, options(base))
				if err != nil {
					t.Fatal(err)
				}
				tolerance := 0.02 + noise
				near(t, "clock", m.FrequencyGHz.Value, s.ghz, tolerance)
				for i := range levels {
					near(t, m.Levels[i].Name+" latency", m.Levels[i].LatencyCycles.Value/s.ghz, s.latency.Ns[i], tolerance)
					if i > 0 {
						near(t, m.Levels[i].Name+" in sequence", m.Levels[i].SequentialCyclesPerLine.Value/s.ghz, s.read.Sources[i-1].SequentialNs+s.read.Exposed(i-1, 8*s.read.CoreNs, 1), tolerance)
					}
				}
				near(t, "memory latency", m.Memory.LatencyNs.Value, s.latency.Ns[levels], tolerance)
				near(t, "a page's first touch", m.Memory.PageFaultNs.Value, faultOf(s.ghz), tolerance)
				near(t, "memory in sequence", m.Memory.SequentialCyclesPerLine.Value/s.ghz, s.read.Sources[levels-1].SequentialNs+s.read.Exposed(levels-1, 8*s.read.CoreNs, 1), tolerance)
				near(t, "loads", m.Core.LoadsPerCycle.Value, 2, tolerance)
				latency, _, _ := m.Op(machine.Mul, machine.F64)
				near(t, "mul latency", latency.Value, 4, tolerance)
				_, throughput, _ := m.Op(machine.Div, machine.F64)
				near(t, "div throughput", throughput.Value, 5, tolerance)
				near(t, "issue width", m.Core.IssueWidth.Value, 5, tolerance)
				if m.Core.ReorderBuffer.Value != 256 {
					t.Errorf("reorder buffer: %d", m.Core.ReorderBuffer.Value)
				}
				if crowded := "8 cores at once get"; levels > 1 && !slices.ContainsFunc(m.Notes, func(n string) bool { return strings.HasPrefix(n, crowded) }) {
					t.Errorf("cores that are in one another's way in caches of their own are not told of: %q", m.Notes)
				}
				places := 1 // memory, and the last of three or more caches
				if levels > 2 {
					places = 2
				}
				if n, ok := m.Measured.PrefetchStreams.Get(); !ok || n != s.followed || len(m.Measured.Streams) != places {
					t.Errorf("prefetchers follow %d streams, want %d; curves %+v", n, s.followed, m.Measured.Streams)
				}
				near(t, "fork", m.Parallel.ForkJoinNs.Value, 800, tolerance)
				if r := m.Measured.Regions; len(r) != 4 || r[3].Threads != 8 || r[3].BarrierNs <= 0 {
					t.Errorf("regions %+v", r)
				}
				near(t, "fork per thread", m.Parallel.ForkJoinPerThreadNs.Value, 120, 2*tolerance)
				text, err := m.YAML()
				if err != nil {
					t.Fatal(err)
				}
				if _, err := machine.Parse("test.yaml", text); err != nil {
					t.Fatalf("the machine file cannot be read: %v", err)
				}
			})
		}
	}
}

// Stores are as many as the fastest samples tell, and no fewer than a sweep does.
func TestStores(t *testing.T) {
	for cycles, want := range map[float64]float64{0.25: 4, 5: 2} { // the sweep takes half a cycle an element
		base, s := invented(2)
		s.cost["store throughput"] = cycles
		m, err := With(context.Background(), base, s, options(base))
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("stores of %g cycles", cycles), m.Core.StoresPerCycle.Value, want, 0.03)
	}
}

// A hypervisor may report a cache larger than any memory: the size that is found stands beside it.
func TestBelievesMeasurementsMoreThanHypervisors(t *testing.T) {
	base, s := invented(3)
	base.Levels[2].Size.Value = 2 << 40
	o := options(base)
	o.Most = 256 << 20
	m, err := With(context.Background(), base, s, o)
	if err != nil {
		t.Fatal(err)
	}
	found, ok := m.Levels[2].EffectiveSize.Get()
	if !ok {
		t.Fatal("no effective size")
	}
	near(t, "effective size", float64(found), s.read.Capacities[2].Bytes, 0.1)
	if m.Levels[2].Size.Value != 2<<40 {
		t.Error("the size that was told is lost")
	}
}

// Arrays that all lie in caches tell nothing of memory.
func TestSaysNothingOfMemoryThatWasNotReached(t *testing.T) {
	base, s := invented(3)
	o := options(base)
	o.Most = 6 << 20
	m, err := With(context.Background(), base, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if c := m.Measured.Streams; len(c) != 1 || c[0].Level != "L3" {
		t.Errorf("streams %+v", c)
	}
	if m.Memory != (machine.Memory{}) || m.Fit(machine.SweepRead) != nil || m.Levels[2].EffectiveSize != nil {
		t.Errorf("memory %+v, L3 %+v", m.Memory, m.Levels[2])
	}
	if !strings.Contains(strings.Join(m.Notes, "\n"), "do not reach past L3") {
		t.Errorf("notes %q", m.Notes)
	}
}

// What some of the cores reach is not what all do.
func TestSomeOfTheCores(t *testing.T) {
	base, s := invented(2)
	o := options(base)
	o.CPUs = []int{0, 1}
	m, err := With(context.Background(), base, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if m.Memory.BandwidthGBs != nil || m.Memory.CoreBandwidthGBs == nil {
		t.Errorf("memory %+v", m.Memory)
	}
}

// What a machine refuses is left out, and said.
func TestGoesOnWhereSomethingIsRefused(t *testing.T) {
	base, s := invented(2)
	s.refuse = func(command string) string {
		switch {
		case strings.HasPrefix(command, "pin"):
			return "cannot stay on CPU 0: Operation not permitted"
		case strings.HasPrefix(command, "region"):
			return "compiled without OpenMP"
		case strings.HasPrefix(command, "operation fma"):
			return "no latency of fma_f64 here"
		}
		return ""
	}
	o := options(base)
	o.CPUs = []int{0}
	m, err := With(context.Background(), base, s, o)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(m.Notes, "\n")
	for _, want := range []string{"Operation not permitted", "without OpenMP", "fma_f64"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes do not tell of %q:\n%s", want, notes)
		}
	}
	if m.Parallel.ForkJoinNs != nil {
		t.Error("a cost of parallel regions out of nothing")
	}
	if _, _, ok := m.Op(machine.FMA, machine.F64); ok {
		t.Error("an fma out of nothing")
	}
}

// What measuring does not answer stays said.
func TestKeepsNotes(t *testing.T) {
	base, s := invented(1)
	base.Notes = []string{"the ways of L1 are not known", machine.NoMemory + "; add them"}
	m, err := With(context.Background(), base, s, options(base))
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes, "ways of L1") || strings.Contains(notes, "add them") {
		t.Errorf("notes %q", notes)
	}
}

func TestSaysThatTheMachineIsBusy(t *testing.T) {
	base, s := invented(1)
	busy := &disturbed{s}
	m, err := With(context.Background(), base, busy, options(base))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(m.Notes, "\n"), "busy") {
		t.Errorf("notes: %q", m.Notes)
	}
}

type disturbed struct{ *synthetic }

func (d *disturbed) Ask(command string) ([]float64, error) {
	if strings.HasPrefix(command, "noise") {
		return []float64{1.02, 1.4, 3, 50}, nil
	}
	return d.synthetic.Ask(command)
}

// An interrupted measurement goes on where it was.
func TestResumes(t *testing.T) {
	base, s := invented(2)
	path := filepath.Join(t.TempDir(), "my.yaml.part")
	measure := func() (*notebook, error) {
		n, err := openNotebook(path, "key", s)
		if err != nil {
			t.Fatal(err)
		}
		defer n.close()
		_, err = With(context.Background(), base, n, options(base))
		return n, err
	}
	s.most = 100
	if _, err := measure(); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	// the last line may be cut off
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)-7], 0o600); err != nil {
		t.Fatal(err)
	}
	s.most, s.asked = 0, 0
	n, err := measure()
	if err != nil {
		t.Fatal(err)
	}
	all := s.asked + n.Kept
	if n.Kept != 99 || s.asked < 100 {
		t.Errorf("%d answers kept, %d asked", n.Kept, s.asked)
	}
	s.asked = 0
	if n, err = measure(); err != nil || s.asked != 0 || n.Kept < all-1 {
		t.Errorf("%d kept of %d, %d asked again: %v", n.Kept, all, s.asked, err)
	}
	if _, err := openNotebook(path, "another key", s); err == nil || !strings.Contains(err.Error(), "another measurement") {
		t.Errorf("answers of another machine are taken, or lost: %v", err)
	}
}

func TestIsInterrupted(t *testing.T) {
	base, s := invented(1)
	ctx, cancel := context.WithCancel(context.Background())
	o := options(base)
	o.Progress = func(done, _ int) {
		if done == 10 {
			cancel()
		}
	}
	if _, err := With(ctx, base, s, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestNoCompiler(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv(CompilerVariable, "")
	if _, err := FindCompiler(nil); !errors.Is(err, ErrNoCompiler) {
		t.Error(err)
	}
	t.Setenv(CompilerVariable, "nonsense")
	if _, err := FindCompiler(nil); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Error(err)
	}
}

func TestCheckFindsDrift(t *testing.T) {
	base, s := invented(2)
	m, err := With(context.Background(), base, s, options(base))
	if err != nil {
		t.Fatal(err)
	}
	o := options(base)
	drifts, err := CheckWith(context.Background(), m, s, o)
	if err != nil || len(drifts) < 20 {
		t.Fatalf("%d drifts, %v", len(drifts), err)
	}
	for _, d := range drifts {
		if math.Abs(d.Change()) > 0.001 {
			t.Errorf("%s changed by %g", d.What, d.Change())
		}
	}
	for i := range s.latency.Ns {
		s.latency.Ns[i] *= 1.2
	}
	drifts, _ = CheckWith(context.Background(), m, s, o)
	for _, d := range drifts {
		if strings.HasPrefix(d.What, "latency") != (math.Abs(d.Change()-0.2) < 0.01) {
			t.Errorf("%s changed by %g", d.What, d.Change())
		}
	}
	if _, err := Check(context.Background(), base, o); !errors.Is(err, ErrNotMeasured) {
		t.Error(err)
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add("ok 1 2 3")
	f.Add("error no")
	f.Fuzz(func(t *testing.T, line string) {
		v, err := parseAnswer("command", line)
		if err != nil && v != nil {
			t.Error(v, err)
		}
	})
}
