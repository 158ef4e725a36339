package network

import "foresee/model/network/collective"

// Fabric is links and routes over them.
type Fabric struct {
	Bandwidth []float64 // of each link, B/s
	Latency   []float64 // of each link, s
	Route     func(from, to int, into []int32) []int32
}

// Factor multiplies latency and bandwidth of messages from a size on.
type Factor struct {
	From               int64
	Latency, Bandwidth float64
}

// Parameters say on what a program runs.
type Parameters struct {
	Fabric           Fabric
	Node             []int // of each rank
	Algorithms       collective.Library
	Eager            int64   // largest message, in bytes, that goes without its receive
	Handshake        float64 // latencies before the data of a larger one
	SendOverhead     float64 // s of the sender, each message
	ReceiveOverhead  float64 // s of the receiver
	Reduce           float64 // B/s at which a rank combines what it received; 0: at once
	Factors          []Factor
	Window           float64 // bytes under way of a flow, which bound its rate by Window / (2 latency); 0: none
	SharingByLatency bool
	Noise            float64 // relative standard deviation of the time of each computation; 0: none
	Seed             uint64
	Exact            int     // flows that are solved together, see the package; 0: DefaultExact
	Part             float64 // of a longer program that is simulated: as large is the part of the flows that it would solve exactly; 0: all
	MostEvents       int64   // after which the simulation ends with an error; 0: none
}

// DefaultExact is how many flows are shared exactly. Chosen: an exchange of all with all of 64 ranks.
const DefaultExact = 4096
