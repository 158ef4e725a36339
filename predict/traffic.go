package predict

import (
	"fmt"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/model/timing"
)

// uncovered says that a machine's sweep has no point in the bins of some hit rates (Tikir et al., section 2).
func uncovered(model string, m *machine.Machine, hits []HitRate) string {
	f := m.Fit(machine.SweepRead)
	if model != ModelBandwidth || f == nil || len(m.Measured.Sweeps) == 0 {
		return ""
	}
	rates := make([]float64, len(hits))
	for i, h := range hits {
		rates[i] = h.HitRate
	}
	if f.Coverage(m.Measured.SweepPoints(machine.SweepRead), float64(m.LineBytes.Or(64))).Has(rates) {
		return ""
	}
	return fmt.Sprintf("no point of the sweep of %s has hit rates like these (bins of Tikir et al.): the time of memory is put together from points that have one level's each", m.Name)
}

// slowestShare is the share of all accesses that the slowest thread makes.
func slowestShare(balance nest.Balance, threads int) float64 {
	if threads == 1 {
		return 1
	}
	return 1 - balance.Parallel + balance.Parallel*min(1, balance.Imbalance/float64(threads))
}

// trafficOf splits the misses of each level into those that the next one serves.
func trafficOf(p *Prediction, levels []levelHits, balance nest.Balance) []timing.Traffic {
	slowest := slowestShare(balance, p.Threads)
	var out []timing.Traffic
	for i, h := range levels {
		t := timing.Traffic{Level: "memory"}
		share, of := h.miss, h.missed
		if i+1 < len(levels) {
			next := levels[i+1]
			t.Level = next.level.Name
			share -= next.miss
			of = of.less(next.missed)
		}
		t.AllLines = share * float64(p.Accesses)
		t.Lines = t.AllLines * slowest
		if share > 0 {
			t.Steps = of.steps
			t.Sequential = min(max(bandwidth.Straight(&of.steps)/share, 0), 1)
			t.Written = min(max(of.written/share, 0), 1)
		}
		out = append(out, t)
	}
	return out
}

// less takes away those that a further level has as well.
func (m misses) less(next misses) misses {
	for i := range m.steps {
		m.steps[i] = max(0, m.steps[i]-next.steps[i])
	}
	m.written = max(0, m.written-next.written)
	return m
}
