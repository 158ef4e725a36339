package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"foresee/application/record"
	"foresee/application/record/recording"
)

// Values of --check.
const (
	checkAuto = "auto"
	checkOn   = "on"
	checkOff  = "off"
)

const checkUsage = "of a program that is run: compare what it prints with a plain run: auto (where that is short), on or off"

// A plain run beside a recorded one is ended after shortRun or, where that is longer, the shareOfRun of the time that the recorded run
// took.
const (
	shortRun   = 5 * time.Second
	shareOfRun = 0.25
)

// checked is a run whose standard output is compared with that of a plain run.
type checked struct {
	how   string
	run   record.Run
	input func() (io.ReadCloser, error) // standard input once more; nil where it was consumed
	out   *record.Kept
	begun time.Time
}

// wrongOutput is the end of a run that printed something else than the program does.
type wrongOutput struct{ error }

// watch takes what a run prints, to be compared once it has ended; how is a value of --check.
func watch(how string, run *record.Run, input func() (io.ReadCloser, error)) *checked {
	if how == checkOff {
		return nil
	}
	c := &checked{how: how, run: *run, input: input, out: record.NewKept(), begun: time.Now()}
	if run.Stdout == nil {
		run.Stdout = c.out
	} else {
		run.Stdout = io.MultiWriter(run.Stdout, c.out)
	}
	return c
}

// compare runs the program plainly, and says whether it printed the same; false without an error: it was not compared.
func (c *checked) compare(ctx context.Context, s *streams, name string) (same bool, err error) {
	if c == nil {
		return false, nil
	}
	if c.input == nil {
		return false, c.not(s, name, "it may read standard input, which cannot be read twice here; give it a file")
	}
	if !c.out.Whole {
		warn(s.err, "%s: what it printed is checked up to %d MiB", name, record.MostOutput>>20)
	}
	want, err := c.plain(ctx, false)
	if errors.Is(err, record.ErrLong) {
		return false, c.not(s, name, "its plain run is not short; --check=on waits for it")
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return false, wrongOutput{fmt.Errorf("%s: recorded, it came to its end; run plainly with %s it fails: %w", name, c.team(), err)}
	}
	if c.difference(want, "") == nil {
		return c.out.Whole, nil
	}
	other, err := c.plain(ctx, true)
	switch {
	case errors.Is(err, record.ErrLong):
		return false, c.not(s, name, "a second plain run, to tell times from results, is not short; --check=on waits for it")
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	if d := c.difference(want, other.String()); d != nil {
		return false, wrongOutput{fmt.Errorf("%s: recorded, it printed something else than in a plain run with %s: %v; so what was recorded is not what it does (--check=off takes it nevertheless)", name, c.team(), d)}
	}
	return c.out.Whole, nil
}

// unsure is the end of a run that asked about its threads where nobody could follow what it did with the answers, and whose output was not
// found to be that of a plain run.
func unsure(name string, questions []recording.Note) error {
	more := ""
	if n := len(questions) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more questions)", n)
	}
	return wrongOutput{fmt.Errorf("%s: %v%s. That is code which foresee cc did not compile, and what the program printed was not compared with a plain run, so that results may be wrong; "+
		"--check=on compares it, and questions of code that foresee cc builds are followed", name, questions[0], more)}
}

func (c *checked) threads() int { return max(c.run.Threads, 1) }

// team says how many threads there are.
func (c *checked) team() string {
	if c.threads() == 1 {
		return "one thread"
	}
	return fmt.Sprintf("%d virtual threads", c.threads())
}

func (c *checked) difference(want *record.Kept, unlike string) *record.Difference {
	return record.CompareOutputs(c.out.String(), want.String(), unlike, c.threads() > 1)
}

func (c *checked) plain(ctx context.Context, otherClock bool) (*record.Kept, error) {
	in, err := c.input()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	run, limit := c.run, time.Duration(0)
	run.Stdin = in
	if c.how == checkAuto {
		limit = max(shortRun, time.Duration(shareOfRun*float64(time.Since(c.begun))))
	}
	return run.Plain(ctx, otherClock, limit)
}

// not says why a run was not checked; where the check was asked for it is an error.
func (c *checked) not(s *streams, name, why string) error {
	if c.how == checkOn {
		return fmt.Errorf("%s: what it printed cannot be checked: %s", name, why)
	}
	warn(s.err, "%s: what it printed was not checked: %s", name, why)
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
