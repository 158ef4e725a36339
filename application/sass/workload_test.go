package sass

import (
	"math"
	"strings"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12*math.Max(1, math.Abs(b)) }

// Z and E of the listings, counted by hand.
func TestWorkload(t *testing.T) {
	for _, c := range []struct {
		file   string
		choice Choice
		of     string
		z, e   float64
		bytes  float64
		warn   string // parts of warnings, between bars
	}{
		{"gesummv-sm20.sass", Choice{}, "the loop at 0x58", 12.0 / 3, 1, 4, "no issue control"},
		{"gesummv-sm20.sass", Choice{Operations: Arithmetic}, "the loop at 0x58", 8.0 / 3, 1, 4, "no issue control"},
		{"gesummv-sm20.sass", Choice{Operations: Floating}, "the loop at 0x58", 2.0 / 3, 1, 4, "no issue control"},
		{"gesummv-sm20.sass", Choice{Blocks: "0xb8"}, "the block at 0xb8", 4, 1, 4, "no issue control"},
		{"gesummv-sm20.sass", Choice{Blocks: WholeCode}, "the whole code", 27.0 / 4, 1, 4, "trips of loops are not known and taken as 1: 0x58|no issue control"},
		{"gesummv-sm20.sass", Choice{Trips: map[string]float64{"0x58": 100}}, "the whole code", (11 + 1200 + 4) / 301.0, 1, 4, "no issue control"},
		{"dot-sm30.sass", Choice{Blocks: InnerLoop}, "the loop at 0x60", 15.0 / 2, 15.0 / 11, 4, "1 blocks of the loop at 0x60 are passed by"},
		{"dot-sm35.sass", Choice{}, "the loop at 0x60", 15.0 / 2, 15.0 / 11, 4, "1 blocks of the loop at 0x60 are passed by"},
		{"blocked-sm50.sass", Choice{}, "the loop at 0x68", 8, 8.0 / 6, 4, ""},
		{"blocked-sm50-later.sass", Choice{}, "the loop at 0x68", 8, 8.0 / 6, 4, ""},
		{"blocked-sm50.sass", Choice{Blocks: "0x48"}, "the loop at 0x48", 15.0 / 2, 15.0 / 13, 6, "taken as 1: 0x68"},
		{"blocked-sm50.sass", Choice{Operations: Floating}, "the loop at 0x68", 2, 8.0 / 6, 4, ""},
		{"sum-sm80.sass", Choice{}, "the loop at .L_x_0", 8.0 / 3, 1, 8, ""},
	} {
		w, err := readFile(t, c.file).Flow().Workload(c.choice)
		if err != nil {
			t.Fatalf("%s, %+v: %v", c.file, c.choice, err)
		}
		if w.Of != c.of || !near(w.Z, c.z) || !near(w.E, c.e) || !near(w.Bytes, c.bytes) {
			t.Errorf("%s, %+v: got %s, Z %g, E %g, %g bytes", c.file, c.choice, w.Of, w.Z, w.E, w.Bytes)
		}
		w.Warnings = append(w.Warnings, w.Doubts...)
		parts := strings.Split(c.warn, "|")
		for i, part := range parts {
			if c.warn == "" && len(w.Warnings) == 0 {
				break
			}
			if len(w.Warnings) != len(parts) || !strings.Contains(w.Warnings[i], part) {
				t.Errorf("%s, %+v: warnings %q, want %q", c.file, c.choice, w.Warnings, parts)
				break
			}
		}
	}
}

// run walks through blocked-sm50.sass as a warp would, with rounds of its two loops, and counts what is issued.
func run(k *Kernel, outer, inner int) (instructions, issues, requests float64) {
	pairs := k.Pairs()
	left := map[uint64]int{0xb0: inner, 0xd8: outer}
	at := map[uint64]int{}
	for i := range k.Instructions {
		at[k.Instructions[i].Address] = i
	}
	for i := 0; ; i++ {
		in := &k.Instructions[i]
		instructions++
		if i == 0 || !pairs[i-1] {
			issues++
		}
		if name := in.Opcode; strings.HasPrefix(name, "LDG") || strings.HasPrefix(name, "STG") {
			requests++
		}
		switch left[in.Address]--; {
		case in.Opcode == "EXIT":
			return instructions, issues, requests
		case in.Address == 0xb0 && left[0xb0] > 0:
			i = at[0x68] - 1
		case in.Address == 0xb0:
			left[0xb0] = inner
		case in.Address == 0xd8 && left[0xd8] > 0:
			i = at[0x48] - 1
		}
	}
}

