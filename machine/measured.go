package machine

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/machine/bandwidth"
)

// Measured is what a machine's values were measured from, and what was fitted to it.
type Measured struct {
	Source  string        `yaml:"source"`               // when, and with which compiler
	Page    Size          `yaml:"page_bytes,omitempty"` // of the pages that sweeps ran in
	Noise   *Noise        `yaml:"noise,omitempty,flow"`
	Chases  []Curve       `yaml:"chases,omitempty"` // ns a load against bytes
	Sweeps  []Curve       `yaml:"sweeps,omitempty"` // GB/s of used elements against bytes
	Teams   []Team        `yaml:"teams,omitempty"`
	Regions []RegionCost  `yaml:"regions,omitempty"`
	Vector  []VectorOp    `yaml:"vector_operations,omitempty"`
	Fits    []MeasuredFit `yaml:"fits,omitempty"`

	PrefetchStreams *Value[int]   `yaml:"prefetch_streams,omitempty,flow"` // of lines in sequence that prefetchers follow side by side
	Streams         []StreamCurve `yaml:"streams,omitempty"`               // what that was found from
}

// Noise is how evenly the machine worked: times of the same work over the shortest.
type Noise struct {
	Median  float64 `yaml:"median"`
	P90     float64 `yaml:"p90"`
	P99     float64 `yaml:"p99"`
	Longest float64 `yaml:"longest"`
}

// Curve is a measured quantity against the size of the array.
type Curve struct {
	Kind   string `yaml:"kind"`   // of sweeps read, update or vector; of chases small or huge pages
	Stride int    `yaml:"stride"` // of sweeps in elements of 8 bytes, of chases in bytes
	// Of sweeps with work: products and sums of each element, one after another, and arrays side by side.
	Work    int          `yaml:"work,omitempty"`
	Streams int          `yaml:"streams,omitempty"`
	Lines   int          `yaml:"lines,omitempty"`       // of sweeps in tiles: their width
	Points  [][3]float64 `yaml:"points,omitempty,flow"` // bytes, value, spread
}

// StreamCurve is the time of a line of several streams that are passed over in turn, each load waiting for the one before.
type StreamCurve struct {
	Level  string       `yaml:"level"`       // where the lines lie
	Bytes  Size         `yaml:"bytes"`       // of all streams together
	Points [][3]float64 `yaml:"points,flow"` // streams, ns a line, spread
}

// Team is the bandwidth of several cores at once, each over an array of its own.
type Team struct {
	Level   string  `yaml:"level"` // where the arrays lie
	Stride  int     `yaml:"stride"`
	Threads int     `yaml:"threads"`
	GBs     float64 `yaml:"gbs"`       // of all, of used elements
	Slowest float64 `yaml:"slowest"`   // GB/s of the slowest thread
	Alone   float64 `yaml:"alone_gbs"` // of one thread alone
}

// RegionCost is what OpenMP costs so many threads.
type RegionCost struct {
	Threads    int     `yaml:"threads"`
	ForkJoinNs float64 `yaml:"fork_join_ns"` // of an empty parallel region
	BarrierNs  float64 `yaml:"barrier_ns"`
}

// VectorOp is the cost of an operation on a vector.
type VectorOp struct {
	Kind                 string  `yaml:"kind"`
	Type                 string  `yaml:"type"`
	Lanes                int     `yaml:"lanes"`
	LatencyCycles        float64 `yaml:"latency_cycles"`
	ReciprocalThroughput float64 `yaml:"reciprocal_throughput"`
}

// MeasuredFit is bandwidth as a function of use, for one kind of sweep.
type MeasuredFit struct {
	Kind   string             `yaml:"kind"`
	Form   bandwidth.Extended `yaml:"form"`
	Errors bandwidth.Errors   `yaml:"errors,flow"` // of the points that it was fitted to
}

// Relative errors from which a bandwidth function is rough. Chosen, from those that were measured: of quiet machines the mean is at most some nine percent, one point
// in ten is off by more than a fifth, and the worst point is off by three times.
const (
	roughMean  = 0.1
	roughTenth = 0.3 // of one point in ten
	roughWorst = 3
)

