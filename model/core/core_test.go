package core_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"foresee/application/assembly"
	"foresee/model/core"
)

// simple is a core whose figures are round.
func simple() core.Core {
	return core.Core{
		Width: 4, Windows: core.Windows{Reorder: 64, IntegerQueue: 32, AddressQueue: 32, VectorQueue: 32, VectorBuffer: 32}, LoadCycles: 4, VectorLoad: 6, Forward: 5, VectorForward: 8, ForwardBlocked: 15,
		LoadUse: [4]float64{0.5, 0.5, 0.5, 1}, StoreUse: [4]float64{1, 1, 1, 2}, LoadCross: [4]float64{0.5, 0.5, 0.5, 0.5}, Mispredicted: 16, HistoryTables: 6,
	}
}

const (
	rax = 1
	rdi = 8
	v0  = 17
)

// operation is an instruction without operands of so many cycles, of which the core does so many at a time.
func operation(latency, atATime float64) core.Instruction {
	i := core.Instruction{Form: core.Form{Latency: latency, Slots: 1}}
	if atATime > 0 {
		i.Uses[core.Integer] = 1 / atATime
	}
	return i
}

// cyclesOf is the time of a loop's body in the long run, by what a hundred repetitions take longer than fifty.
func cyclesOf(c core.Core, body []core.Instruction, address func(round, i int) uint64) float64 {
	s := core.New(c, body)
	var half float64
	for round := range 400 {
		for i := range body {
			at := uint64(0)
			if address != nil {
				at = address(round, i)
			}
			s.Step(int32(i), at, false)
		}
		if round == 199 {
			half = s.Cycles()
		}
	}
	return (s.Cycles() - half) / 200
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.02*want {
		t.Errorf("%s: %.3f cycles, want %.3f", what, got, want)
	}
}

