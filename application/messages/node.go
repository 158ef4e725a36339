package messages

import "math"

// Values of fields of a call that stand for no rank or tag.
const (
	None    = -1000 // the call has no such thing
	Any     = -1    // any source, any tag
	Nobody  = -2    // what goes to, or comes from, no process
	deepest = 64    // loops in loops; chosen: programs have a few, and those who read them go down one by one
)

// Node is a call, or a body of nodes that repeats.
type Node struct {
	Repeats int64  // of the body
	Body    []Node // nil: a call
	Call
}

// Call is a call of MPI at one place of the sequence, with sums over all its repetitions.
type Call struct {
	Name      string // without MPI_
	Times     int64
	Bytes     int64   // that the rank gives, see docs/mpi.md; a receive: the room that it has
	Wall, CPU float64 // s since the call before: of the clock, of the thread's processor time
	Median    float64 // s of processor time since the call before, of one repetition
	MPI       float64 // s in the call, all together
	Peer, Tag int     // where it sends to, or receives from where it does not send
	Source    int     // where what both sends and receives receives from
	SourceTag int
	Comm      int   // number of the communicator
	Root      int   // rank in the communicator
	Completes []int // ages of the requests that it completes: 1 is the one made last
}

// EachBytes are the bytes of one repetition, the mean where sizes vary a little.
func (c *Call) EachBytes() int64 {
	if c.Times <= 0 {
		return 0
	}
	return (c.Bytes + c.Times/2) / c.Times
}

// Count is how many calls a sequence holds with all repetitions, at most the largest number.
func Count(nodes []Node) (n int64) {
	for i := range nodes {
		one := int64(1)
		if nodes[i].Body != nil {
			one = times(nodes[i].Repeats, Count(nodes[i].Body))
		}
		if n > math.MaxInt64-one {
			return math.MaxInt64
		}
		n += one
	}
	return n
}

func times(a, b int64) int64 {
	if b != 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// Walk goes through a sequence, call by call with its repetitions.
type Walk struct {
	stack []level
}

type level struct {
	nodes []Node
	at    int
	left  int64 // repetitions, this one included
}

// NewWalk begins at the first call.
func NewWalk(nodes []Node) Walk { return Walk{stack: []level{{nodes: nodes, left: 1}}} }

// Next gives the next call, nil behind the last one.
func (w *Walk) Next() *Call {
	for len(w.stack) > 0 {
		top := &w.stack[len(w.stack)-1]
		if top.at == len(top.nodes) {
			if top.left--; top.left <= 0 || len(top.nodes) == 0 {
				w.stack = w.stack[:len(w.stack)-1]
				continue
			}
			top.at = 0
		}
		node := &top.nodes[top.at]
		top.at++
		if node.Body == nil {
			return &node.Call
		}
		w.stack = append(w.stack, level{nodes: node.Body, left: node.Repeats})
	}
	return nil
}
