// Package callgrind counts what the kernels of a program do when they run uninstrumented: it compiles them, runs them under valgrind's tool
// callgrind by instruction, and sorts the loads, stores and operations by what objdump says of each instruction. It is an oracle of
// recorded and of modelled counts.
package callgrind

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"foresee/internal/workspace"
)

// Counts are what the kernel of a program does when it runs uninstrumented, as callgrind counts it.
type Counts struct {
	InstructionCounts                   // of the program's own code
	Library           InstructionCounts // of what the kernel calls in shared libraries, such as exp and memset
	Calls             map[string]int64  // of those, by the names that the libraries have for them
}

// InstructionCounts sort the reads and writes of memory by what they are for. One of a vector is one; one of a
// vector's arithmetic is as many operations as the vector has lanes, used or not, and a fused one is twice as many.
type InstructionCounts struct {
	Instructions            int64
	Loads, Stores           int64 // of data
	SpillLoads, SpillStores int64 // of scalars on the stack, and by calls and returns
	ConstantLoads           int64 // of literals
	Flops                   int64 // additions, multiplications, divisions, square roots; no comparisons, no conversions
	VectorFlops             int64 // those of them that packed instructions do
}

// The kernel is bounded by calls of functions that the compiler does not see, where the program's clock calls them.
// So it is inlined into main and knows its arguments as in the program that is timed; as a function of its own, by
// noinline or without static, it would not know that its arrays are distinct or how long its loops are, and the
// compilers would neither keep values in registers nor use vectors as they do.
const (
	bounded = `#include "harness.h"
void foresee_start(void);
void foresee_stop(void);
#define harness_start foresee_start
#define harness_stop foresee_stop
#include %q
`
	bounds = "void foresee_start(void) {}\nvoid foresee_stop(void) {}\n"
)

// Count compiles a kernel of a folder with -O2 and flags such as -DMINI, and counts what it does.
func Count(ctx context.Context, compiler, dir, kernel string, flags []string) (*Counts, error) {
	for _, program := range []string{compiler, "valgrind", "objdump"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, fmt.Errorf("counting the operations of %s: %w", kernel, err)
		}
	}
	work, err := workspace.New("callgrind")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	program, err := compileBounded(ctx, compiler, dir, kernel, flags, work.Path)
	if err != nil {
		return nil, err
	}
	text, err := runCallgrind(ctx, program)
	if err != nil {
		return nil, fmt.Errorf("callgrind on %s: %w", kernel, err)
	}
	p, err := readProfile(text, program)
	if err != nil {
		return nil, fmt.Errorf("callgrind's profile of %s: %w", kernel, err)
	}
	n := &Counts{Calls: p.calls}
	for object, costs := range p.costs {
		if object == "???" { // code of no file, such as the kernel's
			continue
		}
		sum := &n.Library
		if object == program {
			sum = &n.InstructionCounts
		}
		if err := sum.addObject(ctx, object, costs); err != nil {
			return nil, fmt.Errorf("instructions of %s: %w", kernel, err)
		}
	}
	n.Instructions-- // the call of foresee_stop
	n.SpillStores--
	return n, nil
}

