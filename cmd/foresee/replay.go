package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application"
	"foresee/application/counters/ranks"
	"foresee/application/messages"
	"foresee/application/messages/decomposition"
	"foresee/application/messages/ti"
	"foresee/cmd/foresee/cli"
	"foresee/cmd/foresee/remedy"
	"foresee/internal/claims"
	"foresee/internal/output"
	"foresee/machine"
	"foresee/machine/cluster"
	"foresee/model/network"
	"foresee/predict"
	"foresee/predict/replay"
	"foresee/report"
	"foresee/report/text"
)

// replayFlags are the flags of replay.
type replayFlags struct {
	cli.Reading
	signature, recordedOn, node                        string
	regions                                            []string
	threads, recordedThreads, nodes                    int
	fixed, splits                                      bool
	cluster, compute, library, writeTI, format, output string
	at                                                 string
	ranks                                              int
	ranksPerNode                                       int
	roundRobin                                         bool
	factor, noise, tiSpeed                             float64
	seed                                               uint64
	mostEvents                                         int64
}

// defaultMostEvents is after how many events a simulation ends. Chosen: some hours of simulating.
const defaultMostEvents = 20_000_000_000

// splitsMostEvents is the same of all splits of a node together. Chosen: minutes.
const splitsMostEvents = 600_000_000

func replayCommand(s *cli.Streams) *cobra.Command {
	f := &replayFlags{}
	cmd := &cobra.Command{
		Use:   "replay [flags] --cluster FILE RECORDING",
		Short: "predicts a recorded MPI program's time on a described cluster",
		Long: "replay takes what the ranks of an MPI program said to each other, in order, and simulates it on the cluster that a file describes: computing\n" +
			"as it was recorded, times a factor; messages over the links of the network, which they share; collectives by the algorithms of\n" +
			"Open MPI or MPICH. It says how long that takes, where the time goes, and how the ranks differ.\n\n" +
			"With --signature, a program that stands for what a rank computes, computing is scaled from the machine and threads of the recording to those of the\n" +
			"cluster's nodes, whose ranks share caches and memory; --splits finds the best split of a node into ranks and threads.\n\n" +
			"RECORDING is the folder of foresee mpi --events, or the list of SimGrid's time-independent traces. docs/replay.md explains the cluster file.",
		Example: "  foresee replay --cluster cluster.yaml halo.events.foresee\n" +
			"  foresee replay --cluster cluster.yaml --compute-factor 0.5 --format json halo.events.foresee\n" +
			"  foresee replay --cluster cluster.yaml --at p=16 halo.events.foresee\n" +
			"  foresee replay --cluster cluster.yaml --machine zen4 --recorded-on zen4 --threads 4 --signature gemm.c halo.events.foresee\n" +
			"  foresee replay --cluster cluster.yaml --ranks-per-node 1 --write-ti traces halo.events.foresee",
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), s, args) },
	}
	f.Words, f.Compile = false, application.UsualFlags
	g := cmd.Flags()
	f.AddSource(g)
	g.StringVar(&f.Compiler, "cc", "", cli.OfCodeUsage)
	for _, unused := range []string{"by", "project"} {
		g.Lookup(unused).Hidden = true
	}
	g.StringVar(&f.signature, "signature", "", "`FILE` of what a rank computes, by whose predicted times computing is scaled: a C source, NAME.sig.json or a recording of foresee trace")
	g.StringArrayVar(&f.regions, "region", nil, "of --signature: only the region of this `NAME`, repeatable")
	g.StringVar(&f.recordedOn, "recorded-on", cli.HostName, "of --signature: the machine by `NAME` or .yaml file on which it was recorded")
	g.IntVar(&f.recordedThreads, "recorded-threads", 0, "of --signature: `NUMBER` of threads of a rank when it was recorded (default: OMP_NUM_THREADS of the recording)")
	g.StringVar(&f.node, "machine", "", "of --signature: the machine by `NAME` or .yaml file of a node (default: as the cluster file says)")
	g.IntVar(&f.threads, "threads", 0, "of --signature: `NUMBER` of threads of a rank on the cluster (default: as recorded)")
	g.BoolVar(&f.splits, "splits", false, "of --signature: the problem on all nodes (--nodes), with each split of a node's cores into ranks and threads, the fastest first")
	g.StringVar(&f.cluster, "cluster", "", "the cluster, a .yaml `FILE`, or one by its name: "+strings.Join(cluster.Library(), ", "))
	g.StringVar(&f.at, "at", "", "carry the recording on to more ranks, `p=64`: by the grid that its ranks form, each doing what one at its place did")
	g.BoolVar(&f.fixed, "fixed-problem", false, "of --at: the problem stays as it is, each rank does its part of it; by default each does as much as one did")
	g.IntVar(&f.ranksPerNode, "ranks-per-node", 0, "`NUMBER` of ranks on a node (default: as the cluster file says)")
	g.IntVar(&f.nodes, "nodes", 0, "use this `NUMBER` of nodes (default: all)")
	g.BoolVar(&f.roundRobin, "round-robin", false, "deal the ranks to the nodes in turn, not node by node")
	g.StringVar(&f.compute, "compute", "", "the time between calls is that of the `cpu`, wall, or median, that of the repetitions (default: cpu where ranks had fewer processors than they were)")
	g.Float64Var(&f.factor, "compute-factor", 1, "multiply the time between calls by `FACTOR`, for another machine")
	g.StringVar(&f.library, "library", "", "collectives of `openmpi` or mpich (default: of the cluster, else of the recording)")
	g.Float64Var(&f.noise, "noise", 0, "relative standard `DEVIATION` of each time between calls")
	g.Uint64Var(&f.seed, "seed", 1, "`NUMBER` from which the noise comes")
	g.Int64Var(&f.mostEvents, "events", defaultMostEvents, "give up after this `NUMBER` of events (default of --splits: 600 million, all together)")
	g.StringVar(&f.writeTI, "write-ti", "", "write SimGrid's time-independent traces and platform into the folder `DIR`")
	g.Float64Var(&f.tiSpeed, "ti-speed", 1e9, "of --write-ti: a second of computing is this `NUMBER` of floating-point operations")
	g.StringVar(&f.format, "format", "", cli.FormatUsage)
	g.StringVarP(&f.output, "output", "o", "", "write the result to `FILE` instead of standard output")
	return cmd
}

