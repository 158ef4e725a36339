package nest

import (
	"encoding/json"
	"fmt"
)

// The portable form of a program is JSON: nodes with a kind, objects by their number, expressions as nested lists
// with the operator first, variables as {"v": number}.

type portableProgram struct {
	Region   string         `json:"region"`
	Pos      Pos            `json:"pos"`
	Vars     []string       `json:"vars"`
	Scalars  []string       `json:"scalars"`
	Objects  []Object       `json:"objects"`
	Body     []portableNode `json:"body"`
	Warnings []string       `json:"warnings"`
}

type portableNode struct {
	Kind     string           `json:"kind"`
	Pos      Pos              `json:"pos"`
	Var      Var              `json:"var,omitempty"`
	Lo       *portableExpr    `json:"lo,omitempty"`
	Hi       *portableExpr    `json:"hi,omitempty"`
	Step     int64            `json:"step,omitempty"`
	Work     *Work            `json:"work,omitempty"`
	Cond     *portableExpr    `json:"cond,omitempty"`
	Nowait   bool             `json:"nowait,omitempty"`
	Body     []portableNode   `json:"body,omitempty"`
	Else     []portableNode   `json:"else,omitempty"`
	Accesses []portableAccess `json:"accesses,omitempty"`
	Flow     []Operation      `json:"flow,omitempty"`
}

type portableAccess struct {
	Object int           `json:"object"`
	Offset *portableExpr `json:"offset"`
	Size   int64         `json:"size"`
	Write  bool          `json:"write,omitempty"`
	Pos    Pos           `json:"pos"`
	Text   string        `json:"text"`
}

// MarshalProgram writes a program in its portable form.
func MarshalProgram(p *Program) ([]byte, error) {
	out := portableProgram{Region: p.Region, Pos: p.Pos, Vars: p.Vars, Scalars: p.Scalars, Warnings: p.Warnings}
	number := map[*Object]int{}
	add := func(o *Object) {
		if _, ok := number[o]; !ok {
			number[o] = len(out.Objects)
			out.Objects = append(out.Objects, *o)
		}
	}
	for _, o := range p.Objects {
		add(o)
	}
	Walk(p.Body, func(n Node) {
		if s, ok := n.(*Stmt); ok {
			for _, a := range s.Accesses {
				add(a.Object)
			}
		}
	})
	out.Body = portableNodes(p.Body, number)
	return json.Marshal(out)
}

func portableNodes(nodes []Node, number map[*Object]int) (out []portableNode) {
	for _, n := range nodes {
		var p portableNode
		switch n := n.(type) {
		case *Loop:
			p = portableNode{
				Kind: "loop", Pos: n.Pos, Var: n.Var, Lo: (*portableExpr)(n.Lo), Hi: (*portableExpr)(n.Hi), Step: n.Step,
				Work: n.Work, Body: portableNodes(n.Body, number),
			}
		case *If:
			p = portableNode{
				Kind: "if", Pos: n.Pos, Cond: (*portableExpr)(n.Cond), Body: portableNodes(n.Then, number), Else: portableNodes(n.Else, number),
			}
		case *Parallel:
			p = portableNode{Kind: "parallel", Pos: n.Pos, Body: portableNodes(n.Body, number)}
		case *Single:
			p = portableNode{Kind: "single", Pos: n.Pos, Nowait: n.Nowait, Body: portableNodes(n.Body, number)}
		case *Critical:
			p = portableNode{Kind: "critical", Pos: n.Pos, Body: portableNodes(n.Body, number)}
		case *Barrier:
			p = portableNode{Kind: "barrier", Pos: n.Pos}
		case *Stmt:
			p = portableNode{Kind: "statement", Pos: n.Pos, Flow: n.Flow}
			for _, a := range n.Accesses {
				p.Accesses = append(p.Accesses, portableAccess{number[a.Object], (*portableExpr)(a.Offset), a.Size, a.Write, a.Pos, a.Text})
			}
		}
		out = append(out, p)
	}
	return out
}

// UnmarshalProgram reads the portable form and checks that it makes sense.
func UnmarshalProgram(data []byte) (*Program, error) {
	var in portableProgram
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("the program is damaged: %w", err)
	}
	p := &Program{Region: in.Region, Pos: in.Pos, Vars: in.Vars, Scalars: in.Scalars, Warnings: in.Warnings}
	for i := range in.Objects {
		p.Objects = append(p.Objects, &in.Objects[i])
	}
	var err error
	if p.Body, err = p.fromPortable(in.Body, 0); err != nil {
		return nil, fmt.Errorf("the program is damaged: %w", err)
	}
	return p, Check(p)
}

// deepest bounds how far nodes and expressions are nested in what is read.
const deepest = 200

