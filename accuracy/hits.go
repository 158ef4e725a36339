package accuracy

import (
	"context"
	"fmt"
	"math"
	"strings"

	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
	"foresee/internal/oracle/kernels/sets"
	"foresee/machine"
	"foresee/model/cache"
	"foresee/predict"
	"foresee/predict/hierarchy"
)

// scaledMachine is a machine with caches as small as the problems: small enough that every kernel at SMALL is
// larger than the last level, or near it.
const scaledMachine = `
name: scaled
cores: {value: 8, source: chosen for the comparison}
line_bytes: {value: 64, source: chosen for the comparison}
levels:
- name: L1
  size: {value: 4KiB, source: chosen for the comparison}
  ways: {value: 8, source: chosen for the comparison}
  shared_by: {value: 1, source: chosen for the comparison}
- name: L2
  size: {value: 32KiB, source: chosen for the comparison}
  ways: {value: 8, source: chosen for the comparison}
  shared_by: {value: 1, source: chosen for the comparison}
- name: L3
  size: {value: 256KiB, source: chosen for the comparison}
  ways: {value: 16, source: chosen for the comparison}
  shared_by: {value: 8, source: chosen for the comparison}
`

// Hits is the accuracy of hit rates.
type Hits struct {
	Table  Table
	All    Errors // of the default model
	SDCM   Errors // of the paper's, lines falling into sets at random
	Levels map[string]*Errors

	machine *machine.Machine
}

// NewHits begins a comparison of SDCM's hit rates with a simulation of a whole machine: private set-associative
// LRU levels that pass their misses on to a shared one, fed with the same interleaved streams.
func NewHits(size string) (*Hits, error) {
	m, err := machine.Parse("scaled.yaml", []byte(scaledMachine))
	if err != nil {
		return nil, err
	}
	out := &Hits{machine: m, Levels: map[string]*Errors{}, Table: Table{
		Title: "Cache hit rates",
		Text: fmt.Sprintf("SDCM on sampled reuse distances, with conflicts taken from where the lines lie (the default, placed) and as published (sdcm), against an exact simulation of set-associative LRU caches (L1 4 KiB, 8 ways, and L2 32 KiB, 8 ways, private; L3 256 KiB, 16 ways, shared by all) "+
			"that see the same round-robin interleaved streams, kernels at %s. Errors in percentage points of the cumulative hit rate, predicted − simulated.", size),
		Columns: []string{"kernel", "threads"},
	}}
	for _, l := range m.Levels {
		out.Levels[l.Name] = &Errors{}
		out.Table.Columns = append(out.Table.Columns, l.Name+" simulated", "placed", "sdcm")
	}
	return out, nil
}

// Finish gives the table.
func (h *Hits) Finish() *Table {
	h.Table.Summary = []string{
		h.All.line("placed, absolute error in points over all levels", "%.2f"),
		h.SDCM.line("sdcm, as published, over all levels", "%.2f"),
	}
	for _, l := range h.machine.Levels {
		h.Table.Summary = append(h.Table.Summary, h.Levels[l.Name].line("placed, "+l.Name, "%.2f"))
	}
	return &h.Table
}

// hitRow is one kernel at one number of threads.
type hitRow struct {
	threads                 int
	simulated, placed, sdcm []float64
}

