package parse

import "strconv"

// EvaluateClause computes an integer expression of numbers and names.
func EvaluateClause(s string, lookup func(string) (int64, bool)) (int64, bool) {
	e := clauseParser{sc: newScanner(s), lookup: lookup, ok: true}
	e.next()
	v := e.comparison()
	return v, e.ok && e.t == ""
}

type clauseParser struct {
	sc     *scanner
	t      string
	lookup func(string) (int64, bool)
	ok     bool
	depth  int
}

func (e *clauseParser) next() { e.t = e.sc.next().text }

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
