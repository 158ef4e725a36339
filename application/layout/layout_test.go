package layout_test

import (
	"debug/elf"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"foresee/application/assembly"
	"foresee/application/layout"
)

// TestLinked finds instructions in the program that is linked of them, whose lengths are known.
func TestLinked(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs gcc on x86-64")
	}
	text := "\t.text\n\t.p2align 6\n\t.globl\tmain\n\t.type\tmain, @function\nmain:\n\txorl\t%eax, %eax\n\tnop\n\taddq\t$1, %rdx\n.L2: ret\n"
	for _, more := range []string{"", "\tcall\tnowhere\n"} { // linked, and an object that cannot be
		file, err := assembly.Read("main.s", strings.NewReader(text+more))
		if err != nil {
			t.Fatal(err)
		}
		at := layout.Linked(t.Context(), []string{"gcc", "-O2"}, t.TempDir(), []byte(text+more), file)
		if at[6]%64 != 0 || at[7] != at[6]+2 || at[8] != at[6]+3 {
			t.Errorf("%q: %v", more, at)
		}
	}
	file, err := assembly.Read("main.s", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if at := layout.Linked(t.Context(), []string{"gcc", "-no-such-flag"}, t.TempDir(), []byte(text), file); at != nil {
		t.Errorf("a compiler that fails: %v", at)
	}
}

// TestAssemble makes an object, whose sections of code are found in the program that is linked of it: where the symbols in them are. A file that cannot be
// assembled is none.
func TestAssemble(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs gcc on x86-64")
	}
	dir := t.TempDir()
	text := "\t.text\n\t.globl\tmain\nmain:\n\txorl\t%eax, %eax\n\tret\n\t.section .text.unlikely,\"ax\",@progbits\n\tnop\n\t.globl cold\ncold:\n\tret\n"
	o := layout.Assemble(t.Context(), []string{"gcc"}, dir, []byte(text), dir+"/a.o")
	if o == nil || len(o.At) != 4 {
		t.Fatalf("%+v", o)
	}
	if out, err := exec.CommandContext(t.Context(), "gcc", "-o", dir+"/a", o.Path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bases := layout.Bases(dir + "/a")[o.Name]
	f, err := elf.Open(dir + "/a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		line := map[string]int{"main": 4, "cold": 10}[s.Name]
		if at := o.At[line]; line > 0 && (at.Section >= len(bases) || bases[at.Section]+at.Offset != s.Value) {
			t.Errorf("%s: %v of %#x, not %#x", s.Name, at, bases, s.Value)
		}
	}
	if o := layout.Assemble(t.Context(), []string{"gcc"}, dir, []byte("\t.text\nmain:\n\tno such\n"), dir+"/b.o"); o != nil {
		t.Errorf("%+v of what is no code", o)
	}
}
