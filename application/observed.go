package application

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/application/nest/portable"
	"foresee/application/observe"
)

// ForValues is a run of a source for the values that its analysis lacks.
type ForValues struct {
	Command string // of the shell; its first word that is no assignment stands for the program
	Streams observe.Streams
	Runs    int           // how often it was run
	Took    time.Duration // the last time
	Failed  bool          // it was ended then by a signal, or could not be run
}

// ran notes how a program was run.
func (v *ForValues) ran(p *observe.Program) {
	var exit *exec.ExitError
	v.Runs, v.Took, v.Failed = p.Runs, p.Took, p.Failed != nil && !(errors.As(p.Failed, &exit) && exit.Exited())
}

// mostGroups is for how many different values a region is analysed. Chosen: each is a prediction of its own.
const mostGroups = 12

// observed runs a source once, and reads its regions with the values that they were entered with.
func (in *Input) observed(ctx context.Context, o Options) (*Signature, error) {
	if in.file == nil || !in.again {
		return nil, &PipeError{in.Name}
	}
	data, err := in.readText()
	if err != nil {
		return nil, err
	}
	p := &observe.Program{Sources: append([]string{in.Path}, o.Source.Others...), Includes: o.Source.Includes, Compiler: o.Compiler, Command: o.Values.Command}
	file, err := csource.Open(in.Name, data, o.Source)
	if err != nil {
		return nil, err
	}
	told, err := p.Values(ctx, file, o.Source, o.Values.Streams)
	o.Values.ran(p)
	if err != nil {
		return nil, err
	}
	if len(told) == 0 { // there is nothing to enter, and this says why
		if _, err := file.Load(o.Source); err != nil {
			return nil, &NothingReadError{[]error{err}}
		}
	}
	asked := len(o.Source.Regions) > 0
	o.Source.Tables = p.Tables
	out, last, err := in.gathered(o, p, told, func(function string) (string, readWith) { return function, ofFile(file, o.Source, function) })
	if err != nil {
		return nil, err
	}
	out.Asked = asked
	out.Code = &Code{Name: in.Name, Text: data, Macros: last.macros, Overrides: last.overrides, Includes: o.Source.Includes, Values: len(last.macros) < len(o.Source.Defines)+len(o.Source.Build), Folder: filepath.Dir(in.Path), Arguments: p.Arguments}
	return out, nil
}

// unentered is why a function of which a run told nothing is left out.
const unentered = "the run does not enter it by itself"

// gathered makes a signature of the functions that a run of a program entered; reader gives what each is called and how it is read. last is one of them.
func (in *Input) gathered(o Options, p *observe.Program, told []observe.Entered, reader func(function string) (string, readWith)) (out *Signature, last entered, err error) {
	out = &Signature{Name: in.Name, Kind: in.Kind}
	var skipped []csource.Skipped
	var failed []error
	for _, e := range told {
		var read readWith
		if e.Function, read = reader(e.Function); e.Entries == 0 {
			skipped = append(skipped, csource.Skipped{Function: e.Function, Pos: nest.Pos{File: in.Name}, Reason: unentered})
			continue
		}
		units, err := regionsOf(read, e, p.Tables)
		if err != nil {
			failed = append(failed, err)
			skipped = append(skipped, csource.Skipped{Function: e.Function, Pos: placeOf(err, in.Name), Reason: err.Error(), Refused: true})
			continue
		}
		for _, u := range units {
			out.Loops = append(out.Loops, u.programs...)
			out.Warnings = append(out.Warnings, u.warnings...)
			out.Averaged = out.Averaged || u.averaged
			last = u
		}
	}
	if p.Runs > 1 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("the program was run %d times: what it told decided what else was to be told", p.Runs))
	}
	if p.Failed != nil {
		out.Warnings = append(out.Warnings, p.Failed.Error()+"; what it told before is taken")
	}
	slices.Sort(out.Warnings)
	out.Warnings = slices.Compact(out.Warnings)
	if len(out.Loops) == 0 {
		if p.Failed != nil {
			failed = append(failed, p.Failed)
		}
		if len(failed) == 0 {
			failed = append(failed, fmt.Errorf("%s: the run enters no function with loops over arrays that can be read", in.Name))
		}
		return nil, last, &NothingReadError{failed}
	}
	if o.Skipped != nil {
		o.Skipped(in.Name, skipped, nil)
	}
	return out, last, nil
}

