package followed

import (
	"math"
	"testing"

	"foresee/application/record/instrument"
	"foresee/application/recording"
	"foresee/machine"
)

func zen4(t testing.TB) *machine.Machine {
	t.Helper()
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// codeOf is a program of segments.
func codeOf(segments ...[]instrument.Coded) *recording.Code {
	c := &recording.Code{}
	for _, s := range segments {
		c.Segments = append(c.Segments, &instrument.Segment{Code: s, Place: instrument.Place{Function: "f"}})
	}
	return c
}

func follower(t testing.TB, m *machine.Machine) *Follower {
	t.Helper()
	f, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestChain follows additions that hang on one another: a cycle each.
func TestChain(t *testing.T) {
	f := follower(t, zen4(t))
	code := codeOf([]instrument.Coded{{Word: -1, Text: "addq $1, %rax"}, {Word: -1, Text: "addq $1, %rax"}, {Word: -1, Text: "addq $1, %rax"}, {Word: -1, Text: "decq %rcx"}, {Word: -1, Text: "jne .L1"}})
	for range 20000 {
		f.Follow(code, 0, 0, nil)
	}
	if got := f.Compiled(code, 0, 0); math.Abs(got.Cycles-3) > 0.05 || got.Instructions != 5 {
		t.Errorf("%.2f cycles and %g instructions, not 3 and 5", got.Cycles, got.Instructions)
	}
}

// TestPlaces follows a loop within a block of code that is fetched at once, and across the end of one: a cycle more for the second block, as on a Zen 4.
func TestPlaces(t *testing.T) {
	for begin, want := range map[uint64]float64{64: 1, 124: 2} {
		m := &instrument.Module{Bases: []uint64{4096}, Segments: []instrument.Segment{{Begins: true, Place: instrument.Place{Function: "f"}, Code: []instrument.Coded{
			{Word: -1, Text: "addq $1, %rax", Placed: true, Offset: begin}, {Word: -1, Text: "decq %rcx", Placed: true, Offset: begin + 4}, {Word: -1, Text: "jne .L1", Placed: true, Offset: begin + 7},
		}}}}
		code := &recording.Code{}
		code.Add(m)
		f := follower(t, zen4(t))
		for range 20000 {
			f.Follow(code, 0, 0, nil)
		}
		if got := f.Compiled(code, 0, 0); math.Abs(got.Cycles-want) > 0.05 {
			t.Errorf("%.2f cycles at byte %d, not %g", got.Cycles, begin, want)
		}
	}
}

// TestBranches follows a branch at random and one that always goes one way: half of the former are guessed wrongly, and each costs what the machine says at least.
func TestBranches(t *testing.T) {
	m := zen4(t)
	code := codeOf([]instrument.Coded{{Word: -1, Text: "testl %eax, %eax"}, {Word: -1, Text: "jne .L1"}}, []instrument.Coded{{Word: -1, Text: "incl %edx"}}, []instrument.Coded{{Word: -1, Text: "jmp .L0"}})
	cycles := func(at func(i int) bool) float64 {
		f := follower(t, m)
		for i := range 20000 {
			f.Follow(code, 0, 0, nil)
			if !at(i) {
				f.Follow(code, 0, 1, nil)
			}
			f.Follow(code, 0, 2, nil)
		}
		f.settle()
		return f.sims[near].Cycles() / 20000
	}
	state := uint64(1)
	random := cycles(func(int) bool {
		state = state*6364136223846793005 + 1442695040888963407
		return state>>63 == 1
	})
	steady := cycles(func(int) bool { return true })
	if least := 0.5 * m.Instructions.MispredictedCycles * 0.9; random-steady < least {
		t.Errorf("%.1f cycles at random, %.1f always: not %.1f more", random, steady, least)
	}
}

// TestWaits follows a list whose nodes lie far apart: each load waits for the whole latency of where its line comes from, beyond the second cache's.
func TestWaits(t *testing.T) {
	m := zen4(t)
	f := follower(t, m)
	code := codeOf([]instrument.Coded{{Word: 0, Text: "movq (%rdi), %rdi"}, {Word: -1, Text: "decq %rcx"}, {Word: -1, Text: "jne .L1"}})
	address := uint64(1 << 30)
	for i := range 30000 {
		address = 1<<30 + uint64(i)*7919*4096%(1<<34)
		f.Follow(code, 0, 0, []uint64{address})
	}
	third, fromMemory := f.Waits(0)
	at := latencies(m)
	for _, c := range []struct{ got, want float64 }{{third, at[2-1] - at[near]}, {fromMemory, at[memory] - at[near]}} {
		if math.Abs(c.got-c.want) > 0.05*c.want {
			t.Errorf("a line is waited for %.1f cycles, not %.1f", c.got, c.want)
		}
	}
}

// TestStreams follows a walk through an array, whose lines prefetchers bring: nothing waits.
func TestStreams(t *testing.T) {
	f := follower(t, zen4(t))
	code := codeOf([]instrument.Coded{{Word: 0, Text: "addq (%rdi), %rax"}, {Word: -1, Text: "addq $8, %rdi"}, {Word: -1, Text: "jne .L1"}})
	for i := range uint64(60000) {
		f.Follow(code, 0, 0, []uint64{1<<30 + 8*i})
	}
	if _, fromMemory := f.Waits(0); fromMemory > 2 {
		t.Errorf("a line is waited for %.1f cycles", fromMemory)
	}
}

// TestLibrary follows calls whose functions run unrecorded, and such as are recorded.
func TestLibrary(t *testing.T) {
	m := zen4(t)
	code := codeOf([]instrument.Coded{{Word: -1, Text: "call exp@PLT"}}, []instrument.Coded{{Word: -1, Text: "jmp .L1"}}, []instrument.Coded{{Word: -1, Text: "ret"}})
	cycles := func(order ...int32) float64 {
		f := follower(t, m)
		for range 5000 {
			for _, s := range order {
				f.Follow(code, 0, s, nil)
			}
		}
		f.settle()
		return f.sims[near].Cycles() / 5000
	}
	exp := 0.0
	for _, f := range m.Instructions.Functions {
		if f.Name == "exp" {
			exp = f.Cycles
		}
	}
	if got := cycles(0, 1); got < exp {
		t.Errorf("a call of exp takes %.1f cycles, the machine says %.1f", got, exp)
	}
	if got := cycles(0, 2, 1); got > exp/2 {
		t.Errorf("a call of a function that is recorded takes %.1f cycles by itself", got)
	}
}

// TestWindows runs through a long region: the instructions that count stand for all of it, and are few.
func TestWindows(t *testing.T) {
	var w windows
	counted, followed, ran := 0.0, 0, 0
	for ran < 400_000_000 {
		if w.open() {
			counted += 100 * w.take(0, 100)
			followed += 100
		} else {
			w.pass(0, 100)
		}
		ran += 100
	}
	if math.Abs(counted-float64(ran)) > 0.2*float64(ran) {
		t.Errorf("of %d instructions %.0f are stood for", ran, counted)
	}
	if followed > 4_000_000 {
		t.Errorf("%d instructions are followed", followed)
	}
}

// FuzzFollow follows any text as an instruction: recordings may hold any.
func FuzzFollow(f *testing.F) {
	for _, s := range []string{"movq (%rdi), %rax", "call memcpy@PLT", "vfmadd231pd (%rax){1to8}, %zmm1, %zmm2{%k1}{z}", "rep movsq", "lock cmpxchgq %rcx, (%rdi)", "fldt 8(%rsp)", "", "lea", "imul", "vmovsd"} {
		f.Add(s)
	}
	m := zen4(f)
	f.Fuzz(func(t *testing.T, text string) {
		fo := follower(t, m)
		code := codeOf([]instrument.Coded{{Word: 0, Text: text}})
		for range 3 {
			fo.Follow(code, 0, 0, []uint64{1 << 30, 8})
		}
	})
}
