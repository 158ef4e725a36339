package transform

import (
	"slices"
	"strings"

	"foresee/advise/dependence"
	"foresee/advise/syntax"
	"foresee/application/nest"
)

// Temporaries keeps elements that an innermost loop adds to, always the same ones, in variables.
func (s *Source) Temporaries(l *syntax.Node) (all []*Change) {
	for _, inner := range l.Loops() {
		if len(inner.Loops()) > 1 || inner.Head == nil {
			continue
		}
		if st := s.study(inner); st != nil && len(inner.Pragmas) == 0 && st.sequential() {
			if c := st.temporary(); c != nil {
				all = append(all, c)
			}
		}
	}
	return all
}

// element is what an assignment of the text writes.
type element struct {
	text string // A[i][j]
	kind string // of C
}

// temporary is the change of all elements at once that a loop assigns at one place.
func (st *study) temporary() *Change {
	elements, conditions := st.fixed()
	if len(elements) == 0 {
		return nil
	}
	indent, unit := st.Indent(st.loop.Begin), st.unit(st.loop)
	within := indent + unit
	text := st.shifted(st.TextOf(st.loop), indent, within)
	var before, behind, names, texts []string
	for _, e := range elements {
		name := st.fresh(arrayOf(e.text)+"_sum", names)
		names, texts = append(names, name), append(texts, e.text)
		before = append(before, within+e.kind+" "+name+" = "+e.text+";")
		behind = append(behind, within+e.text+" = "+name+";")
		text = replacedWords(text, e.text, name)
	}
	c := st.change(Temporary, []*syntax.Node{st.loop}, "keep %s in a variable while %s runs", list(texts), st.loop.Head.Var)
	c.Array = arrayOf(elements[0].text)
	c.Conditions = conditions
	guard := indent + "{\n"
	if !st.runsAlways() {
		h := st.loop.Head
		if st.loop.Parent == nil || st.loop.Parent.Kind == syntax.If {
			return nil // an else behind it would be another if's
		}
		guard = indent + "if (" + paren(h.Low) + " " + h.Op + " " + paren(h.Bound) + ") {\n"
	}
	c.Text = st.replaced(st.loop, guard+strings.Join(before, "\n")+"\n"+within+text+"\n"+strings.Join(behind, "\n")+"\n"+indent+"}")
	return c
}

func arrayOf(text string) string { return syntax.Tokens(text)[0].Text }

// fixed are the elements that statements of the loop assign, each at the same place in all iterations, that nothing else in the loop touches; with what
// must hold for that.
func (st *study) fixed() (all []element, conditions []string) {
	overlapping := map[string]bool{}
	for _, text := range st.assignedElements() {
		kind := ""
		ok := true
		for _, n := range st.nests {
			k, good := st.fixedIn(n, text, overlapping)
			kind, ok = k, ok && good && (kind == "" || kind == k)
		}
		if ok && kind != "" {
			all = append(all, element{text, kind})
		}
	}
	if len(overlapping) > 0 && len(all) > 0 {
		conditions = []string{"if " + list(sorted(overlapping)) + " do not overlap"}
	}
	return all, conditions
}

// assignedElements are the texts of the elements that compound assignments write, each once.
func (st *study) assignedElements() (all []string) {
	for _, n := range st.simple() {
		words := st.Words(n)
		if n.Kind != syntax.Simple || len(words) < 4 || words[0].Kind != syntax.Word || !words[1].Is("[") {
			continue
		}
		for i, t := range words {
			if assigning[t.Text] && t.Kind == syntax.Mark {
				text := st.Text[words[0].Begin:words[i-1].End]
				if isElement(words[:i]) && !mentions(words[1:i], st.loop.Head.Var) && !slices.Contains(all, text) && (t.Text != "=" || strings.Contains(spaceless(st.TextOf(n)[len(text):]), spaceless(text))) {
					all = append(all, text)
				}
				break
			}
		}
	}
	return all
}

// simple are the statements of the loop, and those in ifs where the iterations of no loop around are dealt to threads, or each has elements of its own: what is
// written behind the loop is then written by whoever did.
func (st *study) simple() (all []*syntax.Node) {
	all = slices.Clone(st.loop.Statements())
	var dealt *syntax.Node
	for n := st.loop.Parent; n != nil; n = n.Parent {
		if n.Kind == syntax.For && dealing(n) != "" {
			dealt = n
		}
	}
	st.loop.Body.Each(func(n *syntax.Node) {
		if n.Kind != syntax.Simple || slices.Contains(all, n) {
			return
		}
		words := st.Words(n)
		if dealt == nil && !st.inRegion(st.loop) || dealt != nil && dealt.Head != nil && len(words) > 3 && words[2].Text == dealt.Head.Var && words[3].Is("]") {
			all = append(all, n)
		}
	})
	return all
}

