package core

// Cause is what the instruction waited for that left the core last: what binds code is the cause of most of its cycles.
type Cause uint8

// The causes. Each resource is one of its own, behind ByResource.
const (
	ByWidth          Cause = iota // instructions enter so many a cycle, or wait for room in a window
	ByChain                       // values that come from instructions before
	ByForwarding                  // values that come from stores before
	ByMispredictions              // branches that were guessed wrongly
	ByFetch                       // taken branches, and code that lies in several blocks
	ByLibrary                     // calls of the C library
	ByResource                    // the first of the resources
	Causes           = ByResource + Cause(Resources)
)

var causeNames = [Causes]string{
	"issue width", "dependency chain", "store forwarding", "branch mispredictions", "instruction fetch", "library calls",
	"integer units", "integer multiplier", "floating-point adders", "floating-point multipliers", "shuffles", "vector integer units", "load ports", "store ports", "transfers from vectors", "divider",
}

// String is the cause in an engineer's words.
func (c Cause) String() string { return causeNames[c] }

// byResource is the resource that an instruction needs most of.
func byResource(uses *[Resources]float64) Cause {
	most := Resource(0)
	for r := range uses {
		if uses[r] > uses[most] {
			most = Resource(r)
		}
	}
	return ByResource + Cause(most)
}

// Cause is what the last instruction waited for.
func (s *Simulator) Cause() Cause { return s.why }
