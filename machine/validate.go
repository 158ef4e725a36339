package machine

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strings"
)

var namePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// Validate reports everything about the machine that cannot be: sizes that ways do not divide, sharing that does not
// fit the cores, numbers out of range. Parse and Host have done it already.
func (m *Machine) Validate() error {
	problems := m.problems()
	if len(problems) == 0 {
		return nil
	}
	name := m.Name
	if name == "" {
		name = "machine"
	}
	return report(name, nil, problems)
}

// validator collects problems with their paths in the file, up to maxProblems.
type validator struct{ found []problem }

func (v *validator) add(path []any, format string, args ...any) {
	if len(v.found) == maxProblems {
		return
	}
	v.found = append(v.found, problem{path: path, text: fmt.Sprintf(format, args...)})
}

// at is a path: keys and numbers of a list, from the top of the file.
func at(path ...any) []any { return path }

// under is a path below another one.
func under(path []any, more ...any) []any { return append(slices.Clone(path), more...) }

// problems are values that cannot be. The bounds are chosen: wider than any processor, narrower than a slip of units.
func (m *Machine) problems() []problem {
	var v validator
	if !namePattern.MatchString(m.Name) {
		v.add(at("name"), "%q is not a machine's name; use lower case letters, digits, dots and dashes", short(m.Name))
	}
	required(&v, at("cores"), m.Cores)
	required(&v, at("line_bytes"), m.LineBytes)
	between(&v, at("cores"), m.Cores, 1, 1<<16)
	between(&v, at("sockets"), m.Sockets, 1, 1<<10)
	between(&v, at("threads_per_core"), m.ThreadsPerCore, 1, 16)
	between(&v, at("frequency_ghz"), m.FrequencyGHz, 0.001, 20)
	between(&v, at("max_frequency_ghz"), m.MaxFrequencyGHz, 0.001, 20)
	between(&v, at("price_eur"), m.PriceEUR, 1e-6, 1e10)
	between(&v, at("watts"), m.Watts, 1e-3, 1e7)
	if low, high := m.FrequencyGHz.Or(0), m.MaxFrequencyGHz.Or(0); m.MaxFrequencyGHz != nil && low > high {
		v.add(at("max_frequency_ghz", "value"), "%g GHz is below the base frequency of %g GHz", high, low)
	}
	line(&v, at("line_bytes"), m.LineBytes)
	m.levelProblems(&v)
	m.memoryProblems(&v)
	m.coreProblems(&v)
	m.operationProblems(&v)
	m.cpuidProblems(&v)
	m.measuredProblems(&v)
	m.instructionProblems(&v)
	return v.found
}

// required wants a value to be there.
func required[T any](v *validator, path []any, value *Value[T]) {
	if value == nil {
		v.add(path, "missing; write {value: …, source: …}")
	}
}

// between wants a value, where there is one, in a range, and its source not empty.
func between[T int | float64 | Size](v *validator, path []any, value *Value[T], low, high T) {
	sourced(v, path, value)
	if value != nil && !(value.Value >= low && value.Value <= high) { // so that NaN fails
		v.add(under(path, "value"), "%v is out of range; it must be from %v to %v", value.Value, low, high)
	}
}

// sourced wants a value, where there is one, to say where it comes from.
func sourced[T any](v *validator, path []any, value *Value[T]) {
	if value != nil && strings.TrimSpace(value.Source) == "" {
		v.add(path, "no source; say where the value comes from")
	}
}

// oneOf wants a value, where there is one, to be one of some words.
func oneOf(v *validator, path []any, value *Value[string], words []string) {
	sourced(v, path, value)
	if value != nil {
		word(v, under(path, "value"), value.Value, words)
	}
}

// word wants one of some words, and names the likeliest where it is none of them.
func word(v *validator, path []any, got string, words []string) {
	if !slices.Contains(words, got) {
		v.add(path, "%q is not one of %s%s", short(got), strings.Join(words, ", "), didYouMean(got, words))
	}
}

