package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"foresee/files"
	"foresee/machine"
	"foresee/model/xmodel"
	"foresee/predict"
	"foresee/report"
)

// xFlags are those of xgraph.
type xFlags struct {
	common
	sassFlags
	params, against []string
	printed         bool
}

func xgraphCommand(s *streams) *cobra.Command {
	x := &xFlags{}
	cmd := &cobra.Command{
		Use:   "xgraph [FILE]",
		Short: "where the threads are, what bounds them, and what to change (X-model)",
		Long: "xgraph balances what a program's threads ask of memory against what memory supplies: where the two meet is the state that the machine settles in.\n" +
			"Of a C source and a machine it finds the parameters; --param gives or changes them: n, Z, E, M, R, L, and of a cache size, latency, alpha, beta.\n" +
			"Machines may also be the GPUs of the model's paper: " + strings.Join(xmodel.MachineNames(), ", ") + ". FILE may be a YAML file of parameters,\n" +
			"or what cuobjdump -sass prints of GPU code, with what cuobjdump -res-usage prints or without: Z and E are then of its innermost loop, n of --block-size;\n" +
			"-v shows its blocks.",
		Example: "  foresee xgraph gemm.c --machine i7-5960x --threads 16\n" +
			"  foresee xgraph --machine gtx570-sp --param Z=4,E=1,n=48,size=16KiB,latency=40,alpha=6,beta=3KiB --plot x.svg\n" +
			"  foresee xgraph --param n=105,Z=1,E=0.003,M=0.35,R=0.15,L=600,size=16KiB,latency=20,alpha=10,beta=3KiB --against n=60 --html x.html",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("xgraph takes one file at most")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return x.run(cmd.Context(), s, args) },
	}
	f := cmd.Flags()
	x.common.add(f)
	x.sassFlags.add(f)
	f.StringVar(&x.html, "html", "", "write a page with a slider for each parameter into `FILE`")
	f.StringArrayVar(&x.params, "param", nil, "parameters `NAME=VALUE,…` instead of, or beside, what program and machine give, repeatable")
	f.StringArrayVar(&x.against, "against", nil, "a second scenario: the same but for these parameters `NAME=VALUE,…`; a value such as x2 or x0.5 is a factor")
	f.BoolVar(&x.printed, "printed-queue", false, "let all threads wait at memory, as equation 4 is printed, not only those that miss")
	return cmd
}

// xNames are the parameters that --param knows.
var xNames = []string{"n", "Z", "E", "M", "R", "L", "size", "latency", "alpha", "beta"}

func (x *xFlags) run(ctx context.Context, s *streams, args []string) error {
	if err := errors.Join(checkFormat(x.format), x.check()); err != nil {
		return err
	}
	input := "parameters"
	if len(args) == 1 {
		input = args[0]
		if err := isThere(input); err != nil {
			return err
		}
	}
	p, title, source, scale, program, warnings, err := x.scenario(ctx, s, args)
	if err != nil {
		return err
	}
	out, err := x.open() // once all inputs are known
	if err != nil {
		return err
	}
	defer out.discard()
	if p.Cache != nil {
		p.Cache.Printed = p.Cache.Printed || x.printed
	}
	if err := missing(p); err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return err
	}
	var other *xmodel.Params
	if len(x.against) > 0 {
		q := p
		if p.Cache != nil {
			c := *p.Cache
			q.Cache = &c
		}
		if err := setParams(&q, x.against, "--against"); err != nil {
			return err
		}
		if err := q.Validate(); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
		other = &q
	}
	r := predict.XGraph(header(predict.XSchema, input), title, source, p, scale, x.most(), other)
	r.Program = program
	r.Warnings = append(r.Warnings, warnings...)
	return x.write(s, out, r)
}

// mostThreads is how many threads are looked at for the best number where nothing says how many there can be.
const mostThreads = 4096

// most is the number of threads that a GPU of the model's library holds.
func (x *xFlags) most() int {
	if len(x.machines) == 1 {
		if m, ok := xmodel.FindMachine(x.machines[0]); ok {
			return int(m.Most)
		}
	}
	return mostThreads
}

