package transform

import (
	"cmp"
	"slices"
	"strings"

	"foresee/advise/syntax"
)

// scalars are the variables that a loop assigns, beside the elements of arrays.
type scalars struct {
	declared map[string]bool   // within the loop
	counters map[string]bool   // of loops in it, declared before it
	private  map[string]bool   // assigned before they are read, in each iteration, and not read behind the loop
	sums     map[string]string // only put together, by operator + or *, max or min
	carried  []string          // others: values go from one iteration to the next
}

// pure are functions of the libraries that give a value and do nothing else.
var pure = func() map[string]bool {
	all := map[string]bool{"abs": true, "labs": true, "sizeof": true, "min": true, "max": true, "MIN": true, "MAX": true}
	for _, n := range strings.Fields("sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh pow fabs floor ceil round trunc fmin fmax fmod hypot cbrt erf erfc copysign fma") {
		all[n], all[n+"f"] = true, true
	}
	return all
}()

// keywords stand before a parenthesis and are no calls.
var keywords = map[string]bool{"for": true, "if": true, "else": true, "return": true, "while": true, "switch": true}

// refusedWords are not moved: what they do is not followed here.
var refusedWords = map[string]bool{"volatile": true, "goto": true, "setjmp": true, "asm": true, "__asm__": true, "_Atomic": true, "static": true, "extern": true, "break": true, "return": true, "continue": true}

// harmless tells whether words call nothing but what computes a value of its arguments and of arrays that the nests show.
func (s *Source) harmless(words []syntax.Token, within []string) bool {
	for i, t := range words {
		if t.Kind != syntax.Word {
			continue
		}
		if refusedWords[t.Text] && (len(within) == 0 || t.Text != "return") {
			return false
		}
		if s.sideEffects(t.Text) {
			return false
		}
		if i+1 >= len(words) || !words[i+1].Is("(") || keywords[t.Text] || pure[t.Text] {
			continue
		}
		if i > 0 && (words[i-1].Is("*") || isType(words[i-1].Text)) && i+2 < len(words) && words[i+2].Is("*") {
			return false // a pointer to a function is declared
		}
		if s.macro(t.Text) {
			continue
		}
		if slices.Contains(within, t.Text) || !s.harmlessFunction(t.Text, within) {
			return false
		}
	}
	return true
}

// macro tells whether a word is a macro of the file that computes a value: its text has no assignment and no call but of such.
func (s *Source) macro(name string) bool {
	for _, t := range s.Tokens {
		if t.Kind != syntax.Directive {
			continue
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(t.Text[1:], " \t"), "define")
		rest = strings.TrimLeft(rest, " \t")
		if !ok || !strings.HasPrefix(rest, name+"(") {
			continue
		}
		words := syntax.Tokens(rest)
		close := slices.IndexFunc(words, func(t syntax.Token) bool { return t.Is(")") })
		return close > 0 && len(assignedIn(words[close+1:])) == 0 && !slices.ContainsFunc(words[close+1:], func(t syntax.Token) bool {
			return t.Is(";") || t.Is("{") || keywords[t.Text] || refusedWords[t.Text]
		}) && s.harmless(words[close+1:], []string{name})
	}
	return false
}

// harmlessFunction looks at a function of the file: it may write elements of arrays, which the nests show, and its own variables.
func (s *Source) harmlessFunction(name string, within []string) bool {
	for _, f := range s.Functions {
		if f.Name != name {
			continue
		}
		own := declaredIn(s.File, f.Body)
		for _, p := range strings.Split(f.Parameters, ",") {
			if w := syntax.Tokens(p); len(w) > 0 {
				for _, t := range w {
					own[t.Text] = true
				}
			}
		}
		words := s.Words(f.Body)
		for n := range assignedIn(words) {
			if !own[n] {
				return false
			}
		}
		return s.harmless(words, append(slices.Clone(within), name))
	}
	return false
}

// typeWords begin declarations.
var typeWords = map[string]bool{"int": true, "long": true, "short": true, "char": true, "unsigned": true, "signed": true, "float": true, "double": true, "const": true, "register": true, "struct": true, "union": true, "_Bool": true, "bool": true, "size_t": true, "auto": true}

func isType(word string) bool {
	return typeWords[word] || strings.HasSuffix(word, "_t")
}

