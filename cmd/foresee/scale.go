package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application/counters"
	"foresee/application/counters/extrap"
	"foresee/application/counters/gather"
	"foresee/cmd/foresee/cli"
	"foresee/cmd/foresee/remedy"
	"foresee/internal/claims"
	"foresee/internal/output"
	"foresee/internal/terminal"
	"foresee/machine"
	"foresee/model/cache"
	"foresee/model/scaling"
	"foresee/predict/scale"
	"foresee/report"
	"foresee/report/figure"
	"foresee/report/page"
	"foresee/report/text"
)

// scaleFlags are the flags of scale.
type scaleFlags struct {
	at, metrics, params                    []string
	model, callpath, events, machine, work string
	format, output, plot, html, extrap     string
	interval                               float64
	share, cover, accuracy                 cli.Part
	holdOut                                int
	allowChange, verbose, weak             bool
}

func scaleCommand(s *cli.Streams) *cobra.Command {
	f := &scaleFlags{}
	cmd := &cobra.Command{
		Use:   "scale [flags] INPUT...",
		Short: "fits measured profiles of small runs and predicts larger ones",
		Long: "scale reads what was measured of an application at a few numbers of processes (and problem sizes), fits a model to every series, and predicts\n" +
			"them where --at asks: values with intervals, the parts of the time, efficiency, the kernels that matter, how far to trust it,\n" +
			"and which further run would tell most.\n\n" +
			"An INPUT is a folder of foresee mpi or one that holds such folders; or a file of Extra-P (text, JSON, JSON Lines, .extra-p), Score-P (.cubex), TAU, mpiP,\n" +
			"HPCToolkit (CSV), callgrind, perf stat, perf script, gprof, Caliper, LIKWID, PAPI or foresee profile (JSON), told by its content. Where a file does not tell\n" +
			"the parameters of its run, they stand before it: p=16:callgrind.out.16; several files of one run are its ranks. Folders named app.p8.n30.r1 tell them too.",
		Example: "  foresee scale --accuracy 60% runs.jsonl\n" +
			"  foresee scale --at p=256,1024 runs.jsonl\n" +
			"  foresee scale --at p=512,n=256 --at p=1024,n=512 sizes.jsonl\n" +
			"  foresee scale --holdout 2 --metric time runs.jsonl\n" +
			"  foresee scale --at p=64 --html scale.html --plot scale.svg runs.jsonl",
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), s, args) },
	}
	g := cmd.Flags()
	g.StringArrayVar(&f.at, "at", nil, "predict at `p=256,1024` or, with several parameters, p=256,n=4096; repeatable")
	g.StringVar(&f.model, "model", scale.Auto, "`MODEL` is "+strings.Join(scale.ModelNames(), ", "))
	g.IntVar(&f.holdOut, "holdout", 0, "leave the largest `NUMBER` of values of the first parameter out and compare them with their prediction")
	g.Var(&f.accuracy, "accuracy", "largest `SHARE` by which the model may be off at the largest run, which is left out for that; says what to run next where it is off by more, with exit code 3")
	g.StringArrayVar(&f.metrics, "metric", nil, "only the metric of this `NAME`, repeatable")
	g.StringVar(&f.callpath, "callpath", "", "only callpaths that contain `TEXT`")
	g.Float64Var(&f.interval, "interval", 0.8, "`PROBABILITY` with which a value lies in its interval")
	f.cover, f.share = 0.95, 0.05
	g.Var(&f.cover, "cover", "`SHARE` of the cost that kernels are to have: smaller functions fill it up, ten or a tenth of all at most; 0 leaves it at --share")
	g.Var(&f.share, "share", "least `SHARE` of the cost that makes a function a kernel")
	g.StringVar(&f.events, "events", "", "table of further events and the quantities they make, a YAML `FILE`")
	g.StringArrayVar(&f.params, "param", nil, "a parameter `NAME=VALUE` that all inputs share and none tells, repeatable")
	g.StringVar(&f.machine, "machine", "", "the machine by `NAME` or .yaml file: its caches for reuse profiles, its clock and latencies for the model apmt")
	g.StringVar(&f.work, "work", "", "of the model apmt: size of the problem as `POWERS` of the parameters, such as n^3 or nx*ny")
	g.BoolVar(&f.weak, "weak", false, "the problem grew with the processes, each having the same work: efficiency is of weak scaling")
	g.BoolVar(&f.allowChange, "allow-change", false, "predict although the application changes its configuration within the measured runs")
	g.StringVar(&f.format, "format", "", cli.FormatUsage)
	g.StringVarP(&f.output, "output", "o", "", "write the result to `FILE` instead of standard output")
	g.StringVar(&f.plot, "plot", "", "draw the result into `FILE`.svg or .png")
	g.StringVar(&f.html, "html", "", "write the result as a page into `FILE`")
	g.StringVar(&f.extrap, "write-extrap", "", "write the measurements as Extra-P JSON Lines into `FILE`")
	g.BoolVarP(&f.verbose, "verbose", "v", false, "all series, and the form of each model")
	return cmd
}

