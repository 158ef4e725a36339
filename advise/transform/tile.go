package transform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"foresee/advise/syntax"
)

// TileSizes are the iterations of a tile that are tried. Chosen: powers of two, of which a tile of lines fits the caches there are.
var TileSizes = []int{16, 32, 64, 128, 256}

// Tilings cuts the iterations of loops in a band into tiles, each of so many iterations; loops of fewer are left. Bands whose innermost loop hands values
// from one iteration to the next, as sums do, are left: what it costs to begin such a chain anew for each tile the models take for little, and were wrong in
// most cases that were measured (docs/accuracy/advise.md).
func (s *Source) Tilings(l *syntax.Node, size int) (all []*Change) {
	band := l.Band()
	st := s.study(l)
	if st == nil || len(band) < 2 || len(band) > 5 || !st.sequential(band[0]) || !st.tiles(band) {
		return nil
	}
	if inner := len(band) - 1; !st.independent(band, band[inner], band[:inner]) {
		return nil
	}
	for _, set := range tiledSets(len(band)) {
		if c := st.tiling(band, set, size); c != nil {
			all = append(all, c)
		}
	}
	return all
}

// tiledSets are which loops of a band are tiled: all, all but the outermost, the two inner ones, and each but the outermost alone.
func tiledSets(n int) (all [][]int) {
	all = append(all, identity(n), identity(n)[1:])
	if n > 3 {
		all = append(all, identity(n)[n-2:])
	}
	for i := 1; i < n && n > 2; i++ {
		all = append(all, []int{i})
	}
	return slices.CompactFunc(all, slices.Equal)
}

func (st *study) tiling(band []*syntax.Node, set []int, size int) *Change {
	var outer, inner []line
	var names, tiles []string
	for i, l := range band {
		h := *l.Head
		if !slices.Contains(set, i) {
			inner = append(inner, line{head: h.String()})
			continue
		}
		if !h.Unit() || h.Op != "<" && h.Op != "<=" || st.trips(l) <= int64(size) {
			return nil
		}
		low, bound, ok := hull(band[:i], &h)
		if !ok {
			return nil
		}
		tile := st.fresh(h.Var+h.Var, tiles)
		tiles = append(tiles, tile)
		n := strconv.Itoa(size)
		outer = append(outer, line{head: fmt.Sprintf("for (%s %s = %s; %s %s %s; %s += %s)", st.typeOf(l), tile, low, tile, h.Op, bound, tile, n)})
		end := smaller(tile+" + "+n, h.Bound)
		if h.Op == "<=" {
			end = smaller(tile+" + "+strconv.Itoa(size-1), h.Bound)
		}
		begin := tile
		if !same(low, h.Low) {
			begin = larger(tile, h.Low)
		}
		point := syntax.Head{Type: h.Type, Var: h.Var, Low: begin, Op: h.Op, Bound: end, Step: h.Step}
		inner = append(inner, line{head: point.String()})
		names = append(names, h.Var)
	}
	lines := st.tileDealing(band, set, outer, inner)
	if lines == nil {
		return nil
	}
	c := st.change(Tiling, band, "tile %s by %d", strings.Join(names, ", "), size)
	c.Loops = names
	c.Text = st.replaced(st.loop, st.nested(st.Indent(st.loop.Begin), st.unit(st.loop), lines, band[len(band)-1].Body))
	return c
}

// tileDealing puts the directive of the outermost loop before its tiles, or, where it is not tiled, outside those of the others.
func (st *study) tileDealing(band []*syntax.Node, set []int, outer, inner []line) []line {
	pragma := dealing(band[0])
	switch {
	case pragma == "":
	case strings.Contains(pragma, "collapse") || strings.Contains(pragma, "ordered") || strings.Contains(pragma, "schedule") || strings.Contains(pragma, "lastprivate"):
		return nil
	case set[0] == 0:
		var with []string
		if band[0].Head.Type == "" {
			with = []string{band[0].Head.Var}
		}
		outer[0].pragma = clause(pragma, nil, with)
	default: // the outermost loop stays outside the tiles
		first := line{head: band[0].Head.String(), pragma: pragma}
		return slices.Concat([]line{first}, outer, inner[1:])
	}
	return slices.Concat(outer, inner)
}

// hull are bounds of a loop for all iterations of the loops around it in a band.
func hull(around []*syntax.Node, h *syntax.Head) (low, bound string, ok bool) {
	low, bound = h.Low, h.Bound
	for _, l := range slices.Backward(around) {
		o := l.Head
		if syntax.Mentions(low, o.Var) {
			if _, simple := offset(low, o.Var); !simple || !o.Unit() || o.Op != "<" && o.Op != "<=" {
				return "", "", false
			}
			low = syntax.Replace(low, o.Var, paren(o.Low))
		}
		if syntax.Mentions(bound, o.Var) {
			if _, simple := offset(bound, o.Var); !simple || !o.Unit() || o.Op != "<" && o.Op != "<=" {
				return "", "", false
			}
			last := paren(o.Bound)
			if o.Op == "<" {
				last = "(" + paren(o.Bound) + " - 1)"
			}
			bound = syntax.Replace(bound, o.Var, last)
		}
	}
	return low, bound, true
}

// trips is how many iterations a loop has at most, as its nests know.
func (st *study) trips(l *syntax.Node) (most int64) {
	for _, n := range st.nests {
		for _, r := range n.References {
			for _, x := range r.Loops {
				if o, ok := st.Offset(x.Pos); ok && o == l.Begin {
					most = max(most, tripsOf(x, r.Loops))
				}
			}
		}
	}
	return most
}

// fresh is a name that the source does not have.
func (s *Source) fresh(base string, also []string) string {
	name := base
	for i := 2; ; i++ {
		used := slices.Contains(also, name) || slices.ContainsFunc(s.Tokens, func(t syntax.Token) bool {
			return t.Kind == syntax.Word && t.Text == name || t.Kind == syntax.Directive && syntax.Mentions(t.Text[1:], name)
		})
		if !used {
			return name
		}
		name = base + strconv.Itoa(i)
	}
}

// typeOf is the type of a loop's variable, as its head or the function declares it; int where that is not found, as loops mostly have.
func (s *Source) typeOf(l *syntax.Node) string {
	if l.Head.Type != "" {
		return l.Head.Type
	}
	if f := s.FunctionAt(l.Begin); f != nil {
		if t := s.declaredType(f, l.Head.Var); t != "" {
			return t
		}
	}
	return "long"
}

// declaredType is the words of the type with which a function declares a variable; "" where it is not of words alone.
func (s *Source) declaredType(f *syntax.Function, name string) (found string) {
	f.Body.Each(func(n *syntax.Node) {
		words := s.Words(n)
		if found != "" || n.Kind != syntax.Simple || !isDeclaration(words) || !slices.Contains(declaredBy(words), name) {
			return
		}
		var all []string
		for i, t := range words {
			if t.Kind != syntax.Word || i+1 < len(words) && words[i+1].Kind == syntax.Mark {
				break
			}
			if t.Text != "const" && t.Text != "register" {
				all = append(all, t.Text)
			}
		}
		if !strings.Contains(s.TextOf(n), "*"+name) && !strings.Contains(s.TextOf(n), "* "+name) {
			found = strings.Join(all, " ")
		}
	})
	if found != "" {
		return found
	}
	for _, p := range strings.Split(f.Parameters, ",") {
		w := syntax.Tokens(p)
		if n := len(w); n > 1 && w[n-1].Text == name && !strings.Contains(p, "*") {
			return strings.TrimSpace(p[:w[n-1].Begin])
		}
	}
	return ""
}
