package predict_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"foresee/application"
	"foresee/application/nest"
	"foresee/internal/oracle/interpreter"
	"foresee/internal/oracle/kernels"
	"foresee/machine"
	"foresee/model/cache"
	"foresee/predict"
)

// flat is a machine with one cache in which every set is the whole cache, so that a reuse hits exactly where its distance is below the lines.
func flat(t *testing.T, bytes string) *machine.Machine {
	t.Helper()
	m, err := machine.Parse("flat.yaml", []byte(`
name: flat
cores: {value: 4, source: test}
frequency_ghz: {value: 1, source: test}
line_bytes: {value: 64, source: test}
levels:
  - name: L1
    size: {value: `+bytes+`, source: test}
    shared_by: {value: 1, source: test}
`))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// walked is what the interpreter knows of one access of the text.
type walked struct {
	made, first, hits float64
	after, found      map[*nest.Access]float64 // by who used the line last: all, and those that the cache serves
}

// walk runs a program on one thread the slow way, through a cache of so many lines, and counts by access of the text.
func walk(t *testing.T, p *nest.Program, lines int64) map[*nest.Access]*walked {
	t.Helper()
	s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	sim, err := cache.NewSimulator(cache.Hierarchy{LineBytes: 64, Threads: 1, Levels: []cache.Level{{Name: "L1", Geometry: cache.Geometry{Lines: lines, Ways: lines}, SharedBy: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		object int
		number int64
	}
	last := map[line]*nest.Access{}
	all := map[*nest.Access]*walked{}
	streams := interpreter.Streams(p, nest.Options{Threads: 1, Group: 1, Line: 64})
	i := 0
	s.Each(func(place nest.Place) bool {
		a := s.Reference(place.Reference).Origin()
		if placed := streams[0][i]; placed.Object != a.Object || placed.Line != place.Line {
			t.Fatalf("access %d: the interpreter is elsewhere", i)
		}
		i++
		w := all[a]
		if w == nil {
			w = &walked{after: map[*nest.Access]float64{}, found: map[*nest.Access]float64{}}
			all[a] = w
		}
		w.made++
		key := line{place.Object, place.Line}
		hit := 0.0
		if sim.Access(0, uint64(s.Address(place)), a.Write) == 0 {
			hit = 1
		}
		w.hits += hit
		if before := last[key]; before != nil {
			w.after[before]++
			w.found[before] += hit
		} else {
			w.first++
		}
		last[key] = a
		return true
	})
	return all
}

// TestAccesses compares what is told of each access with every access of kernels run by an interpreter and a simulated cache. At this size all
// accesses are drawn, so that who used a line last is exact; hit rates are those of estimated distances.
func TestAccesses(t *testing.T) {
	worst, mean, n := 0.0, 0.0, 0.0
	names := []string{"gemm", "jacobi-2d", "atax", "trisolv", "syrk", "cholesky", "transpose", "seidel-2d", "stream-triad"}
	err := kernels.With("MINI", names, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			m := flat(t, "2KiB")
			out, err := predict.Accesses(context.Background(), predict.AccessRequest{
				Signature: application.OfLoops(k.Name, k.Program), Machine: m, Threads: 1,
				Options: predict.Options{Seed: 1, Samples: 1 << 24},
			})
			if err != nil {
				return err
			}
			oracle := walk(t, k.Program, 2<<10/64)
			for _, x := range out.Regions[0].References {
				a, w := find(oracle, x.Line, x.Column, x.Write)
				if a == nil {
					t.Errorf("%s: %s at %d:%d is never made", k.Name, x.Text, x.Line, x.Column)
					continue
				}
				if math.Abs(x.Accesses-w.made) > 1e-6*w.made {
					t.Errorf("%s: %s at %d:%d: %v accesses, the interpreter makes %v", k.Name, x.Text, x.Line, x.Column, x.Accesses, w.made)
				}
				if off := math.Abs(x.Served[0] - w.hits/w.made); w.made >= 50 {
					mean, worst, n = mean+off, max(worst, off), n+1
					if off > 0.15 {
						t.Errorf("%s: %s at %d:%d: L1 serves %.3f, simulated %.3f", k.Name, x.Text, x.Line, x.Column, x.Served[0], w.hits/w.made)
					}
				}
				checkReuses(t, k.Name, x, w)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("hit rates of single accesses: off by %.4f in the mean, %.4f at worst, n = %.0f", mean/n, worst, n)
	if mean/n > 0.01 {
		t.Errorf("hit rates of single accesses are off by %.4f in the mean", mean/n)
	}
}

// find is the access of the text at a place.
func find(all map[*nest.Access]*walked, line, column int, write bool) (*nest.Access, *walked) {
	for a, w := range all {
		if a.Pos.Line == line && a.Pos.Column == column && a.Write == write {
			return a, w
		}
	}
	return nil, nil
}

// checkReuses compares who used the line last. Shares are of what is not a first use, as who makes those is an estimate.
func checkReuses(t *testing.T, name string, x predict.Reference, w *walked) {
	t.Helper()
	again := w.made - w.first
	told := 0.0
	for _, r := range x.Reuses {
		told += r.Share
	}
	if again == 0 || told == 0 {
		return
	}
	for before, count := range w.after {
		got, hits := 0.0, 0.0
		for _, r := range x.Reuses {
			if r.Line == before.Pos.Line && r.Column == before.Pos.Column && r.Write == before.Write {
				got += r.Share / told
				hits += r.Share / told * r.Served[0]
			}
		}
		if math.Abs(hits-w.found[before]/again) > 0.15 {
			t.Errorf("%s: %s at %d:%d after %s: L1 serves %.4f of the reuses, simulated %.4f", name, x.Text, x.Line, x.Column, before.Text, hits, w.found[before]/again)
		}
		if math.Abs(got-count/again) > 0.005 {
			t.Errorf("%s: %s at %d:%d after %s: %.4f of the reuses, the interpreter has %.4f", name, x.Text, x.Line, x.Column, before.Text, got, count/again)
		}
	}
}

// TestAccessesOfGemm has a closed form: by i, k, j each line of B comes back in the next iteration of i, after all of B (80 rows of 9 lines, lines that
// rows share counted once) and the rows of C and A.
func TestAccessesOfGemm(t *testing.T) {
	err := kernels.With("SMALL", []string{"gemm"}, func(ks []kernels.Kernel) error {
		out, err := predict.Accesses(context.Background(), predict.AccessRequest{
			Signature: application.OfLoops("gemm", ks[0].Program), Machine: flat(t, "32KiB"), Threads: 1, Options: predict.Options{Seed: 1},
		})
		if err != nil {
			return err
		}
		region := out.Regions[0]
		i := slices.IndexFunc(region.References, func(x predict.Reference) bool { return x.Text == "B[k][j]" })
		if i < 0 {
			t.Fatalf("no B[k][j] in %+v", region.References)
		}
		b := region.References[i]
		if b.StrideBytes != 8 || b.Write || b.Accesses != 60*80*70 {
			t.Errorf("B[k][j]: %+v", b)
		}
		far := slices.IndexFunc(b.Reuses, func(r predict.Reuse) bool { return r.Loop == "i" })
		if far < 0 {
			t.Fatalf("no reuse of B by loop i: %+v", b.Reuses)
		}
		// 80·70·8 bytes of B are 700 lines; a row of C has 70·8/64 = 8.75, one of A 10. A line of B is met again after the others, 8 uses of it
		// in a row: an eighth of its accesses, give or take lines that rows share.
		if d := b.Reuses[far].Distance; d < 700 || d > 725 {
			t.Errorf("B comes back after %v lines", d)
		}
		if s := b.Reuses[far].Share; s < 0.12 || s > 0.14 {
			t.Errorf("a share of %v of B's accesses comes back by loop i", s)
		}
		for _, x := range region.References {
			sum := 0.0
			for _, s := range x.Served {
				sum += s
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("%s: served %v", x.Text, x.Served)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTimesAddUp says that the times of loops make up that of the region, and those of arrays that of memory.
func TestTimesAddUp(t *testing.T) {
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	err = kernels.With("MEDIUM", []string{"gemm", "2mm", "jacobi-2d", "deriche"}, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			for _, n := range []int{1, 8} {
				s := application.OfLoops(k.Name, k.Program)
				o := predict.Options{Seed: 1, Effort: 0.05}
				p, err := predict.Run(context.Background(), predict.Request{Signature: s, Machines: []*machine.Machine{m}, Threads: []int{n}, Options: o})
				if err != nil {
					return err
				}
				a, err := predict.Accesses(context.Background(), predict.AccessRequest{Signature: s, Machine: m, Threads: n, Options: o})
				if err != nil {
					return err
				}
				want, terms := *p.Predictions[0].TimeS, p.Predictions[0].Terms
				outer, byArray := 0.0, 0.0
				for _, l := range a.Regions[0].Loops {
					if l.InLine == 0 {
						outer += *l.TimeS
					}
				}
				for _, x := range a.Regions[0].Arrays {
					byArray += *x.TimeS
				}
				if math.Abs(outer-(want-terms.ParallelS)) > 0.01*want {
					t.Errorf("%s, %d threads: loops take %g, the region %g less %g", k.Name, n, outer, want, terms.ParallelS)
				}
				lines := 0.0
				for _, level := range terms.Levels {
					lines += level.TimeS
				}
				if math.Abs(byArray-lines) > 1e-6*lines {
					t.Errorf("%s, %d threads: arrays take %g, memory %g", k.Name, n, byArray, lines)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
