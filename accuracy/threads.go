package accuracy

import (
	"context"
	"fmt"

	"foresee/application/nest"
	"foresee/internal/oracle/interpreter"
	"foresee/internal/oracle/kernels"
	"foresee/model/reuse"
	"foresee/model/schedule"
	"foresee/model/threads"
)

// How much is compared. Chosen for the time that the oracle takes, but for publishedAt.
const (
	interleavings = 5          // seeds of the oracle, and
	fewer         = 2          // where groups and schedules are compared
	longestStream = 25_000_000 // accesses, of what the oracle walks at many threads
	manyLines     = 10_000     // footprint, in lines, of problems that are large beside what many threads need at once
	publishedAt   = 4          // threads that PLUSS collects private intervals at, as in the paper
)

// Threads validates the miss ratio curves that are made from one signature against exact interleavings.
func Threads(ctx context.Context, o Options) (*Section, error) {
	s := &Section{Name: "threads"}
	few, err := sharedCurves(ctx, o, []int{2, 4, 16}, func(name string) ([]kernels.Kernel, error) { return loadKernel(o.size("SMALL"), name) })
	if err != nil {
		return nil, err
	}
	few.Title = "Shared miss ratio curves at 2, 4 and 16 threads, " + o.size("SMALL")
	many, err := sharedCurves(ctx, o, []int{64, 128}, func(name string) ([]kernels.Kernel, error) { return largest(o, name) })
	if err != nil {
		return nil, err
	}
	many.Title = "Shared miss ratio curves at 64 and 128 threads"
	many.Text += fmt.Sprintf(" Each kernel at the largest of SMALL, MEDIUM and LARGE that makes at most %d million accesses.", longestStream/1_000_000)
	groups, err := groupCurves(ctx, o)
	if err != nil {
		return nil, err
	}
	schedules, err := scheduleCurves(ctx, o)
	if err != nil {
		return nil, err
	}
	s.Tables = []*Table{few, many, groups, schedules}
	return s, nil
}

// loadKernel reads one kernel.
func loadKernel(size, name string) (out []kernels.Kernel, err error) {
	err = kernels.With(size, []string{name}, func(ks []kernels.Kernel) error {
		out = ks
		return nil
	})
	return out, err
}

// largest reads a kernel at the largest size that the oracle can walk.
func largest(o Options, name string) ([]kernels.Kernel, error) {
	if o.Size != "" {
		return loadKernel(o.Size, name)
	}
	var best []kernels.Kernel
	for _, size := range []string{"SMALL", "MEDIUM", "LARGE"} {
		ks, err := loadKernel(size, name)
		if err != nil {
			return nil, err
		}
		s, err := nest.NewStream(ks[0].Program, nest.Options{Threads: 1, Group: 1, Line: 64})
		if err != nil {
			return nil, err
		}
		if s.Len() > longestStream && best != nil {
			break
		}
		best = ks
	}
	return best, nil
}

// overKernels calls f for every kernel, on all cores, each read by load when it is its turn; they are listed at the size that is read fastest.
func overKernels(ctx context.Context, o Options, load func(name string) ([]kernels.Kernel, error), f func(kernels.Kernel) (func(), error)) error {
	return kernels.With("MINI", o.Kernels, func(all []kernels.Kernel) error {
		return o.parallel(ctx, all, func(k kernels.Kernel) (func(), error) {
			ks, err := load(k.Name)
			if err != nil {
				return nil, err
			}
			return f(ks[0])
		})
	})
}

// gridText says what errors of curves at curveSizes are.
const gridText = "Errors are mean absolute ones, of the miss ratio of a fully associative LRU cache, over sizes from 1 KiB to about the footprint, eight an octave; accuracy is 1 less the error."

