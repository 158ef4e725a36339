package emulate_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"foresee/application/assembly"
	"foresee/application/emulate"
)

// The state that an instruction is tried on, in bytes from the first argument of the function that holds it.
const (
	vectorsAt  = 0    // sixteen of 64 bytes
	masksAt    = 2048 // of eight bytes
	integersAt = 2112 // rax, rcx, rdx, rbx, rsi, r8 to r15
	flagsAt    = 2240 // carry, zero, sign and overflow, a byte each
	memoryAt   = 2304 // 128 bytes that operands in memory mean
	stateBytes = 2560
)

var triedIntegers = []string{"rax", "rcx", "rdx", "rbx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"}

// definedFlags are carry, zero, sign and overflow of the instructions that do not define all four, by the manuals of both vendors; shifts
// may be by 0 or by more than 1.
var definedFlags = map[string][4]bool{
	"shld": {false, true, true, false}, "shrd": {false, true, true, false}, "shl": {true, true, true, false}, "sal": {true, true, true, false},
	"shr": {true, true, true, false}, "sar": {true, true, true, false}, "rol": {true, true, true, false}, "ror": {true, true, true, false},
	"imul": {true, false, false, true}, "mul": {true, false, false, true}, "bsf": {false, true, false, false}, "bsr": {false, true, false, false},
	"lzcnt": {true, true, false, false}, "tzcnt": {true, true, false, false}, "bt": {true, true, false, false}, "bts": {true, true, false, false},
	"btr": {true, true, false, false}, "btc": {true, true, false, false},
}

// flagsDefined are those of an instruction, whose mnemonic may end with the letter of a size.
func flagsDefined(form string) [4]bool {
	mnemonic, _, _ := strings.Cut(form, " ")
	for _, name := range []string{mnemonic, mnemonic[:len(mnemonic)-1]} {
		if defined, ok := definedFlags[name]; ok {
			return defined
		}
	}
	return [4]bool{true, true, true, true}
}

