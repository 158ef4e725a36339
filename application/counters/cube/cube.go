// Package cube reads the profiles of CUBE, which Score-P and Scalasca write: .cubex archives of CUBE 4, the XML of CUBE 3, and the tables that cube_dump
// prints. Values are those of callpaths, "main->solve", without what they call.
package cube

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// Is tells an archive of tar whose first member is one of CUBE's, or CUBE's XML.
func Is(head []byte) bool {
	if len(head) > 262 && string(head[257:262]) == "ustar" {
		name, _, _ := strings.Cut(string(head[:100]), "\x00")
		return isMember(strings.TrimPrefix(name, "./"))
	}
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) && bytes.Contains(head, []byte("<cube "))
}

// isMember tells the members of an archive by their names.
func isMember(name string) bool {
	return name == anchorName || strings.HasSuffix(name, ".index") || strings.HasSuffix(name, ".data")
}

// Read reads a profile, which has all processes of a run. Counts of a process's threads are summed; of times the largest is taken, as threads run side
// by side.
//
// Source: the file format as Schütz et al., Procedia Computer Science 51, 2015, and the documentation of pyCubexR describe it.
func Read(in *input.Lines) ([]counters.Profile, error) {
	text, err := in.All()
	if err != nil {
		return nil, err
	}
	a, values, err := open(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	r := &reader{anchor: a, values: values}
	if err := r.prepare(); err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	for _, m := range a.metrics {
		if err := r.metric(m); err != nil {
			return nil, fmt.Errorf("%s: metric %s: %w", in.Name, input.Quote(m.name), err)
		}
	}
	return r.profiles(in.Name)
}

// open gives the anchor, and the values of a metric from wherever they are.
func open(text []byte) (*anchor, func(*metric) (map[int][]float64, error), error) {
	if !bytes.HasPrefix(bytes.TrimSpace(text[:min(len(text), 4096)]), []byte("<")) {
		return openArchive(text)
	}
	a, err := readAnchor(text)
	if err != nil {
		return nil, nil, err
	}
	if !a.severities {
		return nil, nil, fmt.Errorf("this is the anchor of a .cubex archive, which names metrics and callpaths and has no values; give the archive itself (profile.cubex)")
	}
	return a, func(m *metric) (map[int][]float64, error) { return a.severity(m), nil }, nil
}

// mostValues bounds what a profile may hold: callpaths times locations times metrics. Chosen: 128 MiB of numbers.
const mostValues = 16 << 20

// reader makes profiles of a file.
type reader struct {
	*anchor
	values func(*metric) (map[int][]float64, error)
	paths  map[int]string
	tables map[int]*counters.Table // by process
	order  []int
	read   int // values so far
}

// prepare names callpaths and makes a table for each process.
func (r *reader) prepare() error {
	if len(r.locations) == 0 || len(r.cnodes) == 0 {
		return fmt.Errorf("it has no location or no callpath: the file is cut off or was not closed; run the program again to its end")
	}
	r.paths = make(map[int]string, len(r.cnodes))
	bytes := 0
	for _, c := range r.cnodes { // a caller comes before what it calls
		path := r.regions[c.region]
		if above, there := r.paths[c.parent]; there {
			path = above + "->" + path
		}
		if bytes += len(path); len(path) > input.LongestPath || bytes > mostValues {
			return fmt.Errorf("the names of its callpaths are longer than can be read; limit the depth of recursion (SCOREP_PROFILING_MAX_CALLPATH_DEPTH)")
		}
		r.paths[c.id] = path
	}
	r.tables = map[int]*counters.Table{}
	for _, l := range r.locations {
		if r.tables[l.process] == nil {
			t := counters.NewTable("cube")
			t.Rank = l.process
			r.tables[l.process], r.order = t, append(r.order, l.process)
		}
	}
	slices.Sort(r.order)
	return nil
}

// metric adds the values of a metric.
func (r *reader) metric(m *metric) error {
	if !m.additive() {
		return nil
	}
	rows, err := r.values(m)
	if err != nil || rows == nil {
		return err
	}
	if r.read += len(rows) * len(r.locations); r.read > mostValues {
		return fmt.Errorf("the profile has more than %d values, callpaths times locations times metrics; profile fewer processes or metrics", mostValues)
	}
	if m.inclusive {
		r.exclude(rows)
	}
	for _, c := range r.cnodes {
		if row := rows[c.id]; row != nil {
			r.add(m, r.paths[c.id], row)
		}
	}
	return nil
}

// exclude takes what is called out of the values of those who call.
func (r *reader) exclude(rows map[int][]float64) {
	for _, c := range r.cnodes { // callers first, so that what is subtracted still holds its callees
		above, row := rows[c.parent], rows[c.id]
		if above == nil || row == nil || c.parent == c.id {
			continue
		}
		for i, v := range row {
			above[i] -= v
		}
	}
}

// add puts a row into the tables of the processes.
func (r *reader) add(m *metric, path string, row []float64) {
	ofProcess := map[int]float64{}
	for i, l := range r.locations {
		v, there := ofProcess[l.process]
		switch {
		case !there:
			ofProcess[l.process] = row[i]
		case m.isTime():
			ofProcess[l.process] = max(v, row[i])
		default:
			ofProcess[l.process] = v + row[i]
		}
	}
	for process, v := range ofProcess {
		if m.isTime() {
			v = max(v, 0) // the difference of two rounded times may be below zero
		}
		r.tables[process].Add(path, m.event(), v)
	}
}

// profiles are those of the processes.
func (r *reader) profiles(name string) ([]counters.Profile, error) {
	var out []counters.Profile
	for _, process := range r.order {
		t := r.tables[process]
		if len(t.Functions) == 0 {
			return nil, fmt.Errorf("%s: no metric has a value that can be added up; profile with Score-P (SCOREP_ENABLE_PROFILING=true)", name)
		}
		t.Params = map[string]float64{"p": float64(len(r.order))}
		out = append(out, t.Done())
	}
	return out, nil
}
