// Command tune trains the prior of package foresee/model/scaling. It looks for hyperparameters with smaller errors on sets of measured
// applications, by random steps from the round ones of scaling.DefaultHyperparameters, and prints them as Go has them:
//
//	go run ./tools/tune -data FOLDER -steps 400
//
// With -left-out it predicts each application with hyperparameters that were tuned on the others, and prints the table of errors, or puts it
// into a document in place of what it wrote there before:
//
//	go run ./tools/tune -data FOLDER -steps 40 -left-out -o docs/accuracy/scaling.md
//
// The folder holds sets.json and the series that it names; without one, the few sets are taken that foresee may carry.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"foresee/accuracy"
	"foresee/accuracy/measurements"
	"foresee/internal/output"
	"foresee/internal/terminal"
	"foresee/model/scaling"
)

// usualSteps are those of the table of -left-out. Chosen for its time, as it tunes anew for each application; a single tuning has time for ten
// times as many, as above.
const usualSteps = 40

// options are what the command line asks for.
type options struct {
	data, document string
	steps          int
	seed           uint64
	leftOut        bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintf(os.Stderr, "tune: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, said io.Writer) error {
	var o options
	f := flag.NewFlagSet("tune", flag.ContinueOnError)
	f.SetOutput(said)
	f.StringVar(&o.data, "data", "", "`FOLDER` of series and sets.json: measured applications")
	f.IntVar(&o.steps, "steps", usualSteps, "`NUMBER` of random steps")
	f.Uint64Var(&o.seed, "seed", 1, "`NUMBER` that starts the random steps")
	f.BoolVar(&o.leftOut, "left-out", false, "tune without each application in turn, and predict it")
	f.StringVar(&o.document, "o", "", "put the table of -left-out into `FILE` instead of standard output")
	if err := f.Parse(args); err != nil {
		return err
	}
	if o.document != "" && !o.leftOut || f.NArg() > 0 || o.steps < 1 {
		return errors.New("-o goes with -left-out, -steps are at least 1, and there are no further arguments")
	}
	sets, err := measurements.Benchmarks(o.data)
	if err != nil {
		return err
	}
	if o.leftOut {
		return o.table(ctx, sets, out, said)
	}
	return o.train(ctx, sets, out)
}

// train prints the tuned hyperparameters, and how much better they do than those that they started from.
func (o *options) train(ctx context.Context, sets []measurements.Benchmark, out io.Writer) error {
	start := scaling.DefaultHyperparameters()
	tuned := tune(ctx, sets, start, o.steps, o.seed)
	_, err := fmt.Fprintf(out, "%#v\n\nsum of the mean errors over their targets: %.4f, with the round figures %.4f\n", tuned, quality(sets, tuned.Prior(1)), quality(sets, start.Prior(1)))
	return errors.Join(err, ctx.Err())
}

// table writes the errors of the applications that were left out.
func (o *options) table(ctx context.Context, sets []measurements.Benchmark, out, said io.Writer) error {
	bar := terminal.NewBar(said)
	t, err := leftOut(ctx, sets, o.steps, o.seed, bar.Update)
	bar.Clear()
	if err != nil {
		return err
	}
	section := accuracy.Section{Name: "-left-out", By: "go run ./tools/tune", Tables: []*accuracy.Table{t}}
	if o.document == "" {
		return section.Markdown(out)
	}
	return replace(&section, o.document)
}

// replace puts a section into a document, whole or not at all.
func replace(section *accuracy.Section, document string) error {
	before, err := os.ReadFile(document)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: cannot read: %w", document, err)
	}
	after, err := section.Replace(string(before))
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	f, err := output.Create(document)
	if err != nil {
		return err
	}
	defer f.Discard()
	return f.Finish(func(w io.Writer) error {
		_, err := io.WriteString(w, after)
		return err
	})
}
