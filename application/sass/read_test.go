package sass

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func readFile(t testing.TB, name string) *Kernel {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Kernels) != 1 {
		t.Fatalf("%s: %d kernels", name, len(l.Kernels))
	}
	return l.Kernels[0]
}

// What each listing holds was counted by hand.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		file, name                             string
		architecture, n, registers, shared     int
		generation                             Generation
		controlled, braced                     bool
		pairs                                  []uint64 // addresses of their first instructions
		last                                   uint64
		address                                uint64
		label, predicate, opcode, operands     string
		stall, writeBarrier, readBarrier, wait int
	}{
		{"gesummv-sm20.sass", "gesummv", 20, 28, 20, 0, Fermi, false, false, nil, 0xd8, 0xb0, "", "P0", "BRA", "0x58", 0, 0, 0, 0},
		{"dot-sm30.sass", "dot", 30, 35, -1, -1, Kepler, true, false, []uint64{0x38, 0x60, 0x88, 0xa8, 0xc8}, 0x138, 0xd8, "", "", "ISETP.NE.AND", "P0, PT, R2, c[0x0][0x144], PT", 12, -1, -1, 0},
		{"dot-sm35.sass", "dot", 35, 35, 37, 2048, Kepler, true, false, []uint64{0x38, 0x60, 0x88, 0xa8, 0xc8}, 0x138, 0x110, "", "", "EXIT", "", 0, -1, -1, 0},
		{"blocked-sm50.sass", "blocked", 50, 27, -1, -1, Maxwell, true, true, []uint64{0x68, 0x88, 0xe8}, 0x118, 0x98, "", "", "DADD", "R18, R18, R4", 2, 1, -1, 10},
		{"blocked-sm50-later.sass", "blocked", 50, 27, -1, -1, Maxwell, true, true, []uint64{0x68, 0x88, 0xe8}, 0x118, 0x90, "", "", "IADD", "R16, R16, 0x4", 4, -1, -1, 0},
		{"sum-sm80.sass", "sum", 80, 19, 18, -1, Volta, true, false, nil, 0x120, 0xf0, ".L_x_1", "", "STG.E", "[R16.64], R12", 1, -1, 0, 0},
	} {
		k := readFile(t, c.file)
		if k.Name != c.name || k.Architecture != c.architecture || len(k.Instructions) != c.n || k.Registers != c.registers || k.Shared != c.shared ||
			k.Generation() != c.generation || k.Controlled != c.controlled || k.Braced != c.braced || k.Instructions[c.n-1].Address != c.last {
			t.Errorf("%s: got %s, sm_%d, %d instructions to %#x, %d registers, %d bytes, controlled %v, braced %v", c.file, k.Name, k.Architecture, len(k.Instructions), k.Instructions[len(k.Instructions)-1].Address, k.Registers, k.Shared, k.Controlled, k.Braced)
		}
		var pairs []uint64
		for i, pair := range k.Pairs() {
			if pair && k.Instructions[i].Opcode != "NOP" { // padding has the control 0
				pairs = append(pairs, k.Instructions[i].Address)
			}
		}
		if !slices.Equal(pairs, c.pairs) {
			t.Errorf("%s: pairs at %#x, want %#x", c.file, pairs, c.pairs)
		}
		i := slices.IndexFunc(k.Instructions, func(in Instruction) bool { return in.Address == c.address })
		if i < 0 {
			t.Fatalf("%s: nothing at %#x", c.file, c.address)
		}
		in := k.Instructions[i]
		if in.Label != c.label || in.Predicate != c.predicate || in.Opcode != c.opcode || in.Operands != c.operands || in.Control.Known != c.controlled ||
			in.Control.Stall != c.stall || in.Control.WriteBarrier != c.writeBarrier || in.Control.ReadBarrier != c.readBarrier || in.Control.Wait != c.wait {
			t.Errorf("%s: got %+v", c.file, in)
		}
	}
}