// TestClosedForms compares with times that follow from the figures.
func TestClosedForms(t *testing.T) {
	c := simple()
	chain := operation(3, 0)
	chain.Reads, chain.Writes = []uint8{rax}, []uint8{rax}
	near(t, "a chain goes by its latency", cyclesOf(c, []core.Instruction{chain}, nil), 3)
	near(t, "independent ones by the width", cyclesOf(c, []core.Instruction{operation(3, 0)}, nil), 0.25)
	near(t, "those with two units by these", cyclesOf(c, []core.Instruction{operation(3, 2)}, nil), 0.5)
	near(t, "a unit that is not free for long by that", cyclesOf(c, []core.Instruction{operation(3, 1./5)}, nil), 5)

	root, quotient := operation(20, 1/8.36), operation(13, 1/4.57)
	quotient.Reads, quotient.Writes, root.Writes = []uint8{rax}, []uint8{rdi}, []uint8{rax}
	near(t, "roots and quotients by what both need of one unit", cyclesOf(c, []core.Instruction{root, quotient}, nil), 12.93)

	c.Reorder = 320
	costs := core.Costs{"call exp": {Latency: 30, Slots: 40}, "call memcpy": {Latency: 1. / 32}}
	argument := operation(1, 0)
	argument.Writes, argument.Vector = []uint8{v0}, true
	near(t, "calls by the stream that they take", cyclesOf(c, []core.Instruction{argument, costs.Call("exp", core.Given{})}, nil), 10.25)
	near(t, "calls that wait for one another by the latency", cyclesOf(c, []core.Instruction{costs.Call("exp", core.Given{})}, nil), 30)
	copying := costs.Call("memmove", core.Given{})
	near(t, "copies by the call and by the byte", cyclesOf(c, []core.Instruction{copying}, func(int, int) uint64 { return 3200 }), copying.PerCall+100.25)
	near(t, "four lanes as two", cyclesOf(c, []core.Instruction{argument, costs.Call("_ZGVdN4v_exp", core.Given{})}, nil), 20.25)

	for text, elements := range map[string]float64{"vgatherdpd (%rax,%xmm1,8), %ymm2{%k1}": 4, "vpgatherdd %ymm0, (%rax,%ymm1,4), %ymm2": 8} {
		gather, measured := core.Costs{}.Instruction(assembly.ReadInstruction(text))
		if measured || gather.Uses[core.Divide] != elements || gather.Latency < elements {
			t.Errorf("%s, of which nothing was measured: %+v", text, gather)
		}
	}

	c = simple()
	c.Width, c.Taken, c.FetchBytes = 6, 1, 64
	branch := core.Instruction{Form: core.Form{Slots: 1}, Branch: core.Jump}
	five := operation(1, 0)
	s := core.New(c, []core.Instruction{five, five, five, five, five, branch})
	for i := range 600 {
		s.Step(int32(i%6), 0, i%6 == 5)
	}
	near(t, "a loop of as many places as the width by the cycle", s.Cycles()/100, 1)
	for place, want := range map[uint64]float64{64: 7. / 6, 120: 2} { // in a block of code, and across its end
		loop := []core.Instruction{five, five, five, five, five, five, branch}
		for i := range loop {
			loop[i].Place = place + 4*uint64(i)
		}
		s := core.New(c, loop)
		for i := range 7000 {
			s.Step(int32(i%7), 0, i%7 == 6)
		}
		near(t, "a loop of one place more", s.Cycles()/1000, want)
	}
	c = simple()

	load := core.Instruction{Form: core.Form{Slots: 1}, Load: 8, Writes: []uint8{rax}, Address: []uint8{rdi}}
	near(t, "loads by their ports", cyclesOf(c, []core.Instruction{load}, func(round, _ int) uint64 { return uint64(64 * round) }), 0.5)
	near(t, "loads across lines take more", cyclesOf(c, []core.Instruction{load}, func(round, _ int) uint64 { return uint64(64*round + 60) }), 1)
	chase := load
	chase.Writes = []uint8{rdi}
	near(t, "a chase by the load's latency", cyclesOf(c, []core.Instruction{chase}, nil), 4)

	store := core.Instruction{Form: core.Form{Slots: 1}, Store: 8, Reads: []uint8{rax}, Address: []uint8{rdi}}
	near(t, "stores by their ports", cyclesOf(c, []core.Instruction{store}, func(round, _ int) uint64 { return uint64(64 * round) }), 1)
	add := operation(1, 0)
	add.Reads, add.Writes = []uint8{rax}, []uint8{rax}
	near(t, "a sum kept in memory by forwarding and addition", cyclesOf(c, []core.Instruction{load, add, store}, func(int, int) uint64 { return 4096 }), 6)
	cross := store
	c.StoreLine, c.StoreCross, c.Stores = 2, 3, 8
	near(t, "stores to other lines by the line", cyclesOf(c, []core.Instruction{store}, func(round, _ int) uint64 { return uint64(64 * round) }), 2)
	c.StoreNear = 1
	near(t, "stores to a few lines in turn by what is measured of them", cyclesOf(c, []core.Instruction{store}, func(round, _ int) uint64 { return uint64(64 * (round % 8)) }), 1)
	near(t, "stores across lines by both", cyclesOf(c, []core.Instruction{cross}, func(round, _ int) uint64 { return uint64(64*round + 60) }), 5)
	c = simple()
	c.LoadUse[1], c.StoreUse[1] = 1, 2
	number, kept := load, store
	number.Vector, kept.Vector = true, true
	near(t, "loads of numbers by the ports of vectors", cyclesOf(c, []core.Instruction{number}, func(round, _ int) uint64 { return uint64(64 * round) }), 1)
	near(t, "stores of numbers likewise", cyclesOf(c, []core.Instruction{kept}, func(round, _ int) uint64 { return uint64(64 * round) }), 2)
	c = simple()
	wide := load
	wide.Load = 16
	blocked := cyclesOf(c, []core.Instruction{wide, add, store}, func(int, int) uint64 { return 4096 })
	if blocked < 15 {
		t.Errorf("a load of which a store has a part takes %.1f cycles", blocked)
	}
}

// TestWindow puts a load that takes long among others: with what fits into the window of instructions beside it, they overlap.
func TestWindow(t *testing.T) {
	for _, between := range []int{10, 30, 100, 200} {
		c := simple()
		c.Levels = []core.Level{{Sets: 1, Ways: 1, Cycles: 100}}
		body := []core.Instruction{{Form: core.Form{Slots: 1}, Load: 8, Writes: []uint8{rax}}}
		for range between {
			body = append(body, operation(1, 0))
		}
		got := cyclesOf(c, body, func(round, _ int) uint64 { return uint64(64 * round) })
		// Of the 64 in flight so many are loads, each of which takes 104 cycles.
		want := max(104/math.Ceil(64/float64(between+1)), float64(between+1)/4)
		if got < 0.8*want || got > 1.6*want {
			t.Errorf("%d instructions between loads that miss: %.1f cycles, want about %.1f", between, got, want)
		}
	}
}

