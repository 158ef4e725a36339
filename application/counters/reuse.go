package counters

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

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

// ErrNoReuse says that a file of profiles has none that can be used.
var ErrNoReuse = errors.New("no profile of the reuse distances of one thread is in it")

// reuseSchema begins the JSON of profiles.
const reuseSchema = "foresee.profile/v1"

func isReuse(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && bytes.Contains(head[:min(len(head), 512)], []byte(`"`+reuseSchema+`"`))
}

// readReuse reads the distances of one thread; others, and intervals, are left out.
func readReuse(in *lines) ([]Reuse, error) {
	text, err := in.all()
	if err != nil {
		return nil, err
	}
	var file struct {
		LineBytes int64 `json:"line_bytes"`
		Partial   bool  `json:"partial"`
		Profiles  []struct {
			Region  string  `json:"region"`
			Threads int     `json:"threads"`
			Measure string  `json:"measure"`
			Cold    float64 `json:"cold"`
			Bins    []struct {
				Low   float64 `json:"low"`
				High  float64 `json:"high"`
				Count float64 `json:"count"`
			} `json:"histogram"`
		} `json:"profiles"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&file); err != nil {
		return nil, jsonFault(in.name, text, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: something follows after the profile; write the file again", in.name)
	}
	if file.Partial {
		return nil, fmt.Errorf("%s: the profile is of an interrupted run; make it again", in.name)
	}
	if file.LineBytes < 1 {
		return nil, fmt.Errorf("%s: line_bytes is %d; it must be positive", in.name, file.LineBytes)
	}
	var out []Reuse
	taken := map[string]bool{}
	for _, p := range file.Profiles {
		if p.Threads != 1 || p.Measure != "distance" || taken[p.Region] { // of one thread, private and shared are the same
			continue
		}
		taken[p.Region] = true
		r := Reuse{Region: p.Region, LineBytes: file.LineBytes, Cold: p.Cold}
		for _, b := range p.Bins {
			if !(b.Low >= 0 && b.High >= b.Low && b.Count >= 0) {
				return nil, fmt.Errorf("%s: %s has %g accesses from distance %g to %g; distances rise, and counts are not negative", in.name, p.Region, b.Count, b.Low, b.High)
			}
			r.Bins = append(r.Bins, ReuseBin(b))
		}
		slices.SortStableFunc(r.Bins, func(a, b ReuseBin) int { return cmp.Compare(a.Low, b.Low) })
		if !(p.Cold >= 0) {
			return nil, fmt.Errorf("%s: %s has %g first uses; make the profile again", in.name, p.Region, p.Cold)
		}
		if r.Accesses() > 0 {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: %w", in.name, ErrNoReuse)
	}
	return out, nil
}

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