// line wants the size of a line, in bytes, where there is one, to be a power of two.
func line(v *validator, path []any, value *Value[int]) {
	between(v, path, value, 8, 4096)
	if value != nil && bits.OnesCount(uint(value.Value)) != 1 {
		v.add(under(path, "value"), "%d is not a power of two, as lines are", value.Value)
	}
}

// memoryProblems are those of memory.
func (m *Machine) memoryProblems(v *validator) {
	p, mem := at("memory"), &m.Memory
	between(v, under(p, "latency_ns"), mem.LatencyNs, 0.1, 1e6)
	between(v, under(p, "bandwidth_gbs"), mem.BandwidthGBs, 0.001, 1e6)
	between(v, under(p, "core_bandwidth_gbs"), mem.CoreBandwidthGBs, 0.001, 1e6)
	between(v, under(p, "page_fault_ns"), mem.PageFaultNs, 1, 1e7)
	between(v, under(p, "reciprocal_throughput"), mem.ReciprocalThroughput, 0.001, 1e6)
	between(v, under(p, "sequential_cycles_per_line"), mem.SequentialCyclesPerLine, 0.001, 1e6)
	between(v, under(p, "far_cycles_per_line"), mem.FarCyclesPerLine, 0.001, 1e6)
	if core, all := mem.CoreBandwidthGBs.Or(0), mem.BandwidthGBs.Or(1e6); core > all {
		v.add(under(p, "core_bandwidth_gbs", "value"), "one core cannot reach %g GB/s of a socket's %g GB/s", core, all)
	}
}

// coreProblems are those of the core and of parallel regions.
func (m *Machine) coreProblems(v *validator) {
	p, core := at("core"), &m.Core
	between(v, under(p, "issue_width"), core.IssueWidth, 0.1, 64)
	between(v, under(p, "loads_per_cycle"), core.LoadsPerCycle, 0.1, 16)
	between(v, under(p, "stores_per_cycle"), core.StoresPerCycle, 0.1, 16)
	between(v, under(p, "reorder_buffer"), core.ReorderBuffer, 1, 1<<16)
	between(v, at("parallel", "fork_join_ns"), m.Parallel.ForkJoinNs, 0, 1e9)
	between(v, at("parallel", "fork_join_per_thread_ns"), m.Parallel.ForkJoinPerThreadNs, 0, 1e9)
}

// operationProblems are operations that are not known, or there twice.
func (m *Machine) operationProblems(v *validator) {
	seen := map[[2]string]bool{}
	for i, o := range m.Operations {
		p := at("operations", i)
		word(v, under(p, "kind"), o.Kind, slices.Concat(Kinds, Functions))
		word(v, under(p, "type"), o.Type, Types)
		if o.Type == Int && (o.Kind == FMA || o.Kind == Sqrt || slices.Contains(Functions, o.Kind)) {
			v.add(under(p, "kind"), "integers have no %s", o.Kind)
		}
		if seen[[2]string{o.Kind, o.Type}] {
			v.add(p, "a second %s of %s", o.Kind, o.Type)
		}
		seen[[2]string{o.Kind, o.Type}] = true
		between(v, under(p, "latency_cycles"), o.LatencyCycles, 0.01, 1e4)
		between(v, under(p, "reciprocal_throughput"), o.ReciprocalThroughput, 0.01, 1e4)
	}
}

// cpuidProblems are those of what tells the processor.
func (m *Machine) cpuidProblems(v *validator) {
	if m.CPUID == nil {
		return
	}
	if m.CPUID.Vendor == "" || m.CPUID.Family <= 0 || len(m.CPUID.Models) == 0 {
		v.add(at("cpuid"), "needs vendor, family and models")
	}
	if strings.TrimSpace(m.CPUID.Source) == "" {
		v.add(at("cpuid"), "no source; say where the value comes from")
	}
}
