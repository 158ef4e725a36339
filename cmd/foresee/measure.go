package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"foresee/application"
	"foresee/cmd/foresee/cli"
	"foresee/cmd/foresee/remedy"
	"foresee/internal/claims"
	"foresee/internal/output"
	"foresee/internal/terminal"
	"foresee/machine"
	"foresee/machine/probe"
	"foresee/machine/probe/network"
	"foresee/report"
	"foresee/report/text"
)

// measureFlags are those of machine measure and machine check.
type measureFlags struct {
	output   string
	flags    string
	most     string
	cpus     string
	host     cli.HostFlags
	thorough bool
	mpi      string
	mpicc    string

	probe func(context.Context, *machine.Machine, probe.Options) (*machine.Machine, error) // of machine measure: what measures
}

func (f *measureFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.flags, "flags", "-O2", "flags of the compiler for the measuring program, such as \"-O3 -march=native\"")
	cmd.Flags().StringVar(&f.most, "max-size", "", "size of the largest array (default four times the last cache, as far as memory allows)")
	cmd.Flags().StringVar(&f.cpus, "cpus", "", "CPUs to measure on, the first alone, such as 0-3 (default all that this process may use)")
}

func (f *measureFlags) options(s *cli.Streams) (probe.Options, error) {
	o := probe.Options{Thorough: f.thorough, Date: time.Now().Format(time.DateOnly)}
	if f.most != "" {
		n, err := machine.ParseSize(f.most)
		if err != nil {
			return o, cli.Usagef("--max-size: %w", err)
		}
		if n < 1<<16 {
			return o, cli.Usagef("--max-size %s: too small to measure anything; take at least 64KiB", f.most)
		}
		o.Most = n
	}
	if f.cpus != "" {
		list, err := machine.ParseCPUList(f.cpus)
		if err != nil || len(list) == 0 {
			return o, cli.Usagef("--cpus %s: not a list of CPUs such as 0-3,8", f.cpus)
		}
		there := probe.Allowed()
		for _, cpu := range list {
			if !slices.Contains(there, cpu) {
				return o, cli.Usagef("--cpus %s: this process may not use CPU %d; it may use %v", f.cpus, cpu, there)
			}
		}
		slices.Sort(list)
		o.CPUs = slices.Compact(list)
	}
	c, err := probe.FindCompiler(strings.Fields(f.flags))
	if err != nil {
		return o, err
	}
	o.Compiler = c
	return o, nil
}

func machineMeasureCommand(s *cli.Streams) *cobra.Command {
	f := &measureFlags{probe: probe.Measure}
	cmd := &cobra.Command{
		Use:   "measure",
		Short: "measure this machine",
		Long: "measure finds out what this machine can do: latencies, bandwidth by size and stride (MultiMAPS), with a function fitted to it, costs of operations,\n" +
			"of parallel regions, and of cores at work together. It needs a C compiler, no rights, and about a minute. What other work disturbs is measured again, then left out with a note.\n" +
			"With -o, an interrupted run keeps what it has in FILE.part, and the same command goes on from there.\n\n" +
			"With --mpi it measures the network instead, between the ranks that a launcher starts: ping-pong by size within a node and between two, from which size on a message\n" +
			"waits for its receive, pairs at once, reductions; and writes a cluster file for foresee replay.",
		Example: "  foresee machine measure -o my.yaml\n  foresee machine measure --flags -O3 --max-size 1GiB -o my-o3.yaml\n" +
			"  foresee machine measure --mpi 'mpirun -n 2' -o cluster.yaml",
		Args: cli.NoInput,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.mpi != "" {
				return f.network(cmd, s)
			}
			return f.measure(cmd.Context(), s)
		},
	}
	f.add(cmd)
	f.host.Add(cmd.Flags())
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "file for the machine (default standard output)")
	cmd.Flags().StringVar(&f.mpi, "mpi", "", "measure the network between the ranks that this `LAUNCHER` starts, with its hosts: 'mpirun -n 8 --hostfile hosts', 'srun -N 2 -n 8'")
	cmd.Flags().StringVar(&f.mpicc, "mpicc", "mpicc", "of --mpi: the `COMPILER` of the launcher's MPI library")
	cmd.Flags().BoolVar(&f.thorough, "thorough", false, "all sweeps in full, more samples: up to a quarter of an hour")
	return cmd
}