func spaceless(text string) string { return strings.Join(strings.Fields(text), "") }

// isElement tells A[…][…] from other left sides.
func isElement(words []syntax.Token) bool {
	depth := 0
	for i, t := range words {
		switch {
		case t.Is("["):
			depth++
		case t.Is("]"):
			depth--
		case depth == 0 && i > 0 && (t.Is(".") || words[i-1].Is(".") && t.Kind == syntax.Word):
		case depth == 0 && i > 0:
			return false
		case t.Is("(") || assigning[t.Text] && t.Kind == syntax.Mark:
			return false
		}
	}
	return true
}

// fixedIn asks one nest: the accesses of that text stay where they are, and no other one meets them in the loop. It gives the type of C.
func (st *study) fixedIn(n *dependence.Nest, text string, overlapping map[string]bool) (string, bool) {
	var own []*dependence.Reference
	for _, r := range n.References {
		if same(r.Access.Text, text) && r.Access.Pos.File == st.Name {
			own = append(own, r)
		}
	}
	if len(own) == 0 {
		return "", false
	}
	for name := range assignedIn(st.Words(st.loop)) {
		if syntax.Mentions(text, name) {
			return "", false
		}
	}
	object := own[0].Access.Object
	for _, r := range n.References {
		switch {
		case slices.Contains(own, r):
			if o, ok := st.Offset(r.Access.Pos); !ok || !st.shown(r.Access.Text, o) {
				return "", false
			}
			if r.Access.Object != object || r.Access.Advance(n.Loop) != 0 {
				return "", false
			}
		case r.Access.Object == object:
			if n.Meets(own[0], r) {
				return "", false
			}
		case mayBeOne(r.Access.Object, object, st.calledWithArrays()):
			overlapping[r.Access.Object.Name], overlapping[object.Name] = true, true
		}
	}
	for name := range st.scalars.declared {
		if syntax.Mentions(text, name) {
			return "", false
		}
	}
	if kind, ok := typeIn(n, own); ok {
		return kind, true
	}
	kind := st.elementType(text)
	return kind, integers[kind] > 0 && !slices.ContainsFunc(own, func(r *dependence.Reference) bool { return r.Access.Size != integers[kind] })
}

// typeIn is the type of what a nest stores by some accesses.
func typeIn(n *dependence.Nest, own []*dependence.Reference) (kind string, ok bool) {
	nest.Walk(n.Loop.Body, func(x nest.Node) {
		s, isStmt := x.(*nest.Stmt)
		if !isStmt {
			return
		}
		for _, op := range s.Flow {
			if op.Out.Kind != nest.Store {
				continue
			}
			a := s.Accesses[op.Out.N]
			if slices.ContainsFunc(own, func(r *dependence.Reference) bool { return r.Access == a }) {
				switch {
				case op.Type == nest.F64 && a.Size == 8 && (a.Object.Elem == 8 || strings.Contains(a.Text, ".")):
					kind = "double"
				case op.Type == nest.F32 && a.Size == 4 && (a.Object.Elem == 4 || strings.Contains(a.Text, ".")):
					kind = "float"
				}
			}
		}
	})
	return kind, kind != ""
}

// runsAlways tells whether the loop has an iteration wherever it stands.
func (st *study) runsAlways() bool {
	return !slices.ContainsFunc(st.nests, func(n *dependence.Nest) bool { return !runsAlways(n.Loop, n.Around()) })
}

// replacedWords puts a name in the place of an element, whatever the blanks in it.
func replacedWords(text, element, name string) string {
	words, want := syntax.Tokens(text), syntax.Tokens(element)
	var b strings.Builder
	at := 0
	for i := 0; i+len(want) <= len(words); i++ {
		if !slices.EqualFunc(words[i:i+len(want)], want, func(a, b syntax.Token) bool { return a.Text == b.Text }) {
			continue
		}
		if i+len(want) < len(words) && words[i+len(want)].Is("[") {
			continue
		}
		b.WriteString(text[at:words[i].Begin] + name)
		at = words[i+len(want)-1].End
		i += len(want) - 1
	}
	return b.String() + text[at:]
}
