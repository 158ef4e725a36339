package cycles

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/accuracy"
)

// apart is by how much two versions of a loop must differ for one to be the faster.
const apart = 1.1

// pairs says how often the faster of two versions of a kernel is foretold: those that share the begin of their names and do as many operations, as
// one compiler made both, where the clock tells them apart.
func (t *compiledTimes) pairs() *accuracy.Table {
	out := &accuracy.Table{
		Title: "Which of two versions is faster, " + t.size,
		Text: fmt.Sprintf("Versions of one computation (the begin of the name is the same, and so are the floating-point operations), by one compiler, whose times differ by more than %.0f %%. "+
			"Right: the one is foretold to be faster that is. Told: its predicted advantage is more than %.0f %% too.", 100*(apart-1), 100*(apart-1)),
		Columns: []string{"compiler", "pairs", "compiled: right", "told", "source: right", "told", "source, wrong"},
	}
	for c := -1; c < len(compilers); c++ {
		var n int
		var code, source verdict
		var wrong []string
		for i, a := range t.all {
			for _, b := range t.all[i+1:] {
				if a.compiler != b.compiler || c >= 0 && a.compiler != c || !versions(&a, &b) || math.Max(a.measured/b.measured, b.measured/a.measured) < apart {
					continue
				}
				n++
				code.add(a.measured/b.measured, a.compiled/b.compiled)
				if !source.add(a.measured/b.measured, a.source/b.source) && c >= 0 {
					wrong = append(wrong, a.kernel+" and "+b.kernel)
				}
			}
		}
		if n == 0 {
			continue
		}
		name := "all"
		if c >= 0 {
			name = strings.Join(compilers[c], " ")
		}
		percent := func(k int) string { return fmt.Sprintf("%.0f %%", 100*float64(k)/float64(n)) }
		out.Rows = append(out.Rows, []string{name, fmt.Sprint(n), percent(code.right), percent(code.told), percent(source.right), percent(source.told), strings.Join(slices.Compact(wrong), ", ")})
	}
	return out
}

// verdict counts pairs whose faster version is foretold.
type verdict struct{ right, told int }

// add takes a pair, by the ratios of its times; it says whether the prediction is right.
func (v *verdict) add(measured, predicted float64) bool {
	if measured > 1 != (predicted > 1) {
		return false
	}
	v.right++
	if math.Max(predicted, 1/predicted) >= apart {
		v.told++
	}
	return true
}

// versions says whether two kernels are versions of one computation.
func versions(a, b *timedCode) bool {
	first, _, _ := strings.Cut(a.kernel, "-")
	second, _, _ := strings.Cut(b.kernel, "-")
	if dimensional(a.kernel) != dimensional(b.kernel) {
		return false
	}
	return first == second && a.flops == b.flops
}

// dimensional is the number of dimensions in a name, as in jacobi-2d; "" where there is none.
func dimensional(name string) string {
	for part := range strings.SplitSeq(name, "-") {
		if len(part) == 2 && part[1] == 'd' {
			return part
		}
	}
	return ""
}
