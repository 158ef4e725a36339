package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"foresee/accuracy"
	"foresee/accuracy/advice"
	"foresee/accuracy/cycles"
	"foresee/accuracy/gates"
	"foresee/accuracy/programs"
	"foresee/accuracy/readers"
	"foresee/accuracy/replayed"
	"foresee/cmd/foresee/cli"
	"foresee/examples"
	"foresee/internal/output"
	"foresee/internal/terminal"
	"foresee/machine"
)

// validation is one thing that foresee measures of itself.
type validation struct {
	name, short, document string
	measure               func(context.Context, accuracy.Options) (*accuracy.Section, error)
	timed                 bool // needs a machine
	series                bool // reads series of measured applications
}

var validations = []validation{
	{"cache", "miss ratio curves against exact stack distances, hit rates against a simulation", "docs/accuracy/cache.md", accuracy.Cache, false, false},
	{"conflicts", "hit rates where lines meet in few sets, counted, against a simulation of every access", "docs/accuracy/conflicts.md", accuracy.Conflicts, false, false},
	{"threads", "miss ratio curves at any number of threads, from one signature, against exact interleavings", "docs/accuracy/threads.md", accuracy.Threads, false, false},
	{"sampling", "miss ratio curves from a sample of the lines against exact stack distances (needs gcc and valgrind for one stream)", "docs/accuracy/sampling.md", accuracy.Sampling, false, false},
	{"nextuse", "places and next uses against a plain interpreter", "docs/accuracy/nextuse.md", accuracy.NextUse, false, false},
	{"time", "run times of one thread against the clock (needs gcc)", "docs/accuracy/time.md", accuracy.Time, true, false},
	{"core", "cycles of compiled loops in the inner caches, from their machine code, against the clock (needs gcc)", "docs/accuracy/core.md", cycles.Cycles, true, false},
	{"compiled", "run times of one thread from compiled code (predict --cc) against the clock (needs gcc, and a machine whose instructions were measured)", "docs/accuracy/compiled.md", cycles.Times, true, false},
	{"advise", "advice on slow loops and the kernels: what an expert would do, results and gains of programs with the patches (needs gcc and patch)", "docs/accuracy/advise.md", advice.Advise, true, false},
	{"programs", "run times of whole programs recorded as their compiler made them (cc --with) against the clock, and what recording costs (needs gcc)", "docs/accuracy/programs.md", programs.Programs, true, false},
	{"bandwidth", "bandwidth functions against sweeps, latencies against themselves, times of loops that memory bounds (needs gcc)", "docs/accuracy/bandwidth.md", accuracy.Bandwidth, true, false},
	{"compare", "verdicts of compare --fail-above on pairs of versions against an exact simulation of both", "docs/accuracy/compare.md", gates.Gates, false, false},
	{"scaling", "times and counters at more processes and larger problems than were measured", "docs/accuracy/scaling.md", accuracy.Scaling, false, true},
	{"trace", "recorded runs against callgrind, against runs with more threads, and against the source (needs clang and valgrind)", "docs/accuracy/trace.md", accuracy.Trace, false, false},
	{"readers", "accesses and miss ratios of what is read of LLVM IR against runs, and against what is read of C (needs clang)", "docs/accuracy/readers.md", readers.Readers, false, false},
	{"replay", "replayed MPI programs against SimGrid's SMPI (needs Open MPI and SimGrid)", "docs/accuracy/replay.md", replayed.Replay, false, false},
	{"tracecost", "what recorded runs cost: time, bytes, memory (needs clang)", "docs/performance.md", accuracy.TraceCost, false, false},
	{"engines", "references a second, and how time and memory grow (needs gcc and valgrind for one of the streams)", "docs/performance.md", accuracy.Engines, false, false},
	{"signatures", "what a signature costs, and one more number of threads from it", "docs/performance.md", accuracy.Signatures, false, false},
	{"speed", "samples a second, beside a sampler that walks", "docs/performance.md", accuracy.Rates, false, false},
}

