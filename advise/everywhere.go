package advise

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"foresee/advise/syntax"
	"foresee/advise/transform"
	"foresee/application/csource"
	"foresee/application/nest"
)

// layouts are the kinds of changes that lay data out otherwise, and so touch every function that uses the data.
var layouts = []transform.Kind{transform.Padding, transform.Transposed, transform.Arrays, transform.Interleaving}

// neighbour is a function of the source that may be read as a region, beside the one that is looked at.
type neighbour struct {
	name    string
	program *nest.Program // nil: it cannot be read
}

// neighbours are the functions of the source as it stands that do its work: the regions, and what was left out of them but prepares, checks or prints nothing.
func (r *Request) neighbours() []neighbour {
	if r.others == nil {
		r.others = slices.Concat([]neighbour{}, r.readBeside())
	}
	return r.others
}

func (r *Request) readBeside() (all []neighbour) {
	var left []string
	text := syntax.Parse(r.Name, r.Text)
	whole, err := r.load(r.Text, nil)
	if err != nil { // of some that cannot be read: each by itself
		whole = &csource.Unit{}
		for _, f := range text.Functions {
			whole.Skipped = append(whole.Skipped, csource.Skipped{Function: f.Name, Pos: nest.Pos{File: r.Name}})
		}
	}
	for _, p := range whole.Programs {
		all = append(all, neighbour{p.Region, p})
	}
	for _, k := range whole.Skipped {
		switch {
		case k.Pos.File != r.Name || k.Reason == csource.NoLoops || csource.Aside(k.Function) || !loops(text, k.Function):
		case k.Refused:
			all = append(all, neighbour{k.Function, nil})
		default:
			left = append(left, k.Function)
		}
	}
	if len(left) == 0 {
		return all
	}
	if together, err := r.loadAnew(r.Text, left); err == nil {
		for _, p := range together.Programs {
			all = append(all, neighbour{p.Region, p})
		}
		return all
	}
	for _, name := range left {
		n := neighbour{name: name}
		if one, err := r.loadAnew(r.Text, []string{name}); err == nil && len(one.Programs) > 0 {
			n.program = one.Programs[0]
		}
		all = append(all, n)
	}
	return all
}

// loops tells whether a function of a text holds loops itself.
func loops(text *syntax.File, function string) bool {
	return slices.ContainsFunc(text.Functions, func(f *syntax.Function) bool { return f.Name == function && len(repeated(f)) > 0 })
}

// repeated are the loops of a function, and what may be one.
func repeated(f *syntax.Function) (all []*syntax.Node) {
	f.Body.Each(func(n *syntax.Node) {
		if n.Kind == syntax.For || n.Kind == syntax.Opaque {
			all = append(all, n)
		}
	})
	return all
}

// uses tells whether a program makes accesses to one of some arrays.
func uses(p *nest.Program, arrays []string) bool {
	return slices.ContainsFunc(p.Objects, func(o *nest.Object) bool { return slices.Contains(arrays, o.Name) })
}

// holds tells whether a region runs all of the loops of another one: it calls it.
func holds(p, within *nest.Program) bool {
	places := map[nest.Pos]bool{}
	nest.Walk(p.Body, func(n nest.Node) {
		if l, ok := n.(*nest.Loop); ok {
			places[l.Pos] = true
		}
	})
	all, any := true, false
	nest.Walk(within.Body, func(n nest.Node) {
		if l, ok := n.(*nest.Loop); ok {
			all, any = all && places[l.Pos], true
		}
	})
	return all && any
}

// reached are the regions that a change of arrays touches beside the one that is looked at, without those that others of them call; alone says that none of them calls the region
// itself, which then counts by itself. Functions that use the arrays in loops and cannot be read are unread.
func (s *search) reached(arrays []string) (others []string, alone bool, unread []string) {
	var touched []neighbour
	var own *nest.Program
	text := syntax.Parse(s.Name, s.Text)
	for _, n := range s.neighbours() {
		switch {
		case n.name == s.region:
			own = n.program
		case n.program == nil:
			if mentions(text, n.name, arrays) {
				unread = append(unread, n.name)
			}
		case uses(n.program, arrays):
			touched = append(touched, n)
		}
	}
	alone = true
	for i, n := range touched {
		if own != nil && holds(n.program, own) {
			alone = false
		}
		called := own != nil && holds(own, n.program) || slices.ContainsFunc(touched[:i], func(o neighbour) bool { return holds(o.program, n.program) }) ||
			slices.ContainsFunc(touched[i+1:], func(o neighbour) bool { return holds(o.program, n.program) && !holds(n.program, o.program) })
		if !called {
			others = append(others, n.name)
		}
	}
	return others, alone, unread
}

