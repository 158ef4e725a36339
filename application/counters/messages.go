package counters

// Messages is what the MPI recorder kept of one rank.
type Messages struct {
	Rank, Size int     // MPI_COMM_WORLD
	Wall       float64 // seconds from the end of MPI_Init to the start of MPI_Finalize
	CPU        float64 // seconds of processor time, user and system, of all threads in that span
	MPI        string  // the kind of MPI by its handles: "openmpi", "mpich" (and what is made from it)
	Library    string  // as the MPI library names itself
	Host       string  // name of the node
	Calls      []Call  // by name, communicator size and size class
	Peers      []Peer  // messages sent point to point, by rank in MPI_COMM_WORLD
	Complete   bool    // the file has its end: the rank came to MPI_Finalize or MPI_Abort
	Aborted    bool    // the rank called MPI_Abort
	Warnings   []string
}

// Call is all calls of one MPI function on communicators of one size with messages of one size class.
type Call struct {
	Name     string  // "MPI_Allreduce"
	Comm     int     // processes in the communicator; 0 where the call has none
	Class    int     // 0: no bytes; k: 2^(k−1) ≤ bytes < 2^k a call
	Count    float64 // calls
	Bytes    float64 // all calls together, as this rank gives them: sent for point to point, its own buffer for collectives, the room given for receives
	Seconds  float64 // all calls together
	Min, Max float64 // seconds of the shortest and the longest call
}

// Peer is the messages that a rank sent to another.
type Peer struct {
	Rank         int
	Count, Bytes float64
}
