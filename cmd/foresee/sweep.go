package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application"
	"foresee/application/csource"
	"foresee/cmd/foresee/cli"
	"foresee/internal/terminal"
	"foresee/internal/workspace"
	"foresee/machine"
	"foresee/report"
	"foresee/report/figure"
	"foresee/report/text"
	"foresee/sweep"
	"foresee/sweep/slurm"
)

// sweeping are the flags of sweep.
type sweeping struct {
	cli.Common
	models
	levels, vary      []string
	folder            string
	slurm             bool
	sbatch            []string
	tasks, tries      int
	picture, x, along string
}

func sweepCommand(s *cli.Streams) *cobra.Command {
	w := &sweeping{}
	cmd := &cobra.Command{
		Use:   "sweep [flags] FILE.c|NAME.sig.json",
		Short: "a design space: sizes × machines × fields of machines × threads",
		Long: "sweep predicts a program at all combinations of what is given several values: parameters of the source (-D N=100,200 or\n" +
			"-D N=128..4096:x2), machines, fields of machines (--level L3:size=x1,x2 or --vary memory.bandwidth_gbs=50,100), and threads. A size\n" +
			"is analysed once. With --results what is done is kept in a folder: an interrupted sweep goes on where it was when the same\n" +
			"command is given again. With --slurm the work is a job array of Slurm; the folder must be one that all nodes see.\n\n" +
			"FROM..TO:STEP are values from FROM to TO with a step; FROM..TO:xFACTOR multiplies; FROM..TO are some twelve whole ones. A value xN of a field is N times the machine's.",
		Example: "  foresee sweep --machine i7-5960x --threads 1,2,4,8 -D N=256..2048:x2 gemm.c\n" +
			"  foresee sweep --machine i7-5960x --machine zen4 --level L3:size=x0.5,x1,x2 --threads 1,8 --plot gemm.svg gemm.c\n" +
			"  foresee sweep --machine zen4 --vary memory.bandwidth_gbs=200,400 --threads 8 --format csv gemm.c",
		Args: cli.FilesWithArguments("C file or signature"),
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, rest := cli.SplitArguments(args, cmd.ArgsLenAtDash())
			input, err := w.First(operands)
			if err != nil {
				return err
			}
			return runSweep(cmd, s, w, input, rest)
		},
	}
	w.Common.Add(cmd.Flags())
	w.AddThreads(cmd.Flags())
	w.models.add(cmd.Flags())
	f := cmd.Flags()
	f.Lookup("define").Usage = "define `NAME=VALUE`, or with several values, NAME=100,200 or NAME=100..800:100, an axis of the sweep; repeatable"
	f.StringArrayVar(&w.levels, "level", nil, "change a level of the machines: `LEVEL:FIELD=VALUE,…`, such as L3:size=x1,x2,ways=8,16; each field is an axis")
	f.StringArrayVar(&w.vary, "vary", nil, "change any field of the machines: `FIELD=VALUE,…`, such as frequency_ghz=2,3 or memory.latency_ns=x1,x1.5; an axis")
	f.StringVar(&w.folder, "results", "", "keep what is done in `DIR`, and take from there what is done already")
	f.BoolVar(&w.slurm, "slurm", false, "let Slurm do the work, as a job array; needs --results")
	f.StringArrayVar(&w.sbatch, "sbatch", nil, "`OPTION` for sbatch, such as --partition=short, repeatable")
	f.IntVar(&w.tasks, "tasks", slurm.DefaultTasks, "tasks of the job array at most")
	f.IntVar(&w.tries, "tries", slurm.DefaultTries, "how often what is missing is given to Slurm")
	f.StringVar(&w.picture, "picture", "lines", "what --plot draws: lines or heat")
	f.StringVar(&w.x, "x", "", "`AXIS` of the picture from left to right (default: the one with most numbers)")
	f.StringVar(&w.along, "lines", "", "`AXIS` of the picture with a line or a row for each value (default: the next)")
	f.BoolVar(&w.Verbose, "all", false, "all rows, not the first ones")
	for _, hidden := range []string{"html", "trace", "run", "at-threads", "check", "compile", "dealing", "partial", "trace-format", "miss-ratio"} {
		if flag := f.Lookup(hidden); flag != nil {
			flag.Hidden = true
		}
	}
	return cmd
}