// TestAgainstHardware carries out each form of instruction that compilers wrote for the example kernels on random states, here and by
// the processor: registers, masks, flags and memory must be the same after it.
func TestAgainstHardware(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc")
	}
	cpu, _ := os.ReadFile("/proc/cpuinfo")
	if !strings.Contains(string(cpu), "avx512vl") {
		t.Skip("needs a processor with AVX-512")
	}
	forms := formsOfCompilers(t)
	dir := t.TempDir()
	text := trials(forms)
	source, driver, program := filepath.Join(dir, "f.s"), filepath.Join(dir, "d.c"), filepath.Join(dir, "d")
	write(t, source, text)
	write(t, driver, driverOf(len(forms)))
	if out, err := exec.Command(gcc, "-O1", "-o", program, driver, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const tries = 8
	states := randomStates(len(forms) * tries)
	cmd := exec.Command(program)
	cmd.Stdin = bytes.NewReader(states)
	want, err := cmd.Output()
	if err != nil || len(want) != len(states) {
		t.Fatalf("%v: %d of %d bytes", err, len(want), len(states))
	}
	f, err := assembly.Read("f.s", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := emulate.Load(1, f)
	if err != nil {
		t.Fatal(err)
	}
	const place = 0x5000_0000
	for i, form := range forms {
		for try := range tries {
			at := (i*tries + try) * stateBytes
			p.Write(place, states[at:at+stateBytes])
			if _, err := p.Run(fmt.Sprint("f", i), place); err != nil {
				t.Errorf("%s: %v", form, err)
				break
			}
			if d := difference(form, p.Read(place, stateBytes), want[at:at+stateBytes]); d != "" {
				t.Errorf("%s: %s", form, d)
				break
			}
		}
	}
	t.Logf("%d forms of instructions", len(forms))
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

var (
	inMemory    = regexp.MustCompile(`[-\w.+$@]*(\+?\d+)?\([^)]*\)`)
	notTried    = regexp.MustCompile(`^(j|call|ret|push|pop|leave|rep|lock|nop|lea|cmpxchg|v?p?gather|v?p?scatter|vzero|endbr|div|idiv|stos|movs[bwlq]?$|v?rcp|v?rsqrt|ud2|hlt|st|ld)`)
	stackOrBase = regexp.MustCompile(`%[re]?(sp|bp|di)l?\b`)
)

// formsOfCompilers are the distinct instructions that the compilers here wrote for the example kernels and for numbers of all types, those that stay where they
// are.
func formsOfCompilers(t *testing.T) []string {
	t.Helper()
	sources, err := filepath.Glob("../../examples/kernels/*.c")
	if err != nil || len(sources) == 0 {
		t.Fatal("no kernels")
	}
	seen := map[string]bool{}
	var all []string
	add := func(text string) {
		for line := range strings.Lines(text) {
			if text, form := tried(line); text != "" && !seen[form] {
				seen[form] = true
				all = append(all, text)
			}
		}
	}
	for _, c := range [][]string{{"gcc", "-O2"}, {"gcc", "-O3", "-march=x86-64-v4"}, {"clang", "-O2"}, {"clang", "-O3", "-march=x86-64-v4"}} {
		path, err := exec.LookPath(c[0])
		if err != nil {
			t.Log("without " + c[0])
			continue
		}
		for i, s := range sources {
			if i%4 != 0 { // a quarter of them has nearly all forms
				continue
			}
			out, err := exec.Command(path, append(slices.Clone(c[1:]), "-w", "-DMINI", "-S", "-o", "-", s)...).Output()
			if err != nil {
				t.Fatal(s, err)
			}
			add(string(out))
		}
	}
	for _, c := range [][]string{
		{"gcc", "-O3", "-march=native"}, {"gcc", "-O3", "-mavx2", "-mfma"}, {"gcc", "-O3", "-msse4.2"}, {"clang", "-O3", "-march=native"}, {"clang", "-Ofast", "-march=native"}, {"clang", "-O3", "-mavx2"},
	} {
		if path, err := exec.LookPath(c[0]); err == nil {
			out, err := exec.Command(path, append(slices.Clone(c[1:]), "-w", "-S", "-o", "-", "testdata/types.c")...).Output()
			if err != nil {
				t.Fatal(err)
			}
			add(string(out))
		}
	}
	add(seldom)
	slices.Sort(all)
	return all
}

// seldom are instructions that compilers take where a program asks for them, of what every processor with AVX-512 has.
const seldom = `
	phaddw %xmm1, %xmm2
	phaddd %xmm1, %xmm2
	phaddsw %xmm1, %xmm2
	phsubw %xmm1, %xmm2
	vphaddd %ymm1, %ymm2, %ymm3
	vphsubd %ymm1, %ymm2, %ymm3
	hsubpd %xmm1, %xmm2
	vhsubps %ymm1, %ymm2, %ymm3
	vhaddps %ymm1, %ymm2, %ymm3
	vaddsubps %ymm1, %ymm2, %ymm3
	pmaddubsw %xmm1, %xmm2
	vpmaddubsw %zmm1, %zmm2, %zmm3
	pmulhrsw %xmm1, %xmm2
	psignw %xmm1, %xmm2
	psignd %xmm1, %xmm2
	vpmovswb %zmm1, %ymm2
	vpmovsdb %zmm1, %xmm2
	vpmovusqd %zmm1, %ymm2
	vpmovuswb %ymm1, %xmm2{%k1}
	vpmovw2m %zmm1, %k2
	vpmovd2m %ymm1, %k2
	vpmovm2w %k1, %zmm2
	vpmovm2q %k1, %zmm2
	vprolvd %zmm1, %zmm2, %zmm3
	vprorvq %zmm1, %zmm2, %zmm3
	vptestnmb %zmm1, %zmm2, %k1
	vmaskmovps %ymm1, %ymm2, (%rsi)
	vmaskmovps (%rsi), %ymm2, %ymm3
	vpmaskmovd %xmm1, %xmm2, (%rsi)
	vfmsubadd213pd %ymm1, %ymm2, %ymm3
	vfmaddsub132ps %xmm1, %xmm2, %xmm3
	vplzcntd %zmm1, %zmm2
	vplzcntq %ymm1, %ymm2
`

var (
	vectorNumber = regexp.MustCompile(`%([xyz])mm\d+`)
	anyNumber    = regexp.MustCompile(`%(r\d+[dwb]?|[re]?[abcd]x|[abcd]l|[re]?si|sil)`)
)

// tried is an instruction as it is tried, with its operand in memory in the state; the form is what it has in common with others.
func tried(line string) (text, form string) {
	line, _, _ = strings.Cut(line, "#")
	line = strings.TrimSpace(strings.ReplaceAll(line, "\t", " "))
	if line == "" || line[0] == '.' || strings.Contains(line, ":") || notTried.MatchString(line) {
		return "", ""
	}
	line = inMemory.ReplaceAllString(line, fmt.Sprintf("%d(%%rdi)", memoryAt))
	without := strings.ReplaceAll(line, fmt.Sprintf("%d(%%rdi)", memoryAt), "M")
	if stackOrBase.MatchString(without) || regexp.MustCompile(`[$ ]\.?[A-Z_]\w*[A-Z]`).MatchString(without) && !strings.Contains(without, "M") || strings.Contains(without, "$.L") {
		return "", ""
	}
	if regexp.MustCompile(`%[xyz]mm(1[6-9]|2\d|3[01])`).MatchString(without) { // of these there are no state
		line = regexp.MustCompile(`mm(1[6-9]|2\d|3[01])`).ReplaceAllStringFunc(line, func(s string) string {
			n := 0
			fmt.Sscanf(s, "mm%d", &n)
			return fmt.Sprint("mm", n%16)
		})
	}
	form = vectorNumber.ReplaceAllString(line, "%${1}mm")
	form = anyNumber.ReplaceAllStringFunc(form, func(s string) string { return fmt.Sprint("%r", len(s)) })
	return line, form
}

// trials is a function for each instruction, which takes the state over, and gives it back.
func trials(forms []string) string {
	var s strings.Builder
	s.WriteString(".text\n")
	for i, form := range forms {
		fmt.Fprintf(&s, ".globl f%d\n.type f%d, @function\nf%d:\n", i, i, i)
		for _, r := range []string{"rbx", "rbp", "r12", "r13", "r14", "r15"} {
			fmt.Fprintf(&s, "\tpushq %%%s\n", r)
		}
		for v := range 16 {
			fmt.Fprintf(&s, "\tvmovdqu64 %d(%%rdi), %%zmm%d\n", vectorsAt+64*v, v)
		}
		for k := range 8 {
			fmt.Fprintf(&s, "\tkmovq %d(%%rdi), %%k%d\n", masksAt+8*k, k)
		}
		for r, name := range triedIntegers {
			fmt.Fprintf(&s, "\tmovq %d(%%rdi), %%%s\n", integersAt+8*r, name)
		}
		fmt.Fprintf(&s, "\tcmpq %d(%%rdi), %%rax\n\t%s\n", integersAt+8*len(triedIntegers), form)
		// The flags, by sets that leave them as they are: below, equal, sign, overflow.
		for n, c := range []string{"b", "e", "s", "o"} {
			fmt.Fprintf(&s, "\tset%s %d(%%rdi)\n", c, flagsAt+n)
		}
		for r, name := range triedIntegers {
			fmt.Fprintf(&s, "\tmovq %%%s, %d(%%rdi)\n", name, integersAt+8*r)
		}
		for k := range 8 {
			fmt.Fprintf(&s, "\tkmovq %%k%d, %d(%%rdi)\n", k, masksAt+8*k)
		}
		for v := range 16 {
			fmt.Fprintf(&s, "\tvmovdqu64 %%zmm%d, %d(%%rdi)\n", v, vectorsAt+64*v)
		}
		for _, r := range []string{"r15", "r14", "r13", "r12", "rbp", "rbx"} {
			fmt.Fprintf(&s, "\tpopq %%%s\n", r)
		}
		fmt.Fprintf(&s, "\tvzeroupper\n\tret\n\t.size f%d, .-f%d\n", i, i)
	}
	s.WriteString(".section .note.GNU-stack,\"\",@progbits\n")
	return s.String()
}

// driverOf is a C program that tries the functions on the states of its standard input.
func driverOf(n int) string {
	var s strings.Builder
	s.WriteString("#include <stdio.h>\n")
	for i := range n {
		fmt.Fprintf(&s, "void f%d(void *);\n", i)
	}
	s.WriteString("static void (*all[])(void *) = {")
	for i := range n {
		fmt.Fprintf(&s, "f%d,", i)
	}
	fmt.Fprintf(&s, "};\nstatic char state[%d] __attribute__((aligned(64)));\nint main(void)\n{\n    for (int i = 0; i < %d; i++)\n        for (int k = 0; k < 8; k++) {\n"+
		"            if (fread(state, sizeof state, 1, stdin) != 1) return 1;\n            all[i](state);\n            fwrite(state, sizeof state, 1, stdout);\n        }\n    return 0;\n}\n", stateBytes, n)
	return s.String()
}

// randomStates are states whose numbers are moderate, as doubles and as floats: what is no number has many forms.
func randomStates(n int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n*stateBytes)
	for i := 0; i < len(b); i += 4 {
		word := 0x3f80_0000 + random.Uint32N(0x0100_0000) | random.Uint32N(2)<<31
		switch at := i % stateBytes; {
		case at >= integersAt && at < memoryAt && random.IntN(2) == 0:
			word = random.Uint32N(256)
		case at >= masksAt && at < integersAt:
			word = random.Uint32()
		case at >= memoryAt && random.IntN(8) == 0:
			word = random.Uint32N(64)
		}
		binary.LittleEndian.PutUint32(b[i:], word)
	}
	return b
}

// difference says where two states differ; empty where they do not.
func difference(form string, got, want []byte) string {
	for i := 0; i < stateBytes; i += 8 {
		a, b := binary.LittleEndian.Uint64(got[i:]), binary.LittleEndian.Uint64(want[i:])
		if i == flagsAt {
			for k, defined := range flagsDefined(form) {
				if defined && got[i+k] != want[i+k] {
					return fmt.Sprintf("flag %c is %d, the processor has %d", "czso"[k], got[i+k], want[i+k])
				}
			}
			continue
		}
		if a != b {
			return fmt.Sprintf("at byte %d: %#x, the processor has %#x", i, a, b)
		}
	}
	return ""
}