// measure compares one kernel; what it returns adds it.
func (h *Hits) measure(ctx context.Context, k kernels.Kernel, threads []int, seed uint64) (func(), error) {
	analysis := predict.NewAnalysis(ctx, k.Program, predict.Options{Seed: seed, ThreadsModel: predict.ThreadsExact, Page: predict.InOrder})
	var rows []hitRow
	for _, n := range threads {
		row := hitRow{threads: n}
		var err error
		if row.simulated, err = simulate(k.Program, h.machine, n); err != nil {
			return nil, err
		}
		if row.placed, err = rates(analysis, h.machine, n, predict.HitModelPlaced); err != nil {
			return nil, err
		}
		if row.sdcm, err = rates(analysis, h.machine, n, predict.HitModelSDCM); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return func() {
		for _, r := range rows {
			h.add(k.Name, r)
		}
	}, nil
}

func rates(a *predict.Analysis, m *machine.Machine, threads int, model string) ([]float64, error) {
	rates, err := a.HitRates(m, threads, model)
	out := make([]float64, len(rates))
	for i, r := range rates {
		out[i] = r.HitRate
	}
	return out, err
}

func (h *Hits) add(kernel string, r hitRow) {
	cells := []string{kernel, fmt.Sprint(r.threads)}
	for i, l := range h.machine.Levels {
		points, published := 100*(r.placed[i]-r.simulated[i]), 100*(r.sdcm[i]-r.simulated[i])
		name := fmt.Sprintf("%s, %s, %d thread%s", kernel, l.Name, r.threads, plural(r.threads))
		h.All.Add(name, math.Abs(points))
		h.SDCM.Add(name, math.Abs(published))
		h.Levels[l.Name].Add(name, math.Abs(points))
		cells = append(cells, fmt.Sprintf("%.2f %%", 100*r.simulated[i]), fmt.Sprintf("%+.2f", points), fmt.Sprintf("%+.2f", published))
	}
	h.Table.Rows = append(h.Table.Rows, cells)
}

// simulate gives the cumulative hit rate of every level.
func simulate(p *nest.Program, m *machine.Machine, threads int) ([]float64, error) {
	s, err := nest.NewStream(p, nest.Options{Threads: threads, Group: threads, Line: 64})
	if err != nil {
		return nil, err
	}
	h, _, err := hierarchy.Of(m, threads, nil)
	if err != nil {
		return nil, err
	}
	simulator, err := cache.NewSimulator(h)
	if err != nil {
		return nil, err
	}
	s.Each(func(a nest.Place) bool {
		// Reads: the model does not know of lines that writes of other threads take away.
		simulator.Access(a.Thread, uint64(s.Address(a)), false)
		return true
	})
	hits := make([]float64, len(m.Levels))
	for i, l := range simulator.Counts().Levels {
		hits[i] = 1 - float64(l.Misses)/float64(s.Len())
	}
	return hits, nil
}

// conflictMachine is a machine that conflicts are counted on, with the page size in bytes, or predict.InOrder.
type conflictMachine struct {
	name   string
	levels string // size/ways of each
	page   int64
	policy string // that lines are replaced by; "": LRU
}

// conflictMachines are caches as small as the problems; a second level of as many sets as the first; and one of 1024 sets, with data in
// order and in pages.
var conflictMachines = []conflictMachine{
	{"small", "4KiB/8 32KiB/8 256KiB/16", predict.InOrder, ""},
	{"few sets", "8KiB/2 64KiB/16 512KiB/32", predict.InOrder, ""},
	{"1024 sets", "32KiB/8 1MiB/16 8MiB/16", predict.InOrder, ""},
	{"1024 sets, pages", "32KiB/8 1MiB/16 8MiB/16", 4096, ""},
	{"small, tree-PLRU, pages", "4KiB/8 32KiB/8 256KiB/16", 4096, "tree-PLRU"},
	{"1024 sets, tree-PLRU, pages", "32KiB/8 1MiB/16 8MiB/16", 4096, "tree-PLRU"},
}

// machine describes it.
func (c *conflictMachine) machine() (*machine.Machine, error) {
	var b strings.Builder
	const chosen = "source: chosen for the comparison"
	fmt.Fprintf(&b, "name: %s\ncores: {value: 1, %s}\nline_bytes: {value: 64, %s}\nlevels:\n", strings.ToLower(strings.NewReplacer(",", "", " ", "-").Replace(c.name)), chosen, chosen)
	for i, l := range strings.Fields(c.levels) {
		size, ways, _ := strings.Cut(l, "/")
		fmt.Fprintf(&b, "- name: L%d\n  size: {value: %s, %s}\n  ways: {value: %s, %s}\n  shared_by: {value: 1, %s}\n", i+1, size, chosen, ways, chosen, chosen)
		if c.policy != "" {
			fmt.Fprintf(&b, "  replacement: {value: %s, %s}\n", c.policy, chosen)
		}
	}
	return machine.Parse(c.name+".yaml", []byte(b.String()))
}

// conflictCase is a program, and whether it is held back: nothing was developed on it.
type conflictCase struct {
	name    string
	program *nest.Program
	held    bool
}

// conflictCases are the kernels at a size and, where not only some of them are asked for, the programs of package sets, halved by their names.
func (o Options) conflictCases(ks []kernels.Kernel, size string) (out []conflictCase, err error) {
	if len(o.Kernels) == 0 {
		for _, c := range sets.Cases() {
			p, err := c.Program()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
			out = append(out, conflictCase{c.Name, p, sets.HeldBack(c.Name)})
		}
	}
	for _, k := range ks {
		name := k.Name + " " + size
		out = append(out, conflictCase{name, k.Program, sets.HeldBack(name)})
	}
	return out, nil
}

// conflictRow is a case on a machine: cumulative hit rates by level.
type conflictRow struct {
	simulated, placed, sdcm []float64
}

// measure compares the hit rates of one program on one machine.
func (c *conflictMachine) measure(ctx context.Context, p *nest.Program, seed uint64) (r conflictRow, err error) {
	m, err := c.machine()
	if err != nil {
		return r, err
	}
	if r.simulated, err = simulatePlaced(p, m, c.page); err != nil {
		return r, err
	}
	a := predict.NewAnalysis(ctx, p, predict.Options{Seed: seed, Page: c.page, Workers: 1})
	if r.placed, err = rates(a, m, 1, predict.HitModelPlaced); err != nil {
		return r, err
	}
	r.sdcm, err = rates(a, m, 1, predict.HitModelSDCM)
	return r, err
}

// simulatePlaced gives the cumulative hit rate of every level for one thread, pages of so many bytes lying anywhere.
func simulatePlaced(p *nest.Program, m *machine.Machine, page int64) ([]float64, error) {
	s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		return nil, err
	}
	h, _, err := hierarchy.Of(m, 1, nil)
	if err != nil {
		return nil, err
	}
	simulator, err := cache.NewSimulator(h)
	if err != nil {
		return nil, err
	}
	colouring := cache.NewColouring(page, 64)
	batch := make([]uint64, 0, 4096)
	s.Each(func(a nest.Place) bool {
		write := uint64(0)
		if s.Reference(a.Reference).Write {
			write = 1
		}
		if batch = append(batch, colouring.Line(uint64(s.Address(a)))<<1|write); len(batch) == cap(batch) {
			simulator.Run(0, batch)
			batch = batch[:0]
		}
		return true
	})
	simulator.Run(0, batch)
	hits := make([]float64, len(m.Levels))
	for i, l := range simulator.Counts().Levels {
		hits[i] = 1 - float64(l.Misses)/float64(s.Len())
	}
	return hits, nil
}

