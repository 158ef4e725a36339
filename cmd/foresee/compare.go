package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application/csource"
	"foresee/application/versions"
	"foresee/cmd/foresee/cli"
	"foresee/internal/claims"
	"foresee/internal/output"
	"foresee/machine"
	"foresee/predict"
	"foresee/predict/compare"
	"foresee/report"
	"foresee/report/text"
)

// comparison are the flags of compare.
type comparison struct {
	cli.Common
	models
	git, baseline, sarif, judge, failAbove string
	allowGone                              bool
	unread                                 bool     // B has nothing that can be read
	arguments                              []string // of programs that are run
}

func compareCommand(s *cli.Streams) *cobra.Command {
	c := &comparison{}
	c.Words = true
	cmd := &cobra.Command{
		Use:   "compare [flags] A B | --git REVISION FILE | --baseline SAVED.json FILE | --region F --region G FILE | --machine M --machine N FILE [-- ARGUMENTS]",
		Short: "two programs, versions, machines or results side by side: which is faster, by what, and why",
		Long: "compare predicts two sides and sets them side by side: the ratio of the times with its interval, which part of the time\n" +
			"changes, which array's lines are the cause, and the misses of each level. The sides are two files; a file as it is and\n" +
			"as it was in a revision of git; two results saved as JSON by predict; or two regions or two machines of one file.\n\n" +
			"Times of one machine and model are off by the same: the interval of the ratio is that of costs which are wrong by the same\n" +
			"factors on both sides. With --fail-above the exit code is 3 where B is slower, or a level of its caches lacks more\n" +
			"lines, by more than that, and where a region of A has no partner in B, as nothing judged it; --allow-gone lets that pass (docs/compare.md says how that is judged, docs/ci.md how pull requests are).",
		Example: "  foresee compare --machine zen4 --threads 1 gemm-old.c gemm.c\n" +
			"  foresee compare --machine i7-5960x --machine zen4 --threads 8 gemm.c\n" +
			"  foresee compare --machine zen4 --threads 1 --fail-above 5% --sarif gemm.sarif gemm-old.c gemm.c",
		Args: cli.BeforeArguments(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, rest := cli.SplitArguments(args, cmd.ArgsLenAtDash())
			c.arguments = rest
			return c.run(cmd, s, operands)
		},
	}
	c.AddUndrawn(cmd.Flags())
	c.AddThreads(cmd.Flags())
	c.models.add(cmd.Flags())
	f := cmd.Flags()
	f.Lookup("threads").Usage = "numbers of threads: a `LIST` such as 1,2,4,8 or 1-64 or both; all: each from 1 to the machine's cores (default: 1 and all cores, or those of --baseline)"
	f.Lookup("cc").Usage = cli.OfCodeUsage
	f.BoolVar(&c.All, "all", false, "every pair and table, not only the first")
	f.StringVar(&c.git, "git", "", "compare the file with that of a `REVISION` of git; A..B compares two revisions")
	f.StringVar(&c.baseline, "baseline", "", "compare with the result that predict --format json saved in `FILE`, of its machines and threads unless others are named")
	f.StringVar(&c.failAbove, "fail-above", "", "end with exit code 3 where B is slower, or misses more, by more than this `SHARE`, such as 5% or 0.05")
	f.BoolVar(&c.allowGone, "allow-gone", false, "of --fail-above: regions that A has and B has not, or of which other parts cannot be read there, are no failure")
	f.StringVar(&c.judge, "judge", "time,misses", "what --fail-above and --sarif look at: time, misses or both")
	f.StringVar(&c.sarif, "sarif", "", "write what is worse into `FILE` as SARIF 2.1.0, which annotates pull requests")
	return cmd
}

// usualAbove is by how much B may be worse where that is not said, and something is to be written of it. Chosen: less is noise of most clocks.
const usualAbove = 0.05

// rule is what is judged.
func (c *comparison) rule() (compare.Judge, error) {
	j := compare.Judge{Above: usualAbove}
	for of := range strings.SplitSeq(c.judge, ",") {
		if err := cli.OneOf("--judge", of, compare.Time, compare.Misses); err != nil {
			return j, err
		}
		j.Of = append(j.Of, of)
	}
	if c.failAbove == "" {
		return j, nil
	}
	var err error
	if j.Above, err = cli.ParseShare(c.failAbove); err != nil {
		return j, cli.Usagef("--fail-above %s: %w", c.failAbove, err)
	}
	return j, nil
}

