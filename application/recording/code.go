package recording

import (
	"fmt"

	"foresee/application/record/instrument"
	"foresee/application/trace"
)

// Code is the segments of all modules of a program, by the numbers that recordings use.
type Code struct {
	Segments []*instrument.Segment
	Modules  []*instrument.Module
	module   []int32 // of each segment, by number
	first    []int32 // of each segment, its first word in words; one more at the end
	words    []word
	block    []int32 // of each segment, its basic block, counted through all modules
	blocks   int32
	begin    map[int32]int // by block: the segment that begins it
	memory   int           // of the modules, in bytes
	text     int           // of the modules, in bytes
}

// word is what a word of a segment stands for.
type word struct {
	size   uint32 // 0: the address of a block
	kind   trace.Kind
	length bool // the length of the block before it
}

// mostSegments bounds the code of a program, and its basic blocks: they take some hundred bytes each.
const mostSegments = 1 << 20

// addModule takes a module whose segments begin at a number.
func (c *Code) addModule(r *Record) error {
	n := &numbers{data: r.Data}
	base := n.next()
	if n.bad {
		return errShort
	}
	if c.text += len(r.Data); c.text > 2*mostModule {
		return fmt.Errorf("the modules have more than %d MiB of text", 2*mostModule>>20)
	}
	if base != uint64(len(c.Segments)) {
		return fmt.Errorf("module begins at segment %d, not %d", base, len(c.Segments))
	}
	m, err := r.parse()
	if err != nil {
		return err
	}
	if c.memory += m.Memory(); c.memory > instrument.MostMemory {
		return fmt.Errorf("the code of all modules takes more than %d MiB of memory", instrument.MostMemory>>20)
	}
	if len(c.Segments)+len(m.Segments) > mostSegments {
		return fmt.Errorf("more than %d segments", mostSegments)
	}
	for i := range m.Segments {
		if b := m.Segments[i].Block; b >= mostSegments-int(c.blocks) {
			return fmt.Errorf("segment %d is of basic block %d; there are at most %d", int(base)+i, b, mostSegments)
		}
		for _, a := range m.Segments[i].Accesses {
			if a.Size > trace.MostAccess {
				return fmt.Errorf("segment %d has an access of %d bytes; at most %d are possible", int(base)+i, a.Size, trace.MostAccess)
			}
		}
	}
	c.Add(m)
	return nil
}

// Add adds a module's segments behind all others.
func (c *Code) Add(m *instrument.Module) {
	c.Modules = append(c.Modules, m)
	before := c.blocks
	for i := range m.Segments {
		c.addSegment(&m.Segments[i], before+int32(m.Segments[i].Block))
	}
}

// addSegment takes over a segment of the program's code.
func (c *Code) addSegment(s *instrument.Segment, block int32) {
	c.block = append(c.block, block)
	c.module = append(c.module, int32(len(c.Modules)-1))
	c.blocks = max(c.blocks, block+1)
	if s.Begins {
		if c.begin == nil {
			c.begin = map[int32]int{}
		}
		c.begin[block] = len(c.Segments)
	}
	if len(c.first) == 0 {
		c.first = append(c.first, 0)
	}
	c.Segments = append(c.Segments, s)
	for _, a := range s.Accesses {
		kind := trace.Read
		if a.Write {
			kind = trace.Write
		}
		c.words = append(c.words, word{size: uint32(a.Size), kind: kind})
		if a.Size == 0 {
			c.words = append(c.words, word{length: true})
		}
	}
	c.first = append(c.first, int32(len(c.words)))
}

// At is the address of a segment's instruction in the program as it is without recording; 0 where it is not known.
func (c *Code) At(segment int32, instruction int) uint64 {
	if int(segment) >= len(c.module) {
		return 0
	}
	return c.Modules[c.module[segment]].At(&c.Segments[segment].Code[instruction])
}

// of gives the words of a segment.
func (c *Code) of(segment int32) []word { return c.words[c.first[segment]:c.first[segment+1]] }

// Entries is how many times the loop that a segment with a chain makes up began, by the counts of all segments: at most, where what
// is before it may also go elsewhere. It is 0 where that is not known.
func (c *Code) Entries(segment int, counts []int64) int64 {
	s := c.Segments[segment]
	n := int64(0)
	for _, b := range s.Before {
		if before, ok := c.begin[c.block[segment]+int32(b-s.Block)]; ok && before < len(counts) {
			n += counts[before]
		}
	}
	return min(n, counts[segment])
}
