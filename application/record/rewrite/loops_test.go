package rewrite

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"foresee/application/assembly"
)

// TestLoops looks at which loops are logged as a whole, and how their words move on. By hand.
func TestLoops(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		table string // step, whether the counting register has 32 bits, strides; empty: not logged as a whole
	}{
		{"a sum", []string{".L1:", "addsd (%rdi), %xmm0", "addq $8, %rdi", "cmpq %rax, %rdi", "jne .L1", "ret"}, "8, 0, 8"},
		{"indices", []string{".L1:", "movsd (%rsi,%rax,8), %xmm0", "movsd %xmm0, 16(%rdi,%rax,4)", "addq $2, %rax", "cmpq %rcx, %rax", "jb .L1", "ret"}, "2, 0, 16, 8"},
		{"downwards", []string{".L1:", "movb $0, (%rdi)", "decq %rdi", "testq %rdi, %rdi", "jne .L1", "ret"}, "-1, 0, -1"},
		{"a place that stays", []string{".L1:", "addl (%rsi), %edx", "movl %edx, 4(%rdi)", "addq $4, %rdi", "cmpq %rdi, %rcx", "jne .L1", "ret"}, "4, 0, 0, 4"},
		{"a counter of 32 bits", []string{".L1:", "imull %edx, %edx", "subl $3, %ecx", "jg .L1", "ret"}, "-3, 1"},
		{"pointers that are loaded", []string{".L1:", "movq (%rdi), %rdi", "addq $1, %rax", "testq %rdi, %rdi", "jne .L1", "ret"}, ""},
		{"indices that are loaded", []string{".L1:", "movslq (%rsi,%rax,4), %rdx", "addsd (%rdi,%rdx,8), %xmm0", "addq $1, %rax", "cmpq %rax, %rcx", "jne .L1", "ret"}, ""},
		{"an index of 32 bits", []string{".L1:", "movl (%rsi,%rax,4), %edx", "addl $1, %eax", "cmpl %eax, %ecx", "jne .L1", "ret"}, ""},
		{"nothing that counts", []string{".L1:", "movl (%rsi), %eax", "testl %eax, %eax", "je .L1", "ret"}, ""},
		{"a call", []string{".L1:", "movq %rbx, (%rbx)", "call g", "addq $8, %rbx", "cmpq %rbp, %rbx", "jne .L1", "ret"}, ""},
		{"two jumps", []string{".L1:", "cmpb $0, (%rdi)", "je .L2", "addq $1, %rdi", "cmpq %rax, %rdi", "jne .L1", ".L2:", "ret"}, ""},
		{"a line with more", []string{".L1:", "addsd (%rdi), %xmm0", "addq $8, %rdi", "cmpq %rax, %rdi", "jne .L1; nop", "ret"}, ""},
		{"people's assembly", []string{".L1:", "addq $8, %rdi", "#APP", "nop", "#NO_APP", "cmpq %rax, %rdi", "jne .L1", "ret"}, ""},
		{"blocks of bytes", []string{".L1:", "rep stosq", "addq $8, %rdx", "cmpq %rax, %rdx", "jne .L1", "ret"}, ""},
	} {
		text := string(rewritten(t, function(c.lines...)).Text)
		got := ""
		if _, rest, ok := strings.Cut(text, "\n.Lfr_loop"); ok {
			_, rest, _ = strings.Cut(rest, ".quad ")
			got, _, _ = strings.Cut(rest, "\n")
		}
		if again := strings.Contains(text, ".Lfr_again"); got != c.table && !(c.table == "" && !again) || again != (c.table != "") {
			t.Errorf("%s: %q, not %q, in\n%s", c.name, got, c.table, text)
		}
	}
}

