// Package replayed compares replayed recordings of MPI programs with the simulated time of the programs themselves in SimGrid's SMPI.
package replayed

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"foresee/accuracy"
	"foresee/application/counters/ranks"
	"foresee/application/messages"
	"foresee/application/record/mpi"
	"foresee/internal/oracle/smpi"
	"foresee/internal/workspace"
	"foresee/machine/cluster"
	"foresee/predict/replay"
)

//go:embed clusters
var clusterFiles embed.FS

// clusters are the networks on which programs are compared.
var clusters = []string{"ethernet", "fat-tree", "torus"}

// sizes are the numbers of ranks, and steps how long programs run.
var (
	sizes = []int{8, 24, 64}
	steps = 10
)

// speed of SMPI's hosts, in operations a second: programs.c computes by it.
const speed = 1e9

// forced are the algorithms that SMPI is told to take where its version of Open MPI's choice is not that of Open MPI. Of few elements, a ring is recursive doubling
// in Open MPI, and a reduction and a broadcast in SMPI; from 128 ranks on, Open MPI takes a reduction and a broadcast (coll_tuned_decision_fixed.c).
func forced(ranks int, flags ...string) []string {
	sum := "rdb"
	if ranks >= 128 {
		sum = "redbcast"
	}
	return append(flags, "--cfg=smpi/allreduce:"+sum, "--log=root.thres:error")
}

// Programs are those that Replay compares.
func Programs() []string { return slices.Clone(smpi.Programs) }

