package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"foresee/machine"
)

// measurements is how many times the machine is measured.
const measurements = 5

// loadPeriod is how long the second process works, and then rests.
const loadPeriod = 500 * time.Millisecond

// measuredValue is one value of a machine file, and by how much it may differ from one measurement to the next.
type measuredValue struct {
	name, unit string
	most       float64 // (largest − smallest) / median
	of         func(*machine.Machine) (float64, bool)
}

// measuredValues are those that measurements are compared by.
var measuredValues = []measuredValue{
	{"clock", "GHz", 0.03, func(m *machine.Machine) (float64, bool) { return m.FrequencyGHz.Get() }},
	{"L1 latency", "ns", 0.03, latencyOf(0)},
	{"L2 latency", "ns", 0.03, latencyOf(1)},
	{"L3 latency", "ns", 0.1, latencyOf(2)},
	{"memory latency", "ns", 0.1, func(m *machine.Machine) (float64, bool) { return m.Memory.LatencyNs.Get() }},
}

func latencyOf(level int) func(*machine.Machine) (float64, bool) {
	return func(m *machine.Machine) (float64, bool) {
		ghz, ok := m.FrequencyGHz.Get()
		if !ok || level >= len(m.Levels) {
			return 0, false
		}
		cycles, ok := m.Levels[level].LatencyCycles.Get()
		return cycles / ghz, ok
	}
}

// tryMeasure measures the machine again and again while a second process loads another core half of the time.
func tryMeasure(ctx context.Context, b *bench, e effort) (*section, error) {
	s := &section{
		text: fmt.Sprintf("`foresee machine measure` %d times while a second process loads the other core half of the time, %v on and %v off. A value may differ by the share that is given "+
			"(largest less smallest, over the median), or be left out of the file, which then says why.", measurements, loadPeriod, loadPeriod),
		columns: []string{"value", "smallest", "median", "largest", "spread, %", "at most, %", "left out"},
	}
	_, noTaskset := exec.LookPath("taskset")
	_, noCompiler := exec.LookPath("cc")
	switch {
	case e.accesses < full.accesses:
		s.skip("measuring takes minutes")
		return s, nil
	case noTaskset != nil, noCompiler != nil, runtime.NumCPU() < 2:
		s.skip("it needs a C compiler, taskset and two cores")
		return s, nil
	}
	stop, err := loadOther(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	var found []*machine.Machine
	longest := time.Duration(0)
	for i := range measurements {
		m, took, err := measure(ctx, b, i)
		if err != nil {
			return nil, err
		}
		found, longest = append(found, m), max(longest, took)
	}
	for _, v := range measuredValues {
		v.compare(s, found)
	}
	s.text += fmt.Sprintf(" This was on %s; the longest measurement took %.0f s.", found[0].Title, longest.Seconds())
	return s, nil
}

// compare adds a row, and a failure where a value differs too much.
func (v measuredValue) compare(s *section, found []*machine.Machine) {
	var all []float64
	for _, m := range found {
		if x, ok := v.of(m); ok {
			all = append(all, x)
		}
	}
	left := len(found) - len(all)
	if len(all) == 0 {
		s.add(v.name+", "+v.unit, "–", "–", "–", "–", fmt.Sprintf("%.0f", 100*v.most), left)
		return
	}
	slices.Sort(all)
	smallest, median, largest := all[0], all[len(all)/2], all[len(all)-1]
	spread := (largest - smallest) / median
	s.add(v.name+", "+v.unit, fmt.Sprintf("%.3g", smallest), fmt.Sprintf("%.3g", median), fmt.Sprintf("%.3g", largest), fmt.Sprintf("%.1f", 100*spread), fmt.Sprintf("%.0f", 100*v.most), left)
	if spread > v.most {
		s.fail("%s: from %.4g to %.4g %s, %.1f %% apart", v.name, smallest, largest, v.unit, 100*spread)
	}
}

func measure(ctx context.Context, b *bench, number int) (*machine.Machine, time.Duration, error) {
	file := filepath.Join(b.dir, "measured-"+strconv.Itoa(number)+".yaml")
	begin := time.Now()
	r, err := finish(b.command(ctx, b.dir, "", []string{"machine", "measure", "-o", file}))
	if err != nil {
		return nil, 0, err
	}
	if r.code != 0 {
		return nil, 0, fmt.Errorf("machine measure: exit code %d: %s", r.code, r.stderr)
	}
	m, err := machine.Load(file)
	return m, time.Since(begin), err
}

// loadOther starts the second process on the last core.
func loadOther(ctx context.Context) (stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "taskset", "-c", strconv.Itoa(runtime.NumCPU()-1), self, "-load")
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}, nil
}

// load works half of the time until it is killed.
func load() {
	for {
		for begin := time.Now(); time.Since(begin) < loadPeriod; {
		}
		time.Sleep(loadPeriod)
	}
}