// sharedCurves compares the symbolic and the published model with threads interleaved at random.
func sharedCurves(ctx context.Context, o Options, counts []int, load func(string) ([]kernels.Kernel, error)) (*Table, error) {
	t := &Table{
		Text: fmt.Sprintf("One cache shared by all threads, from one signature made without a number of threads, against the exact distances of threads interleaved uniformly at random (mean of %d seeds). "+
			"Published: PLUSS with private intervals collected at %d threads. "+gridText, interleavings, publishedAt),
		Columns: []string{"kernel", "loops", "accesses", "lines"},
	}
	for _, n := range counts {
		t.Columns = append(t.Columns, fmt.Sprintf("T=%d", n), "worst size", "published")
	}
	symbolic, published, large := make([]Errors, len(counts)), make([]Errors, len(counts)), make([]Errors, len(counts))
	loops := 0
	err := overKernels(ctx, o, load, func(k kernels.Kernel) (func(), error) {
		c, err := newComparison(ctx, k, o.Seed)
		if err != nil {
			return nil, err
		}
		pluss, err := threads.Collect(ctx, k.Program, publishedAt, threads.AnalyseOptions{Seed: o.Seed, Workers: 1})
		if err != nil {
			return nil, err
		}
		row := []string{k.Name, fmt.Sprint(c.loops), fmt.Sprint(c.signature.Accesses), fmt.Sprintf("%.0f", c.signature.Lines)}
		var errs, old []float64
		for _, n := range counts {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			want, err := c.interleaved(k.Program, interleavings, n, n)
			if err != nil {
				return nil, err
			}
			mean, worst := deviation(c.model.Distances(threads.Team{Threads: n, Group: n, Seed: o.Seed}).MissRatios(c.sizes), want)
			other, _ := deviation(pluss.MissRatios(n, c.sizes), want)
			errs, old = append(errs, mean), append(old, other)
			row = append(row, fmt.Sprintf("%.4f", mean), fmt.Sprintf("%.3f", worst), fmt.Sprintf("%.4f", other))
		}
		return func() {
			loops += c.loops
			t.Rows = append(t.Rows, row)
			for i := range counts {
				symbolic[i].Add(k.Name, errs[i])
				published[i].Add(k.Name, old[i])
				if c.signature.Lines >= manyLines {
					large[i].Add(k.Name, old[i])
				}
			}
		}, nil
	})
	for i, n := range counts {
		t.summarise(fmt.Sprintf("symbolic, T = %d", n), &symbolic[i], loops)
		t.summarise(fmt.Sprintf("published, T = %d", n), &published[i], loops)
		if large[i].N() > 0 {
			worst, name := large[i].Worst()
			t.value(fmt.Sprintf("published, T = %d, large", n), 100*(1-large[i].Mean()))
			t.Summary = append(t.Summary, fmt.Sprintf("published, T = %d, only kernels of at least %d lines: accuracy %.2f %%, worst %.2f %% (%s), n = %d",
				n, manyLines, 100*(1-large[i].Mean()), 100*(1-worst), name, large[i].N()))
		}
	}
	return t, err
}

// summarise adds the mean accuracy and the worst of a kind, in percent.
func (t *Table) summarise(what string, f *Errors, loops int) {
	worst, name := f.Worst()
	t.value(what, 100*(1-f.Mean()))
	t.Summary = append(t.Summary, fmt.Sprintf("%s: accuracy %.2f %%, worst %.2f %% (%s), n = %d kernels with %d parallel loops", what, 100*(1-f.Mean()), 100*(1-worst), name, f.N(), loops))
}

// comparison is one kernel's signature, and where its curves are compared.
type comparison struct {
	signature *threads.Signature
	model     *threads.Model
	sizes     []float64 // of caches, in lines
	loops     int       // parallel ones
}

