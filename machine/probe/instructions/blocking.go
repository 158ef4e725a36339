package instructions

import "fmt"

// blocker is an operation that uses nothing but one resource, besides its place in the stream.
type blocker struct {
	name string
	text func(i int) string // the i-th of them
}

// blockers are the resources, in the order of core.Resource, and last what does nothing, for the places in the stream.
func blockers(vex bool) []blocker {
	v := func(name string) func(int) string {
		if vex {
			return func(i int) string {
				return fmt.Sprintf("v%s xmm%d, xmm%d, xmm15", name, i%blocking(name), i%blocking(name))
			}
		}
		return func(i int) string { return fmt.Sprintf("%s xmm%d, xmm15", name, i%blocking(name)) }
	}
	r := func(format string) func(int) string {
		return func(i int) string { return fmt.Sprintf(format, occupied(i)) }
	}
	move := "movq %s, xmm12"
	if vex {
		move = "vmovq %s, xmm12"
	}
	return []blocker{
		{"integer", r("add %s, r14")},
		{"integer_mul", r("imul %s, r14")},
		{"float_add", v("addsd")},
		{"float_mul", v("mulsd")},
		{"shuffle", v("unpcklpd")},
		{"vector_integer", v("paddd")},
		{"load", r("mov %s, [rdi]")},
		{"store", func(int) string { return "mov [rdi], rax" }},
		{"transfer", r(move)},
		{"divide", v("divsd")},
		{"slots", slots(vex)},
	}
}

// occupied is the integer register that a blocker writes: in turn so many that additions are not bound by their latency where six go through in a cycle.
func occupied(i int) string {
	all := []string{"r8", "r9", "r10", "r11", "r12", "r13", "r15", "rbp"}
	return all[i%len(all)]
}

// slots are operations of all kinds, so mixed that only their places in the stream bind them: cores join those that do nothing to one. Of twelve four are
// of integers, four of vectors, three loads and one a store, so that eight go through in a cycle where four units add integers, three take vectors and
// two load; no register is written more than twice in a block.
func slots(vex bool) func(i int) string {
	keep := "pand xmm%d, xmm15"
	if vex {
		keep = "vpand xmm%d, xmm15, xmm15"
	}
	return func(i int) string {
		switch i % 12 {
		case 0, 3, 6, 9:
			return fmt.Sprintf("add %s, r14", occupied(i/3))
		case 1, 4, 7:
			return "mov rsi, [rdi]"
		case 2, 5, 8, 10:
			return fmt.Sprintf(keep, i%10)
		}
		return "mov [rdi + 64], r14"
	}
}

// test is a run of instructions that is timed.
type test struct {
	name string
	body []string
	wide bool // uses the upper parts of vectors
}

// block is how many blockers a test has.
const block = 24

// mixed is how many of a form are put among so many blockers, of which the form alone takes own cycles each and the blockers together
// took so many: few enough not to be the bound themselves. None where even two would be.
func mixed(own, together float64) int {
	for _, n := range []int{8, 6, 4, 3, 2} {
		if own*float64(n) < mostOwn*together {
			return n
		}
	}
	return 0
}

// mostOwn is the most of the blockers' time that the form's instances may need themselves. Chosen.
const mostOwn = 0.7

// slow says whether an instruction takes many cycles of its unit; gathers stand in each other's way as divisions do.
func slow(base string) bool {
	for _, s := range []string{"div", "sqrt", "idiv", "vdiv", "vsqrt", "gather", "pgather", "vgather", "vpgather"} {
		if len(base) >= len(s) && base[:len(s)] == s {
			return true
		}
	}
	return false
}

// blocking is how many vector registers a blocker writes in turn: enough that its own latency does not bind it (four cycles, two a
// cycle), and few where the latency is one, so that forms have more.
func blocking(name string) int {
	if name == "addsd" || name == "mulsd" {
		return 9
	}
	return 5
}

// destination is the register that an instance of the form writes among blockers: in turn so many that forms that read what they write
// are not bound by their latency.
func (f *form) destination(i int, b blocker) int {
	if !f.writesVector() {
		return i % 4
	}
	switch b.name {
	case "float_add", "float_mul":
		return 9 + i%4
	case "shuffle", "vector_integer", "divide":
		return 5 + i%8
	}
	return i % 12
}

// alone are the tests of a form by itself: many that do not depend on each other, and a chain.
func (f *form) alone() []test {
	free, chain := make([]string, block), make([]string, block/2)
	for i := range free {
		to := i % 10
		if f.writesVector() {
			to = i % 12
		}
		free[i] = f.instance(to, sourceVector, false)
	}
	for i := range chain {
		chain[i] = f.instance(3, sourceVector, true)
	}
	return []test{{f.name + "|alone", free, f.wide()}, {f.name + "|chain", chain, f.wide()}}
}

// wide says whether the form works on more than 16 bytes.
func (f *form) wide() bool {
	for _, k := range f.kinds {
		if k == "y" || k == "z" {
			return true
		}
	}
	return false
}

// among is the test of so many of a form among blockers.
func (f *form) among(b blocker, count int) test {
	var body []string
	for i := range block {
		body = append(body, b.text(i))
		if i%(block/count) == block/count-1 {
			body = append(body, f.instance(f.destination(i/(block/count), b), sourceVector, false))
		}
	}
	return test{f.name + "|" + b.name, body, f.wide()}
}
