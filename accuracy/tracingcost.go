package accuracy

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"foresee/application"
	"foresee/application/record"
	"foresee/application/recording"
	"foresee/machine"
	"foresee/predict"
)

// TraceCost measures what recording costs: time beside the uninstrumented program, bytes, and memory as runs grow longer.
func TraceCost(ctx context.Context, o Options) (*Section, error) {
	t, err := newTracer(ctx, o)
	if err != nil {
		return nil, err
	}
	defer t.close()
	s := &Section{Name: "tracecost", Notes: []string{fmt.Sprintf("Recorded runs, compiled with %s.", t.compiler)}}
	tables := []func(context.Context, Options) (*Table, error){t.cost}
	if len(o.Kernels) == 0 { // of the kernels alone, where some are named
		tables = append(tables, t.growth, t.machines)
	}
	for _, table := range tables {
		made, err := table(ctx, o)
		if err != nil {
			return nil, err
		}
		s.Tables = append(s.Tables, made)
	}
	return s, nil
}

// repeats make runs long enough to be timed.
const repeats = 3

// costs of one kernel, in seconds.
type costs struct {
	plain, recorded, sampled, exact float64
	references                      int64
	bytes                           int64
}

func (t *tracer) cost(ctx context.Context, o Options) (*Table, error) {
	size := o.size("MEDIUM")
	table := &Table{
		Title: "What recording costs",
		Text: fmt.Sprintf("Kernels at %s, %d times over, one thread, -O2 -fopenmp. Times of the whole run as multiples of the uninstrumented program's: recorded – the recording is read and thrown away; sampled – miss ratio curve by a sample of the lines (shards) while the program runs; "+
			"exact – by exact stack distances. Bytes are those that the program writes for each access, before compression.", size, repeats),
		Columns: []string{"kernel", "accesses", "plain s", "recorded", "sampled", "exact", "bytes an access"},
	}
	var figures [3]Errors
	var bytes Errors
	for i, k := range t.names {
		if o.Progress != nil {
			o.Progress(i, len(t.names))
		}
		c, err := t.measureCost(ctx, k, size)
		if err != nil {
			return nil, err
		}
		row := []string{k, fmt.Sprint(c.references), fmt.Sprintf("%.3f", c.plain)}
		for j, s := range []float64{c.recorded, c.sampled, c.exact} {
			figures[j].Add(k, s/c.plain)
			row = append(row, fmt.Sprintf("%.1f", s/c.plain))
		}
		each := float64(c.bytes) / math.Max(float64(c.references), 1)
		bytes.Add(k, each)
		table.Rows = append(table.Rows, append(row, fmt.Sprintf("%.4f", each)))
	}
	for j, what := range []string{"recorded", "sampled", "exact"} {
		worst, name := figures[j].Worst()
		table.Summary = append(table.Summary, fmt.Sprintf("%s: geometric mean ×%.1f, worst ×%.1f (%s), n = %d", what, figures[j].geometric(), worst, name, figures[j].N()))
	}
	table.Summary = append(table.Summary, bytes.line("bytes an access", "%.4f"))
	return table, nil
}

// geometric is the geometric mean.
func (f *Errors) geometric() float64 {
	sum := 0.0
	for _, v := range f.values {
		sum += math.Log(v)
	}
	return math.Exp(sum / math.Max(float64(len(f.values)), 1))
}

func (t *tracer) measureCost(ctx context.Context, kernel, size string) (c costs, err error) {
	repeat := fmt.Sprintf("-DREPEAT=%d", repeats)
	program, err := t.build(ctx, kernel, size, openmp, repeat)
	if err != nil {
		return c, err
	}
	plain := program + "-plain"
	args := []string{"-O2", "-D" + size, repeat, filepath.Join(t.dir, kernel+".c"), "-o", plain, "-lm"}
	if exec.CommandContext(ctx, t.compiler.Path, append(args, openmp)...).Run() != nil { // without libomp, as one thread
		if out, err := exec.CommandContext(ctx, t.compiler.Path, append(args, "-Wno-everything")...).CombinedOutput(); err != nil {
			return c, fmt.Errorf("%w\n%s", err, out)
		}
	}
	c.plain = best(3, func() error {
		cmd := exec.CommandContext(ctx, plain)
		cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1")
		return cmd.Run()
	})
	run := record.Run{Program: program, Cuts: []int{1}}
	c.recorded = best(2, func() error {
		return t.run(ctx, run, func(src recording.Source) error {
			counted := &counter{Source: src}
			err := recording.Drain(counted)
			c.bytes = counted.bytes
			return err
		})
	})
	c.sampled = best(1, func() error { return t.run(ctx, run, t.curves(ctx, predict.MethodShards, &c.references)) })
	c.exact = best(1, func() error { return t.run(ctx, run, t.curves(ctx, predict.MethodExact, &c.references)) })
	return c, ctx.Err()
}

// best is the shortest of some times; infinite where all failed.
func best(times int, f func() error) float64 {
	out := math.Inf(1)
	for range times {
		began := time.Now()
		if f() == nil {
			out = min(out, time.Since(began).Seconds())
		}
	}
	return out
}

// counter counts the bytes of records.
type counter struct {
	recording.Source
	bytes int64
}

func (c *counter) Next() (*recording.Record, error) {
	r, err := c.Source.Next()
	if err == nil && r.IsOfRun() {
		c.bytes += int64(len(r.Data)) + 8
	}
	return r, err
}

