package assembly_test

import (
	"fmt"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"foresee/application/assembly"
)

// code is a file whose parts the tests look at.
const code = `	.file	"k.c"
	.text
	.globl	f
	.type	f, @function
f:
.LFB0:
	.file 1 "dir" "k.c"
	.loc 1 7 3 is_stmt 0
	.cfi_startproc
	movslq	%edi, %rdi
	leaq	a(,%rdi,8), %rax	# where it begins
	vmovupd	8(%rax), %zmm1{%k2}{z}
	.loc 1 8 5
.L3:	addl $1, %ecx; cmpq	%rdx, %rax
	jne	.L3
	jmp	*.L5(,%rcx,8)
	ret
	.size	f, .-f
	.section	.rodata
	.align 8
.L5:
	.quad	.L3
	.quad	.L3-8
.LC1:
	.zero	4,63
	.string	"a\tb\012"
	.set	.LC2,.LC1+2
	.comm	a,8000,32
	.ident	"GCC"
	.section	.debug_info,"",@progbits
	.uleb128 0x1
`

func TestRead(t *testing.T) {
	f, err := assembly.Read("k.s", strings.NewReader(code))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Functions) != 1 || len(f.Functions[0].Blocks) != 4 {
		t.Fatalf("%d functions, or blocks: %v", len(f.Functions), f.Functions)
	}
	first := f.Functions[0].Blocks[0].Instructions
	for i, want := range []string{
		"movsx 8 rdi/8 rdi/4", "lea 8 rax/8 [none+rdi*8+0 a]/8", "movupd 0 v1/64{k2 true} [rax+none*1+8 ]/64",
	} {
		if got := described(first[i]); got != want {
			t.Errorf("%s: %s, want %s", first[i].Text, got, want)
		}
	}
	if !first[2].Vex || first[0].Source.Line != 7 || first[0].Source.File != "dir/k.c" {
		t.Errorf("%+v", first)
	}
	second := f.Functions[0].Blocks[1]
	if !reflect.DeepEqual(second.Labels, []string{".L3"}) || second.Instructions[0].Source.Line != 8 || second.Instructions[2].Condition != "ne" {
		t.Errorf("%+v", second)
	}
	data := f.Symbols[".LC1"].Section
	if got := string(data.Bytes[f.Symbols[".LC1"].Offset:]); got != "????a\tb\n\x00" {
		t.Errorf("%q", got)
	}
	if p := data.Pointers; len(p) != 2 || p[1].Symbol != ".L3" || p[1].Plus != -8 || p[1].At != 8 {
		t.Errorf("%+v", p)
	}
	if s := f.Symbols["a"]; s.Size != 8000 || s.Section.Align != 32 || f.Aliases[".LC2"] != (assembly.Alias{Of: ".LC1", Plus: 2}) {
		t.Errorf("%+v %+v", s, f.Aliases)
	}
}