// TestNeeds looks at which registers are needed at a function's begin. By hand.
func TestNeeds(t *testing.T) {
	all := allRegisters
	for _, c := range []struct {
		name   string
		lines  []string
		spared []assembly.Register // of RAX, RCX and RDX, those that nothing needs
	}{
		{"a return may give anything back", []string{"ret"}, nil},
		{"written before it is read", []string{"movl (%rdi), %eax", "xorl %ecx, %ecx", "ret"}, []assembly.Register{assembly.RAX, assembly.RCX}},
		{"read before it is written", []string{"addl %eax, %ecx", "movl $1, %eax", "movl $1, %ecx", "ret"}, nil},
		{"an address", []string{"movl (%rax), %eax", "movq (%rsi,%rcx), %rcx", "ret"}, nil},
		{"a byte of it", []string{"movb $1, %al", "sete %cl", "movw $1, %dx", "ret"}, nil},
		{"extended", []string{"movzbl (%rdi), %eax", "movslq (%rsi), %rcx", "leal 3(%rdi), %edx", "ret"}, []assembly.Register{assembly.RAX, assembly.RCX, assembly.RDX}},
		{"a condition may leave it", []string{"cmovel %edi, %eax", "movl $1, %ecx", "ret"}, []assembly.Register{assembly.RCX}},
		{"both ways write it", []string{"testl %edi, %edi", "je .L1", "movl $1, %eax", "ret", ".L1:", "movl $2, %eax", "ret"}, []assembly.Register{assembly.RAX}},
		{"one way reads it", []string{"testl %edi, %edi", "je .L1", "movl $1, %eax", "ret", ".L1:", "addl $2, %eax", "ret"}, nil},
		{"a loop", []string{".L1:", "movl (%rdi), %eax", "addl %eax, %ecx", "addq $4, %rdi", "cmpq %rsi, %rdi", "jne .L1", "ret"}, []assembly.Register{assembly.RAX}},
		{"a call needs all", []string{"movl $1, %eax", "call g", "movl $1, %ecx", "ret"}, []assembly.Register{assembly.RAX}},
		{"a division", []string{"movl %edi, %eax", "cltd", "idivl %esi", "ret"}, []assembly.Register{assembly.RAX, assembly.RDX}},
		{"a shift by it", []string{"shll %cl, %edi", "movl $1, %ecx", "ret"}, nil},
		{"people's assembly", []string{"#APP", "nop", "#NO_APP", "movl $1, %eax", "ret"}, nil},
		{"what is not understood", []string{"cpuid", "movl $1, %ecx", "ret"}, nil},
		{"texts", []string{"pcmpestri $0, %xmm0, %xmm1", "movl $1, %eax", "movl $1, %edx", "ret"}, nil},
		{"a table of places", []string{"jmp *.L4(,%rdi,8)", "movl $1, %eax", "ret"}, nil},
		{"a function's own", []string{"jmp g", "movl $1, %eax", "ret"}, nil},
	} {
		f, err := assembly.ReadLoosely("f.s", strings.NewReader(string(function(c.lines...))))
		if err != nil {
			t.Fatal(err)
		}
		n := newNeeds(newLiveness(f), f)
		got := n.at(f.Functions[0].Blocks[0], 0)
		want := all &^ setOf(c.spared...)
		if some := setOf(assembly.RAX, assembly.RCX, assembly.RDX); got&some != want&some {
			t.Errorf("%s: %b, not %b", c.name, got&some, want&some)
		}
	}
}

// TestSpared runs into what code around a segment does with registers that nothing needs: they are not kept.
func TestSpared(t *testing.T) {
	text := string(rewritten(t, function("movl $1, %eax", "movl $2, %ecx", "ret")).Text)
	code, _, _ := strings.Cut(text, ".Lfr_construct:")
	if strings.Contains(code, "movq %rax, 0(%rsp)") || !strings.Contains(code, "movq fr_cursor(%rip), %rax") {
		t.Errorf("rax is kept, or not used, in\n%s", code)
	}
	if moves := regexp.MustCompile(`leaq -\d+\(%rsp\)`).FindAllString(code, -1); len(moves) != 1 { // before the log is written out alone
		t.Errorf("the stack pointer is moved %d times in\n%s", len(moves), code)
	}
}

// TestJoin looks at which labels blocks begin at: those that nothing but a debugger's description speaks of do not.
func TestJoin(t *testing.T) {
	text := string(function("movl (%rdi), %eax", ".LVL1:", "addl $1, %eax", ".L2:", "movl %eax, (%rdi)", "jne .L2", ".LVL3:", "ret")) +
		"\t.section .debug_loc,\"\",@progbits\n\t.quad .LVL1-.Ltext0\n\t.quad .LVL3\n\t.text\n"
	made := rewritten(t, []byte(text))
	var sizes []int
	for i := range made.Module.Segments {
		sizes = append(sizes, len(made.Module.Segments[i].Code))
	}
	if want := []int{2, 2, 1}; !slices.Equal(sizes, want) {
		t.Errorf("segments of %v instructions, not %v", sizes, want)
	}
	spoken := rewritten(t, []byte(text+"\t.section .rodata\n\t.long .LVL1-.L4\n"))
	if n := len(spoken.Module.Segments); n != 4 {
		t.Errorf("%d segments where a table speaks of a label, not 4", n)
	}
}
