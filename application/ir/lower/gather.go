package lower

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/application/csource/parse"
	"foresee/application/ir/text"
	"foresee/application/nest"
)

// gather makes the programs of the regions.
func (l *lowerer) gather(unit *csource.Unit) error {
	all := make([]*nesting, 0, len(l.found))
	for _, name := range l.order {
		all = append(all, l.found[name])
	}
	slices.SortStableFunc(all, func(a, b *nesting) int {
		return cmp.Or(cmp.Compare(a.pos.File, b.pos.File), cmp.Compare(a.pos.Line, b.pos.Line))
	})
	distinguish(all)
	l.sortOut(all)
	var failed []error
	var names []string
	for _, r := range all {
		names = append(names, r.name)
		switch {
		case !l.wanted(r.name):
			continue
		case r.err != nil && !r.partial():
			unit.Skipped = append(unit.Skipped, csource.Skipped{Function: r.name, Pos: r.pos, Reason: r.err.Error(), Refused: true, Lacks: parse.Lacking(r.err)})
			failed = append(failed, r.err)
			l.chosen = append(l.chosen, r)
			continue
		case !r.own && l.optional(r.name):
			unit.Skipped = append(unit.Skipped, csource.Skipped{Function: r.name, Pos: r.pos, Reason: csource.NoLoops})
			continue
		case r.aside:
			unit.Skipped = append(unit.Skipped, csource.Skipped{Function: r.name, Pos: r.pos, Reason: "other functions are marked by OpenMP pragmas, or a name kernel_…"})
			continue
		case r.part:
			unit.Skipped = append(unit.Skipped, csource.Skipped{Function: r.name, Pos: r.pos, Reason: "it is part of the function that calls it in its loops"})
			continue
		case r.name == "main" && len(l.choice.regions) == 0 && !(r.marked && r.partial()) && l.others(all):
			unit.Skipped = append(unit.Skipped, csource.Skipped{Function: r.name, Pos: r.pos, Reason: "it is read where it is asked for by name"})
			continue
		}
		l.chosen = append(l.chosen, r)
		programs, err := l.programs(r)
		if err != nil {
			unit.Skipped = append(unit.Skipped, csource.Skipped{Function: r.name, Pos: r.pos, Reason: err.Error(), Refused: true})
			failed = append(failed, err)
			continue
		}
		unit.Programs = append(unit.Programs, programs...)
	}
	for _, name := range slices.Sorted(maps.Keys(l.defined)) {
		if !l.used[name] && l.tells == nil { // of a run another region may take it
			unit.Warnings = append(unit.Warnings, notTaken(name))
		}
	}
	return l.verdict(unit, failed, names)
}

// notTaken says that a definition stands for nothing.
func notTaken(name string) string {
	return fmt.Sprintf("the definition of %s is not taken: no integer of this name is unknown", name)
}

// distinguish gives instances of one template names with their arguments.
func distinguish(all []*nesting) {
	count := map[string]int{}
	for _, r := range all {
		count[r.name]++
	}
	for _, r := range all {
		if count[r.name] > 1 {
			r.name = text.Instance(r.fn.Name)
		}
	}
}

// sortOut tells which functions stand beside those that are marked, and which are parts of others.
func (l *lowerer) sortOut(all []*nesting) {
	marks := slices.ContainsFunc(all, func(r *nesting) bool { return r.marked })
	chosen := slices.ContainsFunc(all, func(r *nesting) bool { return strings.HasPrefix(r.name, "kernel_") })
	for _, r := range all {
		r.aside = marks && !r.marked && l.optional(r.name) && (chosen || csource.Aside(r.name) || r.by != nil && r.by.marked && r.by.name != "main")
	}
	for _, r := range all {
		if r.inLoop && l.optional(r.name) && (!r.marked || r.by.marked) {
			by := l.found[r.by.fn.Name]
			r.part = by == nil || by.err == nil && !by.aside
		}
	}
}

// others tells whether functions besides main are regions that can be read, and none is a part of main alone.
func (l *lowerer) others(all []*nesting) bool {
	return slices.ContainsFunc(all, func(r *nesting) bool { return r.name != "main" && !r.inLoop && !r.aside && r.own && r.err == nil }) &&
		!slices.ContainsFunc(all, func(r *nesting) bool { return r.part && r.own && r.by.name == "main" })
}

// wanted tells whether a function, or a loop in it, is wanted.
func (l *lowerer) wanted(name string) bool {
	return len(l.choice.regions) == 0 || slices.ContainsFunc(l.choice.regions, func(r string) bool { return r == name || strings.HasPrefix(r, name+":") })
}

const nothingRemedy = "give the file with the loops, compiled with -g so that functions are told apart; of a template, instantiate it: template void scale<double>(...);"

// verdict is the error of the whole: what was asked for cannot be read, or there is nothing.
func (l *lowerer) verdict(unit *csource.Unit, failed []error, names []string) error {
	failed = slices.CompactFunc(failed, func(a, b error) bool { return a.Error() == b.Error() }) // functions that call the same one
	for _, name := range l.choice.regions {
		function, _, _ := strings.Cut(name, ":")
		if strings.HasPrefix(name[len(function):], "::") { // of a class
			function = name
		}
		if slices.ContainsFunc(unit.Programs, func(p *nest.Program) bool { return p.Region == name || strings.HasPrefix(p.Region, function) }) {
			continue
		}
		if len(failed) > 0 {
			return errors.Join(failed[:min(len(failed), parse.MaxErrors)]...)
		}
		return &parse.Error{Pos: nest.Pos{File: l.choice.file}, Message: "there is no region " + name, Remedy: "there are: " + strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ", "), Absent: true}
	}
	switch {
	case len(unit.Programs) > 0:
		return nil
	case len(failed) > 0:
		return errors.Join(failed[:min(len(failed), parse.MaxErrors)]...)
	}
	l.nothing = true
	return &parse.Error{Pos: nest.Pos{File: l.choice.file}, Message: "no function holds loops over arrays", Remedy: nothingRemedy, Absent: true}
}

// programs are those of a region: one, or one of each loop nest.
func (l *lowerer) programs(r *nesting) ([]*nest.Program, error) {
	if !hasAccess(r.nodes) {
		return nil, &parse.Error{Pos: r.pos, Message: r.name + " makes no accesses in loops", Remedy: "choose another region"}
	}
	nodes, rows, failed := l.laid(r)
	if failed != nil {
		return nil, failed
	}
	notes := append(slices.Clip(r.notes), rows...)
	if !l.choice.loops {
		p := l.extract(r.name, r.pos, nodes, notes)
		l.inSource(p, r)
		p.Left = r.left
		return []*nest.Program{p}, nest.Check(p)
	}
	var all []*nest.Program
	var names nest.Regions
	for _, n := range nodes {
		var at nest.Pos
		switch n := n.(type) {
		case *nest.Loop:
			at = n.Pos
		case *nest.Parallel:
			at = n.Pos
		default:
			continue
		}
		if !hasAccess([]nest.Node{n}) {
			continue
		}
		name := names.At(r.name, at.Line)
		if len(l.choice.regions) > 0 && !slices.Contains(l.choice.regions, name) && !slices.Contains(l.choice.regions, r.name) {
			continue
		}
		p := l.extract(name, at, []nest.Node{n}, notes)
		l.inSource(p, r)
		if err := nest.Check(p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, &parse.Error{Pos: r.pos, Message: r.name + " holds no loops over arrays", Remedy: "choose another region"}
	}
	return all, nil
}
