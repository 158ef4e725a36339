package counters

import "fmt"

// Reuse is the histogram of reuse distances of a region at one point of a set's parameters: what a saved profile holds.
type Reuse struct {
	Region    string
	At        []float64
	LineBytes int64
	Cold      float64 // first uses
	Bins      []ReuseBin
}

// ReuseBin counts accesses by the number of distinct lines since the last use of theirs.
type ReuseBin struct{ Low, High, Count float64 }

// Accesses are all, first uses included.
func (r *Reuse) Accesses() float64 {
	n := r.Cold
	for _, b := range r.Bins {
		n += b.Count
	}
	return n
}

// AddReuse adds profiles of one run.
func (s *Set) AddReuse(at map[string]float64, profiles []Reuse) error {
	point, err := s.point(at)
	if err != nil {
		return err
	}
	for _, r := range profiles {
		key := fmt.Sprintf("%v %s", point, r.Region)
		if s.reuse[key] {
			return fmt.Errorf("there are two reuse profiles of %s at %s; give one", r.Region, FormatPoint(s.Parameters, point))
		}
		if s.reuse == nil {
			s.reuse = map[string]bool{}
		}
		s.reuse[key] = true
		r.At = point
		s.Reuse = append(s.Reuse, r)
	}
	return nil
}