// NothingReadError is a source of which a run told nothing that can be read.
type NothingReadError struct{ Reasons []error }

func (e *NothingReadError) Error() string { return errors.Join(e.Reasons...).Error() }

// Unwrap gives the reasons.
func (e *NothingReadError) Unwrap() []error { return e.Reasons }

// placeOf is where in a source an error is, or the source.
func placeOf(err error, name string) nest.Pos {
	if e := new(csource.Error); errors.As(err, &e) {
		return e.Pos
	}
	return nest.Pos{File: name}
}

// entered is a region as it was entered with some values.
type entered struct {
	programs  []*nest.Program
	warnings  []string
	macros    []string
	overrides []string
	averaged  bool
}

// readWith reads a function with the values that it was entered with: asked are those that the analysis asked for, lacking those of them that it needed and
// that were not told.
type readWith func(values map[csource.Place]int64) (u *csource.Unit, asked []csource.Place, lacking map[csource.Place]bool, err error)

// ofFile reads a function of a C source.
func ofFile(f *csource.File, o csource.Options, function string) readWith {
	o.Regions = wantedIn(o.Regions, function)
	return func(values map[csource.Place]int64) (*csource.Unit, []csource.Place, map[csource.Place]bool, error) {
		o.Told = values
		u, err := f.Load(o)
		asked := slices.Concat(slices.Collect(maps.Keys(f.Taken.Used)), slices.Collect(maps.Keys(f.Taken.Aside)), slices.Collect(maps.Keys(f.Taken.Lacking)))
		return u, asked, f.Taken.Lacking, err
	}
}

// regionsOf reads a function for each group of values that it was entered with; groups that make no difference are one.
func regionsOf(read readWith, e observe.Entered, tables map[int64]*expr.Table) ([]entered, error) {
	read = once(read)
	groups, different := e.Representatives(mostGroups, func(g observe.Group) []csource.Place {
		_, asked, _, _ := read(g.Values) // that it cannot be read is said below
		return asked
	}, tables)
	var all []entered
	byText := map[string]int{}
	var failed error
	unread := int64(0)
	for _, g := range groups {
		u, asked, lacking, err := read(g.Values)
		if err != nil {
			failed = err
			unread += g.Count
			continue
		}
		text, err := textOf(u)
		if err != nil {
			return nil, err
		}
		if n, ok := byText[text]; ok {
			for _, p := range all[n].programs {
				p.Entered += g.Count
			}
			continue
		}
		byText[text] = len(all)
		changing, averaged := varying(g, asked, lacking)
		for _, p := range u.Programs {
			p.Entered = g.Count
			p.Warnings = append(p.Warnings, changing...)
		}
		all = append(all, entered{u.Programs, u.Warnings, u.Macros, u.Overrides, averaged})
	}
	if len(all) == 0 {
		return nil, failed
	}
	first := all[0].programs[0]
	if different > len(groups) && len(all) > 1 {
		first.Warnings = append(first.Warnings, fmt.Sprintf("%s was entered with %d different values; %d of them stand for those next to them", e.Function, different, len(groups)))
	}
	if unread > 0 {
		first.Warnings = append(first.Warnings, fmt.Sprintf("%d entries of %s cannot be read with their values, and nothing is predicted of them: %v", unread, e.Function, failed))
	}
	name(all)
	return all, nil
}

// once reads no function twice with the same values.
func once(read readWith) readWith {
	type answer struct {
		u       *csource.Unit
		asked   []csource.Place
		lacking map[csource.Place]bool
		err     error
	}
	known := map[string]answer{}
	return func(values map[csource.Place]int64) (*csource.Unit, []csource.Place, map[csource.Place]bool, error) {
		key := fmt.Sprint(values)
		a, there := known[key]
		if !there {
			a.u, a.asked, a.lacking, a.err = read(values)
			known[key] = a
		}
		return a.u, a.asked, a.lacking, a.err
	}
}

