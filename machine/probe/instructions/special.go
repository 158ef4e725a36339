package instructions

import "fmt"

// repeated is a body of n instructions, or of n runs of several.
func repeated(n int, text func(i int) []string) []string {
	var out []string
	for i := range n {
		out = append(out, text(i)...)
	}
	return out
}

func always(text ...string) func(int) []string { return func(int) []string { return text } }

// specials are the tests of what forms do not say: loads and stores, chains through memory, jumps.
func specials(vex, wide bool) []test {
	out := []test{
		{"load chain", repeated(12, always("mov rbp, [rbp]")), false},
		{"vector load chain", repeated(6, always("movq xmm0, [rbp]", "movq rbp, xmm0")), false},
		{"to vector and back", repeated(6, always("movq xmm0, rax", "movq rax, xmm0")), false},
		{"forward same", repeated(6, always("mov [rdi + 64], rax", "mov rax, [rdi + 64]")), false},
		{"forward", repeated(6, always("mov [rdi + rsi*8 + 64], r8", "mov r8, [rdi + r15 + 64]")), false},
		{"forward vector", repeated(6, always("movsd [rdi + rsi*8 + 64], xmm0", "movsd xmm0, [rdi + r15 + 64]")), false},
		{"forward blocked", repeated(6, always("movsd [rdi + 64], xmm0", "movupd xmm0, [rdi + 64]")), false},
		{"load 8", repeated(block, func(i int) []string { return []string{fmt.Sprintf("mov %s, [rdi + %d]", integerName(4+i%6, "8"), 8*i)} }), false},
		{"load 16", repeated(block, func(i int) []string { return []string{fmt.Sprintf("movups xmm%d, [rdi + %d]", i%12, 16*(i%16))} }), false},
		{"load across 8", repeated(block, func(i int) []string {
			return []string{fmt.Sprintf("mov %s, [rdi + %d]", integerName(4+i%6, "8"), 60+64*(i%8))}
		}), false},
		{"load across 16", repeated(block, func(i int) []string { return []string{fmt.Sprintf("movups xmm%d, [rdi + %d]", i%12, 56+64*(i%8))} }), false},
		{"store 8", repeated(block, func(i int) []string { return []string{fmt.Sprintf("mov [rdi + %d], rax", 8*i)} }), false},
		{"store 16", repeated(block, func(i int) []string { return []string{fmt.Sprintf("movups [rdi + %d], xmm1", 16*(i%16))} }), false},
		{"store apart", repeated(block, func(i int) []string { return []string{fmt.Sprintf("mov [rdi + %d], rax", 64*(i%8))} }), false},
		{"store far", repeated(block, func(i int) []string { return []string{fmt.Sprintf("mov [rdi + %d], rax", 64*i)} }), false},
		{"store across", repeated(block, func(i int) []string { return []string{fmt.Sprintf("mov [rdi + %d], rax", 60+64*(i%8))} }), false},
		{"jumps", repeated(12, always("jmp 1f", "1:")), false},
		{"calls", repeated(12, always("call empty")), false},
		{"branches at random", branches("r12"), false},
		{"branches in order", branches("r15"), false},
	}
	for _, at := range loopPlaces {
		out = append(out, test{fmt.Sprint("loop at ", at), loopAt(at), false})
	}
	if vex {
		out = append(out,
			test{"load 32", repeated(block, func(i int) []string { return []string{fmt.Sprintf("vmovups ymm%d, [rdi + %d]", i%12, 32*(i%8))} }), true},
			test{"load across 32", repeated(block, func(i int) []string { return []string{fmt.Sprintf("vmovups ymm%d, [rdi + %d]", i%12, 48+64*(i%8))} }), true},
			test{"store 32", repeated(block, func(i int) []string { return []string{fmt.Sprintf("vmovups [rdi + %d], ymm1", 32*(i%8))} }), true})
	}
	if wide {
		out = append(out,
			test{"load 64", repeated(block, func(i int) []string { return []string{fmt.Sprintf("vmovups zmm%d, [rdi + %d]", i%12, 64*(i%4))} }), true},
			test{"load across 64", repeated(block, func(i int) []string { return []string{fmt.Sprintf("vmovups zmm%d, [rdi + %d]", i%12, 56+64*(i%8))} }), true},
			test{"store 64", repeated(block, func(i int) []string { return []string{fmt.Sprintf("vmovups [rdi + %d], zmm1", 64*(i%4))} }), true})
	}
	return out
}

// branches decides by a bit of a linear congruence whether to jump: at random where the mask is all ones, never where it is zero but for
// bits that are always the same.
func branches(mask string) []string {
	return repeated(4, always(
		"imul r8, r9", "add r8, r10", "mov rax, r8", "shr rax, 40", "and rax, "+mask, "test al, 1", "jne 1f", "add rbx, 1", "1:"))
}

// A short loop of shortLoop bytes at places within 64 bytes of code: in a block of 32 bytes, across the middle, and across the end.
var loopPlaces = []int{0, 24, 56}

// loopRounds is how often a short loop goes round in a test's body.
const loopRounds = 100

// loopAt is a loop of seven places in the stream and some thirty bytes that begins so many bytes behind a multiple of 64. What is in front of it is
// jumped over.
func loopAt(place int) []string {
	return []string{
		"mov r9d, " + fmt.Sprint(loopRounds), "jmp 1f", ".p2align 6", fmt.Sprintf(".skip %d, 0x90", place), "1:",
		"add rsi, r14", "mov r8, [rdi]", "add rdx, r14", "mov r10, [rdi]", "mov [rdi + 64], r14", "add rbx, r14", "dec r9d", "jnz 1b",
	}
}
