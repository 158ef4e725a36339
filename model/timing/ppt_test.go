package timing_test

import (
	"math"
	"testing"

	"foresee/machine"
	"foresee/model/timing"
)

// Eqs. 4–7 by hand: of the accesses, L1 serves 0.9, L2 0.1 × 0.95 and memory, at 200 cycles, 0.1 × 0.05; a line has 8 words.
func TestPPT(t *testing.T) {
	m := toyMachine(t)
	p := loopOf(1000, dot)
	blocks, err := timing.Blocks(p)
	if err != nil {
		t.Fatal(err)
	}
	in := timing.PPTInput{Blocks: blocks, Threads: 1, HitRates: []float64{0.9, 0.95}, Bytes: 16000, Stride: 100}
	delta := 0.9*4 + 0.095*12 + 0.005*200
	beta := 0.9*0.5 + 0.095*2/8 + 0.005*20/8
	throughput := (3.0+5)/2 + (2000-1)*(1+0.5)/2
	latency := (2000 - 1) * (3.0 + 5) / 2
	for _, c := range []struct {
		o      timing.PPTOptions
		b, cpu float64
	}{
		{timing.PPTOptions{}, 8, throughput},
		{timing.PPTOptions{LatencyBound: true}, 8, latency},
		{timing.PPTOptions{NonContiguous: true}, 128, throughput},
	} {
		e, err := timing.PPT(in, m, c.o)
		if err != nil {
			t.Fatal(err)
		}
		memory := (delta + (c.b-1)*beta) / c.b * 2000
		if want := (memory + c.cpu) / 2e9; math.Abs(e.Time-want) > 1e-12*want {
			t.Errorf("%+v: %v s, want %v", c.o, e.Time, want)
		}
	}
}

// The ends of eq. 5 of the toy: what a word costs, in cycles, where one place serves all accesses, and what changes it and what does not.
func TestPPTLimits(t *testing.T) {
	words := func(in timing.PPTInput, o timing.PPTOptions, m *machine.Machine) float64 {
		e, err := timing.PPT(in, m, o)
		if err != nil {
			t.Fatal(err)
		}
		return e.Memory * 2e9 / (in.Bytes / 8) * float64(in.Threads) // at 2 GHz
	}
	all := func(l1, l2 float64) timing.PPTInput {
		return timing.PPTInput{Threads: 1, HitRates: []float64{l1, l2}, Bytes: 8e6, Stride: 8}
	}
	threads, bytes, far := all(0.9, 0.95), all(0.9, 0.95), all(0, 0)
	threads.Threads, bytes.Bytes, far.Stride = 4, 24e6, 1<<30
	long := toyMachine(t)
	long.LineBytes.Value = 128
	for _, c := range []struct {
		what string
		in   timing.PPTInput
		o    timing.PPTOptions
		m    *machine.Machine
		want float64
	}{
		{"all in L1: its reciprocal throughput is of an access", all(1, 1), timing.PPTOptions{}, toyMachine(t), (4 + 7*0.5) / 8},
		{"all in L2: of a line", all(0, 1), timing.PPTOptions{}, toyMachine(t), (12 + 7*2.0/8) / 8},
		{"all from memory", all(0, 0), timing.PPTOptions{}, toyMachine(t), (200 + 7*20.0/8) / 8},
		{"lines of twice the words", all(0, 0), timing.PPTOptions{}, long, (200 + 7*20.0/16) / 8},
		{
			"cumulative rates: L2 that catches nothing more is charged all the same", all(0.5, 0.5),
			timing.PPTOptions{},
			toyMachine(t),
			(0.5*4 + 0.25*12 + 0.25*200 + 7*(0.5*0.5+0.25*2/8+0.25*20/8)) / 8,
		},
		{"a word costs a thread the same", threads, timing.PPTOptions{}, toyMachine(t), words(all(0.9, 0.95), timing.PPTOptions{}, toyMachine(t))},
		{"and of more bytes", bytes, timing.PPTOptions{}, toyMachine(t), words(all(0.9, 0.95), timing.PPTOptions{}, toyMachine(t))},
		{"a block of the last level: β, and one latency in its 256 KiB", far, timing.PPTOptions{NonContiguous: true}, toyMachine(t), 20.0/8 + (200-20.0/8)/(1<<18)},
	} {
		if got := words(c.in, c.o, c.m); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s: %v cycles a word, want %v", c.what, got, c.want)
		}
	}
}
