package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"foresee/application"
	"foresee/cmd/foresee/cli"
	"foresee/internal/terminal"
	"foresee/machine"
	"foresee/model/xmodel"
	"foresee/predict"
	"foresee/report"
	"foresee/report/figure"
	"foresee/report/page"
	"foresee/report/text"
)

// xFlags are those of xgraph.
type xFlags struct {
	cli.Common
	sassFlags
	params, against []string
	printed         bool
}

func xgraphCommand(s *cli.Streams) *cobra.Command {
	x := &xFlags{}
	cmd := &cobra.Command{
		Use:   "xgraph [flags] [FILE.c|NAME.sig.json|PROGRAM|RECORDING|LISTING|PARAMETERS.yaml] [-- ARGUMENTS]",
		Short: "where the threads are, what bounds them, and what to change (X-model)",
		Long: "xgraph balances what a program's threads ask of memory against what memory supplies: where the two meet is the state that the machine settles in.\n" +
			"Of a program (a C source, a recording, a program that is run) and a machine it finds the parameters; --param gives or changes them: n, Z, E, M, R, L, and of a cache size, latency, alpha, beta.\n" +
			"Machines may also be the GPUs of the model's paper: " + strings.Join(xmodel.MachineNames(), ", ") + ". FILE may be a YAML file of parameters,\n" +
			"or what cuobjdump -sass prints of GPU code, with what cuobjdump -res-usage prints or without: Z and E are then of its innermost loop, n of --block-size;\n" +
			"-v shows its blocks.",
		Example: "  foresee xgraph gemm.c --machine i7-5960x --threads 16\n" +
			"  foresee xgraph --machine gtx570-sp --param Z=4,E=1,n=48,size=16KiB,latency=40,alpha=6,beta=3KiB --plot x.svg\n" +
			"  foresee xgraph --param n=105,Z=1,E=0.003,M=0.35,R=0.15,L=600,size=16KiB,latency=20,alpha=10,beta=3KiB --against n=60 --html x.html",
		Args: func(cmd *cobra.Command, args []string) error {
			if operands, _ := cli.SplitArguments(args, cmd.ArgsLenAtDash()); len(operands) > 1 {
				return cli.Usagef("xgraph takes one file at most")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, rest := cli.SplitArguments(args, cmd.ArgsLenAtDash())
			return x.draw(cmd, s, operands, rest)
		},
	}
	f := cmd.Flags()
	x.Common.Add(f)
	x.sassFlags.add(f)
	f.StringVar(&x.HTML, "html", "", "write a page with a slider for each parameter into `FILE`")
	f.StringArrayVar(&x.params, "param", nil, "parameters `NAME=VALUE,…` instead of, or beside, what program and machine give, repeatable")
	f.StringArrayVar(&x.against, "against", nil, "a second scenario: the same but for these parameters `NAME=VALUE,…`; a value such as x2 or x0.5 is a factor")
	f.BoolVar(&x.printed, "printed-queue", false, "let all threads wait at memory, as equation 4 is printed, not only those that miss")
	return cmd
}

// xNames are the parameters that --param knows.
var xNames = []string{"n", "Z", "E", "M", "R", "L", "size", "latency", "alpha", "beta"}

// scenario is what is drawn: parameters, and where they come from.
type scenario struct {
	params        xmodel.Params
	scale         xmodel.Scale
	title, source string // source: of the parameters
	program       *predict.XProgram
	against       *xmodel.Params // of the program with the cache that --against asks for; nil: it asks for none
	warnings      []string
}

func (x *xFlags) draw(cmd *cobra.Command, s *cli.Streams, operands, rest []string) error {
	if err := errors.Join(cli.CheckFormat(x.Format), x.Check()); err != nil {
		return err
	}
	if len(x.Machines) > 1 {
		return cli.Usagef("xgraph takes one --machine")
	}
	input, in := "parameters", (*application.Input)(nil)
	if len(operands) == 1 {
		var err error
		input = operands[0]
		if in, err = x.Find(cmd.Context(), s, input); err != nil {
			return err
		}
		defer in.Close()
		if err := cli.CheckInput(cmd, in, rest); err != nil {
			return err
		}
	}
	c, err := x.scenario(cmd.Context(), s, in, rest)
	if err != nil {
		return err
	}
	out, err := x.Open() // once all inputs are known
	if err != nil {
		return err
	}
	defer out.Discard()
	r, err := x.result(input, c)
	if err != nil {
		return err
	}
	s.Warnings(r.Warnings)
	return x.write(s, out, r)
}

func (x *xFlags) result(input string, c *scenario) (*predict.XResult, error) {
	p := c.params
	if p.Cache != nil {
		p.Cache.Printed = p.Cache.Printed || x.printed
	}
	if err := missing(p); err != nil {
		return nil, err
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	var other *xmodel.Params
	if len(x.against) > 0 || c.against != nil {
		q := p
		if c.against != nil {
			q = *c.against
		} else if p.Cache != nil {
			c := *p.Cache
			q.Cache = &c
		}
		if err := setParams(&q, x.against, "--against"); err != nil {
			return nil, err
		}
		if err := q.Validate(); err != nil {
			return nil, fmt.Errorf("--against: %w", err)
		}
		other = &q
	}
	r := predict.XGraph(header(predict.XSchema, input), c.title, c.source, p, c.scale, x.limits(c.program), other)
	r.Program = c.program
	r.Warnings = append(r.Warnings, c.warnings...)
	return r, nil
}

// mostThreads is how many threads are looked at for the best number where nothing says how many there can be.
const mostThreads = 4096

// limits are the threads that a machine has for a program, with those on more cores, or that a GPU of the model's library holds.
func (x *xFlags) limits(p *predict.XProgram) predict.XThreadLimits {
	if p != nil && p.Cores > 0 {
		return predict.XThreadLimits{Most: p.Cores, Beyond: mostThreads}
	}
	if len(x.Machines) == 1 {
		if m, ok := xmodel.FindMachine(x.Machines[0]); ok {
			return predict.XThreadLimits{Most: int(m.Most)}
		}
	}
	return predict.XThreadLimits{Most: mostThreads}
}

func (x *xFlags) write(s *cli.Streams, out *cli.Outputs, r *predict.XResult) error {
	if err := out.WritePage(func(w io.Writer) error { return page.XGraph(w, r) }); err != nil {
		return err
	}
	if err := out.WritePlot(func(w io.Writer, format string) error { return figure.XGraph(w, format, r) }); err != nil {
		return err
	}
	return out.WriteResult(s.Out, func(w io.Writer) error {
		switch x.Format {
		case "json":
			return report.JSON(w, r)
		case "csv":
			return text.XGraphCSV(w, r)
		}
		if x.flow != nil && x.Verbose {
			if err := x.blocks(w); err != nil {
				return err
			}
		}
		return text.XGraph(w, r)
	})
}

// scenario finds the parameters: of a program on a machine, of a machine of the model, of a file, and those of --param. The input may be nil.
func (x *xFlags) scenario(ctx context.Context, s *cli.Streams, in *application.Input, args []string) (*scenario, error) {
	c := &scenario{title: "X-graph"}
	var known *xmodel.Machine
	if len(x.Machines) == 1 {
		if m, ok := xmodel.FindMachine(x.Machines[0]); ok {
			known = &m
			c.params, c.title, c.source, c.scale = m.Params, m.Title, m.Source, m.Scale
		}
	}
	if given := x.given(); in == nil && len(given) > 0 {
		return nil, cli.Usagef("%s: for what cuobjdump -sass prints of GPU code", strings.Join(given, ", "))
	}
	var err error
	switch {
	case in != nil && in.Kind == application.Listing:
		c.title, c.source, c.warnings, err = x.kernelScenario(in, in.Path, known, &c.params)
	case in != nil && in.Kind == application.Parameters:
		err = readParams(in, &c.params)
		c.source = "parameters of " + in.Path
	case in != nil && known != nil:
		err = cli.Usagef("%s is a GPU of the model's library, and %s a program for processors; give Z, E and n with --param", x.Machines[0], in.Path)
	case in != nil:
		err = x.program(ctx, s, in, args, c)
	case known == nil && len(x.Machines) == 1:
		if _, err := machine.Load(x.Machines[0]); err != nil {
			return nil, err
		}
		err = cli.Usagef("--machine %s without a program: give a C source, or one of %s", x.Machines[0], strings.Join(xmodel.MachineNames(), ", "))
	}
	if err != nil {
		return nil, err
	}
	if c.program == nil && (x.Threads != "" || len(x.Regions) > 0 || len(x.Defines) > 0) {
		return nil, cli.Usagef("--threads, --region and -D are for programs; the number of threads is --param n=…")
	}
	if known != nil && in == nil {
		c.warnings = append(c.warnings, x.assumed()...)
	}
	return c, setParams(&c.params, x.params, "--param")
}

// assumed says which parameters of the workload are taken as one.
func (x *xFlags) assumed() (out []string) {
	for _, name := range []string{"Z", "E"} {
		if !strings.Contains(strings.Join(x.params, ","), name+"=") {
			out = append(out, name+" is taken as 1: the workload's is not known; give it with --param "+name+"=…")
		}
	}
	return out
}

// longestParams is the most bytes of a file of parameters: there are some ten, and the YAML library takes quadratic time for keys that
// repeat.
const longestParams = 16 << 10

func readParams(in *application.Input, p *xmodel.Params) error {
	text, err := io.ReadAll(io.LimitReader(in, machine.MaxFile+1))
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, cli.Cause(err))
	}
	if machine.Describes(text) {
		return fmt.Errorf("%s: describes a machine, and holds no parameters; say --machine %[1]s, with a program or with --param", in.Name)
	}
	if err := parseScenario(text, p); err != nil {
		return fmt.Errorf("%s: %w; it holds n, z, e, m, r, l, and a cache with size, latency, alpha, beta", in.Name, err)
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
	text = capital.ReplaceAllFunc(text, bytes.ToLower)
	return unknownFields(yaml.Load(text, p, yaml.WithKnownFields()))
}

// capital is a name as --param has it, as the key of a file.
var capital = regexp.MustCompile(`(?m)(^|[{,])[ \t]*[NZEMRL][ \t]*:`)

var unknownField = regexp.MustCompile(`line \d+: field (\S+) not found in type [\w.]+`)

// unknownFields says in one sentence which fields are no parameters.
func unknownFields(err error) error {
	if err == nil {
		return nil
	}
	found := unknownField.FindAllStringSubmatch(err.Error(), -1)
	if len(found) == 0 {
		return err
	}
	more := ""
	if n := len(found) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return fmt.Errorf("there is no parameter %q%s", found[0][1], more)
}

// program finds the parameters of a program on a machine.
func (x *xFlags) program(ctx context.Context, s *cli.Streams, in *application.Input, args []string, c *scenario) error {
	machines, err := x.LoadMachines()
	if err != nil {
		return err
	}
	threads, err := x.ThreadsOfRun(x.Threads)
	if err != nil {
		return err
	}
	if threads == nil {
		threads = []int{max(1, machines[0].TotalCores())}
	}
	if len(threads) != 1 {
		return cli.Usagef("xgraph takes one number of --threads")
	}
	var given xmodel.Params // factors of what the program has stay 0
	if err := setParams(&given, x.params, "--param"); err != nil {
		return err
	}
	o := x.Options(s, x.Regions, x.Verbose)
	o.Running = x.Running(s, predict.XThreads(threads[0]), args, s.Programs.Err)
	opened, err := in.Open(ctx, o)
	if err != nil {
		return err
	}
	j := &cli.Job{Opened: opened, Progress: terminal.NewBar(s.Err)}
	defer j.Close()
	request := predict.XRequest{
		Signature: j.Signature, Regions: x.Regions, Threads: threads[0], Options: x.Analysis(nil),
		Partial: x.Partial, Balanced: given.Z > 0 && given.E > 0,
	}
	if request.Machine, x.params, err = resized(machines[0], threads[0], x.params, "--param"); err != nil {
		return err
	}
	c.program, err = predict.XModel(ctx, request)
	if err == nil && c.program != nil && j.Execution == nil { // a run is read once
		err = x.compared(ctx, c, request)
	}
	if err = j.End(s, err); j.Execution != nil && (errors.Is(err, predict.ErrNoRegions) || err == nil && c.program == nil) {
		return cli.NoRegions(j.Execution)
	}
	if err != nil {
		return err
	}
	c.title = fmt.Sprintf("%s on %s", c.program.Region, machines[0].Name)
	c.source = "threads are cores' threads; a request is a line that a core's private caches lack"
	c.params, c.scale, c.warnings = c.program.Params, c.program.Scale, c.program.Warnings
	if j.Execution != nil && strings.Contains(strings.Join(x.against, ","), "size=") {
		c.warnings = append(c.warnings, "a run is read once: what the cache of --against holds is told by one thread's curve; give its size with --param size=… for that of all threads")
	}
	if j.Missing != "" {
		c.warnings = append(c.warnings, j.Missing)
	}
	return nil
}

// setParams takes NAME=VALUE lists; a value that begins with x is a factor.
func setParams(p *xmodel.Params, lists []string, flag string) error {
	for _, list := range lists {
		for item := range strings.SplitSeq(list, ",") {
			name, text, ok := strings.Cut(strings.TrimSpace(item), "=")
			if !ok {
				return cli.Usagef("%s %q: write NAME=VALUE; there are %s", flag, item, strings.Join(xNames, ", "))
			}
			if err := setParam(p, name, text); err != nil {
				return cli.Usagef("%s %s: %w", flag, item, err)
			}
		}
	}
	return nil
}

func setParam(p *xmodel.Params, name, text string) error {
	if i := slices.IndexFunc(xNames, func(n string) bool { return strings.EqualFold(n, name) }); i >= 0 {
		name = xNames[i] // files have z where the model has Z
	}
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
	if v == 0 && name != "size" { // without a cache its size is 0
		return fmt.Errorf("%s must be above 0", name)
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
		return cli.Usagef("no value for %s; give it with --param %s=…, or a C source and a machine", strings.Join(names, ", "), names[0])
	}
	return nil
}
