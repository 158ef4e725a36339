package portable

import (
	"encoding/json"
	"errors"
	"fmt"

	"foresee/application/nest/expr"
)

// expr reads a number, {"v": variable}, ["table", number, place], or [operator, operands].
func (r *nodeReader) expr(depth int) (*expr.Expr, error) {
	t, err := r.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case nil:
		return nil, nil
	case json.Number:
		k, err := t.Int64()
		return expr.Int(k), err
	case json.Delim:
		if t == '{' {
			return r.variable()
		}
		if t == '[' && depth <= deepest {
			return r.operation(depth)
		}
	}
	return nil, fmt.Errorf("an expression is no number, variable or list up to %d deep: %v", deepest, t)
}

// variable reads the rest of {"v": number}.
func (r *nodeReader) variable() (*expr.Expr, error) {
	v := expr.Var(-1)
	if err := r.rest(func(key string) error {
		if key == "v" {
			return r.Decode(&v)
		}
		return r.skip()
	}); err != nil {
		return nil, err
	}
	if v < 0 {
		return nil, errors.New("an expression is an object without a variable")
	}
	return expr.Ref(v), nil
}

// operation reads the rest of [operator, operands].
func (r *nodeReader) operation(depth int) (*expr.Expr, error) {
	var name string
	if err := r.Decode(&name); err != nil {
		return nil, fmt.Errorf("an expression without an operator: %w", err)
	}
	if name == lookupName {
		return r.lookup(depth)
	}
	var operands [3]*expr.Expr
	n := 0
	for ; r.More(); n++ {
		if n == len(operands) {
			return nil, fmt.Errorf("more than %d operands of %q", n, name)
		}
		x, err := r.expr(depth + 1)
		if err != nil {
			return nil, err
		}
		if operands[n] = x; x == nil {
			return nil, fmt.Errorf("an operand of %q is missing", name)
		}
	}
	if _, err := r.Token(); err != nil {
		return nil, err
	}
	op, there := opNamed(name, n)
	if !there {
		return nil, fmt.Errorf("unknown operator %q of %d operands", name, n)
	}
	return &expr.Expr{Op: op, A: operands[0], B: operands[1], C: operands[2]}, nil
}

// opNamed finds the operator of a name with so many operands.
func opNamed(name string, n int) (expr.Op, bool) {
	for op, text := range portableOps {
		if text == name && operands(op) == n {
			return op, true
		}
	}
	return 0, false
}

// operands is how many operands an operator has.
func operands(op expr.Op) int {
	switch op {
	case expr.OpNeg, expr.OpNot:
		return 1
	case expr.OpCond:
		return 3
	}
	return 2
}