// TestWindows puts four instructions of a kind behind one of a hundred cycles, again and again. So many rounds are in flight at once as fit into the
// window of that kind, and the first of one more where it is of another.
func TestWindows(t *testing.T) {
	slow := operation(100, 0)
	integer, vector := operation(1, 0), operation(1, 0)
	integer.Writes = []uint8{rax}
	vector.Writes, vector.Vector = []uint8{v0}, true
	store := core.Instruction{Form: core.Form{Slots: 1}, Store: 8}
	load := core.Instruction{Form: core.Form{Slots: 1}, Load: 8}
	branch := core.Instruction{Form: core.Form{Slots: 1}, Branch: core.Conditional}
	waiting, waitingVector := integer, vector
	waiting.Reads, waitingVector.Reads = []uint8{rdi}, []uint8{rdi}
	waitingSlow := slow
	waitingSlow.Writes = []uint8{rdi}
	for what, c := range map[string]struct {
		windows core.Windows
		first   core.Instruction
		of      core.Instruction
		rounds  float64 // that are in flight at once
	}{
		"all":                {core.Windows{Reorder: 40}, slow, operation(1, 0), 8},
		"integers' results":  {core.Windows{Integers: 32}, slow, integer, 9},
		"vectors' results":   {core.Windows{Vectors: 32}, slow, vector, 9},
		"loads":              {core.Windows{Loads: 32}, slow, load, 9},
		"branches":           {core.Windows{Branches: 32}, slow, branch, 9},
		"stores":             {core.Windows{Stores: 32}, slow, store, 9},
		"waiting integers":   {core.Windows{IntegerQueue: 32}, waitingSlow, waiting, 8},
		"waiting vectors":    {core.Windows{VectorQueue: 16, VectorBuffer: 16}, waitingSlow, waitingVector, 9},
		"waiting, no buffer": {core.Windows{VectorQueue: 32}, waitingSlow, waitingVector, 9},
	} {
		all := simple()
		all.Windows = core.Windows{
			Reorder: cmp.Or(c.windows.Reorder, 1000), IntegerQueue: cmp.Or(c.windows.IntegerQueue, 1000), AddressQueue: 1000, VectorQueue: cmp.Or(c.windows.VectorQueue, 1000),
			VectorBuffer: c.windows.VectorBuffer, Integers: c.windows.Integers, Vectors: c.windows.Vectors, Loads: c.windows.Loads,
			Branches: c.windows.Branches, Stores: c.windows.Stores,
		}
		got := cyclesOf(all, append([]core.Instruction{c.first}, c.of, c.of, c.of, c.of), nil)
		if want := 100 / c.rounds; math.Abs(got-want) > 0.05*want {
			t.Errorf("%s: %.2f cycles a round, want %.2f", what, got, want)
		}
	}
}

// TestCopy: an array is stored, copied and loaded again, round by round, each element by the one before it. What is loaded waits for the copy, and the copy
// for the store.
func TestCopy(t *testing.T) {
	c := simple()
	load := core.Instruction{Form: core.Form{Slots: 1}, Load: 8, Vector: true, Writes: []uint8{v0}, Address: []uint8{rdi}}
	store := core.Instruction{Form: core.Form{Slots: 1}, Store: 8, Vector: true, Reads: []uint8{v0}, Address: []uint8{rdi}}
	body := []core.Instruction{load, store, core.Costs{"call memcpy": {Latency: 1. / 32}}.Call("memcpy", core.Given{})}
	body[2].PerCall = 0 // of values, not of calls
	cycles := func(from uint64) float64 {
		s := core.New(c, body)
		for range 100 {
			s.Step(0, 4096, false)
			s.Step(1, 8192, false)
			s.Step(2, 64, false)
			s.Copy(4096, from, 64)
		}
		return s.Cycles() / 100
	}
	near(t, "a value that goes round by a store and a copy", cycles(8192), 2*c.VectorForward)
	s := core.New(c, body)
	s.Step(1, 16376, false)
	s.Step(2, 8192, false)
	s.Copy(24576, 8192, 8192)
	s.Step(0, 32760, false) // the last element
	if long, own := s.Cycles(), c.VectorForward+c.VectorLoad; long < own {
		t.Errorf("the end of a long copy is there after %.1f cycles", long)
	}
	if got := cycles(0); got > 10 {
		t.Errorf("%.1f cycles a round though the array is set anew in each", got)
	}
}

