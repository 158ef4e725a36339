package rewrite

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"foresee/application/assembly"
	"foresee/application/record/instrument"
)

// function puts instructions into a file as compilers write it.
func function(lines ...string) []byte {
	text := "\t.text\n\t.globl f\n\t.type f, @function\nf:\n"
	for _, l := range lines {
		if !strings.HasSuffix(l, ":") && !strings.HasPrefix(l, "#") {
			l = "\t" + l
		}
		text += l + "\n"
	}
	return []byte(text + "\t.size f, .-f\n")
}

func rewritten(t *testing.T, text []byte) *Made {
	t.Helper()
	made, err := Rewrite(text, Options{Name: "f.o", Compiler: "cc"})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// turned is a jump back to the begin of a loop that is logged as a whole.
var turned = regexp.MustCompile(`^\tj[a-z]+ \.Lfr_again\d+$`)

// kept says whether all lines of a text are in another, in order, but for jumps of loops.
func kept(text, in []byte) bool {
	all := bytes.Split(in, []byte("\n"))
	for line := range bytes.SplitSeq(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		i := slices.IndexFunc(all, func(l []byte) bool {
			return bytes.Equal(l, line) || turned.Match(l) && bytes.Contains(line, []byte("j"))
		})
		if i < 0 {
			return false
		}
		all = all[i+1:]
	}
	return true
}

// TestFlags looks at which segments keep the flags: those between what sets them and what asks for them. By hand.
func TestFlags(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		keeps int // segments whose log keeps the flags
	}{
		{"a comparison before each jump", []string{"cmpl $1, %edi", "jne .L1", "movl $2, %eax", ".L1:", "testl %eax, %eax", "je .L2", "ret", ".L2:", "ret"}, 0},
		{"two jumps by one comparison", []string{"cmpl $1, %edi", "jg .L1", "je .L1", "ret", ".L1:", "ret"}, 1},
		{"moves keep them", []string{"cmpl $1, %edi", "jg .L1", "movl $2, %eax", "leal 3(%rax), %ecx", "sete %dl", ".L1:", "ret"}, 1},
		{"through a jump", []string{"cmpl $1, %edi", "jg .L1", "jmp .L2", ".L1:", "ret", ".L2:", "cmovl %eax, %ecx", "ret"}, 2},
		{"a count that keeps the carry", []string{".L0:", "adcq %rax, %rdx", "decl %ecx", "jne .L0", "ret"}, 1},
		{"a shift by a register may keep them", []string{"cmpl $1, %edi", "jg .L1", "shll %cl, %eax", "sete %dl", ".L1:", "ret"}, 1},
		{"calls leave none", []string{"cmpl $1, %edi", "jg .L1", "call g", "movl $1, %eax", ".L1:", "ret"}, 0},
	} {
		made := rewritten(t, function(c.lines...))
		if n := strings.Count(string(made.Text), "pushfq"); n != c.keeps {
			t.Errorf("%s: %d segments keep the flags, not %d", c.name, n, c.keeps)
		}
	}
}

// TestAddresses looks at how addresses are told that registers have moved away from. By hand.
func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  []string // addresses, in order
	}{
		{"before all", []string{"movq (%rdi), %rdx", "movq 8(%rdi), %rdi", "ret"}, []string{"0(%rdi)", "8(%rdi)", "160(%rsp)"}},
		{"pointers that move on", []string{"movq (%rdi), %rdx", "addq $8, %rdi", "movq (%rdi,%rcx,4), %rdx", "incq %rcx", "movq -4(%rdi,%rcx,4), %rdx", "ret"}, []string{"0(%rdi)", "8(%rdi,%rcx,4)", "8(%rdi,%rcx,4)", "160(%rsp)"}},
		{"pointers that are loaded", []string{"movq (%rdi), %rdi", "movq 16(%rdi), %rdi", "ret"}, []string{"0(%rdi)", "160(%rsp)", "16(%rdi)"}},
		{"the stack", []string{"pushq %rbx", "subq $32, %rsp", "movq %rax, 8(%rsp)", "call g", "addq $32, %rsp", "popq %rbx", "ret"}, []string{"152(%rsp)", "128(%rsp)", "112(%rsp)", "192(%rsp)", "200(%rsp)"}},
		{"symbols", []string{"movl a+4(%rip), %eax", "movl b(,%rdi,4), %edx", "movq c@GOTPCREL(%rip), %rax"}, []string{"a+4(%rip)", "b(,%rdi,4)"}},
		{"read and written", []string{"addl $1, (%rsi)"}, []string{"0(%rsi)", "0(%rsi)"}},
		{"long double", []string{"fldt 16(%rsp)", "fstpl (%rdi)", "fxch %st(1)"}, []string{"176(%rsp)", "0(%rdi)"}},
	} {
		made := rewritten(t, function(c.lines...))
		var got []string
		for line := range strings.Lines(string(made.Text)) {
			line = strings.TrimSpace(line)
			if rest, ok := strings.CutPrefix(line, "leaq "); ok && !strings.Contains(line, ".Lfr_") && !strings.HasSuffix(line, "%rsp") {
				address, to, _ := strings.Cut(rest, "), ")
				if !strings.HasSuffix(address, "("+to) { // the log's end, which moves on
					got = append(got, address+")")
				}
			}
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: addresses %q, not %q\n%s", c.name, got, c.want, made.Text)
		}
	}
}

