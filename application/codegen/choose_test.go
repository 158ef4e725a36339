package codegen

import (
	"slices"
	"strings"
	"testing"

	"foresee/application/assembly"
	"foresee/application/csource"
	"foresee/application/nest"
)

// TestChoices has loops that keep one of two numbers, written in all ways: as in gcc's code an instruction takes the larger or the lesser one, a mask puts them
// together, or a jump decides.
func TestChoices(t *testing.T) {
	needsGCC(t)
	for name, body := range map[string]string{
		"lesser":                    "if (a[i] < x) x = a[i];",
		"larger":                    "if (x < a[i]) x = a[i];",
		"larger, as an expression":  "x = a[i] > x ? a[i] : x;",
		"larger of computed ones":   "double y = a[i] * b[i]; if (y > x) x = y;",
		"larger amount":             "double y = fabs(a[i] - b[i]); if (x < y) x = y;",
		"lesser or equal":           "if (a[i] <= x) x = a[i];",
		"larger and where":          "if (a[i] > x) { x = a[i]; k = i; }",
		"a number in a register":    "if (a[i] > 2) x = z;",
		"a number in memory":        "if (a[i] > 2) x = b[i];",
		"a number that is computed": "if (a[i] > 2) x = x * z;",
	} {
		source := "#include <math.h>\ndouble kernel(const double *a, const double *b, int n, double z) { double x = a[0]; int k = 0; for (int i = 1; i < n; i++) { " + body + " } return x + k; }"
		u, err := csource.Load("loop.c", []byte(source), csource.Options{Regions: []string{"kernel"}, Defines: []string{"n=1001"}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := Make(u.Programs[0], Plain)
		if err != nil {
			t.Fatal(err)
		}
		_, file := byGCC(t, source, "-O2")
		branches := 0
		nest.Walk(u.Programs[0].Body, func(n nest.Node) {
			if s, ok := n.(*nest.Stmt); ok {
				branches += s.Branches
			}
		})
		extrema, masks, _ := decisions(ownRound(c))
		wantExtrema, wantMasks, wantJumps := decisions(loopOf(t, file))
		if extrema != wantExtrema || masks != wantMasks || branches != wantJumps {
			t.Errorf("%s: %d extrema, %d masks and %d branches on data, of gcc %d, %d and %d\n%s", name, extrema, masks, branches, wantExtrema, wantMasks, wantJumps, c.Text())
		}
	}
}

// loopOf is the body of the only loop of gcc's code, with all ways through it.
func loopOf(t *testing.T, file *assembly.File) (all []*assembly.Instruction) {
	t.Helper()
	for _, f := range file.Functions {
		for i, b := range f.Blocks {
			last := b.Instructions[len(b.Instructions)-1]
			for j, head := range f.Blocks[:i+1] {
				if last.Mnemonic != "j" || last.Condition == "" || !slices.Contains(head.Labels, last.Operands[0].Symbol) {
					continue
				}
				for _, x := range f.Blocks[j : i+1] {
					all = append(all, x.Instructions...)
				}
				return all
			}
		}
	}
	t.Fatal("no loop")
	return nil
}

// decisions counts, in an iteration of a loop, instructions that take the larger or the lesser number, comparisons that make masks, and jumps besides the last.
func decisions(all []*assembly.Instruction) (extrema, masks, jumps int) {
	for i, x := range all {
		name := strings.TrimPrefix(x.Mnemonic, "v")
		switch {
		case strings.HasPrefix(name, "max"), strings.HasPrefix(name, "min"):
			extrema++
		case strings.HasPrefix(name, "cmp") && (strings.HasSuffix(name, "sd") || strings.HasSuffix(name, "ss")):
			masks++
		case x.Mnemonic == "j" && i < len(all)-1:
			jumps++
		}
	}
	return extrema, masks, jumps
}