// mentions tells whether loops of a function have the name of an array.
func mentions(text *syntax.File, function string, arrays []string) bool {
	for _, f := range text.Functions {
		if f.Name != function {
			continue
		}
		for _, l := range repeated(f) {
			if slices.ContainsFunc(text.Words(l), func(t syntax.Token) bool { return t.Kind == syntax.Word && slices.Contains(arrays, t.Text) }) {
				return true
			}
		}
	}
	return false
}

// spread is what a change comes to in all regions that it touches, with one number of threads; in seconds.
type spread struct {
	before, after float64
	effects       []Effect
	unread        []string
}

// everywhere adds up what a change of data is in all regions that use it, and another change in those that call the region, where its own takes from before
// to after; nil where it touches no other region.
func (s *search) everywhere(c *candidate, threads int, how manner, before, after float64) (*spread, error) {
	others, alone, unread := s.callers, false, []string(nil)
	if len(c.arrays) > 0 {
		others, alone, unread = s.reached(c.arrays)
	}
	if len(others) == 0 && len(unread) == 0 {
		return nil, nil
	}
	out := &spread{unread: unread}
	if alone {
		out.before, out.after = before, after
	}
	for _, name := range others {
		was, err := s.timeOf(s.ctx, s.Text, name, threads, how)
		if err != nil {
			if s.ctx.Err() != nil {
				return nil, s.ctx.Err()
			}
			out.unread = append(out.unread, name)
			continue
		}
		then, err := s.timeOf(s.ctx, c.Text, name, threads, how)
		if err != nil {
			return nil, err
		}
		out.before, out.after = out.before+was, out.after+then
		out.effects = append(out.effects, Effect{name, was, then})
	}
	if len(out.effects) == 0 {
		out.before, out.after = before, after
	}
	return out, nil
}

// mostOutweighed is how many changes that others pay for are told of. Chosen: they are no advice.
const mostOutweighed = 3

// judged notes a change that gains where it is looked at and loses in all regions together, with what it does to each.
func (s *search) judged(c *candidate, own float64, all *spread) {
	if s.onTop || len(laidOut(c.Change)) == 0 || own < further || c.gain > 1/noise || len(s.outweighed) == mostOutweighed {
		return
	}
	said := fmt.Sprintf("%s: not advised, as with it %s is %.2g times as fast", c.Title, s.region, own)
	for _, e := range all.effects {
		if e.AfterS > noise*e.BeforeS {
			said += fmt.Sprintf(", but %s takes %.3g times as long", e.Region, e.AfterS/e.BeforeS)
		}
	}
	if said += fmt.Sprintf("; all together take %.3g times as long", 1/c.gain); !slices.Contains(s.outweighed, said) {
		s.outweighed = append(s.outweighed, said)
	}
}

// timeOf is the time of a region of a text in seconds, which is predicted once for all searches.
func (r *Request) timeOf(ctx context.Context, text, region string, threads int, how manner) (float64, error) {
	key := fmt.Sprintf("%x %s %d %d %v", sha256.Sum256([]byte(text)), region, threads, how, r.reordered)
	if t, known := r.times[key]; known {
		return t, nil
	}
	p, _, err := r.predicted(ctx, text, region, []int{threads}, how)
	if err != nil {
		return 0, err
	}
	r.times[key] = *p[0].TimeS
	return *p[0].TimeS, nil
}

// laidOut are the arrays that a change lays out otherwise, by their names in the source.
func laidOut(c *transform.Change) []string {
	if !slices.Contains(layouts, c.Kind) {
		return nil
	}
	return strings.Split(c.Array, ", ")
}

// uncertain are the conditions that what cannot be read makes.
func (x *spread) uncertain(arrays []string) (all []string) {
	if x == nil {
		return nil
	}
	for _, name := range x.unread {
		all = append(all, fmt.Sprintf("if %s, of which no time is predicted, loses less by another layout of %s", name, strings.Join(arrays, ", ")))
	}
	return all
}

// loses tells whether the other regions lose more than is left to noise, as a share of the time of all.
func (x *spread) loses() bool {
	lost := 0.0
	if x != nil {
		for _, e := range x.effects {
			lost += e.AfterS - e.BeforeS
		}
	}
	return lost > 0 && lost > (1-1/further)*x.before
}

// said is what a change does to the other regions that it touches.
func (x *spread) said() *Everywhere {
	if x == nil || len(x.effects) == 0 {
		return nil
	}
	return &Everywhere{BeforeS: x.before, AfterS: x.after, Others: x.effects}
}
