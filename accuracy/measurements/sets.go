// Package measurements holds series that were measured or simulated of applications at growing numbers of processes, and tries models of
// scaling on them: a set is fitted at its smallest numbers of processes and predicted at all larger ones. README.md says where each file
// comes from. A folder of further sets, which foresee may not carry, can be named.
package measurements

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/open"
	"foresee/internal/claims"
	"foresee/model/scaling"
)

//go:embed *.jsonl *.gz smpi/*.jsonl
var folder embed.FS

// Set is a set of series of one application: fit the k smallest numbers of processes, predict all larger ones.
type Set struct {
	Name, file, metric string
	Ks                 []int
	share              float64 // of the set's largest value that a series must reach
	Series             []*scaling.Series
}

// Application is the part of the name that sets of one application share.
func (s *Set) Application() string {
	return strings.FieldsFunc(s.Name, func(r rune) bool { return r == '_' || r == ' ' || r >= '0' && r <= '9' })[0]
}

// Open opens a file of series of those in the program, or the one of its base name in the folder of all data where that has it.
func Open(data, name string) (io.ReadCloser, error) {
	if data != "" {
		f, err := claims.Open(filepath.Join(data, "series", path.Base(name)))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	f, err := folder.Open(name)
	if err == nil {
		return f, nil
	}
	if z, packed := folder.Open(name + ".gz"); packed == nil {
		return z, nil
	}
	return nil, err
}

// Read reads a file of series, from the folder of all data where it is there.
func Read(data, name string) (*counters.Set, error) {
	f, err := Open(data, name)
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
var carried = []Set{
	{Name: "lulesh_weak avg", file: "lulesh_thicket.jsonl", metric: "time_avg", Ks: []int{3, 4}, share: 0.02},
	{Name: "mpi_coll", file: "mpi_coll.jsonl", Ks: []int{3, 4}},
	{Name: "relearn", file: "relearn_n.jsonl", Ks: []int{3, 4}, share: 0.01},
}

// Sets are those that sets.json in the folder names, else those carried.
func Sets(data string) ([]Set, error) {
	sets := slices.Clone(carried)
	if data != "" {
		var err error
		if sets, err = listedSets(filepath.Join(data, "sets.json")); err != nil {
			return nil, err
		}
	}
	for i := range sets {
		set, err := Read(data, sets[i].file)
		if err != nil {
			return nil, err
		}
		if sets[i].Series, err = alongProcesses(set, sets[i].metric, sets[i].share); err != nil {
			return nil, fmt.Errorf("%s: %w", sets[i].file, err)
		}
	}
	return sets, nil
}

func listedSets(path string) ([]Set, error) {
	text, err := claims.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows [][]json.RawMessage
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var out []Set
	for _, row := range rows {
		var s Set
		if len(row) != 5 {
			return nil, fmt.Errorf("%s: a set has %d fields instead of 5", path, len(row))
		}
		for i, to := range []any{&s.Name, &s.file, &s.metric, &s.Ks, &s.share} {
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

// TooLarge is where errors are cut off, in percent: a model that fails wholly fails once.
const TooLarge = 200

// Own is foresee's model with a prior.
func Own(prior scaling.Prior) func([]*scaling.Series) []scaling.Model {
	return func(series []*scaling.Series) []scaling.Model {
		out := make([]scaling.Model, len(series))
		if fits, err := scaling.FitAll(series, prior); err == nil {
			for i, f := range fits {
				out[i] = f
			}
		}
		return out
	}
}

// Outcome is the errors of one set, in percent, and how many measured values lay inside the intervals.
type Outcome struct {
	Errors        []float64
	Inside, Asked int
}

// Median is the median of the errors, in percent.
func (o Outcome) Median() float64 {
	e := slices.Sorted(slices.Values(o.Errors))
	return (e[(len(e)-1)/2] + e[len(e)/2]) / 2
}

// Run fits the first k points of all series with more, and predicts the others.
func (s *Set) Run(k int, fit func([]*scaling.Series) []scaling.Model) (out Outcome) {
	var known, whole []*scaling.Series
	for _, one := range s.Series {
		if len(one.Y) > k {
			known, whole = append(known, first(one, k)), append(whole, one)
		}
	}
	for i, m := range fit(known) {
		for j := k; j < len(whole[i].Y); j++ {
			e := math.Inf(1)
			if m != nil {
				p := m.At(whole[i].At[j])
				e = 100 * scaling.Error(p.Value, whole[i].Y[j])
				if !math.IsNaN(p.Low) {
					out.Asked++
					if whole[i].Y[j] >= p.Low && whole[i].Y[j] <= p.High {
						out.Inside++
					}
				}
			}
			if math.IsNaN(e) {
				e = TooLarge
			}
			out.Errors = append(out.Errors, min(e, TooLarge))
		}
	}
	return out
}
