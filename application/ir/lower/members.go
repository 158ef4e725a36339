package lower

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/application/csource/value"
	"foresee/application/ir/place"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// foreign tells global variables that may hold another value than their first one, when the analysis begins at a function that the program calls later.
func (l *lowerer) foreign(o *object) bool {
	if !l.late || o.global == "" || o.fixed {
		return false
	}
	if l.changed == nil {
		l.changed = l.m.Changed()
	}
	return l.changed[o.global] || !l.whole
}

// before is what lies in an object of which nothing was followed that set it: a number that the caller may define, or a pointer to an object of its
// own. ok is false where nothing is known of it.
func (l *lowerer) before(o *object, at int64, t *text.Type) (v val, ok bool) {
	if o.outside || l.foreign(o) {
		if v, ok := l.described(o, at, t); ok {
			return v, true
		}
	}
	switch t.Kind {
	case text.Int:
		names := l.namesOf(o, at)
		if len(names) == 0 || !o.outside && o.typ == nil {
			return val{}, false
		}
		if v, there := l.definedAs(names); there {
			return v, true
		}
		return unknown(askFor + names[0]), true
	case text.Pointer:
		if !o.outside && !l.foreign(o) {
			return val{}, false
		}
		if v, there := o.first[at]; there {
			return v, true
		}
		part := l.m.Part(o.debug, at)
		if endsVector(part.Library) {
			return l.behind(o, at, part, t), true
		}
		made := l.newObject("", nil)
		made.outside, made.debug = true, part.Type
		l.entitle(made, o, at)
		v = val{kind: pointer, o: made, e: expr.Int(0)}
		l.begins(o, at, t, v)
		return v, true
	}
	return val{}, false
}

// begins notes the pointer that an object held before.
func (l *lowerer) begins(o *object, at int64, t *text.Type, v val) {
	if o.first == nil {
		o.first = map[int64]val{}
	}
	o.first[at] = v
	l.memory.set(o, at, t.Stored(), v)
}

// namesOf are the names by which the caller may define a number in an object, the longest first: that of a variable, or grid.n and n of a member. What a
// container of a library counts is its size.
func (l *lowerer) namesOf(o *object, at int64) []string {
	if o.Name == "" {
		return nil
	}
	part := l.m.Part(o.debug, at) // nothing of −1
	switch {
	case part.Library != "" && !ofSize.MatchString(part.Library):
		return nil
	case part.Library != "":
		return []string{joined(o.variable(), part.Name) + ".size"}
	case part.Name != "":
		names := []string{joined(o.variable(), part.Name)}
		for rest, more := names[0], true; more; {
			if _, rest, more = strings.Cut(rest, "."); more {
				names = append(names, rest)
			}
		}
		return names
	case at != 0:
		return nil
	}
	typ := o.debug
	if o.outside && !l.m.IsNumber(typ) { // Fortran gives numbers by their address
		typ, _ = l.m.PointsAt(typ)
	}
	if !l.m.IsNumber(typ) && o.typ == nil {
		return nil
	}
	return []string{o.variable()}
}

// ofSize tells the members of containers that say how much they hold, as _M_finish, _M_string_length and __size_.
var ofSize = regexp.MustCompile(`finish|end|size|length|count|extent`)

// definedAs is what the caller defined by one of some names.
func (l *lowerer) definedAs(names []string) (val, bool) {
	for _, name := range names {
		if n, there := l.defined[name]; there {
			l.used[name] = true
			return constant(n), true
		}
	}
	return val{}, false
}

// endsVector tells the member in which a vector of libstdc++ or libc++ holds where its elements end; the one before holds where they begin.
func endsVector(member string) bool { return member == "_M_finish" || member == "__end_" }

// behind is the end of a vector of which the caller may define the size.
func (l *lowerer) behind(o *object, at int64, part text.Part, t *text.Type) val {
	size := t.Stored()
	var begin val
	if c := l.memory[o]; c != nil {
		begin = c.cells.at(at - size)
	}
	if begin.kind != pointer {
		begin, _ = l.before(o, at-size, t)
	}
	_, element := l.m.PointsAt(part.Type)
	names := l.namesOf(o, at)
	n, there := l.definedAs(names)
	switch {
	case begin.kind != pointer || element == 0 || len(names) == 0:
		return unknown(loadedFrom + shown(o))
	case !there:
		return unknown(askFor + names[0])
	}
	return val{kind: pointer, o: begin.o, e: plus(begin.e, times(n.e, expr.Int(element)))}
}

// variable is the name of the variable that an object is, or was before what its member points at took it.
func (o *object) variable() string {
	name := o.Name
	if o.held != "" {
		name = o.held
	}
	name, _, _ = strings.Cut(name, "#") // the variable of another function that has the name too
	return name
}