func (p *Program) fromPortable(nodes []portableNode, depth int) ([]Node, error) {
	if depth > deepest {
		return nil, fmt.Errorf("nodes are nested more than %d deep", deepest)
	}
	var out []Node
	for i := range nodes {
		n, err := p.nodeFrom(&nodes[i], depth)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func (p *Program) nodeFrom(n *portableNode, depth int) (Node, error) {
	body, err := p.fromPortable(n.Body, depth+1)
	if err != nil {
		return nil, err
	}
	switch n.Kind {
	case "loop":
		if n.Lo == nil || n.Hi == nil {
			return nil, fmt.Errorf("%s: a loop without bounds", n.Pos)
		}
		if w := n.Work; w != nil && (!w.Schedule.Known() || w.Chunk < 0 || w.Collapse < 1) {
			return nil, fmt.Errorf("%s: unknown schedule", n.Pos)
		}
		return &Loop{Var: n.Var, Lo: (*Expr)(n.Lo), Hi: (*Expr)(n.Hi), Step: n.Step, Work: n.Work, Body: body, Pos: n.Pos}, nil
	case "if":
		otherwise, err := p.fromPortable(n.Else, depth+1)
		if err != nil {
			return nil, err
		}
		if n.Cond == nil {
			return nil, fmt.Errorf("%s: an if without a condition", n.Pos)
		}
		return &If{Cond: (*Expr)(n.Cond), Then: body, Else: otherwise, Pos: n.Pos}, nil
	case "parallel":
		return &Parallel{Body: body, Pos: n.Pos}, nil
	case "single":
		return &Single{Body: body, Nowait: n.Nowait, Pos: n.Pos}, nil
	case "critical":
		return &Critical{Body: body, Pos: n.Pos}, nil
	case "barrier":
		return &Barrier{Pos: n.Pos}, nil
	case "statement":
		return p.statementFrom(n)
	}
	return nil, fmt.Errorf("unknown kind of node %q", n.Kind)
}

func (p *Program) statementFrom(n *portableNode) (Node, error) {
	s := &Stmt{Flow: n.Flow, Pos: n.Pos}
	for _, a := range n.Accesses {
		if a.Object < 0 || a.Object >= len(p.Objects) || a.Offset == nil || a.Size < 1 {
			return nil, fmt.Errorf("%s: access %q has no object, offset or size", a.Pos, a.Text)
		}
		s.Accesses = append(s.Accesses, &Access{Object: p.Objects[a.Object], Offset: (*Expr)(a.Offset), Size: a.Size, Write: a.Write, Pos: a.Pos, Text: a.Text})
	}
	for i, o := range n.Flow {
		if o.Kind < Move || o.Kind > Call || o.Type < I32 || o.Type > F64 {
			return nil, fmt.Errorf("%s: unknown operation", n.Pos)
		}
		for _, v := range append([]Value{o.Out}, o.Args...) {
			limit := map[ValueKind]int{None: 1, Const: 1 << 62, Temp: i, Scalar: len(p.Scalars), Load: len(s.Accesses), Store: len(s.Accesses)}
			if most, ok := limit[v.Kind]; !ok || v.Kind > Const && (v.N < 0 || v.N >= most) {
				return nil, fmt.Errorf("%s: an operation uses what is not there", n.Pos)
			}
		}
	}
	return s, nil
}

type portableExpr Expr

var portableOps = map[Op]string{
	OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpMod: "%", OpFloorDiv: "floor", OpCeilDiv: "ceil", OpNeg: "neg",
	OpMin: "min", OpMax: "max", OpLt: "<", OpLe: "<=", OpEq: "==", OpNe: "!=", OpAnd: "&&", OpOr: "||", OpNot: "!", OpCond: "?",
}

// MarshalJSON writes a number, {"v": variable}, or [operator, operands].
func (e *portableExpr) MarshalJSON() ([]byte, error) { return json.Marshal((*Expr)(e).portable()) }

func (e *Expr) portable() any {
	switch e.Op {
	case OpConst:
		return e.K
	case OpVar:
		return map[string]int64{"v": e.K}
	}
	list := []any{portableOps[e.Op]}
	for _, x := range []*Expr{e.A, e.B, e.C} {
		if x != nil {
			list = append(list, x.portable())
		}
	}
	return list
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *portableExpr) UnmarshalJSON(data []byte) error {
	x, err := exprFrom(data, 0)
	if err != nil {
		return err
	}
	*e = portableExpr(*x)
	return nil
}

func exprFrom(data []byte, depth int) (*Expr, error) {
	var k int64
	if json.Unmarshal(data, &k) == nil {
		return Int(k), nil
	}
	var v struct{ V *Var }
	if json.Unmarshal(data, &v) == nil && v.V != nil {
		return Ref(*v.V), nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil || len(list) < 2 || depth > deepest {
		return nil, fmt.Errorf("an expression is no number, variable or list: %.40s", data)
	}
	var name string
	if err := json.Unmarshal(list[0], &name); err != nil {
		return nil, fmt.Errorf("an expression without an operator: %.40s", data)
	}
	for op, text := range portableOps {
		if text == name && len(list)-1 == operands(op) {
			e := &Expr{Op: op}
			for i, field := range []**Expr{&e.A, &e.B, &e.C}[:operands(op)] {
				x, err := exprFrom(list[i+1], depth+1)
				if err != nil {
					return nil, err
				}
				*field = x
			}
			return e, nil
		}
	}
	return nil, fmt.Errorf("unknown operator in %.40s", data)
}

func operands(op Op) int {
	switch op {
	case OpNeg, OpNot:
		return 1
	case OpCond:
		return 3
	}
	return 2
}