func (f *scaleFlags) run(ctx context.Context, s *cli.Streams, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("scale needs what was measured: folders of foresee mpi, or files of profiles")
	}
	if err := f.check(); err != nil {
		return err
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	set, err := f.read(ctx, s, args)
	if err != nil {
		return err
	}
	out, err := (&cli.Common{Output: f.output, Plot: f.plot, HTML: f.html}).Open()
	if err != nil {
		return err
	}
	defer out.Discard()
	measured, err := f.openMeasurements(set)
	if err != nil {
		return err
	}
	defer measured.Discard()
	if len(f.at) == 0 && f.holdOut == 0 && f.accuracy == 0 {
		return writeMeasurements(measured, set) // which were all that was asked for
	}
	if o.At, err = f.points(set); err != nil {
		return err
	}
	r, err := scale.Predict(ctx, set, o)
	if err != nil {
		return err
	}
	h := header(scale.Schema, strings.Join(args, " "))
	h.Warnings = r.Warnings
	r.Header = h
	s.Warnings(r.Warnings)
	if err := writeMeasurements(measured, set); err != nil {
		return err
	}
	if err := f.write(s, out, r); err != nil {
		return err
	}
	switch {
	case f.accuracy > 0 && r.Refinement == nil:
		return errors.New("--accuracy: no run could be left out and compared with the model; measure at more numbers of processes")
	case r.Refinement != nil && !r.Refinement.Reached:
		of := ""
		if r.Refinement.Series != "" {
			of = " of " + r.Refinement.Series
		}
		fmt.Fprintf(s.Err, "foresee: the model%s is off by more than %s (--accuracy)\n", of, report.Percent(r.Refinement.Asked))
		return saidError{exitOutside}
	}
	return nil
}

// read gathers what was measured.
func (f *scaleFlags) read(ctx context.Context, s *cli.Streams, args []string) (*counters.Set, error) {
	quantities, err := f.quantities()
	if err != nil {
		return nil, err
	}
	shared, err := gather.Parameters(f.params)
	if err != nil {
		return nil, cli.Usagef("--param %w", err)
	}
	set, err := gather.Read(ctx, gather.Request{Inputs: args, Shared: shared, Quantities: quantities, Stdin: s.In})
	if errors.As(err, new(*gather.TwiceToldError)) {
		return nil, cli.Usagef("%w", err)
	}
	return set, err
}

func (f *scaleFlags) quantities() (counters.Quantities, error) {
	if f.events == "" {
		return counters.LoadQuantities(nil)
	}
	file, err := claims.Open(f.events)
	if err != nil {
		return nil, fmt.Errorf("--events: %w", err)
	}
	defer file.Close()
	q, err := counters.LoadQuantities(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.events, err)
	}
	return q, nil
}

