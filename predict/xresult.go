package predict

import "foresee/model/xmodel"

// XSchema is that of foresee xgraph.
const XSchema = "foresee.xgraph/v1"

// XResult is the result of foresee xgraph.
type XResult struct {
	Header
	Title       string             `json:"title"`
	Source      string             `json:"source"` // of the machine's parameters
	Program     *XProgram          `json:"program,omitempty"`
	Params      xmodel.Params      `json:"params"`
	Scale       xmodel.Scale       `json:"scale"`
	Points      xmodel.Points      `json:"points"`
	Sensitivity xmodel.Sensitivity `json:"sensitivity"`
	States      []XState           `json:"states"`
	Parallelism xmodel.Parallelism `json:"parallelism"`
	Loss        *xmodel.Loss       `json:"loss,omitempty"`
	BestThreads int                `json:"best_threads"` // of those that the machine has
	BestGain    float64            `json:"best_gain"`    // computing throughput at the best number of threads over that at n
	Beyond      *XBeyond           `json:"beyond,omitempty"`
	WhatIf      []xmodel.Gain      `json:"what_if"`
	Against     *XAgainst          `json:"against,omitempty"`
}

// XState is a state with what bounds it, in other units as well.
type XState struct {
	xmodel.State
	// Taken says that it is the state of the machine: of the first scenario that of threads that all compute at first, of another that
	// which the machine comes to from there.
	Taken  bool         `json:"taken"`
	Bound  xmodel.Bound `json:"bound"`
	GBs    float64      `json:"gbs,omitempty"`
	GFlops float64      `json:"gflops,omitempty"`
}

// XBeyond is the best number of threads above those that the machine has, where it is better: each would have a core of its own.
type XBeyond struct {
	Cores   int     `json:"cores"` // that the machine has: those of the program, said again for who reads this part alone
	Threads int     `json:"threads"`
	Gain    float64 `json:"gain"` // as BestGain
}

// XAgainst is a second set of parameters.
type XAgainst struct {
	Params xmodel.Params `json:"params"`
	Points xmodel.Points `json:"points"`
	States []XState      `json:"states"`
	Gain   float64       `json:"gain"` // computing throughput over the first's
}

// mostGains is how many changes are told, the best ones. Chosen: as many as a person reads.
const mostGains = 12

// XThreadLimits are the numbers of threads up to which the best one is looked for.
type XThreadLimits struct {
	Most   int // that the machine can have
	Beyond int // above those, with more cores; not looked at where it is less
}

// XGraph answers for parameters.
func XGraph(h Header, title, source string, p xmodel.Params, scale xmodel.Scale, limits XThreadLimits, against *xmodel.Params) *XResult {
	r := &XResult{Header: h, Title: title, Source: source, Params: p, Scale: scale, Points: p.Points(), Sensitivity: p.Sensitivity()}
	r.States = statesOf(&p, scale)
	settled := p.Settled()
	for i := range r.States {
		if r.States[i].Stable { // all threads compute at first
			r.States[i].Taken = true
			break
		}
	}
	r.Parallelism = p.Parallelism(settled)
	r.Loss = p.Loss()
	if settled.Compute > 0 {
		r.best(limits, settled.Compute)
	}
	r.WhatIf = p.WhatIf()
	if len(r.WhatIf) > mostGains {
		r.WhatIf = alonesFirst(r.WhatIf)
	}
	if against != nil {
		a := &XAgainst{Params: *against, Points: against.Points(), States: statesOf(against, scale), Gain: 1}
		if settled.Compute > 0 {
			after, _ := against.Reached(settled.K)
			a.Gain = after.Compute / settled.Compute
			for i := range a.States {
				a.States[i].Taken = a.States[i].State == after
			}
		}
		r.Against = a
	}
	return r
}

// best finds the best number of threads that the machine has, and a better one beyond; compute is the throughput at n.
func (r *XResult) best(limits XThreadLimits, compute float64) {
	found := r.Params.BestThreads(limits.Most, limits.Beyond)
	here, beyond := found[0], found[1]
	r.BestThreads, r.BestGain = here.Threads, here.State.Compute/compute
	if beyond.Threads > limits.Most {
		r.Beyond = &XBeyond{Cores: limits.Most, Threads: beyond.Threads, Gain: beyond.State.Compute / compute}
	}
}

// alonesFirst keeps all changes that gain alone, and of the pairs those that gain most.
func alonesFirst(all []xmodel.Gain) (out []xmodel.Gain) {
	pairs := 0
	for _, g := range all {
		if len(g.Changes) > 1 {
			if pairs++; pairs > mostGains {
				continue
			}
		}
		out = append(out, g)
	}
	return out
}

func statesOf(p *xmodel.Params, scale xmodel.Scale) (out []XState) {
	for _, s := range p.States() {
		out = append(out, XState{State: s, Bound: p.Bound(s), GBs: scale.GBs(s.Memory), GFlops: scale.GFlops(s.Compute)})
	}
	return out
}
