package advise

import (
	"foresee/predict"
)

// Schema names results.
const Schema = "foresee.advice/v1"

// Result is what to change, by region.
type Result struct {
	predict.Header
	Machine string   `json:"machine"`
	Regions []Region `json:"regions"`
}

// Region is one region with what would make it faster.
type Region struct {
	Region  string   `json:"region"`
	Before  []Timing `json:"before"`  // by number of threads
	Causes  []string `json:"causes"`  // of its time
	Changes []Advice `json:"changes"` // of its source: first those that gain, by how much at most threads
	// Together are the changes that gain most on top of one another, as one; absent where that is one change alone.
	Together *Advice  `json:"together,omitempty"`
	Apart    []string `json:"apart"` // what is no change of the source, or has no patch
	Tried    int      `json:"tried"` // predictions of changed sources
}

// Timing is a prediction at a number of threads.
type Timing struct {
	Threads  int     `json:"threads"`
	TimeS    float64 `json:"time_s"`
	TimeLowS float64 `json:"time_low_s"`
	TimeHigh float64 `json:"time_high_s"`
	BoundBy  string  `json:"bound_by"`
	Misses   []Miss  `json:"misses"`
}

// Miss is what share of the accesses a level and those above it do not serve.
type Miss struct {
	Level string  `json:"level"`
	Ratio float64 `json:"ratio"`
}

// Advice is a change of the source.
type Advice struct {
	Change     string   `json:"change"` // interchange, tiling, …; of several, joined by commas
	Title      string   `json:"title"`
	File       string   `json:"file"`
	Line       int      `json:"line"`
	Why        string   `json:"why"`
	Conditions []string `json:"conditions"` // not proved: "if A and B do not overlap"
	Reorders   bool     `json:"reorders"`   // sums are added up in another order, and round otherwise
	Gains      bool     `json:"gains"`      // GainLow is above 1: it is not within the noise
	// Sharing says that threads then write fewer lines in turn, which no time here counts: what that gains comes on top.
	Sharing bool `json:"ends_false_sharing,omitempty"`
	// Untimed says that the loop which it changes could not be read and is in no time: Gain and After are of the rest.
	Untimed bool `json:"untimed,omitempty"`
	// Gain is the time before / the time after, at the most threads; of all regions that the change touches, added up, where it is of data that others use.
	Gain     float64 `json:"gain"`
	GainLow  float64 `json:"gain_low"`
	GainHigh float64 `json:"gain_high"`
	// Code is the compiler of whose code both times are, absent where they are of code as foresee makes it.
	Code  string   `json:"code,omitempty"`
	After []Timing `json:"after"`
	// Everywhere is what a change of data comes to with the other regions that use the data; absent where there are none.
	Everywhere *Everywhere `json:"everywhere,omitempty"`
	Patch      string      `json:"patch"` // unified
	Text       string      `json:"-"`     // the source with the change

	loops []string
	array string
}

// Everywhere is a change in all regions that it touches, each run once, at the most threads; a region that another one of them calls is in the time of that one.
type Everywhere struct {
	BeforeS float64  `json:"before_s"`
	AfterS  float64  `json:"after_s"`
	Others  []Effect `json:"others"`
}

// Effect is what a change does to a region beside the one that it is advised for.
type Effect struct {
	Region  string  `json:"region"`
	BeforeS float64 `json:"before_s"`
	AfterS  float64 `json:"after_s"`
}

// Saved is the time that a change saves of one run of all regions that it touches, at the most threads; in seconds.
func (r *Region) Saved(a *Advice) float64 {
	if a.Everywhere != nil {
		return a.Everywhere.BeforeS - a.Everywhere.AfterS
	}
	return r.Before[len(r.Before)-1].TimeS - a.After[len(a.After)-1].TimeS
}
