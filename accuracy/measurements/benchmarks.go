// Package measurements holds series that were measured or simulated of applications at growing numbers of processes, and tries models of
// scaling on them: those of a [Benchmark] are fitted at their smallest numbers of processes and predicted at all larger ones. README.md says
// where each file comes from. A folder of data that foresee may not carry can be named: it holds sets.json, which lists its benchmarks, and
// in series/ the files that these name.
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

// Benchmark is a set of series of one application, of which the k smallest numbers of processes are fitted and all larger ones predicted.
type Benchmark struct {
	Name, file string
	metric     string  // of the file, whose series are taken; "": all
	Ks         []int   // the k that are tried
	share      float64 // of the file's largest value that the largest of a series must reach: smaller ones are mostly noise
	Series     []*scaling.Series
}

// Application is the part of the name that benchmarks of one application share: "cp2k" of "cp2k_mpi calls", "opensbli" of "opensbli1024 t1".
func (b *Benchmark) Application() string {
	return strings.FieldsFunc(b.Name, func(r rune) bool { return r == '_' || r == ' ' || r >= '0' && r <= '9' })[0]
}

// Open opens a file of series: the one of its base name in the folder of all data, where that is named and has it, else the one in the program,
// packed or not. What is packed comes so; package open unpacks it.
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

// carried are the benchmarks in the program, for runs without the folder of all of them. The k and the shares are chosen: k leave
// larger runs to be predicted, and a region with less than a hundredth or a fiftieth of the largest value is mostly noise.
var carried = []Benchmark{
	{Name: "lulesh_weak avg", file: "lulesh_thicket.jsonl", metric: "time_avg", Ks: []int{3, 4}, share: 0.02},
	{Name: "mpi_coll", file: "mpi_coll.jsonl", Ks: []int{3, 4}},
	{Name: "relearn", file: "relearn_n.jsonl", Ks: []int{3, 4}, share: 0.01},
}

// Benchmarks are those that sets.json in the folder of all data lists, else those carried.
func Benchmarks(data string) ([]Benchmark, error) {
	all := slices.Clone(carried)
	if data != "" {
		var err error
		if all, err = listed(filepath.Join(data, "sets.json")); err != nil {
			return nil, err
		}
	}
	for i := range all {
		set, err := Read(data, all[i].file)
		if err != nil {
			return nil, err
		}
		if all[i].Series, err = alongProcesses(set, all[i].metric, all[i].share); err != nil {
			return nil, fmt.Errorf("%s: %w", all[i].file, err)
		}
	}
	return all, nil
}

// listed reads the benchmarks of a sets.json: a list of lists of name, file, metric or null, the k, and share.
func listed(path string) ([]Benchmark, error) {
	text, err := claims.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no sets.json, which lists its series: lists of name, file, metric or null, the k, and share", filepath.Dir(path))
	}
	if err != nil {
		return nil, err
	}
	var rows [][]json.RawMessage
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var out []Benchmark
	for _, row := range rows {
		var b Benchmark
		fields := []any{&b.Name, &b.file, &b.metric, &b.Ks, &b.share}
		if len(row) != len(fields) {
			return nil, fmt.Errorf("%s: a set has %d fields instead of %d", path, len(row), len(fields))
		}
		for i, to := range fields {
			if err := json.Unmarshal(row[i], to); err != nil { // null leaves the metric empty: any
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		out = append(out, b)
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

// ascending is the series with its points in the order of their numbers of processes.
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

// first is the series of the first k points.
func first(s *scaling.Series, k int) *scaling.Series {
	return &scaling.Series{Name: s.Name, Parameters: s.Parameters, At: s.At[:k], Y: s.Y[:k], Spread: s.Spread[:k]}
}

// TooLarge is where errors are cut off, in percent, so that how far a model is off that has failed does not matter. Chosen; a comparison
// with Extra-P 4.2.5 on the same benchmarks cut off there as well.
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

// Combined is foresee's model with a prior beside the laws that it is combined with.
func Combined(prior scaling.Prior) func([]*scaling.Series) []scaling.Model {
	return func(series []*scaling.Series) []scaling.Model {
		out := make([]scaling.Model, len(series))
		if fits, err := scaling.Combine(series, prior); err == nil {
			for i, f := range fits {
				out[i] = f
			}
		}
		return out
	}
}

// Outcome is the errors of one benchmark, in percent, one for each predicted point of each series; of those with an interval, Asked in number,
// Inside had the measured value in it.
type Outcome struct {
	Errors        []float64
	Inside, Asked int
}

// Median is the median of the errors, in percent.
func (o Outcome) Median() float64 {
	e := slices.Sorted(slices.Values(o.Errors))
	return (e[(len(e)-1)/2] + e[len(e)/2]) / 2
}

// Run fits the first k points of all series with more, and predicts the others. A model that is nil or gives no number counts as TooLarge.
func (b *Benchmark) Run(k int, fit func([]*scaling.Series) []scaling.Model) (out Outcome) {
	var known, whole []*scaling.Series
	for _, one := range b.Series {
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
