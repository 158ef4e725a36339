package accuracy

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"

	"foresee/application"
	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/application/record"
	"foresee/application/recording"
	"foresee/examples"
	"foresee/internal/oracle/kernels"
	"foresee/internal/workspace"
	"foresee/machine"
	"foresee/model/timing"
	"foresee/predict"
)

// pptJacobi are the paper's predictions of Jacobi of 4k × 4k, in seconds times cores, by machine in the order of paperMachines. The paper
// (PPT-Multicore, section 4.2) prints what it measured, and by how much it was too fast: 0.092 s at 8 cores, 36.43 %; 0.119 s at 16, 55.60 %;
// 0.194 s at 16, 58.62 %.
var pptJacobi = []float64{0.092 * (1 - 0.3643) * 8, 0.119 * (1 - 0.5560) * 16, 0.194 * (1 - 0.5862) * 16}

// pptCores are up to how many cores it predicts, by machine.
var pptCores = []int{8, 16, 16}

// What unoptimised code accesses to update an element of Jacobi, as the paper traced it, and how many of those are of the arrays. Counted in
// what clang 14 -O0 makes of the loop in a function whose shared pointers are reached through pointers, as in the paper's figure 3: 12
// pointers and 16 integers beside 6 doubles. At 15 bytes for an address and 14 for each of six marks of basic blocks two sweeps forth and
// back are 39.8 GB; the paper's table 4 has 41 GB.
const (
	pptArrayAccesses = 6
	pptTraceAccesses = 34
	pptTraceBytes    = 6*8 + 12*8 + 16*4
)

// pptReading is one way to read equations 5 to 7 of PPT-Multicore.
type pptReading struct {
	// of is what β is of: "access" is the reciprocal throughput as machine files have it, of an access to L1 and of a line beyond it; "word" is
	// an eighth of that beyond L1; "byte" an eighth in L1 and a 64th beyond it.
	of      string
	perWord bool // what the quotient of eq. 5 is of, and total_mem counted in: words of 8 bytes instead of bytes
	local   bool // P_Li are local hit rates instead of cumulative ones
	trace   bool // all accesses of unoptimised code instead of those to arrays
}

// pptChosen is what timing.PPT does, with the accesses that the paper traced.
var pptChosen = pptReading{of: "word", perWord: true, trace: true}

func pptReadings() (out []pptReading) {
	for _, of := range []string{"access", "word", "byte"} {
		for i := range 8 {
			out = append(out, pptReading{of, i&1 != 0, i&2 != 0, i&4 != 0})
		}
	}
	return out
}

// pptCase is Jacobi on one machine with a number of threads: what foresee finds in the source.
type pptCase struct {
	machine  *machine.Machine
	threads  int
	hitRates []float64 // cumulative, of the accesses to arrays
	bytes    float64   // of arrays
	cpu      float64   // T_CPU, throughput case, in seconds
}

// pptCases predicts Jacobi of 4k × 4k, two sweeps forth and back, on a machine of the paper at 1 … N cores.
func pptCases(ctx context.Context, program *nest.Program, name string, cores int) (out []pptCase, err error) {
	m, err := machine.Load(name)
	if err != nil {
		return nil, err
	}
	var threads []int
	for n := 1; n <= cores; n *= 2 {
		threads = append(threads, n)
	}
	r, err := predict.Run(ctx, predict.Request{
		Signature: application.OfLoops("jacobi-2d", program), Machines: []*machine.Machine{m}, Threads: threads, Model: predict.ModelPPT, Options: predict.Options{Seed: 1},
	})
	if err != nil {
		return nil, err
	}
	for _, p := range r.Predictions {
		if p.Terms == nil {
			return nil, fmt.Errorf("%s: no time: %v", name, p.Warnings)
		}
		c := pptCase{machine: m, threads: p.Threads, bytes: 8 * float64(p.Accesses), cpu: p.Terms.ComputeS}
		for _, h := range p.HitRates {
			c.hitRates = append(c.hitRates, h.HitRate)
		}
		out = append(out, c)
	}
	return out, nil
}

