// Package hierarchy makes, of a machine's description, the caches that are simulated for it, with changes of single properties of levels.
package hierarchy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"foresee/machine"
	"foresee/model/cache"
)

// Option changes one property of a level for a simulation.
type Option struct{ Level, Key, Value string }

// Words that an Option takes.
var (
	replacements = map[string]cache.Replacement{
		"lru": cache.LRU, "fifo": cache.FIFO, "plru": cache.PLRU, "tree-plru": cache.PLRU, "random": cache.Random,
	}
	inclusions  = map[string]cache.Inclusion{"non-inclusive": cache.NonInclusive, "inclusive": cache.Inclusive, "exclusive": cache.Exclusive}
	prefetchers = map[string]cache.Prefetcher{"none": cache.NoPrefetch, "next-line": cache.NextLine, "stride": cache.Stride}
)

// levelKeys are the properties that can be changed, with the words that they take.
var levelKeys = []string{
	"replacement=lru|fifo|plru|random", "inclusion=non-inclusive|inclusive|exclusive", "write=back|through",
	"allocate=yes|no", "victim=LINES", "prefetch=none|next-line|stride", "degree=LINES", "size=BYTES", "ways=N", "shared_by=CORES",
}

// Of is a machine's caches as they are simulated for a number of threads, thread i on core i. Warnings say what is
// simulated in another way than the machine has it.
func Of(m *machine.Machine, threads int, options []Option) (h cache.Hierarchy, warnings []string, err error) {
	h = cache.Hierarchy{Threads: threads, LineBytes: int64(m.LineBytes.Or(64))}
	for i := range m.Levels {
		l, w, err := Level(m, &m.Levels[i], h.LineBytes, options)
		if err != nil {
			return h, nil, fmt.Errorf("%s: %s: %w", m.Name, m.Levels[i].Name, err)
		}
		h.Levels = append(h.Levels, l)
		warnings = append(warnings, w...)
	}
	for _, o := range options {
		if !slices.ContainsFunc(m.Levels, func(l machine.Level) bool { return strings.EqualFold(l.Name, o.Level) }) {
			return h, nil, fmt.Errorf("%s has no level %q; it has %s", m.Name, o.Level, levelNames(m))
		}
	}
	if err := h.Validate(); err != nil {
		return h, nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return h, warnings, nil
}

// usualWays are ways for a cache whose file says none: 16, as most outer caches have, of an L1 8, or else another number that caches have and
// that divides its lines; 0 where there is none.
func usualWays(level string, bytes, line int64) int64 {
	usual := []int64{16, 15, 14, 12, 20, 11, 8, 10, 24, 32, 4, 2, 1}
	if level == "L1" {
		usual = []int64{8, 12, 6, 4, 2, 1}
	}
	for _, ways := range usual {
		if bytes%(ways*line) == 0 {
			return ways
		}
	}
	return 0
}

// levelNames lists the levels of a machine.
func levelNames(m *machine.Machine) string {
	var names []string
	for _, l := range m.Levels {
		names = append(names, l.Name)
	}
	return strings.Join(names, ", ")
}

// Level is a level as it is simulated, with what the options change, and warnings of what the machine does not say.
func Level(m *machine.Machine, l *machine.Level, line int64, options []Option) (cache.Level, []string, error) {
	out := cache.Level{Name: l.Name, SharedBy: l.SharedBy.Or(1)}
	size, known := l.Capacity()
	bytes, ways := int64(size), int64(l.Ways.Or(0))
	if own := int64(l.LineBytes.Or(int(line))); own != line {
		return out, nil, fmt.Errorf("its lines are of %d bytes and the machine's of %d; one simulation takes one line size", own, line)
	}
	var warnings []string
	if policy, ok := l.Replacement.Get(); ok {
		var simulated bool
		if out.Replacement, simulated = replacements[strings.ToLower(policy)]; !simulated && !changes(options, l.Name, "replacement") {
			warnings = append(warnings, fmt.Sprintf("%s: %s replaces by %s, which is simulated as LRU", m.Name, l.Name, policy))
		}
	}
	out.Inclusion = inclusions[l.Inclusion.Or("non-inclusive")]
	out.WriteThrough = l.WritePolicy.Or("write-back") == "write-through"
	for _, o := range options {
		if !strings.EqualFold(o.Level, l.Name) {
			continue
		}
		var err error
		switch o.Key {
		case "size":
			bytes, err = machine.ParseSize(o.Value)
			known = true
		case "ways":
			ways, err = strconv.ParseInt(o.Value, 10, 64)
		default:
			err = change(&out, o)
		}
		if err != nil {
			return out, nil, fmt.Errorf("%s=%s: %w", o.Key, o.Value, err)
		}
	}
	if !known {
		return out, nil, &LevelError{Level: l.Name, Lacks: "size"}
	}
	if ways < 1 && l.Ways == nil && !changes(options, l.Name, "ways") {
		if ways = usualWays(l.Name, bytes, line); ways > 0 {
			warnings = append(warnings, fmt.Sprintf("%s does not say how many ways %s has; simulated with %d, which can be changed", m.Name, l.Name, ways))
		}
	}
	if ways < 1 {
		return out, nil, &LevelError{Level: l.Name, Lacks: "ways"}
	}
	if bytes%(ways*line) != 0 {
		return out, nil, fmt.Errorf("%d bytes are no whole number of sets of %d ways of %d bytes", bytes, ways, line)
	}
	out.Lines, out.Ways = bytes/line, ways
	return out, warnings, nil
}

func changes(options []Option, level, key string) bool {
	return slices.ContainsFunc(options, func(o Option) bool { return strings.EqualFold(o.Level, level) && o.Key == key })
}

// change sets what needs no knowledge of other properties.
func change(l *cache.Level, o Option) (err error) {
	known := true
	value := strings.ToLower(o.Value)
	switch o.Key {
	case "replacement":
		l.Replacement, known = replacements[value]
	case "inclusion":
		l.Inclusion, known = inclusions[value]
	case "prefetch":
		l.Prefetcher, known = prefetchers[value]
	case "write":
		l.WriteThrough = value == "through"
		known = value == "through" || value == "back"
	case "allocate":
		l.NoWriteAllocate = value == "no"
		known = value == "yes" || value == "no"
	case "victim":
		l.VictimLines, err = strconv.Atoi(value)
	case "degree":
		l.Degree, err = strconv.Atoi(value)
	case "shared_by":
		l.SharedBy, err = strconv.Atoi(value)
		if err == nil && l.SharedBy < 1 {
			return fmt.Errorf("a cache is shared by 1 core at least")
		}
	default:
		known = false
	}
	if err != nil {
		return fmt.Errorf("not a number")
	}
	if !known {
		return fmt.Errorf("not known; there are %s", strings.Join(levelKeys, ", "))
	}
	return nil
}

// LevelError is a level of a machine of which simulation needs to know more.
type LevelError struct {
	Level string
	Lacks string // "size" or "ways"
}

func (e *LevelError) Error() string {
	if e.Lacks == "ways" {
		return "how many ways it has is not known; add it to a file of the machine"
	}
	return "the machine file does not say its size; add it to a file of the machine"
}