// entitle gives what a member of a variable points at the name of the variable, which then means its members.
func (l *lowerer) entitle(o, of *object, at int64) {
	if of.held == "" {
		of.held = of.Name
		of.Name = l.distinct(of.held + " (members)")
	}
	member := plainMember(l.m.Member(of.debug, at))
	switch {
	case member != "":
		o.Name = l.distinct(joined(of.held, member))
	case !l.taken[of.held+" held"]:
		l.taken[of.held+" held"], o.Name = true, of.held
	default:
		o.Name = l.distinct(fmt.Sprintf("%s+%d", of.held, at))
	}
}

// plainName is the name of a variable; "" of what has only a number in the IR.
func plainName(name string) string {
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		return ""
	}
	return name
}

// plainMember is what a user calls a member: where the elements of one of Rust's vectors, boxes and slices lie has no name in the source.
func plainMember(name string) string {
	return strings.Trim(insides.ReplaceAllString("."+name, ""), ".")
}

// insides are members of types of Rust's library, each in the one before.
var insides = regexp.MustCompile(`(\.(buf|inner|ptr|pointer|data_ptr|__0))+$`)

// How far rows lie apart of which nothing is known, in bytes, until it is known how long they are, and how far blocks of rows. Chosen: no row is half as long,
// no block has more than 4096 rows, and all have addresses.
const (
	pitch      = int64(1) << 32
	blockPitch = int64(1) << 45
)

// rowsOf says what holds the addresses of rows: an object, and the place in its elements, which have a size.
type rowsOf struct {
	holder   *object
	at, size int64
	inBlocks bool // each row of the holder leads to a block of rows
}

// rowAt is where an address leads that lies in one of the elements of an object which was made before: pointers to rows, or vectors of which rows are made.
// Where no run tells it, nothing is known of where rows lie, which are an object of their own; else v. Of an element by itself it is v too, unless rows are
// known.
func (l *lowerer) rowAt(f *frame, in *text.Inst, p, v val) val {
	one := p.e.Op == expr.OpConst
	if in.Type.Kind != text.Pointer || v.kind != data && !one || !p.o.outside || l.mayBeWritten(p, in.Type.Stored()) || l.unlaid[p.o.Object].inBlocks {
		return v
	}
	_, size := l.m.PointsAt(p.o.debug)
	size = max(size, in.Type.Stored())
	block, within := expr.Int(0), p.e
	if l.isUnlaid(p.o.Object) {
		var ok bool
		if block, within, ok = value.Split(p.e, pitch); !ok {
			return v
		}
	}
	index, field, ok := value.Split(within, size)
	at, known := value.Constant(field)
	if !ok || !known {
		return v
	}
	if at < 0 { // nearer to the next one
		at, index = at+size, minus(index, expr.Int(1))
	}
	part := l.m.Part(p.o.debug, at)
	begin := at // of the row whose end is in that place
	if endsVector(part.Library) {
		begin -= word
	}
	if e := l.toldRow(f, p, begin, size); e != nil {
		return val{kind: pointer, o: l.rowsBehind(rowsOf{holder: p.o, at: begin, size: size}, true), e: e}
	}
	if begin != at || one && p.o.rows[at] == nil {
		return v
	}
	rows := l.rowsBehind(rowsOf{p.o, at, size, l.isUnlaid(p.o.Object)}, false)
	l.standing(f, rows)
	return val{kind: pointer, o: rows, e: plus(times(expr.Int(blockPitch), block), times(expr.Int(pitch), index))}
}

// mayBeWritten tells whether something may write to so many bytes at a pointer. While code is only looked at, counters have no bounds yet.
func (l *lowerer) mayBeWritten(p val, size int64) bool {
	return p.o.mayBeWritten(p.e, size, func(v expr.Var) expr.Range {
		if l.dry > 0 {
			return expr.Whole
		}
		return l.ranges[v]
	})
}

// isUnlaid tells rows of which it is not known yet how long they are.
func (l *lowerer) isUnlaid(o *nest.Object) bool {
	_, is := l.unlaid[o]
	return is
}

// rowsBehind are the rows that a place in the elements of an object leads to, as a run told or not.
func (l *lowerer) rowsBehind(of rowsOf, told bool) *object {
	key := of.at
	if told {
		key = -1 - of.at
	}
	o := of.holder.rows[key]
	if o == nil {
		o = l.newObject("", nil)
		o.outside, o.debug = true, l.m.Part(of.holder.debug, of.at).Type
		o.Name = l.distinct(of.holder.variable() + "[]")
		if of.holder.rows == nil {
			of.holder.rows = map[int64]*object{}
		}
		of.holder.rows[key] = o
		if !told {
			l.unlaid[o.Object] = of
		}
		o.stands = &standing{of: of, used: expr.Range{Lo: math.MaxInt64, Hi: -1}}
	}
	return o
}

// writtenElsewhere tells whether something may write to some of these rows by another table of their addresses.
func (l *lowerer) writtenElsewhere(rows *object) bool {
	return slices.ContainsFunc(l.toldRows, func(o *object) bool {
		return o != rows && o.anyWritten() && slices.ContainsFunc(o.stands.told, func(d *distances) bool {
			return slices.ContainsFunc(rows.stands.told, d.meets)
		})
	})
}

