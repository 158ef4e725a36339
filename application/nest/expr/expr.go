// Package expr holds integer expressions of variables, as bounds, conditions and subscripts of loops are: evaluated at an iteration, bounded
// over a box of iterations, and rewritten as affine forms and as polynomials where they are such.
package expr

import (
	"fmt"

	"foresee/model/schedule"
)

// Op is the operator of an Expr.
type Op uint8

// Operators of integer expressions. Comparisons and logic give 0 or 1.
const (
	OpConst Op = iota
	OpVar
	OpAdd
	OpSub
	OpMul
	OpDiv      // C's /: truncates towards zero
	OpMod      // C's %: has the sign of the dividend
	OpFloorDiv // rounds down
	OpCeilDiv  // rounds up
	OpNeg
	OpMin
	OpMax
	OpLt
	OpLe
	OpEq
	OpNe
	OpAnd
	OpOr
	OpNot
	OpCond        // A ? B : C
	OpBlockStart  // where block A of B items begins when they are dealt in K blocks
	OpGuidedStart // where chunk A of B items begins when they are dealt guided
	OpLookup      // the value at place A of a table
)

// Expr is an integer expression over loop variables. Build it with the functions below, which fold constants.
type Expr struct {
	Op      Op
	K       int64 // value of OpConst, Var of OpVar, blocks of OpBlockStart
	A, B, C *Expr
	guided  *guided // of OpGuidedStart
	table   *Table  // of OpLookup
}

// Int is the constant v.
func Int(v int64) *Expr { return &Expr{Op: OpConst, K: v} }

// Ref is the value of a loop variable.
func Ref(v Var) *Expr { return &Expr{Op: OpVar, K: int64(v)} }

// Unary applies OpNeg or OpNot.
func Unary(op Op, a *Expr) *Expr {
	if op == OpNot {
		switch a.Op { // comparisons are negated in place, so that they stay affine
		case OpLt:
			return Binary(OpLe, a.B, a.A)
		case OpLe:
			return Binary(OpLt, a.B, a.A)
		case OpEq:
			return Binary(OpNe, a.A, a.B)
		case OpNe:
			return Binary(OpEq, a.A, a.B)
		}
	}
	return fold(&Expr{Op: op, A: a})
}

// Binary applies an operator with two operands.
func Binary(op Op, a, b *Expr) *Expr {
	if e := identity(op, a, b); e != nil {
		return e
	}
	return fold(&Expr{Op: op, A: a, B: b})
}

// Conditional is c ? a : b.
func Conditional(c, a, b *Expr) *Expr {
	if c.Op == OpConst {
		if c.K != 0 {
			return a
		}
		return b
	}
	return &Expr{Op: OpCond, A: c, B: a, C: b}
}

// BlockStart is where block t begins when n ≥ 0 items are dealt in so many blocks: schedule.Blocks. It grows with t
// and with n.
func BlockStart(t, n *Expr, blocks int64) *Expr {
	if n.Op == OpConst && n.K%blocks == 0 {
		return Binary(OpMul, t, Int(n.K/blocks))
	}
	return fold(&Expr{Op: OpBlockStart, K: blocks, A: t, B: n})
}

// identity simplifies neutral operands; nil when nothing applies.
func identity(op Op, a, b *Expr) *Expr {
	ca, cb := a.Op == OpConst, b.Op == OpConst
	switch op {
	case OpAdd:
		if ca && a.K == 0 {
			return b
		}
		if cb && b.K == 0 {
			return a
		}
	case OpSub:
		if cb && b.K == 0 {
			return a
		}
	case OpMul:
		if ca && a.K == 1 {
			return b
		}
		if cb && b.K == 1 {
			return a
		}
		if ca && a.K == 0 || cb && b.K == 0 {
			return Int(0)
		}
	case OpDiv, OpFloorDiv, OpCeilDiv:
		if cb && b.K == 1 {
			return a
		}
	case OpAnd:
		if ca && a.K != 0 {
			return asTruth(b)
		}
		if ca || cb && b.K == 0 {
			return Int(0)
		}
	case OpOr:
		if ca && a.K == 0 {
			return asTruth(b)
		}
		if ca || cb && b.K != 0 {
			return Int(1)
		}
	}
	return nil
}