// isDeclaration tells statements that declare variables: of a type's word, or of two words in a row.
func isDeclaration(words []syntax.Token) bool {
	return len(words) > 1 && words[0].Kind == syntax.Word && (isType(words[0].Text) || words[1].Kind == syntax.Word && !keywords[words[0].Text] && words[0].Text != "return")
}

// declaredIn are the variables that a node declares.
func declaredIn(f *syntax.File, n *syntax.Node) map[string]bool {
	all := map[string]bool{}
	n.Each(func(c *syntax.Node) {
		switch {
		case c.Kind == syntax.For && c.Head != nil && c.Head.Type != "":
			all[c.Head.Var] = true
		case c.Kind == syntax.Simple && isDeclaration(f.Words(c)):
			for _, name := range declaredBy(f.Words(c)) {
				all[name] = true
			}
		}
	})
	return all
}

// declaredBy are the variables of a declaration: the last word before =, a comma, a bracket or the end, outside brackets.
func declaredBy(words []syntax.Token) (all []string) {
	depth, value := 0, false
	for i, t := range words {
		switch {
		case t.Is("(") || t.Is("[") || t.Is("{"):
			if depth == 0 && !value && t.Is("[") && i > 0 && words[i-1].Kind == syntax.Word {
				all = append(all, words[i-1].Text)
				value = true
			}
			depth++
		case t.Is(")") || t.Is("]") || t.Is("}"):
			depth--
		case depth == 0 && (t.Is("=") || t.Is(",") || t.Is(";")):
			if !value && i > 0 && words[i-1].Kind == syntax.Word {
				all = append(all, words[i-1].Text)
			}
			value = t.Is("=")
		}
	}
	return all
}

// assigning are the marks that change what stands before them.
var assigning = map[string]bool{"=": true, "+=": true, "-=": true, "*=": true, "/=": true, "%=": true, "&=": true, "|=": true, "^=": true, "<<=": true, ">>=": true, "++": true, "--": true}

// assignedIn are the variables, no elements or members, that words assign, and those whose address they take, with where each stands.
func assignedIn(words []syntax.Token) map[string][]int {
	all := map[string][]int{}
	for i, t := range words {
		if t.Kind != syntax.Word {
			continue
		}
		before, after := mark(words, i-1), mark(words, i+1)
		member := before == "." || before == "->"
		if after == "." { // a member of a variable, which is in no memory that the nests show
			k := i + 1
			for mark(words, k) == "." {
				k += 2
			}
			after = mark(words, k)
		}
		element := after == "[" || after == "->"
		prefixed := (before == "++" || before == "--" || before == "&" && (i < 2 || !operand(words[i-2]))) && !element
		if !member && (assigning[after] && !element || prefixed) {
			all[t.Text] = append(all[t.Text], i)
		}
	}
	return all
}

// operand tells what a binary operator may follow.
func operand(t syntax.Token) bool {
	return t.Kind == syntax.Word && t.Text != "return" || t.Kind == syntax.Number || t.Is(")") || t.Is("]")
}

func mark(words []syntax.Token, i int) string {
	if i < 0 || i >= len(words) || words[i].Kind != syntax.Mark {
		return ""
	}
	return words[i].Text
}

// scalarsOf sorts the variables that a loop assigns.
func (s *Source) scalarsOf(l *syntax.Node) scalars {
	out := scalars{declared: declaredIn(s.File, l.Body), counters: map[string]bool{}, private: map[string]bool{}, sums: map[string]string{}}
	for _, inner := range l.Loops() {
		if inner.Head != nil && inner.Head.Type == "" {
			out.counters[inner.Head.Var] = true
		}
	}
	words := s.Words(l.Body)
	assigned := assignedIn(words)
	for _, name := range sortedNames(assigned) {
		switch {
		case s.hidden(name):
			out.carried = append(out.carried, name)
		case out.declared[name]:
		case out.counters[name] && !s.otherwise(l, name):
		case s.first(l, name) && s.dead(l, name):
			out.private[name] = true
		default:
			if op := cmp.Or(sumOf(words, name), extremeOf(words, name)); op != "" {
				out.sums[name] = op
				continue
			}
			out.carried = append(out.carried, name)
		}
	}
	for name := range out.counters { // their values are not looked at behind the loops
		if !s.dead(l, name) || out.declared[name] {
			out.carried = append(out.carried, name)
		}
	}
	slices.Sort(out.carried)
	return out
}

func sortedNames(m map[string][]int) []string {
	set := map[string]bool{}
	for n := range m {
		set[n] = true
	}
	return sorted(set)
}

