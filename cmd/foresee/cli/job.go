package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"foresee/application"
	"foresee/internal/terminal"
	"foresee/machine"
	"foresee/report"
)

// Job is what a verb works on: an application, machines, numbers of threads, and where the results go.
type Job struct {
	*application.Opened
	Machines []*machine.Machine
	Threads  []int
	Out      *Outputs
	Missing  string // what of the input was not taken
	Progress *terminal.Bar
	long     *time.Timer // says that the work is long, unless it is stopped before
	saying   sync.Mutex  // over ended, and while it is said
	ended    bool
}

// Begin checks the flags, looks into the input, reads machines, begins the output files, and reads the input or begins to. Where --threads is
// not given, usual says the numbers of threads for the machines. What programs print goes to standard error, where the results do not.
func (c *Common) Begin(ctx context.Context, s *Streams, cmd *cobra.Command, input string, args []string, usual func([]*machine.Machine) []int) (*Job, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if _, err := c.ThreadsOfRun(c.Threads); err != nil {
		return nil, err
	}
	in, err := c.Find(ctx, s, input)
	if err != nil {
		return nil, err
	}
	j, err := c.with(ctx, s, cmd, in, args, usual)
	if err != nil {
		in.Close()
	}
	return j, err
}

func (c *Common) with(ctx context.Context, s *Streams, cmd *cobra.Command, in *application.Input, args []string, usual func([]*machine.Machine) []int) (*Job, error) {
	err := CheckInput(cmd, in, args)
	if err != nil {
		return nil, err
	}
	if c.Refuse != nil {
		if err := c.Refuse(in); err != nil {
			return nil, err
		}
	}
	j := &Job{}
	if j.Machines, err = c.LoadMachines(); err != nil {
		return nil, err
	}
	if j.Threads, err = c.ThreadsOfRun(c.Threads); err != nil {
		return nil, err
	}
	if j.Threads == nil {
		j.Threads = usual(j.Machines)
	}
	if c.Accept != nil {
		if err := c.Accept(j.Machines[0], j.Threads[0]); err != nil {
			return nil, err
		}
	}
	if j.Out, err = c.Open(); err != nil {
		return nil, err
	}
	o := c.Options(s, c.Regions, c.Verbose)
	o.Running = c.Running(s, j.Threads, args, s.Programs.Err)
	if j.Opened, err = in.Open(ctx, o); err != nil {
		j.Out.Discard()
		return nil, err
	}
	if j.Threads, err = c.ownThreads(ctx, j); err != nil {
		j.Discard()
		return nil, err
	}
	if c.second && !strings.Contains(c.script, "<") && !j.Execution.Repeatable() {
		j.Discard()
		return nil, fmt.Errorf("%s: it may read standard input, of which the first run took what there was; give it a file: --run './program <FILE'", in.Name)
	}
	j.Progress = terminal.NewBar(s.Err)
	in.Report(j.Progress.Update)
	j.patience(s)
	return j, nil
}

// ownThreads are the threads of an input that has its own.
func (c *Common) ownThreads(ctx context.Context, j *Job) ([]int, error) {
	switch {
	case j.Execution != nil:
		return ThreadsThatRan(j.Execution, c.Threads, j.Threads)
	case j.Kind == traced && c.Threads == "":
		n, err := j.ThreadsOfTrace(ctx)
		return []int{max(n, 1)}, err
	case j.Kind == traced && len(j.Threads) > 1:
		return nil, Usagef("--threads %s: a trace has its own threads; give one number, or leave it out", c.Threads)
	}
	return j.Threads, nil
}

// OneThread is a single thread, on whatever machines.
func OneThread([]*machine.Machine) []int { return []int{1} }

// End says what should be known of how the input was read; failed is how its analysis ended.
func (j *Job) End(s *Streams, failed error) error {
	j.Stop()
	j.Progress.Clear()
	end, err := j.Finish(failed)
	for _, note := range end.Notes {
		fmt.Fprintf(s.Err, "foresee: %s\n", note)
	}
	j.Missing = end.Missing
	return err
}

// Stop ends what is said of long work, which is not said among results.
func (j *Job) Stop() {
	j.saying.Lock()
	defer j.saying.Unlock()
	j.ended = true
	if j.long != nil {
		j.long.Stop()
	}
}