// textOf are the loops and accesses that were read, as text.
func textOf(u *csource.Unit) (string, error) {
	text := ""
	for _, p := range u.Programs {
		alone := *p
		alone.Body, alone.Scalars, alone.Warnings, alone.With = withoutOperations(p.Body), nil, nil, nil
		whole, err := portable.Marshal(&alone)
		if err != nil {
			return "", err
		}
		text += string(whole)
	}
	return text, nil
}

// withoutOperations copies nodes with their accesses alone.
func withoutOperations(nodes []nest.Node) []nest.Node {
	var out []nest.Node
	for _, n := range nodes {
		switch s, ok := n.(*nest.Stmt); {
		case !ok:
			out = append(out, nest.Within(n, withoutOperations))
		case len(s.Accesses) > 0:
			out = append(out, &nest.Stmt{Accesses: s.Accesses, Pos: s.Pos})
		}
	}
	return out
}

// wantedIn are the regions of a function that are wanted: itself, or loops in it.
func wantedIn(regions []string, function string) []string {
	var out []string
	for _, r := range regions {
		if f, _, _ := strings.Cut(r, ":"); f == function {
			out = append(out, r)
		}
	}
	if out == nil {
		out = []string{function}
	}
	return out
}

// varying warns of values that are lacking since they changed while a region ran once, and of iterations whose mean is taken; averaged says that there are such.
func varying(g observe.Group, asked []csource.Place, lacking map[csource.Place]bool) (all []string, averaged bool) {
	for place, span := range g.Varies {
		if mean, there := g.Values[place]; there && place.At.Line > 0 && slices.Contains(asked, place) {
			averaged = true
			low, high, _ := strings.Cut(span, "..")
			all = append(all, fmt.Sprintf("%s:%d: %s are %s to %s, depending on data; their mean, %d, is taken", place.At.File, place.At.Line, place.Text, low, high, mean))
		}
		if !lacking[place] {
			continue
		}
		if place.IsTable() {
			all = append(all, fmt.Sprintf("%s:%d: %s change while the region runs once, so that none stand for them", place.At.File, place.At.Line, place.Name()))
			continue
		}
		low, high, _ := strings.Cut(span, "..")
		all = append(all, fmt.Sprintf("%s:%d: %s is %s to %s while the region runs once, so that no value stands for it", place.At.File, place.At.Line, place.Text, low, high))
	}
	slices.Sort(all)
	return all, averaged
}

// with are the values that a function was read with.
func (e entered) with() []nest.Named { return e.programs[0].With }

// name tells regions of one function apart by the values that differ.
func name(all []entered) {
	for i, r := range all {
		var differ []string
		for _, v := range r.with() {
			if slices.ContainsFunc(all, func(o entered) bool { return !slices.Contains(o.with(), v) }) {
				differ = append(differ, fmt.Sprintf("%s=%d", v.Text, v.Value))
			}
		}
		if len(all) == 1 {
			continue
		}
		said := strings.Join(differ, ", ")
		if len(differ) == 0 || len(said) > 60 || sameElsewhere(all, i, differ) {
			said = fmt.Sprintf("values %d", i+1)
		}
		for _, p := range r.programs {
			p.Region += " (" + said + ")"
		}
	}
}

// sameElsewhere tells whether the values that differ say the same of another region: one name may stand for several places.
func sameElsewhere(all []entered, i int, differ []string) bool {
	return slices.ContainsFunc(all, func(o entered) bool {
		if &o.programs[0] == &all[i].programs[0] {
			return false
		}
		same := true
		for _, d := range differ {
			same = same && slices.ContainsFunc(o.with(), func(v nest.Named) bool { return fmt.Sprintf("%s=%d", v.Text, v.Value) == d })
		}
		return same
	})
}
