package predict

import "sync"

// meter turns steps, and parts of steps, into progress in thousandths of a step, never going back.
type meter struct {
	mu     sync.Mutex
	report func(done, total int) // may be nil
	steps  int
	done   int
	shown  int
}

func newMeter(report func(done, total int), steps int) *meter {
	return &meter{report: report, steps: steps}
}

const thousand = 1000

// next ends a step.
func (m *meter) next() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done++
	m.show(m.done * thousand)
}

// part says how much of the present step is done; it may be called by several goroutines.
func (m *meter) part(x float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.show(m.done*thousand + int(x*(thousand-1)))
}

func (m *meter) show(done int) {
	if m.report != nil && done > m.shown {
		m.shown = done
		m.report(done, m.steps*thousand)
	}
}
