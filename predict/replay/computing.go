package replay

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"foresee/application"
	"foresee/application/messages"
	"foresee/machine"
	"foresee/predict"
	"foresee/predict/compare"
)

// Computing is what ranks compute between their calls, as loops or a run of which times are predicted, and on which machines.
type Computing struct {
	Signature *application.Signature
	Recorded  *machine.Machine // that it was recorded on
	Threads   int              // of a rank then; 0: as the recording says
	Node      *machine.Machine // of the cluster
	Model     string
	Compiler  []string
	Options   predict.Options
}

// Split is how the cores of a node are dealt out.
type Split struct {
	Ranks   int `json:"ranks_per_node"`
	Threads int `json:"threads"`
}

// Scaled says by what the time between calls was multiplied, and why.
type Scaled struct {
	Program  string         `json:"program" jsonschema:"whose times are predicted"`
	Recorded Team           `json:"recorded"`
	There    Team           `json:"there"`
	Factor   float64        `json:"factor" jsonschema:"the time there over that on the recorded machine"`
	Low      float64        `json:"factor_low"`
	High     float64        `json:"factor_high"`
	Regions  []ScaledRegion `json:"regions"`
}

// Team is the threads of a rank, and the ranks that a machine has besides.
type Team struct {
	Machine string  `json:"machine"`
	Ranks   int     `json:"ranks" jsonschema:"that compute at once on the machine"`
	Threads int     `json:"threads" jsonschema:"of each rank"`
	TimeS   float64 `json:"time_s" jsonschema:"predicted, of all regions, each as often as it is entered"`
}

// ScaledRegion is a region's times.
type ScaledRegion struct {
	Region    string  `json:"region"`
	RecordedS float64 `json:"recorded_s"`
	ThereS    float64 `json:"there_s"`
	BoundBy   string  `json:"bound_by" jsonschema:"there"`
}

// UnknownTimeError says that no time is predicted where one is needed.
type UnknownTimeError struct{ Region, Machine, Why string }

func (e *UnknownTimeError) Error() string {
	return fmt.Sprintf("no time of %s on %s, by which computing would be scaled: %s", e.Region, e.Machine, e.Why)
}

// errNoTimes is a program without regions.
var errNoTimes = errors.New("the program has no region whose time could be predicted")

// RecordedSplit is how a recording was made on a machine: the ranks that computed at once on it, as many as its cores have room for, and their threads. Threads that are
// given count before OMP_NUM_THREADS, and where neither tells, it is one, with a warning.
func RecordedSplit(p *messages.Program, m *machine.Machine, threads int) (out Split, warning string) {
	hosts := map[string]int{}
	for i := range p.Ranks {
		hosts[p.Ranks[i].Host]++
	}
	for _, n := range hosts {
		out.Ranks = max(out.Ranks, n)
	}
	if out.Threads = threads; threads == 0 {
		for i := range p.Ranks {
			outermost, _, _ := strings.Cut(p.Ranks[i].Threads, ",")
			if n, err := strconv.Atoi(strings.TrimSpace(outermost)); err == nil && n <= mostThreads {
				out.Threads = max(out.Threads, n)
			}
		}
	}
	if out.Threads < 1 {
		out.Threads, warning = 1, "the recording does not say how many threads its ranks had, as OMP_NUM_THREADS was not set: one is taken"
	}
	if cores := m.TotalCores(); cores > 0 {
		out.Ranks = max(1, min(out.Ranks, cores/out.Threads))
	}
	return out, warning
}

// mostThreads of a rank; chosen: more than any node has.
const mostThreads = 1 << 12

// Scale predicts the program as one of the ranks that a machine had when it was recorded, and as one of those of each split of a node. No threads are as many as
// were recorded.
func (c *Computing) Scale(ctx context.Context, program *messages.Program, there ...Split) ([]*Scaled, []string, error) {
	recorded, warning := RecordedSplit(program, c.Recorded, c.Threads)
	there = slices.Clone(there)
	machines := []*machine.Machine{named(c.Recorded.Part(recorded.Ranks), recordedName)}
	threads := []int{recorded.Threads}
	for i, s := range there {
		if s.Threads == 0 {
			s.Threads = recorded.Threads
			there[i] = s
		}
		machines = append(machines, named(c.Node.Part(s.Ranks), nodeName(i)))
		threads = append(threads, s.Threads)
	}
	slices.Sort(threads)
	found, err := predict.Run(ctx, predict.Request{
		Signature: c.Signature, Machines: machines, Threads: slices.Compact(threads), Model: c.Model, Compiler: c.Compiler, Options: c.Options,
	})
	if err != nil {
		return nil, nil, err
	}
	var out []*Scaled
	for i, s := range there {
		one, err := c.scaled(found, recorded, s, nodeName(i))
		if err != nil {
			return nil, nil, err
		}
		out = append(out, one)
	}
	warnings := found.Warnings[min(1, len(found.Warnings)):] // the first is of every prediction
	if warning != "" {
		warnings = append(warnings, warning)
	}
	return out, warnings, nil
}

