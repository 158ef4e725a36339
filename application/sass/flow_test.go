package sass

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// graph makes a kernel whose blocks are single branches: to nowhere, always, or perhaps to a random place.
func graph(r *rand.Rand, n int) *Kernel {
	k := &Kernel{Name: "random", Architecture: 80}
	for i := range n {
		in := Instruction{Address: uint64(16 * i), Opcode: "BRA", Operands: fmt.Sprintf("0x%x", 16*r.IntN(n)), Predicate: "P0"}
		switch r.IntN(8) {
		case 0:
			in = Instruction{Address: in.Address, Opcode: "EXIT"}
		case 1:
			in.Predicate = ""
		}
		k.Instructions = append(k.Instructions, in)
	}
	return k
}

// reached is the blocks that are reached from one without another.
func reached(f *Flow, from, without int) map[int]bool {
	seen := map[int]bool{}
	var visit func(int)
	visit = func(b int) {
		if b != without && !seen[b] {
			seen[b] = true
			for _, to := range f.Blocks[b].Successors {
				visit(to)
			}
		}
	}
	visit(from)
	return seen
}

// Dominators and loops of random graphs against their definitions.
func TestLoopsByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	loops := 0
	for range 800 {
		f := graph(r, 2+r.IntN(9)).Flow()
		all := reached(f, 0, -1)
		dominated := func(a, b int) bool { return a == b || !reached(f, 0, a)[b] }
		want := map[int][]int{}
		for b := range f.Blocks {
			if f.Blocks[b].Reached != all[b] {
				t.Fatalf("block %d reached: %v", b, f.Blocks[b].Reached)
			}
			for _, header := range f.Blocks[b].Successors {
				if !all[b] || !dominated(header, b) {
					continue
				}
				for c := range f.Blocks {
					if all[c] && (c == header || reached(f, c, header)[b]) {
						want[header] = append(want[header], c)
					}
				}
			}
		}
		if len(want) != len(f.Loops) {
			t.Fatalf("%d loops, want %v", len(f.Loops), want)
		}
		for i, l := range f.Loops {
			blocks := f.BlocksOf(i)
			body := slices.Sorted(slices.Values(want[l.Header]))
			if body = slices.Compact(body); !slices.Equal(body, blocks) || l.Size != len(body) {
				t.Fatalf("loop at %d has %v, want %v", l.Header, blocks, body)
			}
			depth, innermost := 1, true
			for other, blocks := range want {
				if other != l.Header && slices.Contains(blocks, l.Header) {
					depth++
				}
				innermost = innermost && (other == l.Header || !slices.Contains(body, other))
			}
			if l.Depth != depth || l.Innermost != innermost || (l.Parent < 0) != (depth == 1) || l.Parent >= 0 && f.Loops[l.Parent].Depth != depth-1 {
				t.Fatalf("loop at %d: %+v, want depth %d, innermost %v", l.Header, l, depth, innermost)
			}
			for b := range f.Blocks {
				if around := f.Blocks[b].Loop; slices.Contains(blocks, b) && f.Loops[around].Depth < depth {
					t.Fatalf("block %d of the loop at %d is said to be in that at %d", b, l.Header, f.Loops[around].Header)
				}
			}
			loops++
		}
	}
	if loops < 200 {
		t.Errorf("only %d loops", loops)
	}
}

// Very deep nests, very many branches to one header, and very many pairs of what sets a target and what goes there take about a second.
func TestLarge(t *testing.T) {
	const n = 100_000
	nest, round, pairs := &Kernel{Name: "nest", Architecture: 80}, &Kernel{Name: "round", Architecture: 80}, &Kernel{Name: "pairs", Architecture: 50}
	add := func(k *Kernel, opcode, operands, predicate string) {
		k.Instructions = append(k.Instructions, Instruction{Address: uint64(8 * len(k.Instructions)), Opcode: opcode, Operands: operands, Predicate: predicate})
	}
	for range n {
		add(nest, "FADD", "", "")
	}
	for i := range n {
		add(nest, "BRA", fmt.Sprintf("0x%x", 8*(n-1-i)), "P0")
		add(round, "BRA", "0x0", "P0")
	}
	for i := range n {
		add(pairs, "SSY", fmt.Sprintf("0x%x", 8*(2*n-i)), "")
	}
	for range n {
		add(pairs, "SYNC", "", "")
	}
	add(pairs, "EXIT", "", "")
	begin := time.Now()
	f := nest.Flow()
	if deepest := &f.Loops[n-1]; len(f.Loops) != n || deepest.Depth != n || deepest.Size != 1 || f.Loops[0].Size != 2*n-1 {
		t.Errorf("%d loops, the innermost %+v, the outermost %+v", len(f.Loops), deepest, f.Loops[0])
	}
	if f = round.Flow(); len(f.Loops) != 1 || f.Loops[0].Size != n || f.Loops[0].Conditional != n-1 {
		t.Errorf("%+v", f.Loops)
	}
	// The n-th SYNC goes to the nearest target behind it, which is the next instruction.
	if f = pairs.Flow(); !slices.Equal(f.Blocks[len(f.Blocks)-2].Successors, []int{len(f.Blocks) - 1}) {
		t.Errorf("%+v", f.Blocks[len(f.Blocks)-2])
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("they take %v", took)
	}
}