func (f *scaleFlags) check() error {
	if err := cli.CheckFormat(f.format); err != nil {
		return err
	}
	if err := cli.OneOf("--model", f.model, scale.ModelNames()...); err != nil {
		return err
	}
	if !(f.interval > 0 && f.interval < 1) {
		return cli.Usagef("--interval %g: give a probability between 0 and 1, such as 0.8", f.interval)
	}
	if !(f.share > 0 && f.share < 1) {
		return cli.Usagef("--share %g: give a share between 0 and 1, such as 0.05", f.share)
	}
	if f.holdOut < 0 {
		return cli.Usagef("--holdout %d: give how many values to leave out", f.holdOut)
	}
	if len(f.at) == 0 && f.holdOut == 0 && f.accuracy == 0 && f.extrap == "" {
		return cli.Usagef("say what to predict: --at p=256, or --holdout 2 to see how well it goes")
	}
	if f.plot != "" {
		if _, err := cli.PictureFormat(f.plot); err != nil {
			return err
		}
	}
	return nil
}

// options are those of the model; the points follow once the parameters are known.
func (f *scaleFlags) options() (scale.Options, error) {
	o := scale.Options{Model: f.model, Interval: f.interval, Share: float64(f.share), Cover: cmp.Or(float64(f.cover), -1), HoldOut: f.holdOut, Accuracy: float64(f.accuracy), Metrics: f.metrics, Callpath: f.callpath, AllowChange: f.allowChange, Weak: f.weak}
	work, err := parseWork(f.work)
	if err != nil {
		return o, err
	}
	o.Work = work
	if f.machine == "" {
		return o, nil
	}
	m, err := machine.Load(f.machine)
	if err != nil {
		return o, err
	}
	if o.Caches, err = scaleCaches(m); err != nil {
		return o, err
	}
	if f.model != scale.APMT {
		return o, nil
	}
	o.GHz = m.FrequencyGHz.Or(0)
	latency := func(level int) float64 {
		if level < 0 || level >= len(m.Levels) {
			return 0
		}
		return m.Levels[level].LatencyCycles.Or(0)
	}
	o.Latencies = scaling.Latencies{L1: latency(0), L2: latency(1), Memory: m.Memory.LatencyNs.Or(0) * o.GHz}
	if last := len(m.Levels) - 1; last > 1 {
		o.Latencies.LLC = latency(last)
	}
	if o.GHz == 0 || o.Latencies.L1 == 0 || o.Latencies.Memory == 0 {
		return o, fmt.Errorf("machine %s does not tell its clock, or the latency of L1 or memory; foresee machine measure finds them", m.Name)
	}
	return o, nil
}