// jacobi is the example at the paper's size.
func jacobi() (*nest.Program, error) {
	work, err := workspace.New("jacobi")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	if err := examples.Extract(work.Path); err != nil {
		return nil, err
	}
	u, err := csource.Load(filepath.Join(work.Path, "jacobi-2d.c"), nil, csource.Options{Defines: []string{"TSTEPS=2", "N=4096"}})
	if err != nil {
		return nil, err
	}
	return u.Programs[0], nil
}

// seconds is what a reading predicts, times the cores.
func (r pptReading) seconds(c pptCase) (float64, error) {
	rates, bytes := c.hitRates, c.bytes
	if r.trace { // scalars hit in L1
		rates = nil
		for _, h := range c.hitRates {
			rates = append(rates, 1-(1-h)*pptArrayAccesses/pptTraceAccesses)
		}
		bytes *= pptTraceBytes / (8.0 * pptArrayAccesses)
	}
	if r.local {
		rates = localRates(rates)
	}
	if r == pptChosen {
		e, err := timing.PPT(timing.PPTInput{Threads: c.threads, HitRates: rates, Bytes: bytes}, c.machine, timing.PPTOptions{})
		if err != nil {
			return 0, err
		}
		return (e.Memory + c.cpu) * float64(c.threads), nil
	}
	cycles := r.average(c.machine, rates) * bytes
	if r.perWord {
		cycles /= timing.PPTWord
	}
	memory, err := c.machine.Seconds(cycles)
	return memory + c.cpu*float64(c.threads), err
}

// localRates turns cumulative hit rates into those of what reaches a level.
func localRates(cumulative []float64) (out []float64) {
	above := 0.0
	for _, h := range cumulative {
		out = append(out, max(h-above, 0)/max(1-above, 1e-300))
		above = max(above, h)
	}
	return out
}

// average is (δ + (b − 1) β)/b, b = 8, in cycles, with the weights of equations 6 and 7.
func (r pptReading) average(m *machine.Machine, rates []float64) float64 {
	inner, outer := 1.0, 1.0 // what a reciprocal throughput is divided by, in L1 and beyond it
	switch r.of {
	case "word":
		outer = 8
	case "byte":
		inner, outer = 8, 64
	}
	cost := func(latency, throughput, by float64) float64 {
		return (latency + (timing.PPTWord-1)*throughput/by) / timing.PPTWord
	}
	ns, _ := m.Cycles(m.Memory.LatencyNs.Value)
	sum := cost(ns, m.Memory.ReciprocalThroughput.Value, outer)
	for i := len(rates) - 1; i >= 0; i-- {
		by := outer
		if i == 0 {
			by = inner
		}
		l := m.Levels[i]
		sum = rates[i]*cost(l.LatencyCycles.Value, l.ReciprocalThroughput.Value, by) + (1-rates[i])*sum
	}
	return sum
}