func (c *comparison) run(cmd *cobra.Command, s *cli.Streams, args []string) error {
	rule, err := c.rule()
	if err != nil {
		return err
	}
	if err := c.models.check(cmd.Flags()); err != nil {
		return err
	}
	if err := c.Common.Check(); err != nil {
		return err
	}
	sides, err := c.sides(args)
	if err != nil {
		return err
	}
	var sarif *output.File
	if c.sarif != "" {
		if sarif, err = output.Create(c.sarif); err != nil {
			return err
		}
		defer sarif.Discard()
	}
	out, err := c.Open()
	if err != nil {
		return err
	}
	defer out.Discard()
	seed := c.Seed
	r, err := compare.Decide(rule, c.Samples, func(samples int, replicate uint64) (a, b *predict.PredictionResult, err error) {
		c.Samples, c.Seed = samples, seed+replicate<<32 // other seeds that people give are below
		if a, err = sides[0](cmd, s); err != nil {
			return nil, nil, err
		}
		b, err = sides[1](cmd, s)
		if unread := (*csource.UnreadError)(nil); c.failAbove != "" && errors.As(err, &unread) { // its regions are gone, which is for the rule to judge
			b, err, c.unread = &predict.PredictionResult{Header: predict.Header{Version: predict.Version, Input: args[len(args)-1], Warnings: strings.Split(err.Error(), "\n")}}, nil, true
		}
		return a, b, err
	})
	if err != nil {
		return err
	}
	return c.finish(s, r, out, sarif)
}

// finish writes a comparison, and fails where that was asked for.
func (c *comparison) finish(s *cli.Streams, r *compare.Result, out *cli.Outputs, sarif *output.File) error {
	s.Warnings(r.Warnings)
	if sarif != nil {
		if err := sarif.Finish(func(w io.Writer) error { return report.SARIF(w, r, versions.Within) }); err != nil {
			return err
		}
	}
	j := &cli.Job{Out: out}
	err := j.Result(s, c.Format,
		func(w io.Writer) error { return report.JSON(w, r) },
		func(w io.Writer) error { return text.ComparisonCSV(w, r) },
		func(w io.Writer) error {
			return text.Comparison(w, r, text.Options{All: c.All, Judged: c.failAbove != "", More: "--all shows all"})
		})
	switch {
	case err != nil:
		return err
	case c.failAbove == "":
		return nil
	case len(r.Pairs) == 0 && !c.unread:
		return fmt.Errorf("nothing was compared: %s and %s have no region, machine and number of threads in common; name functions that both have (--region X --region Y), which are then read by themselves", r.A, r.B)
	case r.Worse:
		fmt.Fprintf(s.Err, "foresee: B is worse by more than %s (--fail-above)\n", c.failAbove)
		return saidError{exitOutside}
	case len(r.Unjudged) > 0 && !c.allowGone:
		fmt.Fprintf(s.Err, "foresee: not judged, as B has no partner that could be read as far: %s; where it has another name, compare the two by themselves (save A by predict --region OLD --format json -o old.json, then compare old.json FILE --region NEW), "+
			"or accept that it is gone: --allow-gone\n", strings.Join(r.Unjudged, ", "))
		return saidError{exitOutside}
	}
	return nil
}

// side predicts, or reads, one of two things that are compared.
type side func(cmd *cobra.Command, s *cli.Streams) (*predict.PredictionResult, error)

// sides are the two things that are compared.
func (c *comparison) sides(args []string) ([2]side, error) {
	last := args[len(args)-1]
	here := c.predicted(last, last, c.Machines, c.Regions, nil)
	switch {
	case len(args) == 2 && (c.git != "" || c.baseline != ""):
		return [2]side{}, cli.Usagef("--git and --baseline stand for the first of two files; name one file")
	case c.git != "" && c.baseline != "":
		return [2]side{}, cli.Usagef("--git and --baseline both stand for the first side; give one")
	case len(args) == 2:
		return [2]side{c.fileSide(args[0]), c.fileSide(last)}, nil
	case c.baseline != "":
		return [2]side{c.saved(c.baseline), here}, nil
	case c.git != "":
		a, b, two := strings.Cut(c.git, "..")
		if a == "" || two && b == "" || strings.HasPrefix(b, ".") || strings.HasPrefix(a, "-") || strings.HasPrefix(b, "-") {
			return [2]side{}, cli.Usagef("--git %s: name a revision, such as main or HEAD~1, or two, such as v1..v2", c.git)
		}
		if two {
			here = c.inGit(last, b)
		}
		return [2]side{c.inGit(last, a), here}, nil
	case len(c.Regions) == 2:
		return [2]side{
			c.predicted(last, last+", "+c.Regions[0], c.Machines, c.Regions[:1], nil), c.predicted(last, last+", "+c.Regions[1], c.Machines, c.Regions[1:], nil),
		}, nil
	case len(c.Machines) == 2:
		return [2]side{
			c.predicted(last, last+" on "+c.Machines[0], c.Machines[:1], c.Regions, nil), c.predicted(last, last+" on "+c.Machines[1], c.Machines[1:], c.Regions, nil),
		}, nil
	}
	return [2]side{}, cli.Usagef("one file alone is compared with nothing; name two files, a revision of git (--git), a saved result (--baseline), two regions (--region) or two machines (--machine)")
}

