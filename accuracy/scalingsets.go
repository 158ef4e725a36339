package accuracy

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/open"
	"foresee/files"
	"foresee/model/scaling"
)

//go:embed measurements/*.jsonl measurements/*.gz
var measurements embed.FS

// scalingSet is a set of series of one application: fit the k smallest numbers of processes, predict all larger ones.
type scalingSet struct {
	name, file, metric string
	ks                 []int
	share              float64 // of the set's largest value that a series must reach
	series             []*scaling.Series
}

// application is the part of the name that sets of one application share.
func (s *scalingSet) application() string {
	return strings.FieldsFunc(s.name, func(r rune) bool { return r == '_' || r == ' ' || r >= '0' && r <= '9' })[0]
}

// openMeasurement opens a file of series in the folder of all data, else of those in the program.
func openMeasurement(data, name string) (io.ReadCloser, error) {
	if data != "" {
		f, err := files.Open(filepath.Join(data, "series", name))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	f, err := measurements.Open("measurements/" + name)
	if err == nil {
		return f, nil
	}
	if z, packed := measurements.Open("measurements/" + name + ".gz"); packed == nil {
		return z, nil
	}
	return nil, err
}

func readMeasurement(data, name string) (*counters.Set, error) {
	f, err := openMeasurement(data, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, err := open.Read(name, f)
	if err != nil {
		return nil, err
	}
	if file.Set == nil {
		return nil, fmt.Errorf("%s holds no series", name)
	}
	return file.Set, nil
}

// carried are the sets in the program, for runs without the folder of all of them.
var carried = []scalingSet{
	{name: "lulesh_weak avg", file: "lulesh_thicket.jsonl", metric: "time_avg", ks: []int{3, 4}, share: 0.02},
	{name: "mpi_coll", file: "mpi_coll.jsonl", ks: []int{3, 4}},
	{name: "relearn", file: "relearn_n.jsonl", ks: []int{3, 4}, share: 0.01},
}

// scalingSets are those that sets.json in the folder names, else those carried.
func scalingSets(data string) ([]scalingSet, error) {
	sets := slices.Clone(carried)
	if data != "" {
		var err error
		if sets, err = listedSets(filepath.Join(data, "sets.json")); err != nil {
			return nil, err
		}
	}
	for i := range sets {
		set, err := readMeasurement(data, sets[i].file)
		if err != nil {
			return nil, err
		}
		if sets[i].series, err = alongProcesses(set, sets[i].metric, sets[i].share); err != nil {
			return nil, fmt.Errorf("%s: %w", sets[i].file, err)
		}
	}
	return sets, nil
}

func listedSets(path string) ([]scalingSet, error) {
	text, err := files.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows [][]json.RawMessage
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var out []scalingSet
	for _, row := range rows {
		var s scalingSet
		if len(row) != 5 {
			return nil, fmt.Errorf("%s: a set has %d fields instead of 5", path, len(row))
		}
		for i, to := range []any{&s.name, &s.file, &s.metric, &s.ks, &s.share} {
			if err := json.Unmarshal(row[i], to); err != nil { // null leaves the metric empty: any
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// alongProcesses cuts a set into series over p at fixed other parameters, keeping those that are positive throughout and
// reach a share of the largest value.
func alongProcesses(set *counters.Set, metric string, share float64) ([]*scaling.Series, error) {
	p := slices.Index(set.Parameters, "p")
	if p < 0 {
		return nil, errors.New("the series have no parameter p")
	}
	var out []*scaling.Series
	largest := 0.0
	for _, one := range set.Series {
		if metric != "" && one.Metric != metric {
			continue
		}
		cut := map[string]*scaling.Series{}
		var order []string
		for _, m := range one.Points {
			others := slices.Delete(slices.Clone(m.At), p, p+1)
			key := fmt.Sprint(others)
			s := cut[key]
			if s == nil {
				s = &scaling.Series{Name: one.Callpath + " " + one.Metric + " " + key, Parameters: []string{"p"}}
				cut[key], order = s, append(order, key)
			}
			s.At, s.Y, s.Spread = append(s.At, []float64{m.At[p]}), append(s.Y, m.Median()), append(s.Spread, m.Spread())
			largest = max(largest, m.Median())
		}
		for _, key := range order {
			out = append(out, ascending(cut[key]))
		}
	}
	return slices.DeleteFunc(out, func(s *scaling.Series) bool {
		return !(slices.Min(s.Y) > 0) || slices.Max(s.Y) < share*largest
	}), nil
}

func ascending(s *scaling.Series) *scaling.Series {
	order := make([]int, len(s.Y))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.At[a][0], s.At[b][0]) })
	out := &scaling.Series{Name: s.Name, Parameters: s.Parameters}
	for _, i := range order {
		out.At, out.Y, out.Spread = append(out.At, s.At[i]), append(out.Y, s.Y[i]), append(out.Spread, s.Spread[i])
	}
	return out
}

// first is the k smallest points.
func first(s *scaling.Series, k int) *scaling.Series {
	return &scaling.Series{Name: s.Name, Parameters: s.Parameters, At: s.At[:k], Y: s.Y[:k], Spread: s.Spread[:k]}
}
