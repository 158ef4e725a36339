package network

import "foresee/model/network/collective"

// Kind is what an operation does.
type Kind uint8

// Kinds of operations.
const (
	Compute  Kind = iota // for Seconds, which all other kinds may begin with too
	Send                 // and wait until the buffer is free
	Isend                // makes a request
	Recv                 // and wait for it
	Irecv                // makes a request
	Sendrecv             // both at once
	Wait                 // for the requests of these ages
	Collective
)

// Values of Peer and Tag.
const (
	Any    = -1 // any source, any tag
	Nobody = -2 // no process: done at once
)

// Op is an operation of a rank.
type Op struct {
	Kind            Kind
	Synchronous     bool // Send, Isend: as above the eager limit, whatever the size
	Seconds         float64
	Peer, Tag, Comm int // Peer: number in the world
	Bytes           int64
	Source, FromTag int   // Sendrecv
	Ages            []int // Wait: 1 is the request made last. Valid until the next operation is asked for.
	Collective      collective.Kind
	Root            int // number in the communicator
	Label           int // place in the totals by label, see Result

	paid bool // the overhead of sending has passed
}

// Program gives the operations of each rank.
type Program interface {
	Ranks() int
	// Members are the ranks of a communicator, in its order.
	Members(comm int) []int
	// Next gives the next operation of a rank, false behind the last.
	Next(rank int) (Op, bool)
}
