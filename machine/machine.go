// Package machine describes what a machine can do: its caches, latencies, bandwidths and operations.
//
// A machine is data. Every documented or measured value stands beside the source it comes from; a value that
// nobody knows is absent (a nil *Value), never guessed. Machines are read from YAML files (Parse, Load), shipped
// (Library), or read from the Linux machine that foresee runs on (Host, Local).
//
// Units: sizes in bytes; latencies and throughputs in cycles of the core at frequency_ghz, of memory in ns;
// bandwidths in GB/s = 1e9 B/s; frequencies in GHz. docs/machines.md explains every field.
//
// The fields are those of PPT-Multicore, section 3.4 (latency δ and reciprocal throughput β of each level and of
// the operations), of the ECM model of Hofmann, Hager, Wellein et al. (cycles per line between two levels), and a
// few of the core. That each value carries its source follows the machine files of OSACA and kerncraft.
package machine

import "strings"

// Value is one fact about a machine and where it comes from.
type Value[T any] struct {
	Value T `yaml:"value"`
	// Source names the document, measurement or derivation ("derived: …").
	Source string `yaml:"source"`
}

// Get returns the value, and false where it is absent.
func (v *Value[T]) Get() (T, bool) {
	if v == nil {
		var zero T
		return zero, false
	}
	return v.Value, true
}

// Or returns the value, or other where it is absent.
func (v *Value[T]) Or(other T) T {
	if v == nil {
		return other
	}
	return v.Value
}

// assumedSource begins the source of a value that nobody has published or measured of this machine, and that was taken from a relative of it: a
// machine of the same or a neighbouring microarchitecture.
const assumedSource = "assumed: "

// Assumed says where a value was taken from that is not of this machine itself, and false of all others.
func (v *Value[T]) Assumed() (from string, ok bool) {
	if v == nil {
		return "", false
	}
	return strings.CutPrefix(v.Source, assumedSource)
}

// known makes a value with its source.
func known[T any](value T, source string) *Value[T] {
	return &Value[T]{Value: value, Source: source}
}

// Machine is one processor socket, its memory, and how many of them there are.
type Machine struct {
	Name              string `yaml:"name"`                        // lower case, digits, . _ -
	Title             string `yaml:"title,omitempty"`             // for people
	Vendor            string `yaml:"vendor,omitempty"`            // Intel, AMD, …
	Microarchitecture string `yaml:"microarchitecture,omitempty"` // Haswell, Zen 2, …
	// Notes are remarks for people: what a value does not say, what is doubtful.
	Notes []string `yaml:"notes,omitempty"`
	// CPUID tells which processors have the same core.
	CPUID *CPUID `yaml:"cpuid,omitempty"`

	Cores          *Value[int] `yaml:"cores,omitempty,flow"`            // physical cores of one socket
	Sockets        *Value[int] `yaml:"sockets,omitempty,flow"`          // absent means one
	ThreadsPerCore *Value[int] `yaml:"threads_per_core,omitempty,flow"` // hardware threads

	FrequencyGHz    *Value[float64] `yaml:"frequency_ghz,omitempty,flow"` // base frequency: cycles are of this clock
	MaxFrequencyGHz *Value[float64] `yaml:"max_frequency_ghz,omitempty,flow"`
	LineBytes       *Value[int]     `yaml:"line_bytes,omitempty,flow"`

	PriceEUR *Value[float64] `yaml:"price_eur,omitempty,flow"` // of one machine, as its reader counts it: bought, or for a time
	Watts    *Value[float64] `yaml:"watts,omitempty,flow"`     // under load: measured, or what its maker says

	Levels     []Level     `yaml:"levels,omitempty"` // data or unified caches, L1 first
	Memory     Memory      `yaml:"memory,omitempty"`
	Core       Core        `yaml:"core,omitempty"`
	Operations []Operation `yaml:"operations,omitempty"`
	Parallel   Parallel    `yaml:"parallel,omitempty"`
	Measured   *Measured   `yaml:"measured,omitempty"`
	// Instructions are what times of compiled code are predicted from.
	Instructions *Instructions `yaml:"instructions,omitempty"`

	// Others are the processes that work on the cores of the machine besides the one that this is the part of (Part).
	Others int `yaml:"-"`
}

// CPUID identifies a core design. On x86 family and models are those of the CPUID instruction (with the extended
// bits added); on Arm, vendor is ARM and they are implementer and part number of MIDR_EL1.
type CPUID struct {
	Vendor string `yaml:"vendor"`
	Family int    `yaml:"family"`
	Models []int  `yaml:"models,flow"`
	Source string `yaml:"source"`
}