// TestMasks: where all lanes are set in the block, and as wide as the gather, the mask is not looked at; else it is. By hand.
func TestMasks(t *testing.T) {
	const narrow, wide = "vgatherdpd %ymm1, (%rax,%xmm2,8), %ymm0", "vgatherdps (%rax,%zmm2,4), %zmm0{%k1}"
	for _, c := range []struct {
		before, gather string
		whole          bool
	}{
		{"vpcmpeqd %ymm1, %ymm1, %ymm1", narrow, true},
		{"vpcmpeqd %xmm1, %xmm1, %xmm1", narrow, false}, // its upper half is 0
		{"vpcmpeqd %ymm3, %ymm4, %ymm1", narrow, false},
		{"vmovapd %ymm3, %ymm1", narrow, false},
		{"nop", narrow, false},
		{"kxnorw %k1, %k1, %k1", wide, true},
		{"kxnorb %k1, %k1, %k1", wide, false},
		{"kxnorw %k2, %k2, %k2", wide, false},
	} {
		text := string(rewritten(t, function(c.before, c.gather, "ret")).Text)
		if looked := strings.Contains(text, "btl $0"); looked == c.whole {
			t.Errorf("%s: the mask is looked at: %v", c.before, looked)
		}
	}
}

// TestSegments looks at where segments end, and at what they hold. By hand.
func TestSegments(t *testing.T) {
	made := rewritten(t, function("endbr64", "movq (%rdi), %rax", "lock", "incl (%rsi)", "call memcpy@PLT", "#APP", "rdtsc", "#NO_APP", "vaddpd (%rax), %ymm1, %ymm0", "vgatherdpd %ymm1, (%rax,%xmm2,8), %ymm0", "lodsb", "ret"))
	if made.Inline != 1 || made.Module.Unseen != 1 {
		t.Errorf("%d stretches of people's assembly and %d unseen accesses, not 1 and 1", made.Inline, made.Module.Unseen)
	}
	if n := len(made.Module.Segments); n != 2 {
		t.Fatalf("%d segments, not 2", n)
	}
	if n := rewritten(t, function("nop", "#APP", ".loc 1 2 3", "#NO_APP", "ret")).Inline; n != 0 {
		t.Errorf("%d stretches where a compiler notes a place alone", n)
	}
	first, second := &made.Module.Segments[0], &made.Module.Segments[1]
	if want := "r8,r4,w4,w8,r0,w0"; accessesText(first) != want {
		t.Errorf("the first accesses %s, not %s", accessesText(first), want)
	}
	if want := []instrument.Coded{{Word: 0, Text: "movq (%rdi), %rax"}, {Word: 1, Text: "lock incl (%rsi)"}, {Word: 3, Text: "call memcpy@PLT"}}; !slices.Equal(first.Code, want) {
		t.Errorf("the first is of %v, not %v", first.Code, want)
	}
	if want := "r32,r8,r8,r8,r8,r8"; accessesText(second) != want {
		t.Errorf("the second accesses %s, not %s", accessesText(second), want)
	}
	if want := (instrument.Op{Kind: "fadd", Type: "f64", Lanes: 4}); second.Ops[want] != 1 {
		t.Errorf("operations %v without an addition of 4", second.Ops)
	}
}

func accessesText(s *instrument.Segment) string {
	var all []string
	for _, a := range s.Accesses {
		kind := "r"
		if a.Write {
			kind = "w"
		}
		all = append(all, kind+string(rune('0'+a.Size/10))+string(rune('0'+a.Size%10)))
	}
	text := strings.Join(all, ",")
	return strings.NewReplacer("r0", "r", "w0", "w").Replace(text)
}

