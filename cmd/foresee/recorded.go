package main

import (
	"errors"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"foresee/application"
	"foresee/application/nest"
	"foresee/cmd/foresee/cli"
	"foresee/machine"
)

// beginTold begins on a source, or on a recorded run of its program where a run told values and data decide what the rest does; c is then of the latter.
func beginTold(cmd *cobra.Command, s *cli.Streams, c *cli.Common, input string, args []string, usual func([]*machine.Machine) []int) (*cli.Job, error) {
	j, err := c.Begin(cmd.Context(), s, cmd, input, args, usual)
	if !dataDecide(c, j, err) {
		return j, err
	}
	instead := c.Instead(s, cmd, input, err)
	if instead == nil {
		return j, err
	}
	k, begun := instead.Begin(cmd.Context(), s, cmd, input, nil, usual)
	switch {
	case begun != nil && err != nil:
		return nil, errors.Join(err, begun)
	case begun != nil:
		cli.Warn(s.Err, "it could not be recorded: %v", begun)
		return j, nil
	case j != nil:
		k.Out, j.Out = j.Out, k.Out
		j.Discard()
	}
	cli.Warn(s.Err, "%s", ofRecordedRun)
	*c = *instead
	return k, nil
}

// ofRecordedRun says what a result is of.
const ofRecordedRun = "it is told of a recorded run of the program, not of its source"

// dataDecide says of a source of which a run told values that nothing of it could be read, or that parts are not in what was.
func dataDecide(c *cli.Common, j *cli.Job, err error) bool {
	return c.NothingRead(err) || err == nil && (c.Unread() || leavesOut(j.Signature))
}

// leavesOut says of what was read that parts of it are not in it, of main beside other functions those alone which data decide if they have most of its
// loops, or that it rests on the mean of iterations that data end.
func leavesOut(s *application.Signature) bool {
	return s.Averaged || slices.ContainsFunc(s.Loops, func(p *nest.Program) bool {
		if p.Region != "main" || len(s.Loops) == 1 {
			return len(p.Left) > 0
		}
		_, read := p.LoopsLeft()
		left := 0
		for _, x := range p.Left {
			if ofData.MatchString(x.Reason) {
				left += x.Loops
			}
		}
		return left > read
	})
}

// ofData are reasons that a value of the source would not help.
var ofData = regexp.MustCompile(`depends? on data|pointer|loaded from|changes while|how often this`)