// Forms of other releases, and what is between.
func TestReadForms(t *testing.T) {
	text := "PTX of something\n.target sm_35\n$L__BB0_1:\n\tcode for sm_20\n\t\tFunction : _Z1kPiS_i\n" +
		"\t/*0000*/     /*0x00005de428004404*/ \tMOV R1, c [0x1] [0x100];\n\t/*0008*/     /*0x00005de428004404*/ \t@!P1 LD.E R9, [R4];\n" +
		"Fatbin elf code:\narch = sm_90a\n\tcode for sm_90a\n\t\tFunction : _Z1kPiS_i\n" +
		"        /*0000*/     LDG.E R9, desc[UR4][R4.64] &req={0,1} &wr=0x0 ?trans1; /* 0x0000000000000000 */\n        /* 0x0000000000000000 */\n" +
		"        /*0010*/     @!UP0 EXIT ;\n" +
		"arch = sm_90a\nResource usage:\n Function _Z1kPiS_i:\n  REG:168 STACK:0 SHARED:1024 LOCAL:0\n"
	l, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	found := l.Find("_Z1kPiS_i")
	if len(found) != 2 || found[0].Architecture != 20 || found[1].Architecture != 90 || found[0].Registers != -1 || found[1].Registers != 168 {
		t.Fatalf("%+v, %+v", found[0], found[1])
	}
	if in := found[0].Instructions[1]; in.Predicate != "!P1" || in.Opcode != "LD.E" || in.Operands != "R9, [R4]" || in.Label != "" {
		t.Errorf("%+v", in)
	}
	if in := found[1].Instructions[0]; in.Operands != "R9, desc[UR4][R4.64] &req={0,1} &wr=0x0 ?trans1" || in.brace {
		t.Errorf("%+v", in)
	}
	if in := found[1].Instructions[1]; in.Predicate != "!UP0" || in.Opcode != "EXIT" || in.Control.Known {
		t.Errorf("%+v", in)
	}
	if !Detect([]byte(text)) || Detect([]byte("int main(void) { return 0; } /*0008*/")) {
		t.Error("not told by its content")
	}
}

func TestReadRefuses(t *testing.T) {
	const head = "\tcode for sm_35\n\t\tFunction : k\n"
	for text, want := range map[string]string{
		"":                                      "no code",
		"int main(void)\n":                      "no code",
		head:                                    "no code",
		"  /*0008*/ MOV R1, R2;\n":              "line 1: code at 0008 before a line with its function",
		" Function : k\n  /*0008*/ NOP;\n":      "line 2: code of k before a line with its architecture",
		head + " /*0008*/ NOP;\n /*0008*/ NOP;": "line 4: address 0008 is not above",
		head + " /*0009*/ NOP;\n":               "address 0009 is not a multiple of 8",
		head + " /*0008*/ 12;\n":                `line 3: at 0008: "12" is not an instruction`,
		head + strings.Repeat("x", longest+2):   "line 3: is longer than",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want %q", text, err, want)
		}
	}
}

// Without the words, braces tell pairs; without both nothing does.
func TestBracesAlone(t *testing.T) {
	text, err := os.ReadFile("testdata/blocked-sm50.sass")
	if err != nil {
		t.Fatal(err)
	}
	bare := encoding.ReplaceAllString(string(text), "")
	l, err := Read(strings.NewReader(bare))
	if err != nil {
		t.Fatal(err)
	}
	k := l.Kernels[0]
	w, err := k.Flow().Workload(Choice{})
	if err != nil || k.Controlled || !k.Braced || w.E != 8.0/6 {
		t.Errorf("controlled %v, braced %v, %+v, %v", k.Controlled, k.Braced, w, err)
	}
	l, err = Read(strings.NewReader(strings.NewReplacer("{", "", "}", "").Replace(bare)))
	if err != nil {
		t.Fatal(err)
	}
	if w, err := l.Kernels[0].Flow().Workload(Choice{}); err != nil || w.E != 1 || !strings.Contains(strings.Join(w.Doubts, "\n"), "neither control words nor braces") {
		t.Errorf("%+v, %v", w, err)
	}
}
