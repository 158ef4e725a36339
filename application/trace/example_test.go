package trace_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"foresee/application/trace"
)

// A trace of any format is read in batches; its content tells which format it is.
func Example() {
	const text = `r 0x1000 8
w 0x1008 8
r 0x2000 4
`
	reader, err := trace.Open(strings.NewReader(text), trace.Options{})
	if err != nil {
		panic(err)
	}
	defer reader.Close()
	fmt.Println("format", reader.Format())
	events := make([]trace.Event, 2)
	for {
		n, err := reader.Read(events)
		for _, e := range events[:n] {
			fmt.Printf("thread %d, write %v, %d bytes at %#x\n", e.Thread, e.Kind == trace.Write, e.Size, e.Address)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			panic(err)
		}
	}
	// Output:
	// format text
	// thread 0, write false, 8 bytes at 0x1000
	// thread 0, write true, 8 bytes at 0x1008
	// thread 0, write false, 4 bytes at 0x2000
}