// Replay compares replayed recordings with SMPI: of the programs that are named as kernels, at size MINI on the fewest ranks and on none but those
// that were recorded.
func Replay(ctx context.Context, o accuracy.Options) (*accuracy.Section, error) {
	folder, err := workspace.New("replay")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	built, err := smpi.Build(ctx, folder.Path, "mpicc.openmpi")
	if err != nil {
		return nil, err
	}
	t := &accuracy.Table{
		Title: "Replay: recorded programs against SMPI",
		Text: fmt.Sprintf("Eight MPI programs (internal/oracle/smpi/programs.c), skeletons that say what they compute, recorded under Open MPI on the machine at hand and replayed on three described clusters, one rank on a node, against the same "+
			"programs run in SimGrid's SMPI on the same clusters, %d steps. Errors of the time in %%, with sign: of foresee's simulation, and of the recording written as SimGrid's traces and replayed by SMPI, as a second engine.", steps),
		Columns: []string{"program", "ranks"},
	}
	for _, name := range clusters {
		t.Columns = append(t.Columns, name, "by SMPI")
	}
	c := &comparison{built: built, folder: folder.Path, programs: smpi.Programs}
	if len(o.Kernels) > 0 {
		c.programs = o.Kernels
	}
	counts, small := sizes, o.Size == "MINI"
	if small {
		counts = sizes[:1]
	}
	for _, program := range c.programs {
		for _, ranks := range counts {
			row, err := c.row(ctx, program, ranks)
			if err != nil {
				return nil, fmt.Errorf("%s on %d ranks: %w", program, ranks, err)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Summary = []string{line("foresee, %", &c.own), line("traces replayed by SMPI, %", &c.other)}
	section := &accuracy.Section{Name: "replay", Tables: []*accuracy.Table{t}}
	if small {
		return section, nil
	}
	more, err := c.moreRanks(ctx)
	section.Tables = append(section.Tables, more)
	return section, err
}

func line(what string, e *accuracy.Errors) string {
	worst, of := e.Worst()
	return fmt.Sprintf("%s: mean %.2f, worst %.2f (%s), n = %d", what, e.Mean(), worst, of, e.N())
}

// comparison keeps the errors of all programs.
type comparison struct {
	built      *smpi.Built
	folder     string
	programs   []string
	own, other accuracy.Errors
}

// row records a program and compares it on each cluster.
func (c *comparison) row(ctx context.Context, program string, n int) ([]string, error) {
	recorded, err := c.record(ctx, program, n)
	if err != nil {
		return nil, err
	}
	row := []string{program, strconv.Itoa(n)}
	for _, name := range clusters {
		described, err := described(name)
		if err != nil {
			return nil, err
		}
		own, other, err := c.compare(ctx, recorded, described, program, n)
		if err != nil {
			return nil, err
		}
		of := fmt.Sprintf("%s, %d ranks, %s", program, n, name)
		c.own.Add(of, math.Abs(own))
		c.other.Add(of, math.Abs(other))
		row = append(row, fmt.Sprintf("%+.2f", own), fmt.Sprintf("%+.2f", other))
	}
	return row, nil
}

func described(name string) (*cluster.Cluster, error) {
	text, err := clusterFiles.ReadFile("clusters/" + name + ".yaml")
	if err != nil {
		return nil, err
	}
	return cluster.Parse(name, text)
}

// record records a program's order of calls.
func (c *comparison) record(ctx context.Context, program string, n int) (*messages.Program, error) {
	var said bytes.Buffer
	dir, err := mpi.Record(ctx, mpi.Options{
		Events: true, Dir: filepath.Join(c.folder, "recording"), Stdout: &said, Stderr: &said,
		Command: []string{
			"mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", strconv.Itoa(n),
			c.built.Real, program, strconv.Itoa(steps),
		},
	})
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, &said)
	}
	defer os.RemoveAll(dir)
	return ranks.ReadEvents(dir)
}

// compare gives the errors of both engines in percent.
func (c *comparison) compare(ctx context.Context, recorded *messages.Program, on *cluster.Cluster, program string, n int) (own, other float64, err error) {
	o := replay.Options{RanksPerNode: 1}
	r, err := replay.Run(recorded, on, o)
	if err != nil {
		return 0, 0, err
	}
	list, hosts, platform, err := c.write(recorded, on, o)
	if err != nil {
		return 0, 0, err
	}
	flags := forced(n, replay.SMPIFlags(on, r.Library)...)
	truth, err := c.built.Online(ctx, platform, hosts, n, flags, program, strconv.Itoa(steps))
	if err != nil {
		return 0, 0, err
	}
	flags[len(flags)-1] = "--log=root.thres:info" // which tells the time
	second, err := c.built.Replay(ctx, platform, hosts, list, n, flags)
	if err != nil {
		return 0, 0, err
	}
	return 100 * (r.Seconds/truth - 1), 100 * (second/truth - 1), nil
}

// write writes what SMPI reads.
func (c *comparison) write(recorded *messages.Program, on *cluster.Cluster, o replay.Options) (list, hosts, platform string, err error) {
	t, err := replay.NewTraces(recorded, on, o, speed)
	if err != nil {
		return "", "", "", err
	}
	var names, nodes bytes.Buffer
	for rank := range t.Ranks() {
		name := filepath.Join(c.folder, fmt.Sprintf("rank-%d.txt", rank))
		if err := create(name, func(w io.Writer) error { return t.Write(w, rank) }); err != nil {
			return "", "", "", err
		}
		fmt.Fprintln(&names, name)
		fmt.Fprintf(&nodes, "n%d\n", rank)
	}
	list, hosts, platform = filepath.Join(c.folder, "traces.list"), filepath.Join(c.folder, "hosts"), filepath.Join(c.folder, "platform.xml")
	for name, write := range map[string]func(io.Writer) error{
		list:     func(w io.Writer) error { _, err := names.WriteTo(w); return err },
		hosts:    func(w io.Writer) error { _, err := nodes.WriteTo(w); return err },
		platform: func(w io.Writer) error { return replay.Platform(w, on, speed) },
	} {
		if err := create(name, write); err != nil {
			return "", "", "", err
		}
	}
	return list, hosts, platform, nil
}

func create(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return write(f)
}
