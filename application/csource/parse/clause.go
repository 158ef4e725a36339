package parse

import "strconv"

// EvaluateClause computes an integer expression of numbers and names.
func EvaluateClause(s string, lookup func(string) (int64, bool)) (int64, bool) {
	e := clauseParser{sc: newScanner(s), lookup: lookup, ok: true}
	e.next()
	v := e.comparison()
	return v, e.ok && e.t == ""
}

// clauseParser evaluates an integer in a clause, by recursive descent: comparisons of sums of products of atoms. ok turns false where it is
// none.
type clauseParser struct {
	sc     *scanner
	t      string
	lookup func(string) (int64, bool)
	ok     bool
	depth  int
}

func (e *clauseParser) next() { e.t = e.sc.next().text }

// comparison reads a comparison, 1 or 0, or a sum alone.
func (e *clauseParser) comparison() int64 {
	v := e.sum()
	op := e.t
	if op != "<" && op != ">" && op != "=" && op != "!" {
		return v
	}
	e.next()
	equal := e.t == "="
	if equal {
		e.next()
	}
	w := e.sum()
	e.ok = e.ok && (equal || op == "<" || op == ">")
	if op == "<" && v < w || op == ">" && v > w || equal && op != "!" && v == w || op == "!" && v != w {
		return 1
	}
	return 0
}

// sum reads products that are added or subtracted.
func (e *clauseParser) sum() int64 {
	v := e.product()
	for e.t == "+" || e.t == "-" {
		op := e.t
		e.next()
		if w := e.product(); op == "+" {
			v += w
		} else {
			v -= w
		}
	}
	return v
}

// product reads atoms that are multiplied or divided.
func (e *clauseParser) product() int64 {
	v := e.atom()
	for e.t == "*" || e.t == "/" {
		op := e.t
		e.next()
		w := e.atom()
		switch {
		case op == "*":
			v *= w
		case w == 0:
			e.ok = false
		default:
			v /= w
		}
	}
	return v
}

// atom reads a number, a name that lookup knows, a sign, or something in parentheses.
func (e *clauseParser) atom() int64 {
	t := e.t
	e.next()
	if e.depth++; e.depth > MaxNesting || t == "" {
		e.ok = false
		return 0
	}
	switch {
	case t == "(":
		v := e.comparison()
		e.ok = e.ok && e.t == ")"
		e.next()
		return v
	case t[0] >= '0' && t[0] <= '9':
		v, err := strconv.ParseInt(t, 0, 64)
		e.ok = e.ok && err == nil
		return v
	case isWord(t[0]):
		v, ok := e.lookup(t)
		e.ok = e.ok && ok
		return v
	}
	e.ok = false
	return 0
}