// Discard ends the work and leaves no result.
func (j *Job) Discard() {
	j.Stop()
	j.Out.Discard()
	j.Close()
}

// KeepRegions keeps those of the results that are named with --region, of an application whose regions are known only once it was read.
func KeepRegions[T any](c *Common, j *Job, all []T, region func(T) string) ([]T, error) {
	if j.Streams == nil {
		return all, nil
	}
	return application.OfRegions(c.Regions, all, region)
}

// NoRegionsError is a run in which no parallel region was.
type NoRegionsError struct {
	Name      string
	Functions bool // the program can be run once more, by function
}

func (e *NoRegionsError) Error() string {
	return e.Name + ": no parallel region ran; --by function shows the functions of a program without OpenMP (compile with -fopenmp what uses it)"
}

// Nothing is why a run that ended so shows nothing: that it can be read by function comes first.
func Nothing(e *application.Execution, failed error) error {
	none := NoRegions(e)
	if again := (*NoRegionsError)(nil); errors.As(none, &again) && again.Functions && (failed == nil || errors.As(failed, new(*application.ProgramError))) {
		return none
	}
	return cmp.Or(failed, none)
}

// NoRegions says why a run shows nothing.
func NoRegions(e *application.Execution) error {
	switch {
	case e.Missing() != "":
		return fmt.Errorf("%s; no parallel region is among it", e.Missing())
	case e.ByFunction:
		return fmt.Errorf("%s: no accesses were recorded; compile with foresee cc what is to be seen", e.Name)
	case e.Counted:
		return fmt.Errorf("%s: no parallel region ran; --counts sees those of gcc's or clang's OpenMP as a shared library; --valgrind sees the accesses of any program", e.Name)
	}
	return &NoRegionsError{e.Name, e.Repeatable()}
}

// Keeps says whether results are shown although the run did not go to its end.
func (s *Streams) Keeps(err error, read Seen, warnings *[]string) bool {
	return s.interrupted(err, read, warnings) || errors.As(err, new(*application.ProgramError)) && len(read) > 0
}

// interrupted says whether a result of what was seen until an interruption is worth showing.
func (s *Streams) interrupted(err error, read Seen, warnings *[]string) bool {
	if !errors.Is(err, context.Canceled) || len(read) == 0 {
		return false
	}
	*warnings = append(*warnings, "interrupted: this is of "+read.String())
	return true
}

// Seen counts the accesses that results are of, by what tells readings of one run apart, such as the number of threads.
type Seen map[string]int64

// Add adds the accesses of a reading.
func (r Seen) Add(reading string, accesses int64) {
	if accesses > 0 {
		r[reading] += accesses
	}
}

// String says how many they were; readings of one run that end apart have a range.
func (r Seen) String() string {
	counts := slices.Sorted(maps.Values(r))
	if len(counts) == 0 {
		return "no accesses"
	}
	least, most := report.Count(counts[0]), report.CountOf(counts[len(counts)-1], "access")
	if counts[0] == counts[len(counts)-1] {
		return "the first " + most
	}
	return "the first " + least + " to " + most + ", by number of threads"
}

// EndedEarly says whether a run was ended before it came to its end.
func EndedEarly(err error) bool {
	var program *application.ProgramError
	return errors.Is(err, context.Canceled) || errors.As(err, &program) && program.Early
}

// Settle marks a result that is of a part: of a run that ended early, whose files then get names of their own, or of a damaged
// input, as the user asked. failed is how the run ended.
func (s *Streams) Settle(out *Outputs, failed error, missing string, partial *bool, warnings *[]string) {
	if missing != "" {
		*partial = true
		*warnings = append(*warnings, missing)
	}
	if !EndedEarly(failed) {
		return
	}
	*partial = true
	out.AreParts(s.Err)
	known := func(w string) bool { return strings.Contains(w, application.EndedBySignal) }
	if !errors.Is(failed, context.Canceled) && !slices.ContainsFunc(*warnings, known) {
		*warnings = append(*warnings, failed.Error())
	}
}

// Result writes a result in the format of --format, of which all verbs have JSON and CSV.
func (j *Job) Result(s *Streams, format string, json, csv, text func(io.Writer) error) error {
	return j.Out.WriteResult(s.Out, func(w io.Writer) error {
		switch format {
		case "json":
			return json(w)
		case "csv":
			return csv(w)
		}
		return text(w)
	})
}
