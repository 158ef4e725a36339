// Package rank puts machines in order for programs: each with the number of threads that it is fastest with, of all its cores.
//
// A machine whose file lacks a value that a time turns on, or has it from a relative, is ranked by the time that it has with the worst such value of the other
// machines: what nobody measured makes no winner. Times are in seconds, speeds are ratios of times, prices in euros, powers in watts.
package rank

import (
	"context"
	"fmt"
	"math"
	"slices"

	"foresee/application"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/predict"
)

// Schema names results.
const Schema = "foresee.ranking/v1"

// Request says what is to be ranked.
type Request struct {
	Programs []*application.Signature
	Machines []*machine.Machine
	Against  string // machine that speeds are relative to; "": the fastest
	Model    string
	Compiler []string
	Options  predict.Options
	Measured []Measurement // may be empty
}

// Result is the result of foresee rank.
type Result struct {
	predict.Header
	Against  string   `json:"against"` // the machine that speeds are relative to
	Programs []string `json:"programs"`
	// Machines are in order, the fastest first, those without a time last.
	Machines []Entry `json:"machines"`
	// Inversions compares the order with measured times; absent where there are none.
	Inversions *Inversions `json:"inversions,omitempty"`
}

// Entry is one machine.
type Entry struct {
	Machine string `json:"machine"`
	Title   string `json:"title,omitempty"`
	Rank    int    `json:"rank,omitempty"` // from 1; absent without a time
	Cores   int    `json:"cores"`
	// Speed is that of the machine over that of the one compared against: the geometric mean over the programs. SpeedLow and SpeedHigh are with the ends of
	// the intervals of its times; SpeedAtWorst is with the worst value of the other machines in place of each that its file lacks, which it is ranked by.
	Speed        *float64  `json:"speed,omitempty"`
	SpeedLow     *float64  `json:"speed_low,omitempty"`
	SpeedHigh    *float64  `json:"speed_high,omitempty"`
	SpeedAtWorst *float64  `json:"speed_at_worst,omitempty"`
	Programs     []Program `json:"programs"`
	// Missing are the values that its file lacks, and Assumed those that it has from a relative, of those that the times turn on.
	Missing []string `json:"missing"`
	Assumed []string `json:"assumed"`
	// PriceEUR and Watts are of its file. PerEuro and PerJoule are the speed for the price, and for the power, over that of the one compared against.
	PriceEUR *float64 `json:"price_eur,omitempty"`
	Watts    *float64 `json:"watts,omitempty"`
	PerEuro  *float64 `json:"per_euro,omitempty"`
	PerJoule *float64 `json:"per_joule,omitempty"`
}

// Program is one program on one machine: its regions, each with the threads that it is fastest with.
type Program struct {
	Program  string   `json:"program"`
	TimeS    *float64 `json:"time_s,omitempty"` // of all regions, each as often as it is entered
	LowS     *float64 `json:"low_s,omitempty"`
	HighS    *float64 `json:"high_s,omitempty"`
	AtWorstS *float64 `json:"at_worst_s,omitempty"`
	Threads  int      `json:"threads,omitempty"`  // of the region that takes longest
	BoundBy  string   `json:"bound_by,omitempty"` // likewise
	Why      string   `json:"why,omitempty"`      // why there is no time
}

// Machines ranks machines for programs.
func Machines(ctx context.Context, r Request) (*Result, error) {
	out := &Result{Header: predict.Header{Schema: Schema, Version: predict.Version, Warnings: []string{}}, Programs: []string{}}
	twins := make([]*machine.Machine, len(r.Machines))
	for i, m := range r.Machines {
		e := Entry{Machine: m.Name, Title: m.Title, Cores: m.TotalCores(), Missing: []string{}, Assumed: []string{}}
		twins[i], e.Missing, e.Assumed = atWorst(m, r.Machines)
		e.PriceEUR, e.Watts = number(m.PriceEUR), number(m.Watts)
		out.Machines = append(out.Machines, e)
	}
	for _, p := range r.Programs {
		out.Programs = append(out.Programs, p.Name)
		if err := r.program(ctx, out, p, twins); err != nil {
			return nil, err
		}
	}
	if len(out.Programs) > 0 {
		out.Input = out.Programs[0]
	}
	if err := out.order(r.Against); err != nil {
		return nil, err
	}
	out.Inversions = inversions(out, r.Measured)
	return out, nil
}

func number(v *machine.Value[float64]) *float64 {
	x, ok := v.Get()
	if !ok {
		return nil
	}
	return &x
}

// program predicts one program on all machines, and on those with the worst values in place of what they lack.
func (r *Request) program(ctx context.Context, out *Result, s *application.Signature, twins []*machine.Machine) error {
	machines := slices.Clone(r.Machines)
	for i, t := range twins {
		if t != nil {
			twin := *t
			twin.Name = atWorstName(r.Machines[i].Name)
			machines = append(machines, &twin)
		}
	}
	cores := 1
	for _, m := range machines {
		cores = max(cores, m.TotalCores())
	}
	found, err := predict.Run(ctx, predict.Request{
		Signature: s, Machines: machines, Threads: predict.Coarse(cores), WithinCores: true, Fastest: true, Model: r.Model, Compiler: r.Compiler, Options: r.Options,
	})
	if err != nil {
		return err
	}
	for _, w := range found.Warnings {
		if !slices.Contains(out.Warnings, w) {
			out.Warnings = append(out.Warnings, w)
		}
	}
	whole := outermost(s.Loops, found.Predictions)
	for i := range out.Machines {
		e := &out.Machines[i]
		p := best(whole, e.Machine)
		p.Program = s.Name
		p.AtWorstS = p.TimeS
		if twins[i] != nil {
			p.AtWorstS = best(whole, atWorstName(e.Machine)).TimeS
			if p.TimeS != nil && p.AtWorstS != nil && *p.AtWorstS < *p.TimeS { // the assumed value was worse still
				p.AtWorstS = p.TimeS
			}
		}
		e.Programs = append(e.Programs, p)
	}
	return nil
}

