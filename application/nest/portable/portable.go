// Package portable writes loop nests as JSON and reads them again, for saved programs: nodes with a kind, objects by their number, expressions
// as nested lists with the operator first, variables as {"v": number}.
package portable

import (
	"encoding/json"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// portableProgram is a program in JSON.
type portableProgram struct {
	portableHead
	Body     []portableNode `json:"body"`
	Warnings []string       `json:"warnings"`
	Left     []nest.Left    `json:"left,omitempty"`
	Entered  int64          `json:"entered,omitempty"`
	With     []nest.Named   `json:"with,omitempty"`
}

// portableHead is what comes before its nodes.
type portableHead struct {
	Region  string        `json:"region"`
	Pos     nest.Pos      `json:"pos"`
	Vars    []string      `json:"vars"`
	Scalars []string      `json:"scalars"`
	Objects []nest.Object `json:"objects"`
}

// portableNode is a node of any kind; Kind says which fields it has.
type portableNode struct {
	Kind     string           `json:"kind"`
	Pos      nest.Pos         `json:"pos"`
	Var      expr.Var         `json:"var,omitempty"`
	Lo       *portableExpr    `json:"lo,omitempty"`
	Hi       *portableExpr    `json:"hi,omitempty"`
	Step     int64            `json:"step,omitempty"`
	Work     *nest.Work       `json:"work,omitempty"`
	Cond     *portableExpr    `json:"cond,omitempty"`
	Nowait   bool             `json:"nowait,omitempty"`
	Body     []portableNode   `json:"body,omitempty"`
	Else     []portableNode   `json:"else,omitempty"`
	Accesses []portableAccess `json:"accesses,omitempty"`
	Flow     []nest.Operation `json:"flow,omitempty"`
	Lane     nest.Lane        `json:"lane,omitempty"`
}

// portableAccess is an access; Object is an index into the head's objects.
type portableAccess struct {
	Object int           `json:"object"`
	Offset *portableExpr `json:"offset"`
	Size   int64         `json:"size"`
	Write  bool          `json:"write,omitempty"`
	Pos    nest.Pos      `json:"pos"`
	Text   string        `json:"text"`
}

// Marshal writes a program in its portable form.
func Marshal(p *nest.Program) ([]byte, error) {
	out := portableProgram{portableHead: portableHead{Region: p.Region, Pos: p.Pos, Vars: p.Vars, Scalars: p.Scalars}, Warnings: p.Warnings, Left: p.Left, Entered: p.Entered, With: p.With}
	number := map[*nest.Object]int{}
	add := func(o *nest.Object) {
		if _, ok := number[o]; !ok {
			number[o] = len(out.Objects)
			out.Objects = append(out.Objects, *o)
		}
	}
	for _, o := range p.Objects {
		add(o)
	}
	nest.Walk(p.Body, func(n nest.Node) {
		if s, ok := n.(*nest.Stmt); ok {
			for _, a := range s.Accesses {
				add(a.Object)
			}
		}
	})
	out.Body = portableNodes(p.Body, number)
	return json.Marshal(out)
}

// portableNodes writes nodes, with the number of each object.
func portableNodes(nodes []nest.Node, number map[*nest.Object]int) (out []portableNode) {
	for _, n := range nodes {
		var p portableNode
		switch n := n.(type) {
		case *nest.Loop:
			p = portableNode{
				Kind: "loop", Pos: n.Pos, Var: n.Var, Lo: (*portableExpr)(n.Lo), Hi: (*portableExpr)(n.Hi), Step: n.Step,
				Work: n.Work, Body: portableNodes(n.Body, number),
			}
		case *nest.If:
			p = portableNode{
				Kind: "if", Pos: n.Pos, Cond: (*portableExpr)(n.Cond), Body: portableNodes(n.Then, number), Else: portableNodes(n.Else, number),
			}
		case *nest.Parallel:
			p = portableNode{Kind: "parallel", Pos: n.Pos, Body: portableNodes(n.Body, number)}
		case *nest.Single:
			p = portableNode{Kind: "single", Pos: n.Pos, Nowait: n.Nowait, Body: portableNodes(n.Body, number)}
		case *nest.Critical:
			p = portableNode{Kind: "critical", Pos: n.Pos, Body: portableNodes(n.Body, number)}
		case *nest.Barrier:
			p = portableNode{Kind: "barrier", Pos: n.Pos}
		case *nest.Stmt:
			p = portableNode{Kind: "statement", Pos: n.Pos, Flow: n.Flow, Lane: n.Lane}
			for _, a := range n.Accesses {
				p.Accesses = append(p.Accesses, portableAccess{number[a.Object], (*portableExpr)(a.Offset), a.Size, a.Write, a.Pos, a.Text})
			}
		}
		out = append(out, p)
	}
	return out
}

// portableExpr is an expression in JSON, an array.
type portableExpr expr.Expr

var portableOps = map[expr.Op]string{
	expr.OpAdd: "+", expr.OpSub: "-", expr.OpMul: "*", expr.OpDiv: "/", expr.OpMod: "%", expr.OpFloorDiv: "floor", expr.OpCeilDiv: "ceil", expr.OpNeg: "neg",
	expr.OpMin: "min", expr.OpMax: "max", expr.OpLt: "<", expr.OpLe: "<=", expr.OpEq: "==", expr.OpNe: "!=", expr.OpAnd: "&&", expr.OpOr: "||", expr.OpNot: "!", expr.OpCond: "?",
}

// MarshalJSON writes a number, {"v": variable}, or [operator, operands].
func (e *portableExpr) MarshalJSON() ([]byte, error) { return json.Marshal(listed((*expr.Expr)(e))) }

// listed is an expression as nested lists.
func listed(e *expr.Expr) any {
	switch e.Op {
	case expr.OpConst:
		return e.K
	case expr.OpVar:
		return map[string]int64{"v": e.K}
	}
	list := []any{portableOps[e.Op]}
	for _, x := range []*expr.Expr{e.A, e.B, e.C} {
		if x != nil {
			list = append(list, listed(x))
		}
	}
	return list
}
