package timing_test

import (
	"math"
	"testing"

	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/machine"
	"foresee/model/timing"
)

const toy = `
name: toy
cores: {value: 4, source: test}
frequency_ghz: {value: 2, source: test}
line_bytes: {value: 64, source: test}
levels:
- name: L1
  size: {value: 32KiB, source: test}
  ways: {value: 8, source: test}
  shared_by: {value: 1, source: test}
  latency_cycles: {value: 4, source: test}
  reciprocal_throughput: {value: 0.5, source: test}
- name: L2
  size: {value: 256KiB, source: test}
  ways: {value: 8, source: test}
  shared_by: {value: 1, source: test}
  latency_cycles: {value: 12, source: test}
  reciprocal_throughput: {value: 2, source: test}
  sequential_cycles_per_line: {value: 2, source: test}
  far_cycles_per_line: {value: 6, source: test}
memory:
  latency_ns: {value: 100, source: test}
  bandwidth_gbs: {value: 16, source: test}
  reciprocal_throughput: {value: 20, source: test}
  sequential_cycles_per_line: {value: 10, source: test}
  far_cycles_per_line: {value: 50, source: test}
core:
  issue_width: {value: 4, source: test}
  loads_per_cycle: {value: 2, source: test}
  stores_per_cycle: {value: 1, source: test}
  reorder_buffer: {value: 100, source: test}
operations:
- {kind: add, type: f64, latency_cycles: {value: 3, source: test}, reciprocal_throughput: {value: 1, source: test}}
- {kind: mul, type: f64, latency_cycles: {value: 5, source: test}, reciprocal_throughput: {value: 0.5, source: test}}
- {kind: div, type: f64, latency_cycles: {value: 20, source: test}, reciprocal_throughput: {value: 10, source: test}}
- {kind: add, type: int, latency_cycles: {value: 1, source: test}, reciprocal_throughput: {value: 0.25, source: test}}
`

