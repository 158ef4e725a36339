package instrument

import (
	"fmt"
	"strconv"
	"strings"
)

// MostMemory is what the modules of a program may take in memory, in bytes, by [Module.Memory].
const MostMemory = 256 << 20

// What parts of a module take in memory, in bytes, nearly.
const (
	memoryOfName    = 32
	memoryOfSegment = 256
	memoryOfAccess  = 32
	memoryOfOps     = 512 // of a map with its first operations
	memoryOfOp      = 64
	memoryOfBlock   = 16
	memoryOfCode    = 48
	memoryOfBase    = 8
)

// Memory is what a module that was read takes, in bytes, nearly.
func (m *Module) Memory() int { return m.memory }

// moduleReader reads the text of a module. Counts of operations that are written alike are one map: nobody changes them.
type moduleReader struct {
	made  *Module
	names []string
	ops   map[string]Ops
	texts map[string]string // of instructions
}

// ParseModule reads what Text gives. It keeps nothing of the text itself.
func ParseModule(text string) (*Module, error) {
	r := &moduleReader{made: &Module{}, ops: map[string]Ops{}, texts: map[string]string{}}
	i := 0
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		i++
		err := r.line(line)
		if err == nil && r.made.memory > MostMemory {
			err = fmt.Errorf("the code takes more than %d MiB of memory", MostMemory>>20)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of a module: %w", i, err)
		}
	}
	if len(r.names) > 0 {
		r.made.Name = r.names[0]
	}
	return r.made, nil
}

// line reads a line of the table.
func (r *moduleReader) line(line string) error {
	const most = 11 // fields
	f := strings.SplitN(line, "\t", most+1)
	switch {
	case f[0] == "N" && len(f) == 2:
		r.names = append(r.names, strings.Clone(f[1]))
		r.made.memory += memoryOfName + len(f[1])
	case f[0] == "U" && len(f) == 2:
		n, err := strconv.Atoi(f[1])
		r.made.Unseen = n
		return err
	case f[0] == "S" && (len(f) == most || len(f) == most-1): // without the last in older recordings
		s, err := r.segment(f)
		r.made.Segments = append(r.made.Segments, s)
		r.made.memory += memoryOfSegment + memoryOfAccess*len(s.Accesses) + memoryOfBlock*len(s.Before)
		return err
	case f[0] == "C" && len(f) == 2:
		r.made.Compiler = strings.Clone(f[1])
		r.made.memory += len(f[1])
	case f[0] == "I" && (len(f) == 3 || len(f) == 5): // without places in older recordings
		return r.instruction(f)
	case f[0] == "B" && len(f) == 3:
		return r.base(f)
	default:
		return fmt.Errorf("%.40q with %d fields is not known", f[0], len(f))
	}
	return nil
}

// instruction reads an instruction of the last segment. Those that are written alike are one text.
func (r *moduleReader) instruction(f []string) error {
	n := len(r.made.Segments)
	word, err := strconv.Atoi(f[1])
	if err != nil || n == 0 || word < -1 || word >= r.made.Segments[n-1].Words() {
		return fmt.Errorf("an instruction with word %.40q of no segment", f[1])
	}
	text, there := r.texts[f[2]]
	if !there {
		text = strings.Clone(f[2])
		r.texts[text] = text
		r.made.memory += memoryOfName + len(text)
	}
	c := Coded{Word: word, Text: text, Placed: len(f) > 3}
	if c.Placed {
		section, errSection := strconv.ParseUint(f[3], 10, 16)
		offset, errOffset := strconv.ParseUint(f[4], 10, 32)
		if errSection != nil || errOffset != nil {
			return fmt.Errorf("an instruction at %.40q of section %.40q", f[4], f[3])
		}
		c.Section, c.Offset = int(section), offset
	}
	s := &r.made.Segments[n-1]
	s.Code = append(s.Code, c)
	r.made.memory += memoryOfCode
	return nil
}

// base reads where the next section begins.
func (r *moduleReader) base(f []string) error {
	at, err := strconv.ParseUint(f[2], 10, 48)
	if err != nil || f[1] != strconv.Itoa(len(r.made.Bases)) {
		return fmt.Errorf("section %.40q of code at %.40q", f[1], f[2])
	}
	r.made.Bases = append(r.made.Bases, at)
	r.made.memory += memoryOfBase
	return nil
}

// segment reads a segment.
func (r *moduleReader) segment(f []string) (s Segment, err error) {
	var n [6]int
	for i := range n {
		if n[i], err = strconv.Atoi(f[i+1]); err != nil || n[i] < 0 {
			return s, fmt.Errorf("field %d: %.40q is no number", i+1, f[i+1])
		}
	}
	for _, i := range []int{2, 3, 5} {
		if n[i] >= len(r.names) {
			return s, fmt.Errorf("name %d is not there", n[i])
		}
	}
	s = Segment{Block: n[0], Begins: n[1]&flagBegins != 0, Last: n[1]&flagLast != 0, Place: Place{r.names[n[2]], r.names[n[3]], n[4]}, Region: r.names[n[5]]}
	if s.Accesses, err = parseAccesses(f[7]); err != nil {
		return s, err
	}
	if s.Words() > mostWords {
		return s, fmt.Errorf("a segment of %d words", s.Words())
	}
	if s.Ops, err = r.operations(f[8]); err != nil {
		return s, err
	}
	if s.Chain, err = r.operations(f[9]); err != nil || len(f) < 11 || f[10] == "" {
		return s, err
	}
	for part := range strings.SplitSeq(f[10], ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return s, fmt.Errorf("block %.40q before a loop", part)
		}
		s.Before = append(s.Before, n)
	}
	return s, nil
}

// parseAccesses reads a list of accesses.
func parseAccesses(text string) (all []Access, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		a, err := parseAccess(part)
		if err != nil {
			return nil, err
		}
		if all = append(all, a); len(all) > mostWords {
			return nil, fmt.Errorf("a segment of more than %d accesses", mostWords)
		}
	}
	return all, nil
}

// operations reads counts, or gives those that were written alike before.
func (r *moduleReader) operations(text string) (Ops, error) {
	if o, there := r.ops[text]; there {
		return o, nil
	}
	text = strings.Clone(text)
	o, err := ParseOps(text)
	r.ops[text] = o
	r.made.memory += memoryOfOps + memoryOfOp*len(o) + len(text)
	return o, err
}
