package core_test

import (
	"testing"

	"foresee/application/assembly"
	"foresee/model/core"
)

// TestServices: functions of libraries by their names, those of checks and of standards, and of C++ by the longest beginning that is known; a machine's
// own measurement counts before; each number of floating point that is printed costs more.
func TestServices(t *testing.T) {
	costs := core.Costs{"call malloc": {Latency: 77}}
	of := func(name string, floats int) float64 { return costs.Call(name, core.Given{Floats: floats}).PerCall }
	for _, same := range [][2]string{{"__printf_chk", "printf"}, {"__isoc23_strtol", "strtol"}, {"_IO_putc", "fputc"}, {"_Znwm", "_Znam"}, {"getc_unlocked", "getc"}} {
		if a, b := of(same[0], 0), of(same[1], 0); a == 0 || a != b {
			t.Errorf("%s costs %v cycles, %s %v", same[0], a, same[1], b)
		}
	}
	if of("malloc", 0) != 77 {
		t.Errorf("malloc costs %v cycles, as measured 77", of("malloc", 0))
	}
	if none, two := of("fprintf", 0), of("fprintf", 2); two < 2*none {
		t.Errorf("fprintf costs %v cycles, with two numbers of floating point %v", none, two)
	}
	if long, double := of("_ZNSo9_M_insertIlEERSoT_", 0), of("_ZNSo9_M_insertIdEERSoT_", 0); double < 2*long {
		t.Errorf("an integer costs %v cycles, a number of floating point %v", long, double)
	}
	for _, name := range []string{"_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc", "__rust_alloc", "_RNvNvNtCslNYArtu3iFV_5alloc3fmt6format12format_inner", "_ZN3std2io5stdio6_print17h0123456789abcdefE"} {
		if of(name, 0) < 20 {
			t.Errorf("%s of Rust costs %v cycles", name, of(name, 0))
		}
	}
	one, three := costs.Call("sscanf", core.Given{Integers: 3}).PerCall, costs.Call("sscanf", core.Given{Integers: 5}).PerCall
	if three < 2*one {
		t.Errorf("sscanf of a value costs %v cycles, of three %v", one, three)
	}
	if x := costs.Call("hsearch", core.Given{}); x.Branch != core.Library || x.PerCall != 0 {
		t.Errorf("nothing is known of hsearch: %+v", x)
	}
	measured := core.Costs{"call qsort": {Latency: 9}}
	if usual, own := costs.Callback().PerCall, measured.Callback().PerCall; own <= 0 || own >= usual {
		t.Errorf("between two calls of a program's function: %v cycles, where 9 were measured %v", usual, own)
	}
}

// TestGiven: registers of arguments as compilers set them, and the one that says how many hold numbers of floating point.
func TestGiven(t *testing.T) {
	for _, c := range []struct {
		want   core.Given
		before []string
	}{
		{core.Given{Integers: 1, Floats: 1}, []string{"leaq .LC0(%rip), %rdi", "movl $1, %eax"}},
		{core.Given{Floats: 2}, []string{"movb $2, %al", "movsd (%rsp), %xmm0"}},
		{core.Given{}, []string{"movl $1, %eax", "xorl %eax, %eax"}},
		{core.Given{Integers: 4}, []string{"movl $3, %ecx", "cmpq %r9, %r8"}},
		{core.Given{Integers: 2, Floats: 8}, []string{"call strlen", "movl $100, %eax", "xorl %esi, %esi"}},
		{core.Given{}, nil},
	} {
		var before []*assembly.Instruction
		for _, text := range c.before {
			before = append(before, assembly.ReadInstruction(text))
		}
		if got := core.GivenBy(before); got != c.want {
			t.Errorf("%q: %+v, want %+v", c.before, got, c.want)
		}
	}
}