// otherwise tells whether the counter of a loop is used in it where its own loops do not set it.
func (s *Source) otherwise(l *syntax.Node, name string) bool {
	words := s.Words(l)
	for i, t := range words {
		if t.Kind != syntax.Word || t.Text != name || mark(words, i-1) == "." || mark(words, i-1) == "->" {
			continue
		}
		covered := false
		for _, inner := range l.Loops() {
			covered = covered || inner.Head != nil && inner.Head.Var == name && inner.Holds(t.Begin)
		}
		if !covered {
			return true
		}
	}
	for _, inner := range l.Loops() { // nor changed in their bodies
		if inner.Head != nil && inner.Head.Var == name && len(assignedIn(s.Words(inner.Body))[name]) > 0 {
			return true
		}
	}
	return false
}

// first tells whether each iteration of a loop assigns a variable before it reads it: by a statement of its body, of which nothing before speaks of it.
func (s *Source) first(l *syntax.Node, name string) bool {
	for _, n := range l.Statements() {
		words := s.Words(n)
		if n.Kind == syntax.Simple && len(words) > 2 && words[0].Text == name && words[1].Is("=") {
			return !mentions(words[2:], name)
		}
		if mentions(words, name) {
			return false
		}
	}
	return false
}

func mentions(words []syntax.Token, name string) bool {
	for i, t := range words {
		if t.Kind == syntax.Word && t.Text == name && mark(words, i-1) != "." && mark(words, i-1) != "->" {
			return true
		}
	}
	return false
}

// dead tells whether nobody reads a variable behind a loop before it is assigned: what comes next, in the function and in what it repeats,
// is a plain assignment or the head of a loop.
func (s *Source) dead(l *syntax.Node, name string) bool {
	f := s.FunctionAt(l.Begin)
	if f == nil || !declaredIn(s.File, f.Body)[name] && !parameter(f, name) {
		return false
	}
	outer := l
	for n := l.Parent; n != nil; n = n.Parent {
		if n.Kind == syntax.For || n.Kind == syntax.Opaque {
			outer = n
		}
	}
	return s.assignedNext(l.End, f.Body.End, name) && (outer == l || s.assignedNext(outer.Begin, l.End, name))
}

func parameter(f *syntax.Function, name string) bool {
	for _, p := range strings.Split(f.Parameters, ",") {
		if w := syntax.Tokens(p); len(w) > 1 && w[len(w)-1].Text == name && !slices.ContainsFunc(w, func(t syntax.Token) bool { return t.Is("*") || t.Is("[") }) {
			return true
		}
	}
	return false
}

// assignedNext tells whether the first that a part of the text says of a variable is an assignment that is run whenever that part is: in no if, and
// in no loop but as its counter.
func (s *Source) assignedNext(from, to int, name string) bool {
	for i, t := range s.Tokens {
		if t.Begin < from || t.End > to || t.Kind != syntax.Word || t.Text != name {
			continue
		}
		if mark(s.Tokens, i-1) == "." || mark(s.Tokens, i-1) == "->" || s.counted(t.Begin, from, name) {
			continue
		}
		if mark(s.Tokens, i+1) != "=" {
			return i > 0 && isType(s.Tokens[i-1].Text) // another variable of that name
		}
		return s.unconditional(i, from)
	}
	return true
}

// counted tells whether a place lies in a loop that counts a variable from its begin on, and begins behind another place.
func (s *Source) counted(at, from int, name string) bool {
	f := s.FunctionAt(at)
	if f == nil {
		return false
	}
	for _, l := range f.Body.Loops() {
		if l.Head != nil && l.Head.Var == name && l.Begin >= from && l.Holds(at) && !syntax.Mentions(l.Head.Low, name) {
			return true
		}
	}
	return false
}

// unconditional tells whether a token that is assigned stands at the begin of a statement, or in the head of a loop, that is run whenever the text
// around it is from a place on.
func (s *Source) unconditional(i, from int) bool {
	at := s.Tokens[i].Begin
	f := s.FunctionAt(at)
	var around *syntax.Node
	f.Body.Each(func(n *syntax.Node) {
		if n.Holds(at) {
			around = n
		}
	})
	if around == nil {
		return false
	}
	if around.Kind == syntax.For && around.Head != nil && around.Head.Var == s.Tokens[i].Text && around.Begin < at && (around.Body == nil || at < around.Body.Begin) {
		if s.Tokens[i-1].Kind == syntax.Word {
			return true // declared there: another variable
		}
	} else if around.Kind != syntax.Simple || around.Begin != at || mentions(s.Words(around)[2:], s.Tokens[i].Text) {
		return false
	}
	for n := around.Parent; n != nil; n = n.Parent {
		if (n.Kind == syntax.If || n.Kind == syntax.For || n.Kind == syntax.Opaque) && n.Begin >= from {
			return false
		}
	}
	return true
}