func runSweep(cmd *cobra.Command, s *cli.Streams, w *sweeping, input string, args []string) error {
	ctx := cmd.Context()
	if err := w.check(cmd); err != nil {
		return err
	}
	in, err := w.Find(ctx, s, input)
	if err != nil {
		return err
	}
	defer in.Close()
	study, err := w.study(cmd, s, in, args)
	if err != nil {
		return err
	}
	store, done, err := w.store()
	if err != nil {
		return err
	}
	defer done()
	out, err := w.Open()
	if err != nil {
		return err
	}
	defer out.Discard()
	plan, err := study.Plan(store)
	if err != nil {
		return err
	}
	failed := w.work(ctx, s, store, plan)
	if failed != nil && (!cli.EndedEarly(failed) || w.slurm) {
		return failed
	}
	result, err := sweep.Gather(plan, store, failed != nil)
	if err != nil || failed != nil && len(result.Rows) == 0 {
		return errors.Join(err, failed)
	}
	if failed != nil {
		s.Settle(out, failed, "", &result.Partial, &result.Warnings)
	}
	s.Warnings(result.Warnings)
	if err := out.WritePlot(func(to io.Writer, format string) error {
		return figure.Sweep(to, format, w.picture, result, w.x, w.along)
	}); err != nil {
		return err
	}
	err = out.WriteResult(s.Out, func(to io.Writer) error {
		switch w.Format {
		case "json":
			return report.JSON(to, result)
		case "csv":
			return text.SweepCSV(to, result)
		}
		return text.Sweep(to, result, text.Options{Verbose: w.Verbose})
	})
	return errors.Join(failed, err)
}

// check reports flags that cannot be meant.
func (w *sweeping) check(cmd *cobra.Command) error {
	if err := w.models.check(cmd.Flags()); err != nil {
		return err
	}
	switch {
	case w.slurm && w.folder == "":
		return cli.Usagef("--slurm needs a folder that all nodes see: add --results DIR")
	case !w.slurm && (len(w.sbatch) > 0 || cmd.Flags().Changed("tasks") || cmd.Flags().Changed("tries")):
		return cli.Usagef("--sbatch, --tasks and --tries are of --slurm; add that, or leave them out")
	case w.Observe != "":
		return cli.Usagef("--run is of foresee predict: a sweep takes its values from -D")
	case w.tasks < 1 || w.tries < 1:
		return cli.Usagef("--tasks and --tries are numbers from 1 on")
	case w.Plot == "" && (w.x != "" || w.along != "" || cmd.Flags().Changed("picture")):
		return cli.Usagef("--picture, --x and --lines are of --plot; add --plot FILE.svg, or leave them out")
	}
	return cli.OneOf("--picture", w.picture, figure.SweepKinds...)
}