func validateCommand(s *cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "measures foresee's own accuracy and speed on the kernels it carries",
		Long: "validate measures foresee itself on the kernels that it carries and prints tables with the mean, the worst case and\n" +
			"the number of figures. With -o it puts them into a document, in place of what the same validation wrote before.",
		Args: unknownVerb,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Example: "  foresee validate cache --kernel gemm --kernel jacobi-2d\n" +
			"  foresee validate cache -o cache.md --size MINI --kernel gemm",
	}
	for _, v := range validations {
		cmd.AddCommand(v.command(s))
	}
	return cmd
}

func (v validation) command(s *cli.Streams) *cobra.Command {
	var o accuracy.Options
	var output, machineName string
	cmd := &cobra.Command{
		Use:     v.name + " [flags]",
		Short:   v.short,
		Args:    cli.NoInput,
		Example: v.example(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := v.check(&o, machineName); err != nil {
				return err
			}
			return v.run(cmd.Context(), s, o, output)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.Kernels, "kernel", nil, "only the kernel of this `NAME`, repeatable")
	f.StringVar(&o.Size, "size", "", "MINI, SMALL, MEDIUM, LARGE or EXTRALARGE instead of the usual size")
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that starts the sampling")
	f.StringVarP(&output, "output", "o", "", "put the tables into `FILE` (such as "+v.document+") instead of standard output")
	if v.series {
		f.StringVar(&o.Data, "data", "", "folder of series and sets.json: further measured applications, in `DIR`")
	}
	if v.name == wholePrograms {
		f.StringVar(&o.Data, "data", "", "folder of other programs and programs.txt, a line each: name: sources and flags -- arguments, in `DIR`")
	}
	if v.timed {
		f.StringVar(&machineName, "machine", "host", "machine that this one is, by `NAME` or .yaml file")
	}
	return cmd
}

// wholePrograms is the validation whose kernels are whole programs, with a size of their own.
const wholePrograms = "programs"

// ofMessages is the validation whose kernels are MPI programs.
const ofMessages = "replay"

func (v validation) example() string {
	if v.series {
		return "  foresee validate scaling"
	}
	if v.name == wholePrograms {
		return "  foresee validate programs --machine zen4 --kernel escape.c"
	}
	if v.name == ofMessages {
		return "  foresee validate replay --size MINI --kernel stencil"
	}
	if v.name == "core" || v.name == "compiled" { // whose machine must be measured
		return fmt.Sprintf("  foresee validate %s --machine my.yaml --size MINI --kernel gemm", v.name)
	}
	return fmt.Sprintf("  foresee validate %s --size MINI --kernel gemm", v.name)
}

func (v validation) check(o *accuracy.Options, machineName string) error {
	if o.Size != "" {
		if err := cli.OneOf("--size", o.Size, "MINI", "SMALL", "MEDIUM", "LARGE", "EXTRALARGE"); err != nil {
			return err
		}
	}
	known := examples.Kernels()
	switch v.name {
	case "advise":
		known = append(known, examples.Slow()...)
	case ofMessages:
		known = replayed.Programs()
	case wholePrograms: // they may be of a folder
		known = o.Kernels
	}
	for _, k := range o.Kernels {
		if err := cli.OneOf("--kernel", k, known...); err != nil {
			return err
		}
	}
	if !v.timed {
		return nil
	}
	m, err := machine.Load(machineName)
	o.Machine = m
	return err
}

func (v validation) run(ctx context.Context, s *cli.Streams, o accuracy.Options, output string) error {
	progress := terminal.NewBar(s.Err)
	o.Progress = progress.Update
	before, out, err := openDocument(output)
	if err != nil {
		return err
	}
	defer out.Discard()
	section, err := v.measure(ctx, o)
	progress.Clear()
	if err != nil {
		return err
	}
	if out == nil {
		return section.Markdown(s.Out)
	}
	text, err := section.Replace(before)
	if err != nil {
		return fmt.Errorf("%s: %w", output, err)
	}
	return out.Finish(func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// openDocument reads the document, if there is one, and begins its successor.
func openDocument(path string) (before string, out *output.File, err error) {
	if path == "" {
		return "", nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", nil, fmt.Errorf("%s: cannot read: %w", path, cli.Cause(err))
	}
	out, err = output.Create(path)
	return strings.ReplaceAll(string(text), "\r\n", "\n"), out, err
}
