package accuracy

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"foresee/application/nest"
	"foresee/internal/oracle/interpreter"
	"foresee/internal/oracle/kernels"
	"foresee/machine"
)

// Options steer a validation.
type Options struct {
	Kernels  []string // names; empty: all
	Size     string   // MINI to EXTRALARGE; empty: what the validation is made for
	Seed     uint64
	Machine  *machine.Machine      // for times
	Progress func(done, total int) // may be nil
	// Data is the folder of the sets of measured applications for scaling; empty: those that are carried.
	Data string
}

func (o Options) size(usual string) string {
	if o.Size != "" {
		return o.Size
	}
	return usual
}

// each calls f for every kernel, in order, with progress.
func (o Options) each(ctx context.Context, ks []kernels.Kernel, f func(kernels.Kernel) error) error {
	for i, k := range ks {
		if o.Progress != nil {
			o.Progress(i, len(ks))
		}
		if err := f(k); err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// parallel calls f for every kernel on all cores; what f returns is called afterwards, in order.
func (o Options) parallel(ctx context.Context, ks []kernels.Kernel, f func(kernels.Kernel) (func(), error)) error {
	found := make([]func(), len(ks))
	err := o.parallelN(ctx, len(ks), func(i int) (err error) {
		if found[i], err = f(ks[i]); err != nil {
			return fmt.Errorf("%s: %w", ks[i].Name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, store := range found {
		store()
	}
	return nil
}

// parallelN calls f for 0 … n−1 on all cores, with progress.
func (o Options) parallelN(ctx context.Context, n int, f func(i int) error) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	var done atomic.Int64
	for i := range n {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := f(i); err != nil {
				return err
			}
			if d := done.Add(1); o.Progress != nil {
				o.Progress(int(d), n)
			}
			return nil
		})
	}
	return group.Wait()
}

// Cache validates miss ratio curves, of one thread and of four, and hit rates.
func Cache(ctx context.Context, o Options) (*Section, error) {
	s := &Section{Name: "cache"}
	err := kernels.With(o.size("SMALL"), o.Kernels, func(ks []kernels.Kernel) error {
		for _, threads := range []int{1, 4} {
			c := NewCurves(threads, o.size("SMALL"))
			if err := o.parallel(ctx, ks, func(k kernels.Kernel) (func(), error) { return c.measure(ctx, k, o.Seed) }); err != nil {
				return err
			}
			s.Tables = append(s.Tables, c.Finish())
		}
		h, err := NewHits(o.size("SMALL"))
		if err != nil {
			return err
		}
		if err := o.parallel(ctx, ks, func(k kernels.Kernel) (func(), error) {
			return h.measure(ctx, k, []int{1, 2, 4, 8}, o.Seed)
		}); err != nil {
			return err
		}
		s.Tables = append(s.Tables, h.Finish())
		return nil
	})
	return s, err
}

// NextUse checks ranks and next uses against the oracle: every access at MINI, or 20 000 of each team at other
// sizes.
func NextUse(ctx context.Context, o Options) (*Section, error) {
	size, samples := o.size("SMALL"), 20_000
	if size == "MINI" {
		samples = 0
	}
	t := &Table{
		Title: "Places and next uses",
		Text: fmt.Sprintf("Which access comes at a place of the stream, and when its line is used next, found by solving, against a plain interpreter, kernels at %s: "+
			"one thread, and 3, 4 and 7 threads with blocks and chunks of 1 and 4, private and interleaved.", size),
		Columns: []string{"kernel", "compared", "wrong", "given up"},
	}
	var all interpreter.Checked
	err := kernels.With(size, o.Kernels, func(ks []kernels.Kernel) error {
		return o.parallel(ctx, ks, func(k kernels.Kernel) (func(), error) {
			var sum interpreter.Checked
			for _, team := range interpreter.Teams() {
				c, err := interpreter.Check(ctx, k.Program, team, samples, o.Seed)
				if err != nil {
					return nil, err
				}
				sum.Add(c)
			}
			return func() {
				all.Add(sum)
				t.Rows = append(t.Rows, []string{k.Name, fmt.Sprint(sum.Accesses), fmt.Sprint(sum.Wrong), fmt.Sprint(sum.GaveUp)})
			}, nil
		})
	})
	t.Summary = []string{fmt.Sprintf("%d accesses of %d kernels in %d teams: %d wrong, %d given up", all.Accesses, len(t.Rows), len(interpreter.Teams()), all.Wrong, all.GaveUp)}
	return &Section{Name: "nextuse", Tables: []*Table{t}}, err
}

// Time validates run times of one thread on the machine at hand.
func Time(ctx context.Context, o Options) (*Section, error) {
	size := o.size("MEDIUM")
	t := NewTimes(o.Machine, size)
	err := kernels.With(size, o.Kernels, func(ks []kernels.Kernel) error {
		return o.each(ctx, ks, func(k kernels.Kernel) error { return t.Measure(ctx, k, o.Seed) })
	})
	if err != nil {
		return nil, err
	}
	s := &Section{Name: "time", Tables: []*Table{t.Finish()}}
	published := []string{"SMALL", "MEDIUM"}
	if o.Size != "" {
		published = []string{o.Size}
	}
	for _, size := range published {
		p, err := pptTimesOf(ctx, o, size)
		if err != nil {
			return nil, err
		}
		if len(p.Rows) > 0 {
			s.Tables = append(s.Tables, p)
		}
	}
	readings, err := pptTable(ctx)
	if err != nil {
		return nil, err
	}
	s.Tables = append(s.Tables, readings)
	const counted = "SMALL"
	err = kernels.With(counted, o.Kernels, func(ks []kernels.Kernel) error {
		i, err := instructions(ctx, ks, counted, o.Progress)
		s.Tables = append(s.Tables, i)
		return err
	})
	return s, err
}

// Rates measures how fast next uses are found at LARGE and EXTRALARGE, beside a walking sampler.
func Rates(ctx context.Context, o Options) (*Section, error) {
	const limit = 100 * time.Millisecond
	t := NewRates()
	one := nest.Options{Threads: 1, Group: 1, Line: 64}
	sizes := []string{"LARGE", "EXTRALARGE"}
	programs := map[string][]Speed{}
	for _, size := range sizes {
		err := kernels.With(size, o.Kernels, func(ks []kernels.Kernel) error {
			return o.each(ctx, ks, func(k kernels.Kernel) error {
				runtime.GC()
				v, err := MeasureSpeed(k.Program, one, limit)
				programs[k.Name] = append(programs[k.Name], v)
				if size == sizes[0] {
					t.order = append(t.order, k.Name)
				}
				return err
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return &Section{Name: "speed", Tables: []*Table{t.Finish(programs)}}, nil
}
