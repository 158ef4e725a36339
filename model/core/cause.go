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

// particular are the resources by how much they tell of an instruction: units for vectors do additions of floating point and of integers, so that what
// was measured of one is used by the other too.
var particular = [...]Resource{Divide, IntegerMul, FloatMul, FloatAdd, Shuffle, Transfer, VectorInteger, Integer, Load, Store}

// byResource is the most particular of the resources that an instruction needs most of, or half as much of.
func byResource(uses *[Resources]float64) Cause {
	most := 0.0
	for _, use := range uses {
		most = max(most, use)
	}
	for _, r := range particular {
		if uses[r] >= most/2 {
			return ByResource + Cause(r)
		}
	}
	return ByWidth
}

// Cause is what the last instruction waited for.
func (s *Simulator) Cause() Cause { return s.why }
