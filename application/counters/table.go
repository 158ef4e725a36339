package counters

import (
	"fmt"
	"math"
	"slices"

	"foresee/application/counters/input"
)

// Table gathers a profile cell by cell, in any order.
type Table struct {
	Profile
	columns map[string]int
	rows    map[string]int
}

// NewTable makes an empty table of a tool, of which no rank is known.
func NewTable(tool string) *Table {
	return &Table{
		Profile: Profile{Tool: tool, Rank: -1},
		columns: make(map[string]int),
		rows:    make(map[string]int),
	}
}

// NewTableOf makes a table whose size is looked at while the lines are read into it.
func NewTableOf(in *input.Lines, tool string) *Table {
	t := NewTable(tool)
	in.Watch(func() int { return len(t.Events) * len(t.Functions) })
	return t
}

// Column is the place of an event, which is made where it is new.
func (t *Table) Column(event string) int {
	i, there := t.columns[event]
	if !there {
		i = len(t.Events)
		t.columns[event] = i
		t.Events = append(t.Events, event)
	}
	return i
}

// Row is the place of a function, which is made where it is new.
func (t *Table) Row(function string) int {
	i, there := t.rows[function]
	if !there {
		i = len(t.Functions)
		t.rows[function] = i
		t.Functions = append(t.Functions, Function{Name: function})
	}
	return i
}

// cell is where a value stands; NaN until it is set.
func (t *Table) cell(function, event string) *float64 {
	column, f := t.Column(event), &t.Functions[t.Row(function)]
	for len(f.Values) <= column {
		f.Values = append(f.Values, math.NaN())
	}
	return &f.Values[column]
}

// Add sums; a value that was not measured adds nothing.
func (t *Table) Add(function, event string, value float64) {
	cell := t.cell(function, event)
	switch {
	case math.IsNaN(*cell):
		*cell = value
	case !math.IsNaN(value):
		*cell += value
	}
}

// Largest keeps the larger of two values: the time of threads that run side by side.
func (t *Table) Largest(function, event string, value float64) {
	cell := t.cell(function, event)
	if math.IsNaN(*cell) || value > *cell {
		*cell = value
	}
}

// HasFunction tells whether a function has a row.
func (t *Table) HasFunction(function string) bool {
	_, there := t.rows[function]
	return there
}

// Has tells whether a cell holds a number.
func (t *Table) Has(function, event string) bool {
	row, there := t.rows[function]
	column, known := t.columns[event]
	return there && known && column < len(t.Functions[row].Values) && !math.IsNaN(t.Functions[row].Values[column])
}

// Warn adds a warning to the profile, once.
func (t *Table) Warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(t.Warnings, text) {
		t.Warnings = append(t.Warnings, text)
	}
}

// CheckEnd warns of a last line without an end: tools end every line.
func (t *Table) CheckEnd(in *input.Lines) {
	if in.Partial {
		t.Warn("line %d, the last, has no end: the file may be cut off", in.Number)
	}
}

// Done is the profile, its rows filled up.
func (t *Table) Done() Profile {
	for i := range t.Functions {
		for len(t.Functions[i].Values) < len(t.Events) {
			t.Functions[i].Values = append(t.Functions[i].Values, math.NaN())
		}
	}
	return t.Profile
}
