package main

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"foresee/application/trace"
	"foresee/application/trace/synthetic"
)

// What is written is read again: the stream's addresses, threads that take turns of 64 accesses, every fourth a store.
func TestWrite(t *testing.T) {
	const length, threads = 16384, 3
	var file bytes.Buffer
	sink, err := trace.Create(&file, "native", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(sink, synthetic.NewUniform(1<<10, 1), threads, length); err != nil {
		t.Fatal(err)
	}
	r, err := trace.Open(&file, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]uint64, length)
	synthetic.NewUniform(1<<10, 1).Fill(want)
	buffer := make([]trace.Event, 1000)
	for n := 0; ; {
		got, err := r.Read(buffer)
		for _, e := range buffer[:got] {
			if e.Address != 0x7f0000000000+want[n] || int(e.Thread) != n/64%threads || (e.Kind == trace.Write) != (n%4 == 3) {
				t.Fatalf("access %d: %+v", n, e)
			}
			n++
		}
		if errors.Is(err, io.EOF) {
			if n != length {
				t.Errorf("%d accesses", n)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestSplit(t *testing.T) {
	for stream, want := range map[string]int{"zipf": 1, "stencil:8": 8, "stencil:0": 0, "stencil:x": 0} {
		name, threads, err := split(stream)
		if (err == nil) != (want > 0) || err == nil && (threads != want || len(name) == 0) {
			t.Errorf("%s: %q, %d threads, %v", stream, name, threads, err)
		}
	}
}
