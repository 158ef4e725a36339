package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"foresee/cmd/foresee/cli"
	"foresee/internal/claims"
	"foresee/machine"
	"foresee/predict/rank"
	"foresee/report"
	"foresee/report/text"
)

// ranking are the flags of rank.
type ranking struct {
	cli.Common
	models
	against, measured string
}

func rankCommand(s *cli.Streams) *cobra.Command {
	r := &ranking{}
	cmd := &cobra.Command{
		Use:   "rank [flags] FILE.c|NAME.sig.json|PROGRAM|RECORDING … [-- ARGUMENTS]",
		Short: "machines for programs, the fastest first, each with the best of its cores",
		Long: "rank predicts one or several programs on machines, each with the number of threads that it is fastest with, and puts the\n" +
			"machines in order: by the geometric mean of the speeds. Values that a machine's file lacks, or has from a relative,\n" +
			"make no winner: it is ranked by its time with the worst such value of the others. Price and power, where files have them\n" +
			"(price_eur, watts), give speed per euro and per joule; measured times (--measured) say how many pairs of machines are\n" +
			"in the wrong order (docs/rank.md).",
		Example: "  foresee rank --machine zen4 --machine i7-5960x --machine cascade-lake --against i7-5960x gemm.c\n" +
			"  foresee rank --machine zen4 --machine sapphire-rapids --format csv gemm.c gemm-old.c",
		Args: cli.BeforeArguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, rest := cli.SplitArguments(args, cmd.ArgsLenAtDash())
			return r.run(cmd, s, operands, rest)
		},
	}
	r.AddUndrawn(cmd.Flags())
	r.AddThreads(cmd.Flags())
	r.models.add(cmd.Flags())
	f := cmd.Flags()
	f.Lookup("machine").Usage = "machine by `NAME` or .yaml file, repeatable (default: all that foresee knows)"
	f.Lookup("threads").Hidden = true
	f.Lookup("cc").Usage = cli.OfCodeUsage
	f.StringVar(&r.against, "against", "", "the machine by `NAME` that speeds are relative to (default: the first)")
	f.StringVar(&r.measured, "measured", "", "measured times in `FILE`.csv, with the columns machine, time_s and, of several programs, program: how many pairs are in the wrong order")
	return cmd
}

func (r *ranking) run(cmd *cobra.Command, s *cli.Streams, operands, rest []string) error {
	if r.Threads != "" {
		return cli.Usagef("rank tries all numbers of threads that a machine has cores for; leave out --threads")
	}
	if err := r.models.check(cmd.Flags()); err != nil {
		return err
	}
	if len(r.Machines) == 0 {
		r.Machines = machine.Library()
	}
	request := rank.Request{Against: r.against, Model: r.time, Compiler: strings.Fields(r.Compiler)}
	var err error
	if request.Measured, err = readMeasured(r.measured); err != nil {
		return err
	}
	var jobs []*cli.Job
	defer func() {
		for _, j := range jobs {
			j.Discard()
		}
	}()
	for i, input := range operands {
		one := r.Common
		if i > 0 { // results go where those of the first go
			one.Output, one.HTML = "", ""
		}
		one.Refuse = r.fits
		if input, err = one.First([]string{input}); err != nil {
			return err
		}
		j, err := beginTold(cmd, s, &one, input, rest, func(all []*machine.Machine) []int { return coarseThreads(&one, all) })
		if err != nil {
			return err
		}
		j.Stop() // what is said of long work is of one prediction
		jobs = append(jobs, j)
		request.Programs = append(request.Programs, j.Signature)
		request.Machines = j.Machines
	}
	request.Options = r.Analysis(jobs[0].Progress.Update)
	request.Options.HitModel, request.Options.Warm = r.hits, r.warm
	if request.Options.Page, err = r.pages(); err != nil {
		return err
	}
	result, failed := rank.Machines(cmd.Context(), request)
	for _, j := range jobs {
		failed = j.End(s, failed)
	}
	if failed != nil {
		return failed
	}
	s.Warnings(result.Warnings[min(1, len(result.Warnings)):]) // the first is of every prediction
	return jobs[0].Result(s, r.Format,
		func(w io.Writer) error { return report.JSON(w, result) },
		func(w io.Writer) error { return text.RankingCSV(w, result) },
		func(w io.Writer) error { return text.Ranking(w, result, text.Options{Verbose: r.Verbose}) })
}

// coarseThreads are those that a search begins with, of a run those that it is dealt to.
func coarseThreads(c *cli.Common, machines []*machine.Machine) []int {
	c.Threads = cli.BestThreads
	all := c.UsualThreads(machines)
	c.Threads = ""
	return all
}

// readMeasured reads measured times; none where no file is named.
func readMeasured(name string) ([]rank.Measurement, error) {
	if name == "" {
		return nil, nil
	}
	f, err := claims.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot open: %w", name, cli.Cause(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil {
		if err := claims.Input(name, info); err != nil {
			return nil, err
		}
	}
	all, err := rank.ReadMeasured(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}
