package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/machine"
	"foresee/predict"
)

const source = `double A[N][N], x[N], y[N], total;
void mv(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      y[i] += A[i][j] * x[j];
}
void sum(void) {
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < N; i++)
    total += x[i];
}
`

func read(t *testing.T, defines ...string) *application.Signature {
	t.Helper()
	f, err := csource.Load("mv.c", []byte(source), csource.Options{Defines: defines})
	if err != nil {
		t.Fatal(err)
	}
	return application.OfLoops("mv.c", f.Programs...)
}

func study(t *testing.T) *Study {
	m, err := machine.Load("i7-5960x")
	if err != nil {
		t.Fatal(err)
	}
	return &Study{
		Input: "mv.c", Sizes: []Axis{{"N", []string{"40", "300"}}},
		Source: func(names, at []string) (*application.Signature, error) {
			return read(t, names[0]+"="+at[0]), nil
		},
		Machines: []*machine.Machine{m}, Changes: []Axis{{"L3.size", []string{"x1", "x2"}}, {"memory.bandwidth_gbs", []string{"20", "40"}}},
		Threads: []int{1, 3}, Settings: Settings{Model: predict.ModelAuto, Seed: 1},
	}
}

func TestSpace(t *testing.T) {
	s := Space{{"a", []string{"1", "2"}}, {"b", []string{"x", "y", "z"}}}
	n, err := s.Points()
	if n != 6 || err != nil {
		t.Fatal(n, err)
	}
	var all []string
	for i := range n {
		all = append(all, strings.Join(s.At(i), ""))
	}
	if got := strings.Join(all, " "); got != "1x 1y 1z 2x 2y 2z" {
		t.Error(got)
	}
	var big Space
	for range 7 {
		big = append(big, Axis{"k", make([]string, 10)})
	}
	if _, err := big.Points(); !errors.As(err, new(*SizeError)) {
		t.Error(err)
	}
}