func (f *replayFlags) run(ctx context.Context, s *cli.Streams, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	c, err := cluster.Load(f.cluster)
	if err != nil {
		return err
	}
	recorded, err := f.read(args[0])
	if err != nil {
		return err
	}
	out, err := (&cli.Common{Output: f.output}).Open()
	if err != nil {
		return err
	}
	defer out.Discard()
	o := replay.Options{
		Input: args[0], Nodes: f.nodes, RanksPerNode: f.ranksPerNode, RoundRobin: f.roundRobin, Compute: f.compute, Factor: f.factor, Library: f.library,
		Noise: f.noise, Seed: f.seed, MostEvents: f.mostEvents,
	}
	if f.splits && f.mostEvents == defaultMostEvents {
		o.MostEvents = splitsMostEvents
	}
	recorded, r, err := f.replayed(ctx, s, recorded, c, o)
	if err != nil {
		return replayRemedy(err)
	}
	s.Warnings(r.Warnings)
	if err := f.traces(s, recorded, c, o, r.Library); err != nil {
		return err
	}
	return out.WriteResult(s.Out, func(w io.Writer) error {
		switch f.format {
		case "json":
			return report.JSON(w, *r)
		case "csv":
			return text.ReplayCSV(w, r)
		}
		return text.Replay(w, r, text.Options{More: "--format json has all"})
	})
}

// replayed carries a recording on, scales what it computes, and replays it. It gives the recording that was replayed as well.
func (f *replayFlags) replayed(ctx context.Context, s *cli.Streams, recorded *messages.Program, c *cluster.Cluster, o replay.Options) (*messages.Program, *replay.Result, error) {
	var computing *replay.Computing
	if f.signature != "" {
		opened, err := f.computing(ctx, s, c)
		if err != nil {
			return nil, nil, err
		}
		defer opened.close()
		computing = &opened.Computing
	}
	if f.splits {
		r, err := replay.BestSplit(ctx, recorded, c, o, computing)
		return recorded, r, err
	}
	problem := decomposition.Grows
	if f.fixed {
		problem = decomposition.Stays
	}
	var warnings []string
	var scaled *replay.Scaled
	if computing != nil {
		ranks, err := replay.MostOnNode(c, cmp.Or(f.ranks, len(recorded.Ranks)), o)
		if err != nil {
			return nil, nil, err
		}
		all, said, err := computing.Scale(ctx, recorded, replay.Split{Ranks: ranks, Threads: f.threads})
		if err != nil {
			return nil, nil, err
		}
		scaled, warnings = all[0], said
	}
	program, r, err := replay.RunOn(recorded, c, o, cmp.Or(f.ranks, len(recorded.Ranks)), problem, scaled)
	if err == nil {
		r.Warnings = append(r.Warnings, warnings...)
	}
	return program, r, err
}

