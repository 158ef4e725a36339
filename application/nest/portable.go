package nest

import "encoding/json"

// The portable form of a program is JSON: nodes with a kind, objects by their number, expressions as nested lists
// with the operator first, variables as {"v": number}.

type portableProgram struct {
	portableHead
	Body     []portableNode `json:"body"`
	Warnings []string       `json:"warnings"`
}

type portableHead struct {
	Region  string   `json:"region"`
	Pos     Pos      `json:"pos"`
	Vars    []string `json:"vars"`
	Scalars []string `json:"scalars"`
	Objects []Object `json:"objects"`
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
	out := portableProgram{portableHead: portableHead{Region: p.Region, Pos: p.Pos, Vars: p.Vars, Scalars: p.Scalars}, Warnings: p.Warnings}
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
