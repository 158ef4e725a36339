// Package ti reads the time-independent traces of SimGrid's SMPI: for each rank a file of actions, one a line, with the rank before it. Computing
// is in floating-point operations. The format is that of SimGrid's documentation, "Replaying MPI traces", and of what smpirun -trace-ti of
// version 3.32 writes. Such a trace knows one communicator, that of all ranks, and says −333 for any rank and for none: where a request is
// sent to it or awaits it, it is taken as none, in a blocking receive as any.
package ti

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"foresee/application/messages"
	"foresee/internal/claims"
)

// Bounds. Chosen: a line holds a number for each rank at most; a hundred million actions take some 20 GiB.
const (
	longestLine = 4 << 20
	mostActions = 20_000_000
	mostRanks   = 1 << 20
)

// ReadList reads the ranks whose files a list names, one a line, relative to it; speed is operations a second.
func ReadList(path string, speed float64) (*messages.Program, error) {
	var names []string
	if err := eachLine(path, func(f []string) error {
		if len(f) != 1 || len(names) >= mostRanks {
			return fmt.Errorf("%q is no name of a file of a rank; a list of traces has one a line", strings.Join(f, " "))
		}
		names = append(names, f[0])
		return nil
	}); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: it names no trace of a rank", path)
	}
	b := &builder{size: len(names), speed: speed}
	p := &messages.Program{MPI: "simgrid"}
	var world messages.Members
	for rank, name := range names {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		b.begin(rank)
		if err := eachLine(name, b.action); err != nil {
			return nil, err
		}
		p.Ranks = append(p.Ranks, b.rank())
		world = append(world, rank)
	}
	p.Comms = []messages.Members{world}
	p.Warnings = b.warnings()
	return p, nil
}

// eachLine gives the fields of each line that has some.
func eachLine(path string, do func(fields []string) error) error {
	f, err := claims.Open(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	return lines(path, f, do)
}

func lines(path string, r io.Reader, do func(fields []string) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, longestLine)
	for number := 1; in.Scan(); number++ {
		f := strings.Fields(in.Text())
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		if err := do(f); err != nil {
			return fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// request is one that a rank made: to or from whom.
type request struct{ from, to, tag int }

// builder makes the sequence of a rank of its actions.
type builder struct {
	size    int
	speed   float64
	number  int
	nodes   []messages.Node
	pending float64 // s computed since the last call
	made    int     // requests
	open    map[request][]int
	order   []int // open requests, the oldest first
	actions int
	skipped map[string]int
}

func (b *builder) begin(rank int) {
	b.number, b.nodes, b.pending, b.made, b.open, b.order = rank, nil, 0, 0, map[request][]int{}, nil
}

func (b *builder) rank() messages.Rank {
	return messages.Rank{Nodes: b.nodes, LastWall: b.pending, LastCPU: b.pending}
}

// action reads a line: the rank, what it does, and with what.
func (b *builder) action(f []string) error {
	if b.actions++; b.actions > mostActions {
		return fmt.Errorf("more than %d actions in all ranks", mostActions)
	}
	if len(f) < 2 {
		return fmt.Errorf("%q is no action; expected a rank and what it does", strings.Join(f, " "))
	}
	if rank, err := strconv.Atoi(f[0]); err != nil || rank != b.number {
		return fmt.Errorf("an action of rank %s in the file of rank %d", f[0], b.number)
	}
	a := arguments{f[2:], nil}
	err := b.known(strings.ToLower(f[1]), &a)
	if err == nil {
		err = a.err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f[1], err)
	}
	return nil
}

func (b *builder) known(name string, a *arguments) error {
	switch name {
	case "init", "finalize", "comm_size", "comm_split", "comm_dup", "location":
		return nil
	case "compute":
		b.pending += a.number(0) / b.speed
		return nil
	case "sleep":
		b.pending += a.number(0)
		return nil
	case "send", "isend", "ssend", "issend", "recv", "irecv":
		return b.message(name, a)
	case "wait":
		b.wait(request{int(a.whole(0)), int(a.whole(1)), int(a.whole(2))})
		return nil
	case "waitall":
		b.call(messages.Call{Name: "Waitall", Completes: b.all()})
		return nil
	case "sendrecv":
		return b.sendrecv(a)
	}
	return b.collective(name, a)
}

// collectives are those with their names in MPI, and where their root and type stand.
var collectives = map[string]struct {
	name       string
	root, kind int // −1: none
}{
	"barrier": {"Barrier", -1, -1}, "bcast": {"Bcast", 1, 2}, "reduce": {"Reduce", 2, 3}, "allreduce": {"Allreduce", -1, 2},
	"gather": {"Gather", 2, 3}, "scatter": {"Scatter", 2, 3}, "allgather": {"Allgather", -1, 2}, "alltoall": {"Alltoall", -1, 2},
	"scan": {"Scan", -1, 2}, "exscan": {"Exscan", -1, 2},
}

func (b *builder) collective(name string, a *arguments) error {
	c, ok := collectives[name]
	if !ok {
		if b.skipped == nil {
			b.skipped = map[string]int{}
		}
		b.skipped[name]++
		return nil
	}
	call := messages.Call{Name: c.name}
	if name != "barrier" {
		call.Bytes = a.whole(0) * a.width(c.kind)
	}
	switch name {
	case "alltoall":
		call.Bytes *= int64(b.size)
	case "reduce", "allreduce":
		b.pending += a.number(1) / b.speed
	}
	call.Root = messages.None
	if c.root >= 0 {
		call.Root = int(a.optional(c.root, 0))
		if call.Root < 0 || call.Root >= b.size {
			return fmt.Errorf("there is no rank %d among %d", call.Root, b.size)
		}
	}
	b.call(call)
	return nil
}

// call adds a call with the time before it; what is 0 and not said has no meaning for it.
func (b *builder) call(c messages.Call) {
	none := messages.None
	if c.Name != "Send" && c.Name != "Isend" && c.Name != "Ssend" && c.Name != "Issend" && c.Name != "Recv" && c.Name != "Irecv" && c.Name != "Sendrecv" {
		c.Peer, c.Tag = none, none
	}
	if c.Name != "Sendrecv" {
		c.Source, c.SourceTag = none, none
	}
	if strings.HasPrefix(c.Name, "Wait") {
		c.Comm, c.Root = none, none
	}
	c.Times, c.Wall, c.CPU, c.Median = 1, b.pending, b.pending, b.pending
	b.pending = 0
	b.nodes = append(b.nodes, messages.Node{Call: c})
}
