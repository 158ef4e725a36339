package readers

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foresee/accuracy"
	"foresee/application/ir"
	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/examples"
)

func needs(t *testing.T, compiler string) {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skip(compiler, "is not here")
	}
}

// TestAgainstRuns compares every access of the programs in C++, Fortran and Rust with a run of the same code.
func TestAgainstRuns(t *testing.T) {
	dir := t.TempDir()
	if err := examples.ExtractReal(dir); err != nil {
		t.Fatal(err)
	}
	for _, how := range compilations {
		for _, command := range how.commands {
			t.Run(command[0], func(t *testing.T) {
				needs(t, command[0])
				needs(t, "clang")
				how.commands = [][]string{command}
				for _, name := range examples.Real() {
					if filepath.Ext(name) != how.ending || strings.HasPrefix(name, "openmp") { // whose libraries may not be here
						continue
					}
					s, err := how.look(t.Context(), filepath.Join(dir, name), how.flags[len(how.flags)-1])
					if errors.As(err, new(*ir.UnreadError)) {
						t.Skip("no clang that is here reads the IR of ", command[0])
					}
					if err != nil {
						t.Errorf("%s: %v", name, err)
						continue
					}
					for i, p := range s.programs {
						if a := compare(p, s.made[i]); a.told == 0 || a.told != a.made || a.equal != a.made {
							t.Errorf("%s: %s: %d accesses told, %d made, %d equal", name, p.Region, a.told, a.made, a.equal)
						}
					}
				}
			})
		}
	}
}

// TestKernel compares kernels in C by their IR with what is read of their source: where both have the same accesses, the curves are the same.
func TestKernel(t *testing.T) {
	needs(t, "clang++")
	section, err := Readers(t.Context(), accuracy.Options{Kernels: []string{"stream-triad", "gemm"}, Size: "MINI", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range section.Tables[0].Rows {
		if row[1] != row[2] || row[2] != row[3] || row[0] == "stream-triad" && (row[1] != row[4] || row[5] != "0.0000") {
			t.Errorf("%v", row)
		}
	}
	if len(section.Tables[0].Rows) != 2 {
		t.Errorf("%+v", section)
	}
}

// TestCompare: an access at another place, of another size or direction, or that is missing is seen.
func TestCompare(t *testing.T) {
	o := &nest.Object{Name: "a", Elem: 8}
	p := &nest.Program{Vars: []string{"i"}, Body: []nest.Node{&nest.Loop{Lo: expr.Int(0), Hi: expr.Int(3), Step: 1, Body: []nest.Node{
		&nest.Stmt{Accesses: []*nest.Access{{Object: o, Offset: expr.Binary(expr.OpMul, expr.Ref(0), expr.Int(8)), Size: 8}}},
	}}}}
	run := []access{{Address: 64, Size: 8}, {Address: 72, Size: 8}, {Address: 80, Size: 8}, {Address: 88, Size: 8}}
	if a := compare(p, run); a != (agreement{4, 4, 4, 0}) {
		t.Errorf("the same: %+v", a)
	}
	run[1].Address, run[2].Size, run[3].Write = 73, 4, 1
	if a := compare(p, run[:]); a != (agreement{4, 4, 1, 0}) {
		t.Errorf("others: %+v", a)
	}
	if a := compare(p, run[:1]); a != (agreement{4, 1, 1, 0}) {
		t.Errorf("missing: %+v", a)
	}
	other := &nest.Object{Name: "b", Elem: 8}
	body := p.Body[0].(*nest.Loop).Body[0].(*nest.Stmt)
	body.Accesses = append(body.Accesses, &nest.Access{Object: other, Offset: body.Accesses[0].Offset, Size: 8})
	run = []access{{Address: 64, Size: 8}, {Address: 72, Size: 8}, {Address: 72, Size: 8}, {Address: 80, Size: 8}, {Address: 80, Size: 8}, {Address: 88, Size: 8}, {Address: 88, Size: 8}, {Address: 96, Size: 8}}
	if a := compare(p, run); a != (agreement{8, 8, 8, 3}) {
		t.Errorf("two arrays in one place: %+v", a)
	}
}

func TestInterrupted(t *testing.T) {
	needs(t, "clang++")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Readers(ctx, accuracy.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestTracedCurve: two sweeps over 32 lines, of two accesses each, miss every line twice in a cache of 16 lines, and once in one that holds all.
func TestTracedCurve(t *testing.T) {
	var made []access
	for i := range uint64(64) {
		at := 4096 + i%32*64
		made = append(made, access{Address: at, Size: 8}, access{Address: at + 8, Size: 8})
	}
	got := tracedCurve(made)
	if got[0] != 0.5 || got[1] != 0.25 || got[len(got)-1] != 0.25 {
		t.Errorf("%v", got)
	}
}
