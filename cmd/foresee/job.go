package main

import (
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

// job is what a verb works on: an application, machines, numbers of threads, and where the results go.
type job struct {
	*application.Opened
	machines []*machine.Machine
	threads  []int
	out      *outputs
	missing  string // what of the input was not taken
	progress *terminal.Bar
	long     *time.Timer // says that the work is long, unless it is stopped before
	saying   sync.Mutex  // over ended, and while it is said
	ended    bool
}

// begin checks the flags, looks into the input, reads machines, begins the output files, and reads the input or begins to. Where --threads is
// not given, usual says the numbers of threads for the machines. What programs print goes to standard error, where the results do not.
func (c *common) begin(ctx context.Context, s *streams, cmd *cobra.Command, input string, args []string, usual func([]*machine.Machine) []int) (*job, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if _, err := c.threadsOfRun(c.threads); err != nil {
		return nil, err
	}
	in, err := c.find(ctx, s, input)
	if err != nil {
		return nil, err
	}
	j, err := c.with(ctx, s, cmd, in, args, usual)
	if err != nil {
		in.Close()
	}
	return j, err
}

func (c *common) with(ctx context.Context, s *streams, cmd *cobra.Command, in *application.Input, args []string, usual func([]*machine.Machine) []int) (*job, error) {
	err := checkInput(cmd, in, args)
	if err != nil {
		return nil, err
	}
	if c.refuse != nil {
		if err := c.refuse(in); err != nil {
			return nil, err
		}
	}
	j := &job{}
	if j.machines, err = c.loadMachines(); err != nil {
		return nil, err
	}
	if j.threads, err = c.threadsOfRun(c.threads); err != nil {
		return nil, err
	}
	if j.threads == nil {
		j.threads = usual(j.machines)
	}
	if c.accept != nil {
		if err := c.accept(j.machines[0], j.threads[0]); err != nil {
			return nil, err
		}
	}
	if j.out, err = c.open(); err != nil {
		return nil, err
	}
	o := c.options(s, c.regions, c.verbose)
	o.Running = c.running(s, j.threads, args, s.programs.err)
	if j.Opened, err = in.Open(ctx, o); err != nil {
		j.out.discard()
		return nil, err
	}
	if j.threads, err = c.ownThreads(ctx, j); err != nil {
		j.discard()
		return nil, err
	}
	j.progress = terminal.NewBar(s.err)
	in.Report(j.progress.Update)
	j.patience(s)
	return j, nil
}

// ownThreads are the threads of an input that has its own.
func (c *common) ownThreads(ctx context.Context, j *job) ([]int, error) {
	switch {
	case j.Execution != nil:
		return threadsThatRan(j.Execution, c.threads, j.threads)
	case j.Kind == traced && c.threads == "":
		n, err := j.ThreadsOfTrace(ctx)
		return []int{max(n, 1)}, err
	case j.Kind == traced && len(j.threads) > 1:
		return nil, usagef("--threads %s: a trace has its own threads; give one number, or leave it out", c.threads)
	}
	return j.threads, nil
}

// one is a single thread, on whatever machines.
func one([]*machine.Machine) []int { return []int{1} }

// finish says what should be known of how the input was read; failed is how its analysis ended.
func (j *job) finish(s *streams, failed error) error {
	j.stop()
	j.progress.Clear()
	end, err := j.Finish(failed)
	for _, note := range end.Notes {
		fmt.Fprintf(s.err, "foresee: %s\n", note)
	}
	j.missing = end.Missing
	return err
}

// stop ends what is said of long work, which is not said among results.
func (j *job) stop() {
	j.saying.Lock()
	defer j.saying.Unlock()
	j.ended = true
	if j.long != nil {
		j.long.Stop()
	}
}

func (j *job) discard() {
	j.stop()
	j.out.discard()
	j.Close()
}

// keepRegions keeps those of the results that are named with --region, of an application whose regions are known only once it was read.
func keepRegions[T any](c *common, j *job, all []T, region func(T) string) ([]T, error) {
	if j.Streams == nil {
		return all, nil
	}
	return application.OfRegions(c.regions, all, region)
}

// errNoRegions says why a run shows nothing.
func errNoRegions(e *application.Execution) error {
	switch {
	case e.Missing() != "":
		return fmt.Errorf("%s; no parallel region is among it", e.Missing())
	case e.ByFunction:
		return fmt.Errorf("%s: no accesses were recorded; compile with foresee cc what is to be seen", e.Name)
	case e.Counted:
		return fmt.Errorf("%s: no parallel region ran; --counts sees those of gcc's or clang's OpenMP as a shared library; --valgrind sees the accesses of any program", e.Name)
	}
	return fmt.Errorf("%s: no parallel region ran; --by function shows the functions of a program without OpenMP (compile with -fopenmp what uses it)", e.Name)
}

// keeps says whether results are shown although the run did not go to its end.
func (s *streams) keeps(err error, read seen, warnings *[]string) bool {
	return s.interrupted(err, read, warnings) || errors.As(err, new(*application.ProgramError)) && len(read) > 0
}

// interrupted says whether a result of what was seen until an interruption is worth showing.
func (s *streams) interrupted(err error, read seen, warnings *[]string) bool {
	if !errors.Is(err, context.Canceled) || len(read) == 0 {
		return false
	}
	*warnings = append(*warnings, "interrupted: this is of "+read.String())
	return true
}

// seen counts the accesses that results are of, by what tells readings of one run apart, such as the number of threads.
type seen map[string]int64

func (r seen) add(reading string, accesses int64) {
	if accesses > 0 {
		r[reading] += accesses
	}
}

// String says how many they were; readings of one run that end apart have a range.
func (r seen) String() string {
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

// endedEarly says whether a run was ended before it came to its end.
func endedEarly(err error) bool {
	var program *application.ProgramError
	return errors.Is(err, context.Canceled) || errors.As(err, &program) && program.Early
}

// settle marks a result that is of a part: of a run that ended early, whose files then get names of their own, or of a damaged
// input, as the user asked. failed is how the run ended.
func (s *streams) settle(out *outputs, failed error, missing string, partial *bool, warnings *[]string) {
	if missing != "" {
		*partial = true
		*warnings = append(*warnings, missing)
	}
	if !endedEarly(failed) {
		return
	}
	*partial = true
	out.areParts(s.err)
	known := func(w string) bool { return strings.Contains(w, application.EndedBySignal) }
	if !errors.Is(failed, context.Canceled) && !slices.ContainsFunc(*warnings, known) {
		*warnings = append(*warnings, failed.Error())
	}
}

// result writes a result in the format of --format, of which all verbs have JSON and CSV.
func (j *job) result(s *streams, format string, json, csv, text func(io.Writer) error) error {
	return j.out.writeResult(s.out, func(w io.Writer) error {
		switch format {
		case "json":
			return json(w)
		case "csv":
			return csv(w)
		}
		return text(w)
	})
}
