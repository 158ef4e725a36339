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
)

// conflictMachine is a machine that conflicts are counted on, with the page size in bytes, or predict.InOrder.
type conflictMachine struct {
	name   string
	levels string // size/ways of each
	page   int64
}

// conflictMachines are caches as small as the problems; a second level of as many sets as the first; and one of 1024 sets, with data in
// order and in pages.
var conflictMachines = []conflictMachine{
	{"small", "4KiB/8 32KiB/8 256KiB/16", predict.InOrder},
	{"few sets", "8KiB/2 64KiB/16 512KiB/32", predict.InOrder},
	{"1024 sets", "32KiB/8 1MiB/16 8MiB/16", predict.InOrder},
	{"1024 sets, pages", "32KiB/8 1MiB/16 8MiB/16", 4096},
}

// machine describes it.
func (c *conflictMachine) machine() (*machine.Machine, error) {
	var b strings.Builder
	const chosen = "source: chosen for the comparison"
	fmt.Fprintf(&b, "name: %s\ncores: {value: 1, %s}\nline_bytes: {value: 64, %s}\nlevels:\n", strings.NewReplacer(",", "", " ", "-").Replace(c.name), chosen, chosen)
	for i, l := range strings.Fields(c.levels) {
		size, ways, _ := strings.Cut(l, "/")
		fmt.Fprintf(&b, "- name: L%d\n  size: {value: %s, %s}\n  ways: {value: %s, %s}\n  shared_by: {value: 1, %s}\n", i+1, size, chosen, ways, chosen, chosen)
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
	h, _, err := predict.Hierarchy(m, 1, nil)
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
