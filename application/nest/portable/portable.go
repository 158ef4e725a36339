// Package portable writes loop nests as JSON and reads them again, for saved programs: nodes with a kind, objects by their number, expressions
// as nested lists with the operator first, variables as {"v": number}, tables by their number.
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
	Region  string          `json:"region"`
	Pos     nest.Pos        `json:"pos"`
	Vars    []string        `json:"vars"`
	Scalars []string        `json:"scalars"`
	Objects []nest.Object   `json:"objects"`
	Tables  []portableTable `json:"tables,omitempty"`
}

// portableNode is a node of any kind; Kind says which fields it has.
type portableNode struct {
	Kind     string           `json:"kind"`
	Pos      nest.Pos         `json:"pos"`
	Var      expr.Var         `json:"var,omitempty"`
	Lo       any              `json:"lo,omitempty"`
	Hi       any              `json:"hi,omitempty"`
	Step     int64            `json:"step,omitempty"`
	Work     *nest.Work       `json:"work,omitempty"`
	Cond     any              `json:"cond,omitempty"`
	Nowait   bool             `json:"nowait,omitempty"`
	Body     []portableNode   `json:"body,omitempty"`
	Else     []portableNode   `json:"else,omitempty"`
	Accesses []portableAccess `json:"accesses,omitempty"`
	Flow     []nest.Operation `json:"flow,omitempty"`
	Lane     nest.Lane        `json:"lane,omitempty"`
	Branches int              `json:"branches,omitempty"`
	Unseen   bool             `json:"unseen,omitempty"`
	Early    bool             `json:"early,omitempty"`
	Atomic   bool             `json:"atomic,omitempty"`
}

// portableAccess is an access; Object is an index into the head's objects.
type portableAccess struct {
	Object int      `json:"object"`
	Offset any      `json:"offset"`
	Size   int64    `json:"size"`
	Write  bool     `json:"write,omitempty"`
	Pos    nest.Pos `json:"pos"`
	Text   string   `json:"text"`

	PerThread int64 `json:"per_thread,omitempty"`
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
	w := writer{objects: number, tables: map[*expr.Table]int{}}
	for i, t := range tablesIn(p.Body) {
		w.tables[t] = i
		out.Tables = append(out.Tables, portableTableOf(t))
	}
	out.Body = w.nodes(p.Body)
	return json.Marshal(out)
}

// writer has the numbers of objects and tables.
type writer struct {
	objects map[*nest.Object]int
	tables  map[*expr.Table]int
}

// nodes writes nodes.
func (w writer) nodes(nodes []nest.Node) (out []portableNode) {
	for _, n := range nodes {
		var p portableNode
		switch n := n.(type) {
		case *nest.Loop:
			p = portableNode{
				Kind: "loop", Pos: n.Pos, Var: n.Var, Lo: w.expr(n.Lo), Hi: w.expr(n.Hi), Step: n.Step,
				Work: n.Work, Body: w.nodes(n.Body), Unseen: n.Unseen, Early: n.Early,
			}
		case *nest.If:
			p = portableNode{
				Kind: "if", Pos: n.Pos, Cond: w.expr(n.Cond), Body: w.nodes(n.Then), Else: w.nodes(n.Else),
			}
		case *nest.Parallel:
			p = portableNode{Kind: "parallel", Pos: n.Pos, Body: w.nodes(n.Body)}
		case *nest.Single:
			p = portableNode{Kind: "single", Pos: n.Pos, Nowait: n.Nowait, Body: w.nodes(n.Body)}
		case *nest.Critical:
			p = portableNode{Kind: "critical", Pos: n.Pos, Atomic: n.Atomic, Body: w.nodes(n.Body)}
		case *nest.Barrier:
			p = portableNode{Kind: "barrier", Pos: n.Pos}
		case *nest.Stmt:
			p = portableNode{Kind: "statement", Pos: n.Pos, Flow: n.Flow, Lane: n.Lane}
			for _, a := range n.Accesses {
				p.Accesses = append(p.Accesses, portableAccess{w.objects[a.Object], w.expr(a.Offset), a.Size, a.Write, a.Pos, a.Text, a.PerThread})
			}
		}
		out = append(out, p)
	}
	return out
}

var portableOps = map[expr.Op]string{
	expr.OpAdd: "+", expr.OpSub: "-", expr.OpMul: "*", expr.OpDiv: "/", expr.OpMod: "%", expr.OpFloorDiv: "floor", expr.OpCeilDiv: "ceil", expr.OpNeg: "neg",
	expr.OpMin: "min", expr.OpMax: "max", expr.OpLt: "<", expr.OpLe: "<=", expr.OpEq: "==", expr.OpNe: "!=", expr.OpAnd: "&&", expr.OpOr: "||", expr.OpNot: "!", expr.OpCond: "?",
}

// expr writes a number, {"v": variable}, ["table", number, place], or [operator, operands].
func (w writer) expr(e *expr.Expr) any {
	switch e.Op {
	case expr.OpConst:
		return e.K
	case expr.OpVar:
		return map[string]int64{"v": e.K}
	case expr.OpLookup:
		return []any{lookupName, w.tables[e.Table()], w.expr(e.A)}
	}
	list := []any{portableOps[e.Op]}
	for _, x := range []*expr.Expr{e.A, e.B, e.C} {
		if x != nil {
			list = append(list, w.expr(x))
		}
	}
	return list
}

// lookupName stands where other expressions have their operator.
const lookupName = "table"
