// Package collective takes collective operations of MPI apart into the messages of the algorithms that MPI libraries choose for them by size
// and number of ranks: those of Open MPI 4.1 and of MPICH 3 and 4.
//
// The algorithms are those of R. Thakur, R. Rabenseifner, W. Gropp: Optimization of collective communication operations in MPICH, IJHPCA 19,
// 2005, and of J. Pješivac-Grbović et al.: Performance analysis of MPI collective operations, Cluster Computing 10, 2007 (Open MPI). Which is
// chosen when is in tables: Open MPI's are its own, from ompi/mca/coll/tuned/coll_tuned_decision_fixed.c of version 4.1, MPICH's the rules
// and default limits of the first paper.
package collective

// Kind is a collective operation.
type Kind uint8

// Collective operations.
const (
	Barrier Kind = iota
	Bcast
	Reduce
	Allreduce
	Gather
	Scatter
	Allgather
	Alltoall
	ReduceScatter
	Scan
)

// Library is whose choice of algorithms is taken.
type Library uint8

// MPI libraries.
const (
	OpenMPI Library = iota
	MPICH
)

// Call is a collective operation as one rank sees it.
type Call struct {
	Kind       Kind
	Rank, Size int   // in the communicator
	Root       int   // of those that have one
	Bytes      int64 // that the rank gives: of Alltoall and ReduceScatter to all together, of Scatter what it gets, of Bcast the whole
}

// Step is what a rank does in a collective: it may send, it may post a receive, and it may then wait for all that it posted since it last
// waited, and combine what came with what it has.
type Step struct {
	Sends, Receives, Waits bool
	To, From               int // in the communicator
	Bytes                  int64
	Reduce                 int64 // bytes to combine, once they are there
}

// Schedule is the steps of one rank, one after another. Those of algorithms with as many steps as ranks are made when they are asked for.
type Schedule struct {
	list []Step
	n    int
	make func(i int) Step
}

// At gives a step, and false behind the last.
func (s *Schedule) At(i int) (Step, bool) {
	if i < len(s.list) {
		return s.list[i], true
	}
	if i -= len(s.list); i < s.n {
		return s.make(i), true
	}
	return Step{}, false
}

// New takes a collective apart.
func New(library Library, c Call) Schedule {
	if c.Size <= 1 {
		return Schedule{}
	}
	algorithm := choose(library, &c)
	b := &builder{Call: c}
	if c.Kind == Barrier || c.Bytes < 0 {
		b.Bytes = 0
	}
	algorithms[algorithm](b)
	return Schedule{b.list, b.n, b.make}
}

// builder puts the steps of one rank together.
type builder struct {
	Call
	list []Step
	n    int
	make func(i int) Step
}

func (b *builder) send(to int, bytes int64) {
	b.list = append(b.list, Step{Sends: true, To: to, Bytes: bytes, Waits: true})
}

func (b *builder) receive(from int, reduce int64) {
	b.list = append(b.list, Step{Receives: true, From: from, Waits: true, Reduce: reduce})
}

func (b *builder) exchange(to int, bytes int64, from int, reduce int64) {
	b.list = append(b.list, Step{Sends: true, To: to, Bytes: bytes, Receives: true, From: from, Waits: true, Reduce: reduce})
}

// post sends and receives without waiting.
func (b *builder) post(s Step) { b.list = append(b.list, s) }

func (b *builder) wait(reduce int64) { b.list = append(b.list, Step{Waits: true, Reduce: reduce}) }

// lazily makes steps when they are asked for.
func (b *builder) lazily(n int, step func(i int) Step) { b.n, b.make = n, step }

// virtual is the rank, counted from the root.
func (b *builder) virtual() int { return (b.Rank - b.Root + b.Size) % b.Size }

// real is a rank that is counted from the root.
func (b *builder) real(virtual int) int { return (virtual + b.Root) % b.Size }

// each is the part of one rank of what is given to all.
func (b *builder) each() int64 { return b.Bytes / int64(b.Size) }

// power is the largest power of two that is not above n.
func power(n int) int {
	p := 1
	for 2*p <= n {
		p *= 2
	}
	return p
}

func (b *builder) left(n int) int { return (b.Rank - n + b.Size) % b.Size }

func (b *builder) right(n int) int { return (b.Rank + n) % b.Size }