// TestBranches: one that always goes the same way costs nothing, one with a short pattern is learnt, one at random costs half the time.
func TestBranches(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for what, taken := range map[string]func(i int) bool{
		"always": func(int) bool { return true }, "every seventh": func(i int) bool { return i%7 == 0 }, "at random": func(int) bool { return random.IntN(2) == 0 },
	} {
		branch := core.Instruction{Form: core.Form{Latency: 1, Slots: 1}, Branch: core.Conditional}
		s := core.New(simple(), []core.Instruction{branch, operation(1, 0)})
		for i := range 20_000 {
			s.Step(0, 0, taken(i))
			s.Step(1, 0, false)
		}
		share := float64(s.Mispredicted) / float64(s.Branches)
		if what == "at random" && (share < 0.45 || share > 0.55) || what != "at random" && share > 0.02 {
			t.Errorf("a branch that is taken %s is guessed wrongly %.3f of the time", what, share)
		}
		if what == "at random" && math.Abs(s.Cycles()/20_000-8.5) > 1.5 {
			t.Errorf("%.2f cycles for a branch at random: half of them cost 17", s.Cycles()/20_000)
		}
	}
}

func TestLevels(t *testing.T) {
	c := simple()
	c.Levels = []core.Level{{Sets: 64, Ways: 8}, {Sets: 1024, Ways: 8, Cycles: 10, PerLine: 2}}
	chase := core.Instruction{Form: core.Form{Slots: 1}, Load: 8, Writes: []uint8{rdi}, Address: []uint8{rdi}}
	for bytes, want := range map[uint64]float64{16 << 10: 4, 256 << 10: 14} {
		s := core.New(c, []core.Instruction{chase})
		lines := bytes / 64
		for i := range 2 * lines {
			s.Step(0, i%lines*64, false)
		}
		before := s.Cycles()
		for i := range lines {
			s.Step(0, i*64, false)
		}
		near(t, "a chase", (s.Cycles()-before)/float64(lines), want)
	}
}

// TestSets reads lines that L2 has, by independent loads: those of one set of L1 come one after the other, as measured on a Zen 4 (9.9 to 10.3 cycles each at
// a stride of 4 KiB, 1.6 at one of 4160 bytes), where prefetchers know the stride.
func TestSets(t *testing.T) {
	c := simple()
	c.Levels, c.Ahead = []core.Level{{Sets: 64, Ways: 8}, {Sets: 2048, Ways: 8, Cycles: 10, PerLine: 2}}, true
	load := core.Instruction{Form: core.Form{Slots: 1}, Load: 8, Writes: []uint8{rax}, Address: []uint8{rdi}}
	for stride, most := range map[uint64][2]float64{4096: {9.9, 10.3}, 4160: {0.5, 2}} {
		s := core.New(c, []core.Instruction{load})
		const lines = 128
		for i := range 100 * uint64(lines) {
			s.Step(0, i%lines*stride, false)
		}
		if got := s.Cycles() / (100 * lines); got < most[0] || got > most[1] {
			t.Errorf("%.2f cycles a line at a stride of %d bytes, not %v", got, stride, most)
		}
	}
}

// TestReset walks lines of one set that L2 has, once and again from time zero: the second time takes as long as the first.
func TestReset(t *testing.T) {
	c := simple()
	c.Levels, c.Ahead = []core.Level{{Sets: 64, Ways: 8}, {Sets: 2048, Ways: 8, Cycles: 10, PerLine: 2}}, true
	s := core.New(c, []core.Instruction{{Form: core.Form{Slots: 1}, Load: 8, Writes: []uint8{rax}, Address: []uint8{rdi}}})
	walk := func() float64 {
		for i := range uint64(32 * 16) {
			s.Step(0, i%16*4096, false)
		}
		return s.Cycles()
	}
	walk() // L2 has them from here on
	s.Reset()
	first := walk()
	s.Reset()
	if again := walk(); again != first {
		t.Errorf("%.0f cycles, %.0f from time zero again", first, again)
	}
	s.Reset()
	s.Step(0, 15*4096, false) // L1 has it, and it was on its way when time began anew
	if got := s.Cycles(); got > 10 {
		t.Errorf("a load of a line that L1 has takes %.0f cycles after a reset", got)
	}
}