// openedComputing is what ranks compute, with what is to be closed.
type openedComputing struct {
	replay.Computing
	opened *application.Opened
}

func (o *openedComputing) close() { o.opened.Close() }

// computing opens what ranks compute, and its machines.
func (f *replayFlags) computing(ctx context.Context, s *cli.Streams, c *cluster.Cluster) (*openedComputing, error) {
	node := cmp.Or(f.node, c.Machine)
	if node == "" {
		return nil, cli.Usagef("the cluster file says no machine of a node: give --machine NAME or FILE, or a line machine: NAME in %s", f.cluster)
	}
	if f.node == "" && machine.IsFile(node) && !filepath.IsAbs(node) {
		node = filepath.Join(filepath.Dir(f.cluster), node)
	}
	out := &openedComputing{}
	out.Threads = f.recordedThreads
	var err error
	if out.Recorded, err = cli.LoadMachine(f.recordedOn, nil); err != nil {
		return nil, err
	}
	if out.Node, err = cli.LoadMachine(node, nil); err != nil {
		return nil, err
	}
	in, err := f.Find(ctx, s, f.signature)
	if err != nil {
		return nil, err
	}
	switch in.Kind {
	case application.Source, application.Module, application.Saved, application.Recording:
	default:
		in.Close()
		return nil, cli.Usagef("--signature %s: %s tells no times; give a C source, a saved signature (NAME.sig.json) or a recording of foresee trace", f.signature, in.Kind)
	}
	options := f.Options(s, f.regions, false)
	options.Running = f.Running(s, []int{1}, nil, s.Programs.Err)
	if out.opened, err = in.Open(ctx, options); err != nil {
		return nil, err
	}
	out.Signature, out.Compiler = out.opened.Signature, strings.Fields(f.Compiler)
	out.Options = predict.Options{Seed: f.seed, Remedy: remedy.Of}
	return out, nil
}

func (f *replayFlags) check(args []string) error {
	if err := cli.CheckFormat(f.format); err != nil {
		return err
	}
	switch {
	case len(args) != 1:
		return cli.Usagef("replay takes one recording: a folder of foresee mpi --events, or a list of traces of SimGrid")
	case f.cluster == "":
		return cli.Usagef("say on what: --cluster NAME or FILE.yaml; docs/replay.md has examples")
	case f.nodes < 0:
		return cli.Usagef("--nodes %d: give a number from 1", f.nodes)
	case f.ranksPerNode < 0:
		return cli.Usagef("--ranks-per-node %d: give a number from 1", f.ranksPerNode)
	case !(f.factor > 0 && f.factor < 1e9):
		return cli.Usagef("--compute-factor %g: give a positive number", f.factor)
	case !(f.noise >= 0 && f.noise <= 10):
		return cli.Usagef("--noise %g: give a number from 0 to 10", f.noise)
	case !(f.tiSpeed > 0 && f.tiSpeed < 1e18):
		return cli.Usagef("--ti-speed %g: give a positive number", f.tiSpeed)
	}
	if err := cmp.Or(f.parseAt(), f.checkScaling()); err != nil {
		return err
	}
	for flag, value := range map[string][]string{"--compute": {f.compute, replay.CPU, replay.Wall, replay.Median}, "--library": {f.library, "openmpi", "mpich"}} {
		if value[0] == "" {
			continue
		}
		if err := cli.OneOf(flag, value[0], value[1:]...); err != nil {
			return err
		}
	}
	return nil
}

// checkScaling reports flags of --signature that cannot be meant.
func (f *replayFlags) checkScaling() error {
	switch {
	case f.signature == "" && (f.splits || f.threads != 0 || f.recordedThreads != 0 || f.node != "" || f.recordedOn != cli.HostName || len(f.regions)+len(f.Defines) > 0 || f.Compiler != ""):
		return cli.Usagef("--splits, --threads, --recorded-threads, --machine, --recorded-on, --region, -D and --cc say how computing is scaled by a program's predicted times: name it with --signature FILE; without one, --compute-factor scales")
	case min(f.threads, f.recordedThreads) < 0 || max(f.threads, f.recordedThreads) > cli.MaxThreads:
		return cli.Usagef("--threads %d, --recorded-threads %d: give a number from 1 to %d", f.threads, f.recordedThreads, cli.MaxThreads)
	case f.fixed && f.ranks == 0:
		return cli.Usagef("--fixed-problem is of a recording that is carried on to other ranks: give --at p=64")
	case f.splits && (f.ranks > 0 || f.ranksPerNode > 0 || f.threads > 0 || f.writeTI != ""):
		return cli.Usagef("--splits tries all numbers of ranks and threads on a node; leave out --at, --ranks-per-node, --threads and --write-ti")
	}
	return nil
}