// Names that tell parts of one machine apart; no machine's file has such names.
const recordedName = "as recorded"

func nodeName(i int) string { return fmt.Sprint("split ", i) }

func named(m *machine.Machine, name string) *machine.Machine {
	out := *m
	out.Name = name
	return &out
}

// scaled compares the times of a split with those of the recording.
func (c *Computing) scaled(found *predict.PredictionResult, recorded, there Split, name string) (*Scaled, error) {
	a, err := c.times(found, recordedName, recorded.Threads, c.Recorded.Name)
	if err != nil {
		return nil, err
	}
	b, err := c.times(found, name, there.Threads, c.Node.Name)
	if err != nil {
		return nil, err
	}
	out := &Scaled{
		Program: c.Signature.Name, Recorded: Team{Machine: c.Recorded.Name, Ranks: recorded.Ranks, Threads: recorded.Threads},
		There: Team{Machine: c.Node.Name, Ranks: there.Ranks, Threads: there.Threads},
	}
	var low, high float64
	for i := range a {
		j := slices.IndexFunc(b, func(p predict.Prediction) bool { return p.Region == a[i].Region })
		if j < 0 {
			return nil, &UnknownTimeError{a[i].Region, c.Node.Name, fmt.Sprintf("nothing is known of it with %d threads", there.Threads)}
		}
		times := math.Max(float64(a[i].Entered), 1)
		was, is := times**a[i].TimeS, times**b[j].TimeS
		out.Recorded.TimeS, out.There.TimeS = out.Recorded.TimeS+was, out.There.TimeS+is
		out.Regions = append(out.Regions, ScaledRegion{a[i].Region, was, is, b[j].BoundBy})
		least, most := ratioRange(&a[i], &b[j])
		low, high = low+was*least, high+was*most
	}
	if !(out.Recorded.TimeS > 0) || !(out.There.TimeS > 0) {
		return nil, errNoTimes
	}
	out.Factor = out.There.TimeS / out.Recorded.TimeS
	out.Low, out.High = math.Min(out.Factor, low/out.Recorded.TimeS), math.Max(out.Factor, high/out.Recorded.TimeS)
	if there != recorded || c.Node.Name != c.Recorded.Name {
		out.Low, out.High = math.Min(out.Low, out.Factor*(1-leastSpread)), math.Max(out.High, out.Factor*(1+leastSpread))
	}
	return out, nil
}

// leastSpread is within which share of a predicted ratio the measured one lies at least on either side, where ranks or threads are others: what begins and ends a parallel
// region, and a clock that follows the busy cores, is in no model. Chosen: of a kernel that its core bounds, two threads took 0.52 of the time of one instead of 0.50.
const leastSpread = 0.06

// times are the predictions of a machine and number of threads, each with a time, under the machine's own name.
func (c *Computing) times(found *predict.PredictionResult, name string, threads int, own string) (out []predict.Prediction, err error) {
	for _, p := range found.Predictions {
		if p.Machine != name || p.Threads != threads {
			continue
		}
		if p.Accesses == 0 {
			continue
		}
		p.Machine = own
		if p.TimeS == nil || p.TimeLowS == nil || p.TimeHighS == nil {
			why := "nothing tells it"
			if len(p.Warnings) > 0 {
				why = strings.ReplaceAll(p.Warnings[len(p.Warnings)-1], "machine "+name, "machine "+own)
			}
			return nil, &UnknownTimeError{p.Region, own, why}
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, errNoTimes
	}
	return out, nil
}

// ratioRange is the interval of the ratio of two times. Those of one machine share what they are off by; those of two are off by themselves, so that the
// widths of both, as logarithms, add up as squares.
func ratioRange(a, b *predict.Prediction) (low, high float64) {
	pairs := compare.Results(&predict.PredictionResult{Predictions: []predict.Prediction{*a}}, &predict.PredictionResult{Predictions: []predict.Prediction{*b}}, compare.Judge{}).Pairs
	if len(pairs) != 1 || pairs[0].Ratio == nil || *pairs[0].Ratio <= 0 {
		return 0, math.Inf(1)
	}
	p := pairs[0]
	if p.Common {
		return *p.RatioLow, *p.RatioHigh
	}
	below := math.Hypot(math.Log(*a.TimeHighS / *a.TimeS), math.Log(*b.TimeS / *b.TimeLowS))
	above := math.Hypot(math.Log(*a.TimeS / *a.TimeLowS), math.Log(*b.TimeHighS / *b.TimeS))
	return *p.Ratio * math.Exp(-below), *p.Ratio * math.Exp(above)
}
