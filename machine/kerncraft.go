package machine

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// maxKerncraft is the largest file of kerncraft that is read, in bytes: they may hold all samples of their benchmarks.
const maxKerncraft = 8 << 20

// FromKerncraft is the note on a machine that was read from a file of kerncraft.
const FromKerncraft = "taken from a machine file of kerncraft, which has no latencies and no costs of operations"

// ReadKerncraft makes a machine of a machine file of kerncraft. Sizes are sets × ways × line. What such files do not tell, such as
// latencies and operations, stays absent.
func ReadKerncraft(file string, data []byte) (m *Machine, err error) {
	defer func() {
		if r := recover(); r != nil { // the YAML library has panicked on broken input before
			m, err = nil, fmt.Errorf("%s: not a readable YAML file (%v)", file, r)
		}
	}()
	if len(data) > maxKerncraft {
		return nil, fmt.Errorf("%s: larger than %s, which no machine file is", file, FormatSize(maxKerncraft))
	}
	if len(strings.TrimSpace(string(data))) == 0 {
		return nil, fmt.Errorf("%s: the file is empty", file)
	}
	var root yaml.Node
	if err := yaml.Load(data, &root); err != nil {
		return nil, fmt.Errorf("%s: not valid YAML: %w", file, err)
	}
	k := &kerncraft{file: file, top: content(&root)}
	if child(k.top, "memory hierarchy") == nil {
		return nil, fmt.Errorf("%s: no \"memory hierarchy\"; this is not a machine file of kerncraft", file)
	}
	m = k.machine()
	if len(k.problems) > 0 {
		return nil, errors.Join(k.problems...)
	}
	return m, m.Validate()
}

// kerncraft is a file being read.
type kerncraft struct {
	file     string
	top      *yaml.Node
	problems []error
}

// fail notes what cannot be read, at the line of a node, or of the whole where there is none.
func (k *kerncraft) fail(n *yaml.Node, format string, args ...any) {
	line := k.top.Line
	if n != nil {
		line = n.Line
	}
	k.problems = append(k.problems, fmt.Errorf("%s:%d: %s", k.file, line, fmt.Sprintf(format, args...)))
}

func (k *kerncraft) source(path ...any) string {
	return fmt.Sprintf("kerncraft file: %s", pathString(path))
}