func (x *xFlags) write(s *streams, out *outputs, r *predict.XResult) error {
	if err := out.writePage(func(w io.Writer) error { return report.XHTML(w, r) }); err != nil {
		return err
	}
	if err := out.writePlot(func(w io.Writer, format string) error { return report.PlotX(w, format, r) }); err != nil {
		return err
	}
	return out.writeResult(s.out, func(w io.Writer) error {
		switch x.format {
		case "json":
			return report.JSON(w, r)
		case "csv":
			return report.XCSV(w, r)
		}
		if x.flow != nil && x.verbose {
			if err := x.blocks(w); err != nil {
				return err
			}
		}
		return report.XText(w, r)
	})
}

// scenario finds the parameters: of a program on a machine, of a machine of the model, of a file, and those of --param.
func (x *xFlags) scenario(ctx context.Context, s *streams, args []string) (p xmodel.Params, title, source string, scale xmodel.Scale, program *predict.XProgram, warnings []string, err error) {
	title = "X-graph"
	var known *xmodel.Machine
	if len(x.machines) > 1 {
		return p, "", "", scale, nil, nil, usagef("xgraph takes one --machine")
	}
	if len(x.machines) == 1 {
		if m, ok := xmodel.FindMachine(x.machines[0]); ok {
			known = &m
			p, title, source, scale = m.Params, m.Title, m.Source, m.Scale
		}
	}
	var listing io.ReadCloser
	if len(args) == 1 && !isYAML(args[0]) {
		if listing, err = openSASS(s, args[0]); err != nil {
			return p, "", "", scale, nil, nil, err
		}
	}
	if given := x.given(); listing == nil && len(given) > 0 {
		return p, "", "", scale, nil, nil, usagef("%s: for what cuobjdump -sass prints of GPU code", strings.Join(given, ", "))
	}
	switch {
	case listing != nil:
		defer listing.Close()
		if title, source, warnings, err = x.kernelScenario(listing, args[0], known, &p); err != nil {
			return p, "", "", scale, nil, nil, err
		}
	case len(args) == 1 && isYAML(args[0]):
		if err = readParams(args[0], &p); err != nil {
			return p, "", "", scale, nil, nil, err
		}
		source = "parameters of " + args[0]
	case len(args) == 1 && known == nil:
		program, title, source, err = x.program(ctx, s, args[0])
		if err != nil {
			return p, "", "", scale, nil, nil, err
		}
		p, scale, warnings = program.Params, program.Scale, program.Warnings
	case len(args) == 1:
		return p, "", "", scale, nil, nil, usagef("%s is a GPU of the model's library, and %s a program for processors; give Z, E and n with --param", x.machines[0], args[0])
	case known == nil && len(x.machines) == 1:
		if _, err := machine.Load(x.machines[0]); err != nil {
			return p, "", "", scale, nil, nil, err
		}
		return p, "", "", scale, nil, nil, usagef("--machine %s without a program: give a C source, or one of %s", x.machines[0], strings.Join(xmodel.MachineNames(), ", "))
	}
	err = setParams(&p, x.params, "--param")
	if program == nil && (x.threads != "" || len(x.regions) > 0 || len(x.defines) > 0) {
		return p, "", "", scale, nil, nil, usagef("--threads, --region and -D are for C sources; the number of threads is --param n=…")
	}
	if known != nil && len(args) == 0 {
		for _, name := range []string{"Z", "E"} {
			if !strings.Contains(strings.Join(x.params, ","), name+"=") {
				warnings = append(warnings, name+" is taken as 1: the workload's is not known; give it with --param "+name+"=…")
			}
		}
	}
	return p, title, source, scale, program, warnings, err
}

func isYAML(file string) bool {
	return strings.HasSuffix(file, ".yaml") || strings.HasSuffix(file, ".yml")
}

// longestParams is the most bytes of a file of parameters: there are some ten, and the YAML library takes quadratic time for keys that
// repeat.
const longestParams = 16 << 10

func readParams(file string, p *xmodel.Params) error {
	f, err := files.Open(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, cause(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, longestParams+1))
	if err != nil {
		return err
	}
	if err := parseScenario(text, p); err != nil {
		return fmt.Errorf("%s: %w; it holds n, z, e, m, r, l, and a cache with size, latency, alpha, beta", file, err)
	}
	return nil
}

