// Package compare sets two results of predictions side by side: two versions of a program, two regions, two machines. Of each pair it says how many times
// as long the second takes, in which interval, which term of the time has changed, and of which array the lines are that levels lack.
//
// Times are in seconds; misses are lines of all threads that a level lacks. A ratio is the second's over the first's, so that above 1 the second is slower.
package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/predict"
)

// Schema names results.
const Schema = "foresee.comparison/v1"

// Result is the result of foresee compare.
type Result struct {
	predict.Header
	A     string `json:"a"` // what is compared: the names of both sides
	B     string `json:"b"`
	Judge Judge  `json:"judge"`
	Worse bool   `json:"worse"` // whether any pair is
	Pairs []Pair `json:"pairs"`
	// Alone are regions, machines and numbers of threads that one side has and the other has not.
	Alone []string `json:"alone"`
	// Unjudged are those of them that A has, and pairs of which the sides are without different parts that cannot be read: nothing tells whether B is worse there.
	Unjudged []string `json:"unjudged"`
	// Unread are functions that could be read on neither side.
	Unread []string `json:"unread,omitempty"`
}

// Side is one prediction of a pair.
type Side struct {
	Region   string   `json:"region"`
	Place    string   `json:"place,omitempty"` // file:line
	Machine  string   `json:"machine"`
	Threads  int      `json:"threads"`
	Accesses int64    `json:"accesses"`
	Flops    int64    `json:"flops"`
	TimeS    *float64 `json:"time_s,omitempty"`
	BoundBy  string   `json:"bound_by,omitempty"`
	// LeftOut is how many parts of the region cannot be read and are not in it, and LeftOutLoops how many loops these have.
	LeftOut      int `json:"left_out,omitempty"`
	LeftOutLoops int `json:"left_out_loops,omitempty"`
}

// Pair is two predictions that belong together.
type Pair struct {
	A Side `json:"a"`
	B Side `json:"b"`
	// Ratio is the time of B over that of A, and RatioLow and RatioHigh its interval; absent where a time is.
	Ratio     *float64 `json:"ratio,omitempty"`
	RatioLow  *float64 `json:"ratio_low,omitempty"`
	RatioHigh *float64 `json:"ratio_high,omitempty"`
	// Common says that both times have the errors of one machine and model, which their ratio has not.
	Common bool          `json:"common,omitempty"`
	Terms  []TermChange  `json:"terms"` // by how much they have changed, that with the largest change first
	Levels []LevelChange `json:"levels"`
	// Findings are what is worse by more than the judge allows.
	Findings []Finding `json:"findings"`
}

// TermChange is one part of both times, in seconds.
type TermChange struct {
	Term string  `json:"term"` // compute, parallel, or the level that lines come from
	AS   float64 `json:"a_s"`
	BS   float64 `json:"b_s"`
}

// LevelChange is the misses of one level.
type LevelChange struct {
	Level string `json:"level"`
	A     int64  `json:"a"`
	B     int64  `json:"b"`
	// Error is the standard error of their difference, of the sampling; 0 where both are exact.
	Error float64 `json:"error"`

	errorA, errorB float64 // of both sides
	// Array is the one whose misses have changed most, from ArrayA to ArrayB; absent where arrays are not told apart.
	Array  string `json:"array,omitempty"`
	Access string `json:"access,omitempty"` // the access of B with most of them, as the source has it
	Place  string `json:"place,omitempty"`  // and where it stands
	ArrayA int64  `json:"array_a,omitempty"`
	ArrayB int64  `json:"array_b,omitempty"`
}

// Results compares two results.
func Results(a, b *predict.PredictionResult, judge Judge) *Result {
	out := &Result{Header: predict.Header{Schema: Schema, Version: predict.Version, Input: b.Input, Warnings: []string{}}, A: a.Input, B: b.Input, Judge: judge, Alone: []string{}, Unjudged: []string{}}
	if a.Version != b.Version {
		out.warn(fmt.Sprintf("the results are of foresee %s and %s, whose models may differ", a.Version, b.Version))
	}
	for _, r := range []*predict.PredictionResult{a, b} {
		if r.Partial {
			out.warn(r.Input + " is a part of a run only")
		}
	}
	for _, w := range append(slices.Clone(a.Warnings), b.Warnings...) {
		if !slices.Contains(predict.OutsideModels, w) {
			out.warn(w)
		}
	}
	for _, p := range slices.Concat(a.Predictions, b.Predictions) {
		for _, w := range p.Warnings {
			if p.TimeS == nil && strings.HasPrefix(w, predict.NoTime) {
				out.warn(w)
			}
		}
	}
	pairs, alone, gone := paired(a.Predictions, b.Predictions)
	out.Alone, out.Unjudged = append(out.Alone, alone...), append(out.Unjudged, gone...)
	for _, f := range a.Unread {
		if slices.Contains(b.Unread, f) {
			out.Unread = append(out.Unread, f)
		}
	}
	for _, p := range pairs {
		pair := of(p[0], p[1])
		pair.Findings = judge.findings(&pair)
		if !pair.Alike() {
			out.Unjudged = append(out.Unjudged, nameOf(p[0])+" (without parts that cannot be read, others on each side)")
		}
		out.Worse = out.Worse || len(pair.Findings) > 0
		out.Pairs = append(out.Pairs, pair)
	}
	return out
}

