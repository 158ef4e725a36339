package trace_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"foresee/application/trace"
)

// program gives the events of a matrix product and a stencil in one thread, then of the stencil in four.
func program() []trace.Event {
	const n = 100
	var events []trace.Event
	at := func(thread int, kind trace.Kind, array, i, j int) {
		events = append(events, trace.Event{
			Address: uint64(0x7f0000000000 + array<<20 + (i*n+j)*8), Size: 8, Thread: uint16(thread), Kind: kind,
		})
	}
	for i := range n {
		for j := range n {
			for k := range n {
				at(0, trace.Read, 0, i, k)
				at(0, trace.Read, 1, k, j)
				at(0, trace.Read, 2, i, j)
				at(0, trace.Write, 2, i, j)
			}
		}
	}
	stencil := func(thread, from, to int) {
		for i := from; i < to; i++ {
			for j := 1; j < n-1; j++ {
				at(thread, trace.Read, 3, i, j-1)
				at(thread, trace.Read, 3, i, j)
				at(thread, trace.Read, 3, i, j+1)
				at(thread, trace.Read, 3, i-1, j)
				at(thread, trace.Read, 3, i+1, j)
				at(thread, trace.Write, 4, i, j)
			}
		}
	}
	for range 10 {
		stencil(0, 1, n-1)
	}
	for t := range 4 {
		stencil(t, 1+t*24, 1+(t+1)*24)
	}
	return events
}

// random gives accesses of 64 MiB without any order.
func random(n int) []trace.Event {
	events := make([]trace.Event, n)
	x := uint64(1)
	for i := range events {
		x = x*6364136223846793005 + 1442695040888963407
		events[i] = trace.Event{Address: 0x7f0000000000 + x>>38&^7, Size: 8, Kind: trace.Kind(x >> 63)}
	}
	return events
}

func benchmarkRead(b *testing.B, format string, events []trace.Event) {
	content, err := write(format, fit(format, events), trace.Names{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	batch := make([]trace.Event, 4096)
	b.ResetTimer()
	for range b.N {
		r, err := trace.Open(bytes.NewReader(content), trace.Options{Format: format})
		if err != nil {
			b.Fatal(err)
		}
		total := 0
		for err == nil {
			var n int
			n, err = r.Read(batch)
			total += n
		}
		if !errors.Is(err, io.EOF) || total != len(events) {
			b.Fatal(total, err)
		}
		_ = r.Close()
	}
	report(b, len(events), len(content))
}

func report(b *testing.B, events, size int) {
	b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
	b.ReportMetric(float64(size)/float64(events), "B/event")
}

func benchmarkWrite(b *testing.B, format string, events []trace.Event) {
	size := 0
	events = fit(format, events)
	b.ResetTimer()
	for range b.N {
		content, err := write(format, events, trace.Names{}, nil)
		if err != nil {
			b.Fatal(err)
		}
		size = len(content)
	}
	report(b, len(events), size)
}

func BenchmarkNativeRead(b *testing.B)        { benchmarkRead(b, "native", program()) }
func BenchmarkNativeReadRandom(b *testing.B)  { benchmarkRead(b, "native", random(4<<20)) }
func BenchmarkLackeyRead(b *testing.B)        { benchmarkRead(b, "lackey", program()) }
func BenchmarkDinRead(b *testing.B)           { benchmarkRead(b, "din", program()) }
func BenchmarkXdinRead(b *testing.B)          { benchmarkRead(b, "xdin", program()) }
func BenchmarkTextRead(b *testing.B)          { benchmarkRead(b, "text", program()) }
func BenchmarkNativeWrite(b *testing.B)       { benchmarkWrite(b, "native", program()) }
func BenchmarkNativeWriteRandom(b *testing.B) { benchmarkWrite(b, "native", random(4<<20)) }
func BenchmarkLackeyWrite(b *testing.B)       { benchmarkWrite(b, "lackey", program()) }
func BenchmarkTextWrite(b *testing.B)         { benchmarkWrite(b, "text", program()) }
