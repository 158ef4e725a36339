package predict

import (
	"foresee/application/nest"
	"foresee/model/timing"
	"foresee/model/traffic"
)

// serialTime is the time of the code of a region that one thread runs while the others wait, in seconds, and where most of it stands.
type serialTime struct {
	seconds float64
	at      nest.Pos
}

// serial is that of a region which has other code as well: loop by loop, each as if it were all of the region. Nothing is told by PPT's model, which knows no loops.
func (q *query) serial(d *demand, levels []levelHits, model string) (out serialTime, err error) {
	if model == ModelPPT || !hasBoth(q.blocks) {
		return out, nil
	}
	in, err := q.input(d, levels, model)
	if err != nil {
		return out, err
	}
	phases := in.Phases
	if phases == nil {
		balance, err := q.balance(d)
		if err != nil {
			return out, err
		}
		phases = runOn(q.on, d, levels, balance).Phases(q.blocks, traffic.Walks{})
	}
	estimate := timing.Overlap
	if model == ModelBandwidth {
		estimate = timing.Bandwidth
	}
	told := map[*timing.Block]bool{}
	most := 0.0
	add := func(p timing.Phase) error {
		e, err := estimate(timing.Input{Program: in.Program, Blocks: p.Blocks, Threads: in.Threads, Imbalance: in.Imbalance, Traffic: p.Traffic, Phases: []timing.Phase{p}}, q.on)
		if err != nil {
			return err
		}
		s := e.Time - e.Parallel
		out.seconds += s
		if l := p.Blocks[0].Loop; l != nil && s > most {
			most, out.at = s, l.Pos
		}
		return nil
	}
	for _, p := range phases {
		serial := len(p.Blocks) > 0
		for _, b := range p.Blocks {
			serial = serial && !b.Parallel
			told[b] = true
		}
		if serial {
			if err := add(p); err != nil {
				return out, err
			}
		}
	}
	for _, b := range q.blocks {
		if !b.Parallel && !told[b] {
			if err := add(timing.Phase{Blocks: []*timing.Block{b}}); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// hasBoth says whether threads share some of the code and not all of it.
func hasBoth(blocks []*timing.Block) bool {
	shared, serial := false, false
	for _, b := range blocks {
		shared, serial = shared || b.Parallel, serial || !b.Parallel
	}
	return shared && serial
}
