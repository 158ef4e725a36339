// Package caliper reads the text profiles of LLNL's Caliper (.cali): times and counters by region, of one rank or of all.
package caliper

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// Is tells a file by the record that it begins with.
func Is(head []byte) bool { return bytes.HasPrefix(input.FirstLine(head), []byte("__rec=")) }

// caliper is the state of a reader of Caliper's .cali text.
//
// Source: the format is that of Caliper's CsvWriter and CsvReader; the bits of the properties are in cali_types.h.
type caliper struct {
	in      *input.Lines
	nodes   map[int]caliperNode
	tables  map[int]*counters.Table // by rank
	ranks   []int                   // in the file's order
	channel string                  // of the first record with values
	params  map[string]float64
	globals bool
}

// Read reads one profile for each rank of the file. Regions are named by their path, "main->solve".
func Read(in *input.Lines) ([]counters.Profile, error) {
	c := &caliper{in: in, nodes: make(map[int]caliperNode), tables: make(map[int]*counters.Table), params: make(map[string]float64)}
	for id := range caliperBuiltin + 1 {
		c.nodes[id] = caliperNode{attribute: -1, parent: -1}
	}
	for in.Next() {
		if line := in.Text(); line != "" {
			if err := c.line(line); err != nil {
				return nil, err
			}
		}
	}
	if err := in.Failed(); err != nil {
		return nil, err
	}
	if len(c.ranks) == 0 {
		return nil, in.Fail("no record has both a region and a measured value: the file is cut off, or has no profile; run with Caliper's runtime-report or spot configuration")
	}
	return c.profiles(), nil
}

// profiles are those of the ranks, whose tables must be whole.
func (c *caliper) profiles() []counters.Profile {
	var out []counters.Profile
	for _, rank := range c.ranks {
		t := c.tables[rank]
		t.CheckEnd(c.in)
		if !c.globals {
			t.Warn("there is no record of globals before the end at line %d: the file may be cut off", c.in.Number)
		}
		for _, name := range []string{"mpi.world.size", "jobsize"} {
			if p, known := c.params[name]; known {
				t.Params = map[string]float64{"p": p}
				break
			}
		}
		if len(t.Inclusive) > 0 {
			t.Warn("values of %s hold the regions inside: Caliper wrote no exclusive ones", strings.Join(t.Inclusive, ", "))
		}
		out = append(out, t.Done())
	}
	return out
}

// line reads __rec=KIND,key=value=value,…
func (c *caliper) line(line string) error {
	fields := make(map[string][]string)
	for _, entry := range splitEscaped(line, ',') {
		parts := splitEscaped(entry, '=')
		fields[parts[0]] = parts[1:]
	}
	switch kind := fields["__rec"]; {
	case len(kind) != 1:
		return c.in.Fail("%s has no __rec; is the file cut off?", input.Quote(line))
	case kind[0] == "node":
		return c.node(fields)
	case kind[0] == "ctx":
		return c.record(fields)
	case kind[0] == "globals":
		return c.global(fields)
	}
	return nil
}

// record reads a line of values at a region.
func (c *caliper) record(fields map[string][]string) error {
	refs, err := c.ids("ref", fields["ref"])
	if err != nil {
		return err
	}
	attributes, err := c.ids("attr", fields["attr"])
	if err != nil {
		return err
	}
	values := fields["data"]
	if len(attributes) != len(values) {
		return c.in.Fail("the record has %d attributes and %d values; the file is cut off here: run again", len(attributes), len(values))
	}
	others := make(map[string]string)
	var names []string
	for _, ref := range refs {
		names = append(names, c.path(ref, others)...)
	}
	if len(strings.Join(names, "->")) > input.LongestPath {
		return c.in.Fail("the names of the regions of a record are longer than %d bytes together", input.LongestPath)
	}
	for i, id := range attributes {
		name, _, _ := c.attribute(id)
		others[name] = values[i]
	}
	if len(names) == 0 {
		return nil // what is outside of all regions
	}
	if t := c.table(others); t != nil {
		c.addValues(t, strings.Join(names, "->"), attributes, values)
	}
	return nil
}

// table is the table of a record's rank; nil where the record is of another channel than the first.
func (c *caliper) table(others map[string]string) *counters.Table {
	rank, err := strconv.Atoi(others["mpi.rank"])
	if err != nil {
		rank = -1
	}
	t, there := c.tables[rank]
	channel := others["spot.channel"]
	if len(c.ranks) == 0 {
		c.channel = channel
	}
	if channel != c.channel {
		for _, t := range c.tables {
			t.Warn("records of channel %s were left out: %s is read", input.Quote(channel), input.Quote(c.channel))
		}
		return nil
	}
	if !there {
		t = counters.NewTableOf(c.in, "caliper")
		t.Rank = rank
		c.tables[rank] = t
		c.ranks = append(c.ranks, rank)
	}
	return t
}

// addValues adds the values of a record to the region that it names.
func (c *caliper) addValues(t *counters.Table, path string, attributes []int, values []string) {
	for i, id := range attributes {
		name, alias, _ := c.attribute(id)
		value, err := input.Number(values[i])
		if err != nil || name == "mpi.rank" {
			continue // the name of a thread, a time stamp: not a measurement
		}
		event := name
		if alias != "" {
			event = alias
		}
		if strings.Contains(name, "inclusive#") && !slices.Contains(t.Inclusive, event) {
			t.Inclusive = append(t.Inclusive, event)
		}
		if t.Has(path, event) {
			t.Warn("%s has several records of a region: their values are summed", event)
		}
		t.Add(path, event, value)
	}
}

// global reads what holds for the whole run.
func (c *caliper) global(fields map[string][]string) error {
	c.globals = true
	refs, err := c.ids("ref", fields["ref"])
	if err != nil {
		return err
	}
	attributes, err := c.ids("attr", fields["attr"])
	if err != nil {
		return err
	}
	all := make(map[string]string)
	for _, ref := range refs {
		c.path(ref, all)
	}
	for i, id := range attributes {
		if name, _, _ := c.attribute(id); i < len(fields["data"]) {
			all[name] = fields["data"][i]
		}
	}
	for _, name := range []string{"mpi.world.size", "jobsize"} {
		if p, err := input.Number(all[name]); err == nil {
			c.params[name] = p
		}
	}
	return nil
}
