package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"foresee/internal/output"
	"foresee/internal/terminal"
	"foresee/machine"
	"foresee/machine/probe/network"
)

// network measures what is between the ranks that a launcher starts, and writes a cluster file.
func (f *measureFlags) network(cmd *cobra.Command, s *streams) error {
	for _, of := range []string{"flags", "max-size", "cpus", "caches", "thorough"} {
		if flag := cmd.Flags().Lookup(of); flag != nil && flag.Changed {
			return usagef("--%s is of a machine, and --mpi measures what is between machines; leave one of them out", of)
		}
	}
	launch := network.Launch{Command: strings.Fields(f.mpi), Compiler: strings.Fields(f.mpicc), Dir: filepath.Dir(f.output)}
	if len(launch.Command) == 0 || len(launch.Compiler) == 0 {
		return usagef("--mpi %q, --mpicc %q: give a launcher, such as 'mpirun -n 2', and a compiler", f.mpi, f.mpicc)
	}
	name := "cluster"
	var out *output.File
	if f.output != "" {
		if !machine.IsFile(f.output) {
			return usagef("-o %s: the names of cluster files end in .yaml: give %s.yaml", f.output, f.output)
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
		_, err := s.out.Write(data)
		return err
	}
	if err := out.Finish(terminal.AsText(func(w io.Writer) error { _, err := w.Write(data); return err })); err != nil {
		return err
	}
	for _, note := range c.Notes {
		fmt.Fprintln(s.out, note)
	}
	_, err = fmt.Fprintf(s.err, "foresee: wrote %s; take it with foresee replay --cluster %s, after a look at nodes, topology and machine\n", f.output, f.output)
	return err
}

// networkRemedy says what to do where nothing could be measured.
func networkRemedy(err error) error {
	switch {
	case errors.Is(err, network.ErrNoCompiler):
		return fmt.Errorf("%w; install one (Debian: apt-get install openmpi-bin libopenmpi-dev), or name it: --mpicc COMPILER", err)
	case errors.Is(err, network.ErrAlone):
		return fmt.Errorf("%w; name the launcher's own compiler, as --mpi 'mpirun.mpich -n 2' --mpicc mpicc.mpich", err)
	}
	return err
}
