package predict

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"foresee/application"
	"foresee/application/recording"
	"foresee/application/trace"
	"foresee/model/reuse"
)

// take takes all events of a team; said is how many threads a trace is said to have, 0 where that is not said.
func (l *locality) take(ctx context.Context, t application.Team, said int) error {
	if ran := t.Ran(); ran != nil {
		return l.team(ctx, ran)
	}
	return eachEvent(ctx, t, func(events []trace.Event) error {
		if err := l.add(events); err != nil {
			return err
		}
		if seen := l.threads(); said > 0 && seen > said {
			return &ThreadError{Thread: seen - 1, Threads: said}
		}
		return nil
	})
}

// team takes all events of a team of a recorded run, those of one thread in runs.
func (l *locality) team(ctx context.Context, t *recording.Team) error {
	if !t.Single() || l.shared == nil || l.options.private || l.options.measure == "interval" {
		return eachEvent(ctx, t, l.add)
	}
	s := l.shared
	if s.shards != nil {
		s.shards = reuse.NewShards(l.options.line, *l.options.shards) // runs are of addresses, not of lines
	}
	s.in(l.current.of(0))
	for {
		marks, err := t.ReadRuns(s)
		for _, e := range marks {
			l.current.mark(e)
			s.in(l.current.of(0))
		}
		if len(s.lines) >= l.limit {
			if err := l.flush(); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

// observed measures the locality of accesses that were made.
func (j *job) observed(s application.Streams, threads []int, scopes []string, line int64) ([]*finding, error) {
	switch j.method {
	case MethodExact, MethodShards, "":
	default:
		return nil, &MethodError{j.method}
	}
	found := make([][]*finding, max(len(threads), 1))
	notes := make([][]string, len(found))
	apart := false // of regions
	err := s.Each(j.ctx, j.options.dealing(), threads, func(ctx context.Context, i int, t application.Team, workers int) error {
		o := j.localityOptions(scopes, line)
		if workers > 0 {
			o.workers = workers
		}
		l := newLocality(o)
		said := 0
		if i < len(threads) {
			said = threads[i]
		}
		err := l.take(ctx, t, said)
		notes[i] = t.Notes()
		found[i] = l.findings(t.Names())
		apart = apart || t.Ran() != nil || len(t.Names().Regions) > 0
		for _, f := range found[i] {
			f.model, f.interleave = t.Mixed()
			f.threads = cmp.Or(said, f.threads)
		}
		return err
	})
	if j.method == MethodShards && apart {
		j.warn("shards: a sample of the lines does not tell regions apart; this is of all accesses")
	}
	for _, w := range slices.Concat(notes...) {
		j.warn(w)
	}
	return slices.Concat(found...), err
}

func (j *job) warn(w string) {
	if !slices.Contains(j.warnings, w) {
		j.warnings = append(j.warnings, w)
	}
}
