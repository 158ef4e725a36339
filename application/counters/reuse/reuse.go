// Package reuse reads histograms of reuse distances from what foresee profile writes as JSON.
package reuse

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// ErrNone says that a file of profiles has none that can be used.
var ErrNone = errors.New("no profile of the reuse distances of one thread is in it")

// reuseSchema begins what foresee profile writes as JSON.
const reuseSchema = "foresee.profile/v1"

// schemaWithin is within how many bytes of a file the name of its schema ends. Chosen: it is the first member.
const schemaWithin = 512

// Is tells the file by the name of its schema, which stands at its beginning.
func Is(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && bytes.Contains(head[:min(len(head), schemaWithin)], []byte(`"`+reuseSchema+`"`))
}

// Read reads the distances of one thread; others, and intervals, are left out. Of several profiles of a region the first is taken. Regions
// without accesses are left out as well.
func Read(in *input.Lines) ([]counters.Reuse, error) {
	text, err := in.All()
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
		return nil, input.JSONFault(in.Name, text, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: something follows after the profile; write the file again", in.Name)
	}
	if file.Partial {
		return nil, fmt.Errorf("%s: the profile is of an interrupted run; make it again", in.Name)
	}
	if file.LineBytes < 1 {
		return nil, fmt.Errorf("%s: line_bytes is %d; it must be positive", in.Name, file.LineBytes)
	}
	var out []counters.Reuse
	taken := map[string]bool{}
	for _, p := range file.Profiles {
		if p.Threads != 1 || p.Measure != "distance" || taken[p.Region] { // of one thread, private and shared are the same
			continue
		}
		taken[p.Region] = true
		r := counters.Reuse{Region: p.Region, LineBytes: file.LineBytes, Cold: p.Cold}
		for _, b := range p.Bins {
			if !(b.Low >= 0 && b.High >= b.Low && b.Count >= 0) {
				return nil, fmt.Errorf("%s: %s has %g accesses from distance %g to %g; distances rise, and counts are not negative", in.Name, p.Region, b.Count, b.Low, b.High)
			}
			r.Bins = append(r.Bins, counters.ReuseBin(b))
		}
		slices.SortStableFunc(r.Bins, func(a, b counters.ReuseBin) int { return cmp.Compare(a.Low, b.Low) })
		if !(p.Cold >= 0) {
			return nil, fmt.Errorf("%s: %s has %g first uses; make the profile again", in.Name, p.Region, p.Cold)
		}
		if r.Accesses() > 0 {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: %w", in.Name, ErrNone)
	}
	return out, nil
}