// meets tells whether two tables lead to one row.
func (d *distances) meets(other *distances) bool {
	return slices.ContainsFunc(d.rows, func(row int64) bool {
		_, there := slices.BinarySearch(other.rows, row)
		return there
	})
}

// standing is where a run finds the addresses of rows, and what it told of them.
type standing struct {
	of     rowsOf
	behind []rowsAt
	told   []*distances
	used   expr.Range // words of the tables that are asked
}

// rowsAt is a pointer of a function behind which the addresses of rows stand, the first of them behind so many other words.
type rowsAt struct {
	function, pointer string
	first             int64
}

// members gives where integers lie that are accessed behind a pointer, in bytes: the first of them, and how far it is to the next. They are members of elements
// where that is more than their size.
func members(behind *expr.Expr, size int64) (first, step int64) {
	from, step, ok := value.Steps(behind)
	if !ok || from < 0 || step <= size || step > widestElement || step%size != 0 || from%step%size != 0 {
		return 0, size
	}
	return from % step, step
}

// widestElement bounds the size of elements, in bytes. Chosen: there is no structure as large of which many are passed over.
const widestElement = 1 << 20

// inRowsOf is where a run tells the integers in rows, by a pointer of a function to where the addresses of those stand: every so many words, from the first on.
func (r rowsAt) inRowsOf(step, size int64, signed bool) csource.Place {
	return place.RowsOf(r.function, r.pointer, r.first, step, size, signed)
}

// isRows tells rows of which some may be nowhere.
func (o *object) isRows() bool { return o != nil && o.stands != nil }

// isNull compares a row with the null pointer: a run tells which rows there are.
func (l *lowerer) isNull(how string, row val) val {
	p, ok := comparisons[how]
	if !ok || l.isUnlaid(row.o.Object) {
		return unknown("which rows of " + shown(row.o.stands.of.holder) + " there are is not known")
	}
	return val{kind: integer, e: expr.Binary(p.op, value.Normal(row.e), expr.Int(0))}
}

// standing notes by which pointers of a function a run finds rows.
func (l *lowerer) standing(f *frame, rows *object) {
	s := rows.stands
	if l.tells == nil || s.of.inBlocks || s.of.size%word != 0 {
		return
	}
	for _, r := range l.rootsOf(f, s.of.holder) {
		first := s.of.at - r.at
		at := rowsAt{f.f.Name, r.name, first / word}
		if first >= 0 && first%word == 0 && len(s.behind) < mostRoots && !slices.Contains(s.behind, at) {
			s.behind = append(s.behind, at)
		}
	}
}

// toldInRows is an integer in rows that a run told, or that is asked for; else v.
func (l *lowerer) toldInRows(p, v val, size int64, signed bool) val {
	s := p.o.stands
	if s == nil || s.of.holder.anyWritten() || l.writtenElsewhere(p.o) {
		return v
	}
	for _, b := range s.behind {
		n, ok := l.tells.at(b.inRowsOf(s.of.size/word, size, signed), "")
		if !ok {
			continue
		}
		if table := l.tells.tables[n]; table != nil {
			if at := s.index(table, p.e, size); at != nil { // no program reads behind the rows that it has, however far apart they lie
				return val{kind: integer, e: l.composed(table, at)}
			}
		} else if l.tells.asks {
			v = constant(n)
		}
	}
	return v
}

// index is where the table of what rows hold has what lies so many bytes behind the first row; nil where that is not known. The table begins with the address that
// its other elements begin at.
func (s *standing) index(table *expr.Table, behind *expr.Expr, size int64) *expr.Expr {
	values, per := table.Values(), word/size
	if int64(len(values)) <= per {
		return nil
	}
	base := uint64(0)
	for i := range per {
		base |= uint64(values[i]) << (64 - 8*size) >> (64 - 8*size) << (8 * size * i)
	}
	less, ok := s.less(int64(base), int64(base)+(int64(len(values))-per)*size)
	if !ok {
		return nil
	}
	bytes := plus(behind, expr.Int(less-int64(base)+word))
	if e := value.Quotient(bytes, size); e != nil {
		return e
	}
	return expr.Binary(expr.OpFloorDiv, bytes, expr.Int(size))
}

// less is by how much less than they are the addresses of rows count that are asked for; false where not all by the same, or one does not lie between two addresses.
func (s *standing) less(from, to int64) (less int64, ok bool) {
	looked := s.used.Hi < s.used.Lo // nothing was asked for sure yet
	for _, d := range s.told {
		for w := d.first; w < int64(len(d.addresses)); w += d.step {
			row := d.addresses[w]
			if row < noAddress || !looked && (w < s.used.Lo || w > s.used.Hi) || looked && (row < from || row >= to) {
				continue
			}
			k, _ := slices.BinarySearch(d.rows, row)
			if row < from || row >= to || ok && d.less[k] != less {
				return 0, false
			}
			less, ok = d.less[k], true
		}
	}
	return less, ok
}
