package nest_test

import (
	"fmt"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// The loop reads x[i] and then x[i+8], for i from 0 to 99: an element of 8 bytes, so that the second is one line of 64 bytes ahead. Without
// running it, a Stream tells how many accesses there are and when the line of any of them is used next: i is read at 2i, and i + 8 at 2i + 1, so
// that line 1 is used at 1, 3, …, 15 and then at 16, 18, …, 30.
func Example() {
	x := &nest.Object{Name: "x", Bytes: 108 * 8, Elem: 8}
	i := expr.Ref(0)
	read := func(element *expr.Expr, text string) *nest.Access {
		return &nest.Access{Object: x, Offset: expr.Binary(expr.OpMul, element, expr.Int(8)), Size: 8, Text: text}
	}
	program := &nest.Program{
		Region: "ahead", Vars: []string{"i"}, Objects: []*nest.Object{x},
		Body: []nest.Node{&nest.Loop{
			Var: 0, Lo: expr.Int(0), Hi: expr.Int(99), Step: 1,
			Body: []nest.Node{&nest.Stmt{Accesses: []*nest.Access{
				read(i, "x[i]"),
				read(expr.Binary(expr.OpAdd, i, expr.Int(8)), "x[i+8]"),
			}}},
		}},
	}
	stream, err := nest.NewStream(program, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		panic(err)
	}
	fmt.Println(stream.Len(), "accesses")
	cursor := stream.Cursor()
	for _, position := range []int64{1, 15, 30} {
		place := cursor.At(position)
		next, err := cursor.Next()
		if err != nil {
			panic(err)
		}
		fmt.Printf("%d: %s uses line %d", position, stream.Reference(place.Reference).Text, place.Line)
		if next.Position == nest.Never {
			fmt.Println(", which nobody uses again")
			continue
		}
		fmt.Printf(", and so does %s at %d\n", stream.Reference(next.Reference).Text, next.Position)
	}
	// Output:
	// 200 accesses
	// 1: x[i+8] uses line 1, and so does x[i+8] at 3
	// 15: x[i+8] uses line 1, and so does x[i] at 16
	// 30: x[i] uses line 1, which nobody uses again
}
