package record

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"foresee/application/record/instrument"
)

// With gcc the optimised code is not followed. What each thread of a region does outside of worksharing loops, and what an iteration takes from
// another one through data of the thread's own, is looked for in the source, by its words: what is not one of a few forms matters.

// sourceToken is a word, a number, an operator or a directive of a preprocessed source.
type sourceToken struct {
	text string
	file string
	line int
	omp  []string // words of a directive: its names, before its clauses
	more []string // clauses
	// of a header of the system
	system bool
}

var (
	tokenForm  = regexp.MustCompile(`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|\.?\d(?:[\w.]|[eEpP][+-])*|->|\+\+|--|<<=|>>=|[-+*/%&|^]=|==|!=|<=|>=|&&|\|\||<<|>>|::|\S`)
	lineMarked = regexp.MustCompile(`^# (\d+) "([^"]*)"(.*)`)
	nameForm   = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	nameBegins = regexp.MustCompile(`^[A-Za-z_]\w*`)
	literal    = regexp.MustCompile(`^[\d.'"]`)
	assigns    = wordsOf("= += -= *= /= %= &= |= ^= <<= >>= ++ --")
	keywords   = wordsOf("if for while switch return sizeof else do case goto break continue alignof _Alignof typeof __typeof__ __extension__ default")
	// quiet are functions that leave shared data alone.
	quiet = wordsOf("printf puts putchar perror malloc calloc aligned_alloc free abs labs strlen strcmp strncmp atoi atof strtol strtod toupper tolower" +
		" omp_get_wtime omp_get_wtick omp_get_level omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_num_procs omp_in_parallel clock time" +
		" acos asin atan atan2 cos sin tan cosh sinh tanh exp exp2 log log2 log10 pow sqrt cbrt hypot floor ceil round fabs fmin fmax fmod sqrtf fabsf expf sinf cosf fminf fmaxf")
	alone = wordsOf("barrier taskwait taskyield flush threadprivate declare")
)

func wordsOf(text string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		all[w] = true
	}
	return all
}

// teamsOfSource gives the lines of the graph for what teams of a preprocessed source do; all of it matters.
func teamsOfSource(source string, cxx bool) string {
	s := &teamSource{cxx: cxx, own: map[string]bool{}, seen: map[string]bool{}}
	s.read(source)
	parallel := false
	for i, t := range s.tokens {
		if slices.Contains(t.omp, "threadprivate") || t.text == "__thread" || t.text == "_Thread_local" || t.text == "thread_local" {
			s.own[t.text] = true
			s.name(instrument.Carries, i)
		}
	}
	for i, t := range s.tokens {
		switch {
		case t.system && slices.Contains(t.omp, "parallel"): // its statements are left out
			parallel = true
			s.name(instrument.CallsOthers, i)
		case t.system:
		case slices.Contains(t.omp, "parallel"):
			parallel = true
			s.region(i)
		case slices.Contains(t.omp, "for"):
			s.loop(i, nil)
		}
	}
	if !parallel && len(s.own) == 0 {
		return ""
	}
	return s.text.String()
}

// teamSource is a source that is looked at.
type teamSource struct {
	cxx    bool
	tokens []sourceToken
	own    map[string]bool
	seen   map[string]bool
	text   strings.Builder
}

// read divides the source, without the headers of the system but for their directives.
func (s *teamSource) read(source string) {
	var all []sourceToken
	file, line, system := "", 0, false
	for l := range strings.Lines(source) {
		line++
		if m := lineMarked.FindStringSubmatch(l); m != nil {
			at, _ := strconv.Atoi(m[1])
			line, file, system = at-1, m[2], slices.Contains(strings.Fields(m[3]), "3")
			continue
		}
		if rest, ok := strings.CutPrefix(strings.TrimSpace(l), "#"); ok {
			if f := strings.Fields(rest); len(f) > 2 && f[0] == "pragma" && f[1] == "omp" {
				_, directive, _ := strings.Cut(rest, "omp")
				names, clauses := splitDirective(strings.TrimSpace(directive))
				if len(names) == 0 { // one with a list of its own: critical(NAME), threadprivate(LIST)
					names = nameBegins.FindAllString(strings.TrimSpace(directive), 1)
				}
				if len(names) == 0 {
					continue
				}
				all = append(all, sourceToken{text: "#", file: file, line: line, omp: names, more: clauses, system: system})
			}
			continue
		}
		if system {
			continue
		}
		for _, t := range tokenForm.FindAllString(l, -1) {
			all = append(all, sourceToken{text: t, file: file, line: line})
		}
	}
	s.tokens = all
}

// name adds a place that matters.
func (s *teamSource) name(what string, i int) {
	t := s.tokens[min(i, len(s.tokens)-1)]
	if at := fmt.Sprintf("A\t%s\t%d\t%s\t!\n", strings.ReplaceAll(filepath.Base(t.file), "\t", " "), t.line, what); !s.seen[at] {
		s.seen[at] = true
		s.text.WriteString(at)
	}
}

func (s *teamSource) at(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.tokens[i].text
}