// pptTable is the table of readings.
func pptTable(ctx context.Context) (*Table, error) {
	program, err := jacobi()
	if err != nil {
		return nil, err
	}
	cases := make([][]pptCase, len(paperMachines))
	for i, name := range paperMachines {
		if cases[i], err = pptCases(ctx, program, name, pptCores[i]); err != nil {
			return nil, err
		}
	}
	t := &Table{
		Title: "PPT-Multicore's equation 5: readings",
		Text: "Predictions of Jacobi of 4k × 4k in seconds times cores, with one core, two sweeps forth and back, hit rates as foresee finds them in the source, latencies and reciprocal throughputs of the machine library; beside them those of the paper, " +
			"worked out from the times and errors that it prints. β is of an access as machine files have it (of a line beyond L1), of a word of 8 bytes (an eighth of that beyond L1), or of a byte. The quotient of equation 5 is multiplied by total_mem in bytes, as printed, or in words. " +
			"P are the cumulative hit rates or the local ones. Accesses are those to arrays, or all that unoptimised code makes (34 instead of 6 for an element). T_CPU is that of the source's operations, in the throughput case. " +
			"Off is the geometric mean of predicted over the paper's; spread how far the machines differ in that (standard deviation of its logarithm): what the ratios between machines leave.",
		Columns: []string{"β of", "times", "P", "accesses", "i7-5960X", "E5-2699 v4", "EPYC 7702P", "ratios", "off", "spread"},
	}
	add := func(cells []string, s []float64) (off, spread float64) {
		off, spread = pptOff(s)
		t.Rows = append(t.Rows, append(cells, fmt.Sprintf("%.3f", s[0]), fmt.Sprintf("%.3f", s[1]), fmt.Sprintf("%.3f", s[2]),
			fmt.Sprintf("1 : %.2f : %.2f", s[1]/s[0], s[2]/s[0]), fmt.Sprintf("%.2f", off), fmt.Sprintf("%.2f", spread)))
		return off, spread
	}
	add([]string{"the paper", "", "", ""}, pptJacobi)
	least, largest, moved, nearest := math.Inf(1), 0.0, 0.0, math.Inf(1)
	for _, r := range pptReadings() {
		var s []float64
		for i := range cases {
			for j, c := range cases[i] {
				v, err := r.seconds(c)
				if err != nil {
					return nil, err
				}
				if j == 0 {
					s = append(s, v)
				}
				moved = max(moved, math.Abs(v/s[i]-1))
			}
		}
		cells := []string{r.of, "bytes", "cumulative", "arrays"}
		for i, said := range []string{"words", "local", "all"} {
			if []bool{r.perWord, r.local, r.trace}[i] {
				cells[i+1] = said
			}
		}
		if r == pptChosen {
			cells[0] += " (built)"
			for i, name := range paperMachines {
				t.value(name, s[i])
			}
		}
		off, spread := add(cells, s)
		least, largest, nearest = min(least, spread), max(largest, s[2]/s[0]), min(nearest, math.Abs(math.Log(off)))
	}
	t.value("off", math.Exp(nearest))
	t.value("spread", least)
	t.value("ratio", largest)
	t.value("cores", moved)
	t.Summary = []string{
		fmt.Sprintf("no reading gives the paper's ratios: the spread is %.2f at least, and the EPYC takes %.2f times as long as the i7 at most, not %.2f", least, largest, pptJacobi[2]/pptJacobi[0]),
		fmt.Sprintf("between one core and 8 or 16, seconds times cores differ by %.1f %% at most", 100*moved),
	}
	return t, nil
}

// pptOff is how predictions lie to the paper's: the geometric mean of their quotients, and the standard deviation of the quotients' logarithms.
func pptOff(s []float64) (mean, spread float64) {
	sum, squares := 0.0, 0.0
	for i := range s {
		l := math.Log(s[i] / pptJacobi[i])
		sum += l / float64(len(s))
		squares += l * l / float64(len(s))
	}
	return math.Exp(sum), math.Sqrt(max(squares-sum*sum, 0))
}

// pptOptimised are the ways that the kernels are compiled: as the paper's traces show its programs, and as usual.
var pptOptimised = []string{"-O0", "-O2"}

// pptTimes compares times by the equations of PPT-Multicore with the clock.
type pptTimes struct {
	table   Table
	machine *machine.Machine
	size    string
	tracer  *tracer // nil where runs are not traced
	errors  []Errors
	signed  []float64 // sums of the logarithms of predicted over measured
}

// pptTimesOf is the table of a size, of the kernels that the paper has too. Runs are traced at no more than SMALL: unoptimised code makes some
// ten times the accesses of the source.
func pptTimesOf(ctx context.Context, o Options, size string) (*Table, error) {
	if _, err := exec.LookPath("gcc"); err != nil {
		return nil, ErrNoCompiler
	}
	t := &pptTimes{machine: o.Machine, size: size}
	if size == "MINI" || size == "SMALL" {
		if tr, err := newTracer(ctx, o); err == nil {
			t.tracer = tr
			defer tr.close()
		}
	}
	t.head()
	names := paperKernels
	if len(o.Kernels) > 0 {
		names = slices.DeleteFunc(slices.Clone(paperKernels), func(name string) bool { return !slices.Contains(o.Kernels, name) })
	}
	if len(names) > 0 {
		err := kernels.With(size, names, func(ks []kernels.Kernel) error {
			return o.each(ctx, ks, func(k kernels.Kernel) error { return t.measure(ctx, k, o.Seed) })
		})
		if err != nil {
			return nil, err
		}
	}
	t.sum()
	return &t.table, nil
}

