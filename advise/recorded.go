package advise

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"foresee/application"
	"foresee/machine"
	"foresee/predict"
)

// RecordedRequest asks what to change in a program of which accesses were made, and no loops are known.
type RecordedRequest struct {
	Signature *application.Signature
	Machine   *machine.Machine
	Threads   []int // rising; the last counts
	Options   predict.Options
}

// padded is the machine of predictions in which no line is shared falsely; no machine's file has such a name.
const padded = " without false sharing"

// Recorded tells of each region where its time goes, which arrays lack lines, what threads take from one another and which lines of the source write it, and what changes need
// no loops to be known. Where accesses were not read to their end, it gives what is known, and the error.
func Recorded(ctx context.Context, r RecordedRequest) (*Result, error) {
	twin := *r.Machine
	twin.Name += padded
	found, failed := predict.Run(ctx, predict.Request{
		Signature: r.Signature, Machines: []*machine.Machine{r.Machine, &twin}, Threads: r.Threads, Options: r.Options, Sharing: true, Padded: 1,
	})
	if found == nil {
		return nil, failed
	}
	out := &Result{Header: found.Header, Machine: r.Machine.Name, Regions: []Region{}}
	out.Schema = Schema
	var names []string
	now, then := map[string][]predict.Prediction{}, map[string][]predict.Prediction{}
	for _, p := range found.Predictions {
		if p.Machine == twin.Name {
			then[p.Region] = append(then[p.Region], p)
			continue
		}
		if now[p.Region] == nil {
			names = append(names, p.Region)
		}
		now[p.Region] = append(now[p.Region], p)
	}
	for _, name := range names {
		out.Regions = append(out.Regions, ranRegion(name, now[name], then[name], r.Machine))
	}
	return out, failed
}

// ranRegion is what is to be said of a region, by predictions for rising numbers of threads as it is and without false sharing.
func ranRegion(name string, now, then []predict.Prediction, m *machine.Machine) Region {
	out := Region{Region: name, Before: []Timing{}, Causes: []string{}, Changes: []Advice{}, Apart: []string{}}
	last := &now[len(now)-1]
	timed := !slices.ContainsFunc(slices.Concat(now, then), func(p predict.Prediction) bool { return p.TimeS == nil })
	if timed {
		out.Before = timings(now)
		for _, i := range slices.Compact([]int{0, len(now) - 1}) {
			out.Causes = append(out.Causes, fmt.Sprintf("%s: %s", threadsOf(now[i].Threads), spent(&now[i])))
		}
	} else {
		out.Causes = append(out.Causes, "no time is predicted of it: "+last.Warnings[len(last.Warnings)-1])
	}
	out.Causes = append(append(out.Causes, lacking(last)...), transferred(last)...)
	if a := padding(last, now, then, timed); a != nil && timed {
		out.Changes = append(out.Changes, *a)
	} else if a != nil {
		out.Apart = append(out.Apart, a.Title+" ("+a.Why+"); not predicted")
	}
	if timed {
		out.Apart = append(out.Apart, ranApart(now, m)...)
	}
	return out
}

// fewLacking is the least share of the accesses for which a level is looked at, and of what it lacks for which an array is named. Chosen: less is not what a time is of.
const (
	fewLacking = 0.01
	ofArray    = 0.1
)

// lacking says which arrays lack lines, at the outermost level that lacks many, or the first.
func lacking(p *predict.Prediction) (out []string) {
	level := len(p.HitRates) - 1
	for level > 0 && 1-p.HitRates[level].HitRate < fewLacking {
		level--
	}
	sum := int64(0)
	for _, a := range p.Arrays {
		sum += a.Misses[level]
	}
	for _, a := range p.Arrays {
		if share := float64(a.Misses[level]) / max(float64(sum), 1); share >= ofArray {
			out = append(out, fmt.Sprintf("%s: %d lines that %s lacks, %.0f %% of all", a.Array, a.Misses[level], p.HitRates[level].Level, 100*share))
		}
	}
	return out
}

