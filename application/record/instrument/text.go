package instrument

import (
	"fmt"
	"strconv"
	"strings"
)

// Text gives the module as the recorder puts it in front of a recording: lines of fields between tabs. "N" names a
// string, from 0; "U" counts instructions whose accesses are not seen; "S" is a segment: block, flags (1: it begins
// the block; 2: only the thread of the last iteration runs it), function, file, line, region, accesses, operations, chain,
// blocks before the loop. Functions, files and regions are numbers of names. "C" is the compiler whose machine code the segments are; "I", behind its segment,
// is one of its instructions: the first word that it accesses, or −1, its text, and, where they are known, the object's section that it lies in without
// recording and the bytes from its begin. "B" is a section and where it begins in the program.
func (m *Module) Text() string {
	var b, segments strings.Builder
	numbers := map[string]int{}
	name := func(s string) int {
		n, ok := numbers[s]
		if !ok {
			n = len(numbers)
			numbers[s] = n
			fmt.Fprintf(&b, "N\t%s\n", onOneLine.Replace(s))
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
		for _, c := range s.Code {
			fmt.Fprintf(&segments, "I\t%d\t%s", c.Word, onOneLine.Replace(c.Text))
			if c.Placed {
				fmt.Fprintf(&segments, "\t%d\t%d", c.Section, c.Offset)
			}
			segments.WriteByte('\n')
		}
	}
	fmt.Fprintf(&b, "U\t%d\n", m.Unseen)
	if m.Compiler != "" {
		fmt.Fprintf(&b, "C\t%s\n", onOneLine.Replace(m.Compiler))
	}
	for k, at := range m.Bases {
		fmt.Fprintf(&segments, "B\t%d\t%d\n", k, at)
	}
	return b.String() + segments.String()
}

// onOneLine makes text a field.
var onOneLine = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

// Flags of a segment.
const (
	flagBegins = 1 << iota
	flagLast
)

// numbersText writes numbers with commas between.
func numbersText(all []int) string {
	var parts []string
	for _, n := range all {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ",")
}