// newComparison analyses a kernel.
func newComparison(ctx context.Context, k kernels.Kernel, seed uint64) (*comparison, error) {
	s, err := threads.Analyse(ctx, k.Program, threads.AnalyseOptions{Seed: seed, Workers: 1})
	if err != nil {
		return nil, err
	}
	c := &comparison{signature: s, model: threads.NewModel(s), sizes: curveSizes(s.Lines)}
	nest.Walk(k.Program.Body, func(n nest.Node) {
		if l, ok := n.(*nest.Loop); ok && l.Work != nil {
			c.loops++
		}
	})
	return c, nil
}

// interleaved gives the exact curve of threads interleaved at random, those of a group sharing a cache.
func (c *comparison) interleaved(p *nest.Program, seeds, count, group int) ([]float64, error) {
	s, err := nest.NewStream(p, nest.Options{Threads: count, Group: count, Line: c.signature.Line})
	if err != nil {
		return nil, err
	}
	return c.average(seeds, count, group, s, func(seed uint64, f func(nest.Place) bool) { s.EachRandom(seed, f) }), nil
}

// scheduled is as interleaved, of all threads, for schedules that deal iterations while the threads run.
func (c *comparison) scheduled(p *nest.Program, count int) ([]float64, error) {
	s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: c.signature.Line, Undealt: true})
	if err != nil {
		return nil, err
	}
	return c.average(fewer, count, count, s, func(seed uint64, f func(nest.Place) bool) { s.EachScheduled(count, seed, f) }), nil
}

// average is the mean of the curves over so many seeds, from 1, of an interleaving that each walks through.
func (c *comparison) average(seeds, count, group int, s *nest.Stream, each func(seed uint64, f func(nest.Place) bool)) []float64 {
	mean := make([]float64, len(c.sizes))
	for seed := range uint64(seeds) {
		h := reuse.NewHistogram(reuse.Fine)
		caches := make([]sharedCache, (count+group-1)/group)
		each(seed+1, func(p nest.Place) bool {
			caches[p.Thread/group].add(uint64(s.Address(p)), h)
			return true
		})
		for i := range caches {
			caches[i].flush(h)
		}
		ratios, _ := h.MissRatios(c.sizes)
		for i, r := range ratios {
			mean[i] += r / float64(seeds)
		}
	}
	return mean
}

// sharedCache measures the stream of one group of threads.
type sharedCache struct {
	stack *reuse.Stack
	lines []uint64 // that were not measured yet
}

// linesAtOnce are how many lines are measured together, which is faster than one by one. Chosen: 32 KiB.
const linesAtOnce = 1 << 12

// add takes the next line.
func (c *sharedCache) add(line uint64, h *reuse.Histogram) {
	c.lines = append(c.lines, line)
	if len(c.lines) == linesAtOnce {
		c.flush(h)
	}
}

// flush measures the lines that were not measured yet.
func (c *sharedCache) flush(h *reuse.Histogram) {
	if c.stack == nil {
		c.stack = reuse.NewStack(1)
	}
	c.stack.Add(c.lines, h)
	c.lines = c.lines[:0]
}

// teamOf is a number of threads and how many share a cache.
type teamOf struct{ count, group int }

// groupCurves compares private caches and those of a part of the threads. Teams and, below, schedules are chosen: few and many threads, and as
// different ones as kernels use.
func groupCurves(ctx context.Context, o Options) (*Table, error) {
	teams := []teamOf{{4, 1}, {64, 1}, {16, 2}, {64, 8}}
	t := &Table{
		Title:   "Private caches and caches of some of the threads, " + o.size("SMALL"),
		Text:    fmt.Sprintf("From the same signatures: caches of one thread, of two neighbouring threads (of a core) and of eight (of a complex). Oracle: as above, mean of %d seeds. "+gridText, fewer),
		Columns: []string{"kernel"},
	}
	figures := make([]Errors, len(teams))
	for _, x := range teams {
		t.Columns = append(t.Columns, fmt.Sprintf("T=%d by %d", x.count, x.group))
	}
	loops := 0
	err := overKernels(ctx, o, func(name string) ([]kernels.Kernel, error) { return loadKernel(o.size("SMALL"), name) }, func(k kernels.Kernel) (func(), error) {
		c, err := newComparison(ctx, k, o.Seed)
		if err != nil {
			return nil, err
		}
		row := []string{k.Name}
		var errs []float64
		for _, x := range teams {
			want, err := c.interleaved(k.Program, fewer, x.count, x.group)
			if err != nil {
				return nil, err
			}
			mean, _ := deviation(c.model.Distances(threads.Team{Threads: x.count, Group: x.group, Seed: o.Seed}).MissRatios(c.sizes), want)
			errs, row = append(errs, mean), append(row, fmt.Sprintf("%.4f", mean))
		}
		return func() {
			loops += c.loops
			t.Rows = append(t.Rows, row)
			for i := range teams {
				figures[i].Add(k.Name, errs[i])
			}
		}, nil
	})
	for i, x := range teams {
		t.summarise(fmt.Sprintf("%d threads, %d a cache", x.count, x.group), &figures[i], loops)
	}
	return t, err
}