// atWorstName tells a machine with the worst values from itself; no machine's file has such a name.
func atWorstName(name string) string { return name + " at worst" }

// outermost leaves out the predictions of regions all of whose statements are in another region as well, with more: main has what it calls.
func outermost(regions []*nest.Program, all []predict.Prediction) []predict.Prediction {
	statements := make([]map[nest.Pos]bool, len(regions))
	for i, p := range regions {
		statements[i] = map[nest.Pos]bool{}
		nest.Walk(p.Body, func(n nest.Node) {
			if x, ok := n.(*nest.Stmt); ok {
				statements[i][x.Pos] = true
			}
		})
	}
	within := map[string]bool{}
	for i, own := range statements {
		within[regions[i].Region] = slices.ContainsFunc(statements, func(other map[nest.Pos]bool) bool {
			for at := range own {
				if !other[at] {
					return false
				}
			}
			return len(other) > len(own)
		})
	}
	return slices.DeleteFunc(slices.Clone(all), func(p predict.Prediction) bool { return within[p.Region] })
}

// best sums the regions of a program on a machine up, each with the threads that it is fastest with.
func best(all []predict.Prediction, name string) (out Program) {
	least := map[string]*predict.Prediction{}
	var order []string
	for i := range all {
		p := &all[i]
		if p.Machine != name {
			continue
		}
		b, known := least[p.Region]
		if !known {
			order = append(order, p.Region)
		}
		if !known || p.TimeS != nil && (b.TimeS == nil || *p.TimeS < *b.TimeS) {
			least[p.Region] = p
		}
	}
	time, low, high, most := 0.0, 0.0, 0.0, 0.0
	for _, region := range order {
		p := least[region]
		if p.TimeS == nil {
			out.Why = lastOf(p.Warnings)
			return out
		}
		n := math.Max(float64(p.Entered), 1)
		time, low, high = time+n**p.TimeS, low+n**p.TimeLowS, high+n**p.TimeHighS
		if n**p.TimeS >= most {
			most, out.Threads, out.BoundBy = n**p.TimeS, p.Threads, p.BoundBy
		}
	}
	if len(order) > 0 {
		out.TimeS, out.LowS, out.HighS = &time, &low, &high
	}
	return out
}

func lastOf(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// order fills in speeds and ranks, and sorts.
func (r *Result) order(against string) error {
	for i := range r.Machines {
		e := &r.Machines[i]
		e.Speed = e.overall(func(p *Program) *float64 { return p.TimeS })
		e.SpeedLow = e.overall(func(p *Program) *float64 { return p.HighS })
		e.SpeedHigh = e.overall(func(p *Program) *float64 { return p.LowS })
		e.SpeedAtWorst = e.overall(func(p *Program) *float64 { return p.AtWorstS })
	}
	slices.SortStableFunc(r.Machines, func(a, b Entry) int {
		switch x, y := value(a.SpeedAtWorst), value(b.SpeedAtWorst); {
		case a.Speed == nil || b.Speed == nil:
			return boolOrder(a.Speed == nil, b.Speed == nil)
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for i := range r.Machines {
		if r.Machines[i].Speed != nil {
			r.Machines[i].Rank = i + 1
		}
	}
	base := &Entry{}
	for i := range r.Machines {
		if e := &r.Machines[i]; e.Speed != nil && (against == "" || e.Machine == against) {
			copied, speed := *e, *e.Speed
			copied.Speed = &speed
			base = &copied
			break
		}
	}
	if base.Speed == nil && against != "" {
		return &AgainstError{against}
	}
	r.Against = base.Machine
	for i := range r.Machines {
		r.Machines[i].relate(base)
	}
	return nil
}

// AgainstError is a machine to compare against that has no time.
type AgainstError struct{ Machine string }

func (e *AgainstError) Error() string {
	return fmt.Sprintf("machine %s, which others are to be compared with, is not among them or has no time", e.Machine)
}

func value(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// overall is the geometric mean of one over the times of all programs; nil where one has none.
func (e *Entry) overall(of func(*Program) *float64) *float64 {
	sum := 0.0
	for i := range e.Programs {
		t := of(&e.Programs[i])
		if t == nil || *t <= 0 {
			return nil
		}
		sum -= math.Log(*t)
	}
	if len(e.Programs) == 0 {
		return nil
	}
	speed := math.Exp(sum / float64(len(e.Programs)))
	return &speed
}

// relate makes speeds relative to those of one machine.
func (e *Entry) relate(base *Entry) {
	if base.Speed == nil {
		return
	}
	for _, v := range []*float64{e.Speed, e.SpeedLow, e.SpeedHigh, e.SpeedAtWorst} {
		if v != nil {
			*v /= value(base.Speed)
		}
	}
	ratio := func(own, others *float64) *float64 {
		if e.Speed == nil || own == nil || others == nil {
			return nil
		}
		x := *e.Speed * *others / *own
		return &x
	}
	e.PerEuro, e.PerJoule = ratio(e.PriceEUR, base.PriceEUR), ratio(e.Watts, base.Watts)
}
