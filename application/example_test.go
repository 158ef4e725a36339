package application_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"foresee/application"
)

// A C file becomes a signature of one region for each function with loops over arrays.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "sums.c")
	source := `
double a[1000], b[1000];
void copy(void) { for (int i = 0; i < 1000; i++) a[i] = b[i]; }
double sum(void) { double s = 0; for (int i = 0; i < 1000; i++) s += a[i]; return s; }
`
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		panic(err)
	}
	in, err := application.Find(context.Background(), file, nil, application.Told{})
	if err != nil {
		panic(err)
	}
	fmt.Println("it is a", in.Kind)
	signature, err := in.Open(context.Background(), application.Options{})
	if err != nil {
		panic(err)
	}
	defer signature.Close()
	for _, region := range signature.Loops {
		fmt.Println(region.Region, "in line", region.Pos.Line, "uses", len(region.Objects), "arrays")
	}
	// Output:
	// it is a C source
	// copy in line 3 uses 2 arrays
	// sum in line 4 uses 1 arrays
}
