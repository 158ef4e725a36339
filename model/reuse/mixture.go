package reuse

import (
	"maps"
	"math"
	"slices"
)

// mixture is how the shares of a class's windows are spread, without the noise of looking at a few places of each: the nonparametric maximum likelihood
// (Kiefer and Wolfowitz, 1956) on a grid of shares.
type mixture struct {
	grid      []float64           // shares that windows have
	weight    []float64           // of each
	mean      float64             // of all windows alike
	posterior map[count][]float64 // of what windows with these counts may be, up to each share of the grid
}

// count is what looking into a window found: so many last uses among so many places.
type count struct{ last, places int }

func (w window) count() count {
	return count{int(math.Round(w.share * float64(w.places))), w.places}
}

// How the spread is found. Chosen: with twice the rounds, and for rare classes too, the curves of the 61 kernels are 0.00002 nearer to exact ones in the mean
// (0.00012 of 4 threads), and predictions take a tenth longer.
const (
	gridShares  = 64
	gridRounds  = 250  // at most
	fasterSteps = 1.9  // exponent of a step of EM, which converges below 2
	leastWeight = 1e-6 // of a share of the grid that is not dropped
)

// spreadOf fits the mixture to windows, by EM with longer steps.
func spreadOf(windows []window) *mixture {
	number := map[count]float64{}
	lo, hi := math.Inf(1), 0.0
	for _, w := range windows {
		number[w.count()] += 1 / float64(len(windows))
		p := (w.share*float64(w.places) + 0.5) / (float64(w.places) + 1)
		lo, hi = min(lo, p), max(hi, p)
	}
	m := &mixture{}
	for g := range gridShares {
		m.grid = append(m.grid, lo*math.Pow(hi/lo, float64(g)/(gridShares-1)))
		m.weight = append(m.weight, 1.0/gridShares)
	}
	counts := slices.SortedFunc(maps.Keys(number), func(a, b count) int {
		if a.places != b.places {
			return a.places - b.places
		}
		return a.last - b.last
	})
	rows := make([][]float64, len(counts)) // likelihoods by share of the grid
	for i, c := range counts {
		rows[i] = m.likelihood(c)
	}
	for round := range gridRounds {
		m.step(rows, counts, number)
		if round%25 == 24 {
			m.prune(rows)
		}
	}
	m.posterior = map[count][]float64{}
	for i, c := range counts {
		up := make([]float64, len(m.grid))
		total := 0.0
		for g, l := range rows[i] {
			total += m.weight[g] * l
			up[g] = total
		}
		for g := range up {
			up[g] /= total
		}
		m.posterior[c] = up
	}
	for g, w := range m.weight {
		m.mean += w * m.grid[g]
	}
	return m
}

// likelihood is that of a count by the grid's shares, the greatest of them 1.
func (m *mixture) likelihood(c count) []float64 {
	last, other := float64(c.last), float64(c.places-c.last)
	all := make([]float64, len(m.grid))
	for g, p := range m.grid {
		all[g] = last*math.Log(p) + other*math.Log1p(-p)
	}
	most := slices.Max(all)
	for g := range all {
		all[g] = math.Exp(all[g] - most)
	}
	return all
}

// step moves the weights towards greater likelihood.
func (m *mixture) step(rows [][]float64, counts []count, number map[count]float64) {
	gain := make([]float64, len(m.grid))
	for i, row := range rows {
		total := 0.0
		for g, l := range row {
			total += m.weight[g] * l
		}
		f := number[counts[i]] / total
		for g, l := range row {
			gain[g] += f * l
		}
	}
	total := 0.0
	for g := range m.weight {
		m.weight[g] *= math.Pow(gain[g], fasterSteps)
		total += m.weight[g]
	}
	for g := range m.weight {
		m.weight[g] /= total
	}
}

// prune drops shares that hardly any window has.
func (m *mixture) prune(rows [][]float64) {
	n := 0
	for g, w := range m.weight {
		if w < leastWeight {
			continue
		}
		m.weight[n], m.grid[n] = w, m.grid[g]
		for _, row := range rows {
			row[n] = row[g]
		}
		n++
	}
	m.weight, m.grid = m.weight[:n], m.grid[:n]
	for i := range rows {
		rows[i] = rows[i][:n]
	}
}

// share is the u-quantile of what a window's share may be.
func (m *mixture) share(w window, u float64) float64 {
	up := m.posterior[w.count()]
	for g, c := range up {
		if c >= u {
			return m.grid[g]
		}
	}
	return m.grid[len(up)-1]
}
