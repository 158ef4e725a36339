package record

import (
	"slices"
	"strings"

	"foresee/application/record/instrument"
)

// region looks at what each thread of a parallel region does.
func (s *teamSource) region(i int) {
	t := s.tokens[i]
	end := s.statement(i + 1)
	r := &teamRegion{teamSource: s, private: map[string]bool{}, arrays: map[string]bool{}}
	r.clauses(t.more)
	if slices.Contains(t.omp, "for") {
		s.loop(i, r.private)
		return
	}
	if slices.Contains(t.omp, "sections") {
		return
	}
	for j := i + 1; j < end; {
		j = r.step(j, end)
	}
	r.declare(i+1, end)
	for _, w := range r.shared {
		s.loop(w, r.private)
	}
	for _, k := range r.each {
		r.look(k)
	}
	for _, clause := range []string{"private", "firstprivate"} {
		if s.cxx && slices.ContainsFunc(s.listed(i, clause), s.ofClass) {
			s.name(instrument.CallsOthers, i)
		}
	}
}

// teamRegion is a parallel region.
type teamRegion struct {
	*teamSource
	private map[string]bool // variables that each thread has of its own
	arrays  map[string]bool // those of them that are arrays
	each    []int           // what each thread runs
	shared  []int           // worksharing loops
	inside  []int           // what these and single run
}

// clauses notes variables that clauses make private.
func (r *teamRegion) clauses(all []string) {
	for _, c := range all {
		name, body, ok := strings.Cut(strings.TrimSuffix(c, ")"), "(")
		if ok && (name == "private" || name == "firstprivate" || name == "lastprivate") {
			for v := range strings.SplitSeq(body, ",") {
				r.private[strings.TrimSpace(v)] = true
			}
		}
	}
}

// step sorts a token: what each thread runs, or what work is shared of.
func (r *teamRegion) step(j, end int) int {
	t := r.tokens[j]
	for _, n := range t.omp {
		switch n {
		case "for", "sections", "single", "master", "masked":
			next := min(r.statement(j+1), end)
			if slices.ContainsFunc(t.more, func(c string) bool { return strings.HasPrefix(c, "filter") }) {
				r.name(instrument.Change, j) // by a thread that need not be there
			}
			if n == "for" {
				r.shared = append(r.shared, j)
			}
			for k := j + 1; k < next; k++ {
				r.inside = append(r.inside, k)
			}
			return max(next, j+1)
		}
	}
	r.each = append(r.each, j)
	return j + 1
}

// declare notes variables that are declared where each thread runs.
func (r *teamRegion) declare(from, to int) {
	for _, j := range r.each {
		if j <= from-1 || j >= to || !nameForm.MatchString(r.at(j)) || keywords[r.at(j)] {
			continue
		}
		before := j - 1
		for before >= from && (r.at(before) == "*" || r.at(before) == "const" || r.at(before) == ">" || r.at(before) == "&") {
			before--
		}
		next := r.at(j + 1)
		typed := nameForm.MatchString(r.at(before)) && !keywords[r.at(before)] || r.at(before) == "," && r.declares(before, from)
		if typed && (next == "=" || next == ";" || next == "," || next == "[") && (before == j-1 || r.at(before-1) == ";" || r.at(before-1) == "{" || nameForm.MatchString(r.at(before-1))) {
			r.private[r.at(j)] = true
			r.arrays[r.at(j)] = next == "["
		}
	}
}

// declares says whether a comma is in a declaration of several variables.
func (r *teamRegion) declares(i, from int) bool {
	depth := 0
	for ; i >= from; i-- {
		switch r.at(i) {
		case ")", "]", "}":
			depth++
		case "(", "[":
			if depth--; depth < 0 {
				return false
			}
		case "{", ";":
			if depth == 0 {
				return nameForm.MatchString(r.at(i+1)) && (nameForm.MatchString(r.at(i+2)) || r.at(i+2) == "*") && !keywords[r.at(i+1)]
			}
			if r.at(i) == "{" {
				depth--
			}
		}
	}
	return false
}

