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
	of := func(name string, floats int) float64 { return costs.Call(name, floats).PerCall }
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
	if x := costs.Call("hsearch", 0); x.Branch != core.Library || x.PerCall != 0 {
		t.Errorf("nothing is known of hsearch: %+v", x)
	}
	if c := costs.Callback().PerCall; c <= 0 || core.Costs(map[string]core.Form{"call qsort": {Latency: 9}}).Callback().PerCall != 9 {
		t.Errorf("between two calls of a program's function: %v cycles", c)
	}
}

// TestFloatsGiven: the register that says how many, as compilers set it.
func TestFloatsGiven(t *testing.T) {
	for _, c := range []struct {
		want   int
		before []string
	}{
		{1, []string{"leaq .LC0(%rip), %rdi", "movl $1, %eax"}},
		{2, []string{"movb $2, %al", "movsd (%rsp), %xmm0"}},
		{0, []string{"movl $1, %eax", "xorl %eax, %eax"}},
		{0, []string{"movl $3, %ecx"}},
		{8, []string{"movl $100, %eax"}},
		{0, nil},
	} {
		var before []*assembly.Instruction
		for _, text := range c.before {
			before = append(before, assembly.ReadInstruction(text))
		}
		if got := core.FloatsGiven(before); got != c.want {
			t.Errorf("%q: %d, want %d", c.before, got, c.want)
		}
	}
}
