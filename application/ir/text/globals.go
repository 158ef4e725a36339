package text

import "slices"

// Changed are the global variables that functions of the module may change: those that they use for more than loading from them.
func (m *Module) Changed() map[string]bool {
	changed := map[string]bool{}
	for _, f := range m.Functions {
		f.changed(changed)
	}
	for _, g := range m.Globals {
		if g.Initial != nil {
			for _, name := range g.Initial.globals(nil) { // its address lies in memory
				changed[name] = true
			}
		}
	}
	return changed
}

// changed adds the global variables that a function may change.
func (f *Func) changed(all map[string]bool) {
	of := map[string][]string{} // global variables that a local value points into
	names := func(o *Operand) []string {
		if o.Kind == Local {
			return of[o.Name]
		}
		return o.globals(nil)
	}
	for grown := true; grown; {
		grown = false
		for _, b := range f.Blocks {
			for _, in := range b.Insts {
				switch in.Op {
				case "getelementptr", "bitcast", "addrspacecast", "phi", "select", "freeze":
				default:
					continue
				}
				for i := range in.Args {
					for _, name := range names(&in.Args[i]) {
						if !slices.Contains(of[in.Name], name) {
							of[in.Name], grown = append(of[in.Name], name), true
						}
					}
				}
			}
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Insts {
			switch in.Op {
			case "load", "getelementptr", "bitcast", "addrspacecast", "phi", "select", "freeze", "icmp", "dbg.value", "dbg.declare", "dbg.assign":
				continue
			}
			for i := range in.Args {
				for _, name := range names(&in.Args[i]) {
					all[name] = true
				}
			}
		}
	}
}

// globals are the global variables in a constant.
func (o *Operand) globals(all []string) []string {
	if o.Kind == GlobalName {
		all = append(all, o.Name)
	}
	for i := range o.Args {
		all = o.Args[i].globals(all)
	}
	return all
}
