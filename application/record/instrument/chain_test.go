package instrument

import (
	"fmt"
	"strings"
	"testing"
)

// Sums of products of rows: what the loop around them does with a sum decides whether the next row's can begin before it is done.
const rows = `target triple = "%s"

define double @f(ptr %%a, i64 %%n) #0 {
entry:
  br label %%outer

outer:
  %%i = phi i64 [ 0, %%entry ], [ %%i1, %%latch ]
  %%acc = phi double [ 0.0, %%entry ], [ %%acc1, %%latch ]
  br label %%inner

inner:
  %%j = phi i64 [ 0, %%outer ], [ %%j1, %%inner ]
  %%s = phi double [ %s, %%outer ], [ %%s1, %%inner ]
  %%p = getelementptr double, ptr %%a, i64 %%j
  %%x = load double, ptr %%p, align 8
  %%s1 = call double @llvm.fmuladd.f64(%s)
  %%j1 = add nuw nsw i64 %%j, 1
  %%e = icmp eq i64 %%j1, %%n
  br i1 %%e, label %%latch, label %%inner

latch:
  %%last = phi double [ %%s1, %%inner ]
  %%acc1 = call double @llvm.fmuladd.f64(double %%last, double 5.000000e-01, double %%x)
  %%i1 = add nuw nsw i64 %%i, 1
  %%e2 = icmp eq i64 %%i1, %%n
  br i1 %%e2, label %%out, label %%outer

out:
  ret double %%acc1
}

declare double @llvm.fmuladd.f64(double, double, double)

attributes #0 = { "target-features"="%s" }
attributes #1 = { "target-features"="+avx2,+fma" }
`

func TestChains(t *testing.T) {
	const x86 = "x86_64-pc-linux-gnu"
	const addend, factor = "double %x, double %x, double %s", "double %s, double %x, double 1.0"
	for _, c := range []struct {
		name, target, start, sum, features, chain string
		anew                                      bool
	}{
		{"a sum for each row", x86, "0.0", addend, "+sse2", "fadd.f64.1=1", true},
		{"multiplied", x86, "0.0", factor, "+sse2", "fadd.f64.1=1,fmul.f64.1=1", true},
		{"one sum", x86, "%acc", addend, "+sse2", "fadd.f64.1=1", false},
		{"fused", x86, "0.0", addend, "+avx2,+fma", "fma.f64.1=1", true},
		{"another feature", x86, "0.0", addend, "+fma4", "fadd.f64.1=1", true},
		{"always fused", "aarch64-unknown-linux-gnu", "0.0", addend, "+neon", "fma.f64.1=1", true},
	} {
		_, m, err := Instrument(fmt.Sprintf(rows, c.target, c.start, c.sum, c.features), Options{Opaque: true, Name: "x.o"})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for i, s := range m.Segments {
			if len(s.Chain) == 0 {
				continue
			}
			found = true
			if s.Chain.String() != c.chain || (len(s.Before) > 0) != c.anew {
				t.Errorf("%s: chain %s, begins after %v", c.name, s.Chain, s.Before)
			}
			if c.anew && (len(s.Before) != 1 || s.Before[0] != m.Segments[i-1].Block) {
				t.Errorf("%s: begins after %v, not %d", c.name, s.Before, m.Segments[i-1].Block)
			}
		}
		if !found {
			t.Errorf("%s: no chain", c.name)
		}
		again, err := ParseModule(m.Text())
		if err != nil || again.Text() != m.Text() {
			t.Errorf("%s: read and written again: %v", c.name, err)
		}
		var older []string
		for line := range strings.Lines(m.Text()) {
			if fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); fields[0] == "S" {
				line = strings.Join(fields[:10], "\t") + "\n" // without the blocks before
			}
			older = append(older, line)
		}
		if _, err := ParseModule(strings.Join(older, "")); err != nil {
			t.Errorf("%s: of an earlier version: %v", c.name, err)
		}
	}
}
