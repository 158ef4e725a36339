package emulate

import (
	"slices"

	"foresee/application/assembly"
)

// natural is a loop of machine code: a header, and all from which control comes back to it without leaving by it.
type natural struct {
	header int32
	size   int // operations
	around *natural
	outer  bool       // loops are inside
	exits  []decision // of its own, not of loops inside
}

// decision is a conditional jump of a loop's own body.
type decision struct {
	at     int32
	setter int32 // the operation that makes its flags; −1 where that is not known
	leaves bool  // one of its ways leads out of the loop
}

// structure is what is known of the control flow of a program before it runs.
type structure struct {
	inside  []*natural         // of each operation, the innermost loop
	headers map[int32]*natural // by their first operation
	traits  []trait
	decides map[int32]int32 // of operations that weigh, the conditional jump
	spills  bool            // integers are kept in registers for vectors
}

// trait is what a follower of loops asks of an operation.
type trait uint8

const (
	closes trait = 1 << iota // control may go from it to the header of a loop that it is in
	leads                    // it may go elsewhere than to the next operation
	keeps                    // it writes an integer to memory
	seeks                    // what it loads becomes part of an address
	stores                   // it writes to memory
	weighs                   // what it loads decides a conditional jump, if it has changed
)

// contains says whether a loop has an operation in it, or in a loop inside.
func (s *structure) contains(l *natural, at int32) bool {
	if at < 0 || int(at) >= len(s.inside) {
		return false
	}
	for in := s.inside[at]; in != nil; in = in.around {
		if in == l {
			return true
		}
	}
	return false
}

// structureOf finds the loops of all functions.
func structureOf(p *Program) *structure {
	s := &structure{inside: make([]*natural, len(p.ops)), headers: map[int32]*natural{}, traits: make([]trait, len(p.ops)), decides: map[int32]int32{}}
	effects := make([]assembly.Effects, len(p.ops))
	for i := range p.ops {
		effects[i] = p.ops[i].at.Effects()
	}
	for k, from := range p.functions {
		to := int32(len(p.ops))
		if k+1 < len(p.functions) {
			to = p.functions[k+1]
		}
		f := &flow{p: p, from: from, to: to}
		f.findLoops(s)
	}
	for i := range p.ops {
		s.spills = s.spills || p.ops[i].fetches()
		s.traits[i] = p.traitOf(s, int32(i), effects)
	}
	for i := range p.ops {
		if l := s.inside[i]; l != nil && p.ops[i].at.Mnemonic == "j" {
			out := !s.contains(l, p.ops[i].target) || !s.contains(l, int32(i)+1)
			l.exits = append(l.exits, decision{int32(i), p.setterOf(int32(i), effects), out})
		}
	}
	return s
}

// fetches says whether an operation moves an integer out of a register for vectors.
func (o *op) fetches() bool {
	x := o.at
	return (x.Mnemonic == "movd" || x.Mnemonic == "movq") && len(x.Operands) == 2 && x.Operands[0].Kind == assembly.InRegister && x.Operands[0].Register.Integer() &&
		x.Operands[1].Kind == assembly.InRegister && x.Operands[1].Register.Vector()
}

// traitOf says what an operation may do.
func (p *Program) traitOf(s *structure, at int32, effects []assembly.Effects) (out trait) {
	o := &p.ops[at]
	switch o.at.Mnemonic {
	case "j", "jmp", "ret", "call":
		out |= leads
	}
	for _, next := range p.successors(at) {
		if l := s.headers[next]; l != nil && s.contains(l, at) {
			out |= closes
		}
	}
	e := &effects[at]
	ofVectors := slices.ContainsFunc(o.at.Operands, func(a assembly.Operand) bool { return a.Kind == assembly.InRegister && !a.Register.Integer() })
	if e.Store > 0 && o.at.Mnemonic != "call" {
		out |= stores
		if !ofVectors {
			out |= keeps
		}
	}
	if e.Load > 0 && s.inside[at] != nil {
		if jump, ok := p.reachesJump(at, effects); ok {
			out |= weighs
			s.decides[at] = jump
		}
	}
	if e.Load > 0 && !ofVectors && p.reachesAddress(at, effects) {
		out |= seeks
	}
	return out
}

// reach is over how many operations what was loaded is followed to an address. Chosen: compilers load an index shortly before they use it.
const reach = 48

// reachesAddress says whether what an operation loads into a register of integers becomes part of an address soon, in the order of the
// text.
func (p *Program) reachesAddress(at int32, effects []assembly.Effects) bool {
	holds := map[assembly.Register]bool{}
	for _, r := range effects[at].Writes {
		if r.Integer() {
			holds[r] = true
		}
	}
	for i := at + 1; len(holds) > 0 && i < min(at+reach, int32(len(p.ops))); i++ {
		e := &effects[i]
		for _, r := range e.Address {
			if holds[r] && r != assembly.RSP {
				return true
			}
		}
		from := slices.ContainsFunc(e.Reads, func(r assembly.Register) bool { return holds[r] })
		for _, r := range e.Writes {
			delete(holds, r)
			if from && r.Integer() {
				holds[r] = true
			}
		}
		switch p.ops[i].at.Mnemonic {
		case "ret", "jmp", "call":
			return false
		}
	}
	return false
}

