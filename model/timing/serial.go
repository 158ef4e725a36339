package timing

import (
	"foresee/application/nest"
	"foresee/machine"
)

// Model estimates the time of an input on a machine: Overlap or Bandwidth.
type Model func(Input, *machine.Machine) (*Estimate, error)

// Serial is the time, in seconds, of the code of an input that one thread runs while the others wait, and where the loop stands that takes most of it: loop by
// loop, each as if it were all there is. Phases are those of the whole input.
func Serial(in Input, phases []Phase, m *machine.Machine, estimate Model) (seconds float64, at nest.Pos, err error) {
	told := map[*Block]bool{}
	most := 0.0
	add := func(p Phase) error {
		alone := Input{Program: in.Program, Blocks: p.Blocks, Threads: in.Threads, Imbalance: in.Imbalance, Traffic: p.Traffic, Phases: []Phase{p}}
		e, err := estimate(alone, m)
		if err != nil {
			return err
		}
		s := e.Time - e.Parallel
		seconds += s
		if l := p.Blocks[0].Loop; l != nil && s > most {
			most, at = s, l.Pos
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
				return 0, at, err
			}
		}
	}
	for _, b := range in.Blocks {
		if !b.Parallel && !told[b] {
			if err := add(Phase{Blocks: []*Block{b}}); err != nil {
				return 0, at, err
			}
		}
	}
	return seconds, at, nil
}

// PartlyShared says whether threads share some of the code and not all of it.
func (in *Input) PartlyShared() bool {
	shared, serial := false, false
	for _, b := range in.Blocks {
		shared, serial = shared || b.Parallel, serial || !b.Parallel
	}
	return shared && serial
}