// sumOf is the operator by which words add to a variable, which they use for nothing else: + also of -=. "": they do otherwise.
func sumOf(words []syntax.Token, name string) string {
	op := ""
	for i, t := range words {
		if t.Kind != syntax.Word || t.Text != name {
			continue
		}
		if addend(words, i) {
			continue
		}
		this := ""
		switch mark(words, i+1) {
		case "+=", "-=", "++", "--":
			this = "+"
		case "*=":
			this = "*"
		case "=":
			this = addedTo(words[i:])
		}
		starts := i == 0 || words[i-1].Is(";") || words[i-1].Is("{") || words[i-1].Is("}") || words[i-1].Is(")")
		if this == "" || !starts || op != "" && op != this {
			return ""
		}
		op = this
	}
	return op
}

// addedTo is the operator of s = s + … and its like, which begin words: what is added follows it, and no operator that binds less. "": they do otherwise.
func addedTo(words []syntax.Token) string {
	end, depth := 2, 0
	for ; end < len(words) && !words[end].Is(";"); end++ {
		switch t := words[end]; {
		case t.Is("(") || t.Is("["):
			depth++
		case t.Is(")") || t.Is("]"):
			depth--
		case depth > 0 || t.Kind == syntax.Word || t.Kind == syntax.Number:
		case !additive[t.Text]:
			return ""
		}
	}
	if end < 5 || mentions(words[4:end], words[0].Text) || words[2].Text != words[0].Text {
		return ""
	}
	switch {
	case words[3].Is("+") || words[3].Is("-"):
		return "+"
	case words[3].Is("*") && !slices.ContainsFunc(words[4:end], func(t syntax.Token) bool {
		return t.Kind == syntax.Mark && additive[t.Text] && !t.Is("*") && !t.Is(".")
	}):
		return "*"
	}
	return ""
}

// additive are marks of sums and what binds more.
var additive = map[string]bool{"+": true, "-": true, "*": true, "/": true, "%": true, ".": true, "->": true}

// addend tells the second s in s = s + … from what else a word may be.
func addend(words []syntax.Token, i int) bool {
	return i > 1 && words[i-1].Is("=") && words[i-2].Text == words[i].Text && addedTo(words[i-2:]) != ""
}

// calledWithArrays tells whether a function is called in this file alone, each time with arrays of the file that differ.
func (st *study) calledWithArrays() bool {
	if !st.function.Static {
		return false
	}
	calls := 0
	for i, t := range st.Tokens {
		if t.Kind != syntax.Word || t.Text != st.function.Name || st.FunctionAt(t.Begin) == nil {
			continue
		}
		if i+1 >= len(st.Tokens) || !st.Tokens[i+1].Is("(") {
			return false
		}
		calls++
		seen := map[string]bool{}
		depth := 0
		for _, w := range st.Tokens[i+1:] {
			if w.Is("(") {
				depth++
			} else if w.Is(")") {
				if depth--; depth == 0 {
					break
				}
			} else if w.Kind == syntax.Word && st.globalArray(w.Text) {
				if seen[w.Text] {
					return false
				}
				seen[w.Text] = true
			} else if w.Is("+") || w.Is("&") || w.Is("*") {
				return false
			}
		}
		if len(seen) < st.pointers() {
			return false
		}
	}
	return calls > 0
}

// pointers is how many parameters of the function are arrays or pointers.
func (st *study) pointers() (n int) {
	for _, p := range strings.Split(st.function.Parameters, ",") {
		if strings.ContainsAny(p, "*[") {
			n++
		}
	}
	return n
}

// globalArray tells names that the file declares as arrays outside functions.
func (s *Source) globalArray(name string) bool {
	for i, t := range s.Tokens {
		if t.Kind == syntax.Word && t.Text == name && i > 0 && s.Tokens[i-1].Kind == syntax.Word && mark(s.Tokens, i+1) == "[" && s.FunctionAt(t.Begin) == nil {
			return true
		}
	}
	return false
}
