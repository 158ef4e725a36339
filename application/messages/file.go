package messages

// Head is what a file of a rank says of the run.
type Head struct {
	Rank, Size   int
	MPI, Library string
	Host         string
	Program      string
	Processors   int    // that the rank may run on
	Threads      string // OMP_NUM_THREADS
}

// File is the sequence of calls of one rank.
type File struct {
	Head
	Nodes             []Node
	Comms             map[int]Comm
	LastWall, LastCPU float64 // s behind the last call
	Complete          bool    // the rank came to MPI_Finalize
}

// Comm is a communicator, by its members and which one it is of those with the same members.
type Comm struct {
	Instance int
	Members  []Span // ranks in MPI_COMM_WORLD, in the order of their ranks here
}

// Span are the ranks from the first to the last.
type Span struct{ First, Last int }