// look looks at a token that each thread runs.
func (r *teamRegion) look(i int) {
	t := r.tokens[i]
	switch {
	case slices.Contains(t.omp, "task") || slices.Contains(t.omp, "taskloop"):
		r.name(instrument.MakesTasks, i)
	case slices.Contains(t.omp, "parallel"):
		r.name(instrument.Change, i)
	case nameForm.MatchString(t.text) && r.at(i+1) == "(" && !keywords[t.text] && !quiet[t.text] && !r.prints(i) && !strings.HasPrefix(t.text, "__builtin_"):
		r.name(instrument.CallsOthers, i)
	case (t.text == ")" || t.text == "]") && r.at(i+1) == "(":
		r.name(instrument.CallsOthers, i)
	case r.cxx && ((t.text == "<<" || t.text == ">>") && !r.streams(i) || r.makesObject(i)):
		r.name(instrument.CallsOthers, i)
	case assigns[t.text]:
		r.assignment(i)
	}
}

// prints tells calls that write to where people read.
func (r *teamRegion) prints(i int) bool {
	if t := r.at(i); t != "fprintf" && t != "fputs" && t != "fputc" && t != "fflush" {
		return false
	}
	return slices.ContainsFunc(r.tokens[i:r.closes(i+1)], func(t sourceToken) bool { return t.text == "stdout" || t.text == "stderr" })
}

// assignment looks at one.
func (r *teamRegion) assignment(i int) {
	base, plain := r.target(i)
	if r.private[base] && (plain || r.arrays[base]) {
		return
	}
	value, ends := r.at(i+1), r.at(i+2) == ";"
	switch {
	case !ends:
	case r.at(i) == "=" && literal.MatchString(value) && plain && r.unconditional():
		return
	case (r.at(i) == "+=" || r.at(i) == "-=") && r.gathered(value):
		return
	}
	what := instrument.Change
	if r.at(i) != "=" {
		what = instrument.Addition
	}
	r.name(what, i)
}

// target gives the variable that an assignment is to, plain where it is that variable itself.
func (s *teamSource) target(i int) (base string, plain bool) {
	j := i - 1
	if (s.at(i) == "++" || s.at(i) == "--") && !nameForm.MatchString(s.at(j)) && s.at(j) != "]" {
		return s.at(i + 1), nameForm.MatchString(s.at(i+1)) && (s.at(i+2) == ";" || s.at(i+2) == ")")
	}
	plain = true
	for s.at(j) == "]" {
		depth := 0
		for ; j >= 0; j-- {
			if s.at(j) == "]" {
				depth++
			} else if s.at(j) == "[" {
				if depth--; depth == 0 {
					break
				}
			}
		}
		j--
		plain = false
	}
	if !nameForm.MatchString(s.at(j)) {
		return "", false
	}
	switch s.at(j - 1) {
	case ".", "->":
		return "", false
	case "*":
		if before := s.at(j - 2); before == ";" || before == "{" || before == "}" || before == ")" || before == "*" {
			return "", false
		}
	}
	return s.at(j), plain
}

// unconditional says that nothing that each thread runs is under a condition.
func (r *teamRegion) unconditional() bool {
	return !slices.ContainsFunc(r.each, func(i int) bool {
		t := r.at(i)
		return t == "if" || t == "while" || t == "switch" || t == "?" || t == "do" || t == "&&" || t == "||"
	})
}

// gathered tells variables of the thread's own that begin with 0 and that only worksharing loops add to.
func (r *teamRegion) gathered(v string) bool {
	if !r.private[v] || r.arrays[v] {
		return false
	}
	begins, added := false, false
	for _, i := range r.each {
		if r.at(i) == v && assigns[r.at(i+1)] {
			if begins || r.at(i+1) != "=" || !slices.Contains([]string{"0", "0.0", "0.", "0.0f", "0.f"}, r.at(i+2)) || r.at(i+3) != ";" && r.at(i+3) != "," {
				return false
			}
			begins = true
		}
		if (r.at(i) == "&" || r.at(i) == "++" || r.at(i) == "--") && r.at(i+1) == v {
			return false
		}
	}
	for _, i := range r.inside {
		if r.at(i) == v {
			if r.at(i+1) != "+=" && r.at(i+1) != "-=" && r.at(i+1) != "++" {
				return false
			}
			added = true
		}
	}
	return begins && added
}
