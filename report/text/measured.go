package text

import (
	"fmt"
	"io"
	"strings"

	"foresee/machine"
	"foresee/report"
)

// Measured tells what was found out about a machine, in a few lines.
func Measured(w io.Writer, m *machine.Machine) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", m.Name, strings.Join(nonEmpty(m.Title, m.Vendor, m.Microarchitecture), "; "))
	for _, note := range m.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	b.WriteString("\n")
	t := &table{left: map[int]bool{0: true}}
	t.row("", "size", "found", "latency", "in sequence", "far apart")
	ghz := m.FrequencyGHz.Or(0)
	cost := func(v *machine.Value[float64]) string {
		cycles, ok := v.Get()
		if !ok || ghz == 0 {
			return "?"
		}
		return fmt.Sprintf("%.3g ns", cycles/ghz)
	}
	for i, l := range m.Levels {
		found := ""
		if v, ok := l.EffectiveSize.Get(); ok {
			found = report.Bytes(int64(v))
		}
		sequential, far := cost(l.SequentialCyclesPerLine), cost(l.FarCyclesPerLine)
		if i == 0 {
			sequential, far = "", ""
		}
		t.row(l.Name, report.Bytes(int64(l.Size.Or(0))), found, cost(l.LatencyCycles), sequential, far)
	}
	latency := "?"
	if ns, ok := m.Memory.LatencyNs.Get(); ok {
		latency = fmt.Sprintf("%.3g ns", ns)
	}
	t.row("memory", "", "", latency, cost(m.Memory.SequentialCyclesPerLine), cost(m.Memory.FarCyclesPerLine))
	b.WriteString(t.String())
	fmt.Fprintf(&b, "\nclock %.3g GHz", ghz)
	if one, ok := m.Memory.CoreBandwidthGBs.Get(); ok {
		fmt.Fprintf(&b, "; memory %.3g GB/s from one core", one)
	}
	if all, ok := m.Memory.BandwidthGBs.Get(); ok {
		fmt.Fprintf(&b, "; memory %.3g GB/s from all", all)
	}
	fmt.Fprintln(&b)
	if m.Measured != nil {
		if n, ok := m.Measured.PrefetchStreams.Get(); ok {
			fmt.Fprintf(&b, "prefetchers follow %d streams of lines side by side\n", n)
		}
		for _, f := range m.Measured.Fits {
			fmt.Fprintf(&b, "bandwidth function of %s sweeps: error %.1f %% in the mean, %.1f %% in the median, %.0f %% at worst, n = %d%s\n", f.Kind, 100*f.Errors.Mean, 100*f.Errors.Median, 100*f.Errors.Worst, f.Errors.N, roughly(f))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// roughly warns of a fit with large errors.
func roughly(f machine.MeasuredFit) string {
	if !f.Rough() {
		return ""
	}
	return " – rough: predictions that use it say so; measure again while the machine is idle"
}
