package accuracy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"foresee/application/nest"
	"foresee/application/record"
	"foresee/application/recording"
	"foresee/application/trace"
	"foresee/examples"
	"foresee/internal/oracle/kernels"
	"foresee/internal/workspace"
	"foresee/machine"
	"foresee/model/reuse"
)

// Trace validates recorded runs: what they count, how they are dealt to threads, the hit rates that follow, and that they
// agree with what is read from the source.
func Trace(ctx context.Context, o Options) (*Section, error) {
	s := &Section{Name: "trace"}
	t, err := newTracer(ctx, o)
	if err != nil {
		return nil, err
	}
	defer t.close()
	s.Notes = []string{fmt.Sprintf("Recorded runs, compiled with %s.", t.compiler)}
	for _, table := range []func(context.Context, Options) (*Table, error){t.counts, t.streams, t.paper, t.scaled, t.static} {
		made, err := table(ctx, o)
		if err != nil {
			return nil, err
		}
		s.Tables = append(s.Tables, made)
	}
	return s, nil
}

// tracer builds and runs the kernels.
type tracer struct {
	compiler *record.Compiler
	work     *workspace.Folder
	dir      string
	names    []string
}

func newTracer(ctx context.Context, o Options) (*tracer, error) {
	c, err := record.FindCompiler(ctx, false)
	if err != nil {
		return nil, err
	}
	if !c.Clang {
		return nil, errors.New("recorded runs are validated with clang (Debian: apt-get install clang)")
	}
	work, err := workspace.New("validate")
	if err != nil {
		return nil, err
	}
	t := &tracer{compiler: c, work: work, dir: work.Path, names: o.Kernels}
	if len(t.names) == 0 {
		t.names = examples.Kernels()
	}
	return t, examples.Extract(t.dir)
}

func (t *tracer) close() { _ = t.work.Remove() }

// build compiles a kernel with recording and gives the program.
func (t *tracer) build(ctx context.Context, kernel, size string, flags ...string) (string, error) {
	program := filepath.Join(t.dir, kernel+"-"+size+strings.Join(flags, ""))
	var said bytes.Buffer
	b := &record.Builder{Compiler: t.compiler, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &said}
	args := append(append([]string{"-O2", "-D" + size}, flags...), filepath.Join(t.dir, kernel+".c"), "-o", program, "-lm")
	if err := b.Build(ctx, args); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", kernel, err, said.String())
	}
	return program, nil
}

// run starts a program, hands its recording to f, and waits for its end.
func (t *tracer) run(ctx context.Context, r record.Run, f func(recording.Source) error) error {
	var said bytes.Buffer
	r.Stdout, r.Stderr = io.Discard, &said
	p, err := record.Start(ctx, r)
	if err != nil {
		return err
	}
	failed := f(p)
	if err := p.Wait(); err != nil && failed == nil {
		failed = fmt.Errorf("%w: %s", err, said.String())
	}
	return failed
}

const openmp = "-fopenmp"

// stream is what is compared of a thread.
type stream struct{ accesses, sum, hash uint64 }

func (s *stream) add(e *trace.Event) {
	s.accesses++
	s.sum += e.Address
	s.hash = (s.hash ^ e.Address ^ uint64(e.Kind)<<60 ^ uint64(e.Size)<<50) * 0x9E3779B97F4A7C15
}

// streamsOf gives the streams of the threads of a run.
func (t *tracer) streamsOf(ctx context.Context, program string, threads int, fibers bool) ([]stream, error) {
	out := make([]stream, threads)
	r := record.Run{Program: program, Cuts: []int{threads}}
	if fibers {
		r.Threads = threads
	}
	err := t.run(ctx, r, func(src recording.Source) error {
		team, err := recording.NewTeam(src, recording.Options{Threads: threads})
		if err != nil {
			return err
		}
		defer team.Close()
		return eachEvent(ctx, team, func(events []trace.Event) {
			for i := range events {
				if e := &events[i]; e.IsAccess() {
					out[e.Thread].add(e)
				}
			}
		})
	})
	return out, err
}

