package lower

import (
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// privatize gives each thread its own copy of the variables in private, firstprivate, lastprivate and
// reduction clauses; the function it gives ends that.
func (l *lowerer) privatize(p *parse.Pragma) func() {
	names := slices.Concat(p.Names("private"), p.Names("firstprivate"), p.Names("lastprivate"))
	for _, r := range p.Names("reduction") {
		if _, after, ok := strings.Cut(r, ":"); ok {
			r = after
		}
		name, section, _ := strings.Cut(strings.TrimSpace(r), "[")
		if names = append(names, name); section != "" {
			l.WarnAt(p.Pos, "adding up the private copies of %s is not counted", name)
		}
	}
	undo := []func(){}
	for _, name := range names {
		if d := l.named(strings.TrimSpace(name), p); d != nil {
			undo = append(undo, l.hide(d, p))
		}
	}
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

// hide makes an array private, or forgets the value of an integer that is private.
func (l *lowerer) hide(d *cc.Declarator, p *parse.Pragma) func() {
	switch k := d.Type().Kind(); {
	case k == cc.Array || k == cc.Struct || k == cc.Union:
		before := l.Hidden[d]
		l.Hidden[d] = &nest.Object{Name: d.Name(), Bytes: l.Extent(d, d.Type()), Elem: value.ElemSize(d.Type()), Private: true}
		l.Hold(l.Hidden[d], d)
		return func() { l.unhide(d, before) }
	case tree.IsInteger(d.Type()) && slices.Contains(p.Names("private"), d.Name()):
		if old, ok := l.Ints.Get(d); ok {
			l.Ints.Set(d, nil)
			return func() { l.Ints.Set(d, old) }
		}
	case slices.Contains(p.Names("firstprivate"), d.Name()) && !l.own[d]:
		l.own[d] = true
		return func() { delete(l.own, d) }
	}
	return func() {}
}

// unhide ends that a variable has another object than before.
func (l *lowerer) unhide(d *cc.Declarator, before *nest.Object) {
	if before == nil {
		delete(l.Hidden, d)
	} else {
		l.Hidden[d] = before
	}
}

// named is the variable that a name in a clause means: the last one declared before the pragma.
func (l *lowerer) named(name string, p *parse.Pragma) *cc.Declarator {
	var found *cc.Declarator
	consider := func(n cc.Node) {
		d, ok := n.(*cc.Declarator)
		if ok && d.Name() == name && !d.IsTypename() && parse.Position(d).Line <= p.Pos.Line {
			found = d
		}
	}
	for _, n := range l.Source.AST.Scope.Nodes[name] {
		consider(n)
	}
	if l.current == nil {
		return found
	}
	if ft, ok := l.current.Declarator.Type().(*cc.FunctionType); ok {
		for _, q := range ft.Parameters() {
			if q.Declarator != nil {
				consider(q.Declarator)
			}
		}
	}
	tree.Each(l.current.CompoundStatement, func(n cc.Node) bool {
		if d, ok := n.(*cc.Declaration); ok {
			for _, id := range tree.Declarators(d) {
				consider(id.Declarator)
			}
		}
		return true
	})
	return found
}