func compileBounded(ctx context.Context, compiler, dir, kernel string, flags []string, temporary string) (string, error) {
	source, err := filepath.Abs(filepath.Join(dir, kernel+".c"))
	if err != nil {
		return "", err
	}
	program := filepath.Join(temporary, "kernel")
	for name, text := range map[string]string{"kernel.c": fmt.Sprintf(bounded, source), "bounds.c": bounds} {
		if err := os.WriteFile(filepath.Join(temporary, name), []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	// No -g: valgrind 3.19 gives up at clang's. Without -z now the kernel's first call of a library function would run the dynamic linker.
	arguments := append([]string{"-O2", "-I" + filepath.Dir(source)}, flags...)
	arguments = append(arguments, program+".c", filepath.Join(temporary, "bounds.c"), "-o", program, "-Wl,-z,now", "-lm")
	if text, err := exec.CommandContext(ctx, compiler, arguments...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", compiler, filepath.Base(source), err, text)
	}
	return program, nil
}

// runCallgrind gives the profile between the bounds.
func runCallgrind(ctx context.Context, program string) ([]byte, error) {
	out := program + ".callgrind"
	run := exec.CommandContext(ctx, "valgrind", "--tool=callgrind", "-q", "--callgrind-out-file="+out,
		"--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64", // without it, no loads and stores
		"--zero-before=foresee_start", "--dump-before=foresee_stop",
		"--dump-instr=yes", "--dump-line=no", "--compress-pos=no", "--compress-strings=no", program)
	run.Env = []string{"LC_ALL=C", "OMP_NUM_THREADS=1"}
	if text, err := run.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	return os.ReadFile(out + ".1")
}

// cost is what callgrind counts at one instruction.
type cost struct{ executed, reads, writes int64 }

type profile struct {
	costs map[string]map[uint64]cost // by object and address in it
	calls map[string]int64           // from the program to other objects
}

// readProfile reads callgrind's format, without the bounds themselves.
func readProfile(text []byte, program string) (*profile, error) {
	p := &profile{costs: map[string]map[uint64]cost{}, calls: map[string]int64{}}
	var object, function, calledObject, called string
	inclusive := false // the next line is what a call costs, not the instruction
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		key, value, _ := strings.Cut(line, "=")
		switch {
		case key == "ob":
			object = value
		case key == "fn":
			function = value
		case key == "cob":
			calledObject = value
		case key == "cfn":
			called = value
		case key == "calls":
			count, _, _ := strings.Cut(value, " ")
			n, err := strconv.ParseInt(count, 10, 64)
			if err != nil {
				return nil, err
			}
			if n > 0 && object == program && calledObject != "" && calledObject != program {
				p.calls[called] += n
			}
			calledObject, inclusive = "", true
		case strings.HasPrefix(line, "events:") && !strings.HasPrefix(line, "events: Ir Dr Dw "):
			return nil, fmt.Errorf("unexpected %q", line)
		case !strings.HasPrefix(line, "0x"):
		case inclusive:
			inclusive = false
		case function != "foresee_start" && function != "foresee_stop":
			if err := p.add(object, line); err != nil {
				return nil, fmt.Errorf("%q: %w", line, err)
			}
		}
	}
	if len(p.costs[program]) == 0 {
		return nil, errors.New("nothing was executed between harness_start and harness_stop")
	}
	return p, nil
}

// add adds a line of an address and costs, of which zeros at the end are left out.
func (p *profile) add(object, line string) error {
	fields := strings.Fields(line)
	address, err := strconv.ParseUint(fields[0], 0, 64)
	if err != nil {
		return err
	}
	var values [3]int64
	for i, s := range fields[1:min(len(fields), 4)] {
		if values[i], err = strconv.ParseInt(s, 10, 64); err != nil {
			return err
		}
	}
	if p.costs[object] == nil {
		p.costs[object] = map[uint64]cost{}
	}
	c := p.costs[object][address]
	p.costs[object][address] = cost{c.executed + values[0], c.reads + values[1], c.writes + values[2]}
	return nil
}

func (n *InstructionCounts) addObject(ctx context.Context, object string, costs map[uint64]cost) error {
	code, err := disassemble(ctx, object, costs)
	if err != nil {
		return err
	}
	for address, c := range costs {
		i, ok := code[address]
		if !ok {
			return fmt.Errorf("objdump has none at %#x of %s", address, object)
		}
		n.add(i, c)
	}
	return nil
}

func (n *InstructionCounts) add(i instruction, c cost) {
	if i.modifies && c.reads == 0 { // callgrind, unlike cachegrind, takes a modify for a write alone
		c.reads = c.writes
	}
	n.Instructions += c.executed
	n.Flops += c.executed * i.flops
	if i.packed {
		n.VectorFlops += c.executed * i.flops
	}
	switch i.place {
	case onStack:
		n.SpillLoads += c.reads
		n.SpillStores += c.writes
	case inConstants:
		n.ConstantLoads += c.reads
	default:
		n.Loads += c.reads
		n.Stores += c.writes
	}
}