func (f *measureFlags) measure(ctx context.Context, s *cli.Streams) error {
	o, err := f.options(s)
	if err != nil {
		return err
	}
	said, err := f.host.Said(cli.HostName)
	if err != nil {
		return err
	}
	base, err := machine.LocalCores(said...)
	if err != nil {
		return err
	}
	var out *output.File
	if f.output != "" {
		if !machine.IsFile(f.output) {
			return cli.Usagef("-o %s: the names of machine files end in .yaml, so that --machine can tell them from the library's: give %s.yaml", f.output, f.output)
		}
		if out, err = output.Create(f.output); err != nil {
			return err
		}
		defer out.Discard()
		o.Keep = f.output + ".part"
		base.Name = nameOf(f.output)
	}
	progress := terminal.NewBar(s.Err)
	o.Progress = progress.Update
	m, err := f.probe(ctx, base, o)
	progress.Clear()
	if err != nil {
		if ctx.Err() != nil && o.Keep != "" {
			fmt.Fprintf(s.Err, "foresee: kept what was measured in %s; the same command goes on from there\n", o.Keep)
		}
		return err
	}
	data, err := m.YAML()
	if err != nil {
		return err
	}
	if out == nil {
		_, err = s.Out.Write(data)
		return err
	}
	if err := out.Finish(terminal.AsText(func(w io.Writer) error { _, err := w.Write(data); return err })); err != nil {
		return err
	}
	if err := os.Remove(o.Keep); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := remedy.Write(s.Out, func(w io.Writer) error { return text.Measured(w, m) }); err != nil {
		return err
	}
	if o.Most == 0 && m.Fit(machine.SweepRead) == nil {
		return fmt.Errorf("%s: written, but nothing is known of memory in it, so that no times can be predicted: see the notes; measure again when nothing else runs and more memory is free, or say how large arrays are to be (--max-size)", f.output)
	}
	_, err = fmt.Fprintf(s.Err, "foresee: wrote %s; take it with --machine %s, look at it with foresee machine show %s --plot %s.svg\n", f.output, f.output, f.output, base.Name)
	return err
}

var notInName = regexp.MustCompile(`[^a-z0-9._-]+`)

