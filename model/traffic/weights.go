package traffic

import (
	"foresee/application/nest"
)

// mostMended is the factor by which the weights of a reference's samples are mended at most. Chosen: what is further off is no chance.
const mostMended = 2

// balance mends the weights of a sample so that each reference has the share of accesses that it has in the program: reads and
// writes of the same place take turns, and a sample of places may meet one of them more often by chance. First uses are counted, not
// sampled, and stay as they are.
func (st *Stream) balance(counts map[accessKey]float64, all float64) {
	d := st.Sampled.Distances
	n := st.Nest.References()
	total := d.Total()
	if all == 0 || n == 0 || total == 0 {
		return
	}
	weights := make([]float64, n)
	for _, x := range d.Points {
		if int(x.Reference) >= n {
			return
		}
		weights[x.Reference] += x.Weight
	}
	factors, mended := make([]float64, n), 0.0
	for r := range n {
		want := total*counts[keyOf(st.Nest.Reference(r))]/all - d.Cold*st.first[r] // every access is the first use of a line, or a later one
		factors[r] = 1
		if here := weights[r]; here > 0 && want > 0 && want < mostMended*here && here < mostMended*want {
			factors[r] = want / here
		}
		mended += weights[r] * factors[r]
	}
	if mended <= 0 {
		return
	}
	for i := range d.Points {
		d.Points[i].Weight *= factors[d.Points[i].Reference] * (total - d.Cold) / mended
	}
}

// accessCounts are how often each access of a program is made, and how many of them stand for the same one of the source.
func accessCounts(runs *nest.Runs) (counts map[accessKey]float64, copies map[*nest.Access]int, all float64) {
	counts, copies = map[accessKey]float64{}, map[*nest.Access]int{}
	same := map[accessKey]int{}
	for statement, n := range runs.Statement {
		for _, a := range statement.Accesses {
			counts[keyOf(a)] += float64(n)
			same[keyOf(a)]++
			copies[a.Origin()]++
			all += float64(n)
		}
	}
	for key, n := range same {
		if n > 1 { // several at one place of the source: they cannot be told apart, and share
			counts[key] /= float64(n)
		}
	}
	return counts, copies, all
}