// study is what is asked for.
func (w *sweeping) study(cmd *cobra.Command, s *cli.Streams, in *application.Input, args []string) (*sweep.Study, error) {
	var fixed []string
	study := &sweep.Study{Settings: sweep.Settings{
		Model: w.models.time, HitModel: w.hits, Warm: w.warm, Seed: w.Seed, Samples: w.Samples, ThreadsModel: w.ThreadsModel, Interleave: w.Interleave,
	}}
	for _, d := range w.Defines {
		axis, several, err := cli.DefineAxis(d)
		if err != nil {
			return nil, err
		}
		if !several {
			fixed = append(fixed, d)
			continue
		}
		study.Sizes = append(study.Sizes, axis)
	}
	w.Defines = fixed
	if err := w.Common.Check(); err != nil {
		return nil, err
	}
	var err error
	if study.Settings.Page, err = w.pages(); err != nil {
		return nil, err
	}
	if study.Changes, err = w.changes(); err != nil {
		return nil, err
	}
	if err := distinctAxes(study); err != nil {
		return nil, err
	}
	if err := cli.CheckInput(cmd, in, args); err != nil {
		return nil, err
	}
	if err := w.fits(in); err != nil {
		return nil, err
	}
	if len(study.Sizes) > 0 && (in.Kind == application.Saved || in.Path == "-") {
		return nil, cli.Usagef("-D with several values is of sources in files, which are read once for each; %s is a %s", in.Name, in.Kind)
	}
	if study.Machines, err = w.LoadMachines(); err != nil {
		return nil, err
	}
	if err := machineNames(study.Machines); err != nil {
		return nil, err
	}
	if study.Threads, err = w.ThreadsOfRun(w.Threads); err != nil {
		return nil, err
	}
	if study.Threads == nil {
		study.Threads = cli.DoubledThreads(study.Machines)
	}
	study.Input, study.Source = in.Name, w.source(cmd.Context(), s, in)
	study.Program, err = programDigest()
	return study, err
}

// source reads the input with values of its parameters.
func (w *sweeping) source(ctx context.Context, s *cli.Streams, first *application.Input) func([]string, []string) (*application.Signature, error) {
	said := false
	return func(names, at []string) (*application.Signature, error) {
		in := first
		if said {
			var err error
			if in, err = w.Find(ctx, s, first.Path); err != nil {
				return nil, err
			}
			defer in.Close()
		}
		o := w.Options(s, w.Regions, w.Verbose)
		o.Source.Defines = slices.Clone(o.Source.Defines)
		for i, v := range at {
			o.Source.Defines = append(o.Source.Defines, names[i]+"="+v)
		}
		if said {
			o.Skipped = func(string, []csource.Skipped, []string) {}
		}
		said = true
		opened, err := in.Open(ctx, o)
		if err != nil {
			if len(at) > 0 {
				err = fmt.Errorf("with %s: %w", strings.Join(o.Source.Defines[len(w.Defines):], ", "), err)
			}
			return nil, err
		}
		defer opened.Close()
		return opened.Signature, nil
	}
}

// store is the folder of --results, or one that is removed at the end.
func (w *sweeping) store() (store *sweep.Store, done func(), err error) {
	if w.folder == "" {
		folder, err := workspace.New("sweep")
		if err != nil {
			return nil, nil, err
		}
		store, err = sweep.NewStore(folder.Path)
		return store, func() { _ = folder.Remove() }, err
	}
	ours, err := sweep.IsStore(w.folder)
	if err != nil {
		return nil, nil, err
	}
	if !ours {
		return nil, nil, fmt.Errorf("%s holds other files than those of a sweep; name another folder with --results", w.folder)
	}
	store, err = sweep.NewStore(w.folder)
	return store, func() {}, err
}

// work does what is missing of the plan.
func (w *sweeping) work(ctx context.Context, s *cli.Streams, store *sweep.Store, plan *sweep.Plan) error {
	units, err := plan.Missing(store)
	if err != nil {
		return err
	}
	if all := len(plan.Units()); len(units) < all {
		fmt.Fprintf(s.Err, "foresee: %d of %d parts are there already\n", all-len(units), all)
	}
	bar := terminal.NewBar(s.Err)
	defer bar.Clear()
	if !w.slurm {
		err = sweep.Local(ctx, plan, store, units, bar.Update)
		if err != nil && ctx.Err() != nil && w.folder != "" {
			bar.Clear()
			fmt.Fprintf(s.Err, "foresee: what is done is kept in %s: the same command goes on from there\n", w.folder)
		}
		return err
	}
	name, err := store.PutPlan(plan)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	array := &slurm.Array{
		Store: store, Plan: plan, Name: name, Program: program, Command: []string{taskVerb}, Options: w.sbatch, Tasks: w.tasks, Tries: w.tries,
		Progress: bar.Update, Say: func(text string) { bar.Clear(); fmt.Fprintf(s.Err, "foresee: %s\n", text) },
	}
	return array.Run(ctx)
}