// nameOf is the name of a machine whose file is so called.
func nameOf(file string) string {
	name := strings.ToLower(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	name = strings.Trim(notInName.ReplaceAllString(name, "-"), "-._")
	if name == "" {
		return "host"
	}
	return name[:min(len(name), 64)]
}

func machineCheckCommand(s *cli.Streams) *cobra.Command {
	f := &measureFlags{}
	format := ""
	cmd := &cobra.Command{
		Use:     "check FILE",
		Short:   "measure a little again, and tell what has changed",
		Long:    "check measures a sample of what a machine file of foresee machine measure says again, on this machine, and reports by how much it differs.",
		Example: "  foresee machine check my.yaml",
		Args:    cli.OneInput("machine file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckFormat(format); err != nil {
				return err
			}
			m, err := machine.Load(args[0])
			if err != nil {
				return err
			}
			o, err := f.options(s)
			if err != nil {
				return err
			}
			progress := terminal.NewBar(s.Err)
			o.Progress = progress.Update
			drifts, err := probe.Check(cmd.Context(), m, o)
			progress.Clear()
			if err != nil {
				return err
			}
			d := report.NewDrift(header(report.DriftSchema, args[0]), m, drifts)
			switch format {
			case "json":
				return report.JSON(s.Out, d)
			case "csv":
				return text.DriftCSV(s.Out, d)
			}
			return text.Drift(s.Out, d)
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&format, "format", "text", "text, json or csv")
	return cmd
}

func machineImportCommand(s *cli.Streams) *cobra.Command {
	file := ""
	cmd := &cobra.Command{
		Use:     "import kerncraft FILE",
		Short:   "make a machine file of another tool's",
		Example: "  foresee machine import kerncraft SkylakeSP_Gold-6148.yml -o gold-6148.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 || args[0] != "kerncraft" {
				return cli.Usagef("give the kind of file and the file: foresee machine import kerncraft FILE")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := application.Exists(args[1]); err != nil {
				return err
			}
			data, err := claims.ReadFile(args[1])
			if err != nil {
				return fmt.Errorf("%s: %w", args[1], cli.Cause(err))
			}
			m, err := machine.ReadKerncraft(args[1], data)
			if err != nil {
				return err
			}
			if file != "" {
				m.Name = nameOf(file)
			}
			text, err := remedy.OfNotes(m).YAML()
			if err != nil {
				return err
			}
			if file == "" {
				_, err = s.Out.Write(text)
				return err
			}
			out, err := output.Create(file)
			if err != nil {
				return err
			}
			defer out.Discard()
			return out.Finish(terminal.AsText(func(w io.Writer) error { _, err := w.Write(text); return err }))
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "file for the machine (default standard output)")
	return cmd
}

// network measures what is between the ranks that a launcher starts, and writes a cluster file.
func (f *measureFlags) network(cmd *cobra.Command, s *cli.Streams) error {
	for _, of := range []string{"flags", "max-size", "cpus", "caches", "thorough"} {
		if flag := cmd.Flags().Lookup(of); flag != nil && flag.Changed {
			return cli.Usagef("--%s is of a machine, and --mpi measures what is between machines; leave one of them out", of)
		}
	}
	launch := network.Launch{Command: strings.Fields(f.mpi), Compiler: strings.Fields(f.mpicc), Dir: filepath.Dir(f.output)}
	if len(launch.Command) == 0 || len(launch.Compiler) == 0 {
		return cli.Usagef("--mpi %q, --mpicc %q: give a launcher, such as 'mpirun -n 2', and a compiler", f.mpi, f.mpicc)
	}
	name := "cluster"
	var out *output.File
	if f.output != "" {
		if !machine.IsFile(f.output) {
			return cli.Usagef("-o %s: the names of cluster files end in .yaml: give %s.yaml", f.output, f.output)
		}
		var err error
		if out, err = output.Create(f.output); err != nil {
			return err
		}
		defer out.Discard()
		name = nameOf(f.output)
	}
	samples, err := network.Measure(cmd.Context(), launch)
	if err != nil {
		return networkRemedy(err)
	}
	c, err := samples.Describe(name, f.mpi, time.Now().Format(time.DateOnly))
	if err != nil {
		return err
	}
	data, err := c.YAML()
	if err != nil {
		return err
	}
	if out == nil {
		_, err := s.Out.Write(data)
		return err
	}
	if err := out.Finish(terminal.AsText(func(w io.Writer) error { _, err := w.Write(data); return err })); err != nil {
		return err
	}
	for _, note := range c.Notes {
		fmt.Fprintln(s.Out, note)
	}
	_, err = fmt.Fprintf(s.Err, "foresee: wrote %s; take it with foresee replay --cluster %s, after a look at nodes, topology and machine\n", f.output, f.output)
	return err
}

// networkRemedy says what to do where nothing could be measured.
func networkRemedy(err error) error {
	switch {
	case errors.Is(err, network.ErrNoCompiler):
		return fmt.Errorf("%w; install one (Debian: apt-get install openmpi-bin libopenmpi-dev), or name it: --mpicc COMPILER", err)
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%w; name a launcher that is there: --mpi 'mpirun -n 2'", err)
	case errors.Is(err, network.ErrAlone):
		return fmt.Errorf("%w; name the launcher's own compiler, as --mpi 'mpirun.mpich -n 2' --mpicc mpicc.mpich", err)
	}
	return err
}
