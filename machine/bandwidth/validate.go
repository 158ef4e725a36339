package bandwidth

import (
	"fmt"
	"math"
)

// Validate says what cannot be in a form for so many cache levels: the first thing that it finds.
func (f *Extended) Validate(levels int) error {
	if len(f.Sources) != levels || len(f.Capacities) != levels {
		return fmt.Errorf("%d sources and %d edges for %d cache levels; measure the machine again", len(f.Sources), len(f.Capacities), levels)
	}
	if !(f.HalfConflict > 0 && f.HalfConflict <= 1) {
		return fmt.Errorf("halfway is %g; it must be above 0 and at most 1", f.HalfConflict)
	}
	if !(f.WalkNs >= 0) || !(f.TableNs >= 0) || !(f.PassNs >= 0) {
		return fmt.Errorf("walk_ns, table_ns and pass_ns must be at least 0")
	}
	for i := range f.Sources {
		if err := f.Sources[i].validate(); err != nil {
			return fmt.Errorf("sources[%d]%w", i, err)
		}
	}
	for i, c := range f.Capacities {
		if err := positive(quantity{fmt.Sprintf("edges[%d].bytes", i), c.Bytes}, quantity{fmt.Sprintf("edges[%d].width", i), c.Width}); err != nil {
			return err
		}
	}
	return positive(quantity{"core_ns", f.CoreNs}, quantity{"norm", f.Norm}, quantity{"steepness", f.Steepness}, quantity{"tlb_bytes", f.TLBBytes}, quantity{"tlb_width", f.TLBWidth})
}

func (s *Source) validate() error {
	if s.ConflictNs == 0 && s.ConflictReach == 0 {
		return fmt.Errorf(" has no crowded_ns: an earlier version measured this; measure the machine again")
	}
	if s.ExposedNs == 0 && s.ExposedShare == 0 || s.UnprefetchedExposedNs == 0 && s.UnprefetchedExposedShare == 0 || s.StartNs == 0 && s.StartLineNs == 0 {
		return fmt.Errorf(" has no exposed_ns, far_exposed_ns or start_ns: an earlier version measured this; measure the machine again")
	}
	if !(min(s.ExposedNs, s.ExposedShare, s.UnprefetchedExposedNs, s.UnprefetchedExposedShare, s.StartNs, s.StartLineNs) >= 0) {
		return fmt.Errorf(": exposed_ns, exposed_share, those of far lines, start_ns and start_line_ns must be at least 0")
	}
	if !(s.UnprefetchedNs >= s.SequentialNs) {
		return fmt.Errorf(": a line far away cannot cost less than one in sequence")
	}
	if !(s.ConflictNs >= s.UnprefetchedNs) {
		return fmt.Errorf(": a line that conflicts with others cannot cost less than another")
	}
	return positive(quantity{".sequential_ns", s.SequentialNs}, quantity{".reach", s.Reach}, quantity{".crowded_reach", s.ConflictReach})
}

// quantity is a number with its name in machine files.
type quantity struct {
	name  string
	value float64
}

// positive wants quantities to be finite and above 0.
func positive(all ...quantity) error {
	for _, q := range all {
		if !(q.value > 0) || math.IsInf(q.value, 0) {
			return fmt.Errorf("%s is %g; it must be above 0", q.name, q.value)
		}
	}
	return nil
}
