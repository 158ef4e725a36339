package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"foresee/cmd/foresee/cli"
	"foresee/internal/output"
	"foresee/predict"
)

// manualDate is the month on the pages, the same whenever they are made. Chosen: that of the version that is begun.
var manualDate = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

// manualCommand writes the manual pages, for those who install or package foresee.
func manualCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "manual DIR",
		Short:   "write the manual pages of all verbs into a folder",
		Long:    "manual writes a page of section 1 for each verb, foresee-predict.1 and so on, into a folder, which make install puts where man looks.",
		Example: "  foresee manual man1",
		Hidden:  true,
		Args:    cli.OneInput("folder"),
		RunE:    func(cmd *cobra.Command, args []string) error { return writeManual(cmd.Root(), args[0]) },
	}
}

// writeManual writes the page of a command and those of its verbs.
func writeManual(cmd *cobra.Command, dir string) error {
	if cmd.Hidden || cmd.Name() == "help" || cmd.Name() == "completion" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%s: cannot make the folder: %w", dir, cli.Cause(err))
	}
	page, err := manualPage(cmd)
	if err != nil {
		return err
	}
	f, err := output.Create(filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"))
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := f.Finish(func(w io.Writer) error { _, err := w.Write(page); return err }); err != nil {
		return err
	}
	for _, sub := range cmd.Commands() {
		if err := writeManual(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

// manualPage is the page of one command.
func manualPage(cmd *cobra.Command) ([]byte, error) {
	date := manualDate
	cmd.DisableAutoGenTag = true
	var b bytes.Buffer
	err := doc.GenMan(cmd, &doc.GenManHeader{
		Title: strings.ToUpper(strings.ReplaceAll(cmd.CommandPath(), " ", "-")), Section: "1", Date: &date, Source: "foresee " + predict.Version, Manual: "foresee",
	}, &b)
	return b.Bytes(), err
}