// asTruth is 1 where e is not 0, else 0: what a logical operator makes of its operand.
func asTruth(e *Expr) *Expr {
	switch e.Op {
	case OpLt, OpLe, OpEq, OpNe, OpAnd, OpOr, OpNot:
		return e
	}
	return Binary(OpNe, e, Int(0))
}

// fold computes an operator whose operands are known.
func fold(e *Expr) *Expr {
	if e.A.Op != OpConst || e.B != nil && e.B.Op != OpConst {
		return e
	}
	if Divides(e.Op) && e.B.K == 0 {
		return e // a division by zero is left to whoever checks the program
	}
	return Int(e.Eval(nil))
}

// Divides tells whether an operator divides by its second operand, which must not be zero then.
func Divides(op Op) bool {
	return op == OpDiv || op == OpMod || op == OpFloorDiv || op == OpCeilDiv
}

// FloorDiv is a/b rounded down; b ≠ 0.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// CeilDiv is a/b rounded up; b ≠ 0.
func CeilDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) == (b < 0) {
		q++
	}
	return q
}

// Truth is 1 for true, as in C.
func Truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Eval computes e; env holds the variables by Var. A division by zero gives 0 (Check refuses such programs).
func (e *Expr) Eval(env []int64) int64 {
	switch e.Op {
	case OpConst:
		return e.K
	case OpVar:
		return env[e.K]
	case OpAnd:
		return Truth(e.A.Eval(env) != 0 && e.B.Eval(env) != 0)
	case OpOr:
		return Truth(e.A.Eval(env) != 0 || e.B.Eval(env) != 0)
	case OpNot:
		return Truth(e.A.Eval(env) == 0)
	case OpNeg:
		return -e.A.Eval(env)
	case OpCond:
		if e.A.Eval(env) != 0 {
			return e.B.Eval(env)
		}
		return e.C.Eval(env)
	case OpBlockStart:
		return schedule.NewBlocks(e.B.Eval(env), e.K).Start(e.A.Eval(env))
	case OpGuidedStart:
		return e.guided.start(e.A.Eval(env), e.B.Eval(env))
	case OpLookup:
		return e.table.At(e.A.Eval(env))
	}
	return apply(e.Op, e.A.Eval(env), e.B.Eval(env))
}

// apply computes an operator; what divides by 0 gives 0, as programs with it are refused.
func apply(op Op, a, b int64) int64 {
	if Divides(op) && b == 0 {
		return 0
	}
	switch op {
	case OpAdd:
		return a + b
	case OpSub:
		return a - b
	case OpMul:
		return a * b
	case OpDiv:
		return a / b
	case OpMod:
		return a % b
	case OpFloorDiv:
		return FloorDiv(a, b)
	case OpCeilDiv:
		return CeilDiv(a, b)
	case OpMin:
		return min(a, b)
	case OpMax:
		return max(a, b)
	case OpLt:
		return Truth(a < b)
	case OpLe:
		return Truth(a <= b)
	case OpEq:
		return Truth(a == b)
	case OpNe:
		return Truth(a != b)
	}
	return 0
}

// Equal tells whether two expressions are the same tree.
func Equal(a, b *Expr) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Op == b.Op && a.K == b.K && a.guided == b.guided && Equal(a.A, b.A) && Equal(a.B, b.B) && Equal(a.C, b.C) && a.table.alike(b.table)
}