// TestAgainstPredict compares each row of a sweep with what predict says of the source at that size on that machine.
func TestAgainstPredict(t *testing.T) {
	s, store := study(t), newStore(t)
	p, err := s.Plan(store)
	if err != nil {
		t.Fatal(err)
	}
	p.Block = 3 // of four machines, so that a size is of two units
	r := run(t, p, store)
	if len(r.Rows) != 2*2*2*2*2 || r.Partial {
		t.Fatalf("%d rows, partial %v", len(r.Rows), r.Partial)
	}
	for _, row := range r.Rows {
		m, err := s.Machines[0].With("m", machine.Change{Path: "L3.size", Value: row.At[2]}, machine.Change{Path: "memory.bandwidth_gbs", Value: row.At[3]})
		if err != nil {
			t.Fatal(err)
		}
		threads := 1
		if row.At[4] == "3" {
			threads = 3
		}
		want, err := predict.Run(t.Context(), predict.Request{
			Signature: read(t, "N="+row.At[0]), Machines: []*machine.Machine{m}, Threads: []int{threads}, Options: predict.Options{Seed: 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want.Predictions {
			if w.Region == row.Region && fmt.Sprint(outcome(&w).HitRates, *w.TimeS, *w.TimeLowS, *w.Speedup, w.Accesses) != fmt.Sprint(row.HitRates, *row.TimeS, *row.TimeLowS, *row.Speedup, row.Accesses) {
				t.Errorf("%s at %v: %v in %v, want %v in %v", row.Region, row.At, row.HitRates, *row.TimeS, outcome(&w).HitRates, *w.TimeS)
			}
		}
	}
	for _, b := range r.Best {
		for _, row := range r.Rows {
			if row.Region == b.Region && row.At[0] == b.At[0] && *row.TimeS < *b.TimeS {
				t.Errorf("%s: %v is faster than the best %v", row.Region, row.At, b.At)
			}
		}
	}
}

// TestGoesOn does a part, damages one, and does the rest: units that are there stay as they are.
func TestGoesOn(t *testing.T) {
	s, store := study(t), newStore(t)
	p, err := s.Plan(store)
	if err != nil {
		t.Fatal(err)
	}
	p.Block = 1
	all, err := p.Missing(store)
	if err != nil || len(all) != 8 {
		t.Fatal(len(all), err)
	}
	if err := Task(t.Context(), p, store, 1, 2); err != nil {
		t.Fatal(err)
	}
	if p.Done(store) != 4 {
		t.Errorf("%d of 8 are done by the second of two tasks", p.Done(store))
	}
	part, err := Gather(p, store, true)
	if err != nil || !part.Partial || len(part.Rows) != 4*2*2 {
		t.Errorf("%d rows, %v", len(part.Rows), err)
	}
	if _, err := Gather(p, store, false); !errors.As(err, new(*UnitError)) {
		t.Error(err)
	}
	key, err := p.Key(all[1])
	if err != nil {
		t.Fatal(err)
	}
	path := store.path(results, key)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), `"accesses":`, `"accesses":1`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	left, err := p.Missing(store)
	if err != nil || len(left) != 5 {
		t.Fatalf("%d are missing, %v; want four and the damaged one", len(left), err)
	}
	first := run(t, p, store)
	fresh := newStore(t)
	q, err := study(t).Plan(fresh)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprintf("%+v", values(first)), fmt.Sprintf("%+v", values(run(t, q, fresh))); a != b {
		t.Error("what was done in parts is not what is done at once")
	}
}

func values(r *Result) (all []string) {
	for _, row := range r.Rows {
		all = append(all, fmt.Sprint(row.At, row.Region, row.HitRates, *row.TimeS, row.BoundBy))
	}
	return all
}

// TestKeys changes what a prediction depends on, one thing at a time.
func TestKeys(t *testing.T) {
	store := newStore(t)
	seen := map[string]string{}
	for name, change := range map[string]func(*Study){
		"as it is":  func(*Study) {},
		"threads":   func(s *Study) { s.Threads = []int{1, 2} },
		"seed":      func(s *Study) { s.Settings.Seed = 2 },
		"model":     func(s *Study) { s.Settings.Model = predict.ModelOverlap },
		"program":   func(s *Study) { s.Program = "another" },
		"machine":   func(s *Study) { s.Machines[0].Cores.Value *= 2 },
		"change":    func(s *Study) { s.Changes[0].Values[0] = "x4" },
		"the size":  func(s *Study) { s.Sizes[0].Values[0] = "41" },
		"page size": func(s *Study) { s.Settings.Page = predict.InOrder },
	} {
		s := study(t)
		change(s)
		p, err := s.Plan(store)
		if err != nil {
			t.Fatal(err)
		}
		key, err := p.Key(p.Units()[0])
		if err != nil {
			t.Fatal(err)
		}
		if other, there := seen[key]; there {
			t.Errorf("%s and %s have the same key", name, other)
		}
		seen[key] = name
	}
}

func TestWhatCannotBeSwept(t *testing.T) {
	for want, change := range map[string]func(*Study){
		"L4 is no field":     func(s *Study) { s.Changes = []Axis{{"L4.size", []string{"x2"}}} },
		"the space is empty": func(s *Study) { s.Threads = nil },
		"a sweep has at most": func(s *Study) {
			s.Changes = []Axis{{"L3.size", make([]string, 1000)}, {"L2.size", make([]string, 1000)}}
		},
	} {
		s := study(t)
		change(s)
		if _, err := s.Plan(newStore(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestContradictions leaves out machines of which each value can be and not all together, and nothing else, in units with and without others.
func TestContradictions(t *testing.T) {
	s, store := study(t), newStore(t)
	s.Changes = []Axis{{"L1.size", []string{"32KiB", "512KiB"}}, {"L2.size", []string{"256KiB", "1MiB"}}}
	p, err := s.Plan(store)
	if err != nil {
		t.Fatal(err)
	}
	for _, p.Block = range []int{1, 4} {
		r := run(t, p, store)
		if len(r.Rows) != 2*2*3*2 { // sizes, regions, machines, threads
			t.Errorf("%d rows", len(r.Rows))
		}
		for _, row := range r.Rows {
			alone := *s
			alone.Changes = []Axis{{"L1.size", row.At[2:3]}, {"L2.size", row.At[3:4]}}
			small, err := alone.Plan(store)
			if err != nil {
				t.Fatal(row.At, err)
			}
			for _, other := range run(t, small, store).Rows {
				if fmt.Sprint(other.At, other.Region) == fmt.Sprint(row.At, row.Region) && *other.TimeS != *row.TimeS {
					t.Errorf("%s at %v: %v, alone %v", row.Region, row.At, *row.TimeS, *other.TimeS)
				}
			}
		}
		if len(r.Warnings) == 0 || !strings.HasPrefix(r.Warnings[0], "1 of 4 machines are left out") || !strings.Contains(r.Warnings[0], "256 KiB is not larger than the 512 KiB of L1") {
			t.Errorf("%q", r.Warnings)
		}
	}
	s.Changes = []Axis{{"L1.size", []string{"32KiB", "x900"}}}
	if _, err := s.Plan(store); err == nil || !strings.Contains(err.Error(), "is not larger than") {
		t.Errorf("a value that never can be: %v", err)
	}
}

func TestViews(t *testing.T) {
	s, store := study(t), newStore(t)
	p, err := s.Plan(store)
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, p, store)
	views, err := r.Views("threads", "N")
	if err != nil || len(views) != 2 {
		t.Fatal(views, err)
	}
	for _, v := range views {
		for y, line := range v.Cells {
			for x, cell := range line {
				for _, row := range r.Rows {
					if row.Region == v.Region && row.At[0] == v.By.Values[y] && row.At[4] == v.X.Values[x] && *row.TimeS < *cell.TimeS {
						t.Errorf("%v is faster than %v", row.At, cell.At)
					}
				}
			}
		}
	}
	if _, err := r.Views("size", ""); !errors.As(err, new(*AxisError)) {
		t.Error(err)
	}
}

func newStore(t *testing.T) *Store {
	t.Helper()
	s, err := NewStore(filepath.Join(t.TempDir(), "sweep"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run(t *testing.T, p *Plan, store *Store) *Result {
	t.Helper()
	units, err := p.Missing(store)
	if err != nil {
		t.Fatal(err)
	}
	if err := Local(t.Context(), p, store, units, nil); err != nil {
		t.Fatal(err)
	}
	r, err := Gather(p, store, false)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestInterrupted(t *testing.T) {
	s, store := study(t), newStore(t)
	p, err := s.Plan(store)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Local(ctx, p, store, p.Units(), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzPlan reads damaged plans: none may panic, and what is read can be done.
func FuzzPlan(f *testing.F) {
	f.Add([]byte(`{"schema":"foresee.sweep-plan/v1","axes":[{"name":"machine","values":["a"]},{"name":"threads","values":["1"]}],"machines":[{"name":"a"}],"threads":[1],"sizes":["x"],"block":1}`))
	f.Add([]byte(`{"axes":null}`))
	dir, err := NewStore(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		name := digest(data)
		path := dir.path(plans, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(path)
		p, err := dir.Plan(name)
		if err != nil {
			return
		}
		n, _ := p.Axes.Points()
		if n > 1000 {
			return
		}
		for _, u := range p.Units() {
			if _, err := p.Key(u); err != nil || u.Last > len(p.Machines) {
				t.Error(u, err)
			}
		}
	})
}
