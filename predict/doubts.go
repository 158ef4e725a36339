package predict

import (
	"fmt"

	"foresee/machine"
)

// doubtsOf says what is doubtful of the time that a machine's bandwidth function gives at some hit rates.
func doubtsOf(model string, m *machine.Machine, hits []HitRate) (out []string) {
	if w := uncovered(model, m, hits); w != "" {
		out = append(out, w)
	}
	if model == ModelBandwidth {
		out = append(out, m.RoughFits()...)
	}
	return out
}

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
