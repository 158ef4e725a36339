package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"foresee/application"
	"foresee/application/ir"
	"foresee/application/observe"
	"foresee/cmd/foresee/remedy"
)

// longToRecord is how long a run may take that is repeated and recorded without being asked for, which takes up to some 200 times as long. Chosen.
const longToRecord = 2 * time.Second

// Instead are flags by which the program of a source is recorded, where the values that a run of it told do not tell all; nil where that is not wanted or
// does not go. What is done is said. nothing is why nothing could be read; nil where something was, whose outputs are open.
func (c *Common) Instead(s *Streams, cmd *cobra.Command, input string, nothing error) *Common {
	wanted := cmd.Flags().Changed("trace")
	if c.values == nil || c.values.Failed || wanted && !c.recorded || c.By == ByLoop {
		return nil
	}
	instead := *c
	instead.Observe, instead.By = "", byFunction
	instead.script, instead.quiet, instead.second = c.values.Command, c.values.Runs > 0, true
	in := &application.Input{Name: input, Path: input, Kind: application.Program, Compiled: true}
	if CheckInput(cmd, in, nil) != nil || instead.Refuse != nil && instead.Refuse(in) != nil {
		return nil
	}
	if took := c.values.Took; !wanted && took > longToRecord {
		fmt.Fprintf(s.Err, "foresee: what data decide is left out: the run takes %.1f s, and to record all of it some 50 to 200 times as long: --trace beside --run does\n", took.Seconds())
		return nil
	}
	if instead.Run = true; nothing == nil {
		instead.Output, instead.Plot, instead.HTML = "", "", ""
	}
	var none *application.NothingReadError
	if errors.As(nothing, &none) {
		for _, reason := range none.Reasons[:min(len(none.Reasons), mostReasons)] {
			text, _, _ := strings.Cut(reason.Error(), "run and trace it instead")
			fmt.Fprintf(s.Err, "foresee: not read as source: %s\n", remedy.Here(strings.TrimRight(text, "; ,or")))
		}
	} else if nothing != nil {
		fmt.Fprintf(s.Err, "foresee: not read as source: %v\n", nothing)
	}
	why := "data decide what the program does"
	if nothing == nil && !c.unread && c.Elsewhere() {
		why = "code of several files is not followed on paper"
	}
	fmt.Fprintf(s.Err, "foresee: %s: it is run once more and recorded; --trace=false leaves that out\n", why)
	return &instead
}

// mostReasons bounds the reasons that are shown why nothing could be read.
const mostReasons = 3

// Unread says whether functions of the source with loops could not be read, where all were asked for.
func (c *Common) Unread() bool { return c.unread && len(c.Regions) == 0 }

// Elsewhere says that times are to be of compiled code, some of which is of other files than the one that is compiled.
func (c *Common) Elsewhere() bool { return c.values != nil && c.Compiler != "" && len(c.others) > 0 }

// NothingRead says of an error that it is of a source of which a run told nothing that can be read.
func (c *Common) NothingRead(err error) bool {
	return c.values != nil && !errors.As(err, new(*observe.RunError)) && (errors.As(err, new(*application.NothingReadError)) || errors.As(err, new(*ir.UnreadError)) || errors.As(err, new(*ir.LinkError)))
}
