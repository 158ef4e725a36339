package interpreter

import (
	"slices"
	"testing"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// Three iterations over two threads: by hand, thread 0 has 0 and 1, thread 1 has 2; thread 0 has the serial end.
func TestByHand(t *testing.T) {
	a := &nest.Object{Name: "a", Elem: 8}
	touch := func(i *expr.Expr) nest.Node {
		return &nest.Stmt{Accesses: []*nest.Access{{Object: a, Offset: expr.Binary(expr.OpMul, expr.Int(8), i), Size: 8}}}
	}
	loop := &nest.Loop{
		Lo: expr.Int(0), Hi: expr.Int(2), Step: 1, Work: &nest.Work{Collapse: 1},
		Body: []nest.Node{touch(expr.Ref(0)), touch(expr.Int(0))},
	}
	p := &nest.Program{Vars: []string{"i"}, Body: []nest.Node{&nest.Parallel{Body: []nest.Node{loop}}, touch(expr.Int(2))}}
	next, all := NextUses(Streams(p, nest.Options{Threads: 2, Group: 2, Line: 8}))
	var lines []int64
	var threads []int
	for _, x := range all {
		lines, threads = append(lines, x.Line), append(threads, x.Thread)
	}
	if want := []int64{0, 2, 0, 0, 1, 0, 2}; !slices.Equal(lines, want) {
		t.Errorf("lines %v, want %v", lines, want)
	}
	if want := []int{0, 1, 0, 1, 0, 0, 0}; !slices.Equal(threads, want) {
		t.Errorf("threads %v, want %v", threads, want)
	}
	if want := []int64{2, 6, 3, 5, -1, -1, -1}; !slices.Equal(next, want) {
		t.Errorf("next uses %v, want %v", next, want)
	}
}