func eachEvent(ctx context.Context, src trace.Source, f func([]trace.Event)) error {
	events := make([]trace.Event, 1<<14)
	for {
		n, err := src.Read(events)
		f(events[:n])
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

var streamTeams = []int{1, 3, 4, 16, 64}

// streams compares the threads that one run is cut into with those that run.
func (t *tracer) streams(ctx context.Context, o Options) (*Table, error) {
	size := o.size("MINI")
	table := &Table{
		Title: "One run cut for T threads, against runs with T threads",
		Text: fmt.Sprintf("Kernels at %s: for each thread, the number of its accesses, the sum of the addresses, and a hash of kinds, sizes and addresses in their order, private data included. "+
			"Equal means that all three are, for every thread.", size),
		Columns: []string{"kernel"},
	}
	for _, n := range streamTeams {
		table.Columns = append(table.Columns, fmt.Sprintf("T = %d", n))
	}
	threads, equal := 0, 0
	all := make([]kernels.Kernel, len(t.names))
	for i, name := range t.names {
		all[i].Name = name
	}
	err := o.parallel(ctx, all, func(k kernels.Kernel) (func(), error) {
		row, compared, same, err := t.compareStreams(ctx, k.Name, size)
		return func() {
			threads += compared
			equal += same
			table.Rows = append(table.Rows, row)
		}, err
	})
	if err != nil {
		return nil, err
	}
	table.Summary = []string{fmt.Sprintf("%d of %d threads are equal, in %d kernels", equal, threads, len(t.names))}
	return table, nil
}

func (t *tracer) compareStreams(ctx context.Context, kernel, size string) (row []string, compared, same int, err error) {
	program, err := t.build(ctx, kernel, size, openmp)
	if err != nil {
		return nil, 0, 0, err
	}
	row = []string{kernel}
	for _, n := range streamTeams {
		cut, err := t.streamsOf(ctx, program, n, false)
		if err != nil {
			return nil, 0, 0, err
		}
		ran, err := t.streamsOf(ctx, program, n, true)
		if err != nil {
			return nil, 0, 0, err
		}
		here := 0
		for i := range cut {
			if cut[i] == ran[i] {
				here++
			}
		}
		compared += n
		same += here
		if here == n {
			row = append(row, "equal")
		} else {
			row = append(row, fmt.Sprintf("%d differ", n-here))
		}
	}
	return row, compared, same, nil
}

// paperKernels are the examples that table 4 of PPT-Multicore has as well.
var paperKernels = []string{
	"adi", "atax", "bicg", "black-scholes", "edge-detection", "covariance", "doitgen", "durbin", "gramschmidt", "jacobi-2d", "lu", "2mm", "mvt", "symm",
}

// paperMachines are those of its table 5.
var paperMachines = []string{"i7-5960x", "xeon-e5-2699v4", "epyc-7702p"}

// paper repeats the paper's evaluation.
func (t *tracer) paper(ctx context.Context, o Options) (*Table, error) {
	var machines []*machine.Machine
	for _, name := range paperMachines {
		m, err := machine.Load(name)
		if err != nil {
			return nil, err
		}
		machines = append(machines, m)
	}
	names := paperKernels
	if len(o.Kernels) > 0 {
		names = o.Kernels
	}
	h := newTracedHits(o.size("MEDIUM"), machines, []int{1, 2, 4, 8, 16}, tracedWays[0], tracedWays[3])
	h.Table.Title = "Hit rates from one run: the programs and machines of PPT-Multicore"
	return h.measure(ctx, t, names, o)
}

// scaled does it for all kernels on caches that are small beside the problems.
func (t *tracer) scaled(ctx context.Context, o Options) (*Table, error) {
	m, err := machine.Parse("scaled.yaml", []byte(scaledMachine))
	if err != nil {
		return nil, err
	}
	h := newTracedHits(o.size("SMALL"), []*machine.Machine{m}, []int{1, 2, 4, 8}, tracedWays...)
	h.Table.Title = "Hit rates from one run: all kernels, small caches (4 KiB, 32 KiB, 256 KiB)"
	return h.measure(ctx, t, t.names, o)
}

// static compares curves of the source with curves of the run.
func (t *tracer) static(ctx context.Context, o Options) (*Table, error) {
	size := o.size("SMALL")
	table := &Table{
		Title: "Miss ratio curves from the source and from a run",
		Text: fmt.Sprintf("Kernels at %s, one thread, exact stack distances, 8 sizes an octave from 1 KiB to twice the footprint: the accesses of the source, and those of its code compiled with -O2. "+
			"Compilers leave accesses out (values in registers, vectors), which changes the ratio to the accesses but not the misses: the second error is of misses, both divided by the accesses of the source. What is left comes from where the arrays lie: at the start of a line in the source that is read, elsewhere in the program (with its arrays aligned, fdtd-2d-ppcg agrees to 0.0002).", size),
		Columns: []string{"kernel", "accesses of the source", "of the run", "error of the miss ratio", "error of the misses"},
	}
	var ratios, misses Errors
	err := kernels.With(size, t.names, func(ks []kernels.Kernel) error {
		return o.each(ctx, ks, func(k kernels.Kernel) error {
			source, err := distancesOf(&k)
			if err != nil {
				return err
			}
			program, err := t.build(ctx, k.Name, size)
			if err != nil {
				return err
			}
			ran, err := t.distances(ctx, program)
			if err != nil {
				return err
			}
			ratio, miss := curveErrors(source, ran)
			ratios.Add(k.Name, ratio)
			misses.Add(k.Name, miss)
			table.Rows = append(table.Rows, []string{k.Name, fmt.Sprint(source.Total()), fmt.Sprint(ran.Total()), fmt.Sprintf("%.4f", ratio), fmt.Sprintf("%.4f", miss)})
			return nil
		})
	})
	table.Summary = []string{
		misses.line("mean absolute error of the misses", "%.4f"),
		ratios.line("mean absolute error of the miss ratios, each to its own accesses", "%.4f"),
	}
	return table, err
}

// distancesOf are the exact ones of the accesses of the source.
func distancesOf(k *kernels.Kernel) (*reuse.Histogram, error) {
	s, err := nest.NewStream(k.Program, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		return nil, err
	}
	h, stack := reuse.NewHistogram(reuse.Fine), reuse.NewStack(1)
	var lines []uint64
	s.Each(func(p nest.Place) bool {
		if lines = append(lines, uint64(s.Address(p))); len(lines) == 1<<16 {
			stack.Add(lines, h)
			lines = lines[:0]
		}
		return true
	})
	stack.Add(lines, h)
	return h, nil
}

// distances are the exact ones of the kernel's own accesses in a run without OpenMP.
func (t *tracer) distances(ctx context.Context, program string) (*reuse.Histogram, error) {
	h, stack := reuse.NewHistogram(reuse.Fine), reuse.NewStack(1)
	err := t.run(ctx, record.Run{Program: program, Serial: true}, func(src recording.Source) error {
		team, err := recording.NewTeam(src, recording.Options{Threads: 1, ByFunction: true})
		if err != nil {
			return err
		}
		defer team.Close()
		inside := false
		var lines []uint64
		return eachEvent(ctx, team, func(events []trace.Event) {
			lines = lines[:0]
			for i := range events {
				switch e := &events[i]; {
				case e.Kind == trace.Enter:
					inside = ofKernel(team.Names().Regions[e.Address])
				case inside && e.IsAccess():
					lines = append(lines, linesOf(e)...)
				}
			}
			stack.Add(lines, h)
		})
	})
	return h, err
}

func linesOf(e *trace.Event) []uint64 {
	first, last := e.Address/64, (e.Address+uint64(e.Size)-1)/64
	out := []uint64{first}
	for line := first + 1; line <= last; line++ {
		out = append(out, line)
	}
	return out
}

// curveErrors compares two curves: of the ratios, and of the misses divided by the accesses of the first.
func curveErrors(source, ran *reuse.Histogram) (ratio, misses float64) {
	var lines []float64
	for l := 16.0; l <= 2*float64(max(source.Cold, 16)); l *= math.Pow(2, 1.0/8) {
		lines = append(lines, math.Floor(l))
	}
	a, _ := source.MissRatios(lines)
	b, _ := ran.MissRatios(lines)
	scale := float64(ran.Total()) / math.Max(float64(source.Total()), 1)
	for i := range lines {
		ratio += math.Abs(a[i]-b[i]) / float64(len(lines))
		misses += math.Abs(a[i]-b[i]*scale) / float64(len(lines))
	}
	return ratio, misses
}
