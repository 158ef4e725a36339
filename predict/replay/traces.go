package replay

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"foresee/application/messages"
	"foresee/machine/cluster"
	"foresee/model/network"
	"foresee/model/network/collective"
)

// mostTraceCalls bounds what is written. Chosen: some gigabytes.
const mostTraceCalls = 100_000_000

// LongError says that a recording is too long to be written call by call.
type LongError struct{ Calls int64 }

func (e *LongError) Error() string {
	return fmt.Sprintf("the recording has %d calls, more than %d, the most that are written one by one", e.Calls, int64(mostTraceCalls))
}

// anySource is SimGrid's MPI_ANY_SOURCE, and MPI_ANY_TAG.
const (
	anySource = -555
	anyTag    = -444
)

// Traces writes a recording as time-independent traces of SimGrid, a rank at a time.
type Traces struct {
	program *program
	library collective.Library
	speed   float64 // operations a second
	counts  []map[int]int
	largest int64 // bytes of a message: the room of receives whose own is not known
}

// NewTraces begins, with the ranks' computing as Run takes it.
func NewTraces(recorded *messages.Program, c *cluster.Cluster, o Options, speed float64) (*Traces, error) {
	calls := int64(0)
	largest := int64(1)
	for _, r := range recorded.Ranks {
		largest = max(largest, largestOf(r.Nodes))
		if calls += messages.Count(r.Nodes); calls > mostTraceCalls || calls < 0 {
			return nil, &LongError{calls}
		}
	}
	compute, _ := measuredBy(recorded, o.Compute)
	if o.Factor == 0 {
		o.Factor = 1
	}
	return &Traces{program: newProgram(recorded, compute, o.Factor), library: library(c, recorded, o.Library), speed: speed, counts: make([]map[int]int, len(recorded.Ranks)), largest: largest}, nil
}

func largestOf(nodes []messages.Node) (most int64) {
	for i := range nodes {
		most = max(most, nodes[i].EachBytes(), largestOf(nodes[i].Body))
	}
	return most
}

// Ranks is how many there are.
func (t *Traces) Ranks() int { return t.program.Ranks() }

// made is a request of a rank.
type made struct{ from, to, tag int }

// trace is what is written of a rank.
type trace struct {
	*Traces
	out  *bufio.Writer
	rank int
	made []made // by age, from 0 the first; from < 0: complete
}

// Write writes a rank.
func (t *Traces) Write(w io.Writer, rank int) error {
	one := &trace{Traces: t, out: bufio.NewWriter(w), rank: rank}
	one.line("init")
	for {
		op, ok := t.program.Next(rank)
		if !ok {
			break
		}
		if op.Seconds > 0 {
			one.line("compute %.0f", op.Seconds*t.speed)
		}
		one.op(&op)
	}
	one.line("finalize")
	return one.out.Flush()
}

func (t *trace) line(format string, a ...any) {
	fmt.Fprintf(t.out, "%d "+format+"\n", append([]any{t.rank}, a...)...)
}

// byteType is SimGrid's number of MPI_BYTE.
const byteType = 6

func (t *trace) op(op *network.Op) {
	switch op.Kind {
	case network.Send:
		if op.Peer != network.Nobody {
			t.line("send %d %d %d %d", op.Peer, op.Tag, op.Bytes, byteType)
		}
	case network.Recv:
		if op.Peer != network.Nobody {
			t.line("recv %d %d %d %d", wild(op.Peer, anySource), wild(op.Tag, anyTag), op.Bytes, byteType)
		}
	case network.Isend, network.Irecv:
		t.request(op)
	case network.Sendrecv:
		t.both(op.Peer, op.Tag, op.Bytes, op.Source, op.FromTag)
	case network.Wait:
		for _, age := range op.Ages {
			if i := len(t.made) - age; i >= 0 && t.made[i].from != messages.None {
				t.line("wait %d %d %d", t.made[i].from, t.made[i].to, t.made[i].tag)
				t.made[i].from = messages.None
			}
		}
	case network.Collective:
		t.collective(op)
	}
}

