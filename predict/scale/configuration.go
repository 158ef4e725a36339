package scale

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// configuration finds changes, and goes on with what lies after the last one.
func (s *study) configuration(ctx context.Context, r *Result) (*study, error) {
	for {
		changes := s.changes()
		if len(changes) == 0 {
			return s, nil
		}
		last := changes[len(changes)-1]
		text := last.String()
		r.Changes = append(r.Changes, text)
		if s.options.AllowChange {
			s.warnings = append(s.warnings, "the configuration changes "+text+"; it is predicted all the same, as asked")
			return s, nil
		}
		after := restricted(s.set, func(at []float64) bool { return at[0] >= last.To })
		if distinct(after) < 3 {
			return nil, fmt.Errorf("%w %s; runs before that say nothing of runs after it. Measure at three values of %s from %g up, or allow the change", ErrChanged, text, s.set.Parameters[0], last.To)
		}
		r.Warnings = append(r.Warnings, fmt.Sprintf("the configuration changes %s; only runs from %s=%g up are used", text, s.set.Parameters[0], last.To))
		next, err := newStudy(ctx, after, s.kernels, s.options)
		if err != nil {
			return nil, err
		}
		s = next
	}
}

// costMetrics are those in which a change of configuration shows.
var costMetrics = []string{"cycles", "gcycles", "instructions"}

// extremeNames are in metrics that are of one rank, not of all: the slowest, or how far it is from the others.
var extremeNames = []string{"max", "min", "imbalance", "stddev"}

// isExtreme says whether a metric is that of one rank: which one it is may change with any number of processes.
func isExtreme(metric string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(metric), func(r rune) bool { return r == '_' || r == '.' || r == ' ' || r == '-' }), func(word string) bool {
		return slices.Contains(extremeNames, word)
	})
}

// waitingCalls are calls whose time is, for the most part, that until others come.
var waitingCalls = []string{"wait", "barrier", "probe", "recv", "idle"}

// isWaiting says whether a callpath ends in a call that waits: for whom and how long is not the application's configuration.
func isWaiting(callpath string) bool {
	name := strings.ToLower(lastName(callpath))
	return slices.ContainsFunc(waitingCalls, func(word string) bool { return strings.Contains(name, word) })
}

// changes of the parts of the time, the cycles or the instructions, ascending. Sizes have none: work may grow with any power of them.
func (s *study) changes() []scaling.Change {
	if !s.processes() {
		return nil
	}
	parts := map[string][]*scaling.Series{}
	var metrics []string
	crowded := s.crowded()
	for _, f := range s.fits {
		if crowded && IsTime(f.metric) {
			continue
		}
		if !IsTime(f.metric) && !slices.Contains(costMetrics, f.metric) || isExtreme(f.metric) || isWaiting(f.callpath) || s.holdsOthers(f) {
			continue
		}
		if parts[f.metric] == nil {
			metrics = append(metrics, f.metric)
		}
		parts[f.metric] = append(parts[f.metric], f.series)
	}
	var out []scaling.Change
	for _, metric := range metrics {
		out = append(out, scaling.Changes(parts[metric])...)
	}
	slices.SortStableFunc(out, func(a, b scaling.Change) int { return cmp.Compare(a.To, b.To) })
	return out
}

// leastProcessor is the part of the time that ranks must have had a processor for their times to say something. Chosen: of five ranks one may
// wait.
const leastProcessor = 0.8

// crowded says whether recorded runs had fewer processors than ranks, and warns: such times jump where the processors run out.
func (s *study) crowded() bool {
	whole, cpu := s.byName[counters.WholeRun+" time"], s.byName[counters.WholeRun+" cpu"]
	if whole == nil || cpu == nil {
		return false
	}
	for i, at := range whole.series.At {
		if share := cpu.measured(at) / whole.series.Y[i]; share < leastProcessor {
			s.warnings = append(s.warnings, fmt.Sprintf("at %s the ranks had a processor for %.0f %% of their time: times are of a machine with too few cores, and say little of another", counters.FormatPoint(s.set.Parameters, at), 100*share))
			return true
		}
	}
	return false
}

// holdsOthers says whether a series is the sum of others: it is above them as a callpath, or within a tenth of all others of its metric together.
func (s *study) holdsOthers(f *fitted) bool {
	return s.above[f.name()] || s.isSum(f)
}

// isSum says whether a series is, at each of its points, the sum of the others of its metric, to a tenth.
func (s *study) isSum(f *fitted) bool {
	for i, at := range f.series.At {
		all := s.totals[f.metric][counters.FormatPoint(s.set.Parameters, at)]
		others := all.sum - f.series.Y[i]
		if all.n < 3 || scaling.Error(f.series.Y[i], others) > 0.1 || others <= 0 {
			return false
		}
	}
	return true
}
