package counters

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// table gathers a profile cell by cell, in any order.
type table struct {
	Profile
	columns map[string]int
	rows    map[string]int
}

func newTable(tool string) *table {
	return &table{
		Profile: Profile{Tool: tool, Rank: -1},
		columns: make(map[string]int),
		rows:    make(map[string]int),
	}
}

// column is the place of an event, which is made where it is new.
func (t *table) column(event string) int {
	i, there := t.columns[event]
	if !there {
		i = len(t.Events)
		t.columns[event] = i
		t.Events = append(t.Events, event)
	}
	return i
}

// row is the place of a function, which is made where it is new.
func (t *table) row(function string) int {
	i, there := t.rows[function]
	if !there {
		i = len(t.Functions)
		t.rows[function] = i
		t.Functions = append(t.Functions, Function{Name: function})
	}
	return i
}

// cell is where a value stands; NaN until it is set.
func (t *table) cell(function, event string) *float64 {
	column, f := t.column(event), &t.Functions[t.row(function)]
	for len(f.Values) <= column {
		f.Values = append(f.Values, math.NaN())
	}
	return &f.Values[column]
}

// add sums; a value that was not measured adds nothing.
func (t *table) add(function, event string, value float64) {
	cell := t.cell(function, event)
	switch {
	case math.IsNaN(*cell):
		*cell = value
	case !math.IsNaN(value):
		*cell += value
	}
}

// largest keeps the larger of two values: the time of threads that run side by side.
func (t *table) largest(function, event string, value float64) {
	cell := t.cell(function, event)
	if math.IsNaN(*cell) || value > *cell {
		*cell = value
	}
}

// has tells whether a cell holds a number.
func (t *table) has(function, event string) bool {
	row, there := t.rows[function]
	column, known := t.columns[event]
	return there && known && column < len(t.Functions[row].Values) && !math.IsNaN(t.Functions[row].Values[column])
}

func (t *table) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(t.Warnings, text) {
		t.Warnings = append(t.Warnings, text)
	}
}

// checkEnd warns of a last line without an end: tools end every line.
func (t *table) checkEnd(in *lines) {
	if in.partial {
		t.warn("line %d, the last, has no end: the file may be cut off", in.number)
	}
}

// done is the profile, its rows filled up.
func (t *table) done() Profile {
	for i := range t.Functions {
		for len(t.Functions[i].Values) < len(t.Events) {
			t.Functions[i].Values = append(t.Functions[i].Values, math.NaN())
		}
	}
	return t.Profile
}

// largestNumber is the largest that a tool may write, so that sums stay finite.
const largestNumber = 1e300

// number reads a finite number.
func number(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a number", quote(text))
	}
	if math.IsNaN(v) || math.Abs(v) > largestNumber {
		return 0, fmt.Errorf("%s is not a finite number", quote(text))
	}
	return v, nil
}

// measured reads a number that may be "nan", "-" or nothing where a tool measured nothing.
func measured(text string) (float64, error) {
	switch strings.ToLower(strings.Trim(text, " +-")) {
	case "", "nan", "inf":
		return math.NaN(), nil
	}
	return number(text)
}