func wild(value, any int) int {
	if value == network.Any {
		return any
	}
	return value
}

func (t *trace) request(op *network.Op) {
	m := made{t.rank, op.Peer, op.Tag}
	if op.Kind == network.Irecv {
		m = made{wild(op.Peer, anySource), t.rank, wild(op.Tag, anyTag)}
	}
	if op.Peer == network.Nobody {
		m.from = messages.None
	} else if op.Kind == network.Isend {
		t.line("isend %d %d %d %d", op.Peer, op.Tag, op.Bytes, byteType)
	} else {
		t.line("irecv %d %d %d %d", m.from, m.tag, op.Bytes, byteType)
	}
	t.made = append(t.made, m)
}

// both sends and receives at once.
func (t *trace) both(to, tag int, bytes int64, from, fromTag int) {
	if from != network.Nobody {
		t.line("irecv %d %d %d %d", wild(from, anySource), wild(fromTag, anyTag), t.largest, byteType)
	}
	if to != network.Nobody {
		t.line("send %d %d %d %d", to, tag, bytes, byteType)
	}
	if from != network.Nobody {
		t.line("wait %d %d %d", wild(from, anySource), t.rank, wild(fromTag, anyTag))
	}
}

// collective writes one of all ranks as what it is, those of some ranks, and those that traces do not know, as their messages.
func (t *trace) collective(op *network.Op) {
	members := t.program.Members(op.Comm)
	b, root, each := op.Bytes, max(op.Root, 0), op.Bytes/int64(len(members))
	if len(members) != t.Ranks() || !slices.IsSorted(members) {
		t.steps(op, members)
		return
	}
	switch op.Collective {
	case collective.Barrier:
		t.line("barrier")
	case collective.Bcast:
		t.line("bcast %d %d %d", b, root, byteType)
	case collective.Reduce:
		t.line("reduce %d 0 %d %d", b, root, byteType)
	case collective.Allreduce:
		t.line("allreduce %d 0 %d", b, byteType)
	case collective.Gather:
		t.line("gather %d %d %d %d %d", b, b, root, byteType, byteType)
	case collective.Scatter:
		t.line("scatter %d %d %d %d %d", b, b, root, byteType, byteType)
	case collective.Allgather:
		t.line("allgather %d %d %d %d", b, b, byteType, byteType)
	case collective.Alltoall:
		t.line("alltoall %d %d %d %d", each, each, byteType, byteType)
	default:
		t.steps(op, members)
	}
}

// firstTag is that of the first collective that is written as messages. Chosen: below what MPI guarantees for tags, above what programs take.
const firstTag = 20000

// steps writes the messages of a collective. Each has its tag, by how many its communicator had before.
func (t *trace) steps(op *network.Op, members []int) {
	counts := t.counts[t.rank]
	if counts == nil {
		counts = map[int]int{}
		t.counts[t.rank] = counts
	}
	counts[op.Comm]++
	tag := firstTag + (op.Comm*101+counts[op.Comm])%10000
	s := collective.New(t.library, collective.Call{Kind: op.Collective, Rank: slices.Index(members, t.rank), Size: len(members), Root: max(op.Root, 0), Bytes: op.Bytes})
	var open []made
	for i := 0; ; i++ {
		step, ok := s.At(i)
		if ok && step.Receives {
			t.line("irecv %d %d %d %d", members[step.From], tag, op.Bytes*int64(len(members)), byteType)
			open = append(open, made{members[step.From], t.rank, tag})
		}
		if ok && step.Sends {
			t.line("isend %d %d %d %d", members[step.To], tag, step.Bytes, byteType)
			open = append(open, made{t.rank, members[step.To], tag})
		}
		if !ok || step.Waits {
			for _, m := range open {
				t.line("wait %d %d %d", m.from, m.to, m.tag)
			}
			open = open[:0]
		}
		if !ok {
			return
		}
	}
}