// Rough says whether the errors of the function are so large that who uses it should know.
func (f *MeasuredFit) Rough() bool {
	return f.Errors.Mean > roughMean || f.Errors.P90 > roughTenth || f.Errors.Worst > roughWorst
}

// RoughFits says, of each bandwidth function with large errors, how large they are.
func (m *Machine) RoughFits() (out []string) {
	if m.Measured == nil {
		return nil
	}
	for i := range m.Measured.Fits {
		if f := &m.Measured.Fits[i]; f.Rough() {
			out = append(out, fmt.Sprintf("the bandwidth function of %s was fitted to measurements of %s sweeps with large errors (%.0f %% in the mean, %.0f %% at worst, n = %d): times of memory are as rough; measure the machine again while it is idle",
				m.Name, f.Kind, 100*f.Errors.Mean, 100*f.Errors.Worst, f.Errors.N))
		}
	}
	return out
}

// Kinds of sweeps.
const (
	SweepRead   = "read"
	SweepUpdate = "update"
	SweepVector = "vector"
	// Down the columns of a matrix, one access a line; the stride is the length of a row.
	SweepColumns       = "columns"
	SweepUpdateColumns = "update columns"
	// To another page with each access, of lines that caches hold.
	SweepPages = "pages"
	// Over one array or several side by side, with work; of a stride other than 1, down the columns of a matrix.
	SweepWorked       = "worked"
	SweepUpdateWorked = "update worked"
	// In tiles of a matrix, so that lines come in short runs; the stride is the length of a row.
	SweepRuns       = "runs"
	SweepUpdateRuns = "update runs"
)

var sweepKinds = []string{SweepRead, SweepUpdate, SweepVector, SweepColumns, SweepUpdateColumns, SweepPages, SweepWorked, SweepUpdateWorked, SweepRuns, SweepUpdateRuns}

// WithColumns is the sweep down columns that belongs to one of read or update.
var WithColumns = map[string]string{SweepRead: SweepColumns, SweepUpdate: SweepUpdateColumns}

var (
	withWork = map[string]string{SweepRead: SweepWorked, SweepUpdate: SweepUpdateWorked}
	inRuns   = map[string]string{SweepRead: SweepRuns, SweepUpdate: SweepUpdateRuns}
)

// Fit is that of a kind of sweep; nil where there is none.
func (m *Machine) Fit(kind string) *bandwidth.Extended {
	if m.Measured == nil {
		return nil
	}
	for i := range m.Measured.Fits {
		if m.Measured.Fits[i].Kind == kind {
			return &m.Measured.Fits[i].Form
		}
	}
	return nil
}

// measuredProblems are measurements and fits that cannot be.
func (m *Machine) measuredProblems(v *validator) {
	if m.Measured == nil {
		return
	}
	for i := range m.Measured.Fits {
		f := &m.Measured.Fits[i]
		path := at("measured", "fits", i, "form")
		if err := f.Form.Validate(len(m.Levels)); err != nil {
			v.add(path, "%v", err)
		}
		for j, s := range f.Form.Sources {
			want := "memory"
			if j+1 < len(m.Levels) {
				want = m.Levels[j+1].Name
			}
			if s.Name != want {
				v.add(under(path, "sources", j, "from"), "%q is in the place of %s", short(s.Name), want)
			}
		}
	}
	if p := int64(m.Measured.Page); len(m.Measured.Fits) > 0 && (p < 512 || p&(p-1) != 0) {
		v.add(at("measured", "page_bytes"), "%d is no size of pages", p)
	}
	for i, t := range m.Measured.Teams {
		if t.Threads < 1 || t.Stride < 1 || !(t.GBs > 0) || !(t.Alone > 0) || !(t.Slowest > 0) {
			v.add(at("measured", "teams", i), "threads, stride and GB/s must be above 0")
		}
	}
	m.streamProblems(v)
	for i, c := range m.Measured.Sweeps {
		if !slices.Contains(sweepKinds, c.Kind) {
			v.add(at("measured", "sweeps", i, "kind"), "%q is no kind of sweep; there are %s", short(c.Kind), strings.Join(sweepKinds, ", "))
		}
		for j, p := range c.Points {
			if !(p[0] > 0 && p[1] > 0) || c.Stride < 1 || min(c.Work, c.Streams, c.Lines) < 0 {
				v.add(at("measured", "sweeps", i, "points", j), "bytes, stride and GB/s must be above 0, work, streams and lines not below")
			}
		}
	}
}

