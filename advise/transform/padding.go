package transform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"foresee/advise/syntax"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// ElementPaddings gives each element of arrays lines of its own, so that threads that write neighbours do not share one: a dimension more, of which the first is
// used. Arrays that are then larger than most bytes are left.
func (s *Source) ElementPaddings(names []string, line, most int64) (all []*Change) {
	for _, a := range s.arrays() {
		if !slices.Contains(names, a.name) || len(a.dimensions) != 1 || nestedUses(a) {
			continue
		}
		elem := s.elementBytes(a)
		if elem <= 0 || elem >= line {
			continue
		}
		n := (line + elem - 1) / elem
		if line%elem != 0 {
			n++ // it may begin anywhere in a line
		}
		if bytes := s.bytes(a.name); bytes*n > most {
			continue
		}
		edits := []edit{a.redeclared(a.dimensions[0], strconv.FormatInt(n, 10))}
		for _, u := range a.uses {
			edits = append(edits, edit{u.end, u.end, "[0]"})
		}
		all = append(all, &Change{
			Kind: Padding, Title: fmt.Sprintf("give each element of %s a line of its own, %d bytes", a.name, n*elem), Line: s.Line(a.begin), Text: s.edited(edits), Conditions: foreign(a), Array: a.name, Unshared: true,
		})
	}
	return all
}

// bytes is how large an array is, as the nests know; 0 where they do not.
func (s *Source) bytes(name string) (n int64) {
	for _, p := range s.Programs {
		for _, o := range p.Objects {
			if o.Name == name {
				n = max(n, o.Bytes)
			}
		}
	}
	return n
}

// elementBytes is the size of an array's elements: by its type, or, of structures, by the smallest step of an access.
func (s *Source) elementBytes(a *array) (least int64) {
	kind := strings.TrimSpace(strings.TrimPrefix(a.before, "static"))
	if n := scalarBytes(strings.Join(strings.Fields(kind), " ")); n > 0 {
		return n
	}
	for _, p := range s.Programs {
		nest.Walk(p.Body, func(n nest.Node) {
			st, ok := n.(*nest.Stmt)
			if !ok {
				return
			}
			for _, x := range st.Accesses {
				if form, affine := expr.AffineOf(x.Offset); affine && x.Object.Name == a.name {
					for _, t := range form.Terms {
						if c := max(t.C, -t.C); c > 0 && (least == 0 || c < least) {
							least = c
						}
					}
				}
			}
		})
	}
	return least
}

// scalarBytes is the size of a number by the name of its type; 0 of others.
func scalarBytes(kind string) int64 {
	switch kind {
	case "double":
		return 8
	case "float":
		return 4
	}
	return integers[kind]
}

// ThreadCounter is an element that a thread takes by its number, and writes in a loop.
type ThreadCounter struct {
	Array, Text string
	Line        int
}

// ThreadCounters are the elements that threads write again and again in loops of a function, and of which several lie in a line: A[omp_get_thread_num()], also where
// a variable has the number. They are found in the text, as such accesses are in no nest.
func (s *Source) ThreadCounters(line int64, function string) (all []ThreadCounter) {
	for _, a := range s.arrays() {
		if bytes := s.elementBytes(a); len(a.dimensions) != 1 || bytes <= 0 || bytes >= line {
			continue
		}
		for _, u := range a.uses {
			f := s.FunctionAt(u.begin)
			if f == nil || f.Name != function || !slices.ContainsFunc(f.Body.Loops(), func(l *syntax.Node) bool { return l.Holds(u.begin) }) || !s.isThread(f, strings.TrimSpace(s.Text[u.subscripts[0][0]:u.subscripts[0][1]])) {
				continue
			}
			next, _ := slices.BinarySearchFunc(s.Tokens, u.end, func(t syntax.Token, at int) int { return t.Begin - at })
			for mark(s.Tokens, next) == "." {
				next += 2
			}
			if x := mark(s.Tokens, next); assigning[x] {
				all = append(all, ThreadCounter{a.name, s.Text[u.begin:u.end], s.Line(u.begin)})
			}
		}
	}
	return all
}

// threadNumber is the call of OpenMP that gives a thread its number.
const threadNumber = "omp_get_thread_num"

// isThread tells whether a subscript is the number of the thread: the call, or a variable that is assigned it.
func (s *Source) isThread(f *syntax.Function, subscript string) bool {
	if words := syntax.Tokens(subscript); len(words) != 1 {
		return len(words) == 3 && words[0].Is(threadNumber)
	}
	found := false
	f.Body.Each(func(n *syntax.Node) {
		words := s.Words(n)
		for i, t := range words {
			if n.Kind == syntax.Simple && t.Text == subscript && mark(words, i+1) == "=" && i+2 < len(words) && words[i+2].Text == threadNumber {
				found = true
			}
		}
	})
	return found
}