// reachesJump is the conditional jump that soon asks for flags made of what an operation loads, into any register or to be compared at once.
func (p *Program) reachesJump(at int32, effects []assembly.Effects) (jump int32, found bool) {
	holds, flags := map[assembly.Register]bool{}, false
	for _, r := range effects[at].Writes {
		if r == assembly.Flags {
			flags = true
		} else {
			holds[r] = true
		}
	}
	for i := at + 1; (flags || len(holds) > 0) && i < min(at+reach, int32(len(p.ops))); i++ {
		switch p.ops[i].at.Mnemonic {
		case "j":
			if flags {
				return i, true
			}
			continue
		case "ret", "jmp", "call":
			return 0, false
		}
		e := &effects[i]
		from := slices.ContainsFunc(e.Reads, func(r assembly.Register) bool { return holds[r] })
		for _, r := range e.Writes {
			if r == assembly.Flags {
				flags = from
				continue
			}
			delete(holds, r)
			if from {
				holds[r] = true
			}
		}
	}
	return 0, false
}

// setterOf is the operation whose flags a conditional jump asks for: the last before it that writes them, with nothing jumping in between.
func (p *Program) setterOf(at int32, effects []assembly.Effects) int32 {
	for i := at - 1; i >= max(0, at-8); i-- {
		if slices.Contains(effects[i].Writes, assembly.Flags) {
			return i
		}
		switch p.ops[i].at.Mnemonic {
		case "j", "jmp", "ret", "call":
			return -1
		}
	}
	return -1
}

// successors are the operations that control may go to from one within its function; what follows a call is behind it.
func (p *Program) successors(at int32) []int32 {
	o := &p.ops[at]
	switch o.at.Mnemonic {
	case "j":
		return []int32{at + 1, o.target}
	case "jmp":
		if o.target >= 0 && len(o.args) == 0 {
			return []int32{o.target}
		}
		return nil
	case "ret":
		return nil
	}
	return []int32{at + 1}
}

// flow is the control flow of one function.
type flow struct {
	p        *Program
	from, to int32
	before   [][]int32 // of each operation, those from which control comes
}

func (f *flow) within(at int32) bool { return at >= f.from && at < f.to }

// findLoops finds a function's loops, and puts each operation into the smallest that has it.
func (f *flow) findLoops(s *structure) {
	latches := f.backEdges()
	if len(latches) == 0 {
		return
	}
	f.before = make([][]int32, f.to-f.from)
	for i := f.from; i < f.to; i++ {
		for _, next := range f.p.successors(i) {
			if f.within(next) {
				f.before[next-f.from] = append(f.before[next-f.from], i)
			}
		}
	}
	type found struct {
		loop *natural
		body []int32
	}
	var all []found
	for header, from := range latches {
		body := f.body(header, from)
		all = append(all, found{&natural{header: header, size: len(body)}, body})
	}
	slices.SortFunc(all, func(a, b found) int { // the largest first, so that smaller ones take over what they have
		if d := b.loop.size - a.loop.size; d != 0 {
			return d
		}
		return int(a.loop.header - b.loop.header)
	})
	for _, l := range all {
		if l.loop.around = s.inside[l.loop.header]; l.loop.around != nil {
			l.loop.around.outer = true
		}
		for _, at := range l.body {
			s.inside[at] = l.loop
		}
		s.headers[l.loop.header] = l.loop
	}
}

// backEdges are the places from which control goes back to a header, by header: to an operation that lies on the way there from the
// function's begin, by a search in depth.
func (f *flow) backEdges() map[int32][]int32 {
	const unseen, open, closed = 0, 1, 2
	state := make([]uint8, f.to-f.from)
	latches := map[int32][]int32{}
	type step struct {
		at   int32
		next int
	}
	for root := f.from; root < f.to; root++ { // what only tables of jumps lead to begins anew
		if state[root-f.from] != unseen {
			continue
		}
		way := []step{{root, 0}}
		state[root-f.from] = open
		for len(way) > 0 {
			top := &way[len(way)-1]
			all := f.p.successors(top.at)
			if top.next == len(all) {
				state[top.at-f.from] = closed
				way = way[:len(way)-1]
				continue
			}
			next := all[top.next]
			top.next++
			if !f.within(next) {
				continue
			}
			switch state[next-f.from] {
			case open:
				latches[next] = append(latches[next], top.at)
			case unseen:
				state[next-f.from] = open
				way = append(way, step{next, 0})
			}
		}
	}
	return latches
}

// body is all from which control comes to the latches without passing the header, and the header.
func (f *flow) body(header int32, latches []int32) []int32 {
	seen := map[int32]bool{header: true}
	body := []int32{header}
	todo := slices.Clone(latches)
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		body = append(body, at)
		todo = append(todo, f.before[at-f.from]...)
	}
	return body
}

// LoopJumps are the operations from which control comes to the header of a loop: those in it, and those that enter it.
type LoopJumps struct{ Closing, Entering []int32 }

// Loops gives all loops, and a function that tells those around an operation, innermost first.
func (p *Program) Loops() (all []*LoopJumps, around func(at int32) []*LoopJumps) {
	s := structureOf(p)
	of := map[*natural]*LoopJumps{}
	for i := range int32(len(p.ops)) {
		for _, next := range p.successors(i) {
			l := s.headers[next]
			if l == nil {
				continue
			}
			if of[l] == nil {
				of[l] = &LoopJumps{}
				all = append(all, of[l])
			}
			if s.contains(l, i) {
				of[l].Closing = append(of[l].Closing, i)
			} else {
				of[l].Entering = append(of[l].Entering, i)
			}
		}
	}
	return all, func(at int32) (found []*LoopJumps) {
		for l := s.inside[at]; l != nil; l = l.around {
			if of[l] != nil {
				found = append(found, of[l])
			}
		}
		return found
	}
}