// scheduleCurves compares schedules, each put into all loops of every kernel.
func scheduleCurves(ctx context.Context, o Options) (*Table, error) {
	works := []nest.Work{
		{Schedule: schedule.StaticChunk, Chunk: 1},
		{Schedule: schedule.StaticChunk, Chunk: 4},
		{Schedule: schedule.Dynamic, Chunk: 1},
		{Schedule: schedule.Dynamic, Chunk: 4},
		{Schedule: schedule.Guided, Chunk: 1},
	}
	counts := []int{4, 16}
	t := &Table{
		Title: "Schedules, " + o.size("SMALL"),
		Text: fmt.Sprintf("Every parallel loop of every kernel with another schedule, one cache shared by all threads, against exact distances of a simulated team: iterations dealt as libgomp deals them, "+
			"dynamic and guided ones to whichever thread is free, threads interleaved uniformly at random (mean of %d seeds). "+gridText, fewer),
		Columns: []string{"kernel"},
	}
	figures := make([]Errors, len(works)*len(counts))
	for _, w := range works {
		for _, n := range counts {
			t.Columns = append(t.Columns, fmt.Sprintf("%s, T=%d", scheduleName(w), n))
		}
	}
	loops := 0
	err := overKernels(ctx, o, func(name string) ([]kernels.Kernel, error) { return loadKernel(o.size("SMALL"), name) }, func(k kernels.Kernel) (func(), error) {
		row := []string{k.Name}
		var errs []float64
		var c *comparison
		for _, w := range works {
			changed := kernels.Kernel{Name: k.Name, Path: k.Path, Program: interpreter.WithSchedule(k.Program, w.Schedule, w.Chunk)}
			var err error
			if c, err = newComparison(ctx, changed, o.Seed); err != nil {
				return nil, err
			}
			for _, n := range counts {
				want, err := c.scheduled(changed.Program, n)
				if err != nil {
					return nil, err
				}
				mean, _ := deviation(c.model.Distances(threads.Team{Threads: n, Group: n, Seed: o.Seed}).MissRatios(c.sizes), want)
				errs, row = append(errs, mean), append(row, fmt.Sprintf("%.4f", mean))
			}
		}
		return func() {
			loops += c.loops
			t.Rows = append(t.Rows, row)
			for i := range figures {
				figures[i].Add(k.Name, errs[i])
			}
		}, nil
	})
	for i, w := range works {
		for j, n := range counts {
			t.summarise(fmt.Sprintf("schedule(%s), T = %d", scheduleName(w), n), &figures[i*len(counts)+j], loops)
		}
	}
	return t, err
}

// scheduleName is a schedule as OpenMP writes it.
func scheduleName(w nest.Work) string {
	if w.Schedule == schedule.StaticChunk {
		return fmt.Sprintf("static, %d", w.Chunk)
	}
	return fmt.Sprintf("%s, %d", w.Schedule, w.Chunk)
}
