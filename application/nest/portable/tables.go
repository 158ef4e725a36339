package portable

import (
	"encoding/binary"
	"errors"
	"fmt"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// portableTable is a table of integers: Values are the differences of each to the one before, as varints of encoding/binary.
type portableTable struct {
	Name   string `json:"name"`
	Values []byte `json:"values"`
}

func portableTableOf(t *expr.Table) portableTable {
	out := portableTable{Name: t.Name}
	last := int64(0)
	for _, v := range t.Values() {
		out.Values = binary.AppendVarint(out.Values, v-last)
		last = v
	}
	return out
}

// table reads it back.
func (t portableTable) table() (*expr.Table, error) {
	var values []int64
	last := int64(0)
	for rest := t.Values; len(rest) > 0; {
		v, n := binary.Varint(rest)
		if n <= 0 || len(values) == expr.MostInTable {
			return nil, fmt.Errorf("table %q is damaged, or too long", t.Name)
		}
		last += v
		if last < expr.Whole.Lo || last > expr.Whole.Hi {
			return nil, fmt.Errorf("table %q holds a number that is too large", t.Name)
		}
		values, rest = append(values, last), rest[n:]
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("table %q is empty", t.Name)
	}
	return expr.NewTable(t.Name, values), nil
}

// tablesIn are the tables of a program's expressions, in the order in which they stand there.
func tablesIn(nodes []nest.Node) (all []*expr.Table) {
	known := map[*expr.Table]bool{}
	var look func(*expr.Expr)
	look = func(e *expr.Expr) {
		if e == nil {
			return
		}
		if t := e.Table(); t != nil && !known[t] {
			known[t] = true
			all = append(all, t)
		}
		look(e.A)
		look(e.B)
		look(e.C)
	}
	nest.Walk(nodes, func(n nest.Node) {
		switch n := n.(type) {
		case *nest.Loop:
			look(n.Lo)
			look(n.Hi)
		case *nest.If:
			look(n.Cond)
		case *nest.Stmt:
			for _, a := range n.Accesses {
				look(a.Offset)
			}
		}
	})
	return all
}

// lookup reads the rest of ["table", number, place].
func (r *nodeReader) lookup(depth int) (*expr.Expr, error) {
	number := -1
	if err := r.Decode(&number); err != nil || number < 0 || number >= len(r.tables) {
		return nil, errors.Join(errors.New("an expression asks a table that is not there"), err)
	}
	at, err := r.expr(depth + 1)
	if err != nil {
		return nil, err
	}
	if at == nil || r.More() {
		return nil, errors.New("an expression asks a table for no place, or several")
	}
	_, err = r.Token()
	return expr.Lookup(r.tables[number], at), err
}
