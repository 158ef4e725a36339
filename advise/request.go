package advise

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"foresee/application"
	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/predict"
)

// Request says what to look at.
type Request struct {
	Name     string // of the source, for places and patches
	Folder   string // that it lies in, where headers are looked for
	Text     string
	Source   csource.Options
	Machine  *machine.Machine
	Threads  []int    // rising; the last counts
	Compiler []string // with its flags; of whose code the times of the program and of what is reported are; empty: of code as foresee makes it
	Options  predict.Options
	Most     int // predictions of changed sources, for each region; 0: Usual
	Progress func(done, total int)

	assumed   []string                 // conditions of all changes of loops
	known     map[string]*csource.Unit // what was read of Text, by its regions
	others    []neighbour              // see neighbours
	reordered bool                     // Compiler interchanges loops of the region that is looked at
	times     map[string]float64       // what was predicted of regions beside the one that is looked at, see timeOf
}

// How many predictions of changed sources are made for a region. Chosen: of the kernels that foresee carries, at LARGE, one takes some 0.2 s; Usual keeps below
// 10 s, and Deep is for whoever waits.
const (
	Usual = 40
	Deep  = 400
)

// Of a long source fewer changes are tried, as each is read anew: together mostText bytes in a usual search, but fewest changes. Chosen: sources up to 50 KiB are
// searched as others, and of one of 400 KiB, of which a reading may take a second, five changes are tried.
const (
	mostText = 2 << 20
	fewest   = 3
)

// A quick prediction, by which changes are sorted out, has so many reuses sampled and so much of the other work; those that are reported are made in full.
// Chosen: the times of the kernels that foresee carries are then within 10 % of those in full.
const (
	quickSamples = 600
	quickEffort  = 0.1
)

// How far a measured ratio of two times lies from the predicted one: of four in five, its logarithm was between leastShare and mostShare times that of the
// predicted one; noise is the factor that sampling leaves. Measured: foresee validate advise, examples/slow, changes but tilings (docs/accuracy/advise.md).
const (
	leastShare = 0.45
	mostShare  = 2.7
	noise      = 1.03
	farthest   = 5 // times as much as predicted, or as little, a ratio is at most: of 94 none was farther that the powers hold
)

// interval is that of a predicted ratio, in which four of five true ones are.
func interval(gain float64) (low, high float64) {
	low, high = math.Pow(gain, leastShare), math.Pow(gain, mostShare)
	if gain < 1 {
		low, high = high, low
	}
	return max(low, gain/farthest) / noise, min(high, gain*farthest) * noise
}

// read gives the loop nests of a text in the place of the source.
func (r *Request) read(text string, regions []string) (*application.Signature, error) {
	unit, err := r.load(text, regions)
	if err != nil {
		return nil, err
	}
	if len(unit.Programs) == 0 {
		return nil, errors.New("no region is left")
	}
	code := &application.Code{Name: r.Name, Folder: r.Folder, Text: []byte(text), Macros: unit.Macros, Overrides: unit.Overrides, Includes: r.Source.Includes, Values: len(unit.Macros) < len(r.Source.Defines)}
	return &application.Signature{Name: r.Name, Kind: application.Source, Loops: unit.Programs, Warnings: unit.Warnings, Code: code}, nil
}

// load reads a text; the source as it stands, whole or of the region that is looked at, only once.
func (r *Request) load(text string, regions []string) (*csource.Unit, error) {
	key := strings.Join(regions, "\n")
	if unit := r.known[key]; unit != nil && text == r.Text {
		return unit, nil
	}
	unit, err := r.loadAnew(text, regions)
	if err == nil && text == r.Text {
		maps.DeleteFunc(r.known, func(of string, _ *csource.Unit) bool { return of != "" }) // of the region before
		r.known[key] = unit
	}
	return unit, err
}

func (r *Request) loadAnew(text string, regions []string) (*csource.Unit, error) {
	o := r.Source
	o.Unnumbered = true
	o.Regions = regions
	return csource.Load(r.Name, []byte(text), o)
}

// manner is how a prediction is made.
type manner int

// The manners: in full by the compiler's code or by that which foresee makes, or quickly by the latter.
const (
	inFull manner = iota
	uncompiled
	quickly
)

// predicted are predictions of one region of a text, by number of threads.
func (r *Request) predicted(ctx context.Context, text, region string, threads []int, how manner) ([]predict.Prediction, *predict.PredictionResult, error) {
	s, err := r.read(text, []string{region})
	if err != nil {
		return nil, nil, err
	}
	s.Loops = only(s.Loops, region)
	o := r.Options
	if how == quickly {
		o.Samples, o.Effort = quickSamples, quickEffort
	}
	asked := threads
	if !slices.ContainsFunc(s.Loops, (*nest.Program).HasParallel) {
		asked = []int{1} // whatever the number of threads, one of them does it all
	}
	out, err := predict.Run(ctx, predict.Request{
		Signature: s, Machines: []*machine.Machine{r.Machine}, Threads: asked, Compiler: r.Compiler, Uncompiled: how != inFull, Reordered: r.reordered, Options: o,
	})
	if err != nil {
		return nil, nil, err
	}
	for _, p := range out.Predictions {
		if p.TimeS == nil {
			return nil, out, &NoTimeError{Region: region, Machine: r.Machine.Name, Why: strings.Join(p.Warnings, "; ")}
		}
	}
	if len(out.Predictions) != len(asked) {
		return nil, out, fmt.Errorf("%s makes no accesses", region)
	}
	all := make([]predict.Prediction, len(threads))
	for i, n := range threads {
		all[i] = out.Predictions[min(i, len(asked)-1)]
		all[i].Threads = n
	}
	return all, out, nil
}

// NoTimeError is a region of which no time is predicted, so that nothing can be compared.
type NoTimeError struct{ Region, Machine, Why string }

func (e *NoTimeError) Error() string {
	return fmt.Sprintf("%s: no time is predicted on machine %s: %s", e.Region, e.Machine, e.Why)
}

func only(all []*nest.Program, region string) []*nest.Program {
	for _, p := range all {
		if p.Region == region {
			return []*nest.Program{p}
		}
	}
	return all
}

func timings(all []predict.Prediction) (out []Timing) {
	for _, p := range all {
		t := Timing{Threads: p.Threads, TimeS: *p.TimeS, TimeLowS: *p.TimeLowS, TimeHigh: *p.TimeHighS, BoundBy: p.BoundBy}
		for _, h := range p.HitRates {
			t.Misses = append(t.Misses, Miss{h.Level, 1 - h.HitRate})
		}
		out = append(out, t)
	}
	return out
}
