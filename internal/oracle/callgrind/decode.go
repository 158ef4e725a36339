package callgrind

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

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
