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
	"strconv"
	"strings"

	"foresee/application/assembly"
	"foresee/application/emulate"
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
	// repetitions are timed, of which the least counts, and followed of these are few: branch predictors know the kernel from the second.
	repetitions = 300
	followed    = 3
	passes      = 2
	// mostInstructions ends the following of a kernel that is too large for it.
	mostInstructions = 2_000_000_000
)

// compare makes a kernel's code by a compiler, and predicts and measures it.
func (b *bench) compare(ctx context.Context, kernel string, compiler int) (outcome, error) {
	r := outcome{kernel: kernel, compiler: compiler}
	source := filepath.Join(b.folder, kernel+".c")
	text := filepath.Join(b.folder, "code.s")
	arguments := func(repeat int, more ...string) []string {
		return append(append(append([]string{}, compilers[compiler][1:]...), "-w", "-D"+b.size, "-DTIME", fmt.Sprintf("-DREPEAT=%d", repeat)), more...)
	}
	if out, err := exec.CommandContext(ctx, compilers[compiler][0], arguments(followed, "-S", "-o", text, source)...).CombinedOutput(); err != nil {
		return r, fmt.Errorf("%w\n%s", err, out)
	}
	count, err := b.follow(text, &r)
	if err != nil {
		return r, err
	}
	timer, program := filepath.Join(b.folder, "clock.c"), filepath.Join(b.folder, "program")
	if err := os.WriteFile(timer, []byte(clock), 0o600); err != nil {
		return r, err
	}
	if out, err := exec.CommandContext(ctx, compilers[compiler][0], arguments(repetitions, "-o", program, source, timer, "-lm")...).CombinedOutput(); err != nil {
		return r, fmt.Errorf("%w\n%s", err, out)
	}
	r.measured, err = timed(ctx, program)
	r.ipc = float64(count) / followed / r.measured
	return r, err
}

// follow carries the code out, and follows what lies between two looks at the clock through the core.
func (b *bench) follow(path string, r *outcome) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	file, err := assembly.Read(filepath.Base(path), bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	p, err := emulate.Load(1, file)
	if err != nil {
		return 0, err
	}
	program := make([]core.Instruction, p.Operations())
	for i := range program {
		program[i], _ = b.costs.Instruction(p.Instruction(int32(i)))
		if p.CallsLibrary(int32(i)) {
			program[i].Branch = core.Library
		}
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
	if _, err = p.Run("main"); err == nil && len(p.Unknown()) > 0 {
		err = fmt.Errorf("it calls functions of which nothing is known: %s", strings.Join(p.Unknown(), ", "))
	}
	return sim.Instructions, err
}

// timed is the least time of a program, in cycles.
func timed(ctx context.Context, program string) (float64, error) {
	least, tick := math.Inf(1), math.Inf(1)
	for range passes {
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
			}
		}
	}
	if cycles := least / tick; cycles > 0 && !math.IsInf(cycles, 1) {
		return cycles, nil
	}
	return 0, fmt.Errorf("%s printed no time", filepath.Base(program))
}