// Alike says whether both sides are without as many parts that cannot be read, so that what was read of them can be compared.
func (p *Pair) Alike() bool {
	return p.A.LeftOut == p.B.LeftOut && p.A.LeftOutLoops == p.B.LeftOutLoops
}

func (r *Result) warn(w string) {
	if !slices.Contains(r.Warnings, w) {
		r.Warnings = append(r.Warnings, w)
	}
}

// of compares two predictions.
func of(a, b *predict.Prediction) Pair {
	p := Pair{A: side(a), B: side(b), Terms: terms(a, b), Levels: levels(a, b)}
	if a.TimeS == nil || b.TimeS == nil || *a.TimeS <= 0 {
		return p
	}
	ratio := *b.TimeS / *a.TimeS
	p.Ratio, p.Common = &ratio, a.Machine == b.Machine && a.Model == b.Model && a.Terms != nil && b.Terms != nil
	low, high := ratio, ratio
	if p.Common {
		low, high = commonRange(a, b, ratio)
	} else if a.TimeLowS != nil && b.TimeLowS != nil && *a.TimeLowS > 0 {
		low, high = *b.TimeLowS / *a.TimeHighS, *b.TimeHighS / *a.TimeLowS
	}
	p.RatioLow, p.RatioHigh = &low, &high
	return p
}

func side(p *predict.Prediction) Side {
	return Side{p.Region, p.Place, p.Machine, p.Threads, p.Accesses, p.Flops, p.TimeS, p.BoundBy, p.LeftOut, p.LeftOutLoops}
}

// terms are the parts of both times.
func terms(a, b *predict.Prediction) []TermChange {
	out := []TermChange{}
	if a.Terms == nil || b.Terms == nil {
		return out
	}
	out = append(out, TermChange{"compute", a.Terms.ComputeS, b.Terms.ComputeS}, TermChange{"parallel", a.Terms.ParallelS, b.Terms.ParallelS})
	for _, l := range a.Terms.Levels {
		out = append(out, TermChange{l.Level, l.TimeS, levelTime(b, l.Level)})
	}
	for _, l := range b.Terms.Levels {
		if !slices.ContainsFunc(out, func(t TermChange) bool { return t.Term == l.Level }) {
			out = append(out, TermChange{l.Level, 0, l.TimeS})
		}
	}
	slices.SortStableFunc(out, func(x, y TermChange) int {
		return -compareNumbers(math.Abs(x.BS-x.AS), math.Abs(y.BS-y.AS))
	})
	return out
}

func compareNumbers(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func levelTime(p *predict.Prediction, level string) float64 {
	for _, l := range p.Terms.Levels {
		if l.Level == level {
			return l.TimeS
		}
	}
	return 0
}

// levels are the misses of the levels that both machines have.
func levels(a, b *predict.Prediction) []LevelChange {
	out := []LevelChange{}
	for i, h := range a.HitRates {
		j := slices.IndexFunc(b.HitRates, func(o predict.HitRate) bool { return o.Level == h.Level })
		if j < 0 {
			continue
		}
		c := LevelChange{
			Level: h.Level, A: misses(a, i), B: misses(b, j),
			errorA: h.StandardError * float64(a.Accesses), errorB: b.HitRates[j].StandardError * float64(b.Accesses),
		}
		c.Error = math.Hypot(c.errorA, c.errorB)
		if c.Changed() {
			c.blame(a, b, i, j)
		}
		out = append(out, c)
	}
	return out
}

func misses(p *predict.Prediction, level int) int64 {
	return int64((1-p.HitRates[level].HitRate)*float64(p.Accesses) + 0.5)
}

// least is the share of a level's misses from which a change is one. Chosen: less is noise of the sampling, which blames arrays at random.
const least = 0.005

// Changed says whether misses differ by more than noise.
func (c *LevelChange) Changed() bool {
	change := math.Abs(float64(c.B - c.A))
	return change > least*float64(c.A) && change > c.Error
}

// blame finds the array whose misses of a level have changed most, in the direction of all.
func (c *LevelChange) blame(a, b *predict.Prediction, i, j int) {
	most := int64(0)
	direction := int64(1)
	if c.B < c.A {
		direction = -1
	}
	consider := func(name string, before, after int64, at *predict.ArrayMisses) {
		if change := direction * (after - before); change > most {
			most = change
			c.Array, c.ArrayA, c.ArrayB, c.Access, c.Place = name, before, after, at.Access, at.Place
		}
	}
	for k := range b.Arrays {
		x := &b.Arrays[k]
		consider(x.Array, missesOf(a.Arrays, x.Array, i), x.Misses[j], x)
	}
	for k := range a.Arrays {
		if x := &a.Arrays[k]; !slices.ContainsFunc(b.Arrays, func(o predict.ArrayMisses) bool { return o.Array == x.Array }) {
			consider(x.Array, x.Misses[i], 0, x)
		}
	}
}

func missesOf(all []predict.ArrayMisses, name string, level int) int64 {
	for _, x := range all {
		if x.Array == name {
			return x.Misses[level]
		}
	}
	return 0
}
