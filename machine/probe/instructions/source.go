package instructions

import (
	"fmt"
	"strings"
)

// unrolled is how often the body of a test stands in its loop.
const unrolled = 4

// text is the assembly of all tests: one function each, which gets the number of rounds.
func text(tests []test, vex, wide bool) string {
	var s strings.Builder
	s.WriteString(".intel_syntax noprefix\n.text\n.type empty, @function\nempty:\n\tret\n")
	for n, t := range tests {
		fmt.Fprintf(&s, ".globl test_%d\n.p2align 6\n.type test_%d, @function\ntest_%d:\n\tcall begin\n", n, n, n)
		if vex && !t.wide {
			s.WriteString("\tvzeroupper\n")
		}
		s.WriteString(".p2align 6\n5:\n.rept " + fmt.Sprint(unrolled) + "\n")
		for _, line := range t.body {
			s.WriteString("\t" + line + "\n")
		}
		s.WriteString(".endr\n\tdec rcx\n\tjnz 5b\n\tjmp finish\n")
	}
	s.WriteString(begin(vex, wide))
	return s.String()
}

// begin is what each test calls first and jumps to last: it saves registers and gives all of them values that calculations keep usual;
// numbers near zero, which take longer, become zero.
func begin(vex, wide bool) string {
	var s strings.Builder
	s.WriteString("begin:\n\tpop rax\n\tldmxcsr [rip + control]\n")
	for _, r := range []string{"rbx", "rbp", "r12", "r13", "r14", "r15"} {
		s.WriteString("\tpush " + r + "\n")
	}
	s.WriteString("\tmov rcx, rdi\n\tlea rdi, [rip + buffer + 2048]\n\tpush rax\n\tlea rbp, [rip + ring + 8]\n")
	move, register := "movupd %s, [rip + %s]", "xmm"
	if vex {
		move, register = "vbroadcastsd %s, [rip + %s]", "ymm"
	}
	if wide {
		register = "zmm"
	}
	for v := range 16 {
		value := "one"
		switch v {
		case sourceVector:
			value = "more"
		case zeroVector:
			value = "zero"
		}
		fmt.Fprintf(&s, "\t"+move+"\n", fmt.Sprint(register, v), value)
	}
	if wide {
		for k := 1; k < 8; k++ {
			fmt.Fprintf(&s, "\tkxnorw k%d, k%d, k%d\n", k, k, k)
		}
	}
	s.WriteString("\txor eax, eax\n\tmov edx, 1\n\tmov ebx, 1\n\txor esi, esi\n\tmov r8, [rip + seed]\n\tmov r9, 6364136223846793005\n\tmov r10, 1442695040888963407\n" +
		"\tmov r11d, 1\n\tmov r12, -1\n\tmov r13d, 1\n\tmov r14d, 1\n\txor r15d, r15d\n\tret\n")
	s.WriteString("finish:\n\tmov [rip + seed], r8\n")
	if vex {
		s.WriteString("\tvzeroupper\n")
	}
	for _, r := range []string{"r15", "r14", "r13", "r12", "rbp", "rbx"} {
		s.WriteString("\tpop " + r + "\n")
	}
	s.WriteString("\tret\n.section .rodata\n.p2align 4\none: .double 1.0, 1.0\nmore: .double 1.0000001, 1.0000001\nzero: .double 0.0, 0.0\n" +
		".data\n.p2align 3\ncontrol: .long 0x9fc0\n.p2align 3\nseed: .quad 88172645463325252\n" + ring() + ".bss\n.p2align 12\nbuffer: .zero 8192\n.section .note.GNU-stack,\"\",@progbits\n")
	return s.String()
}

// ringLength is a prime of which 2 is a primitive root, and one more than a number that shares little with how often a body is unrolled.
const ringLength = 59

// ring is a chain of pointers through all cells but the first, in the order of the powers of 2: each load of a body meets another address
// and another value each time, as a core that guesses what loads give (Redwood Cove) does not wait for one that gives the same again.
func ring() string {
	s := "ring: .quad 0\n"
	for cell := 1; cell < ringLength; cell++ {
		s += fmt.Sprintf(".quad ring + %d\n", 8*(2*cell%ringLength))
	}
	return s
}

// timerText is the C function that says how long a cycle is.
const timerText = `
/* least ticks of the counter for an instruction of a chain of additions */
static double tick(int times) {
    uint64_t best = -1;
    unsigned cpu;
    for (int r = 0; r < times; r++) {
        uint64_t x = 1, begun = __rdtscp(&cpu);
        long i = 250;
        __asm__ volatile("1: .rept 32\n add %0, %0\n .endr\n dec %1\n jnz 1b" : "+r"(x), "+r"(i));
        uint64_t took = __rdtscp(&cpu) - begun;
        best = took < best ? took : best;
    }
    return best / 8000.0;
}
`

// illegal is what the program says of a test with an instruction that the processor does not know.
const illegal = "illegal"

// driver is the C program that times the functions: a line for each, of the cycles that a round of its body takes, or that it is illegal. Cycles are those of a
// chain of additions that is timed before and after, so that neither the clock's rate nor the counter's matters.
func driver(n int) string {
	var s strings.Builder
	s.WriteString("#include <setjmp.h>\n#include <signal.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <x86intrin.h>\n")
	for i := range n {
		fmt.Fprintf(&s, "void test_%d(long);\n", i)
	}
	s.WriteString("static void (*const all[])(long) = {")
	for i := range n {
		fmt.Fprintf(&s, "test_%d,", i)
	}
	s.WriteString(`};

` + timerText + `
static uint64_t least(void (*f)(long), long rounds, int times) {
    uint64_t best = -1;
    unsigned cpu;
    for (int r = 0; r < times; r++) {
        uint64_t begun = __rdtscp(&cpu);
        f(rounds);
        uint64_t took = __rdtscp(&cpu) - begun;
        best = took < best ? took : best;
    }
    return best;
}

enum { COUNT = sizeof all / sizeof *all, BESIDE = 3 };
static double took[COUNT], ticks[COUNT + 2 * BESIDE];

/* the middle of the ticks beside a test: single ones may have been disturbed */
static double middle(const double *of) {
    double v[2 * BESIDE + 1];
    for (int i = 0; i <= 2 * BESIDE; i++) {
        int k = i;
        for (; k > 0 && v[k - 1] > of[i]; k--)
            v[k] = v[k - 1];
        v[k] = of[i];
    }
    return v[BESIDE];
}

static sigjmp_buf unknown;

static void leave(int signal) {
    (void)signal;
    siglongjmp(unknown, 1);
}

int main(void) {
    signal(SIGILL, leave);
    for (volatile int i = 0; i < COUNT + 2 * BESIDE; i++) {
        ticks[i] = tick(5);
        int k = i - BESIDE;
        if (k < 0 || k >= COUNT)
            continue;
        if (sigsetjmp(unknown, 1)) {
            took[k] = -1;
            continue;
        }
        uint64_t many = least(all[k], 60, 14), few = least(all[k], 12, 8);
        took[k] = many > few ? (double)(many - few) / 48 : 0;
    }
    for (int k = 0; k < COUNT; k++)
        if (took[k] < 0)
            puts("` + illegal + `");
        else
            printf("%.4f\n", took[k] / middle(ticks + k));
    return 0;
}
`)
	return s.String()
}
