package accuracy

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"foresee/internal/workspace"
)

// nativeCounts are what the kernel of a program does when it runs uninstrumented, as callgrind counts it.
type nativeCounts struct {
	instructionCounts                   // of the program's own code
	Library           instructionCounts // of what the kernel calls in shared libraries, such as exp and memset
	Calls             map[string]int64  // of those, by the names that the libraries have for them
}

// instructionCounts sort the reads and writes of memory by what they are for. One of a vector is one; one of a
// vector's arithmetic is as many operations as the vector has lanes, used or not, and a fused one is twice as many.
type instructionCounts struct {
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

// callgrindCounts compiles a kernel of a folder with -O2 and flags such as -DMINI, and counts what it does.
func callgrindCounts(ctx context.Context, compiler, dir, kernel string, flags []string) (*nativeCounts, error) {
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
	n := &nativeCounts{Calls: p.calls}
	for object, costs := range p.costs {
		if object == "???" { // code of no file, such as the kernel's
			continue
		}
		sum := &n.Library
		if object == program {
			sum = &n.instructionCounts
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

func (n *instructionCounts) addObject(ctx context.Context, object string, costs map[uint64]cost) error {
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

func (n *instructionCounts) add(i instruction, c cost) {
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

// place says what a memory operand is for.
type place int

const (
	inData place = iota
	onStack
	inConstants
)

type instruction struct {
	flops    int64 // of one execution
	packed   bool  // those are a vector's
	modifies bool  // reads and writes its operand
	place    place
}

// disassemble gives the instructions of an object from the first to the last executed.
func disassemble(ctx context.Context, object string, costs map[uint64]cost) (map[uint64]instruction, error) {
	first, last := ^uint64(0), uint64(0)
	for address := range costs {
		first, last = min(first, address), max(last, address)
	}
	file, err := elf.Open(object)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var failure bytes.Buffer
	objdump := exec.CommandContext(ctx, "objdump", "-d", "-Matt", "--no-show-raw-insn", "-w",
		fmt.Sprintf("--start-address=%#x", first), fmt.Sprintf("--stop-address=%#x", last+16), object)
	objdump.Stderr = &failure
	text, err := objdump.Output()
	if err != nil {
		return nil, fmt.Errorf("objdump %s: %w: %s", object, err, failure.Bytes())
	}
	code := map[uint64]instruction{}
	framed := false
	for line := range strings.Lines(string(text)) {
		if strings.HasSuffix(line, ">:\n") {
			framed = false
		}
		before, assembly, found := strings.Cut(line, ":\t")
		address, err := strconv.ParseUint(strings.TrimSpace(before), 16, 64)
		if !found || err != nil {
			continue
		}
		framed = framed || setsFrame.MatchString(assembly)
		code[address] = decode(strings.TrimSpace(assembly), framed, file)
	}
	return code, nil
}

var (
	prefixes   = regexp.MustCompile(`^(?:(?:bnd|notrack|lock|rep|repz|repnz|data16|cs|ds)\s+)+`)
	setsFrame  = regexp.MustCompile(`^mov\s+%rsp,%rbp\s*$`)
	controls   = regexp.MustCompile(`^(?:call|ret|jmp|push|pop|leave)`)
	updates    = regexp.MustCompile(`^(?:add|sub|and|or|xor|adc|sbb|inc|dec|neg|not|shl|shr|sar|sal|rol|ror|xchg|xadd|cmpxchg)[bwlq]?$`)
	arithmetic = regexp.MustCompile(`^v?(?:h?add|h?sub|mul|div|sqrt|addsub|(fn?madd|fn?msub|fmaddsub|fmsubadd)(?:132|213|231))([sp])([sd])$`)
	indexed    = regexp.MustCompile(`\(%\w*,%\w+(?:,\d)?\)`)
	target     = regexp.MustCompile(`\(%rip\).*#\s*([0-9a-f]+)`)
)

// decode reads a line of objdump; framed says that %rbp points to the frame.
func decode(assembly string, framed bool, file *elf.File) (i instruction) {
	assembly = prefixes.ReplaceAllString(assembly, "")
	text, _, _ := strings.Cut(assembly, "#")
	mnemonic, operands, _ := strings.Cut(strings.TrimSpace(text), " ")
	if m := arithmetic.FindStringSubmatch(mnemonic); m != nil {
		i.flops, i.packed = 1, m[2] == "p"
		if i.packed {
			i.flops = lanes(operands, m[3])
		}
		if m[1] != "" {
			i.flops *= 2
		}
	}
	i.modifies = updates.MatchString(mnemonic) && strings.HasSuffix(operands, ")")
	switch {
	case controls.MatchString(mnemonic), strings.Contains(operands, "%fs:"): // fs: has the guard of the stack
		i.place = onStack
	case indexed.MatchString(operands): // an array, wherever it lies
	case strings.Contains(operands, "(%rsp)"), framed && strings.Contains(operands, "(%rbp)"):
		i.place = onStack
	case constant(assembly, file):
		i.place = inConstants
	}
	return i
}

func lanes(operands, precision string) int64 {
	n := int64(2)
	switch {
	case strings.Contains(operands, "%zmm"):
		n = 8
	case strings.Contains(operands, "%ymm"):
		n = 4
	}
	if precision == "s" {
		n *= 2
	}
	return n
}

// constant says whether an operand stands in what the program cannot write.
func constant(assembly string, file *elf.File) bool {
	m := target.FindStringSubmatch(assembly)
	if m == nil {
		return false
	}
	address, err := strconv.ParseUint(m[1], 16, 64)
	if err != nil {
		return false
	}
	for _, s := range file.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 && address >= s.Addr && address < s.Addr+s.Size {
			return s.Flags&elf.SHF_WRITE == 0
		}
	}
	return false
}