// Substitute replaces variables by expressions.
func (e *Expr) Substitute(m map[Var]*Expr) *Expr {
	switch {
	case e == nil || e.Op == OpConst || len(m) == 0:
		return e
	case e.Op == OpVar:
		if r, ok := m[Var(e.K)]; ok {
			return r
		}
		return e
	case e.Op == OpCond:
		return Conditional(e.A.Substitute(m), e.B.Substitute(m), e.C.Substitute(m))
	case e.Op == OpBlockStart:
		return BlockStart(e.A.Substitute(m), e.B.Substitute(m), e.K)
	case e.Op == OpGuidedStart:
		return guidedStart(e.A.Substitute(m), e.B.Substitute(m), e.guided)
	case e.Op == OpLookup:
		return Lookup(e.table, e.A.Substitute(m))
	case e.B == nil:
		return Unary(e.Op, e.A.Substitute(m))
	}
	return Binary(e.Op, e.A.Substitute(m), e.B.Substitute(m))
}

// Replace is the expression with another in the place of all its parts that equal one.
func (e *Expr) Replace(part, by *Expr) *Expr {
	switch {
	case e == nil:
		return e
	case Equal(e, part):
		return by
	case e.A == nil:
		return e
	case e.Op == OpCond:
		return Conditional(e.A.Replace(part, by), e.B.Replace(part, by), e.C.Replace(part, by))
	case e.Op == OpBlockStart || e.Op == OpGuidedStart:
		return e
	case e.Op == OpLookup:
		return Lookup(e.table, e.A.Replace(part, by))
	case e.B == nil:
		return Unary(e.Op, e.A.Replace(part, by))
	}
	return Binary(e.Op, e.A.Replace(part, by), e.B.Replace(part, by))
}

// Choice is the first part of an expression that chooses between two others, the condition of the first of them, and both; nil where none does.
func (e *Expr) Choice() (part, condition, a, b *Expr) {
	switch {
	case e == nil || e.Op == OpBlockStart || e.Op == OpGuidedStart:
		return nil, nil, nil, nil
	case e.Op == OpCond:
		return e, e.A, e.B, e.C
	case e.Op == OpMin:
		return e, Binary(OpLe, e.A, e.B), e.A, e.B
	case e.Op == OpMax:
		return e, Binary(OpLe, e.A, e.B), e.B, e.A
	}
	if part, condition, a, b = e.A.Choice(); part != nil {
		return part, condition, a, b
	}
	return e.B.Choice()
}

// EachVar calls f for every use of a variable.
func (e *Expr) EachVar(f func(Var)) {
	if e == nil {
		return
	}
	if e.Op == OpVar {
		f(Var(e.K))
		return
	}
	e.A.EachVar(f)
	e.B.EachVar(f)
	e.C.EachVar(f)
}

var opText = [...]string{
	OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpMod: "%", OpFloorDiv: "floord", OpCeilDiv: "ceild", OpNeg: "-",
	OpMin: "min", OpMax: "max", OpLt: "<", OpLe: "<=", OpEq: "==", OpNe: "!=", OpAnd: "&&", OpOr: "||", OpNot: "!",
}

// Format writes e as C, with names by Var.
func (e *Expr) Format(names []string) string {
	switch e.Op {
	case OpConst:
		return fmt.Sprint(e.K)
	case OpVar:
		return names[e.K]
	case OpNeg, OpNot:
		return opText[e.Op] + "(" + e.A.Format(names) + ")"
	case OpMin, OpMax, OpFloorDiv, OpCeilDiv:
		return opText[e.Op] + "(" + e.A.Format(names) + ", " + e.B.Format(names) + ")"
	case OpBlockStart:
		return fmt.Sprintf("block(%s, %s, %d)", e.A.Format(names), e.B.Format(names), e.K)
	case OpGuidedStart:
		return fmt.Sprintf("guided(%s, %s, %d, %d)", e.A.Format(names), e.B.Format(names), e.guided.threads, e.guided.least)
	case OpLookup:
		return e.table.Name + "[" + e.A.Format(names) + "]"
	case OpCond:
		return "(" + e.A.Format(names) + " ? " + e.B.Format(names) + " : " + e.C.Format(names) + ")"
	}
	return "(" + e.A.Format(names) + " " + opText[e.Op] + " " + e.B.Format(names) + ")"
}

// Var names a loop variable; it is a number that whoever made the expression has names for.
type Var int32
