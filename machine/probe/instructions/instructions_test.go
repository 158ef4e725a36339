package instructions

import (
	"context"
	"errors"
	"math"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"foresee/machine"
	"foresee/model/core"
)

func TestInstances(t *testing.T) {
	for name, want := range map[string][2]string{ // independent, and chained
		"addsd x,x":            {"addsd xmm3, xmm13", "addsd xmm3, xmm3"},
		"vaddsd x,x,x":         {"vaddsd xmm3, xmm13, xmm13", "vaddsd xmm3, xmm13, xmm3"},
		"add r4,i":             {"add esi, 1", "add esi, 1"},
		"imul r8,r8":           {"imul rsi, r14", "imul rsi, rsi"},
		"lea r8,a3":            {"lea rsi, [r14 + r14*8 + 8]", "lea rsi, [rsi + r14*8 + 8]"},
		"shl r4,r1":            {"shl esi, cl", "shl esi, cl"},
		"set r1":               {"setl sil", "setl sil"},
		"vcmppd k,z,z":         {"vcmpltpd k4, zmm13, zmm13", "vcmpltpd k4, zmm13, zmm13"},
		"vcvtdq2pd z,y":        {"vcvtdq2pd zmm3, ymm13", "vcvtdq2pd zmm3, ymm3"},
		"idiv r4":              {"mov eax, r14d\n\txor edx, edx\n\tidiv r14d", "xor edx, edx\n\tidiv r14d"},
		"movsx r8,r4":          {"movsxd rsi, r14d", "movsxd rsi, esi"},
		"vpermilpd x,x,i":      {"vpermilpd xmm3, xmm13, 1", "vpermilpd xmm3, xmm3, 1"},
		"vinsertf64x4 z,z,y,i": {"vinsertf64x4 zmm3, zmm13, ymm13, 1", "vinsertf64x4 zmm3, zmm13, ymm3, 1"},
		"cmov r8,r8":           {"cmovl rsi, r14", "cmovl rsi, rsi"},
		"vpbroadcastq z,r8":    {"vpbroadcastq zmm3, r14", "vpbroadcastq zmm3, r14"},
		"vfmadd231pd z,z,z":    {"vfmadd231pd zmm3, zmm13, zmm13", "vfmadd231pd zmm3, zmm13, zmm3"},
		"vpcmpud k,z,z":        {"vpcmpltud k4, zmm13, zmm13", "vpcmpltud k4, zmm13, zmm13"},
		"cvtsi2sd x,r4":        {"cvtsi2sd xmm3, r14d", "cvtsi2sd xmm3, r14d"},
		"vextracti32x8 y,z,i":  {"vextracti32x8 ymm3, zmm13, 1", "vextracti32x8 ymm3, zmm3, 1"},
		"kunpckbw k,k,k":       {"kunpckbw k4, k2, k2", "kunpckbw k4, k2, k4"},
		"vblendvps x,x,x,x":    {"vblendvps xmm3, xmm13, xmm13, xmm13", "vblendvps xmm3, xmm13, xmm13, xmm3"},
		"vcvtsi2sd x,x,r8":     {"vcvtsi2sd xmm3, xmm13, r14", "vcvtsi2sd xmm3, xmm3, r14"},
		"movd r4,x":            {"movd esi, xmm13", "movd esi, xmm13"},
		"ucomisd x,x":          {"ucomisd xmm3, xmm13", "ucomisd xmm3, xmm3"},
		"pshufd x,x,i":         {"pshufd xmm3, xmm13, 1", "pshufd xmm3, xmm3, 1"},
		"vpbroadcastd y,y":     {"vpbroadcastd ymm3, ymm13", "vpbroadcastd ymm3, ymm3"},
		"not r8":               {"not rsi", "not rsi"},
		"vpternlogd z,z,z,i":   {"vpternlogd zmm3, zmm13, zmm13, 1", "vpternlogd zmm3, zmm13, zmm3, 1"},
		"movzx r4,r1":          {"movzx esi, r14b", "movzx esi, sil"},
		"lea r4,a0":            {"lea esi, [rip + buffer]", "lea esi, [rip + buffer]"},
		"vroundsd x,x,x,i":     {"vroundsd xmm3, xmm13, xmm13, 1", "vroundsd xmm3, xmm13, xmm3, 1"},
		"vgetmantpd z,z,i":     {"vgetmantpd zmm3, zmm13, 1", "vgetmantpd zmm3, zmm3, 1"},
		"cmpsd x,x":            {"cmpltsd xmm3, xmm13", "cmpltsd xmm3, xmm3"},
		"vpmovzxwd y,x":        {"vpmovzxwd ymm3, xmm13", "vpmovzxwd ymm3, xmm3"},
		"vshuff64x2 z,z,z,i":   {"vshuff64x2 zmm3, zmm13, zmm13, 1", "vshuff64x2 zmm3, zmm13, zmm3, 1"},
		"vpcmpeqq k,z,z":       {"vpcmpeqq k4, zmm13, zmm13", "vpcmpeqq k4, zmm13, zmm13"},
		"bt r8,i":              {"bt rsi, 1", "bt rsi, 1"},
		"sbb r4,r4":            {"sbb esi, r14d", "sbb esi, esi"},
		"vcvttsd2si r4,x":      {"vcvttsd2si esi, xmm13", "vcvttsd2si esi, xmm13"},
		"vaddpd y,y,y":         {"vaddpd ymm3, ymm13, ymm13", "vaddpd ymm3, ymm13, ymm3"},
		"vpinsrq x,x,r8,i":     {"vpinsrq xmm3, xmm13, r14, 1", "vpinsrq xmm3, xmm3, r14, 1"},
		"vpermt2pd z,z,z":      {"vpermt2pd zmm3, zmm13, zmm13", "vpermt2pd zmm3, zmm13, zmm3"},
		"vinsertps x,x,x,i":    {"vinsertps xmm3, xmm13, xmm13, 1", "vinsertps xmm3, xmm13, xmm3, 1"},
	} {
		f := parseForm(name)
		if got := [2]string{f.instance(3, sourceVector, false), f.instance(3, sourceVector, true)}; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestFormsAreKnownToTheAssembler holds that the list of forms is one: every form makes instructions that the assembler takes.
func TestFormsAreKnownToTheAssembler(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs gcc on x86-64")
	}
	m := &Measured{}
	var tests []test
	forms := listed(t)
	for _, f := range forms {
		tests = append(tests, f.alone()...)
	}
	kept, err := m.assembled(t.Context(), []string{gcc}, t.TempDir(), tests)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, k := range kept {
		name, _, _ := strings.Cut(k.name, "|")
		known[name] = true
	}
	for _, f := range forms {
		if !known[f.name] {
			t.Errorf("%s: the assembler does not know %q", f.name, f.instance(3, sourceVector, false))
		}
	}
}

func listed(t *testing.T) (all []form) {
	t.Helper()
	list, err := files.ReadFile("forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.Lines(string(list)) {
		all = append(all, parseForm(strings.TrimSpace(name)))
	}
	return all
}

// TestCosts derives costs from times that follow from known ones: a core of four units of integers, of which one multiplies, and of four
// of vectors, two of which add.
func TestCosts(t *testing.T) {
	m := &Measured{Cycles: map[string]float64{}, Length: map[string]int{}, VEX: true}
	rates := map[string]float64{"integer": 4, "integer_mul": 1, "float_add": 2, "float_mul": 2, "shuffle": 2, "vector_integer": 4, "load": 2, "store": 1, "transfer": 1, "divide": 0.2, "slots": 6}
	for name, rate := range rates {
		m.Cycles["base|"+name] = block / rate
	}
	for form, known := range map[string]struct {
		own     float64
		latency float64
		uses    map[string]float64
	}{
		"add r8,r8":    {0.25, 1, map[string]float64{"integer": 0.25, "slots": 1. / 6}},
		"imul r8,r8":   {1, 3, map[string]float64{"integer": 0.25, "integer_mul": 1, "slots": 1. / 6}},
		"vaddsd x,x,x": {0.5, 3, map[string]float64{"float_add": 0.5, "vector_integer": 0.5, "slots": 1. / 6}}, // put badly onto units when all are full
		"vaddpd z,z,z": {1, 3, map[string]float64{"float_add": 1, "vector_integer": 1, "slots": 1. / 6}},
		"vdivsd x,x,x": {5, 13, map[string]float64{}},
	} {
		m.Forms = append(m.Forms, form)
		m.Cycles[form+"|alone"], m.Length[form+"|alone"] = block*known.own, block
		m.Cycles[form+"|chain"], m.Length[form+"|chain"] = 12*known.latency, 12
		for _, b := range blockers(true) {
			if n := mixed(known.own, m.Cycles["base|"+b.name]); n > 0 {
				m.Cycles[form+"|"+b.name], m.Length[form+"|"+b.name] = m.Cycles["base|"+b.name]+float64(n)*known.uses[b.name], block+n
			}
		}
	}
	m.Cycles["to vector and back"], m.Length["to vector and back"] = 36, 12
	got := m.Costs()
	for form, want := range map[string]map[string]float64{
		"add r8,r8": {"integer": 0.25}, "imul r8,r8": {"integer": 0.25, "integer_mul": 1},
		"vaddsd x,x,x": {"float_add": 0.5, "vector_integer": 0.25}, "vaddpd z,z,z": {"float_add": 1, "vector_integer": 0.5}, "vdivsd x,x,x": {"divide": 5},
	} {
		c := got[form]
		for _, b := range blockers(true) {
			if b.name != "slots" && math.Abs(c.Uses[b.name]-want[b.name]) > 0.011 {
				t.Errorf("%s needs %v of %s, want %v (all: %v)", form, c.Uses[b.name], b.name, want[b.name], c.Uses)
			}
		}
		if c.Slots != 1 {
			t.Errorf("%s takes %v places", form, c.Slots)
		}
	}
	if got["imul r8,r8"].Latency != 3 || got["vaddpd z,z,z"].Latency != 3 || math.Abs(m.Width()-6) > 1e-9 {
		t.Errorf("%+v, width %v", got, m.Width())
	}
}

// TestMeasure measures this processor: what every x86-64 of the last ten years has in common must come out, whatever else runs.
func TestMeasure(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOARCH != "amd64" || testing.Short() {
		t.Skip("needs gcc on x86-64, and time")
	}
	vex, wide := Extensions()
	m, err := Measure(t.Context(), []string{gcc}, t.TempDir(), vex, wide)
	if err != nil {
		t.Fatal(err)
	}
	costs, v := m.Costs(), m.Values()
	within := func(what string, got, least, most float64) {
		t.Helper()
		if got < least || got > most {
			t.Errorf("%s: %v, not between %v and %v", what, got, least, most)
		}
	}
	within("latency of an addition", costs["add r8,r8"].Latency, 1, 1)
	within("latency of a multiplication", costs["imul r8,r8"].Latency, 3, 4)
	within("latency of a floating-point addition", costs["addsd x,x"].Latency, 2, 5)
	within("latency of a division", costs["divsd x,x"].Latency, 8, 25)
	within("the divider's cycles for a division of integers", costs["div r4"].Uses["divide"], 1, costs["div r4"].Latency+1)
	within("additions' use of units for integers", costs["add r8,r8"].Uses["integer"], 0.1, 0.4)
	within("width", v.Width, 2.5, 12)
	within("a load's cycles", v.LoadCycles, 3, 6)
	within("a wrong guess's cycles", v.Mispredicted, 8, 30)
	within("a blocked load's cycles", v.ForwardBlocked, 8, 40)
	within("what a load across lines needs more", v.LoadCrossing[1], 0, 3)
	within("cycles between stores to different lines", v.StoreLine, 0.3, 3)
	within("cycles between stores to a few lines in turn", v.StoreNear, 0.3, v.StoreLine)
	if b := m.fetchBytes(); b != 0 && b != 32 && b != 64 {
		t.Errorf("code comes in blocks of %d bytes", b)
	}
	table := m.Table("this test")
	within("bytes copied in a cycle", table.CopiedBytes, 4, 128)
	for _, f := range table.Functions {
		switch f.Name {
		case "exp":
			within("exp's latency", f.Latency, 10, 200)
			within("exp's cycles", f.Cycles, 3, 100)
		case "floor":
			within("floor's cycles", f.Cycles, 0.5, 30)
		case "malloc", "free", "rand", "fputs":
			within(f.Name+"'s cycles", f.Cycles, 3, 500)
		case "fprintf", "strtod":
			within(f.Name+"'s cycles", f.Cycles, 20, 2000)
		case "qsort":
			within("qsort's cycles between comparisons", f.Cycles, 2, 100)
		}
	}
	w := table.Windows
	for what, n := range map[string][3]int{ // a window may not be found, or be shared with another thread
		"reorder": {w.Reorder, 40, 1024}, "integers": {w.Integers, 20, 1024}, "vectors": {w.Vectors, 20, 1024}, "loads": {w.Loads, 16, 1024}, "branches": {w.Branches, 8, 1024}, "stores": {w.Stores, 10, 256},
		"waiting integers": {w.WaitingIntegers, 8, 512}, "waiting addresses": {w.WaitingAddresses, 8, 512}, "waiting vectors": {w.WaitingVectors, 8, 512},
	} {
		if n[0] != 0 && (n[0] < n[1] || n[0] > n[2]) {
			t.Errorf("window of %s: %d", what, n[0])
		}
	}
	if w.Reorder > 0 && w.Reorder < max(w.Integers, w.Vectors, w.Loads, w.Branches, w.Stores) {
		t.Errorf("a kind has a longer window than all together: %+v", w)
	}
}

// TestLowest takes the least of times that another confirms.
func TestLowest(t *testing.T) {
	for want, times := range map[float64][]float64{
		10: {14, 10.1, 8, 10, 22, 9.7}, 3: {9, 3, 5}, 7: {7}, 0: nil,
	} {
		if got := lowest(times); got != want {
			t.Errorf("%v: %v, want %v", times, got, want)
		}
	}
}

// TestFetchBytes tells blocks of code from loops at three places.
func TestFetchBytes(t *testing.T) {
	for want, loops := range map[int][3]float64{0: {120, 121, 119}, 32: {120, 200, 200}, 64: {120, 125, 200}} {
		m := &Measured{Cycles: map[string]float64{"loop at 0": loops[0], "loop at 24": loops[1], "loop at 56": loops[2]}}
		if got := m.fetchBytes(); got != want {
			t.Errorf("%v: %d, want %d", loops, got, want)
		}
	}
}

// TestLibraryFunctions takes the chain's product and sum off, and takes bytes a cycle from two lengths.
func TestLibraryFunctions(t *testing.T) {
	m := &Measured{
		Functions: map[string]float64{"exp": 15, "exp.chain": 46, "memcpy.long": 400, "memcpy.short": 144},
		Cycles:    map[string]float64{"mulsd x,x|chain": 36, "addsd x,x|chain": 36}, Length: map[string]int{"mulsd x,x|chain": 12, "addsd x,x|chain": 12},
	}
	all := m.libraryFunctions()
	if len(all) != 1 || all[0] != (machine.LibraryFunction{Name: "exp", Latency: 40, Cycles: 15}) || m.bytes("memcpy") != 32 || m.bytes("memset") != 0 {
		t.Errorf("%+v, %v bytes", all, m.bytes("memcpy"))
	}
}

// TestServicesAreKnown: what is timed of a function that is no mathematics is what a call of it then costs.
func TestServicesAreKnown(t *testing.T) {
	const cycles = 54321
	for _, x := range services {
		costs := core.Costs{"call " + x.name: {Latency: cycles}}
		if call := costs.Call(x.name, core.Given{}); call.PerCall < cycles/2 && costs.Callback().PerCall < cycles {
			t.Errorf("%s is timed, and a call costs %v cycles", x.name, call.PerCall)
		}
	}
}

// A measurement that is stopped says that it was stopped, and blames neither the compiler nor the program.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, stop)
	if _, err := compile(ctx, []string{"sleep"}, t.TempDir(), "60"); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped while it compiled: %v", err)
	}
	if _, err := output(ctx, "sleep"); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped before it ran: %v", err)
	}
}

// TestIllegal leaves out what the processor does not know, and times what comes behind it.
func TestIllegal(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs gcc on x86-64")
	}
	vex, wide := Extensions()
	tests := []test{{"known", []string{"add rax, rbx"}, false}, {"unknown", []string{"ud2"}, false}, {"behind", []string{"imul rax, rbx"}, false}}
	program, err := build(t.Context(), []string{gcc}, t.TempDir(), tests, vex, wide)
	if err != nil {
		t.Fatal(err)
	}
	m := &Measured{Cycles: map[string]float64{}, Length: map[string]int{}, times: map[string][]float64{}}
	for range 5 {
		if _, err := m.run(t.Context(), program, tests); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := m.Cycles["unknown"]; ok || m.Cycles["known"] <= 0 || m.Cycles["behind"] <= m.Cycles["known"] {
		t.Errorf("%v", m.Cycles)
	}
}