func (t *tracer) curves(ctx context.Context, method string, accesses *int64) func(recording.Source) error {
	return func(src recording.Source) error {
		r, err := predict.Curves(ctx, predict.CurveRequest{
			Signature: application.OfRun("", src, false), Threads: []int{1}, Method: method, Options: predict.Options{Rate: 0.01, Seed: 1},
		})
		if err != nil {
			return err
		}
		*accesses = 0
		for _, c := range r.Curves {
			*accesses += c.Accesses
		}
		return nil
	}
}

// longRun makes as many accesses as it is told, over arrays of the same size, some at random.
const longRun = `#include <stdio.h>
#include <stdlib.h>
static double a[1 << 16], b[1 << 16];
int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) / 4 : 1;
    long rounds = n >> 16;
    unsigned long at = 1;
    for (long r = 0; r < rounds; r++) {
#pragma omp parallel for
        for (int i = 0; i < 1 << 16; i++)
            a[i] = a[i] * 0.5 + b[(i * 7) & 0xffff];
        for (int i = 0; i < 16; i++)
            at = at * 6364136223846793005ul + 1442695040888963407ul;
        b[at >> 48] += 1.0;
    }
    printf("%g\n", a[5]);
    return 0;
}
`

// growth shows that memory does not grow with the length of a run.
func (t *tracer) growth(ctx context.Context, _ Options) (*Table, error) {
	table := &Table{
		Title: "Memory as a recorded run grows longer",
		Text: "A program of our own that makes so many accesses to arrays of 1 MiB, under `foresee mrc --method shards --threads 1,4` and `foresee mrc --threads 1`: " +
			"the peak memory of foresee, and the time.",
		Columns: []string{"accesses", "shards, 1 and 4 threads, MiB", "s", "exact, 1 thread, MiB", "s"},
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	source := filepath.Join(t.dir, "long.c")
	if err := os.WriteFile(source, []byte(longRun), 0o644); err != nil {
		return nil, err
	}
	program, err := t.build(ctx, "long", "LONG", openmp)
	if err != nil {
		return nil, err
	}
	for _, n := range []string{"100000000", "1000000000", "10000000000"} {
		row := []string{n}
		for _, args := range [][]string{{"--method", "shards", "--threads", "1,4"}, {"--threads", "1"}} {
			began := time.Now()
			cmd := exec.CommandContext(ctx, self, append(append([]string{"mrc", "--machine", "i7-5960x", "--sizes", "32KiB"}, args...), program, "--", n)...)
			cmd.Stdout = io.Discard
			var said strings.Builder
			cmd.Stderr = &said
			peak, err := runPeak(cmd)
			if err != nil {
				return nil, fmt.Errorf("%w: %s", err, said.String())
			}
			row = append(row, fmt.Sprintf("%.1f", float64(peak)/(1<<20)), fmt.Sprintf("%.1f", time.Since(began).Seconds()))
		}
		table.Rows = append(table.Rows, row)
	}
	return table, nil
}

// machines shows what one reading of a recording costs for more machines.
func (t *tracer) machines(ctx context.Context, _ Options) (*Table, error) {
	table := &Table{
		Title: "Machines that one reading of a recording serves",
		Text: "`foresee predict --threads 1` and `--threads 1,4,16` of recordings of kernels at SMALL, 20 times over, for the first machines of `foresee machine list`: CPU time of foresee, the recording read once, and as a multiple of " +
			"that for one machine; peak memory, most of which are the tags of the caches.",
		Columns: []string{"kernel", "machines", "1 thread, CPU s", "times", "1, 4 and 16 threads, CPU s", "times", "MiB"},
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	all := machine.Library()
	for _, k := range []string{"gemm", "jacobi-2d"} {
		file := filepath.Join(t.dir, k+".rec")
		record := exec.CommandContext(ctx, self, "trace", "-DSMALL", "-DREPEAT=20", "--threads", "1,4,16", "-o", file, filepath.Join(t.dir, k+".c"))
		if out, err := record.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
		var first [2]float64
		for _, n := range []int{1, 2, 4, 8, 16, len(all)} {
			row, peak := []string{k, fmt.Sprint(n)}, int64(0)
			for i, threads := range []string{"1", "1,4,16"} {
				args := []string{"predict", "--threads", threads}
				for _, m := range all[:n] {
					args = append(args, "--machine", m)
				}
				cmd := exec.CommandContext(ctx, self, append(args, file)...)
				if peak, err = runPeak(cmd); err != nil {
					return nil, fmt.Errorf("foresee predict of %d machines: %w", n, err)
				}
				s := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
				if n == 1 {
					first[i] = s
				}
				row = append(row, fmt.Sprintf("%.2f", s), fmt.Sprintf("×%.1f", s/first[i]))
			}
			table.Rows = append(table.Rows, append(row, fmt.Sprintf("%.0f", float64(peak)/(1<<20))))
		}
	}
	return table, nil
}

// runPeak runs a command and gives its peak memory in bytes, as the system tells while it runs: what it tells afterwards may be
// that of the process which started it.
func runPeak(cmd *exec.Cmd) (peak int64, err error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	status := fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)
	for {
		select {
		case err := <-ended:
			return peak, err
		case <-time.After(10 * time.Millisecond):
		}
		text, err := os.ReadFile(status)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), "VmHWM:")
		var kib int64
		if _, err := fmt.Sscan(rest, &kib); err == nil {
			peak = max(peak, kib<<10)
		}
	}
}
