package compiled

import (
	"bytes"
	"fmt"
	"slices"
	"unicode"

	"foresee/application/nest"
	"foresee/model/timing"
)

// Loops that data end are carried out with data of which some were left out, and may iterate more or less often than the analysis says. So that cycles are
// those of one execution all the same, a label counts their iterations.

// loopName is the begin of labels that stand where iterations of such loops begin.
const loopName = "foresee.loop."

// early are the places of loops that data may end and that hold others, each once, in the order in which they stand in the programs.
func early(programs []*nest.Program) (out []nest.Pos) {
	for _, p := range programs {
		nest.Walk(p.Body, func(n nest.Node) {
			if l, ok := n.(*nest.Loop); ok && l.Early && holdsLoop(l.Body) && !slices.Contains(out, l.Pos) {
				out = append(out, l.Pos)
			}
		})
	}
	return out
}

func holdsLoop(nodes []nest.Node) (found bool) {
	nest.Walk(nodes, func(n nest.Node) {
		_, loop := n.(*nest.Loop)
		found = found || loop
	})
	return found
}

// label is a statement that does nothing, behind which iterations of a loop begin.
func label(name string, number int) string {
	return fmt.Sprintf(`__asm__ volatile("%s%d.%%=: nop"::);`, name, number)
}

// bodyOf is behind the brace with which the body of a loop begins that stands at a place of a source, or in whose head the place is.
func bodyOf(text []byte, at nest.Pos) (offset int, ok bool) {
	for range at.Line - 1 {
		n := bytes.IndexByte(text[offset:], '\n')
		if n < 0 {
			return 0, false
		}
		offset += n + 1
	}
	offset += max(at.Column-1, 0)
	if at.Line < 1 || offset >= len(text) {
		return 0, false
	}
	depth, headed := 0, false
	if rest, ok := bytes.CutPrefix(text[offset:], []byte("do")); ok && len(rest) > 0 && (rest[0] == '{' || unicode.IsSpace(rune(rest[0]))) {
		offset, headed = offset+len("do"), true
	}
	for ; offset < len(text); offset++ {
		switch c := text[offset]; {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth <= 0 {
				headed = true
			}
		case c == '{' && headed:
			return offset + 1, true
		case headed && depth <= 0 && !unicode.IsSpace(rune(c)):
			return 0, false
		}
	}
	return 0, false
}

// markLoops writes labels where iterations of loops begin; lines stay as they are. named is what a place calls the source.
func markLoops(text []byte, named string, loops []nest.Pos) []byte {
	type mark struct{ at, loop int }
	var all []mark
	for i, p := range loops {
		if at, ok := bodyOf(text, p); ok && p.File == named {
			all = append(all, mark{at, i})
		}
	}
	slices.SortFunc(all, func(a, b mark) int { return b.at - a.at })
	for _, m := range all {
		text = slices.Concat(text[:m.at], []byte(label(loopName, m.loop)), text[m.at:])
	}
	return text
}

// iterated is how often loops that data end iterated when the code was followed, as a share of what the analysis says, where both are known. Executions of
// regions that are one function with different values add up; those of functions that call others hold these.
func (c *Cycles) iterated(programs []*nest.Program, blocks [][]*timing.Block) map[nest.Pos]float64 {
	said := map[nest.Pos]map[nest.Pos]float64{} // by loop and function
	for i, p := range programs {
		for _, b := range blocks[i] {
			if b.Loop == nil || !b.Loop.Early {
				continue
			}
			of := said[b.Loop.Pos]
			if of == nil {
				of = map[nest.Pos]float64{}
				said[b.Loop.Pos] = of
			}
			runs := max(c.runs[i], 1)
			if all := Entries(programs, p); all > 0 {
				runs *= float64(p.Entered) / all
			}
			of[p.Entry] += runs * b.Executions
		}
	}
	out := map[nest.Pos]float64{}
	for i, at := range c.code.early {
		most := 0.0
		for _, n := range said[at] {
			most = max(most, n)
		}
		if n := c.iterations[i]; n > 0 && most > 0 {
			out[at] = n / most
		}
	}
	return out
}

// around gives for each loop the innermost one of which iterations are counted that it is or stands in.
func around(programs []*nest.Program, loops []nest.Pos) map[*nest.Loop]nest.Pos {
	out := map[*nest.Loop]nest.Pos{}
	var walk func(nodes []nest.Node, at nest.Pos)
	walk = func(nodes []nest.Node, at nest.Pos) {
		for _, n := range nodes {
			within := at
			if l, ok := n.(*nest.Loop); ok {
				if l.Early && slices.Contains(loops, l.Pos) {
					within = l.Pos
				}
				out[l] = within
			}
			for _, below := range nest.Children(n) {
				walk(below, within)
			}
		}
	}
	for _, p := range programs {
		walk(p.Body, nest.Pos{})
	}
	return out
}

// scales are by how much the executions of loops that were followed differ from those of the analysis, where data end loops around them.
func (c *Cycles) scales(programs []*nest.Program, blocks [][]*timing.Block) map[*nest.Loop]float64 {
	iterated := c.iterated(programs, blocks)
	out := map[*nest.Loop]float64{}
	for l, at := range around(programs, c.code.early) {
		if s, ok := iterated[at]; ok {
			out[l] = s
		}
	}
	return out
}
