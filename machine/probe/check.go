package probe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"foresee/machine"
)

// Drift is one quantity then and now.
type Drift struct {
	What   string  // "read, stride 8, 1.5 MiB"
	Unit   string  // GB/s, ns, GHz
	Then   float64 // as the file says
	Now    float64
	Spread float64 // of the samples now
}

// Change is now over then, less one.
func (d Drift) Change() float64 { return d.Now/d.Then - 1 }

// ErrNotMeasured says that a machine file does not hold measurements.
var ErrNotMeasured = errors.New("it holds no measurements to compare with")

// Each curve is measured again at one in so many of its points.
const (
	checkedSweep = 9
	checkedChase = 4
)

// Check measures a sample of what a machine file holds again.
func Check(ctx context.Context, m *machine.Machine, o Options) ([]Drift, error) {
	if m.Measured == nil || len(m.Measured.Sweeps)+len(m.Measured.Chases) == 0 {
		return nil, fmt.Errorf("machine %s: %w", m.Name, ErrNotMeasured)
	}
	p, err := o.start(ctx)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return CheckWith(ctx, m, p, o)
}

// CheckWith is Check by any Asker.
func CheckWith(ctx context.Context, m *machine.Machine, a Asker, o Options) (out []Drift, err error) {
	c := &checking{ctx: ctx, asker: a, progress: o.Progress, most: o.Most}
	if c.most == 0 {
		c.most = mostArrays(lastCapacity(m), o.memory)
	}
	c.ask("pin", "", 0, nil, "pin %d", o.CPUs[0])
	if ghz, ok := m.FrequencyGHz.Get(); ok {
		c.ask("clock", "GHz", ghz, func(ns float64) float64 { return 1 / ns }, "spin 9 2e6")
	}
	for _, curve := range m.Measured.Chases {
		flag := 0
		if curve.Kind == "huge" {
			flag = 1
		}
		for i := 0; i < len(curve.Points); i += checkedChase {
			b := int64(curve.Points[i][0])
			c.ask(fmt.Sprintf("latency, %s pages, %s", curve.Kind, machine.FormatSize(b)), "ns", curve.Points[i][1], nil, "chase %d %d %d 1 5 %g", b, curve.Stride, flag, burstNs)
		}
	}
	for _, curve := range m.Measured.Streams {
		warm := 1
		if curve.Level == "memory" {
			warm = 0
		}
		for i := 0; i < len(curve.Points) && int64(curve.Bytes) <= c.most; i += checkedSweep {
			k := int(curve.Points[i][0])
			c.ask(fmt.Sprintf("latency of %d streams in turn, %s", k, curve.Level), "ns", curve.Points[i][1], nil, "streams %d %d %d %d 5 %g", k, int64(curve.Bytes), warm, usualPages, burstNs)
		}
	}
	pages := usualPages
	if m.Measured.Page <= largestSmallPage {
		pages = smallPages
	}
	for k, curve := range m.Measured.Sweeps {
		if curve.Kind == machine.SweepVector { // depends on the flags
			continue
		}
		for i := k % checkedSweep; i < len(curve.Points); i += checkedSweep {
			b := int64(curve.Points[i][0])
			if b > c.most {
				continue
			}
			what, command := fmt.Sprintf("stride %d", curve.Stride), sweepCommand(curve.Kind, curve.Stride, b, pages, 5, burstNs)
			if w := (work{curve.Work, curve.Streams, curve.Stride}); slices.Contains(worked[curve.Kind], w) {
				what, command = w.String(), workCommand(curve.Kind, w, b, pages, 5, burstNs)
			}
			if curve.Lines > 0 {
				what, command = fmt.Sprintf("tiles %d lines wide", curve.Lines), runsCommand(curve.Kind, curve.Lines, curve.Stride, b, pages, 5, burstNs)
			}
			c.ask(fmt.Sprintf("%s, %s, %s", curve.Kind, what, machine.FormatSize(b)), "GB/s", curve.Points[i][1],
				func(ns float64) float64 { return 8 / ns }, "%s", command)
		}
	}
	return c.run()
}

// checking is the questions of a check.
type checking struct {
	ctx       context.Context
	asker     Asker
	progress  func(done, total int)
	most      int64
	questions []question
}

type question struct {
	drift   Drift
	command string
	of      func(float64) float64
}

func (c *checking) ask(what, unit string, then float64, of func(float64) float64, format string, args ...any) {
	c.questions = append(c.questions, question{Drift{What: what, Unit: unit, Then: then}, fmt.Sprintf(format, args...), of})
}

func (c *checking) run() (out []Drift, err error) {
	for i, q := range c.questions {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		if c.progress != nil {
			c.progress(i, len(c.questions))
		}
		values, err := c.asker.Ask(q.command)
		if refused := (*RefusedError)(nil); errors.As(err, &refused) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if q.drift.Unit == "" {
			continue
		}
		bursts, err := burstsOf(q.command, values)
		if err != nil {
			return nil, err
		}
		s := sampleOf(bursts)
		q.drift.Now, q.drift.Spread = s.Value, s.Spread
		if q.of != nil {
			q.drift.Now = q.of(s.Value)
		}
		if q.drift.Then > 0 && q.drift.Now > 0 && !math.IsInf(q.drift.Now, 0) {
			out = append(out, q.drift)
		}
	}
	return out, nil
}
