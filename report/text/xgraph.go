package text

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"foresee/model/xmodel"
	"foresee/predict"
	"foresee/report"
)

// mostShown bounds sizes, in bytes, that are read from a file, so that they fit a whole number. None of a machine comes near.
const mostShown = 1 << 62

// XGraph writes what the X-model says.
func XGraph(w io.Writer, r *predict.XResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Title)
	if r.Source != "" {
		fmt.Fprintf(&b, "%s\n", r.Source)
	}
	p := r.Params
	fmt.Fprintf(&b, "\nn %s threads, Z %s operations a request, E %s and M %s operations a cycle, R %s requests a cycle, L %s\n", report.Short(p.N), report.Short(p.Z), report.Short(p.E), report.Short(p.M), report.Short(p.R), cycles(p.L, r.Scale.GHz))
	if c := p.Cache; c != nil {
		how := fmt.Sprintf("α %s, β %s", report.Short(c.Alpha), report.Bytes(int64(min(c.Beta, mostShown))))
		if r.Program != nil && c.Hits != nil {
			how = fmt.Sprintf("hits of the program's own curve (equation 3 with α %s, β %s is off by %.2g at most)", report.Short(r.Program.Alpha), report.Bytes(int64(min(r.Program.Beta, mostShown))), r.Program.Misfit)
		}
		fmt.Fprintf(&b, "cache of %s, hit in %s; %s\n", report.Bytes(int64(min(c.Size, mostShown))), cycles(c.Latency, r.Scale.GHz), how)
	}
	at := r.Points
	delta := "nobody"
	if at.Delta > 0 {
		delta = report.Short(at.Delta)
	}
	fmt.Fprintf(&b, "π %s threads saturate computing, δ %s memory", report.Short(at.Pi), delta)
	if at.Psi != nil {
		fmt.Fprintf(&b, "; cache peak ψ at %s threads, %s times the plateau", report.Short(at.Psi.K), report.Short(at.Psi.Supply/at.Plateau))
	}
	if at.Low != nil {
		fmt.Fprintf(&b, ", valley at %s", report.Short(at.Low.K))
	}
	fmt.Fprintf(&b, "; %s\n", r.Sensitivity)
	par := r.Parallelism
	fmt.Fprintf(&b, "parallelism of the machine and of the workload: memory %s, %s; threads %s, %s; data %s, %s; instructions –, %s\n\n",
		report.Short(par.MachineMLP), report.Short(par.WorkloadMLP), report.Short(par.MachineTLP), report.Short(par.WorkloadTLP), report.Short(par.MachineDLP), report.Short(par.WorkloadDLP), report.Short(par.WorkloadILP))
	xStates(&b, r.States)
	b.WriteString(beside(r))
	if r.Against != nil {
		b.WriteString("\nagainst:\n")
		xStates(&b, r.Against.States)
		fmt.Fprintf(&b, "computing throughput ×%.3g\n", r.Against.Gain)
	}
	if r.Loss != nil {
		span := fmt.Sprintf("from %s threads on", report.Short(r.Loss.From))
		if r.Loss.To > 0 {
			span = fmt.Sprintf("with %s to %s threads", report.Short(r.Loss.From), report.Short(r.Loss.To))
		}
		fmt.Fprintf(&b, "\n%s there are two stable states: between them memory loses %s requests a cycle at least, %s at most\n", span, report.Short(r.Loss.Least), report.Short(r.Loss.Most))
	}
	b.WriteString(bestThreads(r))
	if len(r.WhatIf) == 0 {
		b.WriteString("nothing that was tried does better\n")
	} else {
		possible := slices.IndexFunc(r.WhatIf, func(g xmodel.Gain) bool { return g.Hardware })
		if possible < 0 {
			possible = len(r.WhatIf)
		}
		whatIf(&b, "what if, by the program", r.WhatIf[:possible])
		whatIf(&b, "what if, by another machine", r.WhatIf[possible:])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cycles writes a latency, in ns too where the frequency is known.
func cycles(n, ghz float64) string {
	if ghz <= 0 {
		return report.Short(n) + " cycles"
	}
	return fmt.Sprintf("%s cycles (%s ns)", report.Short(n), report.Short(n/ghz))
}

// whatIf writes a table of changes, where there are any.
func whatIf(b *strings.Builder, title string, all []xmodel.Gain) {
	if len(all) == 0 {
		return
	}
	t := &table{left: map[int]bool{0: true, 3: true}}
	t.row(title, "computing", "memory", "then bound by", "harms from")
	for _, g := range all {
		harms := ""
		if g.Harms > 0 {
			harms = "×" + report.Short(g.Harms)
		}
		limit := string(g.Limit)
		if g.Several {
			limit += " (two stable states)"
		}
		t.row(g.String(), fmt.Sprintf("×%.3g", g.Gain), fmt.Sprintf("×%.3g", g.After.Memory/g.Before.Memory), limit, harms)
	}
	b.WriteString("\n" + t.String())
}

// closeEnough is the factor up to which two throughputs are the same to a reader. Chosen.
const closeEnough = 1.1

// beside sets what the model of time predicts beside the state that is taken.
func beside(r *predict.XResult) string {
	at := slices.IndexFunc(r.States, func(s predict.XState) bool { return s.Taken })
	if r.Program == nil || at < 0 || r.States[at].GFlops <= 0 || r.Program.PredictedGFlops <= 0 {
		return ""
	}
	told, ratio := report.Short(r.Program.PredictedGFlops), r.Program.PredictedGFlops/r.States[at].GFlops
	if ratio < closeEnough && ratio > 1/closeEnough {
		return fmt.Sprintf("the model of time has %s GFLOP/s: they agree\n", told)
	}
	why := "there a core computes while its lines are under way, here a thread does one or the other"
	if ratio < 1 {
		why = "there threads also start, wait for one another, and wait for lines that come in no order"
	}
	return fmt.Sprintf("the model of time has %s GFLOP/s, ×%s: %s\n", told, report.Short(ratio), why)
}

// bestThreads says the best number of threads on the machine's cores, and apart what more cores would give.
func bestThreads(r *predict.XResult) string {
	best := fmt.Sprintf("\nbest number of threads: %d (×%.3g)\n", r.BestThreads, r.BestGain)
	if p := r.Program; p != nil && p.Cores > 0 {
		best = fmt.Sprintf("\nbest number of threads on the %s: %d (×%.3g)\n", report.Plural(p.Cores, "core"), r.BestThreads, r.BestGain)
	}
	if y := r.Beyond; y != nil {
		best += fmt.Sprintf("with more cores than the %d that the machine has: %d threads (×%.3g); n above %[1]d in what follows needs such a machine too\n", y.Cores, y.Threads, y.Gain)
	}
	return best
}

// xStates writes the table of states.
func xStates(b *strings.Builder, states []predict.XState) {
	t := &table{left: map[int]bool{0: true, 1: true}}
	header := []string{"state", "bound by", "k", "x", "requests/cycle", "operations/cycle"}
	scaled := len(states) > 0 && states[0].GBs > 0
	if scaled {
		header = append(header, "GB/s", "GFLOP/s")
	}
	t.row(append(header, "hits")...)
	for _, s := range states {
		kind := "unstable"
		if s.Stable {
			kind = "stable"
		}
		if s.Touches {
			kind = "touches"
		}
		if s.Taken {
			kind += ", taken"
		}
		bound := string(s.Bound)
		if !s.Stable {
			bound = "–"
		}
		row := []string{kind, bound, report.Short(s.K), report.Short(s.X), report.Short(s.Memory), report.Short(s.Compute)}
		if scaled {
			row = append(row, report.Short(s.GBs), report.Short(s.GFlops))
		}
		t.row(append(row, report.Percent(s.HitRate))...)
	}
	b.WriteString(t.String())
}

// XGraphCSV writes one record for each state.
func XGraphCSV(w io.Writer, r *predict.XResult) error {
	records := [][]string{{"scenario", "stable", "bound", "k", "x", "requests_per_cycle", "operations_per_cycle", "gbs", "gflops", "hit_rate"}}
	add := func(name string, states []predict.XState) {
		for _, s := range states {
			records = append(records, []string{name, strconv.FormatBool(s.Stable), string(s.Bound), report.Number(s.K), report.Number(s.X), report.Number(s.Memory), report.Number(s.Compute), report.Number(s.GBs), report.Number(s.GFlops), report.Number(s.HitRate)})
		}
	}
	add("first", r.States)
	if r.Against != nil {
		add("against", r.Against.States)
	}
	return writeCSV(w, records)
}
