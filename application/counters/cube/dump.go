package cube

import (
	"bytes"
	"strconv"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// Columns of the tables of cube_dump -s csv2.
const (
	cnodeColumn  = "Cnode ID"
	regionColumn = "Region ID"
	threadColumn = "Thread ID"
)

// IsDump tells a table of cube_dump by the first column's name.
func IsDump(head []byte) bool {
	line := input.FirstLine(head)
	return bytes.HasPrefix(line, []byte(cnodeColumn+",")) || bytes.HasPrefix(line, []byte(regionColumn+","))
}

// ReadDump reads what cube_dump -m METRICS -c all -t all -z excl -s csv2 prints: a line for each callpath and location. Callpaths have numbers alone,
// and each location counts as a process.
//
// Source: CubeLib 4.4, the tool's printer.
func ReadDump(in *input.Lines) ([]counters.Profile, error) {
	d := &dump{in: in, tables: map[int]*counters.Table{}}
	for in.Next() {
		line := strings.TrimSpace(in.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := d.line(strings.Split(line, ",")); err != nil {
			return nil, err
		}
	}
	if err := in.Failed(); err != nil {
		return nil, err
	}
	if len(d.order) == 0 {
		return nil, in.Fail("the table has no row; select callpaths with cube_dump -c all")
	}
	var out []counters.Profile
	for _, thread := range d.order {
		t := d.tables[thread]
		t.CheckEnd(in)
		t.Warn("the table does not say whether its values hold what is called: they are taken for those of cube_dump -z excl")
		if d.threads {
			t.Warn("the table does not tell threads from processes: each location is taken for a process")
			t.Params = map[string]float64{"p": float64(len(d.order))}
		} else {
			t.Summed = true
		}
		out = append(out, t.Done())
	}
	return out, nil
}

// dump is the state of a reader of a table.
type dump struct {
	in      *input.Lines
	head    []string
	kind    string // "cnode" or "region"
	threads bool   // the second column is a location
	tables  map[int]*counters.Table
	order   []int
}

func (d *dump) line(fields []string) error {
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	if d.head == nil || fields[0] == cnodeColumn || fields[0] == regionColumn {
		d.head, d.threads = fields, len(fields) > 1 && fields[1] == threadColumn
		d.kind = strings.ToLower(strings.TrimSuffix(fields[0], " ID"))
		return nil
	}
	if len(fields) != len(d.head) {
		return d.in.Fail("the row has %d columns and the head %d; the file is cut off here: print it again", len(fields), len(d.head))
	}
	thread, first := -1, 1
	if d.threads {
		n, err := strconv.Atoi(fields[1])
		if err != nil || n < 0 {
			return d.in.Fail("%s: the number of a location must stand in column %s", input.Quote(fields[1]), threadColumn)
		}
		thread, first = n, 2
	}
	t := d.tables[thread]
	if t == nil {
		t = counters.NewTableOf(d.in, "cube")
		t.Rank = thread
		d.tables[thread], d.order = t, append(d.order, thread)
	}
	for i := first; i < len(fields); i++ {
		if d.head[i] == "Subroutines" { // what is called, of the metric before
			continue
		}
		v, err := input.Measured(fields[i])
		if err != nil {
			return d.in.Fail("%s: %w", d.head[i], err)
		}
		t.Add(d.kind+" "+fields[0], eventOf(d.head[i]), v)
	}
	return nil
}

// eventOf is the name of a metric's event: the table has no units, and CUBE's times are in seconds.
func eventOf(name string) string {
	m := metric{name: name}
	if name == "time" {
		m.unit = "sec"
	}
	return m.event()
}
