package csource_test

import (
	"errors"
	"fmt"

	"foresee/application/csource"
	"foresee/application/nest"
)

const triangle = `
void triangle(int n, double A[n][n], double x[n], double y[n]) {
	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			y[i] += A[i][j] * x[j];
}`

// What the source leaves open, here n, the caller defines.
func Example() {
	unit, err := csource.Load("triangle.c", []byte(triangle), csource.Options{Defines: []string{"n=100"}})
	if err != nil {
		panic(err)
	}
	program := unit.Programs[0]
	nest.Walk(program.Body, func(n nest.Node) {
		if s, ok := n.(*nest.Stmt); ok {
			for _, a := range s.Accesses {
				fmt.Printf("%s written: %v\n", a.Text, a.Write)
			}
		}
	})
	stream, err := nest.NewStream(program, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		panic(err)
	}
	fmt.Println(stream.Len(), "accesses") // four in each of 100·101/2 iterations
	// Output:
	// A[i][j] written: false
	// x[j] written: false
	// y[i] written: false
	// y[i] written: true
	// 20200 accesses
}

// What a source cannot tell is an error with its place and a way out.
func ExampleError() {
	_, err := csource.Load("gather.c", []byte(`
double a[100], b[10000]; int p[100];
void gather(void) { for (int i = 0; i < 100; i++) a[i] = b[p[i]]; }`), csource.Options{})
	var e *csource.Error
	if errors.As(err, &e) {
		fmt.Println("line:", e.Pos.Line)
		fmt.Println("cause:", e.Message)
		fmt.Println("remedy:", e.Remedy)
	}
	// Output:
	// line: 3
	// cause: subscript b[p[i]] depends on data
	// remedy: let a run tell what it is, or run and trace it instead
}
