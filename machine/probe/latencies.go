package probe

import (
	"context"
	"fmt"

	"foresee/machine"
	"foresee/machine/probe/chase"
)

// Latencies measures those of a machine's caches, in cycles of the clock at that time, and of its memory, in ns, as Measure does.
func Latencies(ctx context.Context, base *machine.Machine, o Options) ([]float64, error) {
	p, err := o.start(ctx)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	m := newMeasurement(ctx, base, p, o)
	m.page = usualPage
	m.askSeveral("pin", "pin %d", o.CPUs[0])
	m.planChase(m.reach())
	if err := m.run(); err != nil {
		return nil, err
	}
	h, err := m.hierarchy(base)
	if err != nil {
		return nil, err
	}
	cycles, cycleNs := m.inCycles("huge", m.chaseSizes(m.farthest))
	l, err := chase.Fit(h, cycles, fitSeed)
	if err != nil {
		return nil, fmt.Errorf("latencies: %w", err)
	}
	l.Ns[len(base.Levels)] *= cycleNs
	return l.Ns, nil
}