// The blocks of the listings, found by hand.
func TestBlocks(t *testing.T) {
	for file, want := range map[string]struct {
		blocks, loops string
	}{
		"gesummv-sm20.sass": {"0x0 0x30 0x58 0xb8 (0xd8)", "0x58: 1 of depth 1, 0 conditional, innermost"},
		"dot-sm35.sass":     {"0x8 0x38 0x60 0xa8 0xb8 0xe8 (0xf0) 0xf8 (0x118) (0x120)", "0x60: 3 of depth 1, 1 conditional, innermost"},
		"blocked-sm50.sass": {"0x8 0x48 0x68 0xb8 0xe8 (0xf8) (0x108)", "0x48: 3 of depth 1, 0 conditional; 0x68: 1 of depth 2, 0 conditional, innermost"},
		"sum-sm80.sass":     {"0x0 0x50 .L_x_0 0xe0 .L_x_1 (.L_x_2) (0x120)", ".L_x_0: 1 of depth 1, 0 conditional, innermost"},
	} {
		f := readFile(t, file).Flow()
		var blocks, loops []string
		for _, b := range f.Blocks {
			label := b.Label
			if !b.Reached {
				label = "(" + label + ")"
			}
			blocks = append(blocks, label)
		}
		for _, l := range f.Loops {
			text := fmt.Sprintf("%s: %d of depth %d, %d conditional", l.Label, l.Size, l.Depth, l.Conditional)
			if l.Innermost {
				text += ", innermost"
			}
			loops = append(loops, text)
		}
		if got := strings.Join(blocks, " "); got != want.blocks {
			t.Errorf("%s: blocks %s, want %s", file, got, want.blocks)
		}
		if got := strings.Join(loops, "; "); got != want.loops || len(f.Warnings) > 0 {
			t.Errorf("%s: loops %s, want %s; %v", file, got, want.loops, f.Warnings)
		}
	}
}

// Branches through the stack of divergence, calls, and what the text does not tell.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		sm            int
		code          string
		reached, warn string
	}{
		{50, "SSY 0x28;|@P0 BRA 0x20;|SYNC;|NOP;|SYNC;|EXIT;", "0 8 10 20 28", ""},
		{50, "PBK 0x30;|SSY 0x28;|@P0 BRK;|NOP;|SYNC;|BRA 0x10;|EXIT;", "0 8 10 18 20 28 30", ""},
		{30, "SSY 0x18;|MOV.S R0, R1;|FADD R0, R0, R0;|EXIT;", "0 8 18", "1 instructions of arithmetic"},
		{20, "IADD.S R0, R1, R2;|EXIT;", "0 8", "the targets of 1 branches"},
		{50, "@P0 CAL 0x18;|EXIT;|NOP;|FADD R0, R0, R0;|RET;", "0 8 18 20", ""},
		{50, "BRX R0 -0x8;|LDG.E R0, [R2];|EXIT;", "0", "the targets of 1 branches"},
		{50, "@!PT BRA 0x10;|EXIT;|NOP;", "0 8", ""},
		{80, "@PT BRA 0x10;|NOP;|EXIT;", "0 10", ""},
		{80, "BRA.DIV ~URZ, 0x10;|EXIT;|EXIT;", "0 8 10", ""},
		{80, "BSSY B0, 0x20;|BSSY B1, 0x10;|BSYNC B0;|NOP;|EXIT;", "0 8 10 20", ""},
		{80, "BRA `(.L_9);|EXIT;", "0", "the targets of 1 branches"},
	} {
		k := &Kernel{Name: "k", Architecture: c.sm}
		for i, text := range strings.Split(c.code, "|") {
			in := Instruction{Address: uint64(8 * i)}
			if err := in.parse(text); err != nil {
				t.Fatal(err)
			}
			k.Instructions = append(k.Instructions, in)
		}
		f := k.Flow()
		var got []string
		for _, b := range f.Blocks {
			for i := b.First; b.Reached && i <= b.Last; i++ {
				got = append(got, fmt.Sprintf("%x", k.Instructions[i].Address))
			}
		}
		if strings.Join(got, " ") != c.reached || !strings.Contains(strings.Join(f.Warnings, "; "), c.warn) || (c.warn == "") != (len(f.Warnings) == 0) {
			t.Errorf("%s: reached %v, warnings %q", c.code, got, f.Warnings)
		}
	}
}