// ways are how the time is predicted.
func (t *pptTimes) ways() []string {
	if t.tracer == nil {
		return []string{"source"}
	}
	return []string{"source", "run"}
}

func (t *pptTimes) head() {
	t.table = Table{
		Title: "PPT-Multicore's equations as published, at gcc -O0 and -O2, " + t.size,
		Text: fmt.Sprintf("Predicted for machine %s by `--model ppt` against the least of five runs compiled with gcc and -fopenmp, one thread, caches emptied before each, the paper's programs among the kernels, at %s. "+
			"Source: accesses to arrays and operations as the source has them.", t.machine.Name, t.size),
		Columns: []string{"kernel"},
	}
	if t.tracer != nil {
		t.table.Text += " Run: all accesses and operations of a traced run of what clang -O0 makes, which is what the paper predicts from."
	}
	t.table.Text += " Errors are factors: predicted over measured; in the summary the larger of the two over the smaller, and the geometric mean of predicted over measured."
	for _, flag := range pptOptimised {
		t.table.Columns = append(t.table.Columns, "gcc "+flag)
	}
	for _, way := range t.ways() {
		t.table.Columns = append(t.table.Columns, way)
		for _, flag := range pptOptimised {
			t.table.Columns = append(t.table.Columns, "over "+flag)
		}
	}
	n := len(t.ways()) * len(pptOptimised)
	t.errors, t.signed = make([]Errors, n), make([]float64, n)
}

// measure times a kernel, and predicts it in each way.
func (t *pptTimes) measure(ctx context.Context, k kernels.Kernel, seed uint64) error {
	row, measured := []string{k.Name}, make([]float64, len(pptOptimised))
	for i, flag := range pptOptimised {
		var err error
		if measured[i], err = RunKernel(ctx, []string{"gcc", flag, openmp}, k.Path, t.size, 1, FlushBytes(t.machine)); err != nil {
			return err
		}
		row = append(row, Seconds(measured[i]))
	}
	for w := range t.ways() {
		time, err := t.predict(ctx, w, k, seed)
		if err != nil {
			return err
		}
		row = append(row, Seconds(time))
		for i := range pptOptimised {
			f, e := time/measured[i], w*len(pptOptimised)+i
			row = append(row, fmt.Sprintf("%.2f", f))
			t.errors[e].Add(k.Name, math.Exp(math.Abs(math.Log(f))))
			t.signed[e] += math.Log(f)
		}
	}
	t.table.Rows = append(t.table.Rows, row)
	return nil
}

// predict is the time of a kernel, in seconds, from its source (way 0) or from a run of its unoptimised code.
func (t *pptTimes) predict(ctx context.Context, way int, k kernels.Kernel, seed uint64) (seconds float64, err error) {
	of := func(s *application.Signature) error {
		r, err := predict.Run(ctx, predict.Request{Signature: s, Machines: []*machine.Machine{t.machine}, Threads: []int{1}, Model: predict.ModelPPT, Options: predict.Options{Seed: seed}})
		if err != nil {
			return err
		}
		for _, p := range r.Predictions {
			if p.TimeS == nil {
				return fmt.Errorf("%s: %v", k.Name, p.Warnings)
			}
			seconds += *p.TimeS
		}
		return nil
	}
	if way == 0 {
		return seconds, of(application.OfLoops(k.Name, k.Program))
	}
	program, err := t.tracer.build(ctx, k.Name, t.size, pptOptimised[0], openmp) // the last -O counts
	if err != nil {
		return 0, err
	}
	err = t.tracer.run(ctx, record.Run{Program: program, Cuts: []int{1}}, func(src recording.Source) error { return of(application.OfRun(k.Name, src, false)) })
	return seconds, err
}

func (t *pptTimes) sum() {
	for w, way := range t.ways() {
		for i, flag := range pptOptimised {
			e := w*len(pptOptimised) + i
			n := t.errors[e].N()
			if n == 0 {
				continue
			}
			what := fmt.Sprintf("from the %s, gcc %s", way, flag)
			ratio := math.Exp(t.signed[e] / float64(n))
			t.table.value(what, ratio)
			t.table.Summary = append(t.table.Summary, t.errors[e].factors(what)+fmt.Sprintf("; predicted over measured %.2f", ratio))
		}
	}
}