// parseScenario reads a file of parameters.
func parseScenario(text []byte, p *xmodel.Params) (err error) {
	defer func() {
		if r := recover(); r != nil { // the YAML library has panicked on broken input before
			err = fmt.Errorf("not a readable YAML file (%v)", r)
		}
	}()
	if len(text) > longestParams {
		return fmt.Errorf("longer than %s, which no file of parameters is", machine.FormatSize(longestParams))
	}
	return yaml.Load(text, p, yaml.WithKnownFields())
}

func (x *xFlags) program(ctx context.Context, s *streams, file string) (*predict.XProgram, string, string, error) {
	_, unit, err := x.load(s, file)
	if err != nil {
		return nil, "", "", err
	}
	if unit == nil || len(unit.Programs) == 0 {
		return nil, "", "", fmt.Errorf("%s: xgraph reads C sources", file)
	}
	if len(unit.Programs) > 1 {
		var names []string
		for _, p := range unit.Programs {
			names = append(names, p.Region)
		}
		return nil, "", "", usagef("%s has several regions (%s); name one with --region", file, strings.Join(names, ", "))
	}
	machines, err := x.loadMachines()
	if err != nil {
		return nil, "", "", err
	}
	counts, err := x.threadList(machines)
	if err != nil {
		return nil, "", "", err
	}
	if x.threads == "" {
		counts = []int{max(1, machines[0].TotalCores())}
	}
	if len(counts) != 1 {
		return nil, "", "", usagef("xgraph takes one number of --threads")
	}
	program, err := predict.XModel(ctx, unit.Programs[0], machines[0], counts[0], x.options(nil))
	if err != nil {
		return nil, "", "", err
	}
	m := machines[0]
	return program, fmt.Sprintf("%s on %s", program.Region, m.Name), "threads are cores' threads; a request is a line that a core's private caches lack", nil
}

// setParams takes NAME=VALUE lists; a value that begins with x is a factor.
func setParams(p *xmodel.Params, lists []string, flag string) error {
	for _, list := range lists {
		for item := range strings.SplitSeq(list, ",") {
			name, text, ok := strings.Cut(strings.TrimSpace(item), "=")
			if !ok {
				return usagef("%s %q: write NAME=VALUE; there are %s", flag, item, strings.Join(xNames, ", "))
			}
			if err := setParam(p, name, text); err != nil {
				return usageError{fmt.Errorf("%s %s: %w", flag, item, err)}
			}
		}
	}
	return nil
}

func setParam(p *xmodel.Params, name, text string) error {
	if !slices.Contains(xNames, name) {
		return fmt.Errorf("there is no parameter %q; there are %s", name, strings.Join(xNames, ", "))
	}
	if p.Cache == nil && slices.Index(xNames, name) >= slices.Index(xNames, "size") {
		p.Cache = &xmodel.Cache{}
	}
	to := map[string]*float64{"n": &p.N, "Z": &p.Z, "E": &p.E, "M": &p.M, "R": &p.R, "L": &p.L}
	if c := p.Cache; c != nil {
		to["size"], to["latency"], to["alpha"], to["beta"] = &c.Size, &c.Latency, &c.Alpha, &c.Beta
		if c.Hits != nil && (name == "alpha" || name == "beta") {
			c.Hits = nil
		}
	}
	if factor, ok := strings.CutPrefix(text, "x"); ok {
		v, err := strconv.ParseFloat(factor, 64)
		if err != nil {
			return fmt.Errorf("%q is not a factor", text)
		}
		*to[name] *= v
		return nil
	}
	if name == "size" || name == "beta" {
		if bytes, err := machine.ParseSize(text); err == nil {
			*to[name] = float64(bytes)
			return nil
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("%q is not a number", text)
	}
	*to[name] = v
	return nil
}

// missing names parameters that were not given at all.
func missing(p xmodel.Params) error {
	var names []string
	for i, v := range []float64{p.N, p.Z, p.E, p.M, p.R, p.L} {
		if v == 0 {
			names = append(names, xNames[i])
		}
	}
	if c := p.Cache; c != nil && c.Hits == nil && c.Size > 0 {
		for i, v := range []float64{c.Latency, c.Alpha, c.Beta} {
			if v == 0 {
				names = append(names, xNames[7+i])
			}
		}
	}
	if len(names) > 0 {
		return usagef("no value for %s; give it with --param %s=…, or a C source and a machine", strings.Join(names, ", "), names[0])
	}
	return nil
}
