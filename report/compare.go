package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"foresee/predict/compare"
)

// PairName says what a pair is of.
func PairName(p *compare.Pair) string {
	both := func(a, b string) string {
		if a == b {
			return a
		}
		return a + " → " + b
	}
	return fmt.Sprintf("%s on %s, threads %s", both(p.A.Region, p.B.Region), both(p.A.Machine, p.B.Machine), both(strconv.Itoa(p.A.Threads), strconv.Itoa(p.B.Threads)))
}

// PairText says in a sentence whether B is faster, and why.
func PairText(p *compare.Pair) string {
	said := PairName(p) + ": "
	if !p.Alike() {
		said += "not comparable, as " + unreadOf(p) + "; of what was read, "
	}
	if p.Ratio == nil {
		said += "no time on both sides"
	} else {
		said += speed(*p.Ratio) + fmt.Sprintf(" (%s → %s, time × %s)", Seconds(*p.A.TimeS), Seconds(*p.B.TimeS), ratioRange(p))
	}
	if because := why(p); because != "" {
		said += "; " + because
	}
	if p.Alike() && p.A.LeftOut > 0 {
		said += ". Both sides are without " + unreadParts(p.A)
	}
	return said + "."
}

// unreadOf says what each side is without.
func unreadOf(p *compare.Pair) string {
	switch {
	case p.A.LeftOut == 0:
		return "B alone is without " + unreadParts(p.B)
	case p.B.LeftOut == 0:
		return "A alone is without " + unreadParts(p.A)
	}
	return "A is without " + unreadParts(p.A) + " and B without " + unreadParts(p.B)
}

// unreadParts are the parts that a side is without.
func unreadParts(s compare.Side) string {
	said := Plural(s.LeftOut, "part")
	if s.LeftOutLoops > 0 {
		said += " (" + Plural(s.LeftOutLoops, "loop") + ")"
	}
	return said + " that cannot be read"
}

// speed says how a time has changed.
func speed(ratio float64) string {
	change := strconv.FormatFloat(math.Abs(100*(ratio-1)), 'f', 1, 64)
	switch {
	case change == "0.0":
		return "as fast"
	case ratio > 1:
		return "B is slower by " + change + " %"
	}
	return "B is faster by " + change + " %"
}

// ratioRange prints a ratio with its interval.
func ratioRange(p *compare.Pair) string {
	digits := func(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
	if digits(*p.RatioLow) == digits(*p.RatioHigh) {
		return digits(*p.Ratio)
	}
	return digits(*p.Ratio) + ", " + digits(*p.RatioLow) + " – " + digits(*p.RatioHigh)
}

// least is the share of a time whose change is worth a word. Chosen: what is below is noise of the sampling.
const least = 0.005

// why names the term that has changed most, and the array whose lines they are; "" where nothing has.
func why(p *compare.Pair) string {
	if len(p.Terms) > 0 && p.A.TimeS != nil {
		t := p.Terms[0]
		if math.Abs(t.BS-t.AS) < least**p.A.TimeS {
			return ""
		}
		said := termName(t.Term) + " " + Seconds(t.AS) + " → " + Seconds(t.BS)
		for i, l := range p.Levels {
			if i+1 < len(p.Levels) && p.Levels[i+1].Level == t.Term || i+1 == len(p.Levels) && t.Term == "memory" {
				if !l.Changed() {
					return said + ", as many as before, which come in another way or order"
				}
				return said + because(&l)
			}
		}
		return said
	}
	for i := len(p.Levels) - 1; i >= 0; i-- {
		if l := &p.Levels[i]; l.Changed() {
			return "misses of " + l.Level + ": " + Count(l.A) + " → " + Count(l.B) + because(l)
		}
	}
	return ""
}

// termName says what a term is.
func termName(term string) string {
	switch term {
	case "compute":
		return "computing"
	case "parallel":
		return "parallel regions"
	}
	return "lines from " + term
}

// because names the array whose misses have changed most, and where.
func because(l *compare.LevelChange) string {
	if l.Array == "" {
		return ""
	}
	said := fmt.Sprintf(", most by %s (%s → %s misses of %s", l.Array, Count(l.ArrayA), Count(l.ArrayB), l.Level)
	if at := strings.TrimSpace(l.Access + " " + l.Place); at != "" {
		said += "; " + at
	}
	return said + ")"
}

// FindingText says what is worse, and why.
func FindingText(p *compare.Pair, f compare.Finding) string {
	if f.What == compare.Time {
		return PairText(p)
	}
	for i := range p.Levels {
		if l := &p.Levels[i]; l.Level == f.Level {
			more := "none before"
			if f.Ratio > 0 {
				more = fmt.Sprintf("%.1f %% more", 100*(f.Ratio-1))
			}
			return fmt.Sprintf("%s: misses of %s %s → %s, %s%s.", PairName(p), l.Level, Count(l.A), Count(l.B), more, because(l))
		}
	}
	return PairText(p)
}

// ChangeOf prints by how much misses have changed.
func ChangeOf(l *compare.LevelChange) string {
	switch {
	case l.A == l.B:
		return "±0 %"
	case l.A == 0:
		return "new"
	}
	return fmt.Sprintf("%+.1f %%", 100*(float64(l.B)/float64(l.A)-1))
}
