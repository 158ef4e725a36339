package application

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"foresee/application/record"
)

// teamCheck tries what was decided of a program's code, that one run can be dealt to any number of threads: a team must print what one thread
// does.
type teamCheck struct {
	run     record.Run // with the largest number of threads
	input   func() (io.ReadCloser, error)
	printed bool // the program prints what it is told of its threads
}

// teamCheckOf is nil where there is nothing to try.
func (e *Execution) teamCheckOf(threads []int) *teamCheck {
	if len(threads) == 0 {
		threads = record.DefaultCuts
	}
	most := slices.Max(threads)
	if most == 1 || e.how == CheckOff || e.again == nil {
		return nil
	}
	t := &teamCheck{run: e.run, input: e.again, printed: len(e.asks.Printed) > 0}
	t.run.Threads = most
	return t
}

// tryTeam runs the program with one thread and with a team, before it is recorded. It gives the difference, "" where there is none or where it was
// not found out, as the runs are not short: the team is then tried when the recorded run has ended.
func (e *Execution) tryTeam(threads []int) (difference string, err error) {
	t := e.teamCheckOf(threads)
	if t == nil {
		return "", nil
	}
	limit := shortRun
	if e.how == CheckOn {
		limit = 0
	}
	e.team = t
	one := t.run
	one.Threads = 1
	want, err := plainRun(e.ctx, one, t.input, record.Plainly{Limit: limit})
	if errors.As(err, new(*record.RepeatError)) {
		e.once, e.team = err, nil
		return "", nil
	}
	if err != nil { // so will the recorded run, or the check of it
		return "", e.ctx.Err()
	}
	e.known = want
	difference, err = t.differs(e.ctx, want, limit)
	if unfinished(err) != nil {
		return "", nil
	}
	e.team = nil
	return difference, err
}

// differs says how what a team prints differs from what one thread printed, "" where it is the same. Numbers of threads, where they are only
// printed, and lines that each thread prints are no difference.
func (t *teamCheck) differs(ctx context.Context, want *record.Kept, limit time.Duration) (string, error) {
	got, err := plainRun(ctx, t.run, t.input, record.Plainly{Limit: limit})
	switch {
	case unfinished(err) != nil || ctx.Err() != nil:
		return "", cmp.Or(ctx.Err(), err)
	case err != nil:
		return fmt.Sprintf("with %d threads it fails: %v", t.run.Threads, err), nil
	case record.CompareOutputs(got.String(), want.String(), "", true) == nil:
		return "", nil
	}
	if t.printed {
		if got, err = plainRun(ctx, t.run, t.input, record.Plainly{Limit: limit, ToldOne: true}); err != nil {
			return "", err
		}
	}
	one := t.run
	one.Threads = 1
	unlike, err := plainRun(ctx, one, t.input, record.Plainly{Limit: limit, OtherClock: true})
	if err != nil {
		return "", err
	}
	a, b, c := got.String(), want.String(), unlike.String()
	if record.CompareOutputs(a, b, c, true) == nil {
		return "", nil
	}
	d := record.CompareOutputs(record.LinesOnce(a), record.LinesOnce(b), record.LinesOnce(c), true)
	if d == nil {
		return "", nil
	}
	return fmt.Sprintf("with %d threads it prints something else than with one: %v", t.run.Threads, d), nil
}