// fewTransfers is the share of a region's accesses that transfers are told from. Chosen: one in ten thousand, of a hundred cycles each, is a per cent of a time.
const fewTransfers = 1e-4

// transferred says what threads take from one another.
func transferred(p *predict.Prediction) (out []string) {
	for _, s := range p.Sharing {
		if float64(s.FalseTransfers+s.TrueTransfers) < fewTransfers*float64(p.Accesses) {
			continue
		}
		kind, n := "true sharing: threads need what others wrote", s.TrueTransfers
		if s.FalseTransfers > s.TrueTransfers {
			kind, n = "false sharing: different data in one line"+writtenAt(s.Writers), s.FalseTransfers
		}
		out = append(out, fmt.Sprintf("%s: lines go from thread to thread %d times with %d threads, %s", s.Array, n, p.Threads, kind))
	}
	return out
}

func writtenAt(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return ", written at " + strings.Join(all, " and ")
}

// padding is the change by which threads share no lines falsely; nil where they share few.
func padding(p *predict.Prediction, now, then []predict.Prediction, timed bool) *Advice {
	var arrays, writers []string
	transfers := int64(0)
	for _, s := range p.Sharing {
		if s.FalseTransfers > s.TrueTransfers && float64(s.FalseTransfers) >= fewTransfers*float64(p.Accesses) {
			transfers += s.FalseTransfers
			writers = append(writers, s.Writers...)
			if s.Array != predict.Unnamed {
				arrays = append(arrays, s.Array)
			}
		}
	}
	if transfers == 0 {
		return nil
	}
	if len(arrays) == 0 {
		arrays = []string{"what they write"}
	}
	slices.Sort(writers)
	writers = slices.Compact(writers)
	a := &Advice{
		Change: "padding", Title: "give each thread lines of its own of " + strings.Join(arrays, " and ") + ": pad what a thread writes to a whole line (alignas(64)), or sum up in private variables and write once",
		Why:     fmt.Sprintf("with %d threads, lines go from thread to thread %d times without need: false sharing%s", p.Threads, transfers, writtenAt(writers)),
		Sharing: true, Conditions: []string{},
	}
	if len(writers) > 0 {
		file, line, _ := strings.Cut(writers[0], ":")
		a.File = file
		a.Line, _ = strconv.Atoi(line)
	}
	if timed {
		a.After = timings(then)
		a.Gain = *now[len(now)-1].TimeS / *then[len(then)-1].TimeS
		a.GainLow, a.GainHigh = interval(a.Gain)
		a.Gains = a.GainLow > 1
	}
	return a
}

// ranApart is what is no change of the source: other numbers of threads, and what the bound asks for.
func ranApart(now []predict.Prediction, m *machine.Machine) (out []string) {
	last := &now[len(now)-1]
	best := last
	for i := range now {
		if *now[i].TimeS < *best.TimeS {
			best = &now[i]
		}
	}
	if gain := *last.TimeS / *best.TimeS; gain >= worthSaying {
		out = append(out, fmt.Sprintf("fewer threads: %s instead of %d are %.3g times as fast as it stands", threadsOf(best.Threads), last.Threads, gain))
	} else if len(now) > 1 {
		out = append(out, fmt.Sprintf("%d threads instead of %d: %.3g times as fast as it stands", last.Threads, now[0].Threads, *now[0].TimeS / *last.TimeS))
	}
	out = append(out, touched(last, m, nil)...)
	from, _ := levelsOf(last)
	switch {
	case last.Chased >= muchChased && from != "the core":
		out = append(out, fmt.Sprintf("%.0f %% of the loads take their address from the load before, and lines from %s take the longest: prefetchers cannot run ahead of pointers; data in arrays in the order of use, or several walks side by side; not predicted", 100*last.Chased, from))
	case last.BoundBy == "latency":
		out = append(out, "each operation waits for the one before, as in a sum: several partial sums side by side (#pragma omp simd reduction); not predicted")
	}
	return out
}

// muchChased is the share of loads from which a region is said to chase pointers. Chosen: below, others have lines under way.
const muchChased = 0.2