// fileSide is a saved result, or an input that is predicted.
func (c *comparison) fileSide(name string) side {
	if isSaved(name) {
		return c.saved(name)
	}
	return c.predicted(name, name, c.Machines, c.Regions, nil)
}

// isSaved looks whether a file holds a saved result.
func isSaved(name string) bool {
	f, err := claims.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head, _ := bufio.NewReader(f).Peek(512)
	return compare.IsResult(head)
}

// saved reads a saved result; machines and threads that are not named are then those that it has.
func (c *comparison) saved(name string) side {
	return func(*cobra.Command, *cli.Streams) (*predict.PredictionResult, error) {
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
		r, err := compare.Read(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; make one: foresee predict --format json -o %s FILE", name, err, name)
		}
		if len(r.Predictions) == 0 {
			return nil, fmt.Errorf("%s: it holds no predictions", name)
		}
		r.Input = name
		c.as(r)
		return r, nil
	}
}

// as takes machines and numbers of threads from a result, where none are named.
func (c *comparison) as(r *predict.PredictionResult) {
	machines, threads := []string{}, []string{}
	for _, p := range r.Predictions {
		machines, threads = report.AppendNew(machines, p.Machine), report.AppendNew(threads, fmt.Sprint(p.Threads))
	}
	if len(c.Machines) == 0 {
		c.Machines = machines
	}
	if c.Threads == "" {
		c.Threads = strings.Join(threads, ",")
	}
}

// inGit is a file as it was in a revision.
func (c *comparison) inGit(name, revision string) side {
	return func(cmd *cobra.Command, s *cli.Streams) (*predict.PredictionResult, error) {
		v, err := versions.Of(cmd.Context(), name, revision)
		if errors.Is(err, versions.ErrNoGit) {
			return nil, fmt.Errorf("--git: %w; apt-get install git, or name two files", err)
		}
		if err != nil {
			return nil, fmt.Errorf("--git: %w", err)
		}
		defer v.Close()
		return c.predicted(name, name+" in "+revision, c.Machines, c.Regions, v)(cmd, s)
	}
}

// predicted predicts an input under a name, with machines and regions, those of a revision in its folder.
func (c *comparison) predicted(input, name string, machines, regions []string, v *versions.Version) side {
	return func(cmd *cobra.Command, s *cli.Streams) (*predict.PredictionResult, error) {
		one := c.Common
		one.Output, one.Plot, one.HTML = "", "", ""
		one.Machines, one.Regions = machines, regions
		if len(machines) == 0 {
			one.Machines = c.Machines // of a saved result
		}
		input, err := one.First([]string{input})
		if err != nil {
			return nil, err
		}
		if v != nil {
			if input, err = v.Path(input); err != nil {
				return nil, fmt.Errorf("--git: %w", err)
			}
			for i, dir := range one.Includes {
				one.Includes = append([]string{}, one.Includes...)
				if there, err := v.Path(dir); err == nil {
					one.Includes[i] = there
				}
			}
		}
		one.Refuse = c.fits
		r, err := c.models.result(s, cmd, &one, input, c.arguments)
		if err != nil {
			return nil, err
		}
		r.Input = name
		if v != nil {
			plain(r, v)
		}
		return r, nil
	}
}

// plain writes places of a revision's folder as those of the repository.
func plain(r *predict.PredictionResult, v *versions.Version) {
	for i, w := range r.Warnings {
		r.Warnings[i] = v.Plain(w)
	}
	for i := range r.Predictions {
		p := &r.Predictions[i]
		p.Place = v.Plain(p.Place)
		for k := range p.Arrays {
			p.Arrays[k].Place = v.Plain(p.Arrays[k].Place)
		}
	}
}

// result predicts an input and writes nothing.
func (m *models) result(s *cli.Streams, cmd *cobra.Command, c *cli.Common, input string, args []string) (*predict.PredictionResult, error) {
	c, j, r, failed, err := m.whole(cmd, s, c, input, args, comparedThreads)
	if err != nil {
		return nil, err
	}
	defer j.Discard()
	if j.Execution != nil && (r == nil || len(r.Predictions) == 0) {
		return nil, cli.Nothing(j.Execution, failed)
	}
	if failed != nil {
		return nil, failed
	}
	r.Predictions, err = cli.KeepRegions(c, j, r.Predictions, func(p predict.Prediction) string { return p.Region })
	return r, err
}

// comparedThreads are one thread and all that the largest machine has cores for, unless words say others.
func comparedThreads(c *cli.Common, machines []*machine.Machine) []int {
	if c.Threads != "" {
		return c.UsualThreads(machines)
	}
	return ends(cli.DoubledThreads(machines))
}