// Level is one cache level. Size, ways and line are those of one instance; SharedBy cores share an instance.
type Level struct {
	Name      string       `yaml:"name"`                      // L1, L2, L3 …
	Size      *Value[Size] `yaml:"size,omitempty,flow"`       // bytes of one instance
	Ways      *Value[int]  `yaml:"ways,omitempty,flow"`       // associativity
	LineBytes *Value[int]  `yaml:"line_bytes,omitempty,flow"` // absent means the machine's
	SharedBy  *Value[int]  `yaml:"shared_by,omitempty,flow"`  // cores that share one instance

	EffectiveSize *Value[Size] `yaml:"effective_size,omitempty,flow"` // bytes that measurements find, where others have a part or the size is not true

	LatencyCycles           *Value[float64] `yaml:"latency_cycles,omitempty,flow"`             // load to use (δ)
	ReciprocalThroughput    *Value[float64] `yaml:"reciprocal_throughput,omitempty,flow"`      // cycles per access, beyond L1 per line (β)
	SequentialCyclesPerLine *Value[float64] `yaml:"sequential_cycles_per_line,omitempty,flow"` // to the next inner level, prefetched, one core
	FarCyclesPerLine        *Value[float64] `yaml:"far_cycles_per_line,omitempty,flow"`        // not prefetchable, usual out-of-order overlap

	Replacement *Value[string] `yaml:"replacement,omitempty,flow"`  // one of Replacements
	Inclusion   *Value[string] `yaml:"inclusion,omitempty,flow"`    // of the inner levels: one of Inclusions
	WritePolicy *Value[string] `yaml:"write_policy,omitempty,flow"` // one of WritePolicies
}

// Memory is the main memory of one socket.
type Memory struct {
	LatencyNs        *Value[float64] `yaml:"latency_ns,omitempty,flow"`         // load to use
	BandwidthGBs     *Value[float64] `yaml:"bandwidth_gbs,omitempty,flow"`      // of the whole socket
	CoreBandwidthGBs *Value[float64] `yaml:"core_bandwidth_gbs,omitempty,flow"` // that one core reaches

	ReciprocalThroughput    *Value[float64] `yaml:"reciprocal_throughput,omitempty,flow"`      // cycles per line (β)
	SequentialCyclesPerLine *Value[float64] `yaml:"sequential_cycles_per_line,omitempty,flow"` // prefetched, one core, the whole way
	FarCyclesPerLine        *Value[float64] `yaml:"far_cycles_per_line,omitempty,flow"`

	PageFaultNs *Value[float64] `yaml:"page_fault_ns,omitempty,flow"` // that the system takes to give a page which is touched first, and to take it back
}

// Core is one core's widths, per cycle, and its window in µops.
type Core struct {
	IssueWidth     *Value[float64] `yaml:"issue_width,omitempty,flow"` // µops renamed and issued per cycle
	LoadsPerCycle  *Value[float64] `yaml:"loads_per_cycle,omitempty,flow"`
	StoresPerCycle *Value[float64] `yaml:"stores_per_cycle,omitempty,flow"`
	ReorderBuffer  *Value[int]     `yaml:"reorder_buffer,omitempty,flow"` // µops in flight
}

// Operation is the cost of one scalar operation.
type Operation struct {
	Kind                 string          `yaml:"kind"` // one of Kinds or Functions
	Type                 string          `yaml:"type"` // one of Types
	LatencyCycles        *Value[float64] `yaml:"latency_cycles,omitempty,flow"`
	ReciprocalThroughput *Value[float64] `yaml:"reciprocal_throughput,omitempty,flow"` // cycles between two independent ones
}

// Parallel is the overhead of one OpenMP parallel region: base plus threads times per thread.
type Parallel struct {
	ForkJoinNs          *Value[float64] `yaml:"fork_join_ns,omitempty,flow"`
	ForkJoinPerThreadNs *Value[float64] `yaml:"fork_join_per_thread_ns,omitempty,flow"`
}

// Operation kinds and types. Add stands for subtraction too; int is a 32-bit signed integer.
const (
	Add  = "add"
	Mul  = "mul"
	FMA  = "fma"
	Div  = "div"
	Sqrt = "sqrt"

	F32 = "f32"
	F64 = "f64"
	Int = "int"
)

// The words that a machine file may use.
var (
	Kinds         = []string{Add, Mul, FMA, Div, Sqrt}
	Functions     = []string{"exp", "log", "pow", "sin", "cos"} // of the C library, which are kinds of operations as well
	Types         = []string{F32, F64, Int}
	Replacements  = []string{"LRU", "PLRU", "tree-PLRU", "QLRU", "RRIP", "random"}
	Inclusions    = []string{"inclusive", "exclusive", "non-inclusive"}
	WritePolicies = []string{"write-back", "write-through"}
)