// Conflicts validates hit rates where lines meet in few sets.
func Conflicts(ctx context.Context, o Options) (*Section, error) {
	size := o.size("SMALL")
	out := &Section{Name: "conflicts"}
	err := kernels.With(size, o.Kernels, func(ks []kernels.Kernel) error {
		cases, err := o.conflictCases(ks, size)
		if err != nil {
			return err
		}
		for i := range conflictMachines {
			t, err := o.conflictTable(ctx, cases, i)
			if err != nil {
				return err
			}
			out.Tables = append(out.Tables, t)
		}
		return nil
	})
	return out, err
}

// conflictTable compares all cases on one machine.
func (o Options) conflictTable(ctx context.Context, cases []conflictCase, number int) (*Table, error) {
	c := &conflictMachines[number]
	t := &Table{
		Title: "Hit rates on " + c.name,
		Text: fmt.Sprintf("Cumulative hit rates of one thread, LRU caches of %s (size/ways), %s, against exact simulation of every access. Errors in percentage points, predicted − simulated. "+
			"Programs of rows a power of two apart and beside it, and the kernels at %s. Halved by a hash of their names: nothing was developed on half B.", c.levels, c.pages(), o.size("SMALL")),
		Columns: []string{"program", "half"},
	}
	for i := range strings.Fields(c.levels) {
		t.Columns = append(t.Columns, fmt.Sprintf("L%d simulated", i+1), "placed", "sdcm")
	}
	rows := make([]conflictRow, len(cases))
	err := o.parallelN(ctx, len(cases), func(i int) (err error) {
		rows[i], err = c.measure(ctx, cases[i].program, o.Seed)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.conflictRows(cases, rows)
	return t, nil
}

// conflictRows writes the rows and sums them up by half.
func (t *Table) conflictRows(cases []conflictCase, rows []conflictRow) {
	var placed, sdcm [2]Errors
	for i, c := range cases {
		half := map[bool]string{false: "A", true: "B"}[c.held]
		row := []string{c.name, half}
		for l, s := range rows[i].simulated {
			points, published := 100*(rows[i].placed[l]-s), 100*(rows[i].sdcm[l]-s)
			name := fmt.Sprintf("%s, L%d", c.name, l+1)
			h := half[0] - 'A'
			placed[h].Add(name, math.Abs(points))
			sdcm[h].Add(name, math.Abs(published))
			row = append(row, fmt.Sprintf("%.2f %%", 100*s), fmt.Sprintf("%+.2f", points), fmt.Sprintf("%+.2f", published))
		}
		t.Rows = append(t.Rows, row)
	}
	for h := range placed {
		worst, _ := placed[h].Worst()
		t.value(fmt.Sprintf("mean, half %c", 'A'+h), placed[h].Mean())
		t.value(fmt.Sprintf("worst, half %c", 'A'+h), worst)
		t.Summary = append(t.Summary,
			placed[h].line(fmt.Sprintf("placed, half %c, absolute error in points", 'A'+h), "%.2f"),
			sdcm[h].line(fmt.Sprintf("sdcm, as published, half %c", 'A'+h), "%.2f"))
	}
}

// pages says how data lie in memory.
func (c *conflictMachine) pages() string {
	if c.page < 0 {
		return "data in order in memory"
	}
	return fmt.Sprintf("pages of %d bytes anywhere in memory, in the same places for both", c.page)
}
