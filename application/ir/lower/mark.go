package lower

import (
	"slices"
	"strings"

	"foresee/application/ir/text"
)

// marking finds out which functions are regions before a compiler puts one into the other.
type marking struct {
	*lowerer
	callers map[string][]caller
	loops   map[string]bool // functions that hold loops
	taken   map[string]bool // functions that call what they are given
}

// caller is a place where a function is called.
type caller struct {
	from   *text.Func
	inLoop bool
}

// Regions are the linkage names of the functions of a module, as it is before optimisation, that are to be kept apart: those of the source that
// hold loops and are not called in loops. A function that is given a function to call is part of its caller, and so are those of libraries.
func Regions(m *text.Module) []string {
	k := &marking{
		lowerer: &lowerer{m: m, graphs: map[string]*graph{}, bad: map[string]string{}}, callers: map[string][]caller{}, loops: map[string]bool{}, taken: map[string]bool{},
	}
	for _, fn := range m.Functions {
		k.look(fn)
	}
	var names []string
	for _, fn := range m.Functions {
		if k.candidate(fn) && !k.transparent(fn) && fn.Name != "main" && k.holds(fn, map[string]bool{}) && !k.inLoop(fn.Name, map[string]bool{}) {
			names = append(names, fn.Name)
		}
	}
	return names
}

// look notes the loops and calls of a function.
func (k *marking) look(fn *text.Func) {
	g := k.graphOf(fn)
	k.loops[fn.Name] = len(g.loops) > 0
	for _, b := range g.blocks {
		for _, in := range b.Insts {
			if in.Callee.Kind != text.GlobalName {
				continue
			}
			name := in.Callee.Name
			k.callers[name] = append(k.callers[name], caller{fn, b.loop != nil})
			if IsClosure(name) {
				k.taken[fn.Name] = true
			}
		}
	}
}

// transparent tells functions that are part of those that call them.
func (k *marking) transparent(fn *text.Func) bool {
	return !k.candidate(fn) || k.taken[fn.Name] && hasClosure(fn.Name)
}

// hasClosure tells a function whose type names a lambda expression: it is given one.
func hasClosure(name string) bool {
	return strings.Contains(name, "$_") || strings.Contains(name, "EUl") || strings.Contains(name, "UlT") || strings.Contains(name, "{lambda")
}

// iterates tells functions of Rust's library that walk through what they are given.
func iterates(name string) bool { return strings.Contains(name, "4core4iter") }

// holds tells whether a function holds loops itself or in what is part of it.
func (k *marking) holds(fn *text.Func, seen map[string]bool) bool {
	if seen[fn.Name] {
		return false
	}
	seen[fn.Name] = true
	if k.loops[fn.Name] {
		return true
	}
	for _, b := range k.graphOf(fn).blocks {
		for _, in := range b.Insts {
			callee := k.m.ByName[in.Callee.Name]
			if in.Op == "call" && in.Callee.Name == "__kmpc_fork_call" && len(in.Args) > 2 {
				return true
			}
			if callee == nil || !k.transparent(callee) || strings.HasPrefix(callee.Name, "_ZN") && !hasClosure(callee.Name) && !iterates(callee.Name) {
				continue
			}
			if k.holds(callee, seen) {
				return true
			}
		}
	}
	return false
}

// inLoop tells whether a function is called in a loop, or in what is.
func (k *marking) inLoop(name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	return slices.ContainsFunc(k.callers[name], func(c caller) bool {
		return c.from.Name != name && c.from.Name != "main" && (c.inLoop || k.inLoop(c.from.Name, seen))
	})
}