// streamProblems are measurements of prefetchers that cannot be.
func (m *Machine) streamProblems(v *validator) {
	if n, ok := m.Measured.PrefetchStreams.Get(); ok && (n < 1 || n > bandwidth.MostStreams) {
		v.add(at("measured", "prefetch_streams"), "%d streams; there can be 1 to %d", n, bandwidth.MostStreams)
	}
	for i, c := range m.Measured.Streams {
		for j, p := range c.Points {
			if !(p[0] >= 1 && p[1] > 0) {
				v.add(at("measured", "streams", i, "points", j), "there must be at least one stream, and ns a line above 0")
			}
		}
	}
}

// PrefetchStreams is how many streams of lines in sequence the machine's prefetchers follow side by side: as measured, else
// bandwidth.UsualStreams.
func (m *Machine) PrefetchStreams() int {
	if m.Measured == nil {
		return bandwidth.UsualStreams
	}
	return m.Measured.PrefetchStreams.Or(bandwidth.UsualStreams)
}

// SweepPoints are the points of a kind of sweep.
func (m *Measured) SweepPoints(kind string) (points []bandwidth.Point) {
	for i := range m.Sweeps {
		if m.Sweeps[i].Kind == kind {
			points = append(points, m.CurvePoints(&m.Sweeps[i])...)
		}
	}
	return points
}

// CurvePoints are those of one curve of a sweep.
func (m *Measured) CurvePoints(c *Curve) (points []bandwidth.Point) {
	worked := c.Kind == SweepWorked || c.Kind == SweepUpdateWorked
	of := bandwidth.Point{Stride: c.Stride, Streams: c.Streams, Run: c.Lines}
	of.Columns = c.Kind == SweepColumns || c.Kind == SweepUpdateColumns || worked && c.Stride > 1
	if worked || c.Lines > 0 {
		of.CoreNs = m.leastNs(c)
	}
	for _, p := range c.Points {
		of.Bytes, of.GBs = p[0], p[1]
		points = append(points, of)
	}
	return points
}

// leastNs is what an access of a sweep with work or in tiles takes at least: where L1 serves it, which may be another sweep that does the same, by
// other strides.
func (m *Measured) leastNs(of *Curve) float64 {
	most := 0.0
	for _, c := range m.Sweeps {
		if c.Kind != of.Kind || c.Work != of.Work || c.Streams != of.Streams || c.Lines != of.Lines {
			continue
		}
		for _, p := range c.Points {
			most = max(most, p[1])
		}
	}
	return bandwidth.WordBytes / most
}

// FitPoints are the points that the function of a kind of sweep is fitted to.
func (m *Measured) FitPoints(kind string) []bandwidth.Point {
	points := slices.Concat(m.SweepPoints(kind), m.SweepPoints(WithColumns[kind]), m.SweepPoints(withWork[kind]), m.SweepPoints(inRuns[kind]))
	if kind == SweepRead {
		points = append(points, m.SweepPoints(SweepPages)...)
	}
	return points
}

// Hierarchy is the machine's caches as a sweep on one core in pages of some size sees them.
func (m *Machine) Hierarchy(page float64) (*bandwidth.Hierarchy, error) {
	h := &bandwidth.Hierarchy{Line: float64(m.LineBytes.Or(64)), Page: page, MemoryLatencyNs: m.Memory.LatencyNs.Or(0)}
	ghz := m.FrequencyGHz.Or(math.Inf(1)) // then latencies are not known
	for i, l := range m.Levels {
		size, ok := l.Size.Get()
		if !ok {
			return nil, fmt.Errorf("machine %s: the size of %s is not known", m.Name, l.Name)
		}
		h.Levels = append(h.Levels, bandwidth.Level{Name: l.Name, Bytes: float64(size), Ways: float64(l.Ways.Or(16)), Virtual: i == 0, LatencyNs: l.LatencyCycles.Or(0) / ghz})
	}
	if len(h.Levels) == 0 {
		return nil, fmt.Errorf("machine %s has no caches", m.Name)
	}
	return h, nil
}
