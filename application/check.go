package application

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"foresee/application/record"
	"foresee/application/recording"
)

// Check says when what a recorded program prints is compared with what a plain run prints.
type Check string

// Values of Check.
const (
	CheckAuto Check = "auto" // where the plain run is short
	CheckOn   Check = "on"
	CheckOff  Check = "off"
)

// A plain run beside a recorded one is ended after shortRun or, where that is longer, the shareOfRun of the time that the recorded run
// took.
const (
	shortRun   = 5 * time.Second
	shareOfRun = 0.25
)

// check is a run whose standard output is compared with that of a plain run.
type check struct {
	how   Check
	run   record.Run
	input func() (io.ReadCloser, error) // standard input once more; nil where it was consumed
	out   *record.Kept
	begun time.Time
	warn  func(error)
	known *record.Kept // what a plain run printed before; nil: there was none
	once  error        // why it cannot be run again; nil: it can
	team  *teamCheck   // of a run that is dealt, where its threads were not tried before; nil: they were, or need not be
}

// OutputError is the end of a run that printed something else than the program does.
type OutputError struct {
	Err    error
	Differ bool // it came to its end plainly as well, with another output
}

func (e *OutputError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *OutputError) Unwrap() error { return e.Err }

// unfinished says why a plain run was ended, nil where it came to its end.
func unfinished(err error) error {
	var repeat *record.RepeatError
	switch {
	case errors.Is(err, record.ErrLong):
		return ErrLongCheck
	case errors.As(err, &repeat):
		return repeat
	}
	return nil
}

// ErrLongCheck is a plain run that takes longer than is waited for.
var ErrLongCheck = errors.New("its plain run is not short")

// watch takes what a run prints, to be compared once it has ended.
func (how Check) watch(run *record.Run, input func() (io.ReadCloser, error), warn func(error)) *check {
	if how == CheckOff {
		return nil
	}
	c := &check{how: how, run: *run, input: input, out: record.NewKept(), begun: time.Now(), warn: warn}
	if run.Stdout == nil {
		run.Stdout = c.out
	} else {
		run.Stdout = io.MultiWriter(run.Stdout, c.out)
	}
	return c
}

// compare runs the program plainly, and says whether it printed the same; false without an error: it was not compared.
func (c *check) compare(ctx context.Context, name string) (same bool, err error) {
	if c == nil {
		return false, nil
	}
	if c.input == nil {
		return false, c.not(name, errors.New("it may read standard input, which cannot be read twice here; give it a file"))
	}
	if c.once != nil {
		return false, c.not(name, c.once)
	}
	if !c.out.Whole {
		c.warn(fmt.Errorf("%s: what it printed is checked up to %d MiB", name, record.MostOutput>>20))
	}
	want, err := c.plain(ctx, false)
	if why := unfinished(err); why != nil {
		return false, c.not(name, why)
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return false, &OutputError{Err: fmt.Errorf("%s: recorded, it came to its end; run plainly with %s it fails: %w", name, c.ran(), err)}
	}
	if c.difference(want, "") == nil {
		return c.out.Whole, c.tryTeam(ctx, name, want)
	}
	other, err := c.plain(ctx, true)
	switch {
	case errors.Is(err, record.ErrLong):
		return false, c.not(name, fmt.Errorf("it differs, and %w; a second one would tell times from results", ErrLongCheck))
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	if d := c.difference(want, other.String()); d != nil {
		return false, &OutputError{Differ: true, Err: fmt.Errorf("%s: recorded, it printed something else than in a plain run with %s: %v; so what was recorded is not what it does", name, c.ran(), d)}
	}
	return c.out.Whole, c.tryTeam(ctx, name, want)
}

// tryTeam looks whether a team prints what one thread did, where that was not done before the run.
func (c *check) tryTeam(ctx context.Context, name string, want *record.Kept) error {
	if c.team == nil {
		return nil
	}
	d, err := c.team.differs(ctx, want, c.limit())
	switch {
	case unfinished(err) != nil:
		return c.not(name, unfinished(err))
	case err != nil || d == "":
		return err
	}
	return &OutputError{Differ: true, Err: fmt.Errorf("%s: %s, so that one run cannot be dealt to any number of threads; record it with each number of virtual threads by itself", name, d)}
}

// UnsureError is the end of a run that asked about its threads where nobody could follow what it did with the answers, and whose output was
// not found to be that of a plain run.
type UnsureError struct {
	Name      string
	Questions []recording.Note
}

func (e *UnsureError) Error() string {
	more := ""
	if n := len(e.Questions) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more questions)", n)
	}
	return fmt.Sprintf("%s: %v%s. That is code which was not compiled for recording, and what the program printed was not compared with a plain run, so that results may be wrong", e.Name, e.Questions[0], more)
}

func (c *check) threads() int { return max(c.run.Threads, 1) }

// ran says how many threads there are.
func (c *check) ran() string {
	if c.threads() == 1 {
		return "one thread"
	}
	return fmt.Sprintf("%d virtual threads", c.threads())
}

func (c *check) difference(want *record.Kept, unlike string) *record.Difference {
	return record.CompareOutputs(c.out.String(), want.String(), unlike, c.threads() > 1)
}

// plain runs the program without being recorded, and keeps what it prints; with otherClock at another time of day, which tells times from
// results.
func (c *check) plain(ctx context.Context, otherClock bool) (*record.Kept, error) {
	if c.known != nil && !otherClock {
		return c.known, nil
	}
	return plainRun(ctx, c.run, c.input, record.Plainly{OtherClock: otherClock, Limit: c.limit()})
}

// limit is the time that a plain run may take; 0: any.
func (c *check) limit() time.Duration {
	if c.how != CheckAuto {
		return 0
	}
	return max(shortRun, time.Duration(shareOfRun*float64(time.Since(c.begun))))
}

// plainRun runs a program without recording it, with its input from the beginning.
func plainRun(ctx context.Context, run record.Run, input func() (io.ReadCloser, error), how record.Plainly) (*record.Kept, error) {
	in, err := input()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	run.Stdin = in
	return run.Plain(ctx, how)
}

// UncheckedError is an output that was to be compared and cannot be.
type UncheckedError struct {
	Name  string
	Why   error
	Asked bool // the check was asked for
}

func (e *UncheckedError) Error() string {
	if e.Asked {
		return fmt.Sprintf("%s: what it printed cannot be checked: %v", e.Name, e.Why)
	}
	return fmt.Sprintf("%s: what it printed was not checked: %v", e.Name, e.Why)
}

// Unwrap gives the reason.
func (e *UncheckedError) Unwrap() error { return e.Why }

// not says why a run was not checked; where the check was asked for it is an error.
func (c *check) not(name string, why error) error {
	err := &UncheckedError{Name: name, Why: why, Asked: c.how == CheckOn}
	if err.Asked {
		return err
	}
	c.warn(err)
	return nil
}

// inputOf gives standard input for each run of a program; false where there is only one.
func inputOf(in io.Reader, program string) (func() (io.ReadCloser, error), bool) {
	if again, ok := record.Again(in); ok && again != nil {
		return again, true
	}
	if record.ReadsInput(program) {
		return nil, false
	}
	return func() (io.ReadCloser, error) { return io.NopCloser(nothing{}), nil }, true
}

// nothing is an empty input.
type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, io.EOF }
