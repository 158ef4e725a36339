package compare

import (
	"math"
	"slices"
)

// What a judge may look at.
const (
	Time   = "time"
	Misses = "misses"
)

// Judge says what is worse.
type Judge struct {
	Above float64  `json:"above"` // the share by which B may be slower, or lack more lines
	Of    []string `json:"of"`    // time, misses
}

// Finding is what is worse in B.
type Finding struct {
	What  string  `json:"what"`            // time or misses
	Level string  `json:"level,omitempty"` // of misses
	Ratio float64 `json:"ratio"`           // of B to A; 0 where A has none
}

// Of misses: errors of sampling that a difference must be beyond, and the share of the accesses that it must be of. Chosen: standard errors are 1.3 to 2 times
// what eight seeds differ by (measured on a tiled product), so that two of them are passed by chance once in 100 times or less; and a miss of some
// 100 cycles in 10,000 accesses is a hundredth of a cycle for each.
const (
	beyondErrors = 2
	fewestMisses = 1e-4
)

// findings are what is worse in a pair by more than is allowed. A time counts as worse where B is slower by more than that, and in no part of the interval
// faster by as much; misses where they are more by more than that, beyond the error of the sampling.
func (j Judge) findings(p *Pair) []Finding {
	out := []Finding{}
	for _, what := range j.Of {
		switch what {
		case Time:
			if p.Ratio != nil && *p.Ratio > 1+j.Above && *p.RatioLow >= 1-j.Above {
				out = append(out, Finding{What: Time, Ratio: *p.Ratio})
			}
		case Misses:
			for i := range p.Levels {
				if l := &p.Levels[i]; j.misses(l, p.A.Accesses) {
					f := Finding{What: Misses, Level: l.Level}
					if l.A > 0 {
						f.Ratio = float64(l.B) / float64(l.A)
					}
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// misses says whether a level of B lacks more lines, of so many accesses of A.
func (j Judge) misses(l *LevelChange, accesses int64) bool {
	return j.seemsMore(l, accesses) && float64(l.B-l.A) > beyondErrors*l.Error
}

// seemsMore is misses whatever the error of the sampling.
func (j Judge) seemsMore(l *LevelChange, accesses int64) bool {
	more := float64(l.B - l.A)
	return more > j.Above*float64(l.A) && more > math.Max(fewestMisses*float64(accesses), 0)
}

// undecided says that a level seems to lack more lines in B by more than is allowed, and the error of the sampling is too large to say so.
func (j Judge) undecided(l *LevelChange, accesses int64) bool {
	return slices.Contains(j.Of, Misses) && j.seemsMore(l, accesses) && !j.misses(l, accesses)
}
