package compare

import (
	"fmt"
	"slices"

	"foresee/predict"
)

// aspects tell predictions of one result apart; what differs in the one way that both results have one value of belongs together all the same: a region
// that was renamed, a machine that is compared with another.
var aspects = []struct {
	name string
	of   func(*predict.Prediction) string
}{
	{"region", func(p *predict.Prediction) string { return p.Region }},
	{"machine", func(p *predict.Prediction) string { return p.Machine }},
	{"threads", func(p *predict.Prediction) string { return fmt.Sprint(p.Threads) }},
}

// paired are the predictions that belong together, in the order of a, what is left over on both sides, and what of it is of a.
func paired(a, b []predict.Prediction) (pairs [][2]*predict.Prediction, alone, gone []string) {
	free := make([]bool, len(aspects))
	for i, x := range aspects {
		free[i] = len(valuesOf(a, x.of)) == 1 && len(valuesOf(b, x.of)) == 1
	}
	taken := make([]bool, len(b))
	for i := range a {
		j := slices.IndexFunc(b, func(p predict.Prediction) bool { return matches(&a[i], &p, free) })
		if j < 0 {
			alone, gone = append(alone, "A alone has "+nameOf(&a[i])), append(gone, nameOf(&a[i]))
			continue
		}
		taken[j] = true
		pairs = append(pairs, [2]*predict.Prediction{&a[i], &b[j]})
	}
	for j := range b {
		if !taken[j] {
			alone = append(alone, "B alone has "+nameOf(&b[j]))
		}
	}
	return pairs, alone, gone
}

func matches(a, b *predict.Prediction, free []bool) bool {
	for i, x := range aspects {
		if !free[i] && x.of(a) != x.of(b) {
			return false
		}
	}
	return true
}

func valuesOf(all []predict.Prediction, of func(*predict.Prediction) string) (out []string) {
	for i := range all {
		if v := of(&all[i]); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func nameOf(p *predict.Prediction) string {
	return fmt.Sprintf("%s on %s with threads=%d", p.Region, p.Machine, p.Threads)
}