// parseAt reads --at.
func (f *replayFlags) parseAt() error {
	if f.at == "" {
		return nil
	}
	number, ok := strings.CutPrefix(f.at, "p=")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 1 || n > replay.MostRanks {
		return cli.Usagef("--at %q: write p=64, a number of ranks up to %d", f.at, replay.MostRanks)
	}
	f.ranks = n
	return nil
}

// read reads a recording.
func (f *replayFlags) read(name string) (*messages.Program, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; record one: foresee mpi --events -- mpirun -n 4 ./program", name, cli.Cause(err))
	}
	if !info.IsDir() {
		return ti.ReadList(name, f.tiSpeed)
	}
	recorded, err := ranks.ReadEvents(name)
	if errors.Is(err, ranks.ErrNoEvents) {
		return nil, fmt.Errorf("%w; record it again: foresee mpi --events -- mpirun …", err)
	}
	return recorded, err
}

// traces writes what SimGrid replays: a file for each rank, their list, the platform, where the ranks run.
func (f *replayFlags) traces(s *cli.Streams, recorded *messages.Program, c *cluster.Cluster, o replay.Options, library string) error {
	if f.writeTI == "" {
		return nil
	}
	t, err := replay.NewTraces(recorded, c, o, f.tiSpeed)
	if err != nil {
		return err
	}
	if err := claims.Claim(f.writeTI, f.writeTI); err != nil {
		return err
	}
	if err := os.MkdirAll(f.writeTI, 0o777); err != nil {
		return fmt.Errorf("--write-ti %s: cannot make the folder: %w; name another one", f.writeTI, cli.Cause(err))
	}
	all := []string{"traces.list", "hosts", "platform.xml"}
	for rank := range t.Ranks() {
		all = append(all, rankFile(rank))
	}
	for _, name := range all { // before any is written
		path := filepath.Join(f.writeTI, name)
		if err := claims.Claim(path, path); err != nil {
			return err
		}
		claims.Release(path)
	}
	var names, hosts strings.Builder
	for rank := range t.Ranks() {
		name := rankFile(rank)
		fmt.Fprintln(&names, name)
		if err := writeFile(filepath.Join(f.writeTI, name), func(w io.Writer) error { return t.Write(w, rank) }); err != nil {
			return err
		}
	}
	place, err := replay.Place(c, t.Ranks(), o)
	if err != nil {
		return err
	}
	for _, node := range place {
		fmt.Fprintf(&hosts, "n%d\n", node)
	}
	for name, write := range map[string]func(io.Writer) error{
		"traces.list":  func(w io.Writer) error { _, err := io.WriteString(w, names.String()); return err },
		"hosts":        func(w io.Writer) error { _, err := io.WriteString(w, hosts.String()); return err },
		"platform.xml": func(w io.Writer) error { return replay.Platform(w, c, f.tiSpeed) },
	} {
		if err := writeFile(filepath.Join(f.writeTI, name), write); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.Err, "foresee: in %s: smpirun -np %d -platform platform.xml -hostfile hosts -replay traces.list %s\n", f.writeTI, t.Ranks(), strings.Join(replay.SMPIFlags(c, library), " "))
	return nil
}

// rankFile is the name of a rank's trace.
func rankFile(rank int) string { return fmt.Sprintf("rank-%d.txt", rank) }

func writeFile(path string, write func(io.Writer) error) error {
	out, err := output.Create(path)
	if err != nil {
		return err
	}
	return out.Finish(write)
}

// replayRemedy says what to do about what a simulation refuses.
func replayRemedy(err error) error {
	if errors.Is(err, decomposition.ErrNone) {
		return fmt.Errorf("%w; record the program on the ranks that it will have, or predict its counts from several recordings: foresee scale --at p=…", err)
	}
	many, stuck, limit := new(replay.TooManyError), new(network.StuckError), new(network.LimitError)
	switch {
	case errors.As(err, &many):
		return fmt.Errorf("%w; give more --ranks-per-node, or a larger cluster", err)
	case errors.As(err, &stuck):
		return fmt.Errorf("%w; the recording is not of a whole run, or receives from any rank met others: record the program again", err)
	case errors.As(err, &limit):
		return fmt.Errorf("%w; allow more with --events", err)
	}
	return cmp.Or(err, nil)
}
