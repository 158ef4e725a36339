package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"foresee/cmd/foresee/cli"
	"foresee/cmd/foresee/remedy"
	"foresee/internal/output"
	"foresee/machine"
	"foresee/predict"
	"foresee/report"
	"foresee/report/figure"
	"foresee/report/text"
)

func machineCommand(s *cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "machine",
		Short:   "the machines",
		Example: "  foresee machine list\n  foresee machine show i7-5960x",
		Args:    unknownVerb,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(machineListCommand(s), machineShowCommand(s), machineMeasureCommand(s), machineCheckCommand(s), machineImportCommand(s))
	return cmd
}

func machineListCommand(s *cli.Streams) *cobra.Command {
	format := ""
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "the machines that need no file",
		Example: "  foresee machine list\n  foresee machine list --format json",
		Args:    cli.NoInput,
		RunE: func(*cobra.Command, []string) error {
			if err := cli.CheckFormat(format); err != nil {
				return err
			}
			return listMachines(s.Out, format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json or csv")
	return cmd
}

func listMachines(w io.Writer, format string) error {
	r := &report.MachineList{Header: header(report.MachineListSchema, "")}
	var failed []error
	for _, name := range machine.Library() {
		m, err := machine.Load(name)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		r.Machines = append(r.Machines, report.Summarize(m))
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	switch format {
	case "json":
		return report.JSON(w, r)
	case "csv":
		return text.MachineListCSV(w, r)
	}
	return text.MachineList(w, r)
}

func machineShowCommand(s *cli.Streams) *cobra.Command {
	format, plot, host := "", "", cli.HostFlags{}
	cmd := &cobra.Command{
		Use:     "show NAME|FILE",
		Short:   "all values of a machine, with their sources",
		Long:    "show prints all that is known about a machine of the library, of a .yaml file, or about this one (host).",
		Example: "  foresee machine show i7-5960x\n  foresee machine show --format yaml i7-5960x",
		Args:    cli.OneInput("machine"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := cli.OneOf("--format", format, "text", "json", "csv", "yaml"); err != nil {
				return err
			}
			m, err := host.Load(args[0])
			if err != nil {
				return err
			}
			return showMachine(s.Out, format, plot, args[0], m)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json, csv or yaml (a machine file to begin your own with)")
	host.Add(cmd.Flags())
	cmd.Flags().StringVar(&plot, "plot", "", "picture of a measured machine: latency and bandwidth against size (.svg or .png)")
	return cmd
}

func showMachine(w io.Writer, format, plot, name string, m *machine.Machine) error {
	if plot != "" {
		if err := plotMachine(plot, m); err != nil {
			return err
		}
	}
	if format == "yaml" {
		data, err := m.YAML()
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	}
	d := report.Details(m)
	d.Header = header(report.MachineSchema, name)
	switch format {
	case "json":
		return report.JSON(w, d)
	case "csv":
		return text.MachineCSV(w, &d)
	}
	return remedy.Write(w, func(w io.Writer) error { return text.Machine(w, &d) })
}

func plotMachine(path string, m *machine.Machine) error {
	if _, err := cli.PictureFormat(path); err != nil {
		return err
	}
	f, err := output.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	return cli.WritePicture(f, func(w io.Writer, format string) error { return kept(figure.Machine(w, format, m)) })
}

// kept is an error of what a picture is to show, with which the place it is written to has nothing to do.
func kept(err error) error {
	if err != nil {
		return output.Unkept{Err: err}
	}
	return nil
}

func header(schema, input string) predict.Header {
	return predict.Header{Schema: schema, Version: predict.Version, Input: input, Warnings: []string{}}
}

func versionCommand(s *cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "the version",
		Example: "  foresee version",
		Args:    cli.NoInput,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.Out, "foresee", predict.Version)
			return err
		},
	}
}