// described writes an instruction with what was understood of it.
func described(x *assembly.Instruction) string {
	s := fmt.Sprintf("%s %d", x.Mnemonic, x.Bytes)
	for _, o := range x.Operands {
		switch o.Kind {
		case assembly.InRegister:
			s += fmt.Sprintf(" %v/%d", o.Register, o.Bytes)
		case assembly.InMemory:
			s += fmt.Sprintf(" [%v+%v*%d+%d %s]/%d", o.Base, o.Index, o.Scale, o.Value, o.Symbol, o.Bytes)
		default:
			s += fmt.Sprintf(" %s%d", o.Symbol, o.Value)
		}
		if o.Mask != assembly.NoRegister {
			s += fmt.Sprintf("{%v %v}", o.Mask, o.Zeroing)
		}
	}
	return s
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"f:\n\tmovl %eax, 3(%rdx,%zz)\n":  "k.s:2: movl %eax, 3(%rdx,%zz): an operand that is not understood",
		"f:\n\tfldt 16(%rsp)\n":           "k.s:2: fldt 16(%rsp): x87 (long double) is not read",
		"\t.data\nx:\n\t.zero -4\n":       "k.s:3: a space of a size that is not known",
		"\t.data\nx:\n\t.double abc\n":    "k.s:3: abc is no number",
		"\t.comm x\n":                     "k.s:1: data without a size",
		"f:\n\tvaddpd {%k9}, %zmm1\n":     "k.s:2: vaddpd {%k9}, %zmm1: an operand that is not understood",
		"\t.data\n\t.string \"a\n":        "k.s:2: a text that is not understood",
		"\t.data\nx:\n\t.quad a b\n":      "k.s:3: a b is not understood",
		"\t.section\nf:\n":                "k.s:1: a section without a name",
		"\t.data\nx:\n\t.octa 1\n":        "k.s:3: the directive .octa is not read; compilers do not write it",
		"f:\n\taddl $1, %eax\n\tmov $(, ": "k.s:3: mov $(,: an operand that is not understood",
	} {
		if _, err := assembly.Read("k.s", strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestBothSyntaxes reads what gcc writes in AT&T's and in Intel's syntax for the same source: the instructions must be equal.
func TestBothSyntaxes(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc")
	}
	for _, kernel := range []string{"gemm", "nussinov", "harris", "particles-aos", "floyd-warshall", "black-scholes"} {
		for _, options := range [][]string{{"-O2"}, {"-O3", "-march=x86-64-v4"}} {
			var files [2]*assembly.File
			for i, syntax := range []string{"att", "intel"} {
				cmd := exec.Command(gcc, append(options, "-masm="+syntax, "-w", "-fopenmp", "-DMINI", "-S", "-o", "-", "../../examples/kernels/"+kernel+".c")...)
				out, err := cmd.Output()
				if err != nil {
					t.Fatal(err)
				}
				if files[i], err = assembly.Read(kernel, strings.NewReader(string(out))); err != nil {
					t.Fatal(err)
				}
			}
			a, b := all(files[0]), all(files[1])
			if len(a) != len(b) || len(a) == 0 {
				t.Fatalf("%s: %d and %d instructions", kernel, len(a), len(b))
			}
			for i := range a {
				if p, q := described(a[i]), described(b[i]); p != q || a[i].Form() != b[i].Form() || !reflect.DeepEqual(a[i].Effects(), b[i].Effects()) {
					t.Errorf("%s: %s is %s, %s is %s", kernel, a[i].Text, p, b[i].Text, q)
					break
				}
			}
		}
	}
}

// all are the instructions of a file.
func all(f *assembly.File) (out []*assembly.Instruction) {
	for _, fn := range f.Functions {
		for _, b := range fn.Blocks {
			out = append(out, b.Instructions...)
		}
	}
	return out
}

func TestEffects(t *testing.T) {
	for text, want := range map[string]string{
		"addsd 8(%rdi,%rax,8), %xmm0":      "[v0] [rdi rax] [v0] 8 0",
		"vaddsd %xmm1, %xmm2, %xmm3":       "[v2 v1] [] [v3] 0 0",
		"vfmadd231pd (%rcx), %zmm1, %zmm2": "[v2 v1] [rcx] [v2] 64 0",
		"movq %rax, (%rdx)":                "[rax] [rdx] [] 0 8",
		"addl $1, (%rdx)":                  "[] [rdx] [flags] 4 4",
		"cmpl %eax, %ebx":                  "[rbx rax] [] [flags] 0 0",
		"xorl %eax, %eax":                  "[] [] [rax flags] 0 0",
		"leaq 8(%rax,%rbx), %rcx":          "[rax rbx] [] [rcx] 0 0",
		"jne .L1":                          "[flags] [] [] 0 0",
		"cmovl %eax, %ebx":                 "[rbx rax flags] [] [rbx] 0 0",
		"pushq %rbx":                       "[rbx] [rsp] [rsp] 0 8",
		"idivl %ecx":                       "[rax rdx rcx] [] [rax rdx] 0 0",
		"cvtsi2sdl %eax, %xmm1":            "[v1 rax] [] [v1] 0 0",
		"movsd %xmm1, %xmm2":               "[v2 v1] [] [v2] 0 0",
		"movsd (%rax), %xmm2":              "[] [rax] [v2] 8 0",
		"vmovupd %ymm1, (%rax){%k1}":       "[k1 v1] [rax] [] 0 32",
		"vcvtdq2pd (%rax), %zmm0":          "[] [rax] [v0] 32 0",
	} {
		f, err := assembly.Read("k.s", strings.NewReader("f:\n\t"+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		e := all(f)[0].Effects()
		if got := fmt.Sprint(plain(e.Reads), plain(e.Address), plain(e.Writes), e.Load, e.Store); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func plain(all []assembly.Register) []string {
	out := []string{}
	for _, r := range all {
		out = append(out, r.String())
	}
	return out
}

func FuzzRead(f *testing.F) {
	f.Add(code)
	f.Add(".intel_syntax noprefix\nf:\n\tvmovupd zmm1{k2}{z}, ZMMWORD PTR A[rax+rbx*8-8]\n\tjmp QWORD PTR .L4[0+rax*8]\n\tmov rax, fs:40\n\tmov edi, OFFSET FLAT:.LC0\n")
	f.Add("\t.section x,\"awT\"\na:\t.fill 3,2,7\n\t.p2align 4\n\t.quad a-b+1,\"x y\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := assembly.Read("k.s", strings.NewReader(text))
		if err != nil {
			return
		}
		for _, x := range all(file) {
			x.Effects()
			x.Form()
		}
		for _, s := range file.Sections {
			if int64(len(s.Bytes)) > s.Size {
				t.Errorf("%d bytes in a section of %d", len(s.Bytes), s.Size)
			}
		}
	})
}