// programDigest tells this program from others: what another one kept may not be what this one would predict.
func programDigest() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// taskVerb is the command of a task of a job array.
const taskVerb = "sweep-task"

// sweepTaskCommand does one task of a job array, and is called by that alone.
func sweepTaskCommand() *cobra.Command {
	return &cobra.Command{
		Use:    taskVerb + " DIR PLAN TASK TASKS",
		Short:  "a task of a sweep, as Slurm runs it",
		Hidden: true,
		Args:   cobra.ExactArgs(4),
		RunE: func(cmd *cobra.Command, args []string) error {
			var task, tasks int
			if _, err := fmt.Sscan(args[2]+" "+args[3], &task, &tasks); err != nil || task < 0 || task >= tasks {
				return cli.Usagef("%s: task %s of %s", taskVerb, args[2], args[3])
			}
			store := &sweep.Store{Dir: args[0]}
			plan, err := store.Plan(args[1])
			if err != nil {
				return err
			}
			return sweep.Task(cmd.Context(), plan, store, task, tasks)
		},
	}
}

// changes are the axes of --level and --vary.
func (w *sweeping) changes() (axes []sweep.Axis, err error) {
	for _, l := range w.levels {
		level, rest, ok := strings.Cut(l, ":")
		if !ok || level == "" || rest == "" {
			return nil, cli.Usagef("--level %q: write LEVEL:FIELD=VALUE,… such as L3:size=x1,x2", l)
		}
		for item := range strings.SplitSeq(rest, ",") {
			field, value, named := strings.Cut(item, "=")
			switch {
			case named && field != "" && value != "":
				axes = append(axes, sweep.Axis{Name: level + "." + field, Values: []string{value}})
			case !named && item != "" && len(axes) > 0:
				last := &axes[len(axes)-1]
				last.Values = append(last.Values, item)
			default:
				return nil, cli.Usagef("--level %q: %q is no FIELD=VALUE", l, item)
			}
		}
	}
	for _, v := range w.vary {
		name, list, ok := strings.Cut(v, "=")
		if !ok || name == "" || list == "" {
			return nil, cli.Usagef("--vary %q: write FIELD=VALUE,… such as frequency_ghz=2,3 or L2.size=x1,x2", v)
		}
		values, err := cli.AxisValues("--vary "+v, list)
		if err != nil {
			return nil, err
		}
		axes = append(axes, sweep.Axis{Name: name, Values: values})
	}
	return axes, nil
}

// distinctAxes refuses what is given twice.
func distinctAxes(study *sweep.Study) error {
	names := map[string]bool{sweep.MachineAxis: true, sweep.ThreadsAxis: true}
	for _, a := range slices.Concat(study.Sizes, study.Changes) {
		if names[a.Name] {
			return cli.Usagef("%s is an axis twice; give all its values at once", a.Name)
		}
		names[a.Name] = true
		for i, v := range a.Values {
			if slices.Contains(a.Values[:i], v) {
				return cli.Usagef("%s has the value %s twice", a.Name, v)
			}
		}
	}
	return nil
}

// machineNames refuses two machines of one name, whose rows nobody could tell apart.
func machineNames(all []*machine.Machine) error {
	for i, m := range all {
		if slices.ContainsFunc(all[:i], func(o *machine.Machine) bool { return o.Name == m.Name }) {
			return cli.Usagef("two machines are called %s; give one of them another name in its file", m.Name)
		}
	}
	return nil
}