// text is the value at a path, "" where there is none.
func (k *kerncraft) text(path ...any) string {
	n := k.top
	for _, p := range path {
		if n = child(n, p); n == nil {
			return ""
		}
	}
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

var quantity = regexp.MustCompile(`^\s*([0-9.eE+-]+)\s*([A-Za-z/]*)\s*$`)

// kerncraftUnits are those that the files use, as factors of Hz, B, B/s and B/cy.
var kerncraftUnits = map[string]float64{
	"": 1, "Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9, "B": 1, "kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30,
	"B/cy": 1, "B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12,
}

// parseQuantity reads a number with its unit, such as "2.7 GHz", in the unit without a prefix.
func parseQuantity(text string) (value float64, unit string, ok bool) {
	match := quantity.FindStringSubmatch(text)
	if match == nil {
		return 0, "", false
	}
	v, err := strconv.ParseFloat(match[1], 64)
	factor, known := kerncraftUnits[match[2]]
	return v * factor, match[2], err == nil && known && v > 0
}

// whole is the whole number at a path; nil where there is none.
func (k *kerncraft) whole(path ...any) *Value[int] {
	text := k.text(path...)
	v, _, ok := parseQuantity(text)
	if !ok || v != float64(int(v)) {
		return nil
	}
	return known(int(v), k.source(path...))
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// machine makes a machine of what the file has.
func (k *kerncraft) machine() *Machine {
	m := &Machine{Title: k.text("model name"), Microarchitecture: k.text("model type")}
	if m.Title == "" {
		m.Title = m.Microarchitecture
	}
	m.Name = strings.Trim(notInNames.ReplaceAllString(strings.ToLower(m.Title), "-"), "-")
	if m.Name == "" {
		m.Name = "kerncraft"
	}
	m.Name = strings.TrimRight(m.Name[:min(len(m.Name), 64)], "-")
	m.Sockets, m.Cores, m.ThreadsPerCore = k.whole("sockets"), k.whole("cores per socket"), k.whole("threads per core")
	if m.Cores == nil {
		k.fail(nil, "no number of \"cores per socket\"")
	}
	if hz, _, ok := parseQuantity(k.text("clock")); ok {
		m.FrequencyGHz = known(hz/1e9, k.source("clock"))
	} else {
		m.note("the clock is not told; add frequency_ghz")
	}
	if m.LineBytes = k.whole("cacheline size"); m.LineBytes == nil {
		k.fail(child(k.top, "cacheline size"), "no \"cacheline size\" in bytes")
	}
	hierarchy := child(k.top, "memory hierarchy")
	for i := range hierarchy.Content {
		k.level(m, i)
	}
	k.memory(m)
	m.note(FromKerncraft)
	return m
}

// level adds the i-th level of the memory hierarchy.
func (k *kerncraft) level(m *Machine, i int) {
	at := func(path ...any) []any { return append([]any{"memory hierarchy", i}, path...) }
	name := k.text(at("level")...)
	if name == "MEM" {
		return
	}
	place := child(child(k.top, "memory hierarchy"), i)
	l := Level{Name: name}
	sets, ways := k.whole(at("cache per group", "sets")...), k.whole(at("cache per group", "ways")...)
	line := k.whole(at("cache per group", "cl_size")...)
	if sets == nil || ways == nil || m.LineBytes == nil {
		k.fail(place, "%s: no sets and ways in \"cache per group\"", name)
		return
	}
	if line == nil {
		line = m.LineBytes
	}
	if line.Value != m.LineBytes.Value {
		l.LineBytes = line
	}
	bytes := Size(sets.Value) * Size(ways.Value) * Size(line.Value)
	l.Size = known(bytes, k.source(at("cache per group")...)+": sets x ways x cl_size")
	l.Ways = ways
	if l.SharedBy = k.whole(at("cores per group")...); l.SharedBy == nil {
		k.fail(place, "%s: no \"cores per group\"", name)
	}
	if throughput := child(place, "upstream throughput"); throughput != nil && len(throughput.Content) > 0 {
		if v, unit, ok := parseQuantity(throughput.Content[0].Value); ok && unit == "B/cy" {
			l.SequentialCyclesPerLine = known(float64(line.Value)/v, k.source(at("upstream throughput")...))
		}
	}
	switch policy := k.text(at("cache per group", "replacement_policy")...); policy {
	case "LRU":
		l.Replacement = known("LRU", k.source(at("cache per group", "replacement_policy")...))
	case "RR":
		l.Replacement = known("random", k.source(at("cache per group", "replacement_policy")...))
	case "":
	default:
		m.note("%s: replacement policy %s is left out", name, short(policy))
	}
	switch k.text(at("cache per group", "write_back")...) {
	case "true", "True":
		l.WritePolicy = known("write-back", k.source(at("cache per group", "write_back")...))
	case "false", "False":
		l.WritePolicy = known("write-through", k.source(at("cache per group", "write_back")...))
	}
	if i > 0 && k.text("memory hierarchy", i-1, "cache per group", "victims_to") == name {
		l.Inclusion = known("exclusive", k.source("memory hierarchy", i-1, "cache per group", "victims_to"))
	}
	m.Levels = append(m.Levels, l)
}

// memory takes the bandwidths from the benchmarks' results.
func (k *kerncraft) memory(m *Machine) {
	path := []any{"benchmarks", "measurements", "MEM", "1", "results", "load"}
	n := k.top
	for _, p := range path {
		if n = child(n, p); n == nil {
			return
		}
	}
	var all []float64
	for _, v := range n.Content {
		if gbs, unit, ok := parseQuantity(v.Value); ok && strings.HasSuffix(unit, "/s") {
			all = append(all, gbs/1e9)
		}
	}
	if len(all) == 0 {
		return
	}
	best, how := slices.Max(all), k.source(path...)
	if domains := k.whole("NUMA domains per socket"); domains != nil && len(all) == k.whole("cores per NUMA domain").Or(0) && domains.Value > 1 {
		best *= float64(domains.Value)
		how += fmt.Sprintf(" of one NUMA domain, times %d", domains.Value)
	}
	m.Memory.CoreBandwidthGBs = known(all[0], k.source(path...)+", one core")
	m.Memory.BandwidthGBs = known(best, how)
}
