package portable

import (
	"bytes"
	"encoding/json"
	"fmt"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// Unmarshal reads the portable form and checks that it makes sense. Nodes are made as they are read, one by one, so that a large
// program takes little more memory than they do.
func Unmarshal(data []byte) (*nest.Program, error) {
	var in struct {
		portableHead
		Warnings []string     `json:"warnings"`
		Left     []nest.Left  `json:"left"`
		Entered  int64        `json:"entered"`
		With     []nest.Named `json:"with"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("the program is damaged: %w", err)
	}
	p := &nest.Program{Region: in.Region, Pos: in.Pos, Vars: in.Vars, Scalars: in.Scalars, Warnings: in.Warnings, Left: in.Left, Entered: in.Entered, With: in.With}
	for i := range in.Objects {
		p.Objects = append(p.Objects, &in.Objects[i])
	}
	r := &nodeReader{Decoder: json.NewDecoder(bytes.NewReader(data)), program: p}
	for _, t := range in.Tables {
		table, err := t.table()
		if err != nil {
			return nil, fmt.Errorf("the program is damaged: %w", err)
		}
		r.tables = append(r.tables, table)
	}
	r.UseNumber()
	err := r.fields(func(key string) (err error) {
		if key != "body" {
			return r.skip()
		}
		p.Body, err = r.nodes(0)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the program is damaged: %w", err)
	}
	return p, nest.Check(p)
}

// deepest bounds how far nodes and expressions are nested in what is read.
const deepest = 200

// nodeReader makes the nodes of a program from the tokens of their portable form.
type nodeReader struct {
	*json.Decoder
	program *nest.Program
	tables  []*expr.Table
}

// fields gives the keys of an object to f, which must read what stands behind each.
func (r *nodeReader) fields(f func(key string) error) error {
	switch t, err := r.Token(); {
	case err != nil:
		return err
	case t != json.Delim('{'):
		return fmt.Errorf("%v where an object should begin", t)
	}
	return r.rest(f)
}

// rest gives the keys of an object that has begun.
func (r *nodeReader) rest(f func(key string) error) error {
	for r.More() {
		key, err := r.Token()
		if err != nil {
			return err
		}
		if err := f(key.(string)); err != nil {
			return err
		}
	}
	_, err := r.Token()
	return err
}

func (r *nodeReader) skip() error {
	var ignored ignoredJSON
	return r.Decode(&ignored)
}

// ignoredJSON takes any value and keeps nothing.
type ignoredJSON struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (*ignoredJSON) UnmarshalJSON([]byte) error { return nil }

// nodes reads a list of nodes, or null.
func (r *nodeReader) nodes(depth int) ([]nest.Node, error) {
	if depth > deepest {
		return nil, fmt.Errorf("nodes are nested more than %d deep", deepest)
	}
	return list(r, func() (nest.Node, error) { return r.node(depth) })
}

// list reads the elements of a list, or null.
func list[T any](r *nodeReader, element func() (T, error)) (out []T, err error) {
	switch t, err := r.Token(); {
	case err != nil:
		return nil, err
	case t == nil:
		return nil, nil
	case t != json.Delim('['):
		return nil, fmt.Errorf("%v where a list should begin", t)
	}
	for r.More() {
		one, err := element()
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	_, err = r.Token()
	return out, err
}

// readNode is what was read of a node, whatever its kind.
type readNode struct {
	kind            string
	pos             nest.Pos
	variable        expr.Var
	lo, hi, cond    *expr.Expr
	step            int64
	work            *nest.Work
	nowait          bool
	body, otherwise []nest.Node
	accesses        []*nest.Access
	flow            []nest.Operation
	lane            nest.Lane
	branches        int
	unseen          bool
	early           bool
	atomic          bool
}

// node reads one node with what is in it.
func (r *nodeReader) node(depth int) (nest.Node, error) {
	var n readNode
	if err := r.fields(func(key string) error { return r.field(&n, key, depth) }); err != nil {
		return nil, err
	}
	return nodeFrom(r.program, &n)
}

// field reads one field of a node.
func (r *nodeReader) field(n *readNode, key string, depth int) (err error) {
	switch key {
	case "kind":
		return r.Decode(&n.kind)
	case "pos":
		return r.Decode(&n.pos)
	case "var":
		return r.Decode(&n.variable)
	case "lo":
		n.lo, err = r.expr(0)
	case "hi":
		n.hi, err = r.expr(0)
	case "cond":
		n.cond, err = r.expr(0)
	case "step":
		return r.Decode(&n.step)
	case "work":
		return r.Decode(&n.work)
	case "nowait":
		return r.Decode(&n.nowait)
	case "body":
		n.body, err = r.nodes(depth + 1)
	case "else":
		n.otherwise, err = r.nodes(depth + 1)
	case "accesses":
		n.accesses, err = list(r, r.access)
	case "flow":
		return r.Decode(&n.flow)
	case "lane":
		return r.Decode(&n.lane)
	case "branches":
		return r.Decode(&n.branches)
	case "unseen":
		return r.Decode(&n.unseen)
	case "early":
		return r.Decode(&n.early)
	case "atomic":
		return r.Decode(&n.atomic)
	default:
		return r.skip()
	}
	return err
}

// access reads an access.
func (r *nodeReader) access() (*nest.Access, error) {
	a, object := &nest.Access{}, -1
	err := r.fields(func(key string) (err error) {
		switch key {
		case "object":
			return r.Decode(&object)
		case "offset":
			a.Offset, err = r.expr(0)
			return err
		case "size":
			return r.Decode(&a.Size)
		case "write":
			return r.Decode(&a.Write)
		case "pos":
			return r.Decode(&a.Pos)
		case "text":
			return r.Decode(&a.Text)
		case "per_thread":
			return r.Decode(&a.PerThread)
		}
		return r.skip()
	})
	if err != nil {
		return nil, err
	}
	if object < 0 || object >= len(r.program.Objects) || a.Offset == nil || a.Size < 1 {
		return nil, fmt.Errorf("%s: access %q has no object, offset or size", a.Pos, a.Text)
	}
	a.Object = r.program.Objects[object]
	return a, nil
}

// nodeFrom makes a node of what was read, if it has what its kind needs.
func nodeFrom(p *nest.Program, n *readNode) (nest.Node, error) {
	switch n.kind {
	case "loop":
		if n.lo == nil || n.hi == nil {
			return nil, fmt.Errorf("%s: a loop without bounds", n.pos)
		}
		if w := n.work; w != nil && (!w.Schedule.Known() || w.Chunk < 0 || w.Collapse < 1) {
			return nil, fmt.Errorf("%s: unknown schedule", n.pos)
		}
		return &nest.Loop{Var: n.variable, Lo: n.lo, Hi: n.hi, Step: n.step, Work: n.work, Body: n.body, Pos: n.pos, Unseen: n.unseen, Early: n.early}, nil
	case "if":
		if n.cond == nil {
			return nil, fmt.Errorf("%s: an if without a condition", n.pos)
		}
		return &nest.If{Cond: n.cond, Then: n.body, Else: n.otherwise, Pos: n.pos}, nil
	case "parallel":
		return &nest.Parallel{Body: n.body, Pos: n.pos}, nil
	case "single":
		return &nest.Single{Body: n.body, Nowait: n.nowait, Pos: n.pos}, nil
	case "critical":
		return &nest.Critical{Body: n.body, Atomic: n.atomic, Pos: n.pos}, nil
	case "barrier":
		return &nest.Barrier{Pos: n.pos}, nil
	case "statement":
		return statementFrom(p, n)
	}
	return nil, fmt.Errorf("unknown kind of node %q", n.kind)
}

// statementFrom makes a statement, whose operations may take only what is there before them.
func statementFrom(p *nest.Program, n *readNode) (nest.Node, error) {
	s := &nest.Stmt{Accesses: n.accesses, Flow: n.flow, Lane: n.lane, Branches: n.branches, Pos: n.pos}
	there := func(v nest.Value, before int) bool {
		switch v.Kind {
		case nest.None, nest.Const:
			return true
		case nest.Temp:
			return v.N >= 0 && v.N < before
		case nest.Scalar:
			return v.N >= 0 && v.N < len(p.Scalars)
		case nest.Load, nest.Store:
			return v.N >= 0 && v.N < len(s.Accesses)
		}
		return false
	}
	for i, o := range n.flow {
		if o.Kind < nest.Move || o.Kind > nest.Lookup || min(o.Type, o.From) < nest.I32 || max(o.Type, o.From) > nest.F64 {
			return nil, fmt.Errorf("%s: unknown operation", n.pos)
		}
		for _, v := range append([]nest.Value{o.Out}, o.Args...) {
			if !there(v, i) {
				return nil, fmt.Errorf("%s: an operation uses what is not there", n.pos)
			}
		}
	}
	return s, nil
}
