package csource

import (
	"slices"
	"strings"

	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// privatize gives each thread its own copy of the variables in private, firstprivate, lastprivate and
// reduction clauses; the function it gives ends that.
func (l *lowerer) privatize(p *pragma) func() {
	names := slices.Concat(p.names("private"), p.names("firstprivate"), p.names("lastprivate"))
	for _, r := range p.names("reduction") {
		if _, after, ok := strings.Cut(r, ":"); ok {
			r = after
		}
		name, section, _ := strings.Cut(strings.TrimSpace(r), "[")
		if names = append(names, name); section != "" {
			l.warnAt(p.pos, "adding up the private copies of %s is not counted", name)
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
func (l *lowerer) hide(d *cc.Declarator, p *pragma) func() {
	switch k := d.Type().Kind(); {
	case k == cc.Array || k == cc.Struct || k == cc.Union:
		before := l.hidden[d]
		l.hidden[d] = &nest.Object{Name: d.Name(), Bytes: l.extent(d, d.Type()), Elem: elemSize(d.Type()), Private: true}
		return func() {
			if before == nil {
				delete(l.hidden, d)
			} else {
				l.hidden[d] = before
			}
		}
	case isInteger(d.Type()) && slices.Contains(p.names("private"), d.Name()):
		if old, ok := l.ints[d]; ok {
			l.ints[d] = nil
			return func() { l.ints[d] = old }
		}
	}
	return func() {}
}

// named is the variable that a name in a clause means: the last one declared before the pragma.
func (l *lowerer) named(name string, p *pragma) *cc.Declarator {
	var found *cc.Declarator
	consider := func(n cc.Node) {
		d, ok := n.(*cc.Declarator)
		if ok && d.Name() == name && !d.IsTypename() && position(d).Line <= p.pos.Line {
			found = d
		}
	}
	for _, n := range l.s.ast.Scope.Nodes[name] {
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
	each(l.current.CompoundStatement, func(n cc.Node) bool {
		if d, ok := n.(*cc.Declaration); ok {
			for _, id := range declarators(d) {
				consider(id.Declarator)
			}
		}
		return true
	})
	return found
}