// TestInstruction makes the model's instructions of a compiler's.
func TestInstruction(t *testing.T) {
	f, err := assembly.Read("k.s", strings.NewReader("f:\n\taddsd 8(%rdi), %xmm0\n\tmovsd (%rdi), %xmm1\n\tmovapd %xmm1, %xmm2\n\tjne .L1\n\tvfmadd132sd %xmm1, %xmm2, %xmm3\n\tfancysd %xmm1, %xmm2\n"))
	if err != nil {
		t.Fatal(err)
	}
	costs := core.Costs{"addsd x,x": {Latency: 4, Slots: 1}, "vfmadd231sd x,x,x": {Latency: 5, Slots: 1}}
	var got []core.Instruction
	var known []bool
	for _, b := range f.Functions[0].Blocks {
		for _, x := range b.Instructions {
			i, ok := costs.Instruction(x)
			got, known = append(got, i), append(known, ok)
		}
	}
	if i := got[0]; i.Latency != 4 || i.Load != 8 || len(i.Address) != 1 || i.Address[0] != rdi || i.Writes[0] != v0 || !i.Vector {
		t.Errorf("%+v", i)
	}
	if got[1].Latency != 0 || got[1].Load != 8 || got[2].Latency != 0 || got[3].Branch != core.Conditional || got[4].Latency != 5 {
		t.Errorf("%+v", got)
	}
	if !known[4] || known[5] || got[5].Latency == 0 {
		t.Errorf("%v %+v", known, got[5])
	}
}

// TestIntegersAlike takes what was not measured of integers as others that cores treat alike.
func TestIntegersAlike(t *testing.T) {
	f, err := assembly.Read("k.s", strings.NewReader("f:\n\txorq %rax, %rdx\n\trolq $7, %rdx\n\torl %eax, %edx\n\tsarl $3, %edx\n\tbswapq %rdx\n"))
	if err != nil {
		t.Fatal(err)
	}
	costs := core.Costs{"and r4,r4": {Latency: 2, Slots: 1}, "shl r8,i": {Latency: 3, Slots: 1}}
	for i, want := range []float64{2, 3, 2, 3, 0} {
		x := f.Functions[0].Blocks[0].Instructions[i]
		if got, known := costs.Instruction(x); known != (want > 0) || known && got.Latency != want {
			t.Errorf("%s: %v, %v cycles", x.Text, known, got.Latency)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	c := simple()
	c.Levels = []core.Level{{Sets: 64, Ways: 8}, {Sets: 1024, Ways: 8, Cycles: 10, PerLine: 2}}
	load := core.Instruction{Form: core.Form{Slots: 1}, Load: 8, Writes: []uint8{v0}, Address: []uint8{rdi}, Vector: true}
	add := core.Instruction{Form: core.Form{Latency: 3, Slots: 1, Uses: [core.Resources]float64{core.FloatAdd: 0.5}}, Reads: []uint8{v0}, Writes: []uint8{v0 + 1}, Vector: true}
	store := core.Instruction{Form: core.Form{Slots: 1}, Store: 8, Reads: []uint8{v0 + 1}, Address: []uint8{rdi}, Vector: true}
	next := operation(1, 4)
	branch := core.Instruction{Form: core.Form{Latency: 1, Slots: 1}, Branch: core.Conditional}
	s := core.New(c, []core.Instruction{load, add, store, next, branch})
	for i := range b.N {
		s.Step(int32(i%5), uint64(i/5*8%16384), i%5 == 4)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Minstructions/s")
}

// TestBecome lets a simulator take over what another has learnt: from then on both take as long, which one that has learnt nothing does not.
func TestBecome(t *testing.T) {
	x := core.Core{
		Width: 4, HistoryTables: 4, LoadCycles: 4, Mispredicted: 16, Ahead: true,
		Levels: []core.Level{{Sets: 64, Ways: 8}, {Sets: 1024, Ways: 8, Cycles: 10}, {Cycles: 40}},
	}
	program := []core.Instruction{{Form: core.Form{Latency: 1}, Load: 8, Address: []uint8{2}, Writes: []uint8{2}}, {Branch: core.Conditional, Reads: []uint8{2}}}
	run := func(s *core.Simulator) float64 {
		before := s.Cycles()
		random := rand.New(rand.NewPCG(1, 2))
		for i := range 20_000 {
			s.Step(0, uint64(random.IntN(1<<14))*64, false)
			s.Step(1, 0, i%7 < 3)
		}
		return s.Cycles() - before
	}
	teacher, pupil, fresh := core.New(x, program), core.New(x, program), core.New(x, program)
	run(teacher)
	pupil.Become(teacher)
	teacher.Reset()
	learnt := run(teacher)
	if got := run(pupil); got != learnt {
		t.Errorf("%.0f cycles of a simulator that became one which takes %.0f", got, learnt)
	}
	if got := run(fresh); got < 1.02*learnt {
		t.Errorf("%.0f cycles without what was learnt, %.0f with it", got, learnt)
	}
}