// closes gives what follows the bracket that closes one.
func (s *teamSource) closes(i int) int {
	depth := 0
	for ; i < len(s.tokens); i++ {
		switch s.tokens[i].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return i
}

// statement gives what follows the statement that begins at a token.
func (s *teamSource) statement(i int) int {
	if i >= len(s.tokens) {
		return i
	}
	switch t := s.tokens[i]; {
	case t.omp != nil:
		if alone[t.omp[0]] {
			return i + 1
		}
		return s.statement(i + 1)
	case t.text == "{":
		return s.closes(i)
	case t.text == "if" || t.text == "for" || t.text == "while" || t.text == "switch":
		end := s.statement(s.closes(i + 1))
		if t.text == "if" && s.at(end) == "else" {
			end = s.statement(end + 1)
		}
		return end
	case t.text == "do":
		end := s.statement(i + 1)
		return s.closes(end+1) + 1
	}
	for i < len(s.tokens) && s.tokens[i].text != ";" {
		if s.tokens[i].text == "(" || s.tokens[i].text == "{" || s.tokens[i].text == "[" {
			i = s.closes(i)
		} else {
			i++
		}
	}
	return i + 1
}

// loop looks for what iterations take from others through variables of the thread's own.
func (s *teamSource) loop(i int, private map[string]bool) {
	r := &teamRegion{teamSource: s, private: maps.Clone(private), arrays: map[string]bool{}}
	if r.private == nil {
		r.private = map[string]bool{}
	}
	r.clauses(s.tokens[i].more)
	from := i + 1
	for s.at(from) == "#" {
		from++
	}
	end := s.statement(from)
	header := s.at(from + 2)
	s.reductions(i, from, end)
	if s.keeps(i) {
		s.name(instrument.Carries, i)
	}
	for _, v := range slices.Sorted(maps.Keys(r.private)) {
		if v != header && s.takes(v, from, end) {
			s.name(instrument.Carries, i)
		}
	}
}

// keeps says whether the last iteration gives away what it may have of an earlier one.
func (s *teamSource) keeps(i int) bool {
	first := map[string]bool{}
	for _, v := range s.listed(i, "firstprivate") {
		first[v] = true
	}
	return slices.ContainsFunc(s.listed(i, "lastprivate"), func(v string) bool { return first[v] })
}

// listed gives the variables in clauses of a name.
func (s *teamSource) listed(i int, name string) (all []string) {
	for _, c := range s.tokens[i].more {
		if body, ok := clauseBody(c, name); ok {
			_, list, modified := strings.Cut(body, ":")
			if !modified {
				list = body
			}
			for v := range strings.SplitSeq(list, ",") {
				all = append(all, strings.TrimSpace(v))
			}
		}
	}
	return all
}

// reductions looks for variables that are put together in another way than iterations do.
func (s *teamSource) reductions(i, from, end int) {
	for _, c := range s.tokens[i].more {
		body, ok := clauseBody(c, "reduction")
		operation, list, found := strings.Cut(body, ":")
		if !ok || !found {
			continue
		}
		with := map[string]string{"+": "+= -= ++ --", "-": "+= -= ++ --", "*": "*=", "^": "^=", "&": "&=", "|": "|=", "max": "=", "min": "=", "&&": "=", "||": "="}[strings.TrimSpace(operation)]
		for v := range strings.SplitSeq(list, ",") {
			v, _, _ = strings.Cut(strings.TrimSpace(v), "[")
			for j := from; j < end && with != ""; j++ {
				if op := s.at(j); assigns[op] && op != "=" && !wordsOf(with)[op] {
					if base, _ := s.target(j); base == v {
						s.name(instrument.Addition, j)
					}
				}
			}
		}
	}
}

// takes says whether a loop may read a variable before it sets it, and changes it, but by adding to it.
func (s *teamSource) takes(v string, from, end int) bool {
	first, adds, changes, reads := true, 0, false, 0
	for i := from; i < end; i++ {
		if s.at(i) != v || s.at(i-1) == "." || s.at(i-1) == "->" {
			continue
		}
		after := i + 1
		for s.at(after) == "[" {
			after = s.closes(after)
		}
		op := s.at(after)
		switch {
		case op == "=" && first && s.reads(v, after):
			return true
		case op == "=" && first, nameForm.MatchString(s.at(i-1)) && !keywords[s.at(i-1)]: // set, or another one, declared in the loop
			return false
		case (op == "+=" || op == "-=" || op == "++") && s.at(i-1) != "&" && s.ends(i-1):
			adds++
		case assigns[op] || s.at(i-1) == "++" || s.at(i-1) == "--" || s.at(i-1) == "&" && !nameForm.MatchString(s.at(i-2)) || op == "." || op == "->":
			changes = true
		default:
			reads++
		}
		first = false
	}
	return changes || adds > 0 && reads > 0
}

// reads says whether a variable is read before a statement ends.
func (s *teamSource) reads(v string, i int) bool {
	for ; i < len(s.tokens) && s.at(i) != ";"; i++ {
		if s.at(i) == v {
			return true
		}
	}
	return false
}

// ends says whether a statement ends there.
func (s *teamSource) ends(i int) bool {
	t := s.at(i)
	return t == ";" || t == "{" || t == "}" || t == ")" || t == "#"
}