// TestSealed looks at sequences that the linker must find whole.
func TestSealed(t *testing.T) {
	made := rewritten(t, function("movq (%rdi), %rbx", "data16", "leaq own@tlsgd(%rip), %rdi", ".value 0x6666", "rex64", "call __tls_get_addr@PLT", "movq (%rax), %rax", "ret"))
	if whole := "\tdata16\n\tleaq own@tlsgd(%rip), %rdi\n\t.value 0x6666\n\trex64\n\tcall __tls_get_addr@PLT\n"; !strings.Contains(string(made.Text), whole) {
		t.Errorf("something stands in\n%s", made.Text)
	}
	if len(made.Module.Segments) != 2 {
		t.Errorf("%d segments, not 2", len(made.Module.Segments))
	}
}

// FuzzRewrite rewrites any text: its lines stay as they are and in order, and each segment's words fit the recorder.
func FuzzRewrite(f *testing.F) {
	f.Add(function("movq (%rdi), %rax", "addq $8, %rdi", "jne .L1", ".L1:", "rep stosq", "ret"))
	f.Add(function("data16", "leaq own@tlsgd(%rip), %rdi", ".value 0x6666", "rex64", "call __tls_get_addr@PLT", "fldt 8(%rsp)", "lock; incl (%rax)"))
	f.Add([]byte("\t.intel_syntax noprefix\nf:\n\tmov rax, [rdi]\n"))
	f.Add([]byte("#APP\n\t.pushsection .x\n\t.popsection\n#NO_APP\nf:\n\tjrcxz f\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		made, err := Rewrite(text, Options{Name: "f.o"})
		if err != nil {
			return
		}
		if !kept(text, made.Text) {
			t.Errorf("lines are lost of\n%s\nin\n%s", text, made.Text)
		}
		for i := range made.Module.Segments {
			if n := made.Module.Segments[i].Words(); n > 60 {
				t.Errorf("segment %d has %d words", i, n)
			}
		}
		if _, err := instrument.ParseModule(made.Module.Text()); err != nil {
			t.Error(err)
		}
	})
}

// TestDrift follows a register through what adds to it, and loses it where it becomes something else.
func TestDrift(t *testing.T) {
	var d drift
	for _, text := range []string{"addq $8, %rdi", "leaq -3(%rdi), %rdi", "decq %rdi", "subq $4, %rdi", "pushq %rax"} {
		d.step(assembly.ReadInstruction(text))
	}
	w := &word{access: access{at: address{base: assembly.RDI, index: assembly.RSP}}}
	if by, ok := d.known(w); !ok || by != [2]int64{0, -8} { // 8 − 3 − 1 − 4
		t.Errorf("%v %v, not 0 and −8", by, ok)
	}
	for _, text := range []string{"addl $8, %edi", "movq %rax, %rdi", "popq %rdi", "addq %rsi, %rdi", "cpuid", "xchgq %rdi, %rax"} {
		lost := d
		lost.step(assembly.ReadInstruction(text))
		if _, ok := lost.known(w); ok {
			t.Errorf("after %s the register is taken to be known", text)
		}
	}
}

// TestNames looks at what functions are called. By hand, with c++filt.
func TestNames(t *testing.T) {
	for symbol, want := range map[string]string{
		"main": "main", "find.constprop.0": "find", "f.isra.0.cold": "f", "kernel._omp_fn.1": "kernel._omp_fn.1", "_Z5applyPdi._omp_fn.0": "apply._omp_fn.0",
		"_ZNK6square4areaEv": "square::area", "_ZL7checkedi.part.0": "checked", "MAIN__": "MAIN__", "__shapes_MOD_fib": "__shapes_MOD_fib",
	} {
		if got := FunctionName(symbol); got != want {
			t.Errorf("%s is called %s, not %s", symbol, got, want)
		}
	}
}

// TestBodies: bodies of parallel regions that clang made are called after the function that opens the region, also inside one another. By hand.
func TestBodies(t *testing.T) {
	of := func(name string, lines ...string) string {
		return "\t.text\n\t.type " + name + ", @function\n" + name + ":\n\t" + strings.Join(lines, "\n\t") + "\n\t.size " + name + ", .-" + name + "\n"
	}
	made := rewritten(t, []byte(of("_Z5solvei", "leaq .omp_outlined.(%rip), %rdx", "call __kmpc_fork_call", "movl $.omp_outlined..2, %edx", "call __kmpc_fork_call", "ret")+
		of(".omp_outlined.", "leaq .omp_outlined..1(%rip), %rdx", "ret")+of(".omp_outlined..1", "ret")+of(".omp_outlined..2", "ret")))
	var got []string
	for i := range made.Module.Segments {
		if n := made.Module.Segments[i].Place.Function; len(got) == 0 || got[len(got)-1] != n {
			got = append(got, n)
		}
	}
	if want := []string{"solve", "solve.omp_outlined.0", "solve.omp_outlined.2", "solve.omp_outlined.1"}; !slices.Equal(got, want) {
		t.Errorf("functions %q, want %q", got, want)
	}
}
