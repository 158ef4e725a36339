package cycles

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"foresee/application/assembly"
	"foresee/application/emulate"
	"foresee/application/layout"
	"foresee/model/core"
)

// clock takes the place of OpenMP's clock, which the kernels read: it counts ticks, and says at the end how many a cycle has.
//
//go:embed programs/clock.c
var clock string

// bench is where kernels are compiled, timed and followed.
type bench struct {
	folder, size string
	core         core.Core
	costs        core.Costs
}

const (
	// followed is how often a kernel is repeated, of which the last counts: branch predictors have learnt it then. It is timed as often as clock.c says.
	followed = 8
	passes   = 4
	// mostInstructions ends the following of a kernel that is too large for it.
	mostInstructions = 2_000_000_000
)

// prepared is a kernel's code that was followed, and the program that is to be timed.
type prepared struct {
	outcome
	program string
	count   int64 // instructions that were followed
}

// prepare makes a kernel's code by a compiler, and predicts it.
func (b *bench) prepare(ctx context.Context, kernel string, compiler int) (*prepared, error) {
	r := &prepared{outcome: outcome{kernel: kernel, compiler: compiler, measured: math.Inf(1)}}
	text, err := b.compile(ctx, kernel, compiler)
	if err != nil {
		return nil, err
	}
	if r.count, err = b.follow(ctx, text, &r.outcome); err != nil {
		return nil, err
	}
	r.program = filepath.Join(b.folder, fmt.Sprintf("program-%s-%d", kernel, compiler))
	arguments := append(slices.Clone(compilers[compiler][1:]), "-o", r.program, text, filepath.Join(b.folder, "clock.c"), "-lm")
	if out, err := exec.CommandContext(ctx, compilers[compiler][0], arguments...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return r, nil
}

// time times all programs, in passes over all of them: who shares the core is busy for seconds.
func (b *bench) time(ctx context.Context, all []*prepared) error {
	for range passes {
		for _, r := range all {
			cycles, err := timed(ctx, r.program)
			if err != nil {
				return fmt.Errorf("%s: %w", r.kernel, err)
			}
			r.measured = min(r.measured, cycles)
			r.ipc = float64(r.count) / followed / r.measured
		}
	}
	return nil
}

// compile makes the assembly of a kernel that asks a variable how often it is to run, so that the code which is followed is the one that is timed.
func (b *bench) compile(ctx context.Context, kernel string, compiler int) (string, error) {
	text, header := filepath.Join(b.folder, "code.s"), filepath.Join(b.folder, "repeats.h")
	for path, content := range map[string]string{header: "extern int repeats;\n", filepath.Join(b.folder, "clock.c"): clock} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return "", err
		}
	}
	arguments := append(slices.Clone(compilers[compiler][1:]), "-w", "-D"+b.size, "-DTIME", "-DREPEAT=repeats", "-include", header, "-S", "-o", text, filepath.Join(b.folder, kernel+".c"))
	if out, err := exec.CommandContext(ctx, compilers[compiler][0], arguments...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return text, nil
}

// follow carries the code out, and follows what lies between two looks at the clock through the core.
func (b *bench) follow(ctx context.Context, path string, r *outcome) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	file, err := assembly.Read(filepath.Base(path), bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	repeats, err := assembly.Read("repeats.s", strings.NewReader(fmt.Sprintf("\t.globl repeats\n\t.data\nrepeats:\n\t.long %d\n", followed)))
	if err != nil {
		return 0, err
	}
	p, err := emulate.Load(1, file, repeats)
	if err != nil {
		return 0, err
	}
	places := layout.Linked(ctx, compilers[r.compiler], b.folder, text, file, filepath.Join(b.folder, "clock.c"), "-lm")
	program := make([]core.Instruction, p.Operations())
	for i := range program {
		x := p.Instruction(int32(i))
		program[i], _ = b.costs.Instruction(x)
		if called := p.LibraryCall(int32(i)); called != "" {
			program[i] = b.costs.Call(called, core.Given{})
		}
		program[i].Place = places[x.Line()]
	}
	sim := core.New(b.core, program)
	looks := 0
	p.Most = mostInstructions
	p.Observe = func(_ int, at int32, address uint64, jumps bool) {
		if x := p.Instruction(at); x.Mnemonic == "call" && len(x.Operands) > 0 && x.Operands[0].Symbol == "omp_get_wtime" {
			if looks++; looks%2 == 1 {
				sim.Reset()
			} else {
				r.predicted = sim.Cycles()
			}
			return
		}
		if looks%2 == 1 {
			sim.Step(at, address, jumps)
		}
	}
	p.Copied = func(to, from, bytes uint64) {
		if looks%2 == 1 {
			sim.Copy(to, from, bytes)
		}
	}
	if _, err = p.Run("main"); err == nil && len(p.Unknown()) > 0 {
		err = fmt.Errorf("it calls functions of which nothing is known: %s", strings.Join(p.Unknown(), ", "))
	}
	return sim.Instructions, err
}

// timed is the least time of a program's repetitions, in cycles.
func timed(ctx context.Context, program string) (float64, error) {
	least, tick, look := math.Inf(1), math.Inf(1), math.Inf(1)
	out, err := exec.CommandContext(ctx, program).Output()
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) != 2 {
			continue
		}
		v, _ := strconv.ParseFloat(f[1], 64)
		switch f[0] {
		case "seconds": // which are ticks here
			least = min(least, v)
		case "tick":
			tick = min(tick, v)
		case "look":
			look = min(look, v)
		}
	}
	if cycles := (least - look) / tick; cycles > 0 && !math.IsInf(cycles, 1) {
		return cycles, nil
	}
	return 0, fmt.Errorf("%s printed no time", filepath.Base(program))
}