// Weights by trips against a walk through the code.
func TestTripsByWalking(t *testing.T) {
	k := readFile(t, "blocked-sm50.sass")
	f := k.Flow()
	for _, trips := range [][2]int{{1, 1}, {1, 9}, {7, 1}, {5, 64}} {
		w, err := f.Workload(Choice{Trips: map[string]float64{"0x48": float64(trips[0]), "0x68": float64(trips[1])}})
		if err != nil {
			t.Fatal(err)
		}
		instructions, issues, requests := run(k, trips[0], trips[1])
		if !near(w.Counts.All(), instructions) || !near(w.Issues, issues) || !near(w.Counts.OffChip(), requests) || !near(w.Z, instructions/requests) || !near(w.E, instructions/issues) || len(w.Warnings)+len(w.Doubts) > 0 {
			t.Errorf("%v: got %g instructions, %g issues, %g requests; walked %g, %g, %g; %v", trips, w.Counts.All(), w.Issues, w.Counts.OffChip(), instructions, issues, requests, w.Warnings)
		}
	}
}

func TestWorkloadRefuses(t *testing.T) {
	for _, c := range []struct {
		file, want string
		choice     Choice
	}{
		{"gesummv-sm20.sass", "no block at .L_1; there are 0x0, 0x30, 0x58, 0xb8", Choice{Blocks: ".L_1"}},
		{"gesummv-sm20.sass", "the block at 0x0 asks nothing of off-chip memory", Choice{Blocks: "0x0"}},
		{"gesummv-sm20.sass", "has no loop at 0x30; there are 0x58", Choice{Trips: map[string]float64{"0x30": 2}}},
		{"gesummv-sm20.sass", "trips of 0x58 are -1", Choice{Trips: map[string]float64{"0x58": -1}}},
		{"gesummv-sm20.sass", `operations "flops" are not known`, Choice{Operations: "flops"}},
	} {
		if _, err := readFile(t, c.file).Flow().Workload(c.choice); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.choice, err, c.want)
		}
	}
	text := "code for sm_50\n Function : k\n/*0008*/ EXIT;\n"
	l, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Kernels[0].Flow().Workload(Choice{Blocks: InnerLoop}); err == nil || !strings.Contains(err.Error(), "k has no loop") {
		t.Error(err)
	}
	if _, err := l.Kernels[0].Flow().Workload(Choice{}); err == nil || !strings.Contains(err.Error(), "the whole code asks nothing") {
		t.Error(err)
	}
}

// Of several innermost loops one with requests is taken, and said.
func TestSeveralLoops(t *testing.T) {
	text := "code for sm_80\n Function : k\n/*0000*/ FADD R0, R0, R0;\n/*0010*/ @P0 BRA 0x0;\n/*0020*/ LDG.E R0, [R2];\n/*0030*/ @P0 BRA 0x20;\n/*0040*/ LDG.E R0, [R2];\n/*0050*/ STG.E R0, [R2];\n/*0060*/ @P0 BRA 0x40;\n/*0070*/ EXIT;\n"
	l, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	w, err := l.Kernels[0].Flow().Workload(Choice{})
	if err != nil || w.Of != "the loop at 0x40" || w.Z != 1.5 || len(w.Warnings) != 1 || !strings.Contains(w.Warnings[0], "(0x0, 0x20)") {
		t.Errorf("%+v, %v", w, err)
	}
}

func TestKinds(t *testing.T) {
	seen := map[string]Kind{}
	for kind, names := range opcodes {
		for _, name := range strings.Fields(names) {
			if other, ok := seen[name]; ok {
				t.Errorf("%s is %s and %s", name, kind, other)
			}
			seen[name] = kind
		}
	}
	for opcode, want := range map[string]Kind{
		"FFMA.FTZ": Single, "DFMA": Double, "HMMA.16816.F32": Half, "IMAD.WIDE": Integer, "LD.E.64": Global, "LDL": Local, "TEX.SCR.LL": Texture,
		"LDS.U.128": Shared, "LDC": Constant, "MOV32I": Other, "S2R": Other, "BAR.SYNC": Branch, "ATOMS.ADD": Shared, "RED.E.ADD": Global,
	} {
		in := Instruction{Opcode: opcode}
		if in.Kind() != want {
			t.Errorf("%s is %s, want %s", opcode, in.Kind(), want)
		}
	}
	for opcode, want := range map[string]int{"LD.E": 4, "LDG.E.U8": 1, "ST.E.64": 8, "LDG.E.128.SYS": 16, "STG.E.U16": 2} {
		in := Instruction{Opcode: opcode}
		if in.Bytes() != want {
			t.Errorf("%s moves %d bytes, want %d", opcode, in.Bytes(), want)
		}
	}
	if all := Kinds(); len(all) != 11 || all[0].String() != "single" || all[10].String() != "other" {
		t.Error(all)
	}
}
