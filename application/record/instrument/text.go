package instrument

import (
	"fmt"
	"strconv"
	"strings"
)

// Text gives the module as the recorder puts it in front of a recording: lines of fields between tabs. "N" names a
// string, from 0; "U" counts instructions whose accesses are not seen; "S" is a segment: block, flags (1: it begins
// the block; 2: only the thread of the last iteration runs it), function, file, line, region, accesses, operations, chain,
// blocks before the loop. Functions, files and regions are numbers of names.
func (m *Module) Text() string {
	var b, segments strings.Builder
	numbers := map[string]int{}
	name := func(s string) int {
		n, ok := numbers[s]
		if !ok {
			n = len(numbers)
			numbers[s] = n
			fmt.Fprintf(&b, "N\t%s\n", strings.NewReplacer("\t", " ", "\n", " ").Replace(s))
		}
		return n
	}
	name(m.Name)
	for i := range m.Segments {
		s := &m.Segments[i]
		var accesses []string
		for _, a := range s.Accesses {
			accesses = append(accesses, a.String())
		}
		flags := 0
		if s.Begins {
			flags |= flagBegins
		}
		if s.Last {
			flags |= flagLast
		}
		fmt.Fprintf(&segments, "S\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", s.Block, flags, name(s.Place.Function), name(s.Place.File), s.Place.Line,
			name(s.Region), strings.Join(accesses, ","), s.Ops, s.Chain, numbersText(s.Before))
	}
	fmt.Fprintf(&b, "U\t%d\n", m.Unseen)
	return b.String() + segments.String()
}

// Flags of a segment.
const (
	flagBegins = 1 << iota
	flagLast
)

// ParseModule reads what Text gives.
func ParseModule(text string) (*Module, error) {
	m := &Module{}
	var names []string
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if err := m.parseLine(strings.Split(line, "\t"), &names); err != nil {
			return nil, fmt.Errorf("line %d of a module: %w", i+1, err)
		}
	}
	if len(names) > 0 {
		m.Name = names[0]
	}
	return m, nil
}

func (m *Module) parseLine(f []string, names *[]string) error {
	switch {
	case f[0] == "N" && len(f) == 2:
		*names = append(*names, f[1])
	case f[0] == "U" && len(f) == 2:
		n, err := strconv.Atoi(f[1])
		m.Unseen = n
		return err
	case f[0] == "S" && (len(f) == 11 || len(f) == 10): // 10 in older recordings
		s, err := parseSegment(f, *names)
		m.Segments = append(m.Segments, s)
		return err
	default:
		return fmt.Errorf("%q with %d fields is not known", f[0], len(f))
	}
	return nil
}

func parseSegment(f, names []string) (s Segment, err error) {
	var n [6]int
	for i := range n {
		if n[i], err = strconv.Atoi(f[i+1]); err != nil || n[i] < 0 {
			return s, fmt.Errorf("field %d: %q is no number", i+1, f[i+1])
		}
	}
	for _, i := range []int{2, 3, 5} {
		if n[i] >= len(names) {
			return s, fmt.Errorf("name %d is not there", n[i])
		}
	}
	s = Segment{Block: n[0], Begins: n[1]&flagBegins != 0, Last: n[1]&flagLast != 0, Place: Place{names[n[2]], names[n[3]], n[4]}, Region: names[n[5]]}
	if f[7] != "" {
		for part := range strings.SplitSeq(f[7], ",") {
			a, err := parseAccess(part)
			if err != nil {
				return s, err
			}
			s.Accesses = append(s.Accesses, a)
		}
	}
	if s.Words() > mostWords {
		return s, fmt.Errorf("a segment of %d words", s.Words())
	}
	if s.Ops, err = ParseOps(f[8]); err != nil {
		return s, err
	}
	if s.Chain, err = ParseOps(f[9]); err != nil || len(f) < 11 || f[10] == "" {
		return s, err
	}
	for part := range strings.SplitSeq(f[10], ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return s, fmt.Errorf("block %q before a loop", part)
		}
		s.Before = append(s.Before, n)
	}
	return s, nil
}

func numbersText(all []int) string {
	var parts []string
	for _, n := range all {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ",")
}