func toyMachine(t *testing.T) *machine.Machine {
	t.Helper()
	m, err := machine.Parse("toy.yaml", []byte(toy))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var (
	objectA = &nest.Object{Name: "a", Elem: 8}
	objectB = &nest.Object{Name: "b", Elem: 8}
)

func element(o *nest.Object, i *expr.Expr, shift int64, write bool) *nest.Access {
	off := expr.Binary(expr.OpMul, expr.Int(8), expr.Binary(expr.OpAdd, i, expr.Int(shift)))
	return &nest.Access{Object: o, Offset: off, Size: 8, Write: write, Text: o.Name + "[i]"}
}

// loopOf is for (i = 0; i < n; i++) with one statement.
func loopOf(n int64, s func(i *expr.Expr) *nest.Stmt) *nest.Program {
	return &nest.Program{Region: "test", Vars: []string{"i"}, Scalars: []string{"s"}, Body: []nest.Node{
		&nest.Loop{Lo: expr.Int(0), Hi: expr.Int(n - 1), Step: 1, Body: []nest.Node{s(expr.Ref(0))}},
	}}
}

func f64(k nest.Kind, out nest.Value, args ...nest.Value) nest.Operation {
	return nest.Operation{Kind: k, Type: nest.F64, Args: args, Out: out}
}

func val(k nest.ValueKind, n int) nest.Value { return nest.Value{Kind: k, N: n} }

// s += a[i] * b[i]
func dot(i *expr.Expr) *nest.Stmt {
	return &nest.Stmt{
		Accesses: []*nest.Access{element(objectA, i, 0, false), element(objectB, i, 0, false)},
		Flow: []nest.Operation{
			f64(nest.Mul, nest.Value{}, val(nest.Load, 0), val(nest.Load, 1)),
			f64(nest.Add, val(nest.Scalar, 0), val(nest.Scalar, 0), val(nest.Temp, 0)),
		},
	}
}

// b[i] = a[i] * a[i]
func square(i *expr.Expr) *nest.Stmt {
	return &nest.Stmt{
		Accesses: []*nest.Access{element(objectA, i, 0, false), element(objectB, i, 0, true)},
		Flow:     []nest.Operation{f64(nest.Mul, val(nest.Store, 1), val(nest.Load, 0), val(nest.Load, 0))},
	}
}

// a[i+1] = a[i] / b[i], carried through memory
func recurrence(i *expr.Expr) *nest.Stmt {
	return &nest.Stmt{
		Accesses: []*nest.Access{element(objectA, i, 0, false), element(objectB, i, 0, false), element(objectA, i, 1, true)},
		Flow:     []nest.Operation{f64(nest.Div, val(nest.Store, 2), val(nest.Load, 0), val(nest.Load, 1))},
	}
}

func TestCore(t *testing.T) {
	m := toyMachine(t)
	for _, c := range []struct {
		name              string
		s                 func(*expr.Expr) *nest.Stmt
		chain, throughput float64
	}{
		{"sum", dot, 3, 1.5},                   // the addition's latency; units: 1 + 0.5
		{"independent", square, 0, 1.25},       // load, product, store, counter, branch: five, four a cycle
		{"through memory", recurrence, 24, 10}, // division and store forwarding; the divider
	} {
		p := loopOf(100_000, c.s)
		blocks, err := timing.Blocks(p)
		if err != nil {
			t.Fatal(err)
		}
		b := blocks[1]
		if b.Executions != 100_000 || b.Entries != 1 || !b.Innermost {
			t.Fatalf("%s: %+v", c.name, b)
		}
		core := timing.CoreOf(p, b, timing.NewCosts(m))
		if math.Abs(core.Chain-c.chain) > 1e-9 || math.Abs(core.Throughput-c.throughput) > 1e-9 {
			t.Errorf("%s: chain %v, throughput %v; want %v and %v", c.name, core.Chain, core.Throughput, c.chain, c.throughput)
		}
	}
}

// The chains of short loops overlap in the window, where each starts anew: 5 instructions of 5 iterations, in 100.
func TestShortLoopsOverlap(t *testing.T) {
	m := toyMachine(t)
	reset := &nest.Stmt{Flow: []nest.Operation{f64(nest.Move, val(nest.Scalar, 0))}}
	for _, c := range []struct {
		name  string
		first []nest.Node
		want  float64
	}{
		{"a sum for each", []nest.Node{reset}, 3.0 / (1 + 20/5.0)},
		{"one sum", nil, 3},
	} {
		inner := &nest.Loop{Var: 1, Lo: expr.Int(0), Hi: expr.Int(4), Step: 1, Body: []nest.Node{dot(expr.Ref(1))}}
		p := &nest.Program{Region: "test", Vars: []string{"i", "j"}, Scalars: []string{"s"}, Body: []nest.Node{
			&nest.Loop{Lo: expr.Int(0), Hi: expr.Int(99), Step: 1, Body: append(c.first, inner)},
		}}
		blocks, err := timing.Blocks(p)
		if err != nil {
			t.Fatal(err)
		}
		if core := timing.CoreOf(p, blocks[len(blocks)-1], timing.NewCosts(m)); math.Abs(core.Chain-c.want) > 1e-9 {
			t.Errorf("%s: %v cycles an iteration, want %v", c.name, core.Chain, c.want)
		}
	}
}

// Code as it was compiled has the same, by how often its loop begins.
func TestRecordedChainsOverlap(t *testing.T) {
	m := toyMachine(t)
	chain := timing.Ops{{Kind: nest.Add, Type: nest.F64}: 1}
	ops := timing.Ops{{Kind: nest.Add, Type: nest.F64}: 1, {Kind: nest.Add, Type: nest.I64}: 3}
	for entries, want := range map[float64]float64{0: 3, 200: 3.0 / (1 + 25/5.0), 40: 3.0 / 2, 10: 3.0 * (100 - 25) / 100} {
		b := &timing.Block{Executions: 1000, Entries: entries, Ops: ops, Recurrence: chain}
		if core := timing.CoreOf(nil, b, timing.NewCosts(m)); math.Abs(core.Chain-want) > 1e-9 {
			t.Errorf("%v entries: %v cycles, want %v", entries, core.Chain, want)
		}
	}
}

func input(t *testing.T, threads int, lines float64) timing.Input {
	t.Helper()
	p := loopOf(1_000_000, square)
	blocks, err := timing.Blocks(p)
	if err != nil {
		t.Fatal(err)
	}
	return timing.Input{
		Program: p, Blocks: blocks, Threads: threads, Imbalance: 1,
		Traffic: []timing.Traffic{
			{Level: "L2", Lines: lines, Sequential: 1, AllLines: lines},
			{Level: "memory", Lines: lines, Sequential: 0.5, AllLines: lines * float64(threads)},
		},
	}
}

func TestOverlapLiesBetweenRooflineAndSum(t *testing.T) {
	m := toyMachine(t)
	for _, lines := range []float64{0, 10, 1e3, 3e4, 1e5, 1e7} {
		e, err := timing.Overlap(input(t, 1, lines), m)
		if err != nil {
			t.Fatal(err)
		}
		if e.Time < math.Max(e.Compute, e.Memory) || e.Time > e.Compute+e.Memory || e.Low > e.Time || e.High < e.Time {
			t.Errorf("%v lines: %+v", lines, e)
		}
		want := math.Max(lines*30, lines*64/16e9*2e9) // half at 10, half at 50 cycles, or the socket's bandwidth
		if got := e.Levels[1] * 2e9; math.Abs(got-want) > 1e-6*want {
			t.Errorf("%v lines from memory take %v cycles, want %v", lines, got, want)
		}
	}
}

func TestOverlapNamesTheBound(t *testing.T) {
	m := toyMachine(t)
	for lines, want := range map[float64]string{0: "compute", 1e7: "memory"} {
		e, err := timing.Overlap(input(t, 1, lines), m)
		if err != nil {
			t.Fatal(err)
		}
		if e.Bound != want {
			t.Errorf("%v lines: bound by %s, want %s", lines, e.Bound, want)
		}
	}
}

func TestMissingValuesAreNamed(t *testing.T) {
	m := toyMachine(t)
	m.Memory = machine.Memory{}
	_, err := timing.Overlap(input(t, 1, 10), m)
	want := "machine toy has no memory.latency_*, memory.sequential_cycles_per_line"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// Functions of the C library cost what was measured, others as much more than exp as they are usually taken for, and what they are taken
// for on machines that do not say.
func TestFunctionsOfTheLibrary(t *testing.T) {
	m := toyMachine(t)
	key := func(name string) timing.OpKey { return timing.OpKey{Kind: nest.Call, Type: nest.F64, Name: name} }
	c := timing.NewCosts(m)
	if got := c.Of(key("exp")); got != (timing.Cost{Latency: 40, Throughput: 15}) { // 10 pairs of 3 + 5 and 1 + 0.5 cycles, in two chains
		t.Errorf("exp: %+v", got)
	}
	v := func(x float64) *machine.Value[float64] { return &machine.Value[float64]{Value: x, Source: "test"} }
	m.Operations = append(m.Operations, machine.Operation{Kind: "exp", Type: machine.F64, LatencyCycles: v(50), ReciprocalThroughput: v(20)})
	c = timing.NewCosts(m)
	for name, want := range map[string]timing.Cost{"exp": {Latency: 50, Throughput: 20}, "pow": {Latency: 120, Throughput: 48}, "erfcx": {Latency: 75, Throughput: 30}} {
		if got := c.Of(key(name)); math.Abs(got.Latency-want.Latency) > 1e-9 || math.Abs(got.Throughput-want.Throughput) > 1e-9 {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