// scaleCaches are the caches of a machine whose misses are counted.
func scaleCaches(m *machine.Machine) (out []scale.Cache, err error) {
	for i := range m.Levels {
		l := &m.Levels[i]
		metric := "l2_misses"
		switch {
		case i == 0:
			metric = "l1_misses"
		case i == len(m.Levels)-1:
			metric = "llc_misses"
		case i > 1:
			continue
		}
		size, ok := l.Capacity()
		if !ok {
			return nil, fmt.Errorf("machine %s has no levels.%s.size; add it to a machine file", m.Name, l.Name)
		}
		line := int64(m.Line(l))
		lines := int64(size) / line
		ways := min(int64(l.Ways.Or(int(lines))), lines)
		c := scale.Cache{Metric: metric, Name: l.Name, Line: line, Geometry: cache.Geometry{Lines: lines - lines%max(ways, 1), Ways: ways}, SharedBy: l.SharedBy.Or(1)}
		if i > 0 && l.Inclusion.Or("") == "exclusive" {
			inner, _ := m.Levels[i-1].Capacity()
			c.Inner = int64(inner) / line / int64(m.Levels[i-1].SharedBy.Or(1))
		}
		if err := c.Geometry.Validate(); err != nil {
			return nil, fmt.Errorf("machine %s, %s: %w", m.Name, l.Name, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// parseWork reads n^3 or nx*ny.
func parseWork(text string) (map[string]float64, error) {
	if text == "" {
		return nil, nil
	}
	out := map[string]float64{}
	for _, factor := range strings.Split(text, "*") {
		name, power, given := strings.Cut(strings.TrimSpace(factor), "^")
		v, err := strconv.ParseFloat(power, 64)
		if !given {
			v, err = 1, nil
		}
		if err != nil || !paramName.MatchString(name) {
			return nil, cli.Usagef("--work %q: write powers of parameters, such as n^3 or nx*ny", text)
		}
		out[name] += v
	}
	return out, nil
}

// points reads --at: p=256,1024 is two points, p=256,n=64 one.
func (f *scaleFlags) points(set *counters.Set) ([]map[string]float64, error) {
	var out []map[string]float64
	for _, text := range f.at {
		points, err := parsePoints(text)
		if err != nil {
			return nil, err
		}
		for _, p := range points { // a point that is asked for twice is one
			if !slices.ContainsFunc(out, func(q map[string]float64) bool { return maps.Equal(p, q) }) {
				out = append(out, p)
			}
		}
	}
	if len(set.Parameters) == 0 {
		return nil, errors.New("nothing was measured")
	}
	return out, nil
}

// mostOfParameter is the largest value of a parameter that is read: larger ones are typing errors.
const mostOfParameter = 1e15

// mostAsked is how many points one --at may stand for: every series is predicted at each.
const mostAsked = 1000

// parsePoints reads NAME=VALUE,…; values without a name repeat the parameter before with another value.
func parsePoints(text string) ([]map[string]float64, error) {
	type axis struct {
		name   string
		values []float64
	}
	var axes []axis
	for _, item := range strings.Split(text, ",") {
		name, value, named := strings.Cut(strings.TrimSpace(item), "=")
		if !named {
			value = name
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err == nil && v > mostOfParameter || errors.Is(err, strconv.ErrRange) {
			return nil, cli.Usagef("--at %q: %s is too large; parameters go up to %g", text, strings.TrimSpace(value), float64(mostOfParameter))
		}
		if err != nil || !(v > 0) {
			return nil, cli.Usagef("--at %q: %q is no positive number; write p=256,1024 or p=256,n=4096", text, value)
		}
		switch {
		case named && name == "":
			return nil, cli.Usagef("--at %q: a parameter has no name", text)
		case named:
			axes = append(axes, axis{strings.TrimSpace(name), []float64{v}})
		case len(axes) == 0:
			return nil, cli.Usagef("--at %q: which parameter? write p=%s", text, text)
		default:
			axes[len(axes)-1].values = append(axes[len(axes)-1].values, v)
		}
	}
	points := []map[string]float64{{}}
	for _, a := range axes {
		if len(points)*len(a.values) > mostAsked {
			return nil, cli.Usagef("--at %s: more than %d points; ask for fewer at once", cli.Shortened(text), mostAsked)
		}
		var next []map[string]float64
		for _, p := range points {
			if _, twice := p[a.name]; twice {
				return nil, cli.Usagef("--at %q: %s is there twice; write several points as --at … --at …", text, a.name)
			}
			for _, v := range a.values {
				q := map[string]float64{a.name: v}
				for name, w := range p {
					q[name] = w
				}
				next = append(next, q)
			}
		}
		points = next
	}
	return points, nil
}

// openMeasurements begins the file of --write-extrap, where it is asked for.
func (f *scaleFlags) openMeasurements(set *counters.Set) (*output.File, error) {
	if f.extrap == "" {
		return nil, nil
	}
	if len(set.Series) == 0 {
		return nil, fmt.Errorf("--write-extrap: reuse profiles are no series, and nothing else was measured")
	}
	return output.Create(f.extrap)
}

func writeMeasurements(to *output.File, set *counters.Set) error {
	if to == nil {
		return nil
	}
	return to.Finish(terminal.AsText(func(w io.Writer) error { return extrap.Write(w, set) }))
}

func (f *scaleFlags) write(s *cli.Streams, out *cli.Outputs, r *scale.Result) error {
	if err := out.WritePlot(func(w io.Writer, format string) error { return figure.Scaling(w, format, r) }); err != nil {
		return err
	}
	if err := out.WritePage(func(w io.Writer) error { return page.Scaling(w, r, remedy.CommandLine(s.Args)) }); err != nil {
		return err
	}
	return out.WriteResult(s.Out, func(w io.Writer) error {
		switch f.format {
		case "json":
			return report.JSON(w, *r)
		case "csv":
			return text.ScalingCSV(w, r)
		}
		return text.Scaling(w, r, text.Options{Verbose: f.verbose, More: "-v, --metric and --callpath choose"})
	})
}
