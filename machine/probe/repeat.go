package probe

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"foresee/machine"
)

// What is measured again, at most so often and for so long.
const (
	unsteady   = 0.05 // from this spread on
	mostTries  = 4
	repeatTime = 15 * time.Second
)

// tooWide is the spread from which a value is left out, however often it was measured.
const tooWide = 0.15

// repeat measures again what is doubtful, until nothing is, or the tries or the time are over.
func (m *measurement) repeat() error {
	began := time.Now()
	steps := slices.Clone(m.steps)
	for range mostTries {
		again := m.doubtful(steps)
		for i, s := range again {
			if time.Since(began) > repeatTime {
				return nil
			}
			if i == 0 {
				m.askSeveral("pin", "pin %d", m.options.CPUs[0])
			}
			m.steps = append(m.steps, s)
			if err := m.run(); err != nil {
				return err
			}
		}
		if len(again) == 0 {
			break
		}
	}
	return nil
}

// doubtful are the steps, each once, whose values cannot be or are not sure.
func (m *measurement) doubtful(steps []step) (out []step) {
	slower := m.slowerThanLarger()
	seen := map[string]bool{}
	for _, s := range steps {
		if s.several || seen[s.key] || regional(s.key) {
			continue
		}
		seen[s.key] = true
		if _, ok := m.answers[s.key]; ok && (m.unsure(s) || slower[s.key]) {
			out = append(out, s)
		}
	}
	return out
}

// regional says whether a step needs all CPUs.
func regional(key string) bool {
	return strings.HasPrefix(key, "fork ") || strings.HasPrefix(key, "barrier ")
}

func (m *measurement) unsure(s step) bool {
	a := m.undisturbed(s.key, m.answers[s.key])
	if s.long {
		return a.Spread > tooWide
	}
	if pipelined(s.key) {
		if _, ok := whole(a.Cycles); !ok {
			return true
		}
	}
	return a.N < leastBursts || a.Spread > unsteady
}

// slowerBy is by how much an array may take longer, an access, than a larger one of the same sweep; something else went on then.
const slowerBy = 1.1

// onCurve says that a step is the next larger size of a curve.
func (m *measurement) onCurve(curve, key string) {
	if !slices.Contains(m.curves[curve], key) {
		m.curves[curve] = append(m.curves[curve], key)
	}
}

// slowerThanLarger are the points of curves that take longer than larger arrays do.
func (m *measurement) slowerThanLarger() map[string]bool {
	out := map[string]bool{}
	for _, keys := range m.curves {
		least := math.Inf(1)
		for _, key := range slices.Backward(keys) {
			s, ok := m.answers[key]
			if !ok {
				continue
			}
			out[key] = s.Value > slowerBy*least
			least = min(least, s.Value)
		}
	}
	return out
}

// pipelined says whether a step is the latency of an operation that is carried out in whole cycles.
func pipelined(key string) bool {
	name, latency := strings.CutSuffix(key, " latency")
	if !latency {
		return false
	}
	kind, _, _ := strings.Cut(name, "_")
	return kind == machine.Add || kind == machine.Mul || kind == machine.FMA
}

// notWhole is how far from a whole number of cycles a measured latency may be.
const notWhole = 0.02

// whole is the number of cycles that a latency is, where it is one of pipelined circuits.
func whole(cycles float64) (float64, bool) {
	n := math.Round(cycles)
	return n, n >= 1 && math.Abs(cycles-n) <= notWhole*n
}

// trusted gives a sample; where it is not sure it is left out, with the reason.
func (m *measurement) trusted(key, what string) (Sample, bool) {
	s, ok := m.answers[key]
	if !ok {
		return s, false
	}
	s = m.undisturbed(key, s)
	if pipelined(key) {
		n, ok := whole(s.Cycles)
		if !ok {
			m.leave("%s of %.3g cycles, which is no whole number", what, s.Cycles)
			return s, false
		}
		s.Cycles = n
		return s, true
	}
	if s.Spread > tooWide || s.N == 0 {
		m.leave("%s (%s)", what, s.doubt())
		return s, false
	}
	return s, true
}

func (s Sample) doubt() string {
	if s.N == 0 {
		return fmt.Sprintf("all %d bursts were disturbed", s.Thrown)
	}
	return fmt.Sprintf("spread %.0f %%", 100*s.Spread)
}

func (m *measurement) leave(format string, args ...any) {
	m.left = append(m.left, fmt.Sprintf(format, args...))
}
