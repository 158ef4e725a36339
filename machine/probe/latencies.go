package probe

import (
	"context"
	"fmt"

	"foresee/machine"
	"foresee/machine/bandwidth"
)

// Latencies measures those of a machine's caches, in cycles of the clock at that time, and of its memory, in ns, as Measure does.
func Latencies(ctx context.Context, base *machine.Machine, o Options) ([]float64, error) {
	p, err := o.start(ctx, base)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	m := &measurement{ctx: ctx, base: base, asker: p, options: o, answers: map[string]Sample{}, several: map[string][]float64{}}
	m.askSeveral("pin", "pin %d", o.CPUs[0])
	m.askSeveral("hold huge", "hold %d 1", o.Most)
	m.askSpin(1)
	m.planChases(true)
	m.askSpin(2)
	if err := m.run(); err != nil {
		return nil, err
	}
	h, err := base.Hierarchy(float64(4096))
	if err != nil {
		return nil, err
	}
	var points [][2]float64
	for _, q := range m.chase("huge").Points {
		points = append(points, [2]float64{q[0], q[1]})
	}
	l, err := bandwidth.FitLatency(h, points, fitSeed)
	if err != nil {
		return nil, fmt.Errorf("latencies: %w", err)
	}
	for i := range base.Levels {
		l.Ns[i] *= m.ghz("spin 1", "spin 2")
	}
	return l.Ns, nil
}
