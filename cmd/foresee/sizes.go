package main

import (
	"context"

	"github.com/spf13/cobra"

	"foresee/application"
	"foresee/application/csource"
	"foresee/cmd/foresee/cli"
	"foresee/predict"
)

// runPredictSizes predicts at several sizes: the first is read as an only one would be, which begins the outputs.
func runPredictSizes(cmd *cobra.Command, s *cli.Streams, c *cli.Common, m *models, z *cli.Sizes, input string, args []string) error {
	ctx, defines := cmd.Context(), c.Defines
	switch {
	case c.HTML != "" || c.Plot != "":
		return cli.Usagef("pictures and pages are of one size; leave out --html and --plot, or give one value of -D %s", z.Name)
	case c.Observe != "" || c.Run:
		return cli.Usagef("a run has the sizes that it has; leave out --run and --trace, or give one value of -D %s", z.Name)
	}
	c.Refuse = m.fits
	c.Defines = z.With(defines, z.Values[0])
	j, err := c.Begin(ctx, s, cmd, input, args, c.UsualThreads)
	if err != nil {
		return err
	}
	defer j.Discard()
	request, err := m.request(c, j)
	if err != nil {
		return err
	}
	open := func(value int64) (*application.Signature, error) {
		if value == z.Values[0] {
			return j.Signature, nil
		}
		c.Defines = z.With(defines, value)
		return again(ctx, s, c, input)
	}
	result, failed := predict.RunSizes(ctx, predict.SizesRequest{
		Request: request, Name: z.Name, Values: z.Values, Between: z.Ranged && c.Threads != cli.BestThreads, Open: open, // the best number differs by size
	})
	if failed = j.End(s, failed); failed != nil {
		return failed
	}
	return show(s, c, j, result)
}

// again reads the source once more, with other values.
func again(ctx context.Context, s *cli.Streams, c *cli.Common, input string) (*application.Signature, error) {
	in, err := c.Find(ctx, s, input)
	if err != nil {
		return nil, err
	}
	o := c.Options(s, c.Regions, false)
	o.Skipped = func(string, []csource.Skipped, []string) {}
	opened, err := in.Open(ctx, o)
	if err != nil {
		in.Close()
		return nil, err
	}
	defer opened.Close()
	return opened.Signature, nil
}
