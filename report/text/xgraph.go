package text

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

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
	fmt.Fprintf(&b, "\nn %s threads, Z %s operations a request, E %s and M %s operations a cycle, R %s requests a cycle, L %s cycles\n", report.Short(p.N), report.Short(p.Z), report.Short(p.E), report.Short(p.M), report.Short(p.R), report.Short(p.L))
	if c := p.Cache; c != nil {
		how := fmt.Sprintf("α %s, β %s", report.Short(c.Alpha), report.Bytes(int64(min(c.Beta, mostShown))))
		if r.Program != nil && c.Hits != nil {
			how = fmt.Sprintf("hits of the program's own curve (equation 3 with α %s, β %s is off by %.2g at most)", report.Short(r.Program.Alpha), report.Bytes(int64(min(r.Program.Beta, mostShown))), r.Program.Misfit)
		}
		fmt.Fprintf(&b, "cache of %s, hit in %s cycles; %s\n", report.Bytes(int64(min(c.Size, mostShown))), report.Short(c.Latency), how)
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
	fmt.Fprintf(&b, "\nbest number of threads: %d (×%.3g)\n", r.BestThreads, r.BestGain)
	if len(r.WhatIf) == 0 {
		b.WriteString("nothing that was tried does better\n")
	} else {
		t := &table{left: map[int]bool{0: true, 3: true}}
		t.row("what if", "computing", "memory", "then bound by", "harms from")
		for _, g := range r.WhatIf {
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
	_, err := io.WriteString(w, b.String())
	return err
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
